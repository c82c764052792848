"""One described parameter -> one widget.

widget(parameter, default, *, name, key, bound=False) -> value

choices                    segmented control (up to four short ones) or select box
bool                       toggle
range known at both ends   slider; on a logarithmic scale, in percent, or with stops of its own, a select slider
other numbers              number input; optional ones may stay empty: the placeholder says how they are chosen
text                       text input
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Final, Literal, TypedDict, TypeVar, cast

import streamlit as st

from kernex_core.parameters import Parameter
from pages.shared import workspace
from pages.shared.digits import typeset
from pages.shared.glossary.entries import explained
from pages.shared.navigation import in_address

T = TypeVar("T")

MOST_SLIDER_STEPS: Final = 200
LONGEST_SEGMENTS: Final = 36
_FINE: Final = (
    1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4, 2.7, 3.0, 3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1,
)  # fmt: skip
"""24 steps of about a tenth: the preferred numbers E24 of resistors."""
GREEK: Final = {
    r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\varepsilon": "ε", r"\lambda": "λ", r"\rho": "ρ",
    r"\sigma": "σ", r"\tau": "τ", r"\Omega": "Ω",
}  # fmt: skip


class _Look(TypedDict):
    """What every widget takes."""

    label: str
    key: str
    help: str | None
    bind: Literal["query-params"] | None
    persist_state: Literal["session"]


def widget(parameter: Parameter, default: T, *, name: str, key: str, bound: bool = False) -> T:
    """Draw one parameter's widget and return its value, which is of the type of the default."""
    look: _Look = {
        "label": label(parameter, name),
        "key": key,
        "help": explained(plain_label(parameter, name), parameter.help),
        "bind": "query-params" if bound else None,
        "persist_state": "session",
    }
    return cast("T", _drawn(parameter, default, look))


def _drawn(parameter: Parameter, default: object, look: _Look) -> object:
    if parameter.choices:
        return _choice(parameter, default, look)
    if isinstance(default, bool):
        return st.toggle(value=default, **look)
    if isinstance(default, str):
        return st.text_input(value=default, **look)
    number = cast("float | None", default)  # what is no choice and no text
    if number is not None and parameter.low is not None and parameter.high is not None:
        if _counts(parameter):
            return _select_slider(parameter, number, look)
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


def label(parameter: Parameter, name: str) -> str:
    """Return the widget's label: plain name, symbol, unit in brackets.

    It is what a screen reader says, too, which reads formulas and markdown letter by letter.
    """
    plain = plain_label(parameter, name)
    letters = GREEK.get(parameter.symbol, parameter.symbol)
    symbol = f" {letters}" if letters and letters != plain else ""
    unit = f" ({parameter.unit})" if parameter.unit not in ("", "%") else ""
    return plain + symbol + unit


def plain_label(parameter: Parameter, name: str) -> str:
    """Return the label without symbol and unit."""
    return parameter.label or (name if len(name) == 1 else name.replace("_", " ").capitalize())


def _choice(parameter: Parameter, default: object, look: _Look) -> object:
    options: list[Hashable] = [*([None] if parameter.optional else []), *parameter.choices]
    shown: dict[Hashable, str] = {option: str(option) for option in options} | dict(
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


def _slider(parameter: Parameter, default: float, look: _Look) -> float:
    low, high = _both_ends(parameter, default)
    step = _step(parameter, default)
    kind = type(default)
    # a value that a picture has just put there is its own; with a default beside it Streamlit complains
    value = None if workspace.just_shown(look["key"]) else min(max(default, kind(low)), kind(high))
    made = st.slider(
        min_value=kind(low), max_value=kind(high), value=value, step=kind(step), format=_format(kind, step), **look,
    )  # fmt: skip
    return kind(made)


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


def _select_slider(parameter: Parameter, default: float, look: _Look) -> float:
    options, said = _options(parameter, default), _percents if parameter.unit == "%" else _short
    if look["bind"]:
        _show_nearest(look["key"], options, said)
    value = None if workspace.just_shown(look["key"]) else default
    return st.select_slider(options=options, value=value, format_func=said, **look)


def _show_nearest(key: str, options: tuple[float, ...], said: Callable[[float], str]) -> None:
    """Show the nearest stop where an address asks for a number between two of them; Streamlit would show the default."""
    asked = in_address(key)
    if not asked or workspace.setting_of(key) is not None or asked in {said(option) for option in options}:
        return
    with suppress(ValueError):
        wanted = float(asked)
        if options[0] <= wanted <= options[-1]:
            workspace.show_in(key, min(options, key=lambda option: abs(option - wanted)))


def _percents(share: float) -> str:
    return f"{100.0 * share:g} %"


def _short(value: float) -> str:
    """10⁶, not 1e+06."""
    return typeset(f"{value:g}")


def _number(parameter: Parameter, default: float | None, look: _Look) -> float | None:
    whole = isinstance(default, int) or (default is None and float(parameter.step or 0.5).is_integer())
    # Streamlit asks a whole number from the address for int(inf) and stops; a float it compares with its ends first
    kind: type[float] = int if whole and look["bind"] is None else float
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
