"""Data sets of vectors: handwritten digits, a swiss roll, and three sources of which two know the classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import check_seed
from kernex_core.completion.views.methods import drawn_views
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.items.align import expand
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Linear

# Handwritten digits of scikit-learn, of which a cheap source sees the upper half and a dear target everything.

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


# Digits in five views: five kernels of the same handwritten digits, each of which lacks two items in five.

SEEN_PER_DIGIT = 20
SHARE = 0.4
"""Items that each view lacks."""

_VIEWS = (
    "Real images, lacking on purpose: 200 handwritten digits of scikit-learn (UCI, Alpaydin and Kaynak 1998), looked at in "
    "five ways: pixels, profiles (sums of rows, columns and diagonals), spatial frequencies, gradients in four quarters, "
    "and means of 2 × 2 pixels. Each kernel lacks 80 of the 200 digits, drawn by the seed; each digit is in at least one."
)


def digits_in_five_views(seed: int = 0) -> DataSet:
    """Five Gaussian kernels at the median distance, each with 80 of 200 items unknown.

    Parameters
    ----------
    seed : int
        Draws the digits, and what each view lacks.

    Returns
    -------
    DataSet
        Samples (complete) and kernels (incomplete) "pixels", "profiles", "frequencies", "gradients" and "zones".
    """
    images, digits, ids = digit_images(SEEN_PER_DIGIT, seed)
    views = {name: Vectors(ids, X) for name, X in _views(images).items()}
    known = drawn_views(len(ids), len(views), SHARE, seed)
    kernels = {
        name: expand(Gaussian().similarities(part.take(has), name=name), ids)
        for (name, part), has in zip(views.items(), known, strict=True)
    }
    return DataSet(
        name="Digits in five views",
        ids=ids,
        labels=Labels(ids, digits),
        samples=views,
        kernels=kernels,
        description=_VIEWS,
    )


def _views(images: FloatArray) -> dict[str, FloatArray]:
    """(n, d) features of images (n, 8, 8)."""
    n = images.shape[0]
    mirrored = images[:, :, ::-1]
    diagonals = [np.trace(each, k, 1, 2) for each in (images, mirrored) for k in range(-7, 8)]
    return {
        "pixels": images.reshape(n, -1),
        "profiles": np.hstack([images.sum(axis=1), images.sum(axis=2), np.stack(diagonals, axis=1)]),
        "frequencies": np.abs(np.fft.rfft2(images)).reshape(n, -1),
        "gradients": _gradients(images),
        "zones": images.reshape(n, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(n, -1),
    }


def _gradients(images: FloatArray) -> FloatArray:
    """(n, 32) sizes of the gradient in eight directions, in each quarter."""
    down, across = np.gradient(images, axis=(1, 2))
    size, turn = np.hypot(across, down), (np.arctan2(down, across) + np.pi) / (2.0 * np.pi)
    direction = (turn * 8.0).astype(np.int64) % 8
    parts = [
        (size * (direction == k))[:, i : i + 4, j : j + 4].sum(axis=(1, 2))
        for i in (0, 4)
        for j in (0, 4)
        for k in range(8)
    ]
    return np.stack(parts, axis=1)


# Swiss roll: a sheet rolled up in space, which no straight projection unrolls.

POINTS = 500
HEIGHT, NOISE = 10.0, 0.05
QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")

_ROLL = (
    "Simulated: 500 points of a sheet rolled up in space, with noise of sd .05. The sheet is 10 high; t = 1.5 π (1 + 2u) "
    "with u even between 0 and 1 says how far along it a point lies, and is kept as the vectors “along the roll”. "
    "The classes are the quarters of u. The linear kernel sees the roll from outside: neighbours along the sheet are "
    "what unrolls it."
)


def swiss_roll(seed: int = 0) -> DataSet:
    """Points of a rolled sheet with their place along it, and their linear kernel.

    Parameters
    ----------
    seed : int
        At least 0; draws places, heights and noise.

    Returns
    -------
    DataSet
        Samples "points" (500, 3) and "along the roll" (500, 1), kernel "linear"; in their order along the roll.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    u = (np.arange(POINTS) + rng.random(POINTS)) / POINTS  # one point in each of 500 equal parts
    t = 1.5 * np.pi * (1.0 + 2.0 * u)
    height = HEIGHT * rng.random(POINTS)
    X = np.column_stack([t * np.cos(t), height, t * np.sin(t)]) + NOISE * rng.normal(size=(POINTS, 3))
    ids = tuple(f"p{number:03d}" for number in range(1, POINTS + 1))
    points = Vectors(ids, X, ("x", "height", "z"))
    return DataSet(
        name="Swiss roll",
        ids=ids,
        labels=Labels(ids, np.array(QUARTERS)[np.minimum((4.0 * u).astype(int), 3)]),
        samples={"points": points, "along the roll": Vectors(ids, t[:, None], ("t",))},
        kernels={"linear": Linear().similarities(points, name="linear")},
        description=_ROLL,
        simulated=True,
        target="linear",
    )


# Three sources: one kernel that knows the classes, one that knows them less well, and one that knows nothing.

ITEMS, FEATURES = 120, 6
SHIFTS = (1.0, 0.6)
"""How far the classes lie from 0 on each side in the first two features, in standard deviations."""
BLUR = 0.5
"""Standard deviation of the noise that the second source adds to every feature."""
NAMES = ("clear", "blurred", "noise")

_THREE = (
    "Simulated: 120 items of two classes, which differ in the first two of six features by 2 and by 1.2 standard "
    "deviations. Three Gaussian kernels: of the features, of the same features with noise of sd .5, and of six features "
    "that have nothing to do with the classes. Which weights should they get? Learned weights leave the noise out and are "
    "slightly better than the plain sum; they are not clearly better than the first kernel alone."
)


def three_sources(seed: int = 0) -> DataSet:
    """Items of two classes seen by three sources, and a Gaussian kernel of each.

    Parameters
    ----------
    seed : int
        At least 0; draws all features.

    Returns
    -------
    DataSet
        Samples and kernels "clear", "blurred" and "noise"; sorted by class.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    second = rng.permutation(np.arange(ITEMS) >= ITEMS // 2)
    X = rng.normal(size=(ITEMS, FEATURES))
    X[:, : len(SHIFTS)] += np.outer(np.where(second, 1.0, -1.0), SHIFTS)
    blur, noise = (rng.normal(size=(ITEMS, FEATURES)) for _ in range(2))
    order = np.argsort(second, kind="stable")
    ids = tuple(f"i{number:03d}" for number in range(1, ITEMS + 1))
    columns = tuple(f"feature {number}" for number in range(1, FEATURES + 1))
    samples = {
        name: Vectors(ids, values[order], columns)
        for name, values in zip(NAMES, (X, X + BLUR * blur, noise), strict=True)
    }
    return DataSet(
        name="Three sources",
        ids=ids,
        labels=Labels(ids, np.where(second[order], "second", "first")),
        samples=samples,
        kernels={name: Gaussian().similarities(each, name=name) for name, each in samples.items()},
        description=_THREE,
        simulated=True,
        target="clear",
        defaults=Defaults(C=1.0, folds=5, repeats=5),
    )
