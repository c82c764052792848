"""Every cell of a table of edges is a candidate of its verdict, and what learns nothing from known edges is plain."""

import numpy as np
import pytest

from kernex_core import EDGE_METHODS, EdgeConfig, gene_data, judging_edges, judging_missing, load_dataset
from kernex_core.learning.chance.interval import Passes, interval_of
from kernex_core.studies.networks.edges.judging import edge_verdict, missing_verdict

METHODS = [kind.name for kind in EDGE_METHODS]
UNLEARNED = {"direct", "spectral"}


@pytest.fixture(scope="module")
def data():
    made = load_dataset("interacting_genes")
    some = np.arange(60)
    kernels = {name: made.kernels[name].take(some) for name in ("view 1", "noise")}
    return gene_data(kernels, made.samples["network"])


def called(method, source):
    return f"{method}|{source}"


def test_every_method_on_every_source_and_degree_alone(data):
    *before, found = judging_edges(data, EdgeConfig(folds=2))
    assert edge_verdict(before[-2], "auc", called) is None
    every = {called(method, source) for method in METHODS for source in data.sources}
    plain = {called(method, source) for method in UNLEARNED for source in data.sources}
    for measure in ("auc", "average_precision", "within"):
        made = edge_verdict(found, measure, called)
        assert {one.name for one in made.candidates} == every | {"degree|None"}
        assert {one.name for one in made.candidates if one.plain} == plain | {"degree|None"}
    new = edge_verdict(found, "auc", called, new=True)
    assert {one.name for one in new.candidates} == {
        called(kind.name, source) for kind in EDGE_METHODS if kind.between_new for source in data.sources
    }
    assert edge_verdict(found, "within", called, new=True) is None
    # the value is the mean over folds, and the interval has nodes for units
    for source in data.sources:
        for made, kind in ((edge_verdict(found, "auc", called), "known_new"), (new, "new_new")):
            cells = [getattr(cell, kind) for cell in found.of(source, "kcca")]
            told = [one for one in cells if not np.isnan(one.auc)]
            one = made.of(called("kcca", source))
            assert one.value == pytest.approx(np.mean([each.auc for each in told]))
            rows = one.value + 60 * np.mean([each.pulls[0] for each in told], axis=0)
            meant = interval_of(rows, Passes(2, 1), scale="area")
            assert (one.interval.low, one.interval.high) == pytest.approx((meant.low, meant.high))
            assert one.interval.units == 60


def test_hidden_pairs_are_ranked_beside_what_needs_no_kernel(data):
    *before, found = judging_missing(data, folds=2)
    assert missing_verdict(before[-1], "auc", called) is None
    made = missing_verdict(found, "auc", called)
    alone = {"common neighbours|None", "degree product|None"}
    assert {one.name for one in made.candidates} == alone | {
        called(method, source) for method in METHODS for source in data.sources
    }
    assert alone <= {one.name for one in made.candidates if one.plain}
    for name in ("common neighbours", "degree product"):
        assert made.of(called(name, None)).value == pytest.approx(
            np.mean([each[name].auc for each in found.baselines])
        )
