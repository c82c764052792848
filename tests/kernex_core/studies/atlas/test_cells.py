"""A cell of an atlas is what the study's own page says at the same setting, and what scikit-learn finds."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from kernex_core.base.frozen import same
from kernex_core.conditioning.schemes import SCHEMES
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.protocol import Protocol
from kernex_core.runtime.progress import last_state
from kernex_core.studies.atlas.axes import Axis
from kernex_core.studies.atlas.circumstances import (
    LABEL_SHARES,
    disturbed,
    label_axis,
    thinned,
    with_fewer_edges,
    without_class,
)
from kernex_core.studies.atlas.combination import (
    WeightedConfig,
    choosing_weight,
    combination_atlas,
    combination_axes,
    combination_cell,
)
from kernex_core.studies.atlas.completion import (
    ATLAS_SHARES,
    choosing_completion,
    completion_atlas,
    completion_axes,
    completion_cell,
    lam_axis,
)
from kernex_core.studies.atlas.diagonals import (
    AS_IT_IS,
    NEIGHBOUR,
    choosing_diagonal,
    diagonal_atlas,
    diagonal_axes,
    diagonal_cell,
)
from kernex_core.studies.atlas.networks import choosing_network, network_atlas, network_axes, network_cell
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from kernex_core.studies.completion.candidates import choosing_lam, joint_accuracy, verdict_at
from kernex_core.studies.completion.share_sweep import sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source
from kernex_core.studies.diagonals.shrink import DiagonalConfig, shrunk_kernel
from kernex_core.studies.diagonals.strength_sweep import sweeping as sweeping_strengths
from kernex_core.studies.networks.study import diffusions_of, prepare_network, sweeping_network
from tests.oracles import completed

THREE = Labels(("one", "other", "third"), np.array(["a", "b", "c"]))
TWICE = CrossValidation(folds=2, repeats=2, C=1.5, seed=3)
CONFIG = CompletionConfig(share=0.35, seed=3)
HARD = Protocol(replace(TWICE, C=1e6))


@cache
def proteins():
    data = load_dataset("protein_world")
    return data.select(np.linspace(0, data.n - 1, 60).astype(int))


def kernels():
    return proteins().kernels["sequence"], proteins().kernels["structure"], proteins().labels


@cache
def completions(down):
    return last_state(completion_atlas(CONFIG, *kernels(), TWICE, down=down))


def at_setting(down, value):
    """Configuration, labels and protocol that somebody sets on Complete for a row."""
    source, target, labels = kernels()
    config, protocol = CONFIG, TWICE
    if down in ("share", "nugget"):
        config = replace(config, **{down: value})
    if down == "C":
        protocol = replace(protocol, C=value)
    if down == "labels":
        labels = thinned(labels, value, seed=protocol.seed)
    if down == "noise":
        source = disturbed(source, value, seed=config.seed)
    if down == "without" and value:
        labels = without_class(labels, value)
    return config, source, target, labels, protocol


@pytest.mark.parametrize("down", ["", *completion_axes(60, THREE, 2)])
def test_every_cell_is_what_complete_says(down):
    field, lams = completions(down), lam_axis(CONFIG).numbers
    assert field.failed == ()
    assert field.values.shape == (len(field.down.values), len(lams))
    for row, value in enumerate(field.down.values):
        config, source, target, labels, protocol = at_setting(down, value)
        ready = prepare_source(config, source)
        sweep = last_state(sweeping(config, ready, target, labels, protocol, shares=(config.share,))).sweep
        for column, lam in enumerate(lams):
            curve, _ = joint_accuracy([sweep], lam).here
            found = field.interval(row, column)
            assert field.values[row, column] == pytest.approx(curve.mean[0], abs=1e-12)
            assert (found.low, found.high) == (curve.low[0], curve.high[0])
        said = verdict_at(sweep, lams[0], source=source.name)
        for name in field.beside:
            assert field.values_beside[row, field.beside.index(name)] == pytest.approx(
                said.of(name).value, abs=1e-12
            )
            assert same(field.interval_beside(row, name), said.of(name).interval)


@pytest.mark.parametrize(("share", "lam"), [(0.15, 0.25), (0.5, 0.05), (0.85, 0.9)])
def test_a_cell_is_what_scikit_learn_finds(share, lam):
    data, field = proteins(), completions("share")
    source, target = (data.kernels[name].values for name in ("sequence", "structure"))
    y, classes = data.labels.y, np.unique(data.labels.y)
    right = []
    for repetition in range(TWICE.repeats):
        hidden = completed.hidden_items(y.size, share, TWICE.seed, repetition)
        K = completed.joint_kernel(source, target, hidden, lam)
        decided = completed.decided(K, y, C=TWICE.C, seed=TWICE.seed, repetition=repetition)
        right.append(classes[decided.argmax(axis=1)] == y)
    at = field.down.nearest(share), field.across.nearest(lam)
    assert field.values[at] == pytest.approx(np.mean(right), abs=0.5 / y.size)


@pytest.mark.parametrize("down", ["", *diagonal_axes(THREE, 2)])
def test_every_cell_is_what_power_p_says(down):
    K, _, labels = kernels()
    field = last_state(diagonal_atlas(DiagonalConfig(), K, labels, HARD, down=down))
    for row, value in enumerate(field.down.values):
        config, protocol, known = DiagonalConfig(), HARD, labels
        if down == "scheme":
            config = DiagonalConfig(scheme=value)
        if down == "C":
            protocol = replace(HARD, validation=replace(HARD.validation, C=value))
        if down == "labels":
            known = thinned(labels, value, seed=3)
        if down == "without" and value:
            known = without_class(labels, value)
        kernel = disturbed(K, value, seed=3) if down == "noise" else K
        found = last_state(sweeping_strengths(config, kernel, known, protocol))
        for column, strength in enumerate(field.across.numbers):
            losses = found.judged[found.strengths.index(strength)]["svm"]
            # the page's loss is a mean over folds, which an order of adding changes in its last digit
            assert field.values[row, column] == pytest.approx(losses.mean, abs=1e-12)
            assert same(field.interval(row, column), losses.interval)
        for name, classifier in ((AS_IT_IS, "svm"), (NEIGHBOUR, "neighbour")):
            beside = field.values_beside[row, field.beside.index(name)]
            if classifier in found.original:  # of what noise has made no kernel nothing is trained as it is
                assert beside == pytest.approx(found.original[classifier].mean, abs=1e-12)
            else:
                assert np.isnan(beside)


@pytest.mark.parametrize("down", ["", *network_axes(THREE, 2)])
def test_every_cell_is_what_networks_says(down):
    data = load_dataset("karate_club")
    network, every = data.samples["network"], data.labels
    if down == "without":  # of two classes none can be
        every = Labels(every.ids, np.append(every.y[:-6], ["third"] * 6))
    field = last_state(network_atlas(Diffusion(), network, every, TWICE, down=down))
    for row, value in enumerate(field.down.values):
        labels, protocol = every, TWICE
        if down == "C":
            protocol = replace(TWICE, C=value)
        if down == "labels":
            labels = thinned(labels, value, seed=TWICE.seed)
        if down == "without" and value:
            labels = without_class(labels, value)
        left = with_fewer_edges(network, value, seed=TWICE.seed) if down == "edges" else network
        prepared = prepare_network(left, value if down == "laplacian" else "normalized")
        found = last_state(sweeping_network(prepared, diffusions_of(prepared), labels, protocol))
        for column, judged in enumerate(found.judged):
            assert field.values[row, column] == pytest.approx(judged.multi_class.mean, abs=1e-12)
            assert same(field.interval(row, column), judged.interval())


@pytest.mark.parametrize("kind", ["joint", "weighted sum"])
@pytest.mark.parametrize("down", ["", *combination_axes(THREE, 2)])
def test_every_cell_is_what_combine_says(down, kind):
    first, second, every = kernels()
    field = last_state(combination_atlas(WeightedConfig(kind=kind), first, second, every, TWICE, down=down))
    assert field.failed == ()
    for row, value in enumerate(field.down.values):
        config, other, labels, protocol = CombinationConfig(), second, every, TWICE
        if down == "nugget":
            config = CombinationConfig(nugget=value)
        if down == "C":
            protocol = replace(TWICE, C=value)
        if down == "labels":
            labels = thinned(labels, value, seed=TWICE.seed)
        if down == "noise":
            other = disturbed(second, value, seed=TWICE.seed)
        if down == "without" and value:
            labels = without_class(labels, value)
        lams = field.across.numbers[::4]
        said = last_state(combining(prepare_combination(config, first, other), labels, protocol, lams=lams))
        for column, lam in enumerate(lams):
            asked = value if down == "kind" else kind, lam
            assert field.values[row, 4 * column] == pytest.approx(
                said.values(*asked, "multi_class").mean(), abs=1e-12
            )
            assert same(field.interval(row, 4 * column), said.interval(*asked, "multi_class"))
        alone = {f"{first.name} alone": "first", f"{second.name} alone": "second", "product": "product"}
        assert field.beside == tuple(alone)
        for name, kept in alone.items():
            found = field.values_beside[row, field.beside.index(name)]
            assert found == pytest.approx(said.values(kept, 0.0, "multi_class").mean(), abs=1e-12)
        assert field.rows[row].floor == pytest.approx(said.floor["multi_class"])


def test_among_combinations_all_cells_are_chosen_from_and_of_a_circumstance_those_of_its_row():
    args = WeightedConfig(), *kernels(), TWICE
    for down, at in (("kind", None), ("nugget", None), ("noise", 0.5), ("C", None)):
        field = last_state(combination_atlas(*args, down=down))
        found = last_state(choosing_weight(*args, down=down, at=at))
        alone = found.alone.mean(axis=1)
        if down == "C":  # every fold chooses its own
            assert 0.0 < found.mean <= 1.0
        elif at is None:
            np.testing.assert_allclose(alone, field.values.ravel())
        else:
            np.testing.assert_allclose(alone, field.values[field.down.nearest(at)])


def test_the_choice_beside_a_cell_is_that_of_its_page():
    source, target, labels = kernels()
    ready = prepare_source(CONFIG, source)
    sweep = last_state(sweeping(CONFIG, ready, target, labels, TWICE, shares=(0.35,))).sweep
    found = last_state(choosing_completion(CONFIG, source, target, labels, TWICE, at=0.35))
    alone = last_state(choosing_lam(sweep))
    for name in alone.names:
        np.testing.assert_array_equal(
            found.alone[found.names.index(name)], alone.alone[alone.names.index(name)]
        )
    at = completions("share").down.nearest(0.35)
    np.testing.assert_allclose(found.alone.mean(axis=1), completions("share").values[at])


def test_where_rows_are_choices_all_cells_are_chosen_from():
    found = last_state(choosing_completion(CONFIG, *kernels(), TWICE, down="nugget"))
    field = completions("nugget")
    assert len(found.names) == field.values.size
    np.testing.assert_allclose(found.alone.mean(axis=1), field.values.ravel())


def test_the_other_choices_are_those_of_their_pages():
    K, _, labels = kernels()
    p = last_state(choosing_diagonal(DiagonalConfig(), K, labels, HARD, down=""))
    field = last_state(diagonal_atlas(DiagonalConfig(), K, labels, HARD, down=""))
    np.testing.assert_allclose(1.0 - p.alone.mean(axis=1), field.values[0])
    data = load_dataset("karate_club")
    network = data.samples["network"]
    tau = last_state(choosing_network(Diffusion(), network, data.labels, TWICE, down="labels", at=0.7))
    prepared = prepare_network(network)
    known = thinned(data.labels, 0.7, seed=TWICE.seed)
    found = last_state(sweeping_network(prepared, diffusions_of(prepared), known, TWICE))
    assert tau.by_repeat.tolist() == found.nested.by_repeat.tolist()


def test_among_schemes_and_laplacians_all_cells_are_chosen_from_too():
    K, _, labels = kernels()
    field = last_state(diagonal_atlas(DiagonalConfig(), K, labels, HARD))
    found = last_state(choosing_diagonal(DiagonalConfig(), K, labels, HARD))
    np.testing.assert_allclose(1.0 - found.alone.mean(axis=1), field.values.ravel())
    data = load_dataset("karate_club")
    args = Diffusion(), data.samples["network"], data.labels, TWICE
    field = last_state(network_atlas(*args, down="laplacian"))
    np.testing.assert_allclose(
        last_state(choosing_network(*args, down="laplacian")).alone.mean(axis=1), field.values.ravel()
    )


def test_where_rows_are_costs_each_fold_chooses_its_own():
    K, _, labels = kernels()
    data = load_dataset("karate_club")
    for found in (
        choosing_completion(CONFIG, *kernels(), TWICE, down="C"),
        choosing_diagonal(DiagonalConfig(), K, labels, HARD, down="C"),
        choosing_network(Diffusion(), data.samples["network"], data.labels, TWICE, down="C"),
    ):
        assert 0.0 < last_state(found).mean <= 1.0


def test_a_similarity_that_is_no_kernel_leaves_out_what_needs_one(rng):
    _, _, labels = kernels()
    noise = rng.normal(size=(60, 60))
    K = GramMatrix(noise + noise.T, proteins().ids, "odd")
    field = last_state(diagonal_atlas(DiagonalConfig(), K, labels, HARD))
    assert {field.down.values[at] for at, _ in field.failed} == {
        scheme.name for scheme in SCHEMES if not scheme.takes_indefinite
    }
    assert field.beside == (NEIGHBOUR,)
    found = last_state(choosing_diagonal(DiagonalConfig(), K, labels, HARD))
    assert found.done == found.total == len(found.names) < field.values.size


def test_shares_that_hide_as_many_items_are_one_row():
    shares = completion_axes(24, THREE, 2)["share"].numbers
    hidden = [min(round(share * 24), 22) for share in shares]
    assert len(set(hidden)) == len(hidden) == 10
    assert shares[-1] == 0.9
    assert completion_axes(206, THREE, 2)["share"].numbers == ATLAS_SHARES
    assert completion_axes(3, THREE, 2)["share"].numbers


def test_items_of_a_row_are_those_whose_labels_are_known():
    field = completions("labels")
    for row, share in zip(field.rows, field.down.numbers, strict=True):
        known = thinned(proteins().labels, share, seed=TWICE.seed).labelled
        assert row.items.tolist() == np.flatnonzero(known).tolist()
        assert row.by_item.shape[2] == row.items.size


@pytest.mark.parametrize(
    ("sizes", "folds"), [((8,), 10), ((5, 3), 2), ((40, 12), 10), ((1, 1), 10), ((300, 200), 2)]
)
def test_no_two_shares_of_labels_leave_the_same_ones(sizes, folds):
    """Of a class as small as there are folds nothing can be taken: then a row that is called 25 % knew every label."""
    y = np.repeat([f"class {k}" for k in range(len(sizes))], sizes)
    labels = Labels(tuple(map(str, range(y.size))), y)
    if len(sizes) == 1:
        labels = Labels((*labels.ids, "z"), np.append(y, "other"))
    shares = label_axis(labels, folds).numbers
    left = [tuple(thinned(labels, each, seed=0, least=folds).labelled) for each in shares]
    assert len(set(left)) == len(shares)
    assert shares[-1] == 1.0
    every = {tuple(thinned(labels, each, seed=0, least=folds).labelled) for each in LABEL_SHARES}
    assert set(left) == every


@pytest.mark.parametrize(
    ("value", "said"),
    [(1e6, "10⁶"), (2e7, "2\u00a0×\u00a010⁷"), (1e-6, "10⁻⁶"), (0.01, "0.01"), (10000.0, "10000")],
)
def test_powers_of_ten_are_printed_as_such_and_written_as_an_address_reads_them(value, said):
    axis = Axis("C", "Cost", (1.0, value), symbol="C")
    assert (axis.tick(1), axis.words(1)) == (said, f"C = {said}")
    assert float(axis.written(1)) == value


# Circumstances: what was drawn once is a part of what comes after it, and nothing else changes.


def test_noise_has_the_deviation_that_it_says_and_grows_along_one_line():
    K = kernels()[1]
    upper = np.triu_indices(K.n, 1)
    spread = K.values[upper].std()
    added = {share: disturbed(K, share, seed=3).values - K.values for share in (0.5, 2.0)}
    np.testing.assert_allclose(added[2.0], 4.0 * added[0.5], atol=1e-9 * spread)
    assert added[0.5][upper].std() == pytest.approx(0.5 * spread, rel=0.1)
    assert abs(added[0.5][upper].mean()) < 4 * 0.5 * spread / np.sqrt(upper[0].size)
    assert not added[2.0].diagonal().any()
    assert disturbed(K, 0.0, seed=3) is K
    gaps = K.values.copy()
    gaps[3, 7] = gaps[7, 3] = np.nan
    assert np.isnan(disturbed(GramMatrix(gaps), 1.0, seed=3).values).sum() == 2


def test_missing_edges_are_a_part_of_those_that_are_missing_at_a_larger_share():
    network = load_dataset("karate_club").samples["network"]
    left = [with_fewer_edges(network, share, seed=3).adjacency.toarray() for share in (0.0, 0.25, 0.75)]
    assert (left[0] == network.adjacency.toarray()).all()
    for more, fewer in pairwise(left):
        assert (more[fewer != 0] == fewer[fewer != 0]).all()
    assert [int((each != 0).sum()) // 2 for each in left] == [78, 58, 20]


@pytest.mark.parametrize("classes", [2, 3, 40])
def test_a_class_is_left_out_where_others_are_left(classes):
    y = np.repeat([f"class {k}" for k in range(classes)], 4)
    labels = Labels(tuple(map(str, range(y.size))), y)
    axes = network_axes(labels, 2)
    if classes == 2:
        assert "without" not in axes
        return
    first, *names = axes["without"].values
    assert first == ""
    assert len(names) == min(classes, 12)
    assert (axes["without"].words(0), axes["without"].words(1)) == (
        "no class left out",
        f"{names[0]} left out",
    )
    left = without_class(labels, names[0])
    assert names[0] not in dict(left.classes)
    assert len(left.classes) == classes - 1


def test_the_kernel_of_a_cell_is_what_its_page_shows():
    source, target, labels = kernels()
    found = completion_cell(CONFIG, source, target, labels, TWICE, down="share", at=0.5, lam=0.25)
    there = replace(CONFIG, share=0.5)
    assert found == prepare(there, prepare_source(there, source), target).kernel(0.25)
    noisy = completion_cell(CONFIG, source, target, labels, TWICE, down="noise", at=0.5, lam=1.0)
    assert (
        noisy.values.tolist()
        != completion_cell(
            CONFIG, source, target, labels, TWICE, down="noise", at=0.0, lam=1.0
        ).values.tolist()
    )
    both = prepare_combination(CombinationConfig(), source, target)
    args = WeightedConfig(), source, target, labels, TWICE
    assert combination_cell(*args, down="kind", at="weighted sum", lam=0.3) == both.kernel(
        "weighted sum", 0.3
    )
    assert combination_cell(*args, down="", at=None, lam=0.3) == both.kernel("joint", 0.3)
    shrunk = diagonal_cell(DiagonalConfig(), source, labels, HARD, down="scheme", at="clip", strength=0.3)
    assert shrunk == shrunk_kernel(DiagonalConfig(scheme="clip", p=0.3), source)
    data = load_dataset("karate_club")
    spread = network_cell(
        Diffusion(), data.samples["network"], data.labels, TWICE, down="laplacian", at="unnormalized", tau=2.0
    )
    B = data.samples["network"].adjacency.toarray()
    values, vectors = np.linalg.eigh(np.diag(B.sum(axis=0)) - B)
    np.testing.assert_allclose(spread.values, vectors * np.exp(-2.0 * values) @ vectors.T, atol=1e-9)
