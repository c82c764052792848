"""A dataclass's described fields -> widgets -> an instance of it.

    controls(owner, key, *, only=None, changed=None, slots=None, prefix="", kept=True) -> instance

`owner` is a frozen dataclass, or an instance whose values are the defaults, with fields declared by
`kernex_core.base.parameters.parameter`. Every field that is not hidden becomes one widget (`pages.shared.widget`).

`only` names the fields to draw, in that order (the others keep their values); `changed` replaces parts of a field's
description, e.g. {"lam": {"high": 0.31}}; `slots` are the containers to draw in, one a field (columns). The page declares
every field (`pages.shared.declared.settings.of`) under `<prefix><field>`, the name in the address. Widgets have keys
`<key>.<field>`, or that name where the key is "". With `kept=False` they are no settings of the page: what a button takes,
as the options of a file that waits. The core validates: what is out of range raises InvalidInputError here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TypedDict, TypeVar, overload

from kernex_core.base.parameters import parameters
from pages.shared.widget import widget

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

D = TypeVar("D", bound="DataclassInstance")


class Change(TypedDict, total=False):
    """Parts of a field's description that a page replaces; as in `kernex_core.base.parameters.Parameter`."""

    label: str
    low: float | None
    high: float | None
    step: float | None
    choices: tuple[object, ...]
    names: tuple[str, ...]


@overload
def controls(
    owner: type[D],
    key: str,
    *,
    only: Sequence[str] | None = None,
    changed: Mapping[str, Change] | None = None,
    slots: Sequence[AbstractContextManager[object]] | None = None,
    prefix: str = "",
    kept: bool = True,
) -> D: ...
@overload
def controls(
    owner: D,
    key: str,
    *,
    only: Sequence[str] | None = None,
    changed: Mapping[str, Change] | None = None,
    slots: Sequence[AbstractContextManager[object]] | None = None,
    prefix: str = "",
    kept: bool = True,
) -> D: ...
def controls(
    owner: DataclassInstance | type[DataclassInstance],
    key: str,
    *,
    only: Sequence[str] | None = None,
    changed: Mapping[str, Change] | None = None,
    slots: Sequence[AbstractContextManager[object]] | None = None,
    prefix: str = "",
    kept: bool = True,
) -> DataclassInstance:
    """Draw the widgets of a dataclass and return an instance with their values; see the module's docstring."""
    described = {name: p for name, p in parameters(owner).items() if not p.hidden}
    names = list(described) if only is None else list(only)
    defaults = _defaults(owner)
    values = {}
    for position, name in enumerate(names):
        field = dataclasses.replace(described[name], **(changed or {}).get(name, {}))
        with nullcontext() if slots is None else slots[position]:
            setting = f"{prefix}{name}" if kept else ""
            values[name] = widget(
                field, defaults[name], name=name, setting=setting, key=f"{key}.{name}" if key else None
            )
    others = {name: value for name, value in defaults.items() if name not in values}
    return owner(**others, **values) if isinstance(owner, type) else dataclasses.replace(owner, **values)


def _defaults(owner: DataclassInstance | type[DataclassInstance]) -> dict[str, object]:
    if not isinstance(owner, type):
        return {f.name: getattr(owner, f.name) for f in dataclasses.fields(owner) if f.init}
    found = {}
    for field in dataclasses.fields(owner):
        if field.init and field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.init and field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    return found
