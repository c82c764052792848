"""ROC curves of edges: a mean over folds for each kernel, for their sum and for MKL; degree alone is dotted."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kernex_core.base.frozen import FloatArray
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.sources import GRID, EdgeTable, OverFolds, mean_curve
from pages.networks.edges.subject import source_title
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Line, curve
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import ABOVE, CLASS_COLOURS, SERIES, Role, number

DEGREE: Final = Role("#858b93", 1.5, "1.5px,2.5px")
COMBINED: Final[dict[str, Role | str]] = {"sum": SERIES, "mkl": Role(ABOVE, 2.5)}
ALONE: Final = tuple(colour for colour in CLASS_COLOURS if colour not in ("#ba4d02", "#e46f31"))
"""Colours of single kernels: none that is near the orange of MKL."""
LEFT_OUT: Final = "alignment"
"""Its weights stand beside those of MKL; one more line would lie on theirs."""


def roc(found: EdgeTable, kind: type[EdgeMethod], *, new: bool = False, height: int = 360) -> Picture:
    """Draw shares of edges found over shares of other pairs taken for edges, both in percent; `new`: of two new nodes."""
    lines, said = [], []
    if not new:  # two new nodes have no degree
        degree = OverFolds.of(found.degree.known_new)
        lines.append(_line("degree alone", mean_curve(found.degree.curve), degree.mean, DEGREE))
        said.append(f"degree alone {number(degree.mean, 2)}")
    for k, source in enumerate(found.data.sources):
        each = found.summary(source, kind.name)
        pairs, values = (each.new_new, each.curve_new) if new else (each.known_new, each.curve)
        if source == LEFT_OUT or not pairs.auc.folds:
            continue
        role = COMBINED.get(source, Role(ALONE[k % len(ALONE)], 1.25))
        title = source_title(source)
        lines.append(_line(title, values, pairs.auc.mean, role))
        said.append(f"{title} {number(pairs.auc.mean, 2)}")
    ticks = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    made = curve(
        lines, Across("other pairs taken for edges, %", ticks=ticks, range=(0.0, 100.0)),
        Values("edges found, %", "%", bounds=(0.0, 100.0)), height=height,
    )  # fmt: skip
    kind_of_pair = "two new nodes" if new else "a known and a new node"
    return replace(
        made,
        alt=f"ROC curves of {kind.title}, mean over folds, pairs of {kind_of_pair}. AUC: {', '.join(said)}.",
    )


def _line(name: str, values: FloatArray, auc: float, role: str | Role) -> Line:
    return Line(f"{name} {number(auc, 2)}", 100.0 * GRID, 100.0 * values, role, markers=False)
