"""A kernel told by landmarks, as a page shows it: how near it comes, and whether it is the Nystroem approximation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import length
from kernex_core.completion.approximation import CONSTRAINTS, Approximation, Constraint
from kernex_core.completion.reduced_sets import (
    CHOICES,
    LandmarkChoice,
    LandmarkErrors,
    landmark_errors,
    landmark_order,
    reduced_set,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS

POINTS: Final = 12
"""Numbers of landmarks that errors are counted at."""
MOST: Final = 1_000
"""Items up to which they are: it takes as many reduced sets as points times repetitions."""


@dataclass(frozen=True)
class ReducedConfig:
    """Which items are landmarks, and how the kernel is told by them."""

    how: LandmarkChoice = parameter(
        "random", label="Landmarks", choices=CHOICES,
        help="random: drawn by the seed. farthest: each time the item that those before explain least. central: those whose "
        "similarities to all items are largest.",
    )  # fmt: skip
    count: int = parameter(
        20, label="Number of landmarks", help="How many items tell all.", low=1, high=3000, step=1
    )
    constraint: Constraint = parameter(
        "shear", label="Constraint", choices=CONSTRAINTS,
        help="Shear: the Nyström approximation, what is left of the kernel is a kernel. Free: the least error.",
    )  # fmt: skip
    seed: int = parameter(0, label="Seed", help="Draws random landmarks.", low=0, high=2**31 - 1, step=1)
    repeats: int = parameter(
        5,
        label="Repetitions",
        help="How often random landmarks are drawn for the chart.",
        low=1,
        high=50,
        step=1,
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class ReducedKernel(ReadOnlyArrays):
    """A kernel told by landmarks.

    Attributes
    ----------
    landmarks : (s,) int
        In the order in which they were chosen.
    approximation : Approximation
    error : float
        |K − K_Q|_F / |K|_F.
    nystroem : float
        Largest |K_Q − K[:, S] K_SS^-1 K[S, :]|, of the largest |K|, by other code.
    condition : float
        Of K_SS; infinite where it is singular.
    """

    landmarks: IntArray
    approximation: Approximation
    error: float
    nystroem: float
    condition: float


def reduce_kernel(config: ReducedConfig, K: GramMatrix, landmarks: ArrayLike | None = None) -> ReducedKernel:
    """Tell a kernel by landmarks (Kernel extrapolation, section 4.1).

    Parameters
    ----------
    config : ReducedConfig
    K : (n, n)
        Positive semidefinite.
    landmarks : distinct positions, optional
        Default: as many as `config` says, chosen as it says.

    Raises
    ------
    InvalidInputError
        More landmarks than items, or whatever `reduced_set` refuses.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.networks.reduced import ReducedConfig, reduce_kernel
    >>> found = reduce_kernel(ReducedConfig(count=30), load_dataset("blocks").kernels["diffusion"])
    >>> found.approximation.certificate_holds, found.nystroem < 1e-12
    (True, True)
    """
    if landmarks is None:
        at = landmark_order(K, config.how, count=config.count, seed=config.seed)
    else:
        at = np.asarray(landmarks, dtype=np.int64)
    made = reduced_set(K, at, constraint=config.constraint)
    values, scale = K.values, float(np.abs(K.values).max()) or 1.0
    norm = length(values)
    block = values[np.ix_(at, at)]
    return ReducedKernel(
        at,
        made,
        made.residual_norms[2.0] / norm if norm > 0.0 else 0.0,
        float(np.abs(made.K_Q - _nystroem(values, at, block)).max()) / scale,
        float(np.linalg.cond(block)),
    )


@dataclass(frozen=True, eq=False)
class Reducing(ReadOnlyArrays):
    """What is known so far: the kernel by landmarks first, then its errors against their number.

    Attributes
    ----------
    kernel : ReducedKernel
    errors : LandmarkErrors or None
        None where there are too many items, or not yet.
    done, total : int
    """

    kernel: ReducedKernel
    errors: LandmarkErrors | None
    done: int
    total: int


def reducing(config: ReducedConfig, K: GramMatrix) -> Iterator[Reducing]:
    """Tell a kernel by landmarks, then count how many it takes; see `reduce_kernel` and `landmark_errors`.

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.networks.reduced import ReducedConfig, reducing
    >>> *_, found = reducing(ReducedConfig(), load_dataset("blocks").kernels["diffusion"])
    >>> found.errors.counts[[0, -1]].tolist()
    [1, 120]
    """
    total = 2 if K.n <= MOST else 1
    kernel = reduce_kernel(config, K)
    yield Reducing(kernel, None, 1, total)
    if total == 2:
        errors = landmark_errors(K, counts(K.n), repeats=config.repeats, seed=config.seed, how=config.how)
        yield Reducing(kernel, errors, 2, total)


def counts(n: int) -> tuple[int, ...]:
    """Numbers of landmarks that errors are counted at, closer where they are few.

    Examples
    --------
    >>> from kernex_core.studies.networks.reduced import counts
    >>> counts(20)
    (1, 2, 3, 4, 5, 7, 9, 12, 15, 20)
    """
    return tuple(np.unique(np.geomspace(1, n, POINTS).round().astype(int)).tolist())


def reduced_kernel(K: GramMatrix, landmarks: ArrayLike, constraint: Constraint = "shear") -> GramMatrix:
    """The kernel that landmarks tell, of all items.

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.networks.reduced import reduced_kernel
    >>> reduced_kernel(load_dataset("blocks").kernels["diffusion"], [0, 30, 60, 90]).name
    'diffusion by 4 landmarks'
    """
    at = tuple(int(item) for item in np.asarray(landmarks))
    made = reduced_set(K, at, constraint=constraint)
    name = f"{K.name} by {len(at)} landmarks"
    origin = call(name, "reduced_kernel", K, at, constraint)
    return GramMatrix(made.K_Q, K.ids, name, origin, K.has_seen() | ITEMS)


def _nystroem(K: FloatArray, at: IntArray, block: FloatArray) -> FloatArray:
    """K[:, S] K_SS^-1 K[S, :] by least squares, which also takes a block that is singular."""
    solved = np.linalg.lstsq(block, K[at], rcond=None)[0]
    return np.asarray(K[at].T @ solved)
