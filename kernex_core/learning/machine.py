"""A support vector machine as it is trained on one fold: its cost, its margin, and the units of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.labels import as_labels
from kernex_core.base.parameters import check_parameters, check_range, parameter
from kernex_core.base.validation import as_matrix, as_symmetric, check_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split, cut_blocks, split_inductively, split_transductively
from kernex_core.gram.step import Step
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation, Fold
from kernex_core.learning.smo import OneVsRestProblem, halvings, solutions_of_small_costs, solve_one_vs_rest
from kernex_core.runtime.executors import in_order, spread_in_steps

# Labels as numbers, and whether they are about the items of a kernel.


@dataclass(frozen=True, eq=False)
class Coded(EqualByContent):
    """Labels as numbers: `codes` (n,) int, −1 = unlabelled; `classes` largest first."""

    codes: IntArray
    classes: tuple[str, ...]

    @property
    def labelled(self) -> IntArray:
        """Codes of the labelled items, in their order."""
        return np.asarray(self.codes[self.codes >= 0])


def code_labels(y: ArrayLike) -> Coded:
    """Number the classes, largest first (ties by name).

    Raises
    ------
    InvalidInputError
        Fewer than two classes.
    """
    labels = as_labels(y)
    names, counts = np.unique(labels[labels != ""], return_counts=True)
    if names.size < 2:
        what = f"only class {str(names[0])!r}" if names.size else "no labels"
        raise InvalidInputError(
            "Accuracy needs items of at least two classes",
            what,
            "Bring labels, or select items of more classes",
        )
    order = sorted(range(names.size), key=lambda c: (-counts[c], names[c]))
    rank = {str(names[c]): place for place, c in enumerate(order)}
    codes = np.array([rank.get(str(label), -1) for label in labels], dtype=np.int64)
    return Coded(codes, tuple(str(names[c]) for c in order))


def labels_of(y: Labels | ArrayLike, gram: GramMatrix, *, named: bool) -> NDArray[np.str_]:
    """Labels as an array (n,), refused if they are about other items than the kernel."""
    labels = as_labels(y.y if isinstance(y, Labels) else y, gram.n)
    if named and isinstance(y, Labels) and y.ids != gram.ids:
        at = next(i for i, (a, b) in enumerate(zip(y.ids, gram.ids, strict=True)) if a != b)
        raise InvalidInputError(
            "Labels and kernel have to be about the same items in the same order",
            f"label of {y.ids[at]!r}, similarities of {gram.ids[at]!r} at position {at + 1}",
            "Align them by their ids: align(...)",
        )
    return labels


def fold_notes(classes: tuple[str, ...], codes: IntArray, config: CrossValidation) -> tuple[str, ...]:
    """Return what labels and folds mean for classes that are small, and for items without a label, in words.

    Parameters
    ----------
    classes : tuple of str
    codes : (n,) int
        Positions in `classes`; -1 = no label.
    config : CrossValidation
    """
    sizes = np.bincount(codes[codes >= 0], minlength=len(classes))
    single = [name for name, size in zip(classes, sizes, strict=True) if size == 1]
    few = [name for name, size in zip(classes, sizes, strict=True) if 1 < size < config.folds]
    unlabelled = int((codes < 0).sum())
    notes: tuple[str, ...] = ()
    if unlabelled:
        notes += (
            f"{unlabelled:,} of {codes.size:,} items have no label: they are in no fold and not counted.",
        )
    if single:
        notes += (f"Classes with one member can never be found when it is tested: {listed(single, most=6)}.",)
    if config.folds == LEAVE_ONE_OUT and not config.grouped:
        notes += (
            "Leave-one-out takes an item from its own class: a kernel that knows nothing then names another one and falls "
            "below the floor, with classes of one size to 0 %.",
        )
    if few and config.folds != LEAVE_ONE_OUT:
        notes += (f"Classes with fewer members than folds are missing from some folds: {', '.join(few)}.",)
    return notes


# C-support vector machines on precomputed kernels, one-vs-rest over all classes.

TOLERANCE = 1e-3
"""Largest violation of the optimality conditions in units of the decision value: the margin, which is at 1, or the
spread of the decision values where C times the kernel is so small that they spread by less."""
FINE_TOLERANCE = 1e-8
"""The same where decision values themselves are shown, with many digits."""
HARD_MARGIN = 1e6
"""From this C on an SVM counts as hard-margin: it should not reach C, and should make no training errors."""


@dataclass(frozen=True, eq=False)
class OneVsRest(ReadOnlyArrays):
    """One C-SVM a class, trained against all other classes: f_c(x) = sum_i beta_ci k(x, x_i) + b_c.

    Attributes
    ----------
    coefficients : (n_classes, n) float
        Signed dual coefficients beta_ci, from -C to C, each row summing to 0.
    bias : (n_classes,) float
        Minus infinity for a class without training items (it is never predicted); 1 for a class that has all.
    iterations : (n_classes,) int
    not_converged : int
        Problems that did not reach the tolerance: see `convergence_note`.
    at_bound : int
        Coefficients that reached C, over all problems.
    C : float
    dual : (k, n) float
        The dual solution of every problem, one of two classes: the coefficients, but not 0 for a function that decides
        the same everywhere. Of no use to decide by; what a bound of the objective needs.
    """

    coefficients: FloatArray
    bias: FloatArray
    iterations: IntArray
    not_converged: int
    at_bound: int
    C: float
    dual: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """Decision values (n_new, n_classes) from similarities (n_new, n) to the training items."""
        return np.asarray(K_cross @ self.coefficients.T + self.bias)

    @property
    def lam(self) -> float:
        """The same regularization written as lambda = 1 / (2 n C)."""
        return 1.0 / (2.0 * int(self.coefficients.shape[1]) * self.C)


def fit_one_vs_rest(
    K: ArrayLike,
    codes: ArrayLike,
    n_classes: int,
    *,
    C: float = 1.0,
    asymmetry: float = 0.0,
    tolerance: float = TOLERANCE,
    start: OneVsRest | None = None,
    checked: bool = False,
) -> OneVsRest:
    """Train one C-SVM a class on a precomputed kernel.

    Minimises 1/2 beta'K beta - sum_i y_i beta_i with sum_i beta_i = 0 and 0 <= y_i beta_i <= C. Two classes are one
    problem, whose mirror image is the other. The lock of the interpreter is released, so folds can run in threads.

    Parameters
    ----------
    K : (n, n) array_like
        Positive semidefinite.
    codes : (n,) array_like of int
        Class of each item, 0 to `n_classes` - 1.
    C : float
        Above 0; from 1e6 on this is a hard margin.
    asymmetry : float
        c of the asymmetric soft margin: K_ii + c n_{y_i} / n on the training diagonal, with the counts of the
        binary problem (Schoelkopf et al. 2002, section 5.4).
    tolerance : float
        Largest violation of the optimality conditions that is accepted, in units of the margin or of the spread of the
        decision values, whichever is less.
    start : OneVsRest, optional
        Solution of a similar problem on the same items (another C or kernel), from which the iteration starts.
    checked : bool
        Skip the checks of symmetry and definiteness, which cost a decomposition.

    Raises
    ------
    InvalidInputError
        Wrong shapes or values, or an asymmetric matrix.
    NotPositiveSemidefiniteError
        An indefinite matrix, which would be fitted silently and wrongly.
    """
    check_range("C", C, 0.0, open_low=True)
    check_range("The asymmetry of the margin", asymmetry, 0.0)
    check_range("The tolerance", tolerance, 0.0, open_low=True)
    values = as_matrix(K, "K") if checked else check_kernel(as_symmetric(K))
    classes = np.array(codes, dtype=np.int64)
    _check_codes(classes, values.shape, n_classes)
    # the compiled loop knows one kind of array only: writable and contiguous
    values = np.require(values, requirements=["C", "W"])
    limit = iteration_limit(classes.size)
    problems = 1 if n_classes == 2 else n_classes
    halved = halvings(values, C, asymmetry)
    beta = _start(start, problems, classes.size, C * 2.0**halved)
    problem = OneVsRestProblem(
        values, classes, problems, C * 2.0**halved, float(asymmetry), float(tolerance), limit
    )
    report = _solved(problem, beta)
    at_bound = int((np.abs(beta) >= problem.C).sum())
    dual = np.ldexp(beta, -halved)
    beta, report = solutions_of_small_costs(beta, report, classes, halved)
    made = _finished(beta, report, classes, n_classes, C, tolerance, at_bound)
    return replace(made, dual=dual)


def convergence_note(not_converged: int) -> tuple[str, ...]:
    """Say what did not converge; nothing where everything did."""
    if not not_converged:
        return ()
    return (
        f"{not_converged:,} two-class problems ended before their optimum: at the limit of iterations, or because C "
        "times the kernel is so small that its decision values are rounding. Choose another C, or normalise the kernel.",
    )


def iteration_limit(n: int) -> int:
    """Steps after which a problem of n items is given up and counted as not converged."""
    return max(100_000, 100 * n)


def warm_up() -> None:
    """Compile the solver, or load it from Numba's cache, so that the first user does not wait for it."""
    fit_one_vs_rest(np.eye(4), [0, 1, 2, 2], 3, checked=True)


def _check_codes(codes: IntArray, shape: Sequence[int], n_classes: int) -> None:
    if codes.ndim != 1 or tuple(shape) != (codes.size, codes.size) or codes.size == 0:
        raise InvalidInputError(
            "K has to have one row and one column a label", f"{tuple(shape)} and {codes.shape}"
        )
    if codes.min() < 0 or codes.max() >= n_classes:
        raise InvalidInputError(
            f"Class codes have to lie in 0 to {n_classes - 1}", f"{codes.min()} to {codes.max()}"
        )


def _start(start: OneVsRest | None, problems: int, n: int, C: float) -> FloatArray:
    """Feasible coefficients: those of `start`, shrunk as a whole where they would leave the box."""
    if start is None:
        return np.zeros((problems, n))
    given = start.coefficients[-problems:] if problems == 1 else start.coefficients
    if given.shape != (problems, n):
        raise InvalidInputError(f"A start has to have shape {(problems, n)}", str(given.shape))
    return np.array(given * min(1.0, C / start.C), order="C")


def _solved(problem: OneVsRestProblem, beta: FloatArray) -> FloatArray:
    p, report = problem, np.full((problem.problems, 4), [0.0, 0.0, 0.0, np.inf])
    first = 1 if p.problems == 1 else 0
    solve_one_vs_rest(
        p.K, p.codes, first, p.problems, p.C, p.asymmetry, p.tolerance, p.max_iter, beta, report
    )
    return report


def _finished(
    beta: FloatArray,
    report: FloatArray,
    codes: IntArray,
    n_classes: int,
    C: float,
    tolerance: float,
    at_bound: int,
) -> OneVsRest:
    bias = report[:, 0]
    not_converged = int((report[:, 2] >= tolerance).sum())
    if n_classes == 2 and beta.shape[0] == 1:
        beta, bias, report = np.vstack([-beta, beta]), np.array([-bias[0], bias[0]]), report[[0, 0]]
    counts = np.bincount(codes, minlength=n_classes)
    bias = np.where(counts == 0, -np.inf, np.where(counts == codes.size, 1.0, bias))
    beta[(counts == 0) | (counts == codes.size)] = 0.0
    return OneVsRest(beta, bias, report[:, 1].astype(np.int64), not_converged, at_bound, float(C))


PAPER_ASYMMETRY = 0.02


def hard_margin_parameter() -> float:
    """Field for C in the protocols of the paper on almost orthogonal patterns, which start with a hard margin."""
    made: float = parameter(
        HARD_MARGIN, label="Cost", symbol="C", help="From 1e6 on a hard margin, in units of the mean diagonal.",
        low=1e-4, high=1e7, logarithmic=True,
    )  # fmt: skip
    return made


@dataclass(frozen=True)
class Margin:
    """What else decides on the margin of a support vector machine besides C."""

    scaled: bool = parameter(
        True,
        label="Divide by the mean diagonal",
        help="Before every training: the kernel over its mean training diagonal. A power changes the scale of a kernel, so "
        "that without this a fixed C means something else at every p.",
    )
    asymmetry: float = parameter(
        0.0,
        label="Asymmetric margin",
        symbol="c",
        help="Adds c × the share of its class among the training items to each training self-similarity, after the "
        f"division: the rarer class gets the harder margin. 0: the same for both. The paper has {PAPER_ASYMMETRY}.",
        low=0.0,
        high=10.0,
        step=0.01,
    )

    def __post_init__(self) -> None:
        check_parameters(self)


SYMMETRIC = Margin()
UNSCALED = Margin(scaled=False)
"""C in the units of the kernel as it is: what the pages Evaluate, Combine and Complete have."""


class Trained(NamedTuple):
    """A machine, and both blocks in the units that it was trained in."""

    machine: OneVsRest
    K_train: FloatArray
    K_cross: FloatArray

    @property
    def decisions(self) -> FloatArray:
        """Decision values (n_test, n_classes) of the test items."""
        return self.machine.decide(self.K_cross)


@dataclass(frozen=True, eq=False)
class Machine(EqualByContent):
    """One C-SVM a class.

    Attributes
    ----------
    C : float
        In units of the mean training diagonal if the margin is scaled; from 1e6 on a hard margin.
    margin : Margin
    tolerance : float
        See `fit_one_vs_rest`.
    checked : bool
        Training blocks are known to be kernels and are not looked at again.
    """

    C: float
    margin: Margin = UNSCALED
    tolerance: float = TOLERANCE
    checked: bool = True

    def train(self, blocks: Split, codes: IntArray, n_classes: int) -> Trained:
        """Train on the training block of a fold.

        Parameters
        ----------
        blocks : Split
        codes : (n_train,) int
            Classes of the training items, 0 to n_classes − 1.
        n_classes : int

        Raises
        ------
        NotPositiveSemidefiniteError
            A block that has to be looked at and is no kernel.
        """
        if not self.checked:
            blocks = blocks.checked()
        K_train, K_cross = blocks.K_train, blocks.K_cross
        if self.margin.scaled:
            mean = float(np.diag(K_train).mean())
            scale = 1.0 / mean if mean > 0.0 else 1.0
            K_train, K_cross = K_train * scale, K_cross * scale
        fitted = fit_one_vs_rest(
            K_train, codes, n_classes, C=self.C, asymmetry=self.margin.asymmetry, tolerance=self.tolerance,
            checked=True,
        )  # fmt: skip
        return Trained(fitted, K_train, K_cross)


# Folds: the one way in which kernels are judged, whatever is measured and on whatever page.
#
# `cut` says what a fold sees of a kernel, `measure` what is made of it, both by descriptions that can be pickled (functions
# of modules, `functools.partial`, frozen values): folds share the threads here, or leave them (`runtime/workers.py`).

R = TypeVar("R")
Cut = Callable[[IntArray, IntArray], Split]
"""Blocks of a kernel for (train, test)."""
Measure = Callable[[Fold, Split], R]
"""What is made of one fold and its blocks."""
SMALL = 200
"""Training items up to which a fold takes about a millisecond, unless much is chosen or fitted in it."""


@dataclass(frozen=True, eq=False)
class WeighedSplit(Split):
    """Blocks of what was made of M kernels in a fold.

    Attributes
    ----------
    weights : (M,) float
        Made of the training block.
    cost : float
        C of learned weights that was chosen among the training items; NaN where none was.
    """

    weights: FloatArray = field(default_factory=lambda: np.zeros(0))
    cost: float = float("nan")
    _inside: Cut | None = field(default=None, compare=False, repr=False)

    @property
    def inside(self) -> Cut | None:
        """How folds of the training items are cut, with what was chosen for this one; None where nothing was."""
        return self._inside


def weights_of(blocks: Split) -> FloatArray:
    """(M,) weights that a cut made inside the fold; none of a single kernel."""
    return blocks.weights if isinstance(blocks, WeighedSplit) else np.zeros(0)


def cost_of_weights(blocks: Split) -> float:
    """C of learned weights that was chosen inside the fold; NaN where none was."""
    return blocks.cost if isinstance(blocks, WeighedSplit) else float("nan")


def cut_inside(blocks: Split, cut: Cut) -> Cut:
    """How folds of the training items are cut: what was chosen among them for the whole fold is not chosen again."""
    own = blocks.inside if isinstance(blocks, WeighedSplit) else None
    return cut if own is None else own


def cut_of(K: GramMatrix, *, inductive: bool, further: Sequence[Step] = ()) -> Cut:
    """How a kernel is cut into blocks.

    Parameters
    ----------
    K : GramMatrix
    inductive : bool
        Fit its steps on the training items of every fold; otherwise they saw all items.
    further : sequence of Step
        Taken after those of K, like them. An inductive run never takes them on all items, where they might fail.
    """
    if inductive:
        return partial(split_inductively, K, further=further)
    for step in further:
        K = K.then(step)
    return partial(split_transductively, K)


def over_folds(measure: Measure[R], cut: Cut, folds: Sequence[Fold]) -> list[R]:
    """Measure every fold, in their order."""
    return in_order(partial(_one, measure, cut), folds, small=_small(folds))


def over_folds_in_steps(measure: Measure[R], cut: Cut, folds: Sequence[Fold]) -> Iterator[list[R]]:
    """The same in steps, at least every quarter of a second (`executors.spread_in_steps`)."""
    return spread_in_steps(partial(_one, measure, cut), folds, small=_small(folds))


def cross_decisions(K: FloatArray, coded: Coded, folds: Sequence[Fold], machine: Machine) -> list[FloatArray]:
    """Decision values (n_test, n_classes) of every fold of a matrix (n, n) that is known to be a kernel."""
    return over_folds(partial(_decisions, machine, coded), partial(cut_blocks, K), folds)


def _decisions(machine: Machine, coded: Coded, fold: Fold, blocks: Split) -> FloatArray:
    return machine.train(blocks, coded.codes[fold.train], len(coded.classes)).decisions


def _small(folds: Sequence[Fold]) -> bool:
    return all(fold.train.size <= SMALL for fold in folds)


def _one(measure: Measure[R], cut: Cut, fold: Fold) -> R:
    return measure(fold, cut(fold.train, fold.test))
