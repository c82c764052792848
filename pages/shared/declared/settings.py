"""What can be set on a page, declared once: every widget that changes what a page shows is made from its declaration.

    SETTINGS = declared(
        of_data("kernels", "Kernels"),                       names of things in the data: kept with the data set
        of_items("item", "Sequence"),                        the same, and in no address
        setting("measure", "Measure"),                       of the page
        *of(CrossValidation, "folds", "repeats", "seed"),    fields of a study's configuration, with their descriptions
    )

The name is what stands in the address, in a saved workspace and in the folder of KERNEX_KEEP. Defaults, bounds and choices
of a field are those of its `Parameter`; what depends on the data is said where the widget is drawn (`widgets`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from kernex_core.base.parameters import parameters
from pages.shared.declared.labels import label

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Belongs: TypeAlias = Literal["page", "data", "everywhere"]
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
RESERVED: Final = ("data", "projector", "class", "embed", "embed_options")
"""Names of the address that are no settings of a page."""


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes
    ----------
    name : str
        In the address and in files.
    label : str
        Of its widget, and in the sheet of settings of a report and a figure.
    belongs : {"page", "data", "everywhere"}
        "data": names something in the data, and every data set has its own. "everywhere": the same on all pages.
    former : str
        Name that it had in older addresses.
    in_address : bool
        What names items, classes or columns does not stand there: that is data.
    in_view : bool
        Its widget stands in full view and not behind the button Settings: that it differs need not be said.
    """

    name: str
    label: str
    belongs: Belongs = "page"
    former: str = ""
    in_address: bool = True
    in_view: bool = False


Declared: TypeAlias = Mapping[str, Setting]


def setting(name: str, label: str, *, former: str = "") -> Setting:
    """Declare a setting of the page."""
    return Setting(name, label, former=former)


def of_data(name: str, label: str) -> Setting:
    """Declare a setting that names something in the data that has a name of its own: a kernel, samples."""
    return Setting(name, label, "data")


def of_items(name: str, label: str) -> Setting:
    """Declare a setting that names items, classes or columns: it is kept with the data, and in no address."""
    return Setting(name, label, "data", in_address=False)


def everywhere(name: str, label: str) -> Setting:
    """Declare a setting that all pages share which have it."""
    return Setting(name, label, "everywhere")


def in_view(*settings: Setting) -> tuple[Setting, ...]:
    """Declare that the widgets of these stand in full view, and not behind the button Settings."""
    return tuple(replace(each, in_view=True) for each in settings)


def of(
    owner: DataclassInstance | type[DataclassInstance], *only: str, prefix: str = "", about: str = ""
) -> tuple[Setting, ...]:
    """Declare described fields of a dataclass, all that are not hidden or only some.

    Parameters
    ----------
    owner : dataclass or instance
    only : str
        Names of fields.
    prefix : str
        Before every field's name.
    about : str
        What tells the labels from those of another part of the page.
    """
    described = parameters(owner)
    names = only or [name for name, each in described.items() if not each.hidden]
    words = f", {about}" if about else ""
    return tuple(Setting(f"{prefix}{name}", f"{label(described[name], name)}{words}") for name in names)


def of_each(owners: Iterable[Any], *, prefix: str = "") -> tuple[Setting, ...]:
    """Declare all fields of every class of a catalogue, each class under its own name.

    Parameters
    ----------
    owners : iterable of dataclass
    prefix : str
    """
    return tuple(
        each for owner in owners for each in of(owner, prefix=own_prefix(owner, prefix)) if parameters(owner)
    )


def own_prefix(owner: Any, prefix: str = "") -> str:
    """Return what stands before the names of the fields of a class of a catalogue."""
    kind = owner if isinstance(owner, type) else type(owner)
    return f"{prefix}{kind.__name__.lower()}_"


def declared(*settings: Setting) -> Declared:
    """Return all settings of a page by name.

    Raises
    ------
    ValueError
        Two of one name, or a name that an address cannot carry: a mistake in the code, seen when the page is imported.
    """
    made: dict[str, Setting] = {}
    for each in settings:
        if each.name in made or each.name in RESERVED or not NAME.fullmatch(each.name):
            raise ValueError(f"{each.name!r} is declared twice, reserved, or no name")
        made[each.name] = each
    return MappingProxyType(made)


NONE: Final = declared()
