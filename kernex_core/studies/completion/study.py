"""Study of the page Complete: hide part of a target kernel, complete it from a source, look at every λ.

`prepare` conditions both kernels and decomposes once; `view` answers a move of λ from that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_parameters, parameter, repetition_rng
from kernex_core.base.validation import MOST_ITEMS, check_item_count
from kernex_core.completion.approximation import Constraint
from kernex_core.completion.baselines import mean_fill, nystroem, zero_fill
from kernex_core.completion.complete import Complete, residual_part
from kernex_core.completion.extrapolate import (
    Extrapolation,
    constraint_parameter,
    extrapolate,
    nugget_parameter,
)
from kernex_core.completion.hide import Hide, hidden_items
from kernex_core.conditioning.impute import FillUnknown
from kernex_core.conditioning.repairs import REPAIR_CHOICES, conditioned, repaired
from kernex_core.gram.combine import LIMIT, JointPath
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize

# What the page Complete can be asked: what is hidden, and how both kernels are conditioned.


@dataclass(frozen=True)
class CompletionConfig:
    """What is hidden and how both kernels are conditioned; λ is not part of it."""

    share: float | None = parameter(
        0.25,
        label="Hidden share of the target",
        help="Share of the known items whose target similarities are hidden, to see how well they are rebuilt. "
        "Empty: as uploaded, only what is unknown anyway.",
        low=0.0,
        high=0.95,
        step=0.05,
        unit="%",
        optional=True,
        auto="as uploaded",
    )
    nugget: float = nugget_parameter()
    seed: int = parameter(
        0, label="Seed", help="Draws which items are hidden.", low=0, high=2**31 - 1, step=1
    )
    constraint: str = constraint_parameter()
    repair: str = parameter(
        "clip",
        label="Repair",
        help="What is done with negative eigenvalues before anything else; kernels without any are left as they are.",
        choices=REPAIR_CHOICES,
    )
    repair_whole: bool = parameter(
        False,
        label="Repair before hiding",
        help="As in the paper: the whole target is repaired and then hidden. What is hidden leaks into what is known.",
    )
    normalize: bool = parameter(
        True,
        label="Cosine normalisation",
        help="Every item gets self-similarity 1 before the nugget is added.",
    )
    residual: bool = parameter(
        False,
        label="Keep the residual",
        help="Add the part of the source that the known items do not span, divided by λ.",
    )
    normalize_after: bool = parameter(
        False,
        label="Normalise the joint kernel",
        help="Cosine normalisation of the result; the papers have none, and it changes accuracies a lot.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


# How far a completed kernel is from the truth on what was hidden.


@dataclass(frozen=True, eq=False)
class HiddenPairs(ReadOnlyArrays):
    """Pairs off the diagonal with a hidden item whose truth is known, of which many kernels are asked.

    A kernel is symmetric: the rows of the hidden items hold every such pair, and what stands in a column of another item
    stands for its mirror too, so that it counts twice (times √2 before it is squared).

    Attributes
    ----------
    rows : (h,) int
        The hidden items; all items where no such pair is hidden.
    weights : (m,) float
        √2 in the columns of other items, 1 elsewhere.
    left_out : (l,) int
        Places in these rows, read one after the other, that are no such pair.
    truth : (h, m) float
        In these rows, times the weights; 0 where it is left out.
    count : int
        Number of pairs, each with its mirror; 0 where none is hidden.
    """

    rows: IntArray
    weights: FloatArray
    left_out: IntArray
    truth: FloatArray
    count: int

    @classmethod
    def of(cls, truth: FloatArray, hidden: BoolArray) -> HiddenPairs:
        """Those of a truth (m, m), NaN where it is unknown, and the hidden items (m,)."""
        rows = np.flatnonzero(hidden)
        known = _known_in(truth, rows)
        count = int(known[:, hidden].sum() + 2 * known[:, ~hidden].sum())
        if not count:
            # where nothing is hidden, the factor is that of what is known: the error would show the shrinkage alone
            rows = np.arange(hidden.size)
            known = _known_in(truth, rows)
        weights = np.full(hidden.size, np.sqrt(2.0))
        weights[rows] = 1.0
        left_out = np.flatnonzero(~known)
        values = truth[rows] * weights
        values.flat[left_out] = 0.0
        return cls(rows, owned(weights), owned(left_out), owned(values), count)

    def error(self, K: FloatArray) -> tuple[float, float]:
        """Root mean square error of a kernel on these pairs, and the factor that it was scaled by.

        The factor is that of least squares for every kernel: one that is shrunk is not worse for that.
        """
        values = K[self.rows] * self.weights
        values.flat[self.left_out] = 0.0
        made, truth = values.ravel(), self.truth.ravel()
        square = float(made @ made)
        scale = float(made @ truth) / square if square > 0.0 else 1.0
        if not self.count:
            return float("nan"), scale
        made *= scale
        made -= truth
        return float(np.sqrt(made @ made / self.count)), scale


def _known_in(truth: FloatArray, rows: IntArray) -> BoolArray:
    """Which entries of these rows are known and off the diagonal."""
    known = ~np.isnan(truth[rows])
    known[np.arange(rows.size), rows] = False
    return known


SCATTERED_FILLS = {"zero-fill": "zero", "mean-fill": "mean"}
"""Which of `FILLS` stands for a baseline where single pairs are unknown."""


@dataclass(frozen=True, eq=False)
class Completion(ReadOnlyArrays):
    """Everything about one hidden set that does not depend on λ.

    Attributes
    ----------
    source, known_target : GramMatrix
        Conditioned; the target's hidden items are unknown, and so is every pair outside the known items.
    target : GramMatrix
        As it was brought, with nothing hidden.
    truth : (m, m) float
        The target conditioned in the same way with nothing hidden; NaN where it never was known.
    known, hidden : (m,) bool
        Items that the completion rests on, and those that were hidden on purpose.
    extrapolation : Extrapolation
    path : JointPath
        K_joint(λ) on all m items.
    """

    config: CompletionConfig
    source: GramMatrix
    known_target: GramMatrix
    target: GramMatrix
    truth: FloatArray
    known: BoolArray
    hidden: BoolArray
    extrapolation: Extrapolation
    path: JointPath

    @property
    def m(self) -> int:
        """Number of items."""
        return self.source.n

    @property
    def seen(self) -> GramMatrix:
        """The target as it was brought, its hidden items unknown: what a baseline that fills single pairs can see."""
        return _hiding(self.target, np.flatnonzero(self.hidden))

    @property
    def baselines(self) -> dict[str, FloatArray]:
        """Plain alternatives on all items, by role: zero-fill, mean-fill, nystroem; made anew for each who asks.

        Each fill rests on all that is known: where single pairs are unknown, also on those that the completion cannot use.
        """
        T, S = self.extrapolation.T_known, self.extrapolation.known
        if self.scattered:
            fills = {method: self.kernel(0.0, method).values for method in SCATTERED_FILLS}
        else:
            fills = {"zero-fill": zero_fill(T, S, self.m), "mean-fill": mean_fill(T, S, self.m)}
        return {**fills, "nystroem": nystroem(self.extrapolation, self.extrapolation.source)}

    @cached_property
    def scattered(self) -> bool:
        """Whether pairs are known that no block of items known among themselves holds."""
        return bool(self.seen.unknown.dropped.size)

    @property
    def errors(self) -> dict[str, float]:
        """Root mean square error on hidden pairs of everything without λ, scaled by least squares as the joint kernel is."""
        if "_errors" not in vars(self):
            self.plain  # noqa: B018  # which notes them
        found: dict[str, float] = vars(self)["_errors"]
        return found

    @cached_property
    def hidden_pairs(self) -> HiddenPairs:
        """What every λ is asked about: the pairs with a hidden item, and their truth."""
        return HiddenPairs.of(self.truth, self.hidden)

    @property
    def plain(self) -> dict[str, FloatArray]:
        """Completed kernels without λ on all items, by name of `COMPLETIONS`: what `kernel(method=...)` records.

        Nothing is added to one and not to another. The nugget stands where a method has it inside: in W of the
        extrapolated kernel, and in the source that the Nyström one rebuilds. They are made anew for each who asks, and their
        errors are kept.
        """
        made = {"extrapolated": self.extrapolation.T_hat, **self.baselines}
        if "_errors" not in vars(self):
            vars(self)["_errors"] = {name: self.hidden_pairs.error(K)[0] for name, K in made.items()}
        return made

    @property
    def explained_median(self) -> float | None:
        """Median over the items that are not known of the share that the known items explain; None if all are known."""
        unknown = self.extrapolation.unexplained[~self.known]
        return float(1.0 - np.median(unknown)) if unknown.size else None

    @cached_property
    def spectra(self) -> dict[str, FloatArray]:
        """Eigenvalues, descending, of the truth (its known block) and of the extrapolated kernel."""
        found = {"extrapolated": eigenvalues(self.extrapolation.T_hat)}
        at = ~np.isnan(np.diag(self.truth))
        return {"target": eigenvalues(self.truth[np.ix_(at, at)])} | found if at.any() else found

    def kernel(self, lam: float, method: str = "joint") -> GramMatrix:
        """Return the completed kernel with the record of all its steps, ready to be kept or written as a script."""
        if self.scattered and method in SCATTERED_FILLS:
            return self._after(self._filled(SCATTERED_FILLS[method]))
        step = Complete(
            self.source,
            method=method,
            lam=lam,
            nugget=self.config.nugget,
            constraint=self.config.constraint,
            residual=self.config.residual and method == "joint",
        )
        return self._after(self.known_target.then(step))

    def _filled(self, fill: str) -> GramMatrix:
        """The target with one value for every unknown pair, as the page Kernels fills it: normalised, then repaired."""
        made = self.seen.then(FillUnknown(fill))
        made = made.then(CosineNormalize()) if self.config.normalize else made
        # a filled matrix may be indefinite however definite its known block is, and has to be a kernel to be judged
        return repaired(made, "clip" if self.config.repair == "none" else self.config.repair)

    def _after(self, K: GramMatrix) -> GramMatrix:
        return K.then(CosineNormalize()) if self.config.normalize_after else K


@dataclass(frozen=True, eq=False)
class CompletionView(ReadOnlyArrays):
    """What a value of λ shows.

    Attributes
    ----------
    lam : float
    K, truth : (m, m) float
        The joint kernel, and the target; NaN where that is unknown.
    scale : float
        Least-squares factor on hidden pairs (known if none is): the joint kernel is shrunk; its error would show that.
    hidden_error : float
        Root mean square of the error on hidden pairs (off the diagonal); NaN if nothing is hidden.
    """

    lam: float
    K: FloatArray
    truth: FloatArray
    scale: float
    hidden_error: float

    @property
    def error(self) -> FloatArray:
        """scale · K − truth, (m, m); NaN where the truth is unknown. Made anew for each who asks."""
        made = self.scale * self.K
        made -= self.truth
        return owned(made)


def prepare_source(config: CompletionConfig, source: GramMatrix) -> GramMatrix:
    """Condition the source.

    Raises
    ------
    InvalidInputError
        If the source has unknown entries.
    """
    check_item_count(source.n, MOST_ITEMS)
    if not source.unknown.complete:
        raise InvalidInputError(
            "The source has to be known for every pair",
            f"{source.unknown.unknown_pairs:,} unknown pairs in {source.name!r}",
            "Choose another kernel as the source, or exchange source and target",
        )
    return conditioned(config, source)


def prepare(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    *,
    repetition: int = 0,
    whole: GramMatrix | None = None,
) -> Completion:
    """Hide, condition, decompose.

    Parameters
    ----------
    config : CompletionConfig
    source : GramMatrix
        Conditioned already (`prepare_source`), so that one decomposition serves every hidden share.
    target : GramMatrix
        Raw; unknown entries are NaN.
    repetition : int
        Draws another hidden set under the same seed; 0 is the one that the page shows.
    whole : GramMatrix, optional
        `conditioned(config, target)`, where many hidden sets share it.

    Raises
    ------
    InvalidInputError
        Other items, or fewer than two known ones.
    """
    if target.ids != source.ids:
        raise InvalidInputError(
            "Source and target have to be about the same items", "other ids", "Align them by id"
        )
    known_before = target.known
    if known_before.sum() < 2:
        raise InvalidInputError(
            "The target has to be known for at least two items", f"{int(known_before.sum())} known items"
        )
    at = draw_hidden(known_before, config.share, config.seed, repetition)
    whole = conditioned(config, target) if whole is None else whole
    if config.repair_whole or not at.size:  # where nothing is hidden, what is shown is the whole
        known_target = _hiding(whole, at)
    else:
        known_target = conditioned(config, _hiding(target, at))
    return _completed(config, source, known_target, target, whole.values, np.isin(np.arange(source.n), at))


def _hiding(target: GramMatrix, at: IntArray) -> GramMatrix:
    return target.then(Hide(tuple(map(int, at)))) if at.size else target


def draw_hidden(known: BoolArray, share: float | None, seed: int, repetition: int = 0) -> IntArray:
    """Positions to hide; none if the share is None (as uploaded)."""
    if share is None:
        return np.zeros(0, dtype=np.int64)
    return hidden_items(known, share, rng=repetition_rng(seed, repetition))


def _completed(
    config: CompletionConfig,
    source: GramMatrix,
    known_target: GramMatrix,
    target: GramMatrix,
    truth: FloatArray,
    hidden: BoolArray,
) -> Completion:
    known = known_target.known
    constraint: Constraint = "free" if config.constraint == "free" else "shear"
    T = owned(known_target.nearest[np.ix_(known, known)])
    # what a repair has left is a kernel; hundreds of hidden sets share the source
    made = extrapolate(
        source.nearest, T, known, nugget=config.nugget, constraint=constraint, checked=config.repair != "none"
    )
    return Completion(config, source, known_target, target, truth, known, hidden, made, made.path())


def joint_values(completion: Completion, lam: float, *, residual: bool | None = None) -> FloatArray:
    """K_joint(λ) on all items, (m, m): the fast way to what `Completion.kernel` records step by step.

    Parameters
    ----------
    completion : Completion
    lam : float
    residual : bool, optional
        Keep what the known items do not span of the source; as configured by default.
    """
    K = completion.path.kernel(lam)
    if completion.config.residual if residual is None else residual:
        K = K + residual_part(completion.extrapolation, completion.extrapolation.source, lam)
    return CosineNormalize()(K) if completion.config.normalize_after else K


def other_joint_error(completion: Completion, lam: float) -> float:
    """Error on hidden pairs of the joint kernel with the residual, or without it where the configuration keeps it.

    NaN where there is none: under the free constraint, and at λ = 0.
    """
    residual = not completion.config.residual
    if residual and (completion.config.constraint == "free" or lam < LIMIT):
        return float("nan")
    return completion.hidden_pairs.error(joint_values(completion, lam, residual=residual))[0]


def view(completion: Completion, lam: float) -> CompletionView:
    """Answer a move of λ from the decompositions that are there."""
    K = joint_values(completion, lam)
    error, scale = completion.hidden_pairs.error(K)
    return CompletionView(lam, owned(K), completion.truth, scale, error)


def joint_spectrum(completion: Completion, lam: float) -> FloatArray:
    """Eigenvalues of K_joint(λ), descending, (m,); not part of a view, which most moves of λ show without them."""
    if completion.config.residual or completion.config.normalize_after:
        # neither is a product with the factor of the path
        return eigenvalues(joint_values(completion, lam))
    return completion.path.eigenvalues(lam)


def eigenvalues(K: FloatArray) -> FloatArray:
    """Eigenvalues of a symmetric matrix, descending."""
    return lapack.eigvalsh(K)[::-1]
