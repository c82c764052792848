"""Do two kernels tell the same of the items? Hilbert-Schmidt independence and Mantel's test, by permutation of items.

The items of one kernel change their places, those of the other stay: under no relation every order is as likely. Of items
that belong together, as repeated measurements do, the mean in feature space is one item.

Gretton, Bousquet, Smola and Schölkopf, "Measuring statistical dependence with Hilbert-Schmidt norms" (ALT 2005), with the
value divided by what both kernels alone have (Cortes, Mohri and Rostamizadeh, "Algorithms for learning kernels based on
centered alignment", JMLR 2012, definition 4). Mantel, "The detection of disease clustering and a generalized regression
approach" (Cancer Research 1967); with a third kernel held fixed: Smouse, Long and Sokal (Systematic Zoology 1986).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, first_of, joined
from kernex_core.base.labels import as_labels
from kernex_core.base.parameters import check_choice, check_seed, repetition_rng
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import center
from kernex_core.gram.order import kernel_distances
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import units_of
from kernex_core.learning.permutations import check_permutations
from kernex_core.runtime.executors import threads_for
from kernex_core.runtime.progress import Steps, blocking

ORDERS: Final = 999
"""How often items are permuted, where nobody says otherwise."""
STATISTICS: Final[Mapping[str, str]] = {
    "alignment": "cosine of both kernels, centred (HSIC)",
    "mantel": "correlation of their distances (Mantel)",
}
"""What is compared, by name."""
LEAST_UNITS: Final = 5
"""Of fewer no order is rare."""
LEVEL_WITH: Final = 1e-12
"""Values that differ by less, in units of what the statistic can be, are the same but for rounding."""


@dataclass(frozen=True, eq=False)
class Related(ReadOnlyArrays):
    """How far two kernels tell the same, beside what they do in a chance order of the items.

    Attributes
    ----------
    statistic : {"alignment", "mantel"}
    value : float
        −1 to 1.
    drawn : (B,) float
        The same with the items of the first kernel permuted.
    units : int
        Items that are permuted; of items that belong together one.
    seed : int
    """

    statistic: str
    value: float
    drawn: FloatArray
    units: int
    seed: int

    @property
    def permutations(self) -> int:
        """B."""
        return self.drawn.size

    @property
    def by_chance(self) -> float:
        """Mean of the permuted ones: an alignment of unrelated kernels is above 0."""
        return float(self.drawn.mean())

    @property
    def p(self) -> float:
        """(1 + number of permutations that are at least as high) / (1 + B)."""
        return exceeded(self.value, self.drawn)


def exceeded(value: float, drawn: FloatArray) -> float:
    """(1 + number of those drawn that are at least as high) / (1 + B)."""
    return float((1 + (drawn >= value - LEVEL_WITH).sum()) / (1 + drawn.size))


@blocking
def related(
    first: GramMatrix,
    second: GramMatrix,
    *,
    statistic: str = "alignment",
    given: GramMatrix | None = None,
    groups: Labels | ArrayLike | None = None,
    permutations: int = ORDERS,
    seed: int = 0,
) -> Steps[Related]:
    """Whether two kernels on the same items tell the same, one-sided: do both find the same items alike?

    Alignment ⟨H K H, H L H⟩ / (‖H K H‖ ‖H L H‖), or Pearson's correlation r of the distances of pairs. With a third kernel,
    r of what its distances leave: (r₁₂ − r₁₃ r₂₃) / √((1 − r₁₃²)(1 − r₂₃²)).

    Parameters
    ----------
    first, second : GramMatrix
        Known for every pair.
    statistic : {"alignment", "mantel"}
    given : GramMatrix, optional
        What is held fixed; of "mantel".
    groups : Labels or (n,) str, optional
        Items of one group are one, their mean; "" = an item by itself. Of labels the groups, and what they know as copies.
    permutations : int
        B; the smallest p is 1 / (1 + B).
    seed : int

    Raises
    ------
    InvalidInputError
        Other items, unknown pairs, a kernel that tells nothing apart, or fewer than LEAST_UNITS items or groups.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, related
    >>> x = np.random.default_rng(0).normal(size=(30, 2))
    >>> near, far = GramMatrix(x @ x.T), GramMatrix(np.outer(x[:, 0], x[:, 0]))
    >>> found = related(near, far, permutations=199)
    >>> round(found.value, 2), round(found.by_chance, 2), found.p
    (0.86, 0.04, 0.005)
    """
    check_choice("The statistic", statistic, tuple(STATISTICS))
    permutations, seed = check_permutations(permutations), check_seed(seed)
    if given is not None and statistic != "mantel":
        raise InvalidInputError(
            "A third kernel is held fixed in Mantel's test", f"the statistic {statistic!r}"
        )
    kernels = [first, second] if given is None else [first, second, given]
    for K in kernels:
        if K.ids != first.ids:
            raise InvalidInputError(
                "Kernels that are compared are about the same items", "other ids", "Align them by id"
            )
        if not K.unknown.complete:
            raise InvalidInputError(
                "Kernels that are compared are known for every pair",
                f"{K.unknown.unknown_pairs:,} unknown pairs in {K.name!r}",
                "Complete it first, on the page Complete, and keep the result",
            )
    if isinstance(groups, Labels):
        if groups.ids != first.ids:
            raise InvalidInputError(
                "Kernels and labels are about the same items", "other ids", "Align them by id"
            )
        given_groups, copies = groups.groups, groups.copies
    else:
        given_groups, copies = None if groups is None else as_labels(groups, first.n), None
    units = np.unique(one_each(first.n, given_groups, copies), return_inverse=True)[1]
    n = int(units.max(initial=-1)) + 1
    if n < LEAST_UNITS:
        raise InvalidInputError(f"At least {LEAST_UNITS} items, or groups of items, are permuted", str(n))
    moving, *fixed = (_unit(statistic, K.name, means_of(K.values, units)) for K in kernels)
    between = float(np.vdot(fixed[0], fixed[-1])) if given is not None else 0.0

    def at(places: IntArray | None) -> float:
        moved = moving if places is None else moving[places].take(places, axis=1)
        found = [float(np.vdot(moved, each)) for each in fixed]
        return found[0] if given is None else _partial(found[0], found[1], between)

    value, drawn, rng = at(None), np.empty(permutations), repetition_rng(seed, 0)
    for b in range(permutations):
        with threads_for(n):
            drawn[b] = at(rng.permutation(n))
        yield (b + 1) / permutations
    return Related(statistic, value, drawn, n, seed)


def _partial(r12: float, r13: float, r23: float) -> float:
    left = 1.0 - r13 * r13, 1.0 - r23 * r23
    return float((r12 - r13 * r23) / np.sqrt(left[0] * left[1])) if min(left) > LEVEL_WITH else 0.0


def _unit(statistic: str, name: str, K: FloatArray) -> FloatArray:
    """What of a kernel is compared, of length 1: an inner product of two is the statistic."""
    K = K / (float(np.abs(K).max()) or 1.0)  # squares of what is left are numbers
    if statistic == "alignment":
        made = center(K)
    else:
        distances, apart = kernel_distances(K), ~np.eye(len(K), dtype=np.bool_)
        made = np.where(apart, distances - distances[apart].mean(), 0.0)
    size = float(np.linalg.norm(made))
    if size <= LEVEL_WITH * len(K):
        raise InvalidInputError("A kernel that is compared tells items apart", f"all alike in {name!r}")
    return np.asarray(made / size)


def one_each(n: int, groups: NDArray[np.str_] | None, *copies: IntArray | None) -> IntArray:
    """(n,) place of the first item that each one belongs together with: of its group, or a copy."""
    alone = np.arange(n) if groups is None else first_of(units_of(groups).tolist())
    return joined(alone, *(each for each in copies if each is not None))


def means_of(K: FloatArray, units: IntArray) -> FloatArray:
    """(m, m) kernel of the means of units in feature space, from the unit 0 to m − 1 of every item.

    Items that belong together say one thing: in its place stands their mean, and what is permuted are units.
    """
    counts = np.bincount(units)
    if counts.size == units.size:
        order = np.argsort(units)
        return K[np.ix_(order, order)]
    M = np.zeros((counts.size, units.size))
    M[units, np.arange(units.size)] = 1.0 / counts[units]
    return np.asarray(M @ K @ M.T)
