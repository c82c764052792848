"""Study of the question "Why this class?": one C-SVM a class on a k-mer kernel.

`kernex_core.studies.sequences.evidence` writes its decision value as a sum over the k-mers of a sequence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import Progress, no_progress
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.learning.coded import code_labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.svm import FINE_TOLERANCE, OneVsRest, fit_one_vs_rest
from kernex_core.parameters import check_parameters, parameter, parameters
from kernex_core.validation import MOST_ITEMS, check_item_count

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
