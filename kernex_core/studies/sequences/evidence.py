"""Why one sequence is taken for one class: its decision value as a sum over its k-mers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.kernels.sequences.kmer_weights import KmerWeights, kmer_tables
from kernex_core.studies.sequences.classifier import KmerClassifier, divided


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
