import dataclasses
import time
from types import SimpleNamespace

import numpy as np
import pytest

from kernex_core import CrossValidation, judge
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.graph import Graph
from kernex_core.inputs.graphs.graph_set import GraphSet, equal_items
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
from kernex_core.learning.compare import judged_verdict
from kernex_core.studies.graphs import table as study
from kernex_core.studies.graphs.table import TRIED, GraphTableConfig, graph_kernel_grid, graph_table

PROTOCOL = CrossValidation(folds=5, repeats=2, copies="apart")
SHORT = GraphTableConfig(more=False, nested=False)


@pytest.fixture(scope="module")
def rings_and_stars():
    """Classes that differ in shape alone: counts of labels cannot tell them, trees of neighbours can."""
    rng = np.random.default_rng(0)
    graphs = []
    for k in range(40):
        n = int(rng.integers(5, 9))
        edges = [(i, (i + 1) % n) for i in range(n)] if k % 2 else [(0, i) for i in range(1, n)]
        graphs.append(Graph(n, edges, rng.choice(["a", "b"], n)))
    y = np.array(["star", "ring"])[np.arange(40) % 2]
    found = GraphSet.of(graphs)
    return found, Labels(found.ids, y)


def test_seconds_of_a_row_are_without_what_is_compiled_once(rings_and_stars, monkeypatch):
    compiled = [0.0]
    clock = SimpleNamespace(perf_counter=lambda: time.perf_counter() + compiled[0])

    def slow_at_first(gram):
        def made(kernel, graphs, **given):
            compiled[0] += 1e6 if len(graphs) == 2 else 0.0
            return gram(kernel, graphs, **given)

        return made

    monkeypatch.setattr(study, "time", clock)
    for kind in kernels_for("graphs"):
        monkeypatch.setattr(kind, "gram", slow_at_first(kind.gram))
    rows = list(graph_table(SHORT, *rings_and_stars, PROTOCOL))[-1].rows
    assert compiled[0] >= 1e6 * len(rows)
    assert max(row.gram_seconds for row in rows) < 1e6


@pytest.fixture(scope="module")
def table(rings_and_stars):
    return list(graph_table(SHORT, *rings_and_stars, PROTOCOL))[-1]


def test_every_kernel_is_tried_and_labels_alone_beside_them(table):
    tried = [type(row.candidate.kernel) for row in table.rows]
    assert set(tried) == set(kernels_for("graphs"))
    assert not table.refused
    assert [row.candidate.title for row in table.rows if getattr(row.candidate.kernel, "iterations", 1) == 0]
    assert table.done == table.total == len(table.rows)
    assert set(TRIED) <= {kind.__name__ for kind in kernels_for("graphs")}
    assert len({each.title for each in graph_kernel_grid(GraphTableConfig())}) == len(
        graph_kernel_grid(GraphTableConfig())
    )


def test_rows_are_those_of_the_kernels_by_themselves(table, rings_and_stars):
    graphs, labels = rings_and_stars
    for row, written in zip(table.rows, table.table(), strict=True):
        K = np.asarray(row.candidate.kernel.of(graphs).gram(graphs.graphs))
        length = np.sqrt(np.diagonal(K))
        alone = judge(K / np.outer(length, length), labels, PROTOCOL)
        assert written["multi_class"] == pytest.approx(alone.multi_class.mean, abs=1e-12)
        assert written["multi_class_sd_repetitions"] == pytest.approx(alone.multi_class.sd_repeats, abs=1e-12)


def test_all_rows_are_candidates_of_the_verdict(table):
    verdict = table.verdict()
    judged = {row.candidate.title: row.judgement for row in table.rows}
    assert verdict == judged_verdict(judged)
    assert {each.name for each in verdict.candidates} == set(judged)
    assert judged[verdict.best.name].multi_class.mean == max(one.multi_class.mean for one in judged.values())
    labels_alone = next(
        name for name in judged if name.startswith("Weisfeiler-Lehman") and name.endswith("0")
    )
    assert labels_alone in {each.name for each in verdict.worse}
    assert dataclasses.replace(table, rows=table.rows[:1]).verdict() is None


def test_goes_on_where_it_was_stopped_and_judges_nothing_twice(rings_and_stars, table, monkeypatch):
    states = graph_table(SHORT, *rings_and_stars, PROTOCOL)
    half = next(state for state in states if len(state.rows) == 2)
    states.close()
    known = {row.candidate for row in half.rows}
    asked = []
    original = WeisfeilerLehman.similarities

    def noted(self, *args, **kwargs):
        asked.append(self)
        return original(self, *args, **kwargs)

    for kind in kernels_for("graphs"):
        monkeypatch.setattr(kind, "similarities", noted)
    whole = list(graph_table(SHORT, *rings_and_stars, PROTOCOL, done=half))[-1]
    assert {row.candidate.kernel for row in table.rows} - set(asked) == {each.kernel for each in known}
    for row, other in zip(whole.rows, table.rows, strict=True):
        assert row.candidate == other.candidate
        assert row.judgement.multi_class.mean == other.judgement.multi_class.mean


def test_kernels_that_would_take_too_long_are_told(rings_and_stars, monkeypatch):
    monkeypatch.setattr(WeisfeilerLehman, "estimate_seconds", lambda self, samples: 100.0)
    found = list(graph_table(dataclasses.replace(SHORT, slowest=60.0), *rings_and_stars, PROTOCOL))[-1]
    assert {name.split(",")[0] for name in found.refused} == {"Weisfeiler-Lehman"}
    assert "100 s" in next(iter(found.refused.values()))
    assert found.done == found.total


def test_the_choice_among_the_rows_is_judged_inside_the_training_folds(rings_and_stars):
    found = list(graph_table(GraphTableConfig(more=False), *rings_and_stars, PROTOCOL))[-1]
    assert set(found.choice.names) == {row.candidate.title for row in found.rows}
    assert found.choice.n_folds == PROTOCOL.folds


def test_labels_of_other_graphs_are_refused(rings_and_stars):
    graphs, labels = rings_and_stars
    with pytest.raises(InvalidInputError, match="same items"):
        next(graph_table(SHORT, graphs, labels.take(np.arange(39)), PROTOCOL))


def test_graphs_that_are_equal_are_kept_together_in_every_row(rings_and_stars):
    """Whatever a kernel does not tell apart besides: all rows have one division."""
    graphs, labels = rings_and_stars
    equal = equal_items(graphs)
    *_, found = graph_table(SHORT, graphs, labels, dataclasses.replace(PROTOCOL, copies="together"))
    assert len(set(equal.tolist())) < graphs.n
    for row in found.rows:
        np.testing.assert_array_equal(row.judgement.groups, found.rows[0].judgement.groups)
        assert row.judgement.copies.kept
        np.testing.assert_array_equal(row.judgement.copies.units, equal)
