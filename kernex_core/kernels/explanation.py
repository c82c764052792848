"""What one similarity is made of: parts that sum to it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernex_core.frozen import EqualByContent
from kernex_core.kernels.parts_of_graphs import PartOfGraphs


@dataclass(frozen=True, eq=False)
class SharedKmer(EqualByContent):
    """A k-mer of each string that together contribute: the same one, or for mismatch kernels a similar one.

    To the Fisher kernel of a Markov chain a step is a k-mer of two letters; it may be in one string, or in none.

    Attributes
    ----------
    kmer_s, kmer_t : str
    mismatches : int
        Positions at which they differ.
    positions_s, positions_t : tuple of int
        Where they start, from 0; their counts are the lengths.
    common_features : int
        Features that both k-mers have: 1 for the spectrum kernel.
    contribution : float
        count in s times count in t times common features; of a step the product of its scores, weighed, of either sign.
    """

    kmer_s: str
    kmer_t: str
    mismatches: int
    positions_s: tuple[int, ...]
    positions_t: tuple[int, ...]
    common_features: int
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedSubsequence(EqualByContent):
    """A subsequence of both strings.

    Attributes
    ----------
    word : str
    weight_s, weight_t : float
        Σ λ^span over its occurrences in each string.
    occurrences_s, occurrences_t : int
        Number of its occurrences.
    positions_s, positions_t : tuple of int
        Letters of its tightest occurrence, from 0.
    contribution : float
        weight_s times weight_t.
    """

    word: str
    weight_s: float
    weight_t: float
    occurrences_s: int
    occurrences_t: int
    positions_s: tuple[int, ...]
    positions_t: tuple[int, ...]
    contribution: float

    @property
    def gaps_s(self) -> int:
        """Letters left out within the tightest occurrence in s."""
        return self.positions_s[-1] - self.positions_s[0] + 1 - len(self.positions_s)

    @property
    def gaps_t(self) -> int:
        """Letters left out within the tightest occurrence in t."""
        return self.positions_t[-1] - self.positions_t[0] + 1 - len(self.positions_t)


@dataclass(frozen=True, eq=False)
class AlignedColumn(EqualByContent):
    """One column of an alignment.

    Attributes
    ----------
    position_s, position_t : int or None
        Positions of the letters in the strings as given, from 0; None opposite a gap.
    letter_s, letter_t : str
        "-" for a gap.
    contribution : float
        Score of the pair, or minus the cost of this letter of the gap.
    probability : float or None
        Share of the sum over all alignments that comes from those with this pair; None for gaps, and for
        Smith-Waterman.
    """

    position_s: int | None
    position_t: int | None
    letter_s: str
    letter_t: str
    contribution: float
    probability: float | None = None


@dataclass(frozen=True, eq=False)
class AlignmentEnd(EqualByContent):
    """All alignments whose last pair is one pair of letters.

    Attributes
    ----------
    position_s, position_t : int
    letter_s, letter_t : str
    contribution : float
        M[i,j]: the sum of exp(β score) over them.
    probability : float
        Share of the sum over all alignments that comes from those with this pair, last or not.
    """

    position_s: int
    position_t: int
    letter_s: str
    letter_t: str
    contribution: float
    probability: float


@dataclass(frozen=True, eq=False)
class SharedWalk(EqualByContent):
    """Labels along a walk that both graphs have, read from one end or the other.

    Attributes
    ----------
    vertices, edges : tuple of str
        Labels of its vertices, and of the edges between them; "" where they do not count.
    count_s, count_t : int
        Walks of each graph that read so from the first label to the last one.
    ways : int
        2 where it reads otherwise backwards, which as many walks do; else 1.
    walk_s, walk_t : tuple of int
        One such walk in each graph, as its vertices.
    contribution : float
        Of walks of n edges ways times count in s times count in t, of the geometric kernel that times β^n; of random
        walks the chance that both read so.
    """

    vertices: tuple[str, ...]
    edges: tuple[str, ...]
    count_s: int
    count_t: int
    ways: int
    walk_s: tuple[int, ...]
    walk_t: tuple[int, ...]
    contribution: float

    @property
    def n_edges(self) -> int:
        """Edges of the walk."""
        return len(self.edges)


Part = SharedKmer | SharedSubsequence | AlignedColumn | AlignmentEnd | SharedWalk | PartOfGraphs


@dataclass(frozen=True, eq=False)
class LengthSum(EqualByContent):
    """What the k-mers of one length contribute to a sum of spectrum kernels.

    Attributes
    ----------
    k : int
    weight : float
        w_k.
    shared : int
        Distinct k-mers of this length that both strings have.
    contribution : float
        w_k Σ_u count in s times count in t.
    """

    k: int
    weight: float
    shared: int
    contribution: float


@dataclass(frozen=True, eq=False)
class Explanation(EqualByContent):
    """Parts of one similarity.

    Attributes
    ----------
    total : float
        The similarity K(s, t), without normalisation, as the kernel computes it.
    parts : tuple
        The largest parts, largest first; alignments in the order of their columns.
    rest : float
        What all other parts contribute together. It is added up from them and not from `total`, so that
        sum of `parts` + `rest` = `total` is a check of both, up to rounding.
    rest_meaning : str
        What the rest is, as a phrase.
    n_parts : int or None
        How many parts there are in all; None where they were not counted.
    apart : str
        How the sum of the parts and `total` are computed, each without the other, as a phrase.
    symbol : str
        What `total` is: K, or what the kernel returns in its place.
    alignment : tuple of AlignedColumn
        The best local alignment, for kernels on alignments.
    expected_pairs : float or None
        Mean number of aligned pairs over all alignments, weighted as in the sum (local alignment kernel).
    by_length : tuple of LengthSum
        Of a sum of spectrum kernels: what each length contributes; together they are the similarity.
    """

    total: float
    parts: tuple[Part, ...]
    rest: float
    rest_meaning: str
    n_parts: int | None = None
    apart: str = ""
    symbol: str = "K"
    alignment: tuple[AlignedColumn, ...] = ()
    expected_pairs: float | None = None
    by_length: tuple[LengthSum, ...] = ()

    @property
    def sum_of_parts(self) -> float:
        """Parts and rest added up."""
        return math.fsum([*(part.contribution for part in self.parts), self.rest])

    @property
    def discrepancy(self) -> float:
        """|sum of parts − total| relative to the larger of both: rounding, if all is right."""
        made = self.sum_of_parts
        return abs(made - self.total) / (max(abs(made), abs(self.total)) or 1.0)
