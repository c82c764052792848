"""Charts of the page Networks: the spectrum under the kernel's function, and accuracy against the parameter."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.inputs.names import counted
from kernex_core.kernels.networks.spectrum import Operator
from kernex_core.studies.networks.study import NetworkSweep, NetworkView
from pages.networks.scale import Scale
from pages.networks.subject import Subject
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.picture import Picture, PlotMargin, Spec, axis, draw
from pages.shared.figures.theme import POSITIVE_EIGENVALUE, SERIES, Role, number

MATRICES: Final[dict[Operator, str]] = {
    "normalized": "normalised Laplacian",
    "unnormalized": "Laplacian",
    "adjacency": "adjacency matrix",
}
FINE: Final = 200
MEASURES: Final = {"accuracy": "multi_class", "balanced": "balanced", "ROC area": "auc"}
SPREAD: Final = Role(SERIES.colour, 1.0)


def spectrum(view: NetworkView, operator: Operator, *, height: int = 300) -> Picture:
    """Eigenvalues of the network's matrix as marks on the axis, and over each what the kernel makes of it."""
    x, f = view.eigenvalues, view.weights
    top = float(f.max(initial=0.0)) or 1.0
    low, high = float(x.min()), float(x.max())
    room = 0.03 * ((high - low) or 1.0)
    through = np.linspace(low, high, FINE)
    sticks = np.full((x.size, 3, 2), np.nan)
    sticks[:, 0, 0] = sticks[:, 1, 0] = x
    sticks[:, 0, 1], sticks[:, 1, 1] = -0.07 * top, f
    flat = sticks.reshape(-1, 2)
    data: list[Spec] = [
        {"type": "scatter", "mode": "lines", "x": flat[:, 0], "y": flat[:, 1], "hoverinfo": "skip",
         "line": {"color": POSITIVE_EIGENVALUE, "width": 1}},
        {"type": "scatter", "mode": "lines", "x": through, "y": view.kernel.weights(through), "line": SERIES.line,
         "hovertemplate": "%{y:.3~g} at %{x:.3~g}<extra></extra>"},
    ]  # fmt: skip
    layout: Spec = {
        "xaxis": axis("eigenvalue x", range=[low - room, high + room], showgrid=False),
        "yaxis": axis("eigenvalue of the kernel, f(x)", range=[-0.08 * top, 1.06 * top], nticks=5),
    }  # fmt: skip
    sentence = (
        f"Spectrum: {counted(x.size, 'eigenvalue')} of the {MATRICES[operator]} from {number(low)} to {number(high)}; the "
        f"kernel makes of them values from {number(float(f.min(initial=0.0)))} to {number(top)}."
    )
    return Picture(draw(data, height, PlotMargin(56, 8, 10, 46), layout), sentence)


def accuracy(subject: Subject, found: NetworkSweep, value: float, measure: str) -> Picture:
    """Accuracy against the parameter, with a band over items and bars over repetitions."""
    scale, name = subject.scale, MEASURES[measure]
    many = name != "auc"
    factor = 100.0 if many else 1.0
    mean, sd = found.curve(name)  # type: ignore[arg-type]
    places = scale.places([parameter_of(scale, kernel) for kernel in found.kernels])
    lines = []
    if np.isfinite(sd).any():
        repeated = found.judged[0].multi_class.sd_repeats
        what = "repetitions" if np.isfinite(repeated) else "folds"
        lines.append(Line(f"± sd, {what}", places, factor * mean, SPREAD, error=factor * sd, bars=True))
    band = factor * found.reach() if name == "multi_class" else None
    lines.append(Line(measure, places, factor * mean, SERIES, error=band))
    floor = getattr(found.judged[0], name).floor
    every = scale.places(scale.grid)
    room = 0.04 * float(every.max() - every.min())
    across = Across(
        scale.axis, guide=float(scale.places([value])[0]), ticks=every.tolist(),
        texts=tick_texts(scale), range=(float(every.min()) - room, float(every.max()) + room),
    )  # fmt: skip
    unit = "%" if many else ""
    title = f"{'balanced accuracy' if name == 'balanced' else measure}{', %' if many else ''}"
    return curve(
        lines, across, Values(title, unit, bounds=(0.0, factor)),
        levels=[Level("floor", factor * float(floor), "floor")], heading="transductive: the whole network is seen",
        height=300,
    )  # fmt: skip


def parameter_of(scale: Scale, kernel: object) -> float:
    """Value of the parameter in a kernel."""
    return float(getattr(kernel, scale.name))


def tick_texts(scale: Scale) -> list[str]:
    """Values of the grid, without those that would stand on one another."""
    places, texts, last = scale.places(scale.grid), [], -np.inf
    gap = max(0.08 * float(places.max() - places.min()), 0.0)
    for place, value in zip(places.tolist(), scale.grid, strict=True):
        clear = place - last >= gap
        texts.append(scale.tick(value) if clear else "")
        last = place if clear else last
    return texts
