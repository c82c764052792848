"""Kernel principal components: the flat map of items that keeps most of a kernel's variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.spectrum.decomposition import Decomposition, decompose
from kernex_core.validation import EPS, as_symmetric


@dataclass(frozen=True, eq=False)
class PrincipalComponents(ReadOnlyArrays):
    """Coordinates of items on the leading kernel principal components.

    Attributes
    ----------
    coordinates : (n, q) float
        Column c has squared length eigenvalue c; a component without positive eigenvalue is zero.
    share : (q,) float
        Eigenvalue over the sum of absolute eigenvalues, 0 to 1.
    """

    coordinates: FloatArray
    share: FloatArray


def kernel_pca(
    K: GramMatrix | FloatArray,
    n_components: int = 2,
    *,
    centred: bool = True,
    decomposition: Decomposition | None = None,
) -> PrincipalComponents:
    """Kernel PCA, K̃ = V diag(μ) V', coordinates V_q diag(μ_q)^{1/2} (Schoelkopf, Smola, Müller 1998, eq. 20).

    Parameters
    ----------
    K : (n, n)
        Without unknown entries. It may be indefinite: the map then shows the positive part only.
    n_components : int
        1 to n.
    centred : bool
        Move the origin to the mean of the items first.
    decomposition : Decomposition, optional
        Of K, where somebody has it; that of the centred matrix follows from it.

    Raises
    ------
    InvalidInputError
        Unknown entries, or more components than items. Signs are fixed: the largest entry of each is positive.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import kernel_pca
    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> abs(kernel_pca(X @ X.T, 1).coordinates).round(6).ravel().tolist()
    [2.0, 1.0, 3.0]
    """
    made = decompose(as_symmetric(K)) if decomposition is None else decomposition
    n = made.n
    if not 1 <= n_components <= n:
        raise InvalidInputError(f"The number of components has to lie in 1 to {n}", str(n_components))
    mass = float(np.abs(made.centred_eigenvalues if centred else made.eigenvalues).sum())
    leading, directions = made.leading(n_components, centred=centred)
    # what rounding leaves of a zero eigenvalue is no direction; centring takes away what was larger
    rounding = n * EPS * max(mass, float(np.abs(made.eigenvalues).max()))
    leading = np.where(leading > rounding, leading, 0.0)
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=0)[None, :], axis=0)
    directions = directions * np.where(largest < 0.0, -1.0, 1.0)
    share = leading / mass if mass > 0.0 else np.zeros(n_components)
    return PrincipalComponents(directions * np.sqrt(leading), share)
