"""Where large diagonals come from: kernels that count coincidences of ever more parts, with and without a power of them.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, sections 2, 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.gram.diagnostics import dominance_ratio
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import PAIR
from kernex_core.inputs.graphs.graph_set import equal_items
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.vectors.dot_product import Polynomial
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import labels_of
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.diagonals.judging import Losses, svm_losses

DEGREES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)
LENGTHS = (1, 2, 3, 4, 5, 6)
FROM_ZERO, AROUND_ZERO = "[0, 1]", "[−1, 1]"
SPECTRUM_KERNEL, SUBSEQUENCES = "spectrum kernel", "subsequence kernel"
DECAY = 0.25


@dataclass(frozen=True, eq=False)
class Growth(ReadOnlyArrays):
    """One family of kernels along its parameter.

    Attributes
    ----------
    name : str
    settings : (s,) int
        Degree, or number of letters.
    dominance : (s,) float
        Mean diagonal over mean absolute similarity of two items; inf where all of those are 0.
    plain, mapped : tuple of Losses
        Balanced loss of the SVM on the kernel as it is, and on its empirical map of all points with |x|^p; the same
        folds throughout.
    """

    name: str
    settings: FloatArray
    dominance: FloatArray
    plain: tuple[Losses, ...]
    mapped: tuple[Losses, ...]


def polynomials_of_pixels(
    images: Vectors, labels: Labels, p: float, validation: CrossValidation
) -> tuple[Growth, Growth]:
    """Homogeneous polynomial kernels (x'x' / d)^degree of images with brightness in [0, 1], then in [−1, 1].

    Raises
    ------
    InvalidInputError
        Brightness outside [0, 1], p out of range, or fewer than two classes.
    """
    X = np.asarray(images.values, dtype=np.float64)
    if X.size == 0 or X.min() < 0.0 or X.max() > 1.0:
        raise InvalidInputError(
            "Brightness has to lie in 0 to 1", f"{X.min():g} to {X.max():g}" if X.size else "none"
        )

    def kernels(pixels: FloatArray) -> Iterable[tuple[int, GramMatrix]]:
        # over the number of pixels: a scale that no SVM of this study sees, but that keeps powers in range
        scaled = pixels / np.sqrt(pixels.shape[1])
        for degree in DEGREES:
            yield degree, GramMatrix(Polynomial(degree, 0.0).gram(scaled), images.ids, seen=PAIR)

    equal = equal_items(images)
    return (
        _growth(FROM_ZERO, kernels(X), labels, p, validation, equal),
        _growth(AROUND_ZERO, kernels(2.0 * X - 1.0), labels, p, validation, equal),
    )


def kernels_of_strings(
    strings: Sequences, labels: Labels, p: float, validation: CrossValidation, *, subsequences: bool = True
) -> tuple[Growth, ...]:
    """Kernels that count common words of k letters, and common subsequences of as many letters.

    Parameters
    ----------
    subsequences : bool
        Also the subsequence kernel (decay 1/4), which takes longer on long strings.

    Raises
    ------
    InvalidInputError
        A p out of range, or fewer than two classes.
    """
    spectrum = ((k, Spectrum(k).similarities(strings)) for k in LENGTHS)
    equal = equal_items(strings)
    made = [_growth(SPECTRUM_KERNEL, spectrum, labels, p, validation, equal)]
    if subsequences:
        gapped = ((length, Subsequence(length, DECAY).similarities(strings)) for length in LENGTHS)
        made.append(_growth(SUBSEQUENCES, gapped, labels, p, validation, equal))
    return tuple(made)


def _growth(
    name: str,
    kernels: Iterable[tuple[int, GramMatrix]],
    labels: Labels,
    p: float,
    validation: CrossValidation,
    equal: IntArray | None,
) -> Growth:
    step = EmpiricalMap(SignedPower(p))
    how: Judging | None = None
    settings, dominance, plain, mapped = [], [], [], []
    for setting, K in kernels:
        if how is None:  # one division for all lengths: copies are equal strings
            labels_of(labels, K, named=True)
            how = Judging.of(labels, Protocol(validation), equal=equal)
        settings.append(float(setting))
        dominance.append(dominance_ratio(K.values))
        plain.append(svm_losses(K, how))
        mapped.append(svm_losses(K.then(step), how))
    return Growth(name, np.array(settings), np.array(dominance), tuple(plain), tuple(mapped))
