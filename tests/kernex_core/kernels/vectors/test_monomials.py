import numpy as np
import pytest

from kernex_core.base.errors import TooLargeError
from kernex_core.kernels.vectors.dot_product import Polynomial, monomial_map


@pytest.mark.parametrize(("d", "p", "c"), [(1, 1, 0.0), (2, 2, 0.0), (2, 2, 1.0), (3, 4, 0.5), (5, 1, 2.0)])
def test_products_of_features_are_the_kernel(rng, d, p, c):
    X, kernel = rng.standard_normal((6, d)), Polynomial(p, c)
    Z = monomial_map(X, kernel)
    np.testing.assert_allclose(Z @ Z.T, kernel.gram(X), atol=1e-12)
    # no two features are the same monomial
    assert np.linalg.matrix_rank(monomial_map(rng.standard_normal((Z.shape[1], d)), kernel)) == Z.shape[1]


def test_too_many_features_are_not_written_out():
    with pytest.raises(TooLargeError, match="kernel itself"):
        monomial_map(np.ones((1, 50)), Polynomial(6, 1.0))
