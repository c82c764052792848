"""Kernels of the distance of two vectors: Gaussian, Matérn, rational quadratic and Laplace."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.spatial.distance import cdist, pdist

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.sparse_rows import RowsLike, distances_of_pairs, squared_distances
from kernex_core.base.validation import as_numbers, unit_of
from kernex_core.kernels.vectors.coordinates import Sinc
from kernex_core.kernels.vectors.vector_kernel import OUT_OF_RANGE, Rows, VectorKernel

FAR: Final = 1000.0
"""Distance at which exp(−r) is 0 already; beyond it a polynomial of r times that is no number."""


@dataclass(frozen=True)
class _OfDistance(VectorKernel):
    """Kernels of ‖x − y‖ / σ, where σ is the median distance of the items unless it is set."""

    cost: ClassVar[str] = "n² d"
    set_by_items: ClassVar[tuple[str, ...]] = ("sigma",)
    takes_sparse: ClassVar[bool] = True

    sigma: float | None = parameter(
        None,
        help="Width: items much further apart than this are not similar at all.",
        label="Width",
        symbol=r"\sigma",
        low=0.0,
        open_low=True,
        optional=True,
        auto="the median distance between two items",
        logarithmic=True,
    )

    def of_squares(self, D: FloatArray) -> FloatArray:
        """Similarities from squared distances in units of σ²."""
        raise NotImplementedError

    def resolved(self, samples: RowsLike) -> Self:
        """Return the kernel with σ set to the median distance, if it was open."""
        return self if self.sigma is not None else replace(self, sigma=median_distance(self.checked(samples)))

    def worth(self) -> float:
        """See VectorKernel; distances, once more for the median where σ is open."""
        return 5.0 if self.sigma is not None else 10.0

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        # divided before squaring: distances of 1e200 at a width of 1e200 are nothing special
        sigma = self._width()
        return self.of_squares(cdist(X / sigma, Y / sigma, "sqeuclidean"))

    def prepared(self, X: sparse.csr_array) -> sparse.csr_array:
        """See VectorKernel."""
        return _divided(X, self._width())

    def of_products(self, P: FloatArray, X: sparse.csr_array, Y: sparse.csr_array) -> FloatArray:
        """See VectorKernel."""
        return self.of_squares(squared_distances(P, X, Y))

    def _width(self) -> float:
        if self.sigma is None:
            raise InvalidInputError("sigma has to be set", "None", "Use kernel.resolved(samples)")
        return self.sigma


@dataclass(frozen=True)
class Gaussian(_OfDistance):
    """Gaussian (RBF) kernel, k(x, y) = exp(−‖x − y‖² / (2 σ²)).

    Parameters
    ----------
    sigma : float, optional
        σ > 0, in the unit of the vectors. None: the median distance between two of the fitting items
        (`median_distance`); `resolved` sets it.

    Notes
    -----
    Vert, Kernel methods and computational biology, slides.

    Examples
    --------
    >>> from kernex_core import Gaussian
    >>> Gaussian(sigma=1.0).gram([[0.0], [1.0]]).round(3).tolist()
    [[1.0, 0.607], [0.607, 1.0]]
    """

    title: ClassVar[str] = "Gaussian"
    formula: ClassVar[str] = r"k(x,y)=\exp\!\Big(-\frac{\lVert x-y\rVert^2}{2\sigma^2}\Big)"
    source: ClassVar[str] = "Vert, Kernel methods and computational biology, slides"

    def of_squares(self, D: FloatArray) -> FloatArray:
        """Similarities from squared distances in units of σ²."""
        return np.asarray(np.exp(-0.5 * D))


@dataclass(frozen=True)
class Matern(_OfDistance):
    """Matérn kernel of r = ‖x − y‖ / σ: functions that are ν − 1/2 times differentiable, where the Gaussian's always are.

    ν = 1/2: exp(−r). ν = 3/2: (1 + √3 r) exp(−√3 r). ν = 5/2: (1 + √5 r + 5 r² / 3) exp(−√5 r).

    Parameters
    ----------
    sigma : float, optional
        σ > 0, in the unit of the vectors. None: the median distance between two of the fitting items.
    nu : {0.5, 1.5, 2.5}
        ν, smoothness.

    Notes
    -----
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, (4.14), (4.16) and (4.17).

    Examples
    --------
    >>> from kernex_core import Matern
    >>> Matern(sigma=1.0, nu=1.5).gram([[0.0], [1.0]]).round(3).tolist()
    [[1.0, 0.483], [0.483, 1.0]]
    """

    title: ClassVar[str] = "Matérn"
    formula: ClassVar[str] = (
        r"k(x,y)=\Big(1+\sqrt{2\nu}\,r+\tfrac{5r^2}{3}[\nu=\tfrac52]\Big)^{[\nu>\frac12]}e^{-\sqrt{2\nu}\,r},"
        r"\quad r=\frac{\lVert x-y\rVert}{\sigma}"
    )
    source: ClassVar[str] = (
        "Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, (4.14), (4.16), (4.17)"
    )

    nu: float = parameter(
        1.5,
        help="Smoothness: functions of this kernel are ν − 1/2 times differentiable.",
        label="Smoothness",
        symbol=r"\nu",
        choices=(0.5, 1.5, 2.5),
    )

    def of_squares(self, D: FloatArray) -> FloatArray:
        """Similarities from squared distances in units of σ²."""
        r = np.minimum(np.sqrt(2.0 * self.nu * D), FAR)
        grown = {0.5: 1.0, 1.5: 1.0 + r, 2.5: 1.0 + r + r * r / 3.0}[self.nu]
        return np.asarray(grown * np.exp(-r))


@dataclass(frozen=True)
class RationalQuadratic(_OfDistance):
    """Rational quadratic kernel, k(x, y) = (1 + ‖x − y‖² / (2 α σ²))^(−α): Gaussians of many widths at once.

    Parameters
    ----------
    sigma : float, optional
        σ > 0, in the unit of the vectors. None: the median distance between two of the fitting items.
    alpha : float
        α > 0: the smaller, the more widths are mixed; the Gaussian for α → ∞.

    Notes
    -----
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, (4.19).

    Examples
    --------
    >>> from kernex_core import RationalQuadratic
    >>> RationalQuadratic(sigma=1.0, alpha=0.5).gram([[0.0], [1.0]]).round(3).tolist()
    [[1.0, 0.707], [0.707, 1.0]]
    """

    title: ClassVar[str] = "Rational quadratic"
    formula: ClassVar[str] = r"k(x,y)=\Big(1+\frac{\lVert x-y\rVert^2}{2\alpha\sigma^2}\Big)^{-\alpha}"
    source: ClassVar[str] = "Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, (4.19)"

    alpha: float = parameter(
        1.0,
        help="The smaller, the more widths are mixed; large: the Gaussian kernel.",
        label="Mixture",
        symbol=r"\alpha",
        low=0.0,
        open_low=True,
        logarithmic=True,
    )

    def of_squares(self, D: FloatArray) -> FloatArray:
        """Similarities from squared distances in units of σ²."""
        return np.asarray(np.exp(-self.alpha * np.log1p(D / (2.0 * self.alpha))))


def _divided(X: sparse.csr_array, unit: float) -> sparse.csr_array:
    # the entries themselves: an array of SciPy is multiplied by 1 / unit, which may be beyond the range of numbers
    return sparse.csr_array((X.data / unit, X.indices, X.indptr), shape=X.shape)


def median_distance(X: Rows) -> float:
    """Median Euclidean distance over all pairs of rows; of those that differ, if most are equal; 1 if all are.

    Raises
    ------
    InvalidInputError
        If distances leave the range of float64.
    """
    if isinstance(X, np.ndarray):
        unit = unit_of(X)
        distances = pdist(X / unit)
    else:
        unit = unit_of(X.data)
        distances = distances_of_pairs(_divided(X, unit))
    apart = distances[distances > 0.0]
    if apart.size == 0:
        return 1.0
    median = unit * (float(np.median(distances)) or float(np.median(apart)))
    if not np.isfinite(median):
        raise InvalidInputError(
            "Distances have to fit the range of numbers", "a median that does not", OUT_OF_RANGE
        )
    return median


@dataclass(frozen=True)
class Laplace(VectorKernel):
    """Laplace kernel, k(x, y) = exp(−γ Σ_i |x_i − y_i|).

    Parameters
    ----------
    gamma : float
        γ > 0, in one over the unit of the vectors.

    Notes
    -----
    Vert, Kernel methods and computational biology, slides.

    Examples
    --------
    >>> from kernex_core import Laplace
    >>> Laplace(gamma=1.0).gram([[0.0], [1.0]]).round(3).tolist()
    [[1.0, 0.368], [0.368, 1.0]]
    """

    title: ClassVar[str] = "Laplace"
    formula: ClassVar[str] = r"k(x,y)=\exp(-\gamma\,\lVert x-y\rVert_1)"
    source: ClassVar[str] = "Vert, Kernel methods and computational biology, slides"
    cost: ClassVar[str] = "n² d"

    gamma: float = parameter(
        1.0,
        help="Rate at which similarity falls with the sum of differences.",
        symbol=r"\gamma",
        low=0.0,
        open_low=True,
        logarithmic=True,
    )

    def worth(self) -> float:
        """See VectorKernel."""
        return 6.0

    def block(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """See VectorKernel."""
        return np.asarray(np.exp(-self.gamma * cdist(X, Y, "cityblock")))


# How much of each frequency the functions of a kernel on the line may hold.


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
