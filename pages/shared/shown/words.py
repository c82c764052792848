"""Settings in words: what a downloaded picture says of how it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernex_core.base.parameters import Parameter, parameters
from pages.shared.declared.labels import label

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def spelt(owner: DataclassInstance) -> dict[str, str]:
    """Return the settings of a study under the names of their widgets, values as these show them."""
    return {
        label(each, name): value(each, getattr(owner, name))
        for name, each in parameters(owner).items()
        if not each.hidden
    }


def value(parameter: Parameter, given: object) -> str:
    """Return a value in words: the name of a choice, yes or no, a share in percent."""
    if given is None:
        return parameter.auto or "none"
    if isinstance(given, bool):
        return "yes" if given else "no"
    if given in parameter.choices and parameter.names:
        return parameter.names[parameter.choices.index(given)]
    if isinstance(given, float):
        return f"{100.0 * given:g} %" if parameter.unit == "%" else f"{given:g}"
    return str(given)
