import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.power import Log1p, SignedLog, SignedPower, signed_log, signed_power
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.matrix import GramMatrix
from tests.oracles.vectors import load

X = np.array([[-8.0, -0.25, 0.0], [-0.25, 0.25, 8.0], [0.0, 8.0, np.nan]])


def test_power_keeps_sign_zero_and_unknown():
    np.testing.assert_allclose(signed_power(X, 1 / 3)[0], [-2.0, -(0.25 ** (1 / 3)), 0.0])
    assert np.isnan(signed_power(X, 0.5)[2, 2])
    np.testing.assert_array_equal(signed_power(X, 1.0), X)


def test_log_keeps_sign_zero_and_unknown():
    got = Log1p()(X)
    np.testing.assert_allclose(got[0], [-2.1972245773362196, -0.22314355131420976, 0.0], atol=1e-15)
    assert np.isnan(got[2, 2])


def test_a_gram_matrix_comes_back_as_one_that_remembers():
    K = signed_power(GramMatrix(np.eye(2)), 0.3)
    assert K.provenance.steps == (SignedPower(0.3),)


@pytest.mark.parametrize("p", [0.0, -0.5, 1.5, float("nan")])
def test_power_outside_is_refused(p):
    with pytest.raises(InvalidInputError, match="p has to be"):
        signed_power(np.eye(2), p)


def test_the_vectors_of_power_and_log():
    vectors = load()
    x = np.array([vectors["phi_signed_power"]["input"]["x"]]).T
    for row in vectors["phi_signed_power"]["expected"]:
        got = SignedPower(float(row["p"])).fit(np.eye(5)).phi(x)
        np.testing.assert_allclose(got[:, 0], row["y"], atol=1e-12)
    got = Log1p().fit(np.eye(5)).phi(x)
    np.testing.assert_allclose(got[:, 0], vectors["phi_log"]["expected"], atol=1e-12)


def test_the_scaled_log_makes_the_mean_diagonal_log_of_1_plus_scale():
    K = np.array([[3e-6, -1e-9], [-1e-9, 5e-6]])
    got = signed_log(K, 50.0)
    s = 50.0 / 4e-6
    np.testing.assert_allclose(got, [[np.log(38.5), -np.log(1 + s * 1e-9)], [got[0, 1], np.log(63.5)]])
    assert SignedLog(50.0).fit(K).factor == pytest.approx(s)


def test_without_a_scale_it_is_the_papers_log():
    np.testing.assert_array_equal(signed_log(X, None), Log1p()(X))


def test_new_items_get_the_factor_of_the_fitted_ones():
    fitted = SignedLog(10.0).fit(np.diag([1.0, 3.0]))
    crossed = fitted.apply_cross(np.array([[0.0, -2.0]]), np.array([4.0]))
    np.testing.assert_allclose(crossed.values, [[0.0, -np.log(11.0)]])
    np.testing.assert_allclose(crossed.diag, [np.log(21.0)])


def test_the_log_after_a_clip_is_a_kernel():
    K = signed_log(np.array([[9.0, 1.0, 4.0], [1.0, 9.0, -2.0], [4.0, -2.0, 0.5]]), 100.0)
    assert np.linalg.eigvalsh(K)[0] < -0.1
    assert np.linalg.eigvalsh(Clip()(K))[0] > -1e-12


@pytest.mark.parametrize("scale", [0.0, -1.0, float("inf")])
def test_a_scale_that_is_not_above_zero_is_refused(scale):
    with pytest.raises(InvalidInputError, match="scale has to be"):
        signed_log(np.eye(2), scale)


@pytest.mark.parametrize("diagonal", [0.0, -1.0, np.nan])
def test_a_scaled_log_without_a_positive_diagonal_is_refused(diagonal):
    with pytest.raises(InvalidInputError, match="mean above 0"):
        signed_log(np.diag([diagonal, diagonal]))
