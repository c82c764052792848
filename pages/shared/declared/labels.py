"""What the widget of a described field is called."""

from __future__ import annotations

from typing import Final

from kernex_core.base.parameters import Parameter

GREEK: Final = {
    r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\varepsilon": "ε", r"\lambda": "λ", r"\rho": "ρ",
    r"\sigma": "σ", r"\tau": "τ", r"\Omega": "Ω",
}  # fmt: skip


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
