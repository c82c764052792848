"""Grids in units of the kernel: its scale changes nothing where a strength is chosen, and where a grid ends is told."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from kernex_core import ShortestPath, WeisfeilerLehman, predict_numbers, read_samples
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import Along, choosing_candidate, grid_end, same_in_all
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import C_GRID, CrossValidation
from kernex_core.learning.learners.catalogue import LEARNERS
from kernex_core.learning.learners.contract import LAM_GRID, Targets
from kernex_core.learning.learners.neighbours import NearestNeighbours
from kernex_core.learning.learners.on_components import OnComponents
from kernex_core.learning.machine import SYMMETRIC, UNSCALED
from kernex_core.learning.mkl.judging import judge_many
from kernex_core.learning.mkl.weightings import LearnedWeights, Together
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.regression.evaluate import judge_numbers
from tests.kernex_core.inputs.graphs.zips import zipped

EXACT = (2.0**-13, pytest.param(2.0**13, marks=pytest.mark.science))
"""About 1e-4 and 1e4, by which a computer multiplies without rounding: what follows is the same bit for bit."""
CHOOSE = CrossValidation(folds=2, repeats=2, choose_C=True, seed=3)
CLASSES = [each for each in LEARNERS if "classes" in each.learns]
NUMBERS = [each for each in LEARNERS if "numbers" in each.learns]


def world(n=48, seed=5):
    rng = np.random.default_rng(seed)
    y = np.array(["a", "b", "c"])[np.arange(n) % 3]
    X = rng.normal(size=(n, 4)) + 0.9 * np.eye(4)[np.arange(n) % 3]
    return GramMatrix(3.7 * X @ X.T), y, X[:, 0] - 0.4 * X[:, 1]


def times(K, factor):
    return GramMatrix(factor * K.values, K.ids)


def test_the_grids_are_those_of_the_specification():
    assert pytest.approx(10.0 ** np.arange(-2, 5)) == C_GRID
    assert pytest.approx(10.0 ** np.arange(1, -7, -1)) == LAM_GRID


@pytest.mark.parametrize("factor", EXACT)
@pytest.mark.parametrize("kind_of", CLASSES)
def test_the_scale_of_a_kernel_changes_nothing_in_a_judgement_of_classes(kind_of, factor):
    K, y, _ = world()
    made, other = (judge(each, y, CHOOSE, learner=kind_of()) for each in (K, times(K, factor)))
    np.testing.assert_array_equal(made.named, other.named)
    np.testing.assert_array_equal(made.costs, other.costs)
    assert (made.grid, made.grid_end) == (other.grid, other.grid_end)
    assert made.auc.mean == other.auc.mean


@pytest.mark.parametrize("factor", EXACT)
@pytest.mark.parametrize("kind_of", NUMBERS)
def test_nor_in_one_of_numbers_nor_in_predictions(kind_of, factor):
    K, _, y = world()
    made, other = (judge_numbers(each, y, CHOOSE, learner=kind_of()) for each in (K, times(K, factor)))
    np.testing.assert_allclose(made.predicted, other.predicted, rtol=1e-9)
    assert made.strengths == other.strengths
    some = np.where(np.arange(y.size) < 40, y, np.nan)
    numbers = [
        predict_numbers(each, some, learner=kind_of(), choose=CHOOSE).numbers
        for each in (K, times(K, factor))
    ]
    np.testing.assert_allclose(*numbers, rtol=1e-9)


@pytest.mark.parametrize("factor", EXACT)
@pytest.mark.parametrize("margin", [UNSCALED, SYMMETRIC, replace(UNSCALED, asymmetry=0.5)])
def test_nor_in_a_choice_among_kernels(margin, factor):
    K, y, _ = world()
    other = GramMatrix(np.exp(-np.abs(np.subtract.outer(np.diag(K.values), np.diag(K.values))) / 9.0))

    def chosen(by):
        kernels = {"linear": times(K, by), "lengths": times(other, by)}
        how = Judging.of(Labels(K.ids, y), Protocol(CHOOSE, margin))
        cuts = ((name, same_in_all(partial(cut_blocks, each.values))) for name, each in kernels.items())
        return list(choosing_candidate(cuts, 2, how))[-1]

    made, scaled = chosen(1.0), chosen(factor)
    np.testing.assert_array_equal(made.picked, scaled.picked)
    np.testing.assert_array_equal(made.alone, scaled.alone)


@pytest.mark.parametrize("factor", EXACT)
@pytest.mark.parametrize("loss", ["hinge", "square"])
def test_nor_in_weights_of_several_kernels(loss, factor):
    K, y, _ = world(n=30)
    noise = np.random.default_rng(0).normal(size=(30, 5))
    kernels = (K, GramMatrix(2.0 * noise @ noise.T))
    together = Together(LearnedWeights(loss=loss, choose_C=True), normalize="none")
    config = replace(CHOOSE, repeats=1)
    made, other = (
        judge_many([times(each, by) for each in kernels], y, config, together) for by in (1.0, factor)
    )
    assert made.weights.costs == other.weights.costs
    np.testing.assert_allclose(made.weights.by_fold, other.weights.by_fold, atol=1e-9)
    np.testing.assert_array_equal(made.judgement.named, other.judgement.named)


@pytest.mark.parametrize("factor", EXACT)
def test_nor_where_training_items_cannot_be_divided(factor):
    """Two items of each class in a fold leave none to choose by: the strength of the learner stands, in units as well."""
    K, y, _ = world(n=6)
    labels = y.copy()
    labels[:] = ["a", "b", "c", "a", "b", "c"]
    made, other = (judge(each, labels, replace(CHOOSE, C=3.0)) for each in (K, times(K, factor)))
    np.testing.assert_array_equal(made.named, other.named)
    assert made.costs == other.costs == ((3.0, 4),)


def test_a_fixed_strength_is_that_of_the_kernel_as_it_is():
    K, y, _ = world()
    fixed = replace(CHOOSE, choose_C=False, C=8.0)
    small, other = judge(times(K, 2.0**-13), y, fixed), judge(K, y, replace(fixed, C=2.0**-10))
    np.testing.assert_array_equal(small.named, other.named)
    assert (judge(K, y, fixed).named != small.named).any()


@pytest.mark.parametrize("kind_of", [each for each in LEARNERS if each().candidates[0].grid])
def test_what_is_fitted_in_units_decides_by_similarities_as_they_are(kind_of, rng):
    K, y, _ = world()
    codes = np.unique(y, return_inverse=True)[1]
    targets = Targets(codes, 3) if "classes" in kind_of.learns else Targets(rng.normal(size=codes.size))
    unit = float(np.diag(K.values).mean())
    cross = K.values[:5]
    made = kind_of().fit_in_units(K.values, targets).decide(cross)
    alone = kind_of().fit(K.values / unit, targets).decide(cross / unit)
    np.testing.assert_allclose(made, alone, atol=5e-3)  # a machine ends within its tolerance


def test_a_kernel_that_says_nothing_is_judged_at_its_floor():
    y = np.array(["a", "b"] * 10)
    made = judge(np.zeros((20, 20)), y, CHOOSE)
    assert made.multi_class.mean == made.multi_class.floor == 0.5


def test_the_end_of_a_grid_is_told_where_most_folds_chose_it():
    made = grid_end("C", [(1.0, 4), (1e4, 6)], C_GRID)
    assert (made.value, made.largest, made.times, made.folds) == (1e4, True, 6, 10)
    assert made.words == (
        "The grid of C ends where it is chosen: C = 10000, the largest that was tried, in 6 of 10 folds; a larger one may "
        "do better."
    )
    assert grid_end("C", [(0.01, 3), (10.0, 1)], C_GRID).largest is False
    assert grid_end("C", [(1.0, 5), (1e4, 5)], C_GRID) is None  # half of them is not more than half
    assert grid_end("C", [(10.0, 9), (1e4, 1)], C_GRID) is None
    assert grid_end("C", [(1e4, 9)], (1e4,)) is None  # nothing was chosen among


@pytest.mark.parametrize(("ends", "told"), [((1, 21), 21.0), ((1, 3), 3.0)])
def test_one_neighbour_is_no_end_of_a_grid_for_there_are_no_fewer(ends, told):
    grid = (*range(ends[1], ends[0] - 1, -2),)
    assert grid_end("k", [(1.0, 5)], grid, low=1, high=1000) is None
    assert grid_end("k", [(told, 5)], grid, low=1, high=1000).value == told


def test_a_judgement_whose_choice_ends_with_the_grid_says_so():
    """Labels that no kernel knows, beside a kernel all but constant: the smoothest of each learner is as good as any."""
    y = np.array(["a"] * 14 + ["b"] * 6)
    K = GramMatrix(np.ones((20, 20)) + 1e-9 * np.eye(20))
    made = judge(K, y, replace(CHOOSE, folds=5))
    assert (made.grid_end.letter, made.grid_end.value, made.grid_end.largest) == ("C", 0.01, False)
    assert made.remarks[0] == made.grid_end.words
    assert judge(K, y, replace(CHOOSE, folds=5, choose_C=False, C=0.01)).grid_end is None
    near = judge(K, y, replace(CHOOSE, folds=5), learner=NearestNeighbours())
    assert (near.grid_end.letter, near.grid_end.value) == ("k", 21.0)
    inner = judge(K, y, replace(CHOOSE, folds=5), learner=OnComponents())
    assert (inner.grid_end.letter, inner.grid_end.value) == ("λ", 10.0)
    X = np.random.default_rng(0).normal(size=(20, 60))
    numbers = judge_numbers(X @ X.T, np.arange(20.0) % 7, replace(CHOOSE, folds=5))
    assert (numbers.grid_end.letter, numbers.grid_end.value) == ("λ", 10.0)
    assert numbers.remarks == (numbers.grid_end.words,)


def test_a_choice_says_the_end_of_what_its_kernels_differ_in_and_of_the_cost():
    K, y, _ = world()
    useless = np.ones((48, 48)) + 1e-9 * np.eye(48)
    kernels = {"0.1": useless, "1": useless, "10": K.values}
    how = Judging.of(Labels(K.ids, y), Protocol(CHOOSE, UNSCALED))

    def chosen(**ends):
        cuts = ((name, same_in_all(partial(cut_blocks, each))) for name, each in kernels.items())
        along = Along("τ", (0.1, 1.0, 10.0), **ends)
        return list(choosing_candidate(cuts, 3, how, along=along))[-1].grid_ends

    assert (chosen()[0].letter, chosen()[0].value, chosen()[0].largest) == ("τ", 10.0, True)
    assert all(end.letter != "τ" for end in chosen(high=10.0))


def test_weisfeiler_lehman_of_mutag_is_as_accurate_in_any_unit(shared):
    made = _mutag(shared)
    K = np.asarray(WeisfeilerLehman(iterations=3).gram(made.graphs))
    config = CrossValidation(folds=10, repeats=2, choose_C=True)
    plain, small = (judge(GramMatrix(by * K, made.ids), made.labels, config) for by in (1.0, 1e-4))
    assert plain.multi_class.mean == small.multi_class.mean
    assert plain.multi_class.mean > 0.8 > plain.multi_class.floor


@pytest.mark.science
def test_shortest_paths_of_mutag_have_what_a_longer_grid_finds(shared):
    """80.3 % with a grid to 100, 84.6 % with one to 1,000, by other code."""
    made = _mutag(shared)
    K = GramMatrix(np.asarray(ShortestPath().gram(made.graphs)), made.ids)
    found = judge(K, made.labels, CrossValidation(folds=10, repeats=5, choose_C=True))
    assert abs(100.0 * found.multi_class.mean - 84.6) < 2.0


def _mutag(shared):
    files = {f"MUTAG/{file.name}": file.read_bytes() for file in (shared / "data" / "MUTAG").iterdir()}
    return read_samples(zipped(files), "MUTAG.zip", kind="graphs")
