"""A kernel of known items extended to new ones by features of both: sections 2 and 4.2 of "Kernel extrapolation"."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.approximation import Approximation, Constraint, approximate
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.magnitude import length
from kernex_core.validation import as_matrix, as_symmetric


@dataclass(frozen=True, eq=False)
class ExtendedKernel(ReadOnlyArrays):
    """A kernel extended to new items, k_Q(x, x') = φ(x)' Q φ(x').

    Attributes
    ----------
    approximation : Approximation
        Of the kernel of the known items, with its certificate.
    cross : (n_new, n) float
        New items to known ones.
    block : (n_new, n_new) float
        New items among themselves.
    training_error : float
        |K − K_Q|_F / |K|_F over the known items.
    """

    approximation: Approximation
    cross: FloatArray
    block: FloatArray
    training_error: float


def extend_kernel(
    K: GramMatrix | ArrayLike, Phi: ArrayLike, Phi_new: ArrayLike, *, constraint: Constraint = "free"
) -> ExtendedKernel:
    """Extend a kernel to items of which only features are known (Kernel extrapolation, eq. 2, section 4.2).

    Parameters
    ----------
    K : (n, n)
        Of the known items, positive semidefinite.
    Phi : (p, n), Phi_new : (p, n_new)
        Features, one column an item, for example of `fisher_map`.
    constraint : {"free", "shear"}
        Shear demands K − K_Q >= 0, which leaves little of a kernel whose features are few.

    Raises
    ------
    InvalidInputError
        Shapes that do not fit.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import extend_kernel
    >>> X = np.array([[1.0, 2.0, 3.0]])
    >>> extend_kernel(X.T @ X, X, np.array([[4.0]])).cross.round(9).tolist()
    [[4.0, 8.0, 12.0]]
    """
    values = as_symmetric(K)
    features, new = as_matrix(Phi, "Phi"), as_matrix(Phi_new, "Phi_new")
    if new.shape[0] != features.shape[0]:
        raise InvalidInputError(
            f"New items need the features of the known ones ({features.shape[0]})", f"{new.shape[0]} features"
        )
    made = approximate(values, features, constraint=constraint)
    cross = new.T @ made.Q @ features
    block = new.T @ made.Q @ new
    norm = length(values)
    error = made.residual_norms[2.0] / norm if norm > 0.0 else 0.0
    return ExtendedKernel(made, cross, (block + block.T) / 2.0, error)
