"""Profile hidden Markov model of a family of strings, and the Fisher scores that it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.kernels.sequences.fisher.forward_backward import expect, forward
from kernex_core.kernels.sequences.letters import as_strings, encode

CELL_LIMIT = 10_000_000
"""Largest number of letters times places: the tables of one string then take 240 MB."""
STEPS = ("MM", "MI", "MD", "IM", "II", "DM", "DD")
"""Columns of `transitions`."""


@dataclass(frozen=True, eq=False)
class Expected(ReadOnlyArrays):
    """What a profile expects to have done when it made some strings, summed over them.

    Attributes
    ----------
    emitted : (K, q) float
        Letters of every match state.
    taken : (K - 1, 7) float
        Transitions; columns as STEPS.
    begun : (2,) float
        Strings that begin with M_1 and with D_1.
    log_odds : float
    """

    emitted: FloatArray
    taken: FloatArray
    begun: FloatArray
    log_odds: float


@dataclass(frozen=True, eq=False)
class ProfileHMM(ReadOnlyArrays):
    """Global profile HMM between two flanks: match, insert and delete states M_k, I_k, D_k at K places.

    A string is a flank, a way through all places (matched or deleted, with insertions between), and a flank. Flanks stay
    with probability L/(L+2), L the number of letters; flanks and insertions emit the background. Letters that the profile
    does not know are skipped.

    Attributes
    ----------
    letters : str
        q distinct letters; without lower-case ones among them case is ignored.
    emissions : (K, q) float
        e_k(a); rows sum to 1.
    background : (q,) float
        Above 0.
    begin : (2,) float
        Probabilities of M_1 and of D_1.
    transitions : (K - 1, 7) float
        Out of place k; columns as STEPS. M_K and D_K go to the last flank.

    Notes
    -----
    Durbin, Eddy, Krogh and Mitchison (1998), Biological Sequence Analysis, sections 5.2 and 5.4. Scores: Jaakkola,
    Diekhans and Haussler (2000), A discriminative framework for detecting remote protein homologies, in logits.
    """

    letters: str
    emissions: FloatArray
    background: FloatArray
    begin: FloatArray
    transitions: FloatArray

    def __post_init__(self) -> None:
        K, q = self.emissions.shape
        shapes = (self.background.shape, self.begin.shape, self.transitions.shape)
        if K < 1 or q != len(self.letters) or shapes != ((q,), (2,), (K - 1, len(STEPS))):
            raise InvalidInputError(
                f"A profile of {K} places over {len(self.letters)} letters has {q} background frequencies, 2 beginnings "
                f"and {K - 1} rows of {len(STEPS)} transitions", str(shapes),
            )  # fmt: skip
        super().__post_init__()

    def log_odds(self, strings: Sequence[str]) -> FloatArray:
        """(n,) log of the probability of each string over that by the background, whose letters loop as the flanks do."""
        found = np.zeros(len(strings))
        for i, x in enumerate(self._numbers(strings)):
            found[i] = self._pass(x, None)
        return found

    def read(self, strings: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """Log-odds (n,) and scores (n, K q) of strings, in one pass.

        U_ka = ξ_k(a) − e_k(a) Σ_b ξ_k(b), with ξ_k(a) the expected number of letters a that M_k emits: the gradient of
        the log-likelihood in the logits of the emissions.
        """
        found, scores = np.zeros(len(strings)), np.zeros((len(strings), self.emissions.size))
        for i, x in enumerate(self._numbers(strings)):
            counts = self._empty()
            found[i] = self._pass(x, counts)
            xi = counts[0]
            scores[i] = (xi - self.emissions * xi.sum(axis=1, keepdims=True)).ravel()
        return found, scores

    def expect(self, strings: Sequence[str]) -> Expected:
        """Return the expected counts over all strings: the E-step of EM."""
        counts = self._empty()
        total = sum(self._pass(x, counts) for x in self._numbers(strings))
        return Expected(*counts, total)

    def _empty(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return np.zeros(self.emissions.shape), np.zeros(self.transitions.shape), np.zeros(2)

    def _numbers(self, strings: Sequence[str]) -> Sequence[IntArray]:
        """Known letters of each string."""
        encoded = encode(as_strings(strings), self.letters)
        each = [encoded.numbers[a:b] for a, b in zip(encoded.starts, encoded.starts[1:], strict=False)]
        known = [x[x >= 0] for x in each]
        longest = max(x.size for x in known)
        if longest * len(self.emissions) > CELL_LIMIT:
            raise TooLargeError(
                f"Letters times places of a profile may be {CELL_LIMIT:,}",
                f"{longest:,} letters and {len(self.emissions):,} places", "Cut the sequences into domains",
            )  # fmt: skip
        return known

    def _pass(self, x: IntArray, counts: tuple[FloatArray, FloatArray, FloatArray] | None) -> float:
        """Log-odds of one string; its expected counts are added where there is something to add them to."""
        rows = np.empty((x.size + 1, 3, len(self.emissions)))
        tables = rows, np.empty((x.size + 1, 2)), np.empty(x.size + 1)
        # the compiled loops know one kind of array only: writable ones
        writable: Callable[[FloatArray], FloatArray] = np.array
        given = (
            x, self.emissions / self.background, writable(self.begin), writable(self.transitions),
            x.size / (x.size + 2.0),
        )  # fmt: skip
        log_odds = forward(*given, *tables)
        if counts is not None:
            expect(*given, *tables, *counts)
        return float(log_odds)
