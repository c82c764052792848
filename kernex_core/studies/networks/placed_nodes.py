"""How well rows of similarities place hidden nodes: beside the true rows, and by a machine trained on the known nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.judgement import NAN
from kernex_core.learning.predict import predict_new
from kernex_core.magnitude import length, unit_of
from kernex_core.validation import EPS


@dataclass(frozen=True, eq=False)
class PlacedNodes(EqualByContent):
    """How well rows of similarities place the hidden nodes.

    Attributes
    ----------
    error : float
        |k − k̂|_F / |k|_F over pairs of a hidden and a known node.
    alignment : float
        Cosine of both blocks, −1 to 1; like the error NaN where hidden nodes have no similarity to known ones.
    accuracy : float
        Share of the labelled hidden nodes whose class a machine names that was trained on the known ones; NaN without
        labels.
    """

    error: float
    alignment: float
    accuracy: float


def mean_row(K: FloatArray) -> FloatArray:
    """(n,) mean similarity of each item to the others: what a node nothing is known of is given."""
    n = K.shape[0]
    return np.asarray((K.sum(axis=0) - np.diag(K)) / max(n - 1, 1))


def agreement(truth: FloatArray, made: FloatArray, largest: float = 0.0) -> tuple[float, float]:
    """Relative Frobenius distance of two blocks, and their cosine; NaN where the true one is the rounding of 0.

    `largest` is the largest entry of the whole kernel, which says what rounding is.
    """
    if float(np.abs(truth).max(initial=0.0)) <= 100.0 * EPS * largest:
        return NAN, NAN
    norm = length(truth)
    error = length(truth - made) / norm if norm > 0.0 else NAN
    truth, made = truth / unit_of(truth), made / unit_of(made)
    norm, other = float(np.linalg.norm(truth)), float(np.linalg.norm(made))
    return error, float((truth * made).sum()) / (norm * other) if norm * other > 0.0 else 0.0


@dataclass(frozen=True, eq=False)
class Judge(EqualByContent):
    """One machine for all ways to place the hidden nodes: trained on the kernel of the known ones.

    Attributes
    ----------
    K : GramMatrix
        Of the known nodes.
    labels : Labels or None
        Of all nodes.
    known, hidden : (k,) int, (h,) int
    C : float
    """

    K: GramMatrix
    labels: Labels | None
    known: IntArray
    hidden: IntArray
    C: float

    @property
    def truth(self) -> np.ndarray:
        """(h,) classes of the hidden nodes; "" = none."""
        return self.labels.y[self.hidden] if self.labels is not None else np.array([""])

    @property
    def floor(self) -> float:
        """Share of the largest class among the labelled hidden nodes; NaN without any."""
        named = self.truth[self.truth != ""]
        return float(np.unique(named, return_counts=True)[1].max() / named.size) if named.size else NAN

    def accuracy(self, rows: FloatArray) -> float:
        """Share of the labelled hidden nodes that are named rightly by their rows (h, k) of similarities."""
        named = self.truth != ""
        inside = None if self.labels is None else self.labels.take(self.known)
        if inside is None or not inside.judgeable or not named.any():
            return NAN
        scale = float(np.diag(self.K.values).mean()) or 1.0
        unit = GramMatrix(self.K.values / scale, self.K.ids, self.K.name)
        ids = [str(item) for item in self.hidden]
        found = predict_new(unit, inside, rows / scale, ids, C=self.C)
        return float((np.array(found.labels) == self.truth)[named].mean())
