"""Study of the question "Why this class?": one C-SVM a class on a k-mer kernel.

`kernex_core.studies.sequences.classifier` writes its decision value as a sum over the k-mers of a sequence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter, parameters
from kernex_core.base.validation import MOST_ITEMS, check_item_count
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import AbstractKernel, Progress, no_progress
from kernex_core.kernels.sequences.kmer_weights import KmerWeights, kmer_tables
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import FINE_TOLERANCE, OneVsRest, code_labels, fit_one_vs_rest

KmerKernel = Spectrum | SpectrumSum | Mismatch


@dataclass(frozen=True)
class ClassConfig:
    """How the classifier is trained."""

    C: float = parameter(
        10.0,
        label="Cost",
        symbol="C",
        help=parameters(CrossValidation)["C"].help,
        low=1e-4,
        high=1e7,
        logarithmic=True,
    )
    normalize: str = parameter(
        "cosine",
        label="Normalise",
        help="cosine: K(x,y) / √(K(x,x) K(y,y)), so that long sequences do not outweigh short ones. "
        "none: the kernel as it is.",
        choices=("none", "cosine"),
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class KmerClassifier(ReadOnlyArrays):
    """One C-SVM a class, trained on sequences by a kernel on k-mers.

    Attributes
    ----------
    kernel : Spectrum, SpectrumSum or Mismatch
        With its alphabet resolved on all sequences.
    config : ClassConfig
    ids, strings : tuple of n str
        The training sequences.
    classes : tuple of str
        Largest first.
    machine : OneVsRest
    lengths : (n,) float
        sqrt(K(x_i, x_i)), or 1 without normalisation.
    """

    kernel: KmerKernel
    config: ClassConfig
    ids: tuple[str, ...]
    strings: tuple[str, ...]
    classes: tuple[str, ...]
    machine: OneVsRest
    lengths: FloatArray

    def length(self, string: str) -> float:
        """sqrt(K(x, x)), or 1 without normalisation."""
        if self.config.normalize == "none":
            return 1.0
        return math.sqrt(float(self.kernel.cross((string,), (string,))[0, 0]))

    def decide(self, string: str) -> FloatArray:
        """(n_classes,) decision values Σ_i β_ci k(x, x_i) + b_c, from a row of the kernel and no weight of a k-mer."""
        row = self.kernel.cross((string,), self.strings)
        scaled = divided(row, self.lengths * self.length(string))
        return np.asarray(self.machine.decide(scaled)[0])


def has_kmer_weights(kernel: object) -> TypeGuard[KmerKernel]:
    """Whether a classifier on this kernel is a table of weights of k-mers."""
    return isinstance(kernel, KmerKernel)


def train_on_kmers(
    kernel: KmerKernel,
    samples: Sequences,
    labels: Labels,
    config: ClassConfig,
    *,
    without: str = "",
    K: GramMatrix | None = None,
    progress: Progress = no_progress,
) -> KmerClassifier:
    """Train one C-SVM a class, against all other classes, on all labelled sequences.

    Parameters
    ----------
    kernel : Spectrum, SpectrumSum or Mismatch
        An open alphabet is set from all sequences.
    samples : Sequences
    labels : Labels
        Of the same items; "" = unlabelled.
    config : ClassConfig
    without : str
        Id of a sequence that is left out of the training; "" leaves none out.
    K : GramMatrix, optional
        The kernel's matrix of all samples, not normalised, where it is there already.

    Raises
    ------
    InvalidInputError
        A kernel without k-mers, labels or a matrix of other items, fewer than two classes, or no k-mer in any
        labelled sequence.
    TooLargeError
        More labelled sequences than a matrix is computed for.
    """
    if not has_kmer_weights(kernel):
        raise InvalidInputError(
            "Weights of k-mers belong to a spectrum kernel, a sum of them, or a mismatch kernel",
            str(getattr(kernel, "title", type(kernel).__name__)),
        )
    kernel = kernel.of(samples)
    train = _training_items(samples, labels, without, K)
    strings = tuple(samples.strings[i] for i in train)
    values = kernel.gram(strings, progress=progress) if K is None else K.values[np.ix_(train, train)]
    diagonal = np.diag(values)
    if not diagonal.any():
        raise InvalidInputError(
            f"A classifier on k-mers needs sequences with a k-mer of {kernel.k} known letters",
            f"none in the {len(train):,} labelled sequences",
            "Choose a shorter k, or an alphabet with their letters",
        )
    normalized = config.normalize == "cosine"
    coded = code_labels(labels.y[train])
    # a Gram matrix of counts is positive semidefinite by construction
    machine = fit_one_vs_rest(
        cosine_normalize(values) if normalized else values,
        coded.codes, len(coded.classes), C=config.C, checked=True, tolerance=FINE_TOLERANCE,
    )  # fmt: skip
    lengths = np.sqrt(diagonal) if normalized else np.ones(len(train))
    return KmerClassifier(
        kernel, config, tuple(samples.ids[i] for i in train), strings, coded.classes, machine, lengths
    )


def _training_items(samples: Sequences, labels: Labels, without: str, K: GramMatrix | None) -> Sequence[int]:
    """Positions of the labelled sequences but one, refused where no classifier can be trained on them."""
    for what, ids in (("Labels", labels.ids), ("The matrix", samples.ids if K is None else K.ids)):
        if ids != samples.ids:
            raise InvalidInputError(
                f"{what} and sequences have to be about the same items in the same order", "other ids",
                "Align them by their ids: align(...)",
            )  # fmt: skip
    train = [int(i) for i in np.flatnonzero(labels.labelled) if samples.ids[i] != without]
    check_item_count(len(train), MOST_ITEMS)
    classes = set(labels.y[train].tolist())
    if len(classes) < 2:
        left = f", {without!r} left out" if without else ""
        raise InvalidInputError(
            "A classifier needs labelled sequences of at least two classes",
            (f"only class {classes.pop()!r}" if classes else "no labels") + left,
            "Bring labels on the page Data, or select items of more classes",
        )
    return train


def divided(values: FloatArray, by: FloatArray | float) -> FloatArray:
    """Quotient; 0 where a sequence has length 0, whose direction is not defined."""
    divisor = np.broadcast_to(np.asarray(by, dtype=np.float64), values.shape)
    return np.divide(values, divisor, out=np.zeros(values.shape), where=divisor > 0.0)


# Why one sequence is taken for one class: its decision value as a sum over its k-mers.


@dataclass(frozen=True, eq=False)
class KmerEvidence(EqualByContent):
    """A k-mer, its weight w_u in the classifier, φ_u(x) in one sequence, and what that contributes to f(x)."""

    kmer: str
    weight: float
    occurrences: float
    contribution: float


@dataclass(frozen=True, eq=False)
class ClassEvidence(ReadOnlyArrays):
    """The decision value of one sequence for one class, as a sum over the sequence.

    Attributes
    ----------
    string, of_class : str
    decisions : (n_classes,) float
        As the kernel and the support vectors give them; `classes` are their names.
    decision, intercept : float
        f(x) of this class, and b.
    length : float
        sqrt(K(x, x)), by which a cosine-normalised f(x) − b is divided; 1 without normalisation.
    tables : tuple of KmerWeights
        w_u, one table for each length of k-mers.
    windows : tuple of (|x| − k + 1,) float
        Contribution of each window, one array a table; all of them and b sum to f(x).
    along : (|x|,) float
        The same shared out to the letters of each window.
    """

    string: str
    of_class: str
    classes: tuple[str, ...]
    decisions: FloatArray
    decision: float
    intercept: float
    length: float
    tables: tuple[KmerWeights, ...]
    windows: tuple[FloatArray, ...]
    along: FloatArray

    @property
    def sum_of_windows(self) -> float:
        """Contributions of all windows, added up."""
        return math.fsum(value for each in self.windows for value in each.tolist())

    @property
    def discrepancy(self) -> float:
        """|sum of windows + b − decision| relative to the largest of them: rounding, if all is right."""
        made = self.sum_of_windows
        return abs(made + self.intercept - self.decision) / max(
            abs(made), abs(self.intercept), abs(self.decision), 1.0
        )

    @cached_property
    def _present(self) -> tuple[FloatArray, ...]:
        return tuple(table.occurrences(self.string) for table in self.tables)

    def heaviest(self, n: int, *, positive: bool, here: bool = False) -> tuple[KmerEvidence, ...]:
        """The n k-mers that speak most for (or against) the class, largest first.

        Parameters
        ----------
        n : int
        positive : bool
            Those for the class; else those against it.
        here : bool
            By what they contribute to this sequence, w_u φ_u(x); else by w_u.
        """
        sign = 1.0 if positive else -1.0
        found = []
        for table, present in zip(self.tables, self._present, strict=True):
            by = sign * (table.weights * present if here else table.weights)
            # a full sort of millions of mismatch features would take a second
            least = float(np.partition(by, -n)[-n]) if by.size > n else 0.0
            first = np.flatnonzero((by >= least) & (by > 0.0))
            order = first[np.argsort(-by[first], kind="stable")][:n]
            found += [(float(by[i]), self._evidence(table, present, int(i))) for i in order]
        found.sort(key=lambda each: -each[0])
        return tuple(evidence for _, evidence in found[:n])

    def evidence(self) -> dict[str, NDArray[np.generic]]:
        """Columns k-mer, weight, occurrences and contribution of every k-mer with a weight, by length, then sorted."""
        used = [np.flatnonzero(table.weights) for table in self.tables]
        parts = list(zip(self.tables, self._present, used, strict=True))
        weights = np.concatenate([table.weights[at] for table, _, at in parts])
        occurrences = np.concatenate([present[at] for _, present, at in parts])
        made = weights * occurrences / self.length if self.length else np.zeros(weights.size)
        kmers = np.concatenate([table.kmers[at] for table, _, at in parts])
        return {"kmer": kmers, "weight": weights, "occurrences": occurrences, "contribution": made}

    def _evidence(self, table: KmerWeights, present: FloatArray, i: int) -> KmerEvidence:
        weight, occurrences = float(table.weights[i]), float(present[i])
        made = weight * occurrences / self.length if self.length else 0.0
        return KmerEvidence(str(table.kmers[i]), weight, occurrences, made)


def explain_class(classifier: KmerClassifier, string: str, of_class: str) -> ClassEvidence:
    """Write f(x) of one class as b and a sum over the windows of x.

    w_u = Σ_i α_i φ_u(x_i) with α_i = β_i, or β_i / sqrt(K(x_i, x_i)) with f(x) − b divided by sqrt(K(x, x)).

    Raises
    ------
    InvalidInputError
        A class that the classifier was not trained on.
    TooLargeError
        More (k-mer, feature) pairs than are listed.
    """
    if of_class not in classifier.classes:
        raise InvalidInputError(
            f"The classifier knows {', '.join(map(repr, classifier.classes[:8]))}",
            repr(of_class),
            "Choose one of its classes; without its only sequence a class is unknown",
        )
    c, machine = classifier.classes.index(of_class), classifier.machine
    alpha = divided(machine.coefficients[c], classifier.lengths)
    tables = kmer_tables(classifier.kernel, classifier.strings, alpha)
    length = classifier.length(string)
    decisions = classifier.decide(string)
    windows = tuple(divided(table.windows(string), length) for table in tables)
    along = np.sum([divided(table.along(string), length) for table in tables], axis=0)
    return ClassEvidence(
        string, of_class, classifier.classes, decisions, float(decisions[c]), float(machine.bias[c]), length,
        tables, windows, along,
    )  # fmt: skip


# Nearest neighbours of one item of a data set, from its row of the kernel alone.

CELL_LIMIT = 100_000_000
"""Largest number of letter pairs that a row, or a pair, of a quadratic kernel may take: a few seconds."""


@dataclass(frozen=True, eq=False)
class Neighbours(ReadOnlyArrays):
    """All other items by their similarity to one item.

    Attributes
    ----------
    item : str
    self_similarity : float
        K(x, x).
    ids : tuple of n − 1 str
        The other items, most similar first; ties in the order of the data.
    values : (n − 1,) float
        Their similarities, before any normalisation.
    """

    item: str
    self_similarity: float
    ids: tuple[str, ...]
    values: FloatArray


def check_cells(
    kernel: AbstractKernel[Sequence[str]], string: str, others: Sequence[str], limit: int = CELL_LIMIT
) -> None:
    """Refuse what would take a quadratic kernel more than `limit` pairs of letters; those on k-mers are linear.

    Raises
    ------
    TooLargeError
    """
    cells = len(string) * sum(map(len, others))
    if cells > limit and kernel.by_pairs:
        raise TooLargeError(
            f"{kernel.title} compares every letter with every letter: up to {limit:,} pairs at once",
            f"{cells:,}",
            "Choose a shorter sequence, fewer items, or a kernel on k-mers such as Spectrum",
        )


def neighbours(kernel: AbstractKernel[Sequence[str]], samples: Sequences, item: str) -> Neighbours:
    """Rank all other items by K(item, ·), computing one row and not the matrix.

    Parameters
    ----------
    kernel : AbstractKernel
        A kernel on strings; data-dependent defaults that are open are set from the samples.
    samples : Sequences
    item : str
        Id of one of them.

    Raises
    ------
    InvalidInputError
        An id that the samples do not have, or strings that the kernel refuses.
    TooLargeError
        A row of a quadratic kernel above CELL_LIMIT pairs of letters.
    """
    if item not in samples.ids:
        raise InvalidInputError("Neighbours are those of an item of the data", repr(item))
    kernel.check(samples.values, samples.ids)
    at = samples.ids.index(item)
    check_cells(kernel, samples.strings[at], samples.strings)
    row = kernel.of(samples).cross((samples.strings[at],), samples.strings)[0]
    order = [int(i) for i in np.argsort(-row, kind="stable") if i != at]
    return Neighbours(item, float(row[at]), tuple(samples.ids[i] for i in order), row[order])
