"""Which method on which source ranks pairs best, and who is told apart from it: nodes are the units."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import FloatArray
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.edges.catalogue import EDGE_METHODS
from kernex_core.learning.edges.folds import PairScores
from kernex_core.learning.edges.hidden import PAIR_BASELINES
from kernex_core.learning.edges.methods import Direct, Spectral
from kernex_core.studies.networks.edges.missing import MissingTable
from kernex_core.studies.networks.edges.table import EdgeTable

DEGREE: Final = "degree"
"""What ranks pairs of a known and a new node without a kernel."""
UNLEARNED: Final = (Direct.name, Spectral.name)
"""Methods that learn nothing from known edges: plain baselines, as is what needs no kernel."""
Measure = Literal["auc", "average_precision", "within"]
Called = Callable[[str, str | None], str]


def edge_verdict(found: EdgeTable, measure: Measure, called: Called, *, new: bool = False) -> Verdict | None:
    """Compare all cells of a table of pairs of a known and a new node, or of two new ones, and degree alone.

    Parameters
    ----------
    found : EdgeTable
    measure : {"auc", "average_precision", "within"}
    called : callable
        Name of a method on a source; of DEGREE on None.
    new : bool
        Two new nodes; degree ranks none of them, and "within" is not defined.

    Returns
    -------
    Verdict or None
        None before all folds are done. A method that has no number in a fold of the others is left out.
    """
    if found.done < found.total or (new and measure == "within"):
        return None
    values: dict[tuple[str, str | None], tuple[int, FloatArray]] = {}
    n = len(found.data.ids)
    for kind in EDGE_METHODS:
        for source in found.data.sources:
            cells = found.of(source, kind.name)
            if measure == "within":
                of = [(cell.within, cell.pulls_within) for cell in cells]
            else:
                of = _of_pairs([cell.new_new if new else cell.known_new for cell in cells], measure)
            values[kind.name, source] = _by_node(of, n)
    if not new:
        degree = found.degree
        numbers = {"auc": degree.known_new, "average_precision": degree.precision, "within": degree.within}[
            measure
        ]
        pulls = degree.pulls[:, ("auc", "average_precision", "within").index(measure)]
        values[DEGREE, None] = _by_node(zip(numbers.tolist(), pulls, strict=True), n)
    copies = found.copies
    together = None if copies is None or not copies.kept else copies.units.astype(np.str_)
    return _verdict(values, called, found.config.folds, together)


def missing_verdict(found: MissingTable, measure: Measure, called: Called) -> Verdict | None:
    """Compare all cells of a table of hidden pairs, and PAIR_BASELINES, which need no kernel; see `edge_verdict`."""
    if found.done < found.total:
        return None
    n = len(found.data.ids)
    values: dict[tuple[str, str | None], tuple[int, FloatArray]] = {
        (kind.name, source): _by_node(
            _of_pairs([cell.hidden for cell in found.of(source, kind.name)], measure), n
        )
        for kind in EDGE_METHODS
        for source in found.data.sources
    }
    for name in PAIR_BASELINES:
        values[name, None] = _by_node(_of_pairs([each[name] for each in found.baselines], measure), n)
    return _verdict(values, called, found.folds)


def _of_pairs(scores: Iterable[PairScores | None], measure: Measure) -> list[tuple[float, FloatArray]]:
    row = ("auc", "average_precision").index(measure)
    return [(float(getattr(each, measure)), each.pulls[row]) for each in scores if each is not None]


def _by_node(folds: Iterable[tuple[float, FloatArray]], n: int) -> tuple[int, FloatArray]:
    """Number of folds that have the measure, and (n,) what each node has of their mean."""
    told = [(value, pulls) for value, pulls in folds if not np.isnan(value)]
    if not told:
        return 0, np.zeros(n)
    mean = float(np.mean([value for value, _ in told]))
    return len(told), np.asarray(mean + n * np.mean([pulls for _, pulls in told], axis=0))


def _verdict(
    values: dict[tuple[str, str | None], tuple[int, FloatArray]],
    called: Called,
    folds: int,
    together: NDArray[np.str_] | None = None,
) -> Verdict | None:
    most = max(count for count, _ in values.values())
    if most == 0:
        return None
    shown = {key: rows for key, (count, rows) in values.items() if count == most}
    return verdict_of(
        {called(*key): rows for key, rows in shown.items()},
        Passes(folds, 1),
        plain=[called(*key) for key in shown if key[1] is None or key[0] in UNLEARNED],
        scale="area",
        groups=together,
    )
