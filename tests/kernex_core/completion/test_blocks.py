"""Several kernels made one by their blocks: from the formulas, by explicit inverses."""

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.joint import combined_blocks
from kernex_core.gram.split import cut_blocks
from tests.oracles.joint import random_kernel

TRAIN, TEST = np.arange(0, 14), np.arange(14, 20)


def test_a_fold_joins_kernels_as_the_formula_says(rng):
    kernels, beta, rho = [random_kernel(rng, 20) for _ in range(3)], np.array([0.5, 0.2, 0.3]), 0.1
    parts = [cut_blocks(K, TRAIN, TEST) for K in kernels]
    made = combined_blocks(parts, beta, kind="joint", nugget=rho)
    ridge, own = rho * np.eye(14), np.ix_(TRAIN, TRAIN)
    J = np.linalg.inv(sum(b * np.linalg.inv(K[own] + ridge) for b, K in zip(beta, kernels, strict=True)))
    mean = np.tensordot(beta, kernels, 1)
    W = mean[np.ix_(TEST, TRAIN)] @ np.linalg.inv(mean[own] + ridge)
    np.testing.assert_allclose(made.K_train, J, atol=1e-10)
    np.testing.assert_allclose(made.K_cross, W @ J, atol=1e-9)
    np.testing.assert_allclose(made.diag_test, np.diag(W @ J @ W.T), atol=1e-9)
    # of one kernel it is that kernel with its nugget
    alone = combined_blocks(parts[:1], [1.0], kind="joint", nugget=rho)
    np.testing.assert_allclose(alone.K_cross, kernels[0][np.ix_(TEST, TRAIN)], atol=1e-9)
    summed, product = (combined_blocks(parts, beta, kind=kind) for kind in ("weighted sum", "product"))
    np.testing.assert_allclose(summed.K_cross, mean[np.ix_(TEST, TRAIN)], atol=1e-12)
    np.testing.assert_allclose(product.K_train, np.prod(kernels, axis=0)[own], atol=1e-12)
    with pytest.raises(InvalidInputError, match="combination"):
        combined_blocks(parts, beta, kind="mean")
    with pytest.raises(InvalidInputError, match="At least one"):
        combined_blocks([], [], kind="joint")
