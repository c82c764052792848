"""Approximate a kernel by one that lives on given features: Lemma 1 of "Kernel extrapolation"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import (
    LinAlgError,
    cho_factor,
    cho_solve,
    cholesky,
    eigvalsh,
    solve_triangular,
    svd,
    svdvals,
)

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import EPS, as_matrix, as_symmetric, check_psd, length, unit_of
from kernex_core.gram.matrix import GramMatrix

Constraint = Literal["shear", "free"]
CONSTRAINTS = ("shear", "free")
CONDITION_LIMIT = 1e8
"""Condition number of K up to which (Phi K^-1 Phi')^-1 is as good as the Schur complement."""


@dataclass(frozen=True, eq=False)
class Approximation(ReadOnlyArrays):
    """Best approximation K_Q = Phi' Q Phi of a kernel K, with its certificate.

    Attributes
    ----------
    Q : (n, n) float
        Metric on the features.
    K_Q : (m, m) float
    constraint : {"shear", "free"}
    shear_eigenvalue : float
        λ_min(K − K_Q); the shear constraint holds where it is at least −1.1 delta.
    residual_norms : dict of float to float
        Schatten norms of K − K_Q for p = 1, 2 and infinity.
    rank : int
        Numerical rank of Phi.
    delta : float
        10 m ε ||K||_2, added to the block that is inverted; it defines the short of a singular K numerically.
    trace_share : float
        trace(K_Q) / trace(K).
    notes : tuple of str
        What a reader has to know about this result.
    """

    Q: FloatArray
    K_Q: FloatArray
    constraint: Constraint
    shear_eigenvalue: float
    residual_norms: dict[float, float]
    rank: int
    delta: float
    trace_share: float
    notes: tuple[str, ...] = ()

    @property
    def certificate_holds(self) -> bool:
        """Whether K − K_Q is positive semidefinite up to 1.1 delta."""
        return self.shear_eigenvalue >= -1.1 * self.delta


def approximate(
    K: GramMatrix | ArrayLike, Phi: ArrayLike, *, constraint: Constraint = "shear"
) -> Approximation:
    """Find Q >= 0 so that Phi' Q Phi is closest to K (Kernel extrapolation, Lemma 1, eq. 4 to 6).

    With the SVD Phi = U [D1 0] [V1 V2]' and V'KV = [[A, B], [B', C]]:

    - shear, subject to K − K_Q >= 0: Q = U1 D1^-1 (A − B C^+ B') D1^-1 U1'. Optimal in every Schatten norm at once,
      unique for p < inf; for p = inf the Loewner-largest of the optima is returned.
    - free: Q = Phi^+' K Phi^+. Minimises the Frobenius norm only.

    Parameters
    ----------
    K : (m, m)
        Positive semidefinite.
    Phi : (n, m)
        Column j holds the features of item j.
    constraint : {"shear", "free"}

    Raises
    ------
    InvalidInputError
        Shapes that do not fit, an asymmetric K, or Phi = 0.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import approximate
    >>> made = approximate(np.diag([1.0, 2.0, 4.0]), np.array([[1.0, 0.0, 0.0]]))
    >>> made.K_Q.tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    check_choice("The constraint", constraint, CONSTRAINTS)
    values, features = as_symmetric(K), as_matrix(Phi, "Phi")
    m = values.shape[0]
    if features.shape[1] != m:
        raise InvalidInputError(f"Phi has to have one column an item ({m})", f"{features.shape[1]} columns")
    spectrum = eigvalsh(values, check_finite=False)
    check_psd(spectrum)
    norm = float(np.abs(spectrum).max())
    delta = 10.0 * m * EPS * norm
    rank = _rank(svdvals(features, check_finite=False), features.shape)
    if constraint == "shear" and rank == features.shape[0] < m / 2 and norm < CONDITION_LIMIT * spectrum[0]:
        Q, K_Q = _well_conditioned(values, features)
    else:
        U, singular, Vt = svd(features, full_matrices=features.shape[0] < m, check_finite=False)
        V = Vt.T
        Qt, delta = _metric(values, V, rank, delta, constraint)
        scaled = U[:, :rank] / singular[:rank]
        Q, K_Q = scaled @ Qt @ scaled.T, V[:, :rank] @ Qt @ V[:, :rank].T
    Q, K_Q = (Q + Q.T) / 2.0, (K_Q + K_Q.T) / 2.0
    return _with_certificate(values, Q, K_Q, constraint, rank, delta, _notes(features, rank))


def free_error(K: FloatArray, Phi: FloatArray) -> float:
    """|K − K_Q|_F of the free form alone, without its certificate: K is projected onto the rows of Phi (n, m).

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.completion.approximation import free_error
    >>> free_error(np.diag([1.0, 2.0, 4.0]), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]]))
    2.0
    """
    _, singular, Vt = svd(Phi, full_matrices=False, check_finite=False)
    rows = Vt[: _rank(singular, Phi.shape)]
    return length(K - rows.T @ (rows @ K @ rows.T) @ rows)


def _rank(singular: FloatArray, shape: tuple[int, ...]) -> int:
    rank = int((singular > max(shape) * EPS * float(singular[0])).sum()) if singular.size else 0
    if rank == 0:
        raise InvalidInputError("Phi has to have at least one feature that is not zero", "only zeros")
    return rank


def _metric(
    K: FloatArray, V: FloatArray, rank: int, delta: float, constraint: Constraint
) -> tuple[FloatArray, float]:
    """Qt = A − B C^+ B' (shear, by a Cholesky factor of C + delta I) or A (free), and the delta that was used."""
    rotated = V.T @ K @ V
    A, B, C = rotated[:rank, :rank], rotated[:rank, rank:], rotated[rank:, rank:]
    if constraint == "free" or not C.any():
        return A, delta
    # K may have an eigenvalue of −delta and still count as positive semidefinite: C + delta I is then singular
    for used in (delta, 2.0 * delta, 4.0 * delta):
        try:
            lower = cholesky(C + used * np.eye(C.shape[0]), lower=True, check_finite=False)
        except LinAlgError:
            continue
        X = solve_triangular(lower, B.T, lower=True, check_finite=False)
        return np.asarray(A - X.T @ X), used
    raise NotPositiveSemidefiniteError(
        "K has to be positive semidefinite on the complement of the features",
        "a block without a Cholesky factor",
        "Repair it first, for example by clipping: repair_psd(K, 'clip')",
    )


def _well_conditioned(K: FloatArray, Phi: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Q = (Phi K^-1 Phi')^-1 by two Cholesky factors, for K > 0 and Phi of full row rank."""
    lower = cholesky(K, lower=True, check_finite=False)
    Y = solve_triangular(lower, Phi.T, lower=True, check_finite=False)
    factor = cho_factor(Y.T @ Y, lower=True, check_finite=False)
    Q = cho_solve(factor, np.eye(Phi.shape[0]), check_finite=False)
    half = solve_triangular(factor[0], Phi, lower=True, check_finite=False)
    return Q, half.T @ half


def _with_certificate(
    K: FloatArray,
    Q: FloatArray,
    K_Q: FloatArray,
    constraint: Constraint,
    rank: int,
    delta: float,
    notes: tuple[str, ...],
) -> Approximation:
    residual = eigvalsh(K - K_Q, check_finite=False)
    size, trace = np.abs(residual), float(np.trace(K))
    share = float(np.trace(K_Q)) / trace if trace > 0.0 else 0.0
    if constraint == "shear" and share < 1e-10 and trace > 0.0:
        notes += ("The shear constraint leaves nothing of this singular kernel; use the free form.",)
    unit = unit_of(size)
    norms = {
        1.0: float(size.sum()),
        2.0: unit * float(np.sqrt(((size / unit) ** 2).sum())),
        np.inf: float(size.max()),
    }
    return Approximation(Q, K_Q, constraint, float(residual[0]), norms, rank, delta, share, notes)


def _notes(Phi: FloatArray, rank: int) -> tuple[str, ...]:
    n, m = Phi.shape
    notes: tuple[str, ...] = ()
    if rank < n:
        notes += (
            f"The features have rank {rank} of {n}: K_Q is unique, Q is the one supported on their range.",
        )
    if rank == m:
        notes += ("There are as many independent features as items: the fit is exact.",)
    return notes


# A kernel of known items extended to new ones by features of both: sections 2 and 4.2 of "Kernel extrapolation".


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
