"""Items as points: rows of measurements, or a kernel's own feature space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.point_clouds import Cloud, KernelCloud, VectorCloud
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.gram.spectrum.decomposition import decomposing
from kernex_core.inputs.names import counted
from kernex_core.inputs.new_rows import NewRows
from kernex_core.inputs.samples import Vectors
from kernex_core.pieces import Pieces
from kernex_core.validation import MOST_ITEMS, check_item_count, check_size, psd_tolerance

FEWEST = 5
"""Items that a map in two coordinates with two neighbours needs."""


@dataclass(frozen=True, eq=False)
class MapPoints(ReadOnlyArrays):
    """The items of a map as points.

    Attributes
    ----------
    cloud : VectorCloud or KernelCloud
    notes : tuple of str
    lengths : (n,) float or None
        √k(x, x) that a kernel was divided by.
    clip : (n, n) float or None
        Projection on the directions with positive eigenvalues, where others were clipped.
    """

    cloud: Cloud
    notes: tuple[str, ...] = ()
    lengths: FloatArray | None = None
    clip: FloatArray | None = None

    def with_new(self, new: FloatArray | NewRows) -> Cloud:
        """The cloud with new points: (m, d) vectors, or rows of similarities, treated as those of the items were.

        Raises
        ------
        InvalidInputError
            A self-similarity that is not positive where rows are cosine-normalised.
        """
        if isinstance(self.cloud, VectorCloud):
            assert isinstance(new, np.ndarray)
            return self.cloud.with_new(check_size(new, "New items"))
        assert isinstance(self.cloud, KernelCloud)
        assert isinstance(new, NewRows)
        cross, own = new.cross, new.own
        if self.lengths is not None:
            if (own <= 0.0).any():
                name = new.ids[int(np.flatnonzero(own <= 0.0)[0])]
                raise InvalidInputError(
                    "Cosine normalisation needs self-similarities above 0", f"{own.min():g} of {name!r}"
                )
            lengths = np.where(self.lengths > 0.0, self.lengths, np.inf)
            cross, own = cross / (np.sqrt(own)[:, None] * lengths), np.ones(own.size)
        return self.cloud.with_new(cross if self.clip is None else cross @ self.clip, own)


def _apart(points: MapPoints) -> MapPoints:
    """The same points, unless all of them are one."""
    items = np.arange(points.cloud.n)
    if float(points.cloud.squared(items[:1], items).max()) == 0.0:
        X = points.cloud.X if isinstance(points.cloud, VectorCloud) else np.zeros((1, 1))
        if np.ptp(X, axis=0).max() > 0.0:
            raise InvalidInputError(
                "Distances of items have to be numbers that are not zero",
                f"differences up to {float(np.ptp(X, axis=0).max()):.3g}, whose squares are",
                "Multiply all values by a large number",
            )
        raise InvalidInputError(
            "A map needs items that differ",
            f"{points.cloud.n} that are all the same",
            "Choose another kernel or other vectors",
        )
    return points


def points_in_pieces(source: Vectors | GramMatrix, *, normalize: bool = False) -> Pieces[MapPoints]:
    """Items as points whose distances are those of the source, d² = k(x, x) − 2 k(x, x') + k(x', x') of a kernel.

    Negative eigenvalues of similarities have no distances and are clipped, of all items at once.

    Raises
    ------
    InvalidInputError
        Unknown entries, or fewer than FEWEST items.
    TooLargeError
        More items than are decomposed.
    """
    values = source.X if isinstance(source, Vectors) else source.values
    n = values.shape[0]
    if n < FEWEST:
        raise InvalidInputError(f"A map needs at least {FEWEST} items", str(n), "Bring or select more items")
    if np.isnan(values).any():
        what = "measurements" if isinstance(source, Vectors) else "similarities"
        raise InvalidInputError(
            f"A map needs {what} that are known everywhere",
            counted(int(np.isnan(values).sum()), "unknown entry"),
            "Fill them on the page Kernels, or complete them on the page Complete",
        )
    check_item_count(n, MOST_ITEMS)
    if isinstance(source, Vectors):
        return _apart(MapPoints(VectorCloud(check_size(values, "Vectors"), n)))
    lengths = np.sqrt(np.diag(values)) if normalize and np.diag(values).min() >= 0.0 else None
    K = cosine_normalize(source).values if normalize else values
    if _is_kernel(K):
        return _apart(MapPoints(KernelCloud(K, np.diag(K).copy()), (), lengths))
    return _apart((yield from _clipped(K, source.name, lengths)))


def _is_kernel(K: FloatArray) -> bool:
    """Whether a Cholesky factorisation, ten times cheaper than eigenvalues, finds no negative one beyond rounding."""
    shift = psd_tolerance(K.shape[0], float(np.abs(np.diag(K)).max()))
    try:
        np.linalg.cholesky(K + shift * np.eye(K.shape[0]))
    except np.linalg.LinAlgError:
        return False
    return True


def _clipped(K: FloatArray, name: str, lengths: FloatArray | None) -> Pieces[MapPoints]:
    n = K.shape[0]
    made = yield from decomposing(K)
    eigenvalues = made.eigenvalues
    tolerance = psd_tolerance(n, float(np.abs(eigenvalues).max()))
    kept, lost = eigenvalues > tolerance, eigenvalues < -tolerance
    if not kept.any():
        raise InvalidInputError(
            "A map needs a kernel with a positive eigenvalue",
            "none",
            "Repair it on the page Kernels; without cosine normalisation (More) items of length 0 count, too",
        )
    yield 1.0
    vectors = made.vectors[:, kept]
    K = (vectors * eigenvalues[kept]) @ vectors.T
    K = (K + K.T) / 2.0
    notes: tuple[str, ...] = ()
    if lost.any():
        mass = float(np.abs(eigenvalues[lost]).sum() / np.abs(eigenvalues).sum())
        notes = (
            f"{name} is no kernel: {int(lost.sum())} of {n} eigenvalues are negative ({100.0 * mass:.2g} % of the "
            "mass) and were clipped, of all items at once, held-out ones too.",
        )
    return MapPoints(KernelCloud(K, np.diag(K).copy()), notes, lengths, vectors @ vectors.T)
