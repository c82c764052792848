"""Digits in five views: five kernels of the same handwritten digits, each of which lacks two items in five."""

from __future__ import annotations

import numpy as np

from kernex_core.datasets.handwritten import digit_images
from kernex_core.frozen import FloatArray
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.align import expand
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.joint.views.errors import drawn_views
from kernex_core.kernels.vectors.distance import Gaussian

PER_DIGIT = 20
SHARE = 0.4
"""Items that each view lacks."""

_DESCRIPTION = (
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
    images, digits, ids = digit_images(PER_DIGIT, seed)
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
        description=_DESCRIPTION,
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
