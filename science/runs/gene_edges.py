from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.genes import interacting_genes
from kernex_core.inputs.networks.network import Network
from kernex_core.studies.networks.edges.judging import judging_edges
from kernex_core.studies.networks.edges.sources import EdgeConfig, EdgeTable, gene_data
from science.table import Row

TITLE = """Edges of new nodes: AUC of every method, parameters chosen inside the folds, beside other code: 10 seeds."""
SEEDS, FOLDS, TUNED = 10, 5, True
SMALL = {"SEEDS": 1, "FOLDS": 2, "TUNED": False}
METHODS = ("direct", "kcca", "metric", "two_step", "local")
DOCUMENTED = {
    ("similar", "view 1"): (0.607, 0.615, 0.733, 0.716, 0.729, 0.720, 0.683, 0.677, 0.669),
    ("similar", "view 2"): (0.610, 0.594, 0.746, 0.722, 0.734, 0.718, 0.702, 0.688, 0.681),
    ("similar", "view 3"): (0.601, 0.604, 0.726, 0.730, 0.723, 0.714, 0.682, 0.680, 0.667),
    ("similar", "noise"): (0.492, 0.480, 0.495, 0.492, 0.504, 0.492, 0.496, 0.504, 0.520),
    ("similar", "sum"): (0.653, 0.647, 0.843, 0.822, 0.872, 0.844, 0.773, 0.750, 0.736),
    ("similar", "mkl"): (0.683, 0.684, 0.850, 0.834, 0.872, 0.853, 0.786, 0.758, 0.764),
    ("complementary", "sum"): (0.424, 0.426, 0.793, 0.763, 0.824, 0.803, 0.848, 0.830, 0.810),
    ("complementary", "mkl"): (0.448, 0.447, 0.801, 0.776, 0.825, 0.805, 0.855, 0.844, 0.832),
}
"""Means over seeds 0 to 9 by other code: known and new, then two new nodes, a method; local models score the first alone."""
DEGREE = 0.576
"""AUC of degree alone, where alike nodes are joined."""


def tables(kind: str, seed: int) -> tuple[FloatArray, float]:
    """AUC of each documented source, and of degree alone."""
    made = interacting_genes(seed, complementary=kind == "complementary")
    network = made.samples["network"]
    assert isinstance(network, Network)
    *_, table = judging_edges(
        gene_data(made.kernels, network), EdgeConfig(folds=FOLDS, seed=seed, tuned=TUNED)
    )
    found = [_aucs(table, source) for each, source in DOCUMENTED if each == kind]
    return np.array(found), float(np.nanmean(table.degree.known_new))


def _aucs(table: EdgeTable, source: str) -> list[float]:
    every = []
    for method in METHODS:
        one = table.summary(source, method)
        every += [one.known_new.auc.mean, *([one.new_new.auc.mean] if one.new_new.pairs else [])]
    return every


def rows(map_: Callable[..., Iterable[tuple[FloatArray, float]]]) -> Iterator[Row]:
    for kind in ("similar", "complementary"):
        every = list(map_(tables, [kind] * SEEDS, range(SEEDS)))
        found = np.array([each for each, _ in every])
        sources = [source for each, source in DOCUMENTED if each == kind]
        names = [f"{method}, {pair}" for method in METHODS for pair in ("known and new", "two new")][:-1]
        for source, measured in zip(sources, np.moveaxis(found, 1, 0), strict=True):
            documented = DOCUMENTED[kind, source]
            for name, values, mean in zip(names, measured.T, documented, strict=True):
                yield _row(f"{kind}, {source}: {name}", values, mean)
        if kind == "similar":
            yield _row("similar: degree alone", np.array([degree for _, degree in every]), DEGREE)


def _row(what: str, values: FloatArray, documented: float) -> Row:
    sd = float(values.std(ddof=1)) if values.size > 1 else 0.0
    return Row(what, float(values.mean()), documented, sd / np.sqrt(values.size), rounding=0.0005)
