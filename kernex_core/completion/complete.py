"""The joint kernel on all items of a partly known target (Kernel extrapolation, 5.3), as a function and as a step."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range, parameter
from kernex_core.completion.approximation import Constraint
from kernex_core.completion.baselines import mean_fill, nystroem, zero_fill
from kernex_core.completion.extrapolate import (
    Extrapolation,
    constraint_parameter,
    extrapolate,
    lam_parameter,
    nugget_parameter,
)
from kernex_core.gram.combine import LIMIT
from kernex_core.gram.matrix import GramMatrix, unknown_entries
from kernex_core.gram.seen import ITEMS, marked, seen_of, tells
from kernex_core.gram.split import split_inductively
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step

# COMPLETIONS: how unknown similarities are made from the known ones and a source kernel. One line a method.


@dataclass(frozen=True, eq=False)
class Partly(ReadOnlyArrays):
    """A partly known target with its source.

    Attributes
    ----------
    made : Extrapolation
        Of the known block from the source.
    source : (m, m) float
    T : (s, s) float
        Target on the known items.
    lam : float
        Weight of the source's inverse, for the method that has one.
    """

    made: Extrapolation
    source: FloatArray
    T: FloatArray
    lam: float


class CompletionMethod(abc.ABC):
    """Base of the methods.

    Class attributes
    ----------------
    name : str
        What pages call it; it stands in downloaded scripts.
    leaves_residual : bool
        What the known items do not span of the source can be added.
    """

    name: ClassVar[str]
    leaves_residual: ClassVar[bool] = False

    @abc.abstractmethod
    def values(self, partly: Partly) -> FloatArray:
        """Return the completed (m, m) kernel."""

    def metric(self, partly: Partly) -> FloatArray | None:
        """(s, s) kernel on the known items that is carried to all others, new ones too; None: there is none."""
        return None


class JointMethod(CompletionMethod):
    """W' (λ A^-1 + (1 − λ) T'^-1)^-1 W; see `joint_kernel`."""

    name: ClassVar[str] = "joint"
    leaves_residual: ClassVar[bool] = True

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.path().kernel(partly.lam)

    def metric(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.known_path().kernel(partly.lam)


class Extrapolated(CompletionMethod):
    """W' T W: the limit of the joint kernel at λ → 0."""

    name: ClassVar[str] = "extrapolated"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.T_hat.copy()

    def metric(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.T_known


class ZeroFill(CompletionMethod):
    """Unknown similarities are 0; see `zero_fill`."""

    name: ClassVar[str] = "zero-fill"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return zero_fill(partly.T, partly.made.known, partly.source.shape[0])


class MeanFill(CompletionMethod):
    """Unknown similarities are the mean known one; see `mean_fill`."""

    name: ClassVar[str] = "mean-fill"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return mean_fill(partly.T, partly.made.known, partly.source.shape[0])


class Nystroem(CompletionMethod):
    """The source rebuilt from its known items, without the target; see `nystroem`."""

    name: ClassVar[str] = "nystroem"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return nystroem(partly.made, partly.source)

    def metric(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.A


COMPLETIONS: tuple[CompletionMethod, ...] = (
    JointMethod(),
    Extrapolated(),
    ZeroFill(),
    MeanFill(),
    Nystroem(),
)


def completion_named(name: str) -> CompletionMethod:
    """Method of that name; the step that asks has checked it."""
    return next(method for method in COMPLETIONS if method.name == name)


def joint_kernel(
    K_source: GramMatrix | ArrayLike,
    T_known: GramMatrix | ArrayLike,
    known: ArrayLike,
    lam: float,
    *,
    nugget: float = 0.1,
    constraint: Constraint = "shear",
    residual: bool = False,
) -> FloatArray:
    """K_joint = W' (λ A^-1 + (1 − λ) T'^-1)^-1 W (Kernel extrapolation, 5.3); its block of known items is exactly J.

    Parameters
    ----------
    K_source : (m, m)
    T_known : (s, s)
    known : (m,) bool or (s,) int
    lam : float
        0 to 1: weight of the source's inverse; 1 − λ weights the target's.
    nugget : float
        ρ, inside both kernels.
    constraint : {"shear", "free"}
    residual : bool
        Keep the part of the source that the known items do not span: add (K' − Phi' A^-1 Phi)/λ.

    Raises
    ------
    InvalidInputError
        λ outside 0 to 1, or residual at λ = 0, where it is infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import joint_kernel
    >>> K = np.array([[1.0, 0.5, 0.8], [0.5, 1.0, 0.4], [0.8, 0.4, 1.0]])
    >>> known = np.array([True, True, False])
    >>> T = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> joint_kernel(K, T, known, lam=0.5, nugget=0.0).round(3).tolist()
    [[1.333, 0.667, 1.067], [0.667, 1.333, 0.533], [1.067, 0.533, 0.853]]
    """
    made = extrapolate(K_source, T_known, known, nugget=nugget, constraint=constraint)
    K = made.path().kernel(lam)
    K = K + residual_part(made, made.source, lam) if residual else K
    return marked(K, seen_of(K_source, T_known) | ITEMS) if tells(K_source, T_known) else K


def residual_part(made: Extrapolation, source: FloatArray, lam: float) -> FloatArray:
    """(K' − Phi' A^-1 Phi)/λ, zero on the known items.

    Raises
    ------
    InvalidInputError
        At λ = 0 or under the free constraint, for which it is not defined.
    """
    lam = check_residual(lam, made.constraint)
    rest = np.zeros_like(source)
    others = made.unknown
    rest[np.ix_(others, others)] = unspanned(made, source) / lam
    return rest


def check_residual(lam: float, constraint: Constraint) -> float:
    """λ as a number by which a residual can be divided.

    Raises
    ------
    InvalidInputError
        At λ = 0 or under the free constraint, for which it is not defined.
    """
    lam = check_range("The weight λ", lam, 0.0, 1.0)
    if lam < LIMIT:
        raise InvalidInputError(
            f"The residual is divided by λ and needs λ of at least {LIMIT:g}",
            f"λ = {lam:g}, which counts as 0",
            "Leave the residual out, or raise λ",
        )
    if constraint == "free":
        raise InvalidInputError("The residual belongs to the shear constraint", "constraint = free")
    return lam


def unspanned(made: Extrapolation, source: FloatArray) -> FloatArray:
    """K' − Phi' A^-1 Phi among the items that are not known; everywhere else it is 0."""
    others = made.unknown
    spanned = source[np.ix_(others, made.known)] @ made.weights
    rest = source[np.ix_(others, others)] - (spanned + spanned.T) / 2.0
    rest[np.diag_indices(others.size)] += made.nugget
    return np.asarray(rest)


@dataclass(frozen=True)
class Complete(Step):
    """Complete a partly known target from a source kernel of the same items.

    The known items are those whose pairs are all known in the matrix that the step is fitted on. Items outside the
    fitted block get W_new = A^-1 k_source(S, new): their own target similarities are not used.

    The result is a kernel by construction, so the digits of the numbers before it end here: a source or a known block that
    is one only within its digits is taken as the nearest one.

    Attributes
    ----------
    source : GramMatrix
    method : str
        joint, extrapolated (W'TW), or a baseline: zero-fill, mean-fill, nystroem.
    """

    name: ClassVar[str] = "complete"
    sees: ClassVar[Sees] = Sees("fitted")
    carries_digits: ClassVar[bool] = False
    needs_kernel: ClassVar[bool] = True
    source: GramMatrix = parameter(
        help="Kernel known for all items, from which the target is completed.", hidden=True
    )
    method: str = parameter(
        "joint", help="How unknown similarities are made.", choices=tuple(m.name for m in COMPLETIONS)
    )
    lam: float = lam_parameter()
    nugget: float = nugget_parameter()
    constraint: str = constraint_parameter()
    residual: bool = parameter(False, help="Keep the part of the source that the known items do not span.")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> Completed:
        """See Step.

        Raises
        ------
        InvalidInputError
            If the source is about other items, or no item is known.
        """
        whole = np.arange(self.source.n) if items is None else items
        source = source_block(self.source, len(K_train), items)
        known = unknown_entries(K_train).known
        if not known.any():
            raise InvalidInputError(
                "Completion needs at least one item with known target similarities", "none"
            )
        return Completed(self, source, K_train[np.ix_(known, known)], np.flatnonzero(known), whole)

    def take(self, items: IntArray) -> Self:
        """See Step."""
        return type(self)(
            self.source.take(items), self.method, self.lam, self.nugget, self.constraint, self.residual
        )


def source_block(source: GramMatrix, n: int, items: IntArray | None) -> FloatArray:
    """A source among the fitted items, with all of its steps fitted on them alone.

    Parameters
    ----------
    source : GramMatrix
    n : int
        Number of fitted items.
    items : (n,) int, optional
        Their positions in the source; None means all of them, in order.

    Raises
    ------
    InvalidInputError
        The source is about other items.
    """
    if (source.n if items is None else items.size) != n:
        raise InvalidInputError(
            f"Source and target have to be about the same items ({n})", f"{source.n} in the source"
        )
    if items is None:
        return source.nearest
    split = split_inductively(source, items, items[:0])
    return split.checked().K_train if source.error_bound.any() else split.K_train


class Completed(FittedStep):
    """A completion that has seen its training block."""

    def __init__(
        self, step: Complete, source: FloatArray, T: FloatArray, known: IntArray, whole: IntArray
    ) -> None:
        self.step, self.known, self.whole = step, known, whole
        constraint: Constraint = "free" if step.constraint == "free" else "shear"
        self.made = extrapolate(source, T, known, nugget=step.nugget, constraint=constraint)
        self.partly = Partly(self.made, self.made.source, self.made.T_known, step.lam)
        self.method = completion_named(step.method)
        self.residual = step.residual and self.method.leaves_residual

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        values = self.method.values(self.partly)
        return (
            values + residual_part(self.made, self.partly.source, self.step.lam) if self.residual else values
        )

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep."""
        if items is None:
            raise InvalidInputError("Completion of new items needs their positions in the source", "none")
        cross = split_inductively(self.step.source, self.whole, items)
        return self.by_source(cross.K_cross, cross.diag_test)

    def by_source(self, K_cross: FloatArray, diag: FloatArray) -> CrossBlock:
        """Values for items of which similarities (n_new, n) in the source, and to themselves there, are given.

        Raises
        ------
        InvalidInputError
            A method that reaches no items outside the fitted ones.
        """
        metric = self.method.metric(self.partly)
        if metric is None:
            raise InvalidInputError(
                f"{self.step.method} has no values for items outside the fitted ones",
                "",
                "Judge it transductively",
            )
        Phi_new = K_cross[:, self.known]
        W_new = self.made.weights_of(Phi_new)
        values, own = W_new.T @ metric @ self.made.W, np.einsum("si,st,ti->i", W_new, metric, W_new)
        if self.residual:
            values = values + (K_cross - Phi_new @ self.made.W) / self.step.lam
            unspanned_own = diag + self.step.nugget - np.einsum("is,si->i", Phi_new, W_new)
            own = own + unspanned_own / self.step.lam
        return CrossBlock(values, own)
