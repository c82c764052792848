"""AbstractKernel: a similarity of samples with described parameters, each with formula and source."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Generic, Literal, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.jit import compiled
from kernex_core.base.parameters import check_parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import method
from kernex_core.gram.seen import ITEMS, PAIR
from kernex_core.kernels.explanation import Explanation
from kernex_core.runtime.progress import Steps

# What a kernel will cost: its operations are counted, and each kind of operation has a pace.
#
# Nothing is timed: a moment's measurement is at the mercy of what else the machine does, of compilation, and of costs
# that are paid once, and a small sample of a large job multiplies all three. Paces are those of `benchmarks/large.py`,
# on one core of 2020 or so; on yours they are right within a factor of three or so, and progress tells the rest.

Operations = Mapping[str, float]
"""Number of operations by kind, one of SECONDS."""

SECONDS: Final[Mapping[str, float]] = {
    "entry": 2e-9,
    "sparse entry": 8e-9,
    "window": 6e-8,
    "held k-mer": 3e-9,
    "shared k-mer": 3e-9,
    "dense product": 3e-11,
    "subsequence cell": 7e-10,
    "local alignment cell": 1.3e-9,
    "alignment cell": 3.3e-10,
    "walk step": 7e-10,
    "number": 5e-11,
    "shared part": 3e-9,
    "relabelled neighbour": 2.5e-8,
    "path step": 5e-9,
    "subgraph": 3e-8,
    "tree step": 8e-10,
}
"""Seconds of one core for one operation: an entry of the matrix, and of a sparse product; a window that is read; a k-mer
that a string holds, or that two strings share; a product of two counts in a dense table; a cell of a table of letters by
letters; one column of one pair of vectors in a product of matrices; a part that two graphs share, a neighbour that is taken
into a label, a vertex or an edge on the way to all others, a subgraph that is visited, a set of neighbours of a pair of
vertices, and a step of a walk along an edge of the product of two graphs."""
WITHOUT_NUMBA: Final[Mapping[str, float]] = {
    "subsequence cell": 5e-7,
    "local alignment cell": 1.2e-6,
    "walk step": 1e-7,
    "path step": 3e-7,
    "subgraph": 3e-6,
    "tree step": 1e-7,
}
"""The same where loops run in plain Python."""


def seconds(operations: Operations) -> float:
    """Seconds of one core."""
    paces = SECONDS if compiled() else {**SECONDS, **WITHOUT_NUMBA}
    return sum(paces[kind] * number for kind, number in operations.items())


S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)

Progress = Callable[[float], None]
"""Called with the share of work that is done, 0 to 1; it may raise to cancel."""


def no_progress(share: float) -> None:
    """Progress that nobody watches."""


class SampleObject(Protocol[S_co]):
    """What holds samples with their ids: Vectors, Sequences, Network, GraphSet."""

    @property
    def values(self) -> S_co:
        """What kernels take."""

    @property
    def ids(self) -> tuple[str, ...]:
        """One distinct id a sample."""


@dataclass(frozen=True)
class AbstractKernel(abc.ABC, Generic[S]):
    """Base of all kernels and similarities: a frozen dataclass whose described fields are its parameters.

    Class attributes
    ----------------
    title : str
        What pages call it.
    data_kind : str
        "vectors", "sequences", "network" or "graphs": the kind of the sample objects that it takes.
    formula, source, cost : str
        TeX formula, citation, and cost in n and length, shown beside the kernel.
    depends : {"pair", "network"}
        What the similarity of two samples depends on, all parameters being set: on these two alone, or on the whole
        network whose nodes they are.
    set_by_items : tuple of str
        Parameters that are set from the values of the items where they are None: a width, not an alphabet.
    by_pairs : bool
        Whether a table (of letters by letters) is filled for every pair, which bounds the lengths that are feasible.
    new_items : bool
        Whether `cross` compares samples with others; nodes are compared inside one network.
    positive_semidefinite : bool
        False for a *similarity*, which cannot enter a learner without a named repair.
    """

    title: ClassVar[str]
    data_kind: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    cost: ClassVar[str]
    depends: ClassVar[Literal["pair", "network"]] = "pair"
    set_by_items: ClassVar[tuple[str, ...]] = ()
    by_pairs: ClassVar[bool] = False
    new_items: ClassVar[bool] = True
    positive_semidefinite: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_parameters(self)

    @classmethod
    def suggested(cls) -> Self:
        """Return the kernel that a page starts with: its defaults, unless they suit few data."""
        return cls()

    def resolved(self, samples: S) -> Self:
        """Return the kernel with every data-dependent default set from the fitting items."""
        return self

    def of(self, data: SampleObject[S]) -> Self:
        """`resolved`, from a whole sample object: what it declares (the kind of its letters) counts before
        what can be guessed from its values."""
        return self.resolved(data.values)

    def check(self, samples: S, ids: Sequence[str] | None = None) -> None:
        """Refuse samples that `gram` would refuse, naming them by id where ids are given.

        Raises
        ------
        InvalidInputError, TooLargeError
        """

    def remarks(self, samples: S) -> tuple[str, ...]:
        """What this kernel takes for granted about these samples, one sentence each, for the page to show."""
        return ()

    def operations(self, samples: S) -> Operations:
        """Number of operations of `gram` by kind (`cost.SECONDS`); counted or bounded, never timed."""
        return {}

    def written(self, data: SampleObject[S]) -> Self:
        """Return the kernel as a script writes it beside these data; a model that they fit again may be left open."""
        return self

    def depends_on(self, data: SampleObject[S]) -> bool:
        """Whether the similarity of two of these items depends on others: on all nodes of a network, a width, a model.

        A value that is given, but is just the one that these items would set, counts as set by them.
        """
        if self.depends == "network" or any(getattr(self, field) is None for field in self.set_by_items):
            return True
        return any(_as_set_by(self, field, data) for field in self.set_by_items)

    def remarks_on(self, data: SampleObject[S]) -> tuple[str, ...]:
        """`remarks` on a whole sample object, which may declare more than its values show (the kind of its letters)."""
        return self.of(data).remarks(data.values)

    def estimate_seconds(self, samples: S) -> float:
        """Seconds that `gram` will take: its operations at their pace, nothing compiled and nothing timed.

        More samples and longer ones never cost less.
        """
        return seconds(self.operations(samples))

    @abc.abstractmethod
    def gram(self, samples: S, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among the samples."""

    @abc.abstractmethod
    def cross(self, samples: S, others: S, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n') of the samples (rows) to others (columns).

        Uses the parameters as they are: a kernel that was `resolved` on its fitting items gives the block that
        its `gram` of all items would have. Data-dependent defaults that are still open are set from samples and
        others together, as `gram` of both would set them.
        """

    def own(self, samples: S) -> FloatArray:
        """Similarity (n,) of each sample to itself, computed from it alone."""
        rows: Any = samples
        return np.array([float(self.gram(rows[i : i + 1])[0, 0]) for i in range(_count(rows))])

    def explain(self, s: Any, t: Any, top: int = 20) -> Explanation:
        """Decompose K(s, t), without normalisation; the parts and the rest sum to it.

        Parameters
        ----------
        s, t
            Two samples.
        top : int
            Number of parts that are listed, at least 1; alignments are always complete.

        Returns
        -------
        Explanation
            The parts and the rest are added up apart from K(s, t), which the kernel itself computes.

        Raises
        ------
        InvalidInputError
            A kernel that has no parts to show, `top` below 1, or a similarity that float64 cannot hold.
        TooLargeError
            Samples so long that the tables do not fit; the message says the limit.
        """
        raise InvalidInputError(
            "Similarities that are sums over parts of both samples are explained part by part",
            self.title,
            "Choose a kernel on sequences, or one on graphs that counts what they share",
        )

    def similarities(
        self, data: SampleObject[S], *, name: str = "", progress: Progress = no_progress
    ) -> GramMatrix:
        """GramMatrix of a whole sample object (Sequences, Vectors, ...), with ids and recipe.

        Parameters
        ----------
        data
            A sample object; its `values` go to `gram`.
        """
        self.check(data.values, data.ids)
        kernel = self.of(data)
        name = name or self.title.lower()
        origin = method(name, kernel.written(data), "similarities", data)
        values = kernel.gram(data.values, progress=progress)
        return GramMatrix(values, data.ids, name, origin, ITEMS if self.depends_on(data) else PAIR)


def _count(samples: Any) -> int:
    """How many samples there are; a sparse array has no length."""
    return int(samples.shape[0]) if hasattr(samples, "shape") else len(samples)


def _as_set_by(kernel: AbstractKernel[Any], field: str, data: SampleObject[Any]) -> bool:
    open_ = replace(kernel, **{field: None})
    try:
        return bool(getattr(open_.of(data), field) == getattr(kernel, field))
    except KernexError:  # these items can set none
        return False


AnyKernel: TypeAlias = AbstractKernel[Any]
"""A kernel of whatever kind of data, as catalogues and pages hold it."""


# A kernel that is computed in a thread of its own, so that who waits for it can say how far it is, and stop it.

PULSE: Final = 0.25
"""Seconds after which a running computation says that it is still there."""


class _Stopped(Exception):
    """Raised inside the thread that computes a matrix which nobody waits for any more."""


def similarities_in_steps(kernel: AbstractKernel[S], data: SampleObject[S]) -> Steps[GramMatrix]:
    """Return `kernel.similarities(data)`; meanwhile yield several times a second how much of it is done.

    Leaving the generator stops the thread within a task.
    """
    reached, stop = 0.0, False

    def progress(share: float) -> None:
        nonlocal reached
        if stop:
            raise _Stopped
        reached = share

    with ThreadPoolExecutor(1, thread_name_prefix="kernex-table") as pool:
        future = pool.submit(kernel.similarities, data, progress=progress)
        try:
            while wait([future], timeout=PULSE).not_done:
                yield reached
            return future.result()
        finally:
            stop = True
