"""Fig. 1 of "Joint regularization": kernels judged on the same folds, and who wins."""

import dataclasses
import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import CrossValidation, InvalidInputError, Labels, cosine_normalize, judge, read_samples
from kernex_core.completion.node_kernels import COMBINED, NodeColumns
from kernex_core.gram.graph import Graph
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.learning.chance.paired import holm
from kernex_core.learning.chance.tried import Tried
from kernex_core.studies.papers.joint.measuring import (
    BASELINES,
    ENDS,
    ENZYMES,
    JOINT,
    NAMES,
    NodeWalkConfig,
    against,
    chosen_lam,
    columns_of,
    figure_verdict,
    graph_kernel,
    measuring,
    prepare_graphs,
)

CONFIG = NodeWalkConfig(landmarks=20, length=2)
PROTOCOL = CrossValidation(folds=5, repeats=2, C=10.0)


@pytest.fixture(scope="module")
def graphs():
    """Sixteen small graphs: class "b" has more of the second attribute; one vertex has no discrete one."""
    rng, made = np.random.default_rng(3), []
    for k in range(16):
        size = 4 + k % 3
        counts = rng.poisson([1.0, 1.0 + 2.0 * (k % 2)], (size, 2))
        X = np.hstack([rng.normal(k % 2, 1.0, (size, 2)), counts + (counts.sum(axis=1) == 0)[:, None]])
        X[0, 2:] = 0.0 if k == 0 else X[0, 2:]
        edges = [(i, i + 1) for i in range(size - 1)]
        made.append(Graph(size, edges, edge_labels=rng.choice(["s1", "s2"], size - 1), node_attributes=X))
    ids = tuple(f"g{k}" for k in range(16))
    return GraphSet.of(made, ids, labels=Labels(ids, np.array(["a", "b"])[np.arange(16) % 2]))


@pytest.fixture(scope="module")
def states(graphs):
    return [s for s in measuring(CONFIG, graphs, graphs.labels, PROTOCOL) if s is not None]


def test_every_kernel_is_judged_on_the_same_folds_one_a_step(states, graphs):
    found = states[-1]
    assert tuple(found.tried) == NAMES
    assert [state.done for state in states] == list(range(1, len(NAMES) + 1))
    assert found.total == len(NAMES)
    assert (found.unset, found.n_vertices, found.n_landmarks) == (1, int(graphs.n_nodes.sum()), 20)
    assert (found.n_items, found.n_repeats, found.n_folds, found.empty, found.floor) == (16, 2, 5, 0, 0.5)
    for name in ("joint, λ = 0.5", "product", "linear, as it is"):
        K = cosine_normalize(graph_kernel(CONFIG, graphs, name))
        judged = judge(K, graphs.labels, PROTOCOL)
        made = found.accuracy(found.of(name))
        assert made.mean == pytest.approx(judged.multi_class.mean)
        assert made.sd_repeats == pytest.approx(judged.multi_class.sd_repeats)
        assert made.sd_folds == pytest.approx(judged.multi_class.sd_folds)
        assert (made.interval.low, made.interval.high) == (judged.interval().low, judged.interval().high)


def test_at_both_ends_the_joint_kernel_is_the_single_one_with_the_same_treatment(states, graphs):
    for name, joint in ENDS.items():
        alone = cosine_normalize(graph_kernel(CONFIG, graphs, name)).values
        at_end = cosine_normalize(graph_kernel(CONFIG, graphs, joint)).values
        np.testing.assert_allclose(alone, at_end, atol=1e-8)
        assert states[-1].of(name) is states[-1].of(joint)
        # landmarks and nugget change it
        assert (
            np.abs(alone - cosine_normalize(graph_kernel(CONFIG, graphs, f"{name}, as it is")).values).max()
            > 1e-4
        )


def test_a_run_goes_on_from_what_is_known(states, graphs):
    rest = [s for s in measuring(CONFIG, graphs, graphs.labels, PROTOCOL, done=states[10]) if s is not None]
    assert [state.done for state in rest] == list(range(12, len(NAMES) + 1))
    assert rest[-1] == states[-1]


def test_lam_is_chosen_by_training_items_alone_and_told_apart_from_hindsight(states):
    assert chosen_lam(states[len(JOINT) - 2]) is None
    found = states[-1]
    made = chosen_lam(found)
    inside = np.array([found.tried[name].inside for name in JOINT])
    for f, fold in enumerate(found.how.folds):
        name = tuple(JOINT)[int(inside[:, f].argmax())]
        one = found.tried[name]
        assert made.tried.outside[f] == one.outside[f]
        assert made.tried.items[fold.repeat, fold.test].tolist() == one.items[fold.repeat, fold.test].tolist()
    means = [found.accuracy(found.tried[name]).mean for name in JOINT]
    assert made.optimism == pytest.approx(max(means) - found.accuracy(made.tried).mean)
    assert sum(count for _, count in made.picks) == len(found.how.folds)


def test_all_kernels_of_the_figure_are_candidates_and_what_is_not_joint_is_plain(states):
    found = states[-1]
    chosen = chosen_lam(found)
    made = figure_verdict(found, chosen)
    joint = {f"joint, λ = {lam:g}" for lam in JOINT.values() if 0.0 < lam < 1.0} | {"joint, λ chosen"}
    plain = {"Gaussian alone", "linear alone", *NAMES} - set(JOINT)
    assert {each.name for each in made.candidates if each.plain} == plain
    assert {each.name for each in made.candidates if not each.plain} == joint
    assert made.best.value == max(each.value for each in made.candidates)
    assert made.of("joint, λ chosen").value == found.accuracy(chosen.tried).mean
    assert len(figure_verdict(states[0], None).candidates) == 1


def test_who_wins_takes_both_test_and_interval(states):
    found = states[-1]
    compared = against(found, chosen_lam(found).tried)
    assert tuple(each.name for each in compared) == BASELINES == tuple(COMBINED)
    assert [each.holm_p for each in compared] == list(holm([each.p for each in compared]))
    n, folds = found.how.coded.codes.size, len(found.how.folds)
    right = Tried(np.ones(folds), np.ones(folds), np.ones((2, n)))
    # one fold in ten is half right, so that the test has a spread
    wrong = Tried(np.zeros(folds), np.where(np.arange(folds) == 0, 0.2, 0.0), np.zeros((2, n)))
    planted = replace(found, tried={**found.tried, ENDS["linear"]: wrong, "sum": right})
    told = {each.name: each.told for each in against(planted, right)}
    assert (told["linear"], told["sum"]) == (1, 0)
    assert {each.name: each.told for each in against(planted, wrong)}["sum"] == -1


def test_columns_are_those_of_enzymes_or_told_by_their_values(graphs):
    assert columns_of(graphs) == NodeColumns((0, 1), (2, 3))
    X = np.hstack([np.full((2, 1), -1.0), np.full((2, 5), 0.5), np.ones((2, 12))])
    assert columns_of(GraphSet.of([Graph(2, node_attributes=X)])) == ENZYMES
    with pytest.raises(InvalidInputError, match="continuous and discrete attributes"):
        columns_of(GraphSet.of([Graph(2)]))


def test_labels_of_other_graphs_and_unknown_kernels_are_refused(graphs):
    with pytest.raises(InvalidInputError, match="same graphs"):
        next(
            measuring(
                CONFIG, graphs, Labels(("x",) * 0 + tuple(map(str, range(16))), ["a", "b"] * 8), PROTOCOL
            )
        )
    with pytest.raises(InvalidInputError, match="kernel between graphs"):
        graph_kernel(CONFIG, graphs, "joint, λ = 0.33")


def test_graphs_of_enzymes_meet_the_singles_at_both_ends(shared):
    graphs = enzymes(shared).take(np.arange(0, 600, 20))
    config = NodeWalkConfig(sigma=37.0, landmarks=60)
    made = prepare_graphs(config, graphs)
    assert made.config.columns == ENZYMES
    assert made.unset == sum(not row.any() for row in graphs.node_attributes[:, 6:])
    for name, joint in ENDS.items():
        ends = [cosine_normalize(graph_kernel(config, graphs, each)).values for each in (name, joint)]
        np.testing.assert_allclose(*ends, atol=1e-8)
        assert np.linalg.eigvalsh(ends[0])[0] > -1e-10


def enzymes(shared):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for part in sorted((shared / "data" / "ENZYMES").glob("ENZYMES_*.txt")):
            file.write(part, part.name)
    return read_samples(content.getvalue(), "ENZYMES.zip")


def test_edges_match_by_label_unless_told_otherwise(graphs):
    typed = graph_kernel(CONFIG, graphs, "sum").values
    bare = graph_kernel(CONFIG, dataclasses.replace(graphs, edge_labels=None), "sum").values
    untold = graph_kernel(dataclasses.replace(CONFIG, edge_labels=False), graphs, "sum").values
    np.testing.assert_array_equal(bare, untold)
    assert (typed <= bare + 1e-9).all()
    assert (typed < bare - 1e-9).any()
