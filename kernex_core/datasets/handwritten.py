"""Handwritten digits of scikit-learn, of which a cheap source sees the upper half and a dear target everything."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import FloatArray, IntArray
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
    images, digits, ids = digit_images(PER_DIGIT, seed)
    brightness = images.reshape(len(ids), -1)
    half = _SIDE * _SIDE // 2
    columns = tuple(f"row {row + 1}, column {column + 1}" for row in range(_SIDE) for column in range(_SIDE))
    upper = Vectors(ids, brightness[:, :half], columns[:half])
    whole = Vectors(ids, brightness, columns)
    return DataSet(
        name="Handwritten digits",
        ids=ids,
        labels=Labels(ids, digits),
        samples={"upper half": upper, "whole image": whole},
        kernels={
            "upper half": Gaussian().similarities(upper, name="upper half"),
            "whole image": Gaussian().similarities(whole, name="whole image"),
        },
        description=_DESCRIPTION,
        source="upper half",
        target="whole image",
    )


def digit_images(per_digit: int, seed: int) -> tuple[FloatArray, NDArray[np.str_], tuple[str, ...]]:
    """Images (n, 8, 8) with brightness 0 to 1, their digits, and ids of digit and position; sorted by digit.

    Parameters
    ----------
    per_digit : int
    seed : int
        Draws them.
    """
    from sklearn.datasets import load_digits  # slow to import

    pixels, digits = load_digits(return_X_y=True)
    chosen = _drawn(digits, per_digit, np.random.default_rng(check_seed(seed)))
    ids = tuple(f"{digits[image]}-{image:04d}" for image in chosen)
    return (pixels[chosen] / _BRIGHTEST).reshape(-1, _SIDE, _SIDE), digits[chosen].astype(np.str_), ids


def _drawn(digits: IntArray, per_digit: int, rng: np.random.Generator) -> IntArray:
    """Positions of as many images of each digit, sorted by digit and position."""
    parts = [rng.choice(np.flatnonzero(digits == digit), per_digit, replace=False) for digit in range(10)]
    return np.concatenate([np.sort(part) for part in parts])
