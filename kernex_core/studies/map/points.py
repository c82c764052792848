"""Items as points: rows of measurements, or a kernel's own feature space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import MOST_ITEMS, check_item_count, check_size, psd_tolerance
from kernex_core.completion.neighbour_weights import Cloud, KernelCloud, VectorCloud, nearest
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.gram.spectrum import decomposing, pca_in_steps
from kernex_core.inputs.names import counted
from kernex_core.inputs.new_items import NewRows
from kernex_core.inputs.samples import Vectors
from kernex_core.runtime.progress import Steps

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


def points_in_steps(source: Vectors | GramMatrix, *, normalize: bool = False) -> Steps[MapPoints]:
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


def _clipped(K: FloatArray, name: str, lengths: FloatArray | None) -> Steps[MapPoints]:
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


# Which two coordinates of a map show most: the second may tell nothing that the first does not.

OWN: Final = 0.5
"""Share of a coordinate's variance that the first does not explain, from which it is one of its own."""
WINDOW: Final = 0.05
"""Share of the items on either side of an item, along the first coordinate, whose mean is what that one explains."""


def own_direction(coordinates: ArrayLike) -> int:
    """Return the place (0, 1, ...) of the first coordinate that is no function of the first one; 1 where all are.

    The eigenvectors of a long strip repeat its length, as an arch and further waves, before its width comes. A coordinate is
    told by the mean of the items around an item in the first one, itself left out; what that leaves is its own (local
    regression as in Dsilva, Talmon, Coifman and Kevrekidis, Parsimonious representation of nonlinear dynamical systems
    through manifold learning, 2018).

    Parameters
    ----------
    coordinates : (n, q) float
        The first ones keep most.

    Returns
    -------
    int

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.studies.map.points import own_direction
    >>> rng = np.random.default_rng(0)
    >>> length, width = rng.random(300), rng.random(300)
    >>> own_direction(np.column_stack([length, (length - 0.5) ** 2, width]))
    2
    >>> own_direction(np.column_stack([length, width, (length - 0.5) ** 2]))
    1
    """
    X = np.asarray(coordinates, dtype=np.float64)
    n, q = X.shape
    reach = max(2, round(WINDOW * n))
    if n <= 4 * reach:  # too few to tell a curve from a cloud
        return 1
    along = X[np.argsort(X[:, 0], kind="stable")]
    return next((c for c in range(1, q) if _left(along[:, c], reach) > OWN), 1)


def _left(values: FloatArray, reach: int) -> float:
    """Share of the variance that neighbours on both sides do not tell."""
    sums = np.convolve(values, np.ones(2 * reach + 1), "valid")
    inside = values[reach:-reach]
    rest = inside - (sums - inside) / (2 * reach)
    total = float(inside.var())
    return float(rest.var()) / total if total > 0.0 else 0.0


# How far a map can be trusted.

_ENTRIES = 4_000_000


def trust(cloud: Cloud, items: IntArray, coordinates: FloatArray, n_neighbors: int) -> float:
    """Trustworthiness, 0 to 1: neighbours in the map are neighbours among the points (Venna and Kaski 2001).

    1 − 2 / (n k (2n − 3k − 1)) Σ_i Σ_j max(0, r(i, j) − k) over the k neighbours j of i in the map; r(i, j) is the rank of j
    among the points by their distance to i, one more than there are nearer ones.

    Parameters
    ----------
    cloud : VectorCloud or KernelCloud
    items : (n,) int
        Of the cloud.
    coordinates : (n, q) float
        Of these items.
    n_neighbors : int
        At most as many as is possible, fewer than half the items.
    """
    return kept_near(cloud, items, coordinates, n_neighbors)[0]


def kept_near(
    cloud: Cloud, items: IntArray, coordinates: FloatArray, n_neighbors: int, *, both: bool = False
) -> tuple[float, float]:
    """Trustworthiness and, where both are asked for, continuity: the same with map and points exchanged; else NaN."""
    n = items.size
    k = max(1, min(n_neighbors, (n - 1) // 2))
    costs, step = [0, 0], max(1, _ENTRIES // n)
    for start in range(0, n, step):
        rows = np.arange(start, min(start + step, n))
        own = np.arange(rows.size), rows
        flat, apart = cdist(coordinates[rows], coordinates, "sqeuclidean"), cloud.squared(items[rows], items)
        flat[own] = apart[own] = np.inf
        for which, (near, ranked) in enumerate(((flat, apart), (apart, flat))[: 2 if both else 1]):
            for column in nearest(near, k).T:
                nearer = (ranked < ranked[own[0], column][:, None]).sum(axis=1)
                costs[which] += int(np.maximum(nearer + 1 - k, 0).sum())
    trusted, continuous = (1.0 - 2.0 * cost / (n * k * (2.0 * n - 3.0 * k - 1.0)) for cost in costs)
    return trusted, continuous if both else float("nan")


def best_spearman(coordinates: FloatArray, along: FloatArray) -> float:
    """Largest |rank correlation| of a coordinate with a known quantity; NaN for fewer than three items or no variance."""
    if along.size < 3:
        return float("nan")
    ranks = _ranks(along)
    return float(np.nanmax([abs(_correlation(_ranks(column), ranks)) for column in coordinates.T]))


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1; ties share their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[inverse])


def _correlation(a: FloatArray, b: FloatArray) -> float:
    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / norm if norm > 0.0 else float("nan")


def laid_on(coordinates: FloatArray, whole: FloatArray, kept: IntArray) -> FloatArray:
    """(n, q) map `whole` moved, turned, mirrored and sized so that its kept items lie on those of `coordinates` best.

    Maps are known up to these: orthogonal Procrustes with scale (Schönemann and Carroll 1970).

    Parameters
    ----------
    coordinates : (n, q)
        Kept items as they are mapped; the others play no part.
    whole : (n, q)
        The map of all items.
    kept : positions
    """
    A, B = coordinates[kept], whole[kept]
    centre_a, centre_b = A.mean(axis=0), B.mean(axis=0)
    U, singular, Vt = np.linalg.svd((B - centre_b).T @ (A - centre_a))
    spread = float(((B - centre_b) ** 2).sum())
    scale = float(singular.sum()) / spread if spread > 0.0 else 1.0
    return np.asarray((whole - centre_b) @ (U @ Vt) * scale + centre_a)


def radius(coordinates: FloatArray) -> float:
    """Root mean square distance of items from their mean."""
    return float(np.sqrt(((coordinates - coordinates.mean(axis=0)) ** 2).sum(axis=1).mean()))


def distance(A: FloatArray, B: FloatArray) -> float:
    """Root mean square distance of the rows of A and B."""
    return float(np.sqrt(((A - B) ** 2).sum(axis=1).mean()))


# Kernel principal components of some items, in which further items are placed by their own similarities.


@dataclass(frozen=True, eq=False)
class PlacingComponents(ReadOnlyArrays):
    """Kernel PCA of n items, k̃ = V diag(μ) V' the centred kernel.

    Attributes
    ----------
    coordinates : (n, q) float
        V diag(μ)^{1/2}; a component without an eigenvalue is zero.
    share : (q,) float
        Of the variance.
    carrier : (n, q) float, or (d, q) of vectors
        V diag(μ)^{-1/2}; of vectors X'V diag(μ)^{-1/2}, the directions in their own space.
    means : (n,) float, or (d,) of vectors
        Mean similarity of each item, or mean vector.
    total : float
        Mean of all similarities; 0 of vectors.
    """

    coordinates: FloatArray
    share: FloatArray
    carrier: FloatArray
    means: FloatArray
    total: float = 0.0

    def by_own(self, cloud: Cloud, rows: IntArray, kept: IntArray) -> FloatArray:
        """(m, q) coordinates of points from their similarities k(x, ·): k̃(x, ·) V diag(μ)^{-1/2}.

        Schoelkopf, Smola, Müller 1998, eq. 16, with the centring of the items that the map is made of.

        Parameters
        ----------
        cloud : VectorCloud or KernelCloud
        rows : (m,) int
            Points of the cloud.
        kept : (n,) int
            Items that the map is made of.
        """
        if isinstance(cloud, VectorCloud):
            return np.asarray((cloud.X[rows] - self.means) @ self.carrier)
        assert isinstance(cloud, KernelCloud)
        cross = cloud.similar(rows, kept)
        centred = cross - cross.mean(axis=1, keepdims=True) - self.means[None, :] + self.total
        return np.asarray(centred @ self.carrier)


def placing_components(cloud: Cloud, kept: IntArray, n_components: int) -> Steps[PlacingComponents]:
    """Kernel PCA of some items of a cloud, in steps; of vectors with the linear kernel, by the smaller of X'X and XX'."""
    if isinstance(cloud, VectorCloud):
        return (yield from _of_vectors(cloud.X[kept], n_components))
    assert isinstance(cloud, KernelCloud)
    K = cloud.similar(kept, kept)
    made = yield from pca_in_steps(K, n_components, any_size=True)
    means = K.mean(axis=1)
    return PlacingComponents(
        made.coordinates, made.share, _divided(made.coordinates), means, float(means.mean())
    )


def _of_vectors(X: FloatArray, q: int) -> Steps[PlacingComponents]:
    n, d = X.shape
    mean = X.mean(axis=0)
    X = X - mean
    if d >= n:
        K = X @ X.T
        made = yield from pca_in_steps(K, q, any_size=True)
        return PlacingComponents(made.coordinates, made.share, X.T @ _divided(made.coordinates), mean)
    # the eigenvectors of X'X are the directions themselves
    made = yield from pca_in_steps(X.T @ X, min(q, d), centred=False)
    directions = np.zeros((d, q))
    lengths = np.sqrt((made.coordinates**2).sum(axis=0))
    directions[:, : lengths.size] = made.coordinates / np.where(lengths > 0.0, lengths, 1.0)
    coordinates = X @ directions
    largest = np.take_along_axis(coordinates, np.abs(coordinates).argmax(axis=0)[None, :], axis=0)
    signs = np.where(largest < 0.0, -1.0, 1.0)
    share = np.append(made.share, np.zeros(q - made.share.size))
    return PlacingComponents(coordinates * signs, share, directions * signs, mean)


def _divided(coordinates: FloatArray) -> FloatArray:
    mu = (coordinates**2).sum(axis=0)
    return np.where(mu > 0.0, coordinates / np.where(mu > 0.0, mu, 1.0), 0.0)


# Settings of a map.

Method = Literal["lle", "kernel pca", "spectral", "t-sne", "non-metric"]


@dataclass(frozen=True, eq=False)
class MapMethod(EqualByContent):
    """A way to lay items flat.

    Attributes
    ----------
    name, title, about : str
    places : str
        How new items are placed in it; "" = not at all.
    own : bool
        It asks for coordinates of variance 1 each: their lengths say nothing of one another.
    """

    name: Method
    title: str
    about: str
    places: str = ""
    own: bool = False


MAPS: Final = (
    MapMethod(
        "lle", "LLE", "keeps how an item is put together from its k nearest",
        "by affine weights on the nearest kept items", own=True,
    ),
    MapMethod(
        "kernel pca", "kernel PCA", "keeps what varies most; the same as classical MDS of the kernel's distances",
        "by their own similarities, or by affine weights",
    ),
    MapMethod(
        "spectral", "spectral embedding", "keeps neighbours together: slowest coordinates of a random walk on the k nearest",
        "by the mean of the nearest kept items, stretched as the walk is (Bengio and others 2003)", own=True,
    ),
    MapMethod(
        "t-sne", "t-SNE", "keeps neighbourhoods of perplexity k; distances between groups, and their sizes, say little"
    ),
    MapMethod("non-metric", "non-metric MDS", "keeps the order of all distances, not their values"),
)  # fmt: skip
"""Ways to lay items flat, one line each."""


def map_method(name: str) -> MapMethod:
    """Return the way of that name."""
    return next(each for each in MAPS if each.name == name)


def normalize_parameter() -> bool:
    """Whether items of a kernel are taken at one length before their distances are."""
    made: bool = parameter(
        False, label="Cosine normalisation",
        help="Of a kernel: every item at length 1, so that long items are not far from all others.",
    )  # fmt: skip
    return made


@dataclass(frozen=True)
class MapConfig:
    """How items are laid flat, and which of them are held out."""

    method: Method = parameter(
        "lle", label="Map", choices=tuple(each.name for each in MAPS), names=tuple(each.title for each in MAPS),
        help="; ".join(f"{each.title} {each.about}" for each in MAPS) + ".",
    )  # fmt: skip
    n_neighbors: int = parameter(
        8, label="Neighbours", symbol="k", low=2, high=60, step=1,
        help="How many nearest items an item is put together from, or linked with; of t-SNE the perplexity. Too few and "
        "the map falls apart, too many and it takes short cuts. Trustworthiness and continuity count as many.",
    )  # fmt: skip
    share: float = parameter(
        0.2, label="Held out", low=0.0, high=0.9, step=0.05, unit="%",
        help="Share of the items that the map is made without, and that are placed in it afterwards as new ones. None where "
        "the map has no place for new items (t-SNE, non-metric MDS).",
    )  # fmt: skip
    normalize: bool = normalize_parameter()
    seed: int = parameter(
        0,
        label="Seed",
        help="Draws the items held out, and where t-SNE and non-metric MDS begin.",
        low=0,
        high=2**31 - 1,
        step=1,
    )

    def __post_init__(self) -> None:
        check_parameters(self)
