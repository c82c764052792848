"""Handwritten digits of scikit-learn, of which a cheap source sees the upper half and a dear target everything."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import IntArray
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.seeds import check_seed

PER_DIGIT = 30
"""Images of each digit: 300 altogether."""
_SIDE, _BRIGHTEST = 8, 16.0

_DESCRIPTION = (
    "Real: 300 of the 1,797 handwritten digits that come with scikit-learn (UCI, Alpaydin and Kaynak 1998), 8 × 8 "
    "pixels, 30 of each digit. The source sees the upper four rows of pixels, the target all eight: digits that "
    "begin alike and end differently, above all 8 and 9 or 2 and 3, are hard to tell apart from the source alone."
)


def half_seen_digits(seed: int = 0) -> DataSet:
    """Digits with a Gaussian kernel on their upper half and one on all pixels, both at the median distance.

    Parameters
    ----------
    seed : int
        Draws the 30 images of each digit.

    Returns
    -------
    DataSet
        Samples "upper half" (300, 32) and "whole image" (300, 64), brightness from 0 to 1, and a kernel of each;
        sorted by digit. An id is the digit and the image's position in scikit-learn's data.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    from sklearn.datasets import load_digits  # slow to import

    pixels, digits = load_digits(return_X_y=True)
    chosen = _drawn(digits, np.random.default_rng(check_seed(seed)))
    ids = tuple(f"{digits[image]}-{image:04d}" for image in chosen)
    brightness = pixels[chosen] / _BRIGHTEST
    half = _SIDE * _SIDE // 2
    columns = tuple(f"row {row + 1}, column {column + 1}" for row in range(_SIDE) for column in range(_SIDE))
    upper = Vectors(ids, brightness[:, :half], columns[:half])
    whole = Vectors(ids, brightness, columns)
    return DataSet(
        name="Handwritten digits",
        ids=ids,
        labels=Labels(ids, digits[chosen].astype(np.str_)),
        samples={"upper half": upper, "whole image": whole},
        kernels={
            "upper half": Gaussian().similarities(upper, name="upper half"),
            "whole image": Gaussian().similarities(whole, name="whole image"),
        },
        description=_DESCRIPTION,
        source="upper half",
        target="whole image",
    )


def _drawn(digits: IntArray, rng: np.random.Generator) -> IntArray:
    """Positions of PER_DIGIT images of each digit, sorted by digit and position."""
    parts = [rng.choice(np.flatnonzero(digits == digit), PER_DIGIT, replace=False) for digit in range(10)]
    return np.concatenate([np.sort(part) for part in parts])
