"""Groups of the items of a kernel: how they are found, how well items lie in theirs, and whether they are found again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_parameters, parameter, repetition_rng
from kernex_core.completion.neighbour_weights import KernelCloud, VectorCloud
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.order import LINKAGES, Linkage, ranked_by_size
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.runtime.progress import Steps, blocking, part
from kernex_core.studies.map.points import MapPoints, normalize_parameter, points_in_steps

# Ways to find groups, one line each: K and distances of some items, settings and chance -> a number for each group.


@dataclass(frozen=True, eq=False)
class Grouping(EqualByContent):
    """A way to find groups.

    Attributes
    ----------
    name, title, about : str
    divide : callable
        (K, distances, config, height, rng) -> in steps, (n,) number of each item's group, in any order.
    """

    name: str
    title: str
    about: str
    divide: Callable[[FloatArray, FloatArray, GroupsConfig, float, np.random.Generator], Steps[IntArray]]


def _cut(
    K: FloatArray, D: FloatArray, config: GroupsConfig, height: float, rng: np.random.Generator
) -> Steps[IntArray]:
    yield 0.0
    tree = linkage(squareform(D, checks=False), config.linkage)
    if config.by == "height":
        return np.asarray(fcluster(tree, height, "distance"), dtype=np.int64)
    return np.asarray(fcluster(tree, config.number, "maxclust"), dtype=np.int64)


def _spectral(
    K: FloatArray, D: FloatArray, config: GroupsConfig, height: float, rng: np.random.Generator
) -> Steps[IntArray]:
    """Ng, Jordan and Weiss 2001: leading vectors of D^(-1/2) K D^(-1/2), rows of length 1, divided by k-means."""
    from scipy.linalg import eigh

    yield 0.0
    A = np.maximum(K, 0.0)
    np.fill_diagonal(A, 0.0)
    lengths = np.sqrt(A.sum(axis=1))
    inverse = np.where(lengths > 0.0, 1.0 / np.where(lengths > 0.0, lengths, 1.0), 0.0)
    n, number = len(A), min(config.number, len(A))
    _, U = eigh(A * np.outer(inverse, inverse), subset_by_index=(n - number, n - 1))
    rows = np.linalg.norm(U, axis=1, keepdims=True)
    U = U / np.where(rows > 1e-12, rows, 1.0)
    groups: IntArray = yield from part(kernel_k_means.steps(U @ U.T, number, rng=rng), 0.2, 1.0)
    return groups


def _k_means(
    K: FloatArray, D: FloatArray, config: GroupsConfig, height: float, rng: np.random.Generator
) -> Steps[IntArray]:
    groups: IntArray = yield from kernel_k_means.steps(K, min(config.number, len(K)), rng=rng)
    return groups


GROUPINGS: Final = (
    Grouping("dendrogram", "dendrogram", "the tree of merged items, cut at a height or into a number of groups", _cut),
    Grouping(
        "spectral", "spectral", "similarities are weights of a graph that is cut, negative ones count as 0 "
        "(spectral clustering)",
        _spectral,
    ),
    Grouping("k-means", "k-means", "items nearest to the mean of their group in feature space (kernel k-means)", _k_means),
)  # fmt: skip
"""Ways to find groups."""
GroupingName: TypeAlias = Literal["dendrogram", "spectral", "k-means"]


@dataclass(frozen=True)
class GroupsConfig:
    """How items are divided into groups, and how often that is done again without some of them."""

    method: GroupingName = parameter(
        "dendrogram", label="Groups by", choices=tuple(each.name for each in GROUPINGS),
        names=tuple(each.title for each in GROUPINGS),
        help="; ".join(f"{each.title}: {each.about}" for each in GROUPINGS) + ".",
    )  # fmt: skip
    number: int = parameter(4, label="Groups", help="How many.", low=2, high=40, step=1)
    by: Literal["number", "height"] = parameter(
        "number", label="Cut", choices=("number", "height"), help="Of a dendrogram: into a number of groups, or at a height."
    )  # fmt: skip
    height: float = parameter(
        0.7, label="Height", low=0.0, high=1.0, step=0.01, unit="%",
        help="Where the dendrogram is cut, of its tallest merge: items that are joined below are one group.",
    )  # fmt: skip
    linkage: Linkage = parameter(
        "average", label="Linkage", choices=LINKAGES,
        help="Two groups are as far apart as their items are on average, at most (complete) or at least (single).",
    )  # fmt: skip
    normalize: bool = normalize_parameter()
    resamples: int = parameter(
        20,
        label="Resamples",
        low=0,
        high=200,
        step=1,
        help="How often groups are found again among 80 % of the items.",
    )
    seed: int = parameter(
        0,
        label="Seed",
        low=0,
        high=2**31 - 1,
        step=1,
        help="Draws the items of resamples, and where k-means begins.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def by_height(self) -> bool:
        """Whether the number of groups follows from a height."""
        return self.method == "dendrogram" and self.by == "height"


STARTS: Final = 10
MOVES: Final = 100


@blocking
def kernel_k_means(K: ArrayLike, number: int, *, rng: np.random.Generator) -> Steps[IntArray]:
    """Divide items so that Σ_i |φ(x_i) − mean of its group|² is small: Lloyd's steps in feature space, best of ten starts.

    |φ(x) − m_c|² = k(x, x) − 2/|c| Σ_{j ∈ c} k(x, x_j) + 1/|c|² Σ_{j, l ∈ c} k(x_j, x_l) (Schölkopf, Smola and Müller 1998);
    starts by k-means++ (Arthur and Vassilvitskii 2007). Of vectors it is k-means of their linear kernel.

    Parameters
    ----------
    K : (n, n) array_like
        Positive semidefinite.
    number : int
        1 to n; of items that are the same there may come out fewer groups.
    rng : Generator

    Returns
    -------
    (n,) int
        From 0.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import kernel_k_means
    >>> x = np.array([0.0, 0.1, 5.0, 5.1])
    >>> groups = kernel_k_means(np.outer(x, x), 2, rng=np.random.default_rng(0))
    >>> bool(groups[0] == groups[1] != groups[2] == groups[3])
    True
    """
    values = np.asarray(K, dtype=np.float64)
    if values.ndim != 2 or values.shape[0] != values.shape[1] or not np.isfinite(values).all():
        raise InvalidInputError("k-means needs a square matrix of numbers", str(values.shape))
    if isinstance(number, bool) or not 1 <= number <= len(values):
        raise InvalidInputError(f"The number of groups has to lie in 1 to {len(values)}", repr(number))
    made = []
    for start in range(STARTS):
        yield start / STARTS
        made.append(_lloyd(values, number, rng))
    return min(made, key=lambda each: each[1])[0]


def _lloyd(K: FloatArray, number: int, rng: np.random.Generator) -> tuple[IntArray, float]:
    n, diag = len(K), np.diag(K)
    seeds = [int(rng.integers(n))]
    nearest = diag + diag[seeds[0]] - 2.0 * K[seeds[0]]
    for _ in range(number - 1):
        weights = np.maximum(nearest, 0.0)
        total = float(weights.sum())
        seeds.append(int(rng.choice(n, p=weights / total)) if total > 0.0 else int(rng.integers(n)))
        nearest = np.minimum(nearest, diag + diag[seeds[-1]] - 2.0 * K[seeds[-1]])
    groups = (diag[seeds][None, :] - 2.0 * K[:, seeds]).argmin(axis=1)
    for _ in range(MOVES):
        members = np.zeros((n, number))
        members[np.arange(n), groups] = 1.0
        sizes = members.sum(axis=0)
        means = K @ (members / np.maximum(sizes, 1.0))
        inside = (members * means).sum(axis=0) / np.maximum(sizes, 1.0)
        far = np.where(sizes > 0.0, inside - 2.0 * means, np.inf)
        moved = far.argmin(axis=1)
        if np.array_equal(moved, groups):
            break
        groups = moved
    return groups.astype(np.int64), float((diag + far[np.arange(n), groups]).sum())


# How well items lie in their group, and how alike two divisions are.


def silhouettes(D: FloatArray, groups: IntArray) -> tuple[FloatArray, IntArray]:
    """Silhouette of every item, (b − a) / max(a, b), and the group that is nearest beside its own (Rousseeuw 1987).

    a is the mean distance to the others of its group, b the smallest mean distance to another group. 0 for an item alone.

    Parameters
    ----------
    D : (n, n) float
        Distances.
    groups : (n,) int
        From 1; at least two different ones.
    """
    members = groups[:, None] == np.arange(1, int(groups.max()) + 1)[None, :]
    sizes = members.sum(axis=0)
    sums = D @ members
    own = np.arange(len(groups)), groups - 1
    a = sums[own] / np.maximum(sizes[groups - 1] - 1, 1)
    means = sums / sizes
    means[own] = np.inf
    other = means.argmin(axis=1)
    b = means[np.arange(len(groups)), other]
    larger = np.maximum(a, b)
    value = np.where(larger > 0.0, (b - a) / np.where(larger > 0.0, larger, 1.0), 0.0)
    return np.where(sizes[groups - 1] > 1, value, 0.0), (other + 1).astype(np.int64)


def adjusted_rand(a: ArrayLike, b: ArrayLike) -> float:
    """How alike two divisions of the same items are: 1 = the same, 0 on average by chance (Hubert and Arabie 1985).

    (Σ C(n_ij, 2) − E) / (½ (A + B) − E) with A, B the pairs that each division keeps together and E = A B / C(n, 2).

    Parameters
    ----------
    a, b : (n,) array_like
        Names or numbers of groups.

    Examples
    --------
    >>> from kernex_core import adjusted_rand
    >>> adjusted_rand([1, 1, 2, 2], ["x", "x", "y", "y"]), round(adjusted_rand([1, 1, 2, 2], [1, 2, 1, 2]), 3)
    (1.0, -0.5)
    """
    first, second = (np.unique(np.asarray(each), return_inverse=True)[1] for each in (a, b))
    if first.shape != second.shape or first.size < 2:
        raise InvalidInputError(
            "Two divisions of the same items, two at least", f"{first.size} and {second.size}"
        )
    table = np.zeros((int(first.max()) + 1, int(second.max()) + 1))
    np.add.at(table, (first, second), 1.0)

    def pairs(counts: FloatArray) -> float:
        return float((counts * (counts - 1.0)).sum()) / 2.0

    together, A, B = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    by_chance = A * B / pairs(np.array([float(first.size)]))
    most = (A + B) / 2.0
    return 1.0 if most == by_chance else (together - by_chance) / (most - by_chance)


# Groups of one kernel, and of parts of its items.

FEWEST: Final = 5
KEPT_SHARE: Final = 0.8


@dataclass(frozen=True, eq=False)
class PreparedGroups(ReadOnlyArrays):
    """What is computed once: K, clipped where it was indefinite, its distances, and what has to be said of it."""

    K: FloatArray
    D: FloatArray
    ids: tuple[str, ...]
    name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Groups(ReadOnlyArrays):
    """Items in groups.

    Attributes
    ----------
    groups : (n,) int
        1 = the largest (ties: that of the first item).
    silhouette : (n,) float
        See `silhouettes`; NaN where all items are one group.
    other : (n,) int
        Nearest group beside the own one; 0 where there is none.
    height : float
        Where the dendrogram was cut; NaN of other ways.
    labelled : int
        Items that have a label.
    against_labels : float
        Adjusted Rand index with the labels of these; NaN without.
    notes : tuple of str
    """

    groups: IntArray
    silhouette: FloatArray
    other: IntArray
    height: float = float("nan")
    labelled: int = 0
    against_labels: float = float("nan")
    notes: tuple[str, ...] = field(default=())

    @property
    def number(self) -> int:
        """Of groups."""
        return int(self.groups.max())

    @property
    def sizes(self) -> IntArray:
        """Of groups, largest first."""
        return np.bincount(self.groups)[1:]

    @property
    def misplaced(self) -> int:
        """Items that lie nearer to another group than to their own."""
        return int((self.silhouette < 0.0).sum())


@dataclass(frozen=True, eq=False)
class Stability(ReadOnlyArrays):
    """How alike the groups of resamples are to those of all items.

    Attributes
    ----------
    values : (resamples,) float
        Adjusted Rand index over the items of each resample.
    """

    values: FloatArray

    @property
    def mean(self) -> float:
        """Mean of them."""
        return float(self.values.mean())


def kernel_of(points: MapPoints) -> FloatArray:
    """(n, n) kernel of points: their own, or the linear one of centred vectors."""
    if isinstance(points.cloud, KernelCloud):
        return points.cloud.K
    assert isinstance(points.cloud, VectorCloud)
    X = points.cloud.X - points.cloud.X.mean(axis=0)
    return np.asarray(X @ X.T)


@blocking
def prepare_groups(source: Vectors | GramMatrix, *, normalize: bool = False) -> Steps[PreparedGroups]:
    """Take the kernel and the distances that groups are found by; negative eigenvalues are clipped, and that is noted.

    Raises
    ------
    InvalidInputError
        Unknown entries, or fewer than five items.

    Examples
    --------
    >>> from kernex_core import load_dataset, prepare_groups
    >>> K = load_dataset("indefinite_similarities").kernels["log sequence"]
    >>> prepare_groups(K).notes[0][:52]
    'log sequence is no kernel: 58 of 206 eigenvalues are'
    """
    points = yield from points_in_steps(source, normalize=normalize)
    items = np.arange(points.cloud.n)
    D = np.sqrt(points.cloud.squared(items, items))
    D = (D + D.T) / 2.0
    np.fill_diagonal(D, 0.0)
    name = source.name if isinstance(source, GramMatrix) else "the vectors"
    return PreparedGroups(kernel_of(points), owned(D), tuple(source.ids), name, points.notes)


@blocking
def find_groups(
    config: GroupsConfig, prepared: PreparedGroups, labels: Labels | None = None
) -> Steps[Groups]:
    """Divide the items into groups.

    Parameters
    ----------
    config : GroupsConfig
    prepared : PreparedGroups
    labels : Labels, optional
        What the groups are compared with; they play no part in finding them.

    Examples
    --------
    >>> from kernex_core import GroupsConfig, find_groups, load_dataset, prepare_groups
    >>> data = load_dataset("swiss_roll")
    >>> found = find_groups(GroupsConfig("k-means", number=3), prepare_groups(data.samples["points"]))
    >>> found.number, int(found.sizes.sum())
    (3, 500)
    """
    n = len(prepared.K)
    if config.number >= n and not config.by_height:
        raise InvalidInputError(f"Fewer groups than items ({n})", str(config.number))
    height = _height(config, prepared.D)
    raw = yield from _divided(config, prepared.K, prepared.D, height, 0)
    groups, notes = ranked_by_size(raw), list(prepared.notes)
    number = int(groups.max())
    if number < config.number and not config.by_height:
        notes.append(f"{number} groups, not {config.number}: items that are equally far are joined at once.")
    if config.method == "spectral" and (prepared.K < 0.0).any():
        share = float((prepared.K < 0.0).mean())
        notes.append(f"{100.0 * share:.2g} % of the similarities are negative and count as 0 in the graph.")
    silhouette, other = (
        silhouettes(prepared.D, groups) if number > 1 else (np.full(n, np.nan), np.zeros(n, dtype=np.int64))
    )
    known = np.zeros(n, dtype=np.bool_) if labels is None else labels.labelled
    against = float("nan")
    if labels is not None and known.sum() > 1:
        against = adjusted_rand(groups[known], labels.y[known])
    return Groups(groups, silhouette, other, height, int(known.sum()), against, tuple(notes))


@blocking
def group_stability(config: GroupsConfig, prepared: PreparedGroups, groups: Groups) -> Steps[Stability]:
    """Find groups again among 80 % of the items, drawn anew each time, and compare them with those of all items.

    A dendrogram that was cut at a height is cut at that height again. Groups that move with a fifth of the items are those
    of the draw; that they stay does not say that there are groups: a long cloud is cut in the same place every time.

    Parameters
    ----------
    config : GroupsConfig
        With `resamples` and `seed`.
    prepared : PreparedGroups
    groups : Groups
        Of all items, as these settings find them.

    Examples
    --------
    >>> from kernex_core import GroupsConfig, find_groups, group_stability, load_dataset, prepare_groups
    >>> made = prepare_groups(load_dataset("swiss_roll").samples["points"])
    >>> config = GroupsConfig("k-means", number=2, resamples=3)
    >>> group_stability(config, made, find_groups(config, made)).values.size
    3
    """
    n, values = len(prepared.K), np.empty(config.resamples)
    size = max(FEWEST, round(KEPT_SHARE * n))
    for r in range(config.resamples):
        items = np.sort(repetition_rng(config.seed, r + 1).permutation(n)[:size])
        block = np.ix_(items, items)
        again = yield from part(
            _divided(config, prepared.K[block], prepared.D[block], groups.height, r + 1),
            r / config.resamples, (r + 1) / config.resamples,
        )  # fmt: skip
        values[r] = adjusted_rand(again, groups.groups[items])
    return Stability(values)


def _divided(config: GroupsConfig, K: FloatArray, D: FloatArray, height: float, draw: int) -> Steps[IntArray]:
    divide = next(each for each in GROUPINGS if each.name == config.method).divide
    # chance of its own: the items of a resample and where k-means begins in it are two things
    rng = np.random.default_rng(np.random.SeedSequence([config.seed, draw, 1]))
    unit = float(np.diag(K).mean()) or 1.0
    return (yield from divide(K / unit, D, config, height, rng))


def _height(config: GroupsConfig, D: FloatArray) -> float:
    if config.method != "dendrogram":
        return float("nan")
    heights = linkage(squareform(D, checks=False), config.linkage)[:, 2]
    # into g groups: above the merge that leaves g, or below all
    return float(
        config.height * heights[-1] if config.by == "height" else heights[-min(config.number, len(heights))]
    )


def group_names(groups: IntArray) -> NDArray[np.str_]:
    """(n,) names of groups for labels, such that they sort by number; "" for 0, which is in no group."""
    wide = len(str(int(groups.max(initial=0))))
    return np.array([f"group {group:0{wide}d}" if group else "" for group in groups.tolist()], dtype=np.str_)
