"""One described parameter -> one widget.

widget(parameter, default, *, name, key, setting) -> value

choices                    segmented control (up to four short ones) or select box
bool                       toggle
range known at both ends   slider; on a logarithmic scale, in percent, or with stops of its own, a select slider
other numbers              number input; optional ones may stay empty: the placeholder says how they are chosen
text                       text input
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar, cast, overload

import streamlit as st

from kernex_core.base.digits import typeset
from kernex_core.base.parameters import Parameter, parameters
from pages.server import workspace
from pages.server.declared import label, plain_label
from pages.server.messages import plain
from pages.ui import widgets as draw
from pages.ui.glossary import explained

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


T = TypeVar("T")

MOST_SLIDER_STEPS: Final = 200
LONGEST_SEGMENTS: Final = 36
_FINE: Final = (
    1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4, 2.7, 3.0, 3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1,
)  # fmt: skip
"""24 steps of about a tenth: the preferred numbers E24 of resistors."""


class _Look(TypedDict):
    """What every widget takes."""

    name: str
    key: str
    label: str
    help: str | None


def widget(
    parameter: Parameter, default: T, *, name: str, key: str | None = None, setting: str | None = None
) -> T:
    """Draw one parameter's widget and return its value, which is of the type of the default.

    Parameters
    ----------
    parameter : Parameter
    default : object
    name : str
        Of the field.
    key : str, optional
        Of the widget; default: its setting's name.
    setting : str, optional
        As the page declares it; default: the field's name. "" = none: the value is what a button takes.
    """
    look: _Look = {
        "name": name if setting is None else setting,
        "key": key or setting or name,
        "label": label(parameter, name),
        "help": explained(plain_label(parameter, name), parameter.help),
    }
    return cast("T", _drawn(parameter, default, look))


def _drawn(parameter: Parameter, default: object, look: _Look) -> object:
    if parameter.choices:
        return _choice(parameter, default, look)
    if isinstance(default, bool):
        return draw.switch(default=default, **look)
    if isinstance(default, str):
        return draw.typed(default=default, **look)
    number = cast("float | None", default)  # what is no choice and no text
    if number is not None and parameter.low is not None and parameter.high is not None:
        if _counts(parameter):
            said = _percents if parameter.unit == "%" else _short
            return draw.stop(options=_options(parameter, number), default=number, said=said, **look)
        if (parameter.high - parameter.low) / _step(parameter, number) <= MOST_SLIDER_STEPS:
            return _slider(parameter, number, look)
    return _number(parameter, number, look)


def stops(parameter: Parameter, default: float) -> tuple[tuple[float, ...], bool]:
    """Return the values that the slider of a parameter stops at, and whether it counts them instead of saying them."""
    if _counts(parameter):
        return _options(parameter, default), True
    low, high = _both_ends(parameter, default)
    step = _step(parameter, default)
    return tuple(round(low + k * step, 10) for k in range(math.floor((high - low) / step + 1e-9) + 1)), False


def _counts(parameter: Parameter) -> bool:
    return bool(parameter.stops) or parameter.logarithmic or parameter.unit == "%"


def _choice(parameter: Parameter, default: object, look: _Look) -> object:
    options: list[Hashable] = [*([None] if parameter.optional else []), *parameter.choices]
    shown: dict[Hashable, str] = {option: str(option) for option in options} | dict(
        zip(parameter.choices, parameter.names, strict=False)
    )
    if parameter.optional:
        shown[None] = parameter.auto or "auto"
    if len(options) <= 4 and sum(map(len, shown.values())) <= LONGEST_SEGMENTS and not parameter.optional:
        return draw.pick(options=options, default=default, said=shown.__getitem__, **look)
    own = str in parameter.accepts  # any other text counts as well: the letters of an alphabet
    if own and parameter.optional:
        # a box that takes new options shows None as an empty box; the words for "auto" are an option here
        auto = shown.pop(None)
        options[0] = auto
        default = auto if default is None else default
    chosen = draw.choose(
        options=options, default=default, said=lambda option: shown.get(option, str(option)), own=own,
        **look,
    )  # fmt: skip
    return None if own and parameter.optional and chosen in (None, options[0]) else chosen


def _slider(parameter: Parameter, default: float, look: _Look) -> float:
    low, high = _both_ends(parameter, default)
    step, kind = _step(parameter, default), type(default)
    return draw.slide(
        low=kind(low), high=kind(high), step=kind(step), default=min(max(default, kind(low)), kind(high)),
        format=_format(kind, step), **look,
    )  # fmt: skip


def _options(parameter: Parameter, default: float) -> tuple[float, ...]:
    """Values of a select slider, in order; the default is one of them."""
    if parameter.stops:
        return parameter.stops
    low, high = _both_ends(parameter, default)
    if parameter.logarithmic:
        options = _logarithmic(low, high, _FINE if parameter.fine else (1.0, 2.0, 5.0))
    else:
        step = _step(parameter, default)
        options = [round(low + i * step, 10) for i in range(math.floor((high - low) / step + 1.0 + 1e-9))]
    kind = type(default)
    return tuple(sorted({kind(option) for option in options} | {default}))


def _percents(share: float) -> str:
    return f"{100.0 * share:g} %"


def _short(value: float) -> str:
    """10⁶, not 1e+06."""
    return typeset(f"{value:g}")


def _number(parameter: Parameter, default: float | None, look: _Look) -> float | None:
    whole = isinstance(default, int) or (default is None and float(parameter.step or 0.5).is_integer())
    kind: type[float] = int if whole else float
    step = _step(parameter, default)
    low, high = _ends(parameter, default)
    return draw.number(
        low=low, high=high, step=kind(step), default=default, empty=parameter.optional, auto=parameter.auto,
        format=None if whole else _format(float, step), **look,
    )  # fmt: skip


def _ends(parameter: Parameter, default: float | None) -> tuple[float | None, float | None]:
    """Return the range with open ends moved inwards by one step."""
    step = _step(parameter, default)
    low, high = parameter.low, parameter.high
    if parameter.logarithmic and low is not None and parameter.open_low:
        low = low or 1e-4
    elif low is not None and parameter.open_low:
        low = round(low + step, 12)
    if high is not None and parameter.open_high:
        high = round(high - step, 12)
    return low, high


def _both_ends(parameter: Parameter, default: float) -> tuple[float, float]:
    low, high = _ends(parameter, default)
    if low is None or high is None:
        raise ValueError("a slider has two ends")
    return low, high


def _step(parameter: Parameter, default: int | float | None) -> float:
    if parameter.step is not None:
        return parameter.step
    if isinstance(default, int):
        return 1
    if parameter.low is not None and parameter.high is not None:
        return 10.0 ** math.floor(math.log10((parameter.high - parameter.low) / 50.0))
    return 10.0 ** math.floor(math.log10(abs(default) / 5.0)) if default else 0.1


def _format(kind: type, step: float) -> str:
    return "%d" if kind is int else f"%.{max(0, -math.floor(math.log10(step) + 1e-9))}f"


def _logarithmic(low: float, high: float, digits: tuple[float, ...]) -> list[float]:
    """Return these digits of every decade between the ends, and the ends."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    inner = [float(f"{digit}e{decade}") for decade in decades for digit in digits]
    return [low, *(value for value in inner if low < value < high), high]


# A dataclass's described fields -> widgets -> an instance of it.
#
#     controls(owner, key, *, only=None, changed=None, slots=None, prefix="", kept=True) -> instance
#
# `owner` is a frozen dataclass, or an instance whose values are the defaults, with fields declared by
# `kernex_core.base.parameters.parameter`. Every field that is not hidden becomes one widget (`pages.ui.widget`).
#
# `only` names the fields to draw, in that order (the others keep their values); `changed` replaces parts of a field's
# description, e.g. {"lam": {"high": 0.31}}; `slots` are the containers to draw in, one a field (columns). The page
# declares every field (`pages.server.declared.of`) under `<prefix><field>`, the name in the address. Widgets
# have keys `<key>.<field>`, or that name where the key is "". With `kept=False` they are no settings of the page: what
# a button takes, as the options of a file that waits. The core validates: what is out of range raises InvalidInputError
# here.

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


# The most similar items, each with its number; a click puts one into a box of the page.

SHOWN_NEIGHBOURS: Final = 8


def neighbour_buttons(neighbours: Iterable[tuple[str, str]], key: str) -> None:
    """Draw the first SHOWN_NEIGHBOURS of the neighbours.

    Parameters
    ----------
    neighbours : iterable of (str, str)
        Id, and what is said beside it, as markdown; the most similar first.
    key : str
        Of the box that a click puts an id into.
    """
    with st.container(gap="xxsmall"):
        for (each, said), _ in zip(neighbours, range(SHOWN_NEIGHBOURS), strict=False):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.button(
                    plain(each),
                    key=f"{key}.{each}",
                    type="tertiary",
                    on_click=workspace.show_in,
                    args=(key, each),
                )
                st.markdown(f":small[{said}]", width="content")
