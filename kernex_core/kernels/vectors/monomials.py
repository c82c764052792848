"""The features of the polynomial kernel, written out: products of coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray
from kernex_core.kernels.vectors.dot_product import Polynomial
from kernex_core.kernels.vectors.vector_kernel import as_rows

FEATURE_LIMIT = 100_000


def monomial_map(samples: ArrayLike, kernel: Polynomial) -> FloatArray:
    """Map vectors to φ(x) with φ(x)'φ(y) = (x'y + c)^p: one feature a monomial.

    The feature of the exponents j_0 + j_1 + ... + j_d = p is √(p! / (j_0! j_1! ... j_d!) c^{j_0}) Π_i x_i^{j_i}. Products of
    few coordinates come first: of two coordinates and p = 2, c = 0 the map is x ↦ (x_1², x_2², √2 x_1 x_2).

    Parameters
    ----------
    samples : (n, d) float
    kernel : Polynomial

    Returns
    -------
    (n, D) float
        D = C(d + p, p), or C(d + p − 1, p) where c = 0.

    Raises
    ------
    TooLargeError
        More than 100,000 features.

    Examples
    --------
    >>> monomial_map([[1.0, 3.0]], Polynomial(degree=2, constant=0.0)).round(3).tolist()
    [[1.0, 9.0, 4.243]]

    References
    ----------
    Vert, Kernel methods and computational biology, slides: the map of degree 2; Jordan, Examples of kernels I: degree p.
    """
    X, p = as_rows(samples), kernel.degree
    first = 1 if kernel.constant == 0.0 else 0
    wide = np.column_stack([np.full(X.shape[0], math.sqrt(kernel.constant)), X])[:, first:]
    count = math.comb(wide.shape[1] + p - 1, p)
    if count > FEATURE_LIMIT:
        raise TooLargeError(
            f"At most {FEATURE_LIMIT:,} features are written out",
            f"{count:,} monomials",
            "Use the kernel itself",
        )
    exponents = sorted(_exponents(wide.shape[1], p), key=lambda j: (sum(e > 0 for e in j), [-e for e in j]))
    columns = [math.sqrt(_orders(j)) * np.prod(wide ** np.array(j), axis=1) for j in exponents]
    return np.column_stack(columns)


def _exponents(coordinates: int, total: int) -> Iterator[tuple[int, ...]]:
    if coordinates == 1:
        yield (total,)
        return
    for own in range(total + 1):
        for rest in _exponents(coordinates - 1, total - own):
            yield (own, *rest)


def _orders(exponents: tuple[int, ...]) -> int:
    """p! / Π j!: in how many orders the factors of a monomial can be multiplied."""
    return math.factorial(sum(exponents)) // math.prod(map(math.factorial, exponents))
