"""Pairs that meet in their list give the matrix that they give in the matrix itself."""

import numpy as np
import pytest

from kernex_core.inputs.similarities.finish import symmetrised
from kernex_core.inputs.similarities.pairs import _both_ways


@pytest.mark.parametrize("how", ["auto", "mean", "max"])
@pytest.mark.parametrize(
    "case", ["both", "once", "some", "zeros", "triangle", "zero triangle", "rounding", "none"]
)
def test_pairs_of_both_directions_meet_as_in_the_matrix(rng, how, case):
    n = 7
    K = rng.normal(size=(n, n))
    if case == "both":
        K = np.where(rng.random((n, n)) < 0.6, K, np.nan)
    elif case == "once":
        K[np.tril_indices(n, -1)] = np.nan
    elif case == "some":
        K = np.where(rng.random((n, n)) < 0.2, K, np.nan)
    elif case == "zeros":
        K = np.where(rng.random((n, n)) < 0.3, 0.0, K)
    elif case == "triangle":
        K[np.triu_indices(n, 1)] = np.nan
    elif case == "zero triangle":
        K[np.tril_indices(n, -1)] = np.where(rng.random(n * (n - 1) // 2) < 0.5, 0.0, np.nan)
    elif case == "rounding":
        K = K + K.T
        K[0, 1] *= 1 + 1e-15
    else:
        K[:] = np.nan
        K[2, 2] = 1.0
    ids = [f"p{k}" for k in range(n)]
    cells = np.flatnonzero(~np.isnan(K))
    values, notes = _both_ways(cells, K.ravel()[cells], ids, how)
    expected, said = symmetrised(K.copy(), ids, how)
    np.testing.assert_allclose(values, expected, rtol=1e-15)
    assert [note.text for note in notes] == [note.text for note in said]
