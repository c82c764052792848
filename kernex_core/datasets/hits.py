"""A search tool that reports part of the pairs: the simulated protein world as a hit table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.datasets.protein_world import DEFAULTS, protein_world
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.positions import check_ids
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.parameters import check_parameters, parameter
from kernex_core.seeds import check_seed
from kernex_core.validation import as_symmetric

HIT_SIZES = (34, 26, 20, 16, 14, 10)
"""Proteins in each superfamily of the hits data set: 120 altogether."""

_DESCRIPTION = (
    "Simulated: {n} proteins in {families} superfamilies as a search tool would report them. Of the structure "
    "similarities of different proteins only {share:.0f} % are reported, those that score high, many of them in one "
    "direction only. The complete structure similarities are kept beside them, to judge what a fill does."
)


@dataclass(frozen=True, eq=False)
class SearchTool(EqualByContent):
    """What a search tool reports of all similarities.

    Attributes
    ----------
    reported_above : float
        Quantile of the scores between different items from which on a pair is a candidate.
    lost : float
        Share of candidates that the prefilter loses, each direction on its own.
    top : int
        Most hits that are reported for one query, besides itself.
    jitter : float
        Relative standard deviation of the reported scores.
    """

    reported_above: float = parameter(
        0.8, help="Quantile of the scores that are candidates.", low=0.0, high=1.0
    )
    lost: float = parameter(0.1, help="Share of candidates that the prefilter loses.", low=0.0, high=1.0)
    top: int = parameter(15, help="Most hits a query.", low=1)
    jitter: float = parameter(0.01, help="Relative error of a score.", low=0.0, high=1.0)

    def __post_init__(self) -> None:
        check_parameters(self)

    def search(self, scores: ArrayLike, ids: Sequence[str], *, rng: np.random.Generator) -> HitTable:
        """Search all items against all.

        Parameters
        ----------
        scores : (n, n) float
            Similarities, at least two items, all known.
        ids : sequence of str

        Returns
        -------
        HitTable
            Every item hits itself, with its exact score; other hits best first.

        Raises
        ------
        InvalidInputError
            An asymmetric or partly unknown matrix, one item only, or ids that do not fit.
        """
        S = as_symmetric(scores, "scores")
        n = S.shape[0]
        check_ids(ids, n)
        if n < 2:
            raise InvalidInputError("A search needs at least two items", str(n))
        different = ~np.eye(n, dtype=np.bool_)
        candidate = (np.quantile(S[different], self.reported_above) <= S) & different
        candidate &= rng.random((n, n)) >= self.lost
        seen = S * (1.0 + self.jitter * rng.standard_normal((n, n)))
        np.fill_diagonal(seen, np.diag(S))
        hits = [self._hits(seen[i], candidate[i], i) for i in range(n)]
        query = np.repeat(np.arange(n), [targets.size for targets in hits])
        target = np.concatenate(hits)
        return HitTable(tuple(ids), query, target, seen[query, target])

    def _hits(self, scores: FloatArray, candidate: BoolArray, own: int) -> IntArray:
        others = np.flatnonzero(candidate)
        best = others[np.argsort(-scores[others], kind="stable")][: self.top]
        return np.concatenate([[own], best]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class HitTable(ReadOnlyArrays):
    """Reported pairs, query by query.

    Attributes
    ----------
    ids : tuple of str
    query, target : (k,) int
        Positions in `ids`.
    score : (k,) float
    """

    ids: tuple[str, ...]
    query: IntArray
    target: IntArray
    score: FloatArray

    @property
    def text(self) -> str:
        """The table as a file: query, target, score, separated by tabs, with a header."""
        lines = [
            f"{self.ids[q]}\t{self.ids[t]}\t{score:.2f}"
            for q, t, score in zip(self.query, self.target, self.score, strict=True)
        ]
        return "\n".join(["query\ttarget\tscore", *lines]) + "\n"

    def similarities(self) -> Similarity:
        """The table as Kernex reads an uploaded one: both directions averaged, pairs not listed unknown."""
        read = read_samples(self.text.encode(), "hits.tsv", kind="similarity", format="pairs")
        assert isinstance(read, Similarity)  # kind="similarity"
        position = {name: at for at, name in enumerate(read.ids)}
        return read.take(np.array([position[name] for name in self.ids]))


def structure_hits(seed: int = 0) -> DataSet:
    """The protein world as a search tool reports it: 120 proteins, 6 superfamilies, 15 % of the pairs.

    Parameters
    ----------
    seed : int
        At least 0.

    Returns
    -------
    DataSet
        Kernels "sequence" (complete), "structure hits" (unreported pairs are NaN) and "structure" (complete, the
        truth that no search tool shows).

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    world = protein_world(check_seed(seed), HIT_SIZES)
    table = structure_hit_table(world, seed)
    hits = GramMatrix(table.similarities().gram.values, world.ids, "structure hits")
    kernels = {
        "sequence": world.kernels["sequence"],
        "structure hits": hits,
        "structure": world.kernels["structure"],
    }
    share = 100.0 * (1.0 - hits.unknown.between / (world.n * (world.n - 1) / 2))
    return replace(
        world,
        name="Hits only",
        kernels=kernels,
        description=_DESCRIPTION.format(n=world.n, families=len(HIT_SIZES), share=share),
        source="sequence",
        target="structure hits",
        defaults=DEFAULTS,
        notes=(_one_sided_note(table), _FILL_NOTE),
    )


def structure_hit_table(world: DataSet, seed: int = 0) -> HitTable:
    """What a search with the structures of a simulated world reports."""
    # a stream of its own: the strings stay those of the world with this seed
    rng = np.random.default_rng([check_seed(seed), 1])
    return SearchTool().search(world.kernels["structure"].values, world.ids, rng=rng)


def _one_sided_note(table: HitTable) -> Note:
    listed = set(zip(table.query.tolist(), table.target.tolist(), strict=True))
    different = {(q, t) for q, t in listed if q != t}
    one_sided = sum((t, q) not in listed for q, t in different)
    pairs = len({(min(pair), max(pair)) for pair in different})
    return Note(
        f"{one_sided:,} of {pairs:,} reported pairs are reported in one direction only.",
        "One direction stands for both; of two scores the mean is taken.",
    )


_FILL_NOTE = Note(
    "What is not reported scored low: absence is informative.",
    "Unreported pairs are unknown until you choose what stands for them.",
    "Fill with zero, half the lowest or the lowest reported score; the mean of the reported ruins classification.",
)
