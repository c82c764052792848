"""Eigenvalues by rank: one kernel as bars with its negative part in ochre, or several kernels overlaid.

from pages.ui.figures.spectrum import EigenvalueLine, eigenvalue_bars, spectra
picture = eigenvalue_bars(view.eigenvalues, name="Smith–Waterman 3Di")
picture = spectra([EigenvalueLine("structure", truth, "target"), EigenvalueLine("joint", joint, "joint")])
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.digits import power_of_ten
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.inputs.names import counted
from pages.server.digits import number
from pages.ui.figures.chart import EndLabel, Picture, PlotMargin, Spec, annotation, axis, draw, stacked
from pages.ui.figures.theme import NEGATIVE_EIGENVALUE, POSITIVE_EIGENVALUE, SERIES, Role, role_of

_DOMINATES = 4.0
_HEADROOM = 1.12
_MOST_BARS = 600
_DECADES = 6
_MARGIN = PlotMargin(left=48, right=8, top=10, bottom=44)
_WIDER = PlotMargin(left=62, right=8, top=10, bottom=44)
"""For eigenvalues of five digits and their comma."""
_TITLED = 58
"""Pixels of plot along which the title of its axis fits; a lower one has its panel's."""
_ABOVE = 20
"""Pixels for a line of text above the plot."""
_RANK_TITLE, _VALUE_TITLE = "rank of the eigenvalue", "eigenvalue"


@dataclass(frozen=True, eq=False)
class EigenvalueLine:
    """Eigenvalues of a named kernel and the role it plays."""

    name: str
    eigenvalues: ArrayLike
    role: str | Role = "target"


def eigenvalue_bars(
    eigenvalues: ArrayLike,
    *,
    name: str = "the kernel",
    tolerance: float | None = None,
    height: int = 210,
    alt: str = "",
) -> Picture:
    """Eigenvalues from largest to smallest, the negative ones in ochre and counted.

    Where the first is more than four times the second the axis ends above the second and the first is
    written beside its bar. `tolerance` is the size below which an eigenvalue counts as zero (default:
    n times machine epsilon times the largest).
    """
    ranked = _ranked(eigenvalues)
    slack = _rounding(ranked) if tolerance is None else tolerance
    n, negative = len(ranked), int(np.count_nonzero(ranked < -slack))
    clipped = n > 1 and ranked[1] > slack and ranked[0] > _DOMINATES * ranked[1]
    high, low = _HEADROOM * max(ranked[1 if clipped else 0], 0.0), min(1.15 * ranked[-1], 0.0)
    if high <= low:
        high = low + 1.0
    notes = []
    if clipped:
        # above the plot, where no line of the grid strikes it through
        notes.append(_note(f"no. 1: {number(float(ranked[0]))}", 1, high, "left", "bottom", xshift=-4))
    if negative:
        text = f'<span style="color:{NEGATIVE_EIGENVALUE}">■</span> {negative:,} negative'
        notes.append(_note(text, n, 0.0, "right", "bottom", yshift=2))
    margin = _WIDER if high >= 1e4 else _MARGIN
    margin = replace(margin, top=_ABOVE) if clipped else margin
    plot = height - margin.top - margin.bottom
    layout: Spec = {
        "xaxis": axis(_RANK_TITLE, range=[0.5, n + 0.5], showgrid=False, tickvals=_linear_ranks(n)),
        "yaxis": axis(
            _VALUE_TITLE if plot >= _TITLED else "", range=[low, high], nticks=min(max(plot // 16, 2), 6)
        ),
        "annotations": notes,
        "bargap": 0,
        "barmode": "overlay",
    }
    figure = draw(_bars(ranked), height, margin, layout)
    return Picture(figure, alt or _bars_sentence(name, ranked, negative))


def spectra(kernels: Sequence[EigenvalueLine], *, height: int = 240, alt: str = "") -> Picture:
    """Positive eigenvalues of several kernels on logarithmic axes, named in the free corner at the top right.

    Eigenvalues at or below zero (up to rounding) have no place on a logarithmic axis; `note` counts them.
    """
    if not kernels:
        raise InvalidInputError("An overlay of spectra shows at least one kernel", "none")
    curves = [_positive(kernel) for kernel in kernels]
    tops = [float(values[0]) for values in curves if len(values)]
    bottoms = [float(values[-1]) for values in curves if len(values)]
    high = math.log10(max(tops, default=1.0)) + 0.12
    low = max(math.log10(min(bottoms, default=0.1)) - 0.12, high - _DECADES)
    n = max(len(_ranked(kernel.eigenvalues)) for kernel in kernels)
    labels = [EndLabel(k.name, 0.0, role_of(k.role), bold=k.role in ("joint", SERIES)) for k in kernels]
    named = stacked(labels)
    end = math.log10(max(n, 2))
    layout: Spec = {
        "xaxis": axis(
            _RANK_TITLE, type="log", range=[-0.02 * end, 1.02 * end], tickvals=_log_ranks(n), showgrid=False
        ),
        "yaxis": axis(
            _VALUE_TITLE,
            type="log",
            range=[low, high],
        )
        | _decades(low, high),
        "annotations": named.texts,
        "shapes": named.samples,
    }
    data = [_line(kernel, values) for kernel, values in zip(kernels, curves, strict=True)]
    note = _left_out(kernels, curves)
    return Picture(draw(data, height, _MARGIN, layout), alt or _overlay_sentence(kernels, curves, note), note)


def _decades(low: float, high: float) -> Spec:
    """Ticks of a logarithmic axis: powers of ten, all written alike; within one decade plain numbers."""
    powers = list(range(math.ceil(low), math.floor(high) + 1))
    if len(powers) < 2:
        return {"dtick": "D2"}
    plain = powers[0] > -3 and powers[-1] < 5
    texts = [number(10.0**power) if plain else power_of_ten(power) for power in powers]
    return {"tickvals": [10.0**power for power in powers], "ticktext": texts}


def _ranked(eigenvalues: ArrayLike) -> FloatArray:
    values = np.asarray(eigenvalues, dtype=np.float64).ravel()
    if values.size == 0 or not np.isfinite(values).all():
        raise InvalidInputError("A spectrum has at least one eigenvalue, all of them finite")
    return np.sort(values)[::-1]


def _rounding(ranked: FloatArray) -> float:
    return float(len(ranked) * np.finfo(np.float64).eps * np.abs(ranked).max())


def _positive(kernel: EigenvalueLine) -> FloatArray:
    ranked = _ranked(kernel.eigenvalues)
    return ranked[ranked > _rounding(ranked)]


def _bars(ranked: FloatArray) -> list[Spec]:
    ranks = np.arange(1, len(ranked) + 1)
    made: list[Spec] = []
    for colour, part in ((POSITIVE_EIGENVALUE, ranked >= 0), (NEGATIVE_EIGENVALUE, ranked < 0)):
        if not part.any():
            continue
        trace: Spec = {
            "x": ranks[part],
            "y": ranked[part],
            "hovertext": [number(each) for each in ranked[part].tolist()],
            "hovertemplate": "no. %{x}: %{hovertext}<extra></extra>",
        }
        if len(ranked) <= _MOST_BARS:
            style: Spec = {"type": "bar", "width": 1, "marker": {"color": colour, "line": {"width": 0}}}
        else:
            style = {"type": "scatter", "mode": "lines", "fill": "tozeroy", "fillcolor": colour}
            style |= {"line": {"color": colour, "width": 1, "shape": "hvh"}}
        made.append(trace | style)
    return made


def _line(kernel: EigenvalueLine, values: FloatArray) -> Spec:
    return {
        "type": "scatter",
        "mode": "lines" if len(values) > 1 else "markers",
        "x": np.arange(1, len(values) + 1),
        "y": _drawn(values),
        "name": kernel.name,
        "line": role_of(kernel.role).line,
        "marker": {"color": role_of(kernel.role).colour, "size": 6},
        "hovertext": [number(each) for each in values.tolist()],
        "hovertemplate": "no. %{x}: %{hovertext}<extra>%{fullData.name}</extra>",
    }


def _drawn(values: FloatArray) -> FloatArray | NDArray[np.float32]:
    """Values above 0 to seven digits, which no screen tells from sixteen: half of what a move of a slider sends of them."""
    short = np.finfo(np.float32)
    fits = values.size and short.tiny <= values[-1] and values[0] <= short.max
    return values.astype(np.float32) if fits else values


def _note(text: str, x: float, y: float, xanchor: str, yanchor: str, **shift: float) -> Spec:
    place: Spec = {
        "xref": "x",
        "yref": "y",
        "xanchor": xanchor,
        "yanchor": yanchor,
    }
    return annotation(text, x=x, y=y, **place, **shift)


def _linear_ranks(n: int) -> list[int]:
    power = 10 ** max(math.floor(math.log10(max(n, 1) / 3)), 0)
    step = next((m * power for m in (1, 2, 5, 10) if n / (m * power) <= 6), 10 * power)
    return [1, *range(step, n + 1, step)] if step > 1 else list(range(1, n + 1))


def _log_ranks(n: int) -> list[int]:
    ticks = [m * 10**k for k in range(8) for m in (1, 3) if m * 10**k < n / 1.6]
    return [*ticks, n] if n > 1 else [1]


def _left_out(kernels: Sequence[EigenvalueLine], curves: Sequence[FloatArray]) -> str:
    parts = [
        f"{len(_ranked(kernel.eigenvalues)) - len(values):,} of {kernel.name}"
        for kernel, values in zip(kernels, curves, strict=True)
        if len(values) < len(_ranked(kernel.eigenvalues))
    ]
    return "not above 0, so not drawn: " + ", ".join(parts) if parts else ""


def _bars_sentence(name: str, ranked: FloatArray, negative: int) -> str:
    sign = (
        f"{negative:,} of them negative, down to {number(float(ranked[-1]))}" if negative else "none negative"
    )
    return f"Spectrum of {name}: {counted(len(ranked), 'eigenvalue')}, the largest {number(float(ranked[0]))}, {sign}."


def _overlay_sentence(kernels: Sequence[EigenvalueLine], curves: Sequence[FloatArray], note: str) -> str:
    parts = [
        f"{kernel.name} from {number(float(values[0]))} to {number(float(values[-1]))} at rank {len(values):,}"
        if len(values)
        else f"{kernel.name} without a positive eigenvalue"
        for kernel, values in zip(kernels, curves, strict=True)
    ]
    return "Eigenvalues by rank on logarithmic axes: " + "; ".join(parts) + (f"; {note}." if note else ".")
