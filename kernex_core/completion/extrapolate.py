"""Complete a partly known target kernel from a source kernel that is known everywhere (Kernel extrapolation, 5.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_choice, check_range, parameter
from kernex_core.base.validation import EPS, LARGEST_ENTRY, as_known, as_numbers, as_symmetric, check_kernel
from kernex_core.completion.approximation import CONSTRAINTS, Constraint
from kernex_core.gram.combine import JointPath, path_of
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import ITEMS, marked, seen_of, tells
from kernex_core.gram.spectrum import largest_eigenvalue

# The nugget ρ and the weight λ: one description of each, for every step and study that has them.


def nugget_parameter(default: float = 0.1, **changed: object) -> float:
    """Field for ρ, which is added to the diagonal of both kernels."""
    described: dict[str, object] = {
        "label": "Nugget",
        "symbol": r"\rho",
        "help": "Added to the diagonal of both kernels after normalisation. It keeps them invertible and damps noise.",
        "low": 0.0,
        "high": 10.0,
        "step": 0.05,
    }
    made: float = parameter(default, **described | changed)
    return made


def lam_parameter(default: float = 0.25, **changed: object) -> float:
    """Field for λ, which weights the source's inverse."""
    described: dict[str, object] = {
        "label": "Weight of the source",
        "symbol": r"\lambda",
        "help": "Weight of the source's inverse; 1 − λ weights the target's. Small λ trusts the target.",
        "low": 0.0,
        "high": 1.0,
        "step": 0.01,
    }
    made: float = parameter(default, **described | changed)
    return made


def constraint_parameter(default: str = "shear", **changed: object) -> str:
    """Field for the constraint under which the source is rebuilt from the known items."""
    described: dict[str, object] = {
        "label": "Constraint on the source",
        "help": "shear: the source rebuilt from the known items never exceeds the source (Lemma 1). "
        "free: it may, and is closest in Frobenius norm only.",
        "choices": CONSTRAINTS,
    }
    made: str = parameter(default, **described | changed)
    return made


def check_nugget(nugget: float) -> float:
    """Return ρ as a float.

    Raises
    ------
    InvalidInputError
        Unless it is at least 0 and leaves the matrix within the range that is computed with.
    """
    return check_range("The nugget ρ", nugget, 0.0, LARGEST_ENTRY)


@dataclass(frozen=True, eq=False)
class Extrapolation(ReadOnlyArrays):
    """A target kernel carried from the s known items to all m.

    With the nugget in the source, K' = K + ρI, Phi = K'[S, :], A = K'[S, S], W = A^-1 Phi (the identity on S):

    Attributes
    ----------
    T_hat : (m, m) float
        W' T W; equals T on the known items exactly (the nearest kernel, where T is one only within its digits).
    weights : (s, m − s) float
        W of the items that are not known, ascending.
    A : (s, s) float
        Source metric in the coordinates of the known items: K'[S, S] under shear; A Phi^+' K' Phi^+ A when free.
    T_known : (s, s) float
    known : (s,) int
    nugget : float
    constraint : {"shear", "free"}
    unexplained : (m,) float
        Share of each item's own similarity in the source that the known items do not explain,
        (K'(x,x) − Phi_x' A^-1 Phi_x) / K'(x,x): 0 = completed from good neighbours, 1 = from nothing.
    source : (m, m) float
        K, without the nugget.

    The certificate (`shear_eigenvalue`, `delta`, `trace_share`) costs two eigenvalue problems and is computed when
    somebody looks at it: a sweep over hundreds of hidden sets does not.
    """

    T_hat: FloatArray
    weights: FloatArray
    A: FloatArray
    T_known: FloatArray
    known: IntArray
    nugget: float
    constraint: Constraint
    unexplained: FloatArray
    source: FloatArray

    @cached_property
    def unknown(self) -> IntArray:
        """Positions of the items that are not known, ascending, (m − s,)."""
        return np.setdiff1d(np.arange(len(self.source)), self.known)

    @property
    def W(self) -> FloatArray:
        """A^-1 Phi, (s, m): the identity on the known items, the weights on the others."""
        W = np.zeros((self.known.size, len(self.source)))
        W[np.arange(self.known.size), self.known] = 1.0
        W[:, self.unknown] = self.weights
        return W

    @cached_property
    def shear_eigenvalue(self) -> float:
        """λ_min of K' − Phi' Q Phi of the source: at least −1.1 delta where the shear constraint holds."""
        rest = self.source - carried(self.A, self.weights, self.known, self.unknown)
        rest[np.diag_indices_from(rest)] += self.nugget
        return float(lapack.eigvalsh(rest)[0])

    @cached_property
    def delta(self) -> float:
        """10 m ε ||K'||_2: what counts as rounding in the certificate."""
        m = self.source.shape[0]
        largest = largest_eigenvalue(self.source) + self.nugget
        return 10.0 * float(m) * EPS * max(largest, float((np.diag(self.source) + self.nugget).max()))

    @cached_property
    def trace_share(self) -> float:
        """Share of the source's trace that the known items explain."""
        W = self.weights
        explained = float(np.trace(self.A)) + float(np.einsum("ij,ij->", W, self.A @ W))
        return explained / float((np.diag(self.source) + self.nugget).sum())

    @property
    def certificate_holds(self) -> bool:
        """Whether the shear constraint holds for the source up to 1.1 delta."""
        return self.shear_eigenvalue >= -1.1 * self.delta

    @cached_property
    def Q(self) -> FloatArray:
        """(s, s) metric A^-1 T A^-1 on the features Phi, so that T_hat = Phi' Q Phi."""
        L = self._factor
        Q = lapack.solved(L, lapack.solved(L, self.T_known).T)
        return np.asarray((Q + Q.T) / 2.0)

    @property
    def _factor(self) -> FloatArray:
        """Of K'[S, S], which a sweep over hundreds of hidden sets does not keep."""
        return _factor(_with_nugget(self.source, self.known, self.nugget)[:, self.known], self.nugget)

    def path(self) -> JointPath:
        """λ path of the joint kernel on all m items, W' (λ A^-1 + (1 − λ) (T + ρI)^-1)^-1 W."""
        made = self.known_path()
        F = np.empty((len(self.source), made.F.shape[1]))
        F[self.known], F[self.unknown] = made.F, self.weights.T @ made.F
        return replace(made, F=owned(F))

    def known_path(self) -> JointPath:
        """λ path on the known items."""
        target = self.T_known.copy()
        target[np.diag_indices_from(target)] += self.nugget
        return path_of(self.A, target)

    def weights_of(self, K_new: ArrayLike) -> FloatArray:
        """W_new (s, n_new) of items outside the matrix, from their source similarities to the known items.

        Parameters
        ----------
        K_new : (n_new, s)
            No nugget: new items are not among the known ones.

        Raises
        ------
        InvalidInputError
            Wrong number of columns, or unknown values.
        """
        rows = np.atleast_2d(as_numbers(K_new, "Similarities of new items"))
        if rows.ndim != 2 or rows.shape[1] != self.known.size or not np.isfinite(rows).all():
            raise InvalidInputError(
                f"New items need their source similarities to all {self.known.size} known items",
                f"shape {rows.shape}",
            )
        return lapack.solved(self._factor, rows.T)


def carried(T: FloatArray, weights: FloatArray, S: IntArray, others: IntArray) -> FloatArray:
    """W' T W, (m, m), for W that is the identity on S, where T is left to the last bit, and the weights on the others."""
    across = T @ weights
    inside = weights.T @ across
    made = np.empty((S.size + others.size,) * 2)
    made[np.ix_(S, S)], made[np.ix_(S, others)], made[np.ix_(others, S)] = T, across, across.T
    made[np.ix_(others, others)] = (inside + inside.T) / 2.0
    return made


def extrapolate(
    K_source: GramMatrix | ArrayLike,
    T_known: GramMatrix | ArrayLike,
    known: ArrayLike,
    *,
    nugget: float = 0.1,
    constraint: Constraint = "shear",
    checked: bool = False,
) -> Extrapolation:
    """Extrapolate T from the known items S to all items of the source: T_hat = W' T W (Kernel extrapolation, 5.3).

    Parameters
    ----------
    K_source : (m, m)
        Positive semidefinite and known everywhere; cosine-normalised by convention.
    T_known : (s, s)
        Target on K_source[known], in that order (ascending for a mask).
    known : (m,) bool or (s,) int
    nugget : float
        ρ >= 0, added to the source's diagonal; with ρ = 0 the source has to be positive definite on S.
    constraint : {"shear", "free"}
        How the source itself is approximated from the known items; T_hat does not depend on it, the joint kernel does.
    checked : bool
        Both are known to be positive semidefinite: their eigenvalues are not looked at again.

    Raises
    ------
    InvalidInputError
        Shapes, unknown source entries, a singular source without nugget.
    NotPositiveSemidefiniteError
        An indefinite source or target, naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import extrapolate
    >>> K = np.array([[1.0, 0.5, 0.8], [0.5, 1.0, 0.4], [0.8, 0.4, 1.0]])
    >>> known = np.array([True, True, False])
    >>> extrapolate(K, np.array([[2.0, 1.0], [1.0, 2.0]]), known, nugget=0.0).T_hat.round(3).tolist()
    [[2.0, 1.0, 1.6], [1.0, 2.0, 0.8], [1.6, 0.8, 1.28]]
    """
    nugget = check_nugget(nugget)
    check_choice("The constraint", constraint, CONSTRAINTS)
    source = as_symmetric(K_source, "The source kernel", shared=True)
    T = as_symmetric(T_known, "The known part of the target", shared=True)
    m = source.shape[0]
    S = as_known(known, m)
    if T.shape[0] != S.size:
        raise InvalidInputError(
            f"The target has to be given on the {S.size} known items", f"{T.shape[0]} rows"
        )
    if not checked:  # the nugget would hide what is indefinite
        source = check_kernel(source, "The source kernel", given=K_source)
        T = check_kernel(T, "The known part of the target", given=T_known)
    Phi, others = _with_nugget(source, S, nugget), np.setdiff1d(np.arange(m), S)
    A = Phi[:, S]
    weights = lapack.solved(_factor(A, nugget), Phi[:, others])
    T_hat = owned(carried(T, weights, S, others))
    if tells(K_source, T_known):
        T_hat = marked(T_hat, seen_of(K_source, T_known) | ITEMS)
    unexplained = _unexplained(np.diag(source) + nugget, Phi, weights, others)
    A = A if constraint == "shear" else _free_metric(source, Phi, S, nugget)
    return Extrapolation(
        T_hat, owned(weights), owned(A), owned(T), S, nugget, constraint, owned(unexplained), owned(source)
    )


def _with_nugget(source: FloatArray, S: IntArray, nugget: float) -> FloatArray:
    """Phi = K'[S, :] of the source, (s, m)."""
    Phi = source[S]
    Phi[np.arange(S.size), S] += nugget
    return Phi


def _factor(A: FloatArray, nugget: float) -> FloatArray:
    factor = lapack.factor(A)
    smallest = float(np.diag(factor).min()) if factor is not None else 0.0
    if factor is None or smallest**2 <= A.shape[0] * EPS * float(np.abs(np.diag(A)).max()):
        raise InvalidInputError(
            "The source kernel has to be positive definite on the known items",
            f"a singular or indefinite block with nugget ρ = {nugget:g}",
            "Repair the source (clip) and use a nugget above 0, for example 0.1",
        )
    return factor


def _free_metric(source: FloatArray, Phi: FloatArray, S: IntArray, nugget: float) -> FloatArray:
    """A Q A for Q = Phi^+' K' Phi^+: what the source looks like on S without the shear constraint."""
    plus = np.linalg.pinv(Phi)
    half = plus @ Phi[:, S]
    full = source + nugget * np.eye(source.shape[0])
    A = half.T @ full @ half
    return np.asarray((A + A.T) / 2.0)


def _unexplained(own: FloatArray, Phi: FloatArray, weights: FloatArray, others: IntArray) -> FloatArray:
    unexplained, mine = np.zeros(own.size), own[others]
    rest = mine - np.einsum("ij,ij->j", Phi[:, others], weights)
    unexplained[others] = np.divide(rest, mine, out=np.zeros(mine.size), where=mine > 0.0)
    return np.asarray(np.clip(unexplained, 0.0, 1.0))
