"""How much of each frequency the functions of a kernel on the line may hold."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.kernels.vectors.coordinates import Sinc
from kernex_core.kernels.vectors.distance import Gaussian, Laplace
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.validation import as_numbers


def spectral_density(kernel: VectorKernel, omega: ArrayLike) -> FloatArray:
    """Return k̂(ω) = ∫ k(t) exp(−iωt) dt of a kernel k(x − y) of numbers.

    Gaussian: σ √(2π) exp(−σ²ω²/2). Laplace: 2γ / (γ² + ω²). Sinc: 1 for |ω| <= Ω, else 0. With it the norm is
    ‖f‖² = 1/(2π) ∫ |f̂(ω)|² / k̂(ω) dω: a frequency of low density is dear.

    Parameters
    ----------
    kernel : Gaussian, Laplace or Sinc
        A Gaussian with its width set.
    omega : (m,) float
        Frequencies, in radians a unit of x.

    Returns
    -------
    (m,) float

    Raises
    ------
    InvalidInputError
        Another kernel, which is none of the difference x − y alone, or a Gaussian without a width.

    Examples
    --------
    >>> from kernex_core import Gaussian
    >>> spectral_density(Gaussian(sigma=0.2), [0.0, 3.0]).round(4).tolist()
    [0.5013, 0.4187]

    References
    ----------
    Vert, Kernel methods and computational biology, slides: translation-invariant kernels, with the factors that are missing
    there (the density of the Gaussian lacks σ√(2π), the norm 1/(2π)).
    """
    w = as_numbers(omega, "omega")
    if isinstance(kernel, Gaussian) and kernel.sigma is not None:
        return np.asarray(kernel.sigma * math.sqrt(2.0 * math.pi) * np.exp(-0.5 * (kernel.sigma * w) ** 2))
    if isinstance(kernel, Laplace):
        return np.asarray(2.0 * kernel.gamma / (kernel.gamma**2 + w**2))
    if isinstance(kernel, Sinc):
        return np.where(np.abs(w) <= kernel.omega, 1.0, 0.0)
    raise InvalidInputError(
        "A spectral density needs a kernel of the difference of two numbers: Gaussian with a width, Laplace or sinc",
        repr(kernel),
    )
