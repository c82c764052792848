"""Substitution models of the simulated protein world: how a letter of a string changes along a branch of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
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
