"""Substitution models of the simulated protein world: how a letter of a string changes along a branch of a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.kernels.sequences.substitution import substitution_matrix

AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"
"""Letters of the residue string, in the order of the published BLOSUM matrices."""
STRUCTURE_LETTERS = "ABCDEFGHIKLMNPQRSTVW"
"""Letters of the structure string: 6 strand, 6 helix and 8 loop states."""
STRAND, HELIX, LOOP = 0, 1, 2
STRUCTURE_CLASS: IntArray = owned(np.repeat([STRAND, HELIX, LOOP], [6, 6, 8]).astype(np.int64))
"""(20,) class of each structure letter."""

_BLOSUM62_LAMBDA = 0.3176
"""Scale of BLOSUM62: its scores are log-odds divided by this number (natural logarithm)."""
_BLOSUM62_BACKGROUND = (
    "A .074 R .052 N .045 D .054 C .025 Q .034 E .054 G .074 H .026 I .068 "
    "L .099 K .058 M .025 F .047 P .039 S .057 T .051 W .013 Y .032 V .073"
)
_CLASS_FREQUENCY = (0.27, 0.38, 0.35)
_EXCHANGE_ACROSS_CLASSES = 0.05
_SCORE_TIME = 0.6
"""Divergence, in substitutions a site, at which the structure scores are most informative."""


@dataclass(frozen=True, eq=False)
class SubstitutionModel(ReadOnlyArrays):
    """Reversible continuous-time Markov chain on letters, one expected substitution a unit of time.

    Q_ij = pi_j w_ij for i ≠ j, rows sum to 0, scaled so that −sum_i pi_i Q_ii = 1.

    Attributes
    ----------
    frequencies : (q,) float
        Stationary probabilities pi.
    exchange : (q, q) float
        Symmetric exchange weights w; the diagonal is not looked at.
    """

    frequencies: FloatArray
    exchange: FloatArray

    @cached_property
    def rates(self) -> FloatArray:
        """(q, q) rate matrix Q."""
        Q = self.exchange * self.frequencies
        np.fill_diagonal(Q, 0.0)
        np.fill_diagonal(Q, -Q.sum(axis=1))
        return owned(Q / -(self.frequencies @ np.diag(Q)))

    @cached_property
    def _spectrum(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        # Q of a reversible chain is similar to a symmetric matrix: one eigh serves every branch length
        root = np.sqrt(self.frequencies)
        symmetric = self.rates * root[:, None] / root
        values, vectors = np.linalg.eigh((symmetric + symmetric.T) / 2.0)
        return values, vectors / root[:, None], vectors.T * root

    def transition(self, time: float) -> FloatArray:
        """Probabilities (q, q) of ending in letter j when starting from i: expm(Q time)."""
        values, left, right = self._spectrum
        return np.asarray(np.clip((left * np.exp(values * time)) @ right, 0.0, None))


@lru_cache(maxsize=1)
def amino_acid_model() -> SubstitutionModel:
    """Residues: Q_ij proportional to pi_j exp(0.3176 BLOSUM62_ij), with BLOSUM62's background pi.

    Source: Henikoff and Henikoff, "Amino acid substitution matrices from protein blocks", PNAS 1992.
    """
    blosum = substitution_matrix("BLOSUM62")
    at = [blosum.letters.index(letter) for letter in AMINO_ACIDS]
    scores = blosum.array[np.ix_(at, at)]
    words = _BLOSUM62_BACKGROUND.split()
    by_letter = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    background = np.array([by_letter[letter] for letter in AMINO_ACIDS])
    return SubstitutionModel(background / background.sum(), np.exp(_BLOSUM62_LAMBDA * scores))


@lru_cache(maxsize=1)
def structure_model() -> SubstitutionModel:
    """Structure letters: weight exp(−|i − j| / 2) within a class (strand, helix, loop), 0.05 across classes."""
    sizes = np.bincount(STRUCTURE_CLASS)
    frequencies = (np.array(_CLASS_FREQUENCY) / sizes)[STRUCTURE_CLASS]
    position = np.arange(STRUCTURE_CLASS.size)
    within = np.exp(-np.abs(position[:, None] - position) / 2.0)
    same = STRUCTURE_CLASS[:, None] == STRUCTURE_CLASS
    return SubstitutionModel(frequencies, np.where(same, within, _EXCHANGE_ACROSS_CLASSES))


@lru_cache(maxsize=1)
def structure_scores() -> IntArray:
    """Substitution scores (20, 20) of the structure letters, in half bits: −5 to 8.

    S_ij = rint(2 log2(J_ij / (pi_i pi_j))) with J = diag(pi) expm(0.6 Q), symmetrised.
    """
    model = structure_model()
    joint = model.frequencies[:, None] * model.transition(_SCORE_TIME)
    independent = np.outer(model.frequencies, model.frequencies)
    scores = np.rint(2.0 * np.log2((joint + joint.T) / 2.0 / independent))
    return owned(scores.astype(np.int64))


# Proteins that evolve down a tree: a residue string and a slower structure string with the same insertions.
#
# The tree is root → superfamilies → families → members. Both strings of a protein share its sites: every site has a
# rate category that it keeps, indels hit both strings, and the structure string changes at a fraction of the pace.

SUPERFAMILY_TIME, FAMILY_TIME, MEMBER_TIME = 1.5, 1.8, 0.35
"""Branch lengths in substitutions a site; a member's is MEMBER_TIME times a Gamma variable of mean 1."""
_MEMBER_SHAPE = 2.5
_FAMILY_SHARE = 0.19
_STRUCTURE_PACE = 0.16
_MEMBER_STRUCTURE_PACE = 1.4
"""Members of a family differ more in structure than their residues alone would say."""

_BARREL = ((STRAND, 5), (LOOP, 3), (HELIX, 11), (LOOP, 4)) * 8
"""Segments of the root: eight strand-loop-helix-loop units, each segment's length varies by one."""
_CATEGORY_SHARES = np.array([[0.35, 0.3, 0.2, 0.15], [0.35, 0.3, 0.2, 0.15], [0.1, 0.2, 0.3, 0.4]])
"""Probability of each rate category, slowest first, in strands, helices and loops."""
_INDEL_RATE, _INDEL_STOP, _INDEL_LONGEST = 0.02, 0.45, 12
SHORTEST, LONGEST = 120, 300
"""Bounds on the number of sites; an indel that would leave them does not happen."""


@dataclass(frozen=True, eq=False)
class Protein(ReadOnlyArrays):
    """One protein, site by site.

    Attributes
    ----------
    residues, states, category : (length,) int
        Index into AMINO_ACIDS, index into STRUCTURE_LETTERS, and rate category 0 (slowest) to 3.
    """

    residues: IntArray
    states: IntArray
    category: IntArray

    @property
    def sequence(self) -> str:
        """The residue string."""
        return "".join(AMINO_ACIDS[i] for i in self.residues)

    @property
    def structure(self) -> str:
        """The structure string."""
        return "".join(STRUCTURE_LETTERS[i] for i in self.states)


@dataclass(frozen=True)
class Member:
    """A protein at a leaf of the tree, with its superfamily, family and number there, all from 1."""

    superfamily: int
    family: int
    number: int
    protein: Protein


def family_sizes(n: int) -> list[int]:
    """Split a superfamily of `n` into families: repeatedly max(1, ceil(0.19 × what is left))."""
    sizes: list[int] = []
    while n > 0:
        sizes.append(max(1, ceil(_FAMILY_SHARE * n)))
        n -= sizes[-1]
    return sizes


def site_rates() -> FloatArray:
    """Relative rates (4,) of the site categories: quantiles (k + 1/2)/4 of Gamma(1, 1), scaled to mean 1."""
    # a Gamma variable of shape 1 is exponential, so its quantiles have a closed form
    quantiles = -np.log1p(-(np.arange(4) + 0.5) / 4.0)
    return owned(quantiles / quantiles.mean())


def simulate_members(superfamily_sizes: Sequence[int], *, rng: np.random.Generator) -> Iterator[Member]:
    """Evolve all proteins, sorted by superfamily and family; `rng` is consumed in tree order."""
    ancestor = root_protein(rng=rng)
    for superfamily, n in enumerate(superfamily_sizes, start=1):
        founder = evolve(ancestor, SUPERFAMILY_TIME, rng=rng)
        for family, size in enumerate(family_sizes(n), start=1):
            head = evolve(founder, FAMILY_TIME, rng=rng)
            for number in range(1, size + 1):
                time = MEMBER_TIME * rng.gamma(_MEMBER_SHAPE, 1.0 / _MEMBER_SHAPE)
                leaf = evolve(head, time, structure_pace=_MEMBER_STRUCTURE_PACE, rng=rng)
                yield Member(superfamily, family, number, leaf)


def root_protein(*, rng: np.random.Generator) -> Protein:
    """Common ancestor: eight strand-loop-helix-loop units with letters from the stationary distributions."""
    lengths = [length + int(rng.integers(-1, 2)) for _, length in _BARREL]
    classes = np.repeat([kind for kind, _ in _BARREL], lengths)
    residues = rng.choice(len(AMINO_ACIDS), classes.size, p=amino_acid_model().frequencies)
    letters = np.bincount(STRUCTURE_CLASS)
    first = np.searchsorted(STRUCTURE_CLASS, classes)
    states = first + (rng.random(classes.size) * letters[classes]).astype(np.int64)
    category = _draw(_CATEGORY_SHARES[classes], rng)
    return Protein(residues, states, category)


def evolve(
    protein: Protein, time: float, *, structure_pace: float = 1.0, rng: np.random.Generator
) -> Protein:
    """Descendant after `time` expected substitutions a residue site: substitutions first, then indels.

    Parameters
    ----------
    protein : Protein
    time : float
        At least 0.
    structure_pace : float
        Extra factor on the pace of the structure string.
    """
    slowed = time * _STRUCTURE_PACE * structure_pace
    residues = _substituted(protein.residues, protein.category, amino_acid_model(), time, rng)
    states = _substituted(protein.states, protein.category, structure_model(), slowed, rng)
    descendant = Protein(residues, states, protein.category)
    for _ in range(rng.poisson(_INDEL_RATE * time * residues.size)):
        descendant = with_indel(descendant, rng=rng)
    return descendant


def with_indel(protein: Protein, *, rng: np.random.Generator) -> Protein:
    """One insertion or deletion at a position drawn by rate; none if it would leave the bounds on the length."""
    weights = site_rates()[protein.category]
    n = weights.size
    at = int(rng.choice(n, p=weights / weights.sum()))
    length = min(int(rng.geometric(_INDEL_STOP)), _INDEL_LONGEST)
    if rng.random() < 0.5:
        length = min(length, n - at)
        return protein if n - length < SHORTEST else _without(protein, at, length)
    return protein if n + length > LONGEST else _with_loop(protein, at, length, rng)


def _without(protein: Protein, at: int, length: int) -> Protein:
    gone = slice(at, at + length)
    return Protein(
        np.delete(protein.residues, gone), np.delete(protein.states, gone), np.delete(protein.category, gone)
    )


def _with_loop(protein: Protein, at: int, length: int, rng: np.random.Generator) -> Protein:
    residues = rng.choice(len(AMINO_ACIDS), length, p=amino_acid_model().frequencies)
    states = rng.choice(np.flatnonzero(STRUCTURE_CLASS == LOOP), length)
    fastest = np.full(length, _CATEGORY_SHARES.shape[1] - 1)
    places = [at] * length
    return Protein(
        np.insert(protein.residues, places, residues),
        np.insert(protein.states, places, states),
        np.insert(protein.category, places, fastest),
    )


def _substituted(
    letters: IntArray, category: IntArray, model: SubstitutionModel, time: float, rng: np.random.Generator
) -> IntArray:
    transitions = np.stack([model.transition(time * rate) for rate in site_rates()])
    return _draw(transitions[category, letters], rng)


def _draw(probabilities: FloatArray, rng: np.random.Generator) -> IntArray:
    """One index a row (n,) from probabilities (n, q), by inversion of their running sum."""
    running: FloatArray = np.cumsum(probabilities, axis=1)
    # rounding may leave the last running sum a hair below 1; dividing by it keeps the index in range
    passed = rng.random((running.shape[0], 1)) >= running / running[:, -1:]
    return np.asarray(passed.sum(axis=1), dtype=np.int64)
