"""A dataclass's described fields -> widgets -> an instance of it.

    controls(owner, key, *, only=None, bind=(), changed=None, slots=None) -> instance

`owner` is a frozen dataclass, or an instance whose values are the defaults, with fields declared by
`kernex_core.parameters.parameter`. Every field that is not hidden becomes one widget:

    choices                    segmented control (up to four short ones) or select box
    bool                       toggle
    range known at both ends   slider; on a logarithmic scale, or in percent, a select slider
    other numbers              number input; optional ones may stay empty: the placeholder says how they are chosen
    text                       text input

`only` names the fields to draw, in that order (the others keep their values); `bind` those that stand in the URL
(True = all drawn); `changed` replaces parts of a field's description, e.g. {"lam": {"high": 0.31}}; `slots` are the
containers to draw in, one a field (columns). Values survive page changes. Widgets have keys `<key>.<field>`; bound
ones `<field>`, which is the name in the URL. The core validates: what is out of range raises InvalidInputError here.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final, TypedDict, TypeVar, overload

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.parameters import Parameter, parameters

T = TypeVar("T")


class Change(TypedDict, total=False):
    """Parts of a field's description that a page replaces; as in `kernex_core.parameters.Parameter`."""

    label: str
    low: float | None
    high: float | None
    step: float | None
    choices: tuple[object, ...]
    names: tuple[str, ...]


MOST_SLIDER_STEPS: Final = 200
LONGEST_SEGMENTS: Final = 36


@overload
def controls(
    owner: type[T],
    key: str,
    *,
    only: Sequence[str] | None = None,
    bind: Collection[str] | bool = (),
    changed: Mapping[str, Change] | None = None,
    slots: Sequence[DeltaGenerator] | None = None,
) -> T: ...
@overload
def controls(
    owner: T,
    key: str,
    *,
    only: Sequence[str] | None = None,
    bind: Collection[str] | bool = (),
    changed: Mapping[str, Change] | None = None,
    slots: Sequence[DeltaGenerator] | None = None,
) -> T: ...
def controls(
    owner: Any,
    key: str,
    *,
    only: Sequence[str] | None = None,
    bind: Collection[str] | bool = (),
    changed: Mapping[str, Change] | None = None,
    slots: Sequence[DeltaGenerator] | None = None,
) -> Any:
    """Draw the widgets of a dataclass and return an instance with their values; see the module's docstring."""
    described = {name: p for name, p in parameters(owner).items() if not p.hidden}
    names = list(described) if only is None else list(only)
    defaults = _defaults(owner)
    values = {}
    for position, name in enumerate(names):
        field = dataclasses.replace(described[name], **(changed or {}).get(name, {}))
        bound = bind is True or (not isinstance(bind, bool) and name in bind)
        with nullcontext() if slots is None else slots[position]:
            values[name] = widget(
                field, defaults[name], name=name, key=name if bound else f"{key}.{name}", bound=bound
            )
    kept = {name: value for name, value in defaults.items() if name not in values}
    return owner(**kept, **values) if isinstance(owner, type) else dataclasses.replace(owner, **values)


def widget(parameter: Parameter, default: Any, *, name: str, key: str, bound: bool = False) -> Any:
    """Draw one parameter's widget and return its value."""
    look: dict[str, Any] = {
        "label": label(parameter, name),
        "key": key,
        "help": parameter.help or None,
        "bind": "query-params" if bound else None,
        "persist_state": "session",
    }
    if parameter.choices:
        return _choice(parameter, default, look)
    if isinstance(default, bool):
        return st.toggle(value=default, **look)
    if isinstance(default, str):
        return st.text_input(value=default, **look)
    if default is not None and parameter.low is not None and parameter.high is not None:
        if parameter.logarithmic or parameter.unit == "%":
            return _select_slider(parameter, default, look)
        if (parameter.high - parameter.low) / _step(parameter, default) <= MOST_SLIDER_STEPS:
            return _slider(parameter, default, look)
    return _number(parameter, default, look)


def label(parameter: Parameter, name: str) -> str:
    """Return the widget's label: plain name, symbol in italics, unit in brackets."""
    plain = parameter.label or (name if len(name) == 1 else name.replace("_", " ").capitalize())
    symbol = f" ${parameter.symbol}$" if parameter.symbol else ""
    unit = f" ({parameter.unit})" if parameter.unit not in ("", "%") else ""
    return plain + symbol + unit


def _defaults(owner: Any) -> dict[str, Any]:
    if not isinstance(owner, type):
        return {f.name: getattr(owner, f.name) for f in dataclasses.fields(owner) if f.init}
    found = {}
    for field in dataclasses.fields(owner):
        if field.init and field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.init and field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    return found


def _choice(parameter: Parameter, default: Any, look: dict[str, Any]) -> Any:
    options = ([None] if parameter.optional else []) + list(parameter.choices)
    shown = {option: str(option) for option in options} | dict(
        zip(parameter.choices, parameter.names, strict=False)
    )
    if parameter.optional:
        shown[None] = parameter.auto or "auto"
    if len(options) <= 4 and sum(map(len, shown.values())) <= LONGEST_SEGMENTS and not parameter.optional:
        chosen = st.segmented_control(
            options=options, default=default, format_func=shown.__getitem__, required=True, **look
        )
        # an empty value in the address chooses nothing, which a click cannot
        return default if chosen is None else chosen
    own = str in parameter.accepts  # any other text counts as well: the letters of an alphabet
    if own and parameter.optional:
        # a box that takes new options shows None as an empty box; the words for "auto" are an option here
        auto = shown.pop(None)
        options[0] = auto
        default = auto if default is None else default
    chosen = st.selectbox(
        options=options,
        index=options.index(default) if default in options else None,
        format_func=lambda option: shown.get(option, str(option)),
        accept_new_options=own,
        **look,
    )
    return None if own and parameter.optional and chosen in (None, options[0]) else chosen


def _slider(parameter: Parameter, default: Any, look: dict[str, Any]) -> Any:
    low, high = _ends(parameter, default)
    step = _step(parameter, default)
    kind = type(default)
    return st.slider(
        min_value=kind(low), max_value=kind(high), value=min(max(default, kind(low)), kind(high)), step=kind(step),
        format=_format(kind, step), **look,
    )  # fmt: skip


def _select_slider(parameter: Parameter, default: Any, look: dict[str, Any]) -> Any:
    low, high = _ends(parameter, default)
    if parameter.logarithmic:
        options = _logarithmic(low, high)
    else:
        step = _step(parameter, default)
        options = [round(low + i * step, 10) for i in range(math.floor((high - low) / step + 1.0 + 1e-9))]
    kind = type(default)
    options = sorted({kind(option) for option in options} | {default})
    percent = parameter.unit == "%"
    return st.select_slider(
        options=options,
        value=default,
        format_func=(lambda value: f"{100.0 * value:g} %") if percent else _short,
        **look,
    )


def _short(value: float) -> str:
    """1e6, not 1e+06."""
    return f"{value:g}".replace("e+0", "e").replace("e+", "e")


def _number(parameter: Parameter, default: Any, look: dict[str, Any]) -> Any:
    whole = isinstance(default, int) or (default is None and float(parameter.step or 0.5).is_integer())
    # Streamlit asks a whole number from the address for int(inf) and stops; a float it compares with its ends first
    kind: Any = int if whole and look["bind"] is None else float
    step = _step(parameter, default)
    low, high = _ends(parameter, default)
    value = st.number_input(
        min_value=None if low is None else kind(low),
        max_value=None if high is None else kind(high),
        value=None if default is None else kind(default),
        step=kind(step),
        format=None if kind is int else _format(float, step),
        placeholder=(parameter.auto or "auto") if parameter.optional else None,
        **look,
    )
    # rounded as the widget's "%.0f" shows it
    return math.floor(value + 0.5) if whole and value is not None else value


def _ends(parameter: Parameter, default: Any) -> tuple[Any, Any]:
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


def _step(parameter: Parameter, default: Any) -> float:
    if parameter.step is not None:
        return parameter.step
    if isinstance(default, int):
        return 1
    if parameter.low is not None and parameter.high is not None:
        return 10.0 ** math.floor(math.log10((parameter.high - parameter.low) / 50.0))
    return 10.0 ** math.floor(math.log10(abs(default) / 5.0)) if default else 0.1


def _format(kind: type, step: float) -> str:
    return "%d" if kind is int else f"%.{max(0, -math.floor(math.log10(step) + 1e-9))}f"


def _logarithmic(low: float, high: float) -> list[float]:
    """Return 1, 2, 5 a decade between the ends, and the ends."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    inner = [float(f"{digit}e{decade}") for decade in decades for digit in (1, 2, 5)]
    return [low, *(value for value in inner if low < value < high), high]
