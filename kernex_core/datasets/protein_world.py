"""A simulated world of proteins: sequence and structure strings that evolved together, scored by real alignment.

An ancestral protein evolves down a tree into superfamilies and families; its structure string evolves more slowly
than its residues. All pairs are aligned by Smith-Waterman, residues with BLOSUM62 (gaps 11/1) and structure strings
with scores derived from their own substitution model (gaps 10/1). The generator was tuned, together with C = 1.5, to
the accuracies that Vishwanathan et al. published for 206 real proteins in 9 superfamilies of the TIM barrel
("Kernel extrapolation", Neurocomputing 2006, Tables 1 and 2); families are closer to each other than real ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, check_seed, parameter
from kernex_core.base.validation import as_symmetric, check_item_count, psd_tolerance
from kernex_core.conditioning.power import Log1p
from kernex_core.datasets.substitution_model import (
    STRUCTURE_LETTERS,
    Member,
    simulate_members,
    structure_scores,
)
from kernex_core.gram.matrix import GramMatrix, check_ids
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels, Note, Sequences, Similarity
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix

SUPERFAMILY_SIZES = (58, 38, 30, 22, 16, 13, 11, 10, 8)
"""Proteins in each superfamily: 206 altogether."""
DEFAULTS = Defaults(C=1.5)
"""Settings that the generator was tuned with; cosine normalisation and a clip of the known block go with them."""

_DESCRIPTION = (
    "Simulated: an ancestral protein evolves down a tree into {families} superfamilies, {n} proteins, with a structure "
    "string that changes more slowly; both strings are scored by Smith-Waterman. The generator and C = 1.5 were "
    "tuned together to the accuracies published for 206 real TIM barrels; families are closer than real ones."
)


def protein_world(seed: int = 0, superfamily_sizes: Sequence[int] = SUPERFAMILY_SIZES) -> DataSet:
    """Simulate proteins with sequence and structure similarities, sorted by superfamily and family.

    Parameters
    ----------
    seed : int
        At least 0; the same seed gives the same strings.
    superfamily_sizes : sequence of int
        Proteins in each superfamily, each at least 1.

    Returns
    -------
    DataSet
        Samples "residues" and "structure string"; kernels "sequence" and "structure" (raw Smith-Waterman scores);
        labels by superfamily, grouped by family.

    Raises
    ------
    InvalidInputError
        A bad seed, or a size that is no whole number of at least 1.
    TooLargeError
        More proteins than the limit.
    """
    sizes = _checked_sizes(superfamily_sizes)
    rng = np.random.default_rng(check_seed(seed))
    members = tuple(simulate_members(sizes, rng=rng))
    ids = tuple(f"SF{m.superfamily}.{m.family:02d}.{m.number:02d}" for m in members)
    residues = Sequences(ids, tuple(m.protein.sequence for m in members), "protein")
    structure = Sequences(
        ids, tuple(m.protein.structure for m in members), "structure", notes=(_OWN_ALPHABET,)
    )
    return DataSet(
        name="Protein world",
        ids=ids,
        labels=_labels(ids, members),
        samples={"residues": residues, "structure string": structure},
        kernels={"sequence": sequence_similarity(residues), "structure": structure_similarity(structure)},
        description=_DESCRIPTION.format(families=len(sizes), n=len(ids)),
        simulated=True,
        source="sequence",
        target="structure",
        defaults=DEFAULTS,
    )


def sequence_similarity(residues: Sequences) -> GramMatrix:
    """Smith-Waterman scores of residue strings: BLOSUM62, gaps 11/1."""
    return SmithWaterman(gap_open=11, gap_extend=1, matrix="BLOSUM62").similarities(residues, name="sequence")


def structure_similarity(structure: Sequences) -> GramMatrix:
    """Smith-Waterman scores of structure strings: `structure_matrix`, gaps 10/1."""
    kernel = SmithWaterman(gap_open=10, gap_extend=1, matrix=structure_matrix())
    return kernel.similarities(structure, name="structure")


def structure_matrix() -> SubstitutionMatrix:
    """Substitution matrix of the 20 structure letters of the simulated world."""
    return SubstitutionMatrix(
        STRUCTURE_LETTERS, structure_scores().tolist(), "the simulated structure matrix"
    )


_OWN_ALPHABET = Note(
    "The structure strings are written in an alphabet of their own: 6 strand, 6 helix and 8 loop letters.",
    "Their similarities were scored with the matrix that belongs to it, not with Foldseek's 3DI.",
    severity="fine",
)


def _labels(ids: tuple[str, ...], members: Sequence[Member]) -> Labels:
    superfamily = np.array([f"SF{m.superfamily}" for m in members])
    family = np.array([f"SF{m.superfamily}.{m.family:02d}" for m in members])
    return Labels(ids, superfamily, family)


def _checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise InvalidInputError("A superfamily has a whole number of proteins, at least 1", repr(size))
    if not sizes:
        raise InvalidInputError("There has to be at least one superfamily", "none")
    check_item_count(int(sum(sizes)))
    return tuple(int(size) for size in sizes)


# Similarities that are no kernel: logarithms of the simulated protein world's alignment scores.

_INDEFINITE = (
    "Simulated: log(1 + score) of the alignment scores of the protein world, as people take logarithms of scores that "
    "span orders of magnitude. No longer a kernel: {sequence} of {n} eigenvalues of the sequence similarities are "
    "negative, {structure} of the structure similarities. The raw scores are positive definite, but their diagonal "
    "is large; taking the logarithm tames it."
)
_NOTE = Note(
    "Logarithms of alignment scores are indefinite.",
    "",
    "Clip, flip, shift or square the spectrum, and compare what each does to the accuracy.",
)


def indefinite_similarities(seed: int = 0) -> DataSet:
    """Logarithms of Smith-Waterman scores of 206 simulated proteins, with the raw sequence scores beside them.

    Parameters
    ----------
    seed : int
        At least 0.

    Returns
    -------
    DataSet
        Kernels "log sequence" and "log structure" (indefinite) and "sequence" (raw, positive definite).

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    world = protein_world(seed)
    raw = world.kernels["sequence"]
    logs = {
        f"log {name}": GramMatrix(
            Log1p()(np.asarray(world.kernels[name])),
            world.ids,
            f"log {name}",
            seen=world.kernels[name].has_seen(),
        )
        for name in ("sequence", "structure")
    }
    negative = {name: _negative(logs[f"log {name}"]) for name in ("sequence", "structure")}
    return replace(
        world,
        name="An indefinite matrix",
        kernels={**logs, "sequence": raw},
        description=_INDEFINITE.format(n=world.n, **negative),
        # the target is looked at first: four times the negative mass, and repairs that differ in accuracy
        source="log structure",
        target="log sequence",
        notes=(_NOTE,),
    )


def _negative(K: GramMatrix) -> int:
    """Number of materially negative eigenvalues."""
    eigenvalues = np.linalg.eigvalsh(K.values)
    return int((eigenvalues < -psd_tolerance(K.n, float(np.abs(eigenvalues).max()))).sum())


# A search tool that reports part of the pairs: the simulated protein world as a hit table.

HIT_SIZES = (34, 26, 20, 16, 14, 10)
"""Proteins in each superfamily of the hits data set: 120 altogether."""

_HITS = (
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
        description=_HITS.format(n=world.n, families=len(HIT_SIZES), share=share),
        source="sequence",
        target="structure hits",
        defaults=replace(DEFAULTS, unreported=True),
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
    "Complete says which were missed; or fill with zero, half the lowest or the lowest reported score; the mean of the "
    "reported ruins classification.",
)


# The protein world measured in part: of single pairs of proteins, drawn at random, the structure similarity is unknown.

UNKNOWN: Final = 0.7
"""Share of the pairs that were never measured."""
_GAPPED = (
    "Simulated: {n} proteins in {families} superfamilies. Sequences of all pairs are aligned; of their structures "
    "{share:.0f} % of the pairs were never compared, which ones is chance. The complete structure similarities are kept "
    "beside them."
)


def gapped_matrix(seed: int = 0) -> DataSet:
    """The protein world with single pairs of its structure similarities unknown: 120 proteins, 70 % of the pairs.

    Parameters
    ----------
    seed : int
        At least 0.

    Returns
    -------
    DataSet
        Kernels "sequence" (complete), "structure in part" (unknown pairs are NaN) and "structure" (the truth).

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    world = protein_world(check_seed(seed), HIT_SIZES)
    # a stream of its own: the strings stay those of the world with this seed
    rng = np.random.default_rng([seed, 2])
    gone = np.triu(rng.random((world.n, world.n)) < UNKNOWN, 1)
    whole = world.kernels["structure"]
    measured = GramMatrix(
        np.where(gone | gone.T, np.nan, whole.values), world.ids, "structure in part", seen=whole.base.seen
    )
    share = 100.0 * measured.unknown.between / (world.n * (world.n - 1) / 2)
    return replace(
        world,
        name="A gapped matrix",
        kernels={"sequence": world.kernels["sequence"], "structure in part": measured, "structure": whole},
        description=_GAPPED.format(n=world.n, families=len(HIT_SIZES), share=share),
        source="sequence",
        target="structure in part",
        defaults=DEFAULTS,
    )
