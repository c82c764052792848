from dataclasses import replace

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.schemes import SCHEMES
from kernex_core.datasets.markov_strings import markov_strings
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation, Fold, make_folds
from kernex_core.learning.machine import Coded, code_labels
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.runtime.progress import finished
from kernex_core.studies.diagonals.judging import class_balanced_loss, component_losses, svm_losses
from kernex_core.studies.diagonals.shrink import (
    LARGEST,
    LOG,
    MEAN_DIAGONAL,
    POWER,
    DiagonalConfig,
    coarse_first,
    shrink,
    shrunk_kernel,
)
from kernex_core.studies.diagonals.strength_sweep import _original, losses_at, sweeping, sweeping_in_steps

POWERS = POWER.grid
SHRINKING = [scheme.name for scheme in SCHEMES if scheme.name not in ("eigenvalues", "standardised map")]
HALVES = CrossValidation(folds=2, repeats=4, C=1e6)


@pytest.fixture(scope="module")
def strings():
    data = markov_strings(4)
    return Subsequence(3, 0.25).similarities(data.samples["strings"], name="strings"), data.labels


def last(*args):
    return list(sweeping(*args))[-1]


@pytest.mark.parametrize("phi", ["power", "log"])
@pytest.mark.parametrize("scheme", SHRINKING)
def test_every_scheme_leaves_a_kernel_with_a_smaller_diagonal(scheme, phi, strings):
    made = shrink(DiagonalConfig(scheme=scheme, phi=phi, p=0.4), *strings)
    assert not made.after.indefinite
    assert made.after.dominance < made.before.dominance / 3
    assert made.before.large_diagonal
    assert [np.diag(K).mean() for K in made.shown] == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(("p", "ratio"), [(1.0, 87), (0.8, 53), (0.6, 29), (0.5, 20), (0.3, 8), (0.1, 2.4)])
def test_the_power_alone_shrinks_the_ratio_as_published(p, ratio, strings):
    from kernex_core.conditioning.power import signed_power
    from kernex_core.gram.diagnostics import dominance_ratio

    # one set of 50 strings against a mean over sets
    assert dominance_ratio(signed_power(strings[0].values, p)) == pytest.approx(ratio, rel=0.25)


def test_a_sweep_judges_the_kernel_as_it_is_and_then_every_p(strings):
    states = list(sweeping(DiagonalConfig(), *strings, HALVES))
    assert [len(state.strengths) for state in states] == list(range(11))
    assert states[-1].strengths == POWERS
    assert states[-1].done == states[-1].total == 11
    assert set(states[0].original) == {"svm", "neighbour", "components"}
    assert states[-1].floor == 0.5
    mean, sd = states[-1].curve("svm")
    assert mean.shape == sd.shape == (10,)
    assert mean.min() < states[0].original["svm"].mean - 0.1
    # .3 or .4 over a thousand sets of strings; this is one
    assert 0.2 <= POWERS[int(mean.argmin())] <= 0.7


def test_a_part_of_the_grid_shows_the_whole_curve_and_all_of_it_comes(strings):
    assert coarse_first(POWERS) == (1.0, 0.1, 0.5, 0.7, 0.3, 0.8, 0.6, 0.4, 0.2, 0.9)
    assert [coarse_first(tuple(range(n))) for n in (1, 2, 3, 4)] == [(0,), (0, 1), (0, 2, 1), (0, 3, 2, 1)]
    for n in range(5, 30):
        assert sorted(coarse_first(range(n))) == list(range(n))
    states = list(sweeping(DiagonalConfig(), *strings, replace(HALVES, repeats=1)))
    for state in states:  # whatever is there stands in the order of the grid
        assert list(state.strengths) == sorted(coarse_first(POWERS)[: state.done - 1], reverse=True)


def test_in_pieces_there_are_the_same_states_and_moments_between_them(strings):
    protocol = replace(HALVES, repeats=1)
    pieces = list(sweeping_in_steps(DiagonalConfig(), *strings, Protocol(protocol)))
    assert None in pieces
    assert pieces[0] is None  # also before the first
    states = list(sweeping(DiagonalConfig(), *strings, protocol))
    seen = [piece for piece in pieces if piece is not None]
    assert [one.done for one in seen] == [one.done for one in states]
    for one, other in zip(seen[-1].judged, states[-1].judged, strict=True):
        for name, losses in one.items():
            np.testing.assert_array_equal(losses.values, other[name].values)


def test_a_sweep_goes_on_where_it_was_interrupted(strings):
    whole = list(sweeping(DiagonalConfig(), *strings, replace(HALVES, repeats=1)))
    rest = list(sweeping(DiagonalConfig(), *strings, replace(HALVES, repeats=1), done=whole[4]))
    assert [state.done for state in rest] == [5, 6, 7, 8, 9, 10, 11]
    for first, second in zip(whole[-1].judged, rest[-1].judged, strict=True):
        np.testing.assert_array_equal(first["svm"].values, second["svm"].values)


def test_a_single_p_is_judged_on_the_folds_of_the_sweep(strings):
    swept = last(DiagonalConfig(), *strings, HALVES)
    losses = losses_at(DiagonalConfig(p=0.4), *strings, HALVES)
    at = POWERS.index(0.4)
    assert set(losses) == {"svm", "neighbour", "components"}
    for name, found in losses.items():
        np.testing.assert_array_equal(found.values, swept.judged[at][name].values)


def test_the_mode_is_told(strings):
    assert next(sweeping(DiagonalConfig(), *strings, HALVES)).mode == "transductive"
    assert next(sweeping(DiagonalConfig(), *strings, replace(HALVES, inductive=True))).mode == "inductive"


def test_inductive_and_transductive_are_not_the_same(strings):
    first, second = (
        losses_at(DiagonalConfig(p=1.0), *strings, replace(HALVES, inductive=mode))["svm"].mean
        for mode in (False, True)
    )
    assert second > first + 0.02


def test_the_logarithm_has_a_grid_of_scales(strings):
    made = last(DiagonalConfig(phi=LOG.name), *strings, replace(HALVES, repeats=1))
    assert made.strengths == LOG.grid
    assert not np.isnan(made.curve("neighbour")[1]).any()


def test_an_indefinite_similarity_is_told_and_the_map_goes_on(rng):
    noise = rng.normal(size=(20, 20))
    K = GramMatrix(noise + noise.T + np.diag(np.full(20, 2.0)))
    labels = Labels(K.ids, np.repeat(["a", "b"], 10))
    made = last(DiagonalConfig(), K, labels, replace(HALVES, repeats=1))
    assert set(made.original) == {"neighbour"}
    assert "no kernel" in made.notes[0]
    assert len(made.judged) == len(POWERS)
    with pytest.raises(NotPositiveSemidefiniteError, match="clip"):
        shrunk_kernel(DiagonalConfig(scheme="square root"), K)


def test_zero_diagonals_negative_entries_and_zeros_pass_through(rng):
    K = np.diag([4.0, 0.0, 9.0, 1.0, 2.0, 0.0])
    K[0, 2] = K[2, 0] = -3.0
    gram = GramMatrix(K)
    labels = Labels(gram.ids, ["a", "b"] * 3)
    for scheme in SHRINKING:
        made = shrink(DiagonalConfig(scheme=scheme), gram, labels)
        assert np.isfinite(made.gram.values).all()
        assert made.gram.values[0, 2] < 0
        last(DiagonalConfig(scheme=scheme), gram, labels, replace(HALVES, repeats=1))


@pytest.mark.parametrize(
    "validation", [HALVES, replace(HALVES, folds=5), replace(HALVES, folds=LEAVE_ONE_OUT, repeats=1)]
)
def test_the_floor_is_what_the_best_constant_answer_loses(rng, validation):
    X = rng.normal(size=(24, 3))
    K = GramMatrix(X @ X.T)
    for y in (["a"] * 23 + ["b"], ["a"] * 12 + ["b"] * 10 + ["c"] * 2):
        labels = Labels(K.ids, y)
        state = next(sweeping(DiagonalConfig(), K, labels, validation))
        coded = code_labels(labels.y)
        lost = [
            np.mean(
                [
                    class_balanced_loss(coded.codes[fold.test], np.full(fold.test.size, answer))
                    for fold in make_folds(coded.codes, validation)
                ]
            )
            for answer in range(len(coded.classes))
        ]
        assert state.floor == pytest.approx(min(lost))
        assert state.original["neighbour"].mean >= 0.0
    assert any("Classes with" in note for note in state.notes) == (validation.folds == 5)


def test_a_value_that_numbers_cannot_hold_is_left_out(rng):
    X = rng.normal(size=(12, 3))
    K = GramMatrix(1e200 * (X @ X.T))
    labels = Labels(K.ids, ["a", "b"] * 6)
    states = list(sweeping(DiagonalConfig(), K, labels, replace(HALVES, repeats=1)))
    made = states[-1]
    assert made.done == made.total == len(POWERS) + 1
    failed = [strength for strength, _ in made.failed]
    assert failed[0] == 1.0
    assert sorted((*made.strengths, *failed)) == sorted(POWERS)
    assert len(made.strengths) >= 5
    again = list(sweeping(DiagonalConfig(), K, labels, replace(HALVES, repeats=1), done=states[2]))[-1]
    assert again.strengths == made.strengths
    assert again.failed == made.failed


def test_an_inductive_run_does_not_ask_whether_test_items_make_it_a_kernel(rng):
    X = rng.normal(size=(20, 4))
    values = X @ X.T
    codes, test = np.arange(20) % 2, np.arange(14, 20)
    fold = Fold(np.arange(14), test, 0)
    noisy = values.copy()
    noise = 50.0 * rng.normal(size=(6, 6))
    noisy[np.ix_(test, test)] = noise + noise.T
    np.fill_diagonal(noisy, np.diag(values))
    coded = Coded(codes, ("a", "b"))
    steps = DiagonalConfig(scheme="eigenvalues", p=0.5).steps
    for losses in (svm_losses, component_losses):
        first, second = (
            losses(GramMatrix(K), Judging.given(coded, [fold], C=1e6, inductive=True), further=steps)
            for K in (values, noisy)
        )
        np.testing.assert_array_equal(first.values, second.values)
    for K, inductive, whole in ((values, False, True), (noisy, True, True), (noisy, False, False)):
        validation = replace(HALVES, inductive=inductive)
        original, notes = finished(_original(GramMatrix(K), Judging(Protocol(validation), coded, (fold,))))
        assert ("svm" in original) == whole
        assert any("no kernel" in note for note in notes) == (not whole)


def test_components_are_no_more_than_there_are_items(rng):
    X = rng.normal(size=(12, 3))
    K, y = GramMatrix(X @ X.T), ["a", "b"] * 6
    labels = Labels(K.ids, y)
    assert next(sweeping(DiagonalConfig(), K, labels, HALVES)).n_components == 12
    assert next(sweeping(DiagonalConfig(), K, labels, replace(HALVES, inductive=True))).n_components == 6


def test_a_matrix_of_zeros_can_be_looked_at():
    made = shrink(DiagonalConfig(), GramMatrix(np.zeros((3, 3))))
    np.testing.assert_array_equal(made.shown[1], 0.0)
    assert made.empty


def test_where_the_mean_diagonal_is_no_unit_the_largest_size_is(rng):
    K = np.array([[0.0, 4.0, -8.0], [4.0, 0.0, 2.0], [-8.0, 2.0, 0.0]])
    made = shrink(DiagonalConfig(), GramMatrix(K))
    assert made.units == (LARGEST, MEAN_DIAGONAL)
    np.testing.assert_allclose(made.shown[0], K / 8.0)
    assert not made.empty


def test_partly_unknown_kernels_are_shown_but_not_judged(strings):
    values = strings[0].values.copy()
    values[3] = values[:, 3] = np.nan
    K = GramMatrix(values, strings[0].ids)
    assert np.isnan(shrink(DiagonalConfig(), K).shown[1][3]).all()
    with pytest.raises(InvalidInputError, match="known everywhere"):
        next(sweeping(DiagonalConfig(), K, strings[1], HALVES))


def test_an_inductive_square_root_is_refused(strings):
    with pytest.raises(InvalidInputError, match="all items at once"):
        next(sweeping(DiagonalConfig(scheme="square root"), *strings, replace(HALVES, inductive=True)))


@pytest.mark.parametrize(
    "change", [{"p": 0.0}, {"p": 1.5}, {"scale": 0.1}, {"scheme": "none"}, {"phi": "exp"}]
)
def test_settings_out_of_range_are_refused(change):
    with pytest.raises(InvalidInputError):
        replace(DiagonalConfig(), **change)
