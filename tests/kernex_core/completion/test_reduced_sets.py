"""Reduced sets and kernels extended by features: Nystroem, certificates, errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_approximation import Nystroem

from kernex_core import (
    InvalidInputError,
    extend_kernel,
    landmark_errors,
    load_dataset,
    reduced_set,
)
from kernex_core.completion.reduced_sets import landmark_order
from kernex_core.kernels.vectors.distance import Gaussian
from tests.oracles.joint import random_kernel


@pytest.mark.parametrize("size", [1, 5, 20, 39])
def test_landmarks_with_the_shear_constraint_are_nystroem(rng, size):
    """To 1e-12 of the largest entry, against the definition and scikit-learn."""
    X = rng.normal(size=(40, 3))
    K = Gaussian(sigma=0.7).gram(X)
    order = rng.permutation(40)[:size]
    made = reduced_set(K, order)
    C = K[:, order]
    assert_allclose(made.K_Q, C @ np.linalg.solve(K[np.ix_(order, order)], C.T), atol=1e-12)
    assert_allclose(made.Q, np.linalg.inv(K[np.ix_(order, order)]), atol=1e-12 * np.abs(made.Q).max())
    basis = Nystroem("rbf", gamma=1 / (2 * 0.49), n_components=size).fit(X[order])
    assert_allclose(made.K_Q, basis.transform(X) @ basis.transform(X).T, atol=1e-12)
    assert made.certificate_holds


def test_free_fits_better_and_breaks_the_constraint(rng):
    K = random_kernel(rng, 30)
    shear, free = (reduced_set(K, np.arange(6), constraint=kind) for kind in ("shear", "free"))
    assert free.residual_norms[2.0] < shear.residual_norms[2.0]
    assert np.linalg.eigvalsh(free.Q - shear.Q)[0] > -1e-10
    assert shear.certificate_holds
    assert not free.certificate_holds


def test_errors_against_the_number_of_landmarks(rng):
    K = load_dataset("swiss_roll").kernels["linear"].values[:60, :60] + 0.5 * np.eye(60)
    counts = (1, 3, 10, 30, 60)
    made = landmark_errors(K, counts, repeats=3, seed=4)
    assert made.nystroem.shape == made.free.shape == (3, 5)
    assert (np.diff(made.nystroem, axis=1) < 1e-12).all()  # nested landmarks
    assert (made.free <= made.nystroem + 1e-12).all()
    assert (made.best <= made.free + 1e-9).all()
    assert_allclose(made.nystroem[:, -1], 0.0, atol=1e-10)
    values = np.sort(np.linalg.eigvalsh(K))[::-1]
    assert made.best[2] == pytest.approx(np.sqrt((values[10:] ** 2).sum()) / np.linalg.norm(K))
    again = landmark_errors(K, counts, repeats=3, seed=4)
    assert (again.nystroem == made.nystroem).all()
    assert (landmark_errors(K, [3], repeats=1, seed=5).nystroem != made.nystroem[0, 1]).all()


@pytest.mark.parametrize("constraint", ["free", "shear"])
def test_an_extended_kernel_is_one_kernel(rng, constraint):
    X, new = rng.normal(size=(4, 25)), rng.normal(size=(4, 6))
    K = random_kernel(rng, 25)
    made = extend_kernel(K, X, new, constraint=constraint)
    Q, both = made.approximation.Q, np.hstack([X, new])
    whole = both.T @ Q @ both
    assert_allclose(made.cross, whole[25:, :25], atol=1e-10)
    assert_allclose(made.block, whole[25:, 25:], atol=1e-10)
    assert np.linalg.eigvalsh(whole)[0] > -1e-9 * np.abs(whole).max()
    assert made.training_error == pytest.approx(np.linalg.norm(K - whole[:25, :25]) / np.linalg.norm(K))
    assert made.approximation.certificate_holds or constraint == "free"


def test_what_is_refused(rng):
    K = random_kernel(rng, 6)
    for wrong, said in (([], "At least one"), ([0, 0], "distinct"), ([6], "0 to 5")):
        with pytest.raises(InvalidInputError, match=said):
            reduced_set(K, wrong)
    for counts in ([], [0], [7], [1.5]):
        with pytest.raises(InvalidInputError, match="whole numbers from 1 to 6"):
            landmark_errors(K, counts)
    with pytest.raises(InvalidInputError, match="repetitions"):
        landmark_errors(K, [2], repeats=0)
    with pytest.raises(InvalidInputError, match="not zero"):
        landmark_errors(np.zeros((3, 3)), [2])
    with pytest.raises(InvalidInputError, match="features of the known ones"):
        extend_kernel(K, rng.normal(size=(2, 6)), rng.normal(size=(3, 2)))


@pytest.mark.parametrize("how", ["random", "farthest", "central"])
def test_errors_are_those_of_the_reduced_sets_one_by_one(rng, how):
    K = Gaussian(sigma=0.9).gram(rng.normal(size=(30, 2)))
    made = landmark_errors(K, [2, 7], repeats=2, seed=1, how=how)
    assert len(made.free) == (2 if how == "random" else 1)
    for r in range(len(made.free)):
        order = landmark_order(K, how, seed=1, repetition=r)
        for column, size in enumerate((2, 7)):
            for name, kind in (("nystroem", "shear"), ("free", "free")):
                one = reduced_set(K, order[:size], constraint=kind).residual_norms[2.0] / np.linalg.norm(K)
                assert getattr(made, name)[r, column] == pytest.approx(one, abs=1e-10)


def test_landmarks_are_farthest_from_those_before_or_in_the_middle(rng):
    K = Gaussian(sigma=0.9).gram(rng.normal(size=(25, 2)))
    order = landmark_order(K, "farthest", count=6)
    for step in range(1, 6):
        C = K[:, order[:step]]
        left = np.diag(K - C @ np.linalg.solve(C[order[:step]], C.T))
        assert left[order[step]] == pytest.approx(left.max())
    assert landmark_order(K, "central", count=1)[0] == np.argmax((K**2).sum(axis=1))
    # where two items explain all, there is no third one to choose
    assert landmark_order(np.ones((4, 4)) + np.diag([1.0, 0, 0, 0]), "farthest").size == 2
    for wrong in (0, 26, 1.5, True):
        with pytest.raises(InvalidInputError, match="from 1 to 25"):
            landmark_order(K, count=wrong)
