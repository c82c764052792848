import numpy as np
import pytest

from kernex_core.conditioning.power import Log1p, SignedPower, signed_power
from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix

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
