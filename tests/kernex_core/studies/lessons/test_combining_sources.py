"""Combining sources: coefficients beside the recorded ones, and beside scikit-learn's lasso."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.combine import WeightedSum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.lessons import combining_sources as lesson


@pytest.fixture
def recorded(known):
    return {key: value["expected"] for key, value in known.items() if key.startswith("10.")}


@pytest.mark.parametrize("lam", [0.1, 0.2, 0.5, 1, 2])
def test_recorded_weights(recorded, lam):
    want, made = recorded["10.mkl_is_lasso"], lesson.combine(lesson.sources(), lam)
    np.testing.assert_allclose([*made.beta, made.objective], want[f"lam_{lam}"], atol=2e-5)
    np.testing.assert_allclose(made.weights, want[f"eta_{lam}"], atol=2e-5)
    np.testing.assert_allclose(made.ridge, want[f"ridge_{lam}"], atol=2e-5)


@pytest.mark.parametrize("lam", [0.1, 0.2, 0.5])
def test_recorded_noise(recorded, lam):
    want, made = recorded["10.noise_source"], lesson.combine(lesson.sources(noise=True), lam)
    np.testing.assert_allclose(made.beta, want[f"mkl_{lam}"], atol=2e-5)
    np.testing.assert_allclose(made.ridge, want[f"ridge_{lam}"], atol=2e-5)
    assert made.weights[3] == 0.0


@pytest.mark.parametrize("scale", lesson.SCALES)
def test_recorded_scales(recorded, scale):
    made = lesson.combine(lesson.sources(scale=scale), 0.2)
    np.testing.assert_allclose(made.weights, recorded["10.scale_matters"][f"eta_x3_times_{scale}"], atol=2e-5)


@pytest.mark.parametrize("lam", [0.2, 1, 3])
def test_recorded_path(recorded, lam):
    want, made = recorded["10.graph_lasso"], lesson.combine_on_path(lam)
    np.testing.assert_allclose(made.beta, want[f"beta_{lam}"], atol=1e-4)
    np.testing.assert_allclose(made.edges, want[f"edge_weights_{lam}"], atol=1e-4)
    np.testing.assert_allclose(made.lasso, want[f"lasso_{lam}"], atol=1e-4)
    assert made.objective == pytest.approx(want[f"J_{lam}"], abs=1e-4)
    assert (made.pieces, made.lasso_pieces) == (1, 1 + (lam == 3))


def test_recorded_end_of_the_second_source(recorded):
    want = recorded["10.mkl_is_lasso"]["x2_dropped_from"]
    assert lesson.dropped_from(lesson.sources(), 1) == pytest.approx(want, abs=1e-4)


@pytest.mark.parametrize(("noise", "scale"), [(False, 1), (True, 2), (True, 3)])
def test_learned_sums_are_lassos_and_plain_ones_ridge(noise, scale):
    given = lesson.sources(noise=noise, scale=scale)
    for made in lesson.combine_all(given)[::9]:
        alpha = (
            made.lam * np.abs(made.beta).sum()
        )  # λ(Σ|β|)² has the slope 2λΣ|β|, scikit-learn's halves both
        lasso = Lasso(alpha, fit_intercept=False, tol=1e-12, max_iter=100_000).fit(given.X, given.y)
        np.testing.assert_allclose(made.beta, lasso.coef_, atol=1e-5)
        np.testing.assert_allclose(made.weights, np.abs(made.beta) / np.abs(made.beta).sum(), atol=1e-5)
        n, p = given.X.shape
        ridge = np.linalg.solve(given.X.T @ given.X + n * made.lam * np.eye(p), given.X.T @ given.y)
        np.testing.assert_allclose(made.ridge, ridge)


def test_every_position_is_the_answer_there():
    given = lesson.sources(noise=True)
    found = lesson.combine_all(given)
    assert [made.lam for made in found] == list(lesson.LAMS)
    np.testing.assert_allclose(found[30].beta, lesson.combine(given, lesson.LAMS[30]).beta, atol=1e-6)
    assert 2.5 in lesson.LAMS
    assert (lesson.LAMS[0], lesson.LAMS[-1]) == (0.05, 4.0)


def test_the_sum_is_the_kernel_of_features_side_by_side():
    one, two = (
        GramMatrix(lesson.X[:, :1] @ lesson.X[:, :1].T),
        GramMatrix(lesson.X[:, 1:] @ lesson.X[:, 1:].T),
    )
    np.testing.assert_allclose(2.0 * one.then(WeightedSum(two)).values, lesson.X @ lesson.X.T)


def test_bets_and_challenges():
    assert [lesson.bet_check(k).right for k in range(3)] == [False, True, False]
    assert lesson.bet_check(0).value == 0.0
    found = [lesson.drop_check(lesson.sources(), lam) for lam in (2.5, 2.0, 0.2, 4.0)]
    assert [one.right for one in found] == [True, False, False, False]
    assert "0.083" in found[1].said
    assert "it had none before" in found[3].said


def test_what_is_not_defined_is_said():
    twice = lesson.Sources(lesson.X[:, [0, 1, 2, 0]], lesson.Y, ("x₁", "x₂", "x₃", "x₁ again"))
    made, single = lesson.combine(twice, 0.2), lesson.combine(lesson.sources(), 0.2)
    assert "x₁ and x₁ again" in made.said
    assert made.weights[[0, 3]].sum() == pytest.approx(single.weights[0])
    nothing = lesson.combine(lesson.Sources(lesson.X, np.zeros(6), ("a", "b", "c")), 0.2)
    assert not nothing.beta.any()
    assert "no weight is defined" in nothing.said
    assert lesson.dropped_from(lesson.sources(), 0) == np.inf
    assert lesson.dropped_from(lesson.sources(noise=True), 3) == lesson.LOW
    for wrong in (
        lambda: lesson.sources(scale=4),
        lambda: lesson.dropped_from(lesson.sources(), 3),
        lambda: lesson.combine(twice, 0),
    ):
        with pytest.raises(InvalidInputError):
            wrong()
