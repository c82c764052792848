"""Profile hidden Markov model of a family of strings, and the Fisher scores that it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.jit import jit
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.kernels.sequences.letters import as_strings, encode, letters_of
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.sequences.substitution import substitution_matrix

# Forward and backward over a profile HMM, compiled.
#
# States: N and C emit what flanks the profile, B and E are silent; M_k, I_k and D_k match, insert and delete at place
# k. All probabilities of letters are divided by the background's, so that N, I and C emit 1. Row i of a table holds the
# states after i letters, divided by the largest of them; what is divided by is kept, and the backward pass divides by
# it, too.


@jit
def forward(
    x: IntArray, odds: FloatArray, begin: FloatArray, steps: FloatArray, loop: float,
    rows: FloatArray, flanks: FloatArray, divisors: FloatArray,
) -> float:  # fmt: skip
    """Fill the tables and return the logarithm of P(x) over that of the background, whose letters loop as the flanks do.

    Parameters
    ----------
    x : (L,) int
    odds : (K, q) float
    begin : (2,) float
        From B to M_1 and to D_1.
    steps : (K - 1, 7) float
        From place k: MM, MI, MD, IM, II, DM, DD.
    loop : float
        Of both flanks.
    rows : (L + 1, 3, K) float
        M, I and D; filled.
    flanks : (L + 1, 2) float
        N and C; filled.
    divisors : (L + 1,) float
        Filled.
    """
    last = odds.shape[0] - 1
    total = 0.0
    for i in range(x.size + 1):
        M, I, D = rows[i, 0], rows[i, 1], rows[i, 2]  # noqa: E741
        M[:] = 0.0
        I[:] = 0.0
        flanks[i, 0] = 1.0
        flanks[i, 1] = 0.0
        if i:
            before = rows[i - 1]
            a = x[i - 1]
            flanks[i, 0] = loop * flanks[i - 1, 0]
            flanks[i, 1] = loop * flanks[i - 1, 1]
            # into the profile from N, then from place k to place k + 1 (match) or in place (insertion)
            M[0] = odds[0, a] * begin[0] * (1.0 - loop) * flanks[i - 1, 0]
            for k in range(last):
                t = steps[k]
                m, ins, d = before[0, k], before[1, k], before[2, k]
                M[k + 1] = odds[k + 1, a] * (t[0] * m + t[3] * ins + t[5] * d)
                I[k] = t[1] * m + t[4] * ins
        # silent states take no letter: they follow from those of the same row, in the order of the places
        D[0] = begin[1] * (1.0 - loop) * flanks[i, 0]
        for k in range(last):
            D[k + 1] = steps[k, 2] * M[k] + steps[k, 6] * D[k]
        flanks[i, 1] += M[last] + D[last]
        # to 1, so that no row under- or overflows; log P(x) is the sum of what was divided by
        largest = max(flanks[i, 0], flanks[i, 1])
        for k in range(last + 1):
            largest = max(largest, max(M[k], max(I[k], D[k])))
        divisors[i] = largest
        rows[i] /= largest
        flanks[i] /= largest
        total += np.log(largest)
    if x.size:
        total -= x.size * np.log(loop)
    whole: float = total + np.log(flanks[x.size, 1] * (1.0 - loop))
    return whole


@jit
def expect(
    x: IntArray, odds: FloatArray, begin: FloatArray, steps: FloatArray, loop: float,
    rows: FloatArray, flanks: FloatArray, divisors: FloatArray,
    emitted: FloatArray, taken: FloatArray, begun: FloatArray,
) -> None:  # fmt: skip
    """Add the expected numbers of a string, after `forward`: letters of M_k, and transitions.

    Parameters
    ----------
    x, odds, begin, steps, loop, rows, flanks, divisors
        As `forward` took and filled them.
    emitted : (K, q) float
    taken : (K - 1, 7) float
    begun : (2,) float
    """
    L = x.size
    last = odds.shape[0] - 1
    M, I, D = np.zeros(last + 1), np.zeros(last + 1), np.zeros(last + 1)  # noqa: E741
    C = 1.0 - loop
    whole = flanks[L, 1] * C
    for i in range(L, -1, -1):
        # M, I, C are still those of row i + 1; `following` is what M emits there
        following = np.zeros(last + 1)
        if i < L:
            a = x[i]
            following[:] = odds[:, a] * M / divisors[i + 1]
            C = loop * C / divisors[i + 1]
            begun[0] += flanks[i, 0] * (1.0 - loop) * begin[0] * following[0] / whole
        inserted = I / divisors[i + 1] if i < L else I
        M, I, D = np.zeros(last + 1), np.zeros(last + 1), np.zeros(last + 1)  # noqa: E741
        M[last] = C
        D[last] = C
        here = rows[i]
        for k in range(last - 1, -1, -1):
            t = steps[k]
            matched, ins, deleted = following[k + 1], inserted[k], D[k + 1]
            M[k] = t[0] * matched + t[1] * ins + t[2] * deleted
            I[k] = t[3] * matched + t[4] * ins
            D[k] = t[5] * matched + t[6] * deleted
            taken[k, 0] += here[0, k] * t[0] * matched / whole
            taken[k, 1] += here[0, k] * t[1] * ins / whole
            taken[k, 2] += here[0, k] * t[2] * deleted / whole
            taken[k, 3] += here[1, k] * t[3] * matched / whole
            taken[k, 4] += here[1, k] * t[4] * ins / whole
            taken[k, 5] += here[2, k] * t[5] * matched / whole
            taken[k, 6] += here[2, k] * t[6] * deleted / whole
        begun[1] += here[2, 0] * D[0] / whole
        if i:
            emitted[:, x[i - 1]] += here[0] * M / whole


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


# A profile HMM fitted to unaligned members of a family by expectation and maximisation (EM).

START = np.array([0.97, 0.015, 0.015, 0.5, 0.5, 0.5, 0.5])
"""Transitions MM, MI, MD, IM, II, DM, DD that EM starts from and that its prior counts follow."""
BEGIN = np.array([0.985, 0.015])
OWN = 0.5
"""Share of a match state that its own letter has at the start, where no substitution matrix knows the alphabet."""


@dataclass(frozen=True)
class ProfileFit:
    """How a profile is fitted.

    Attributes
    ----------
    steps : int
        Rounds of EM.
    emission_prior, transition_prior : float
        Counts that the start is worth, at every state.
    """

    steps: int = parameter(
        8, label="Rounds of EM", help="Each raises the posterior of the profile.", low=0, high=50, step=1
    )
    emission_prior: float = parameter(
        8.0, label="Prior letters", help="Letters that the start is worth at each place.", low=1e-6, high=1e6,
        logarithmic=True,
    )  # fmt: skip
    transition_prior: float = parameter(
        20.0, label="Prior steps", help="Transitions that the start is worth at each place.", low=1e-6, high=1e6,
        logarithmic=True,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


def fitting(
    strings: Sequence[str], alphabet: str = "protein", config: ProfileFit | None = None
) -> Iterator[tuple[ProfileHMM, float]]:
    """Profiles from the start on, one more after each round of EM, each with its log-posterior up to a constant.

    The log-posterior is the log-odds of the strings plus Σ α log θ over the prior counts α; it never falls.

    Parameters
    ----------
    strings : sequence of n str
        Members of the family, unaligned; those of the training fold alone, where others are to be judged. The one most
        similar to the others (cosines of their 3-mers) gives the places.
    alphabet : str
        "protein", "dna" or the letters themselves.
    config : ProfileFit, optional

    Raises
    ------
    InvalidInputError
        No string with a known letter.
    TooLargeError
        Strings so long that their tables do not fit.
    """
    config, letters = config or ProfileFit(), letters_of(alphabet)
    background = _background(strings, letters)
    x = _seed(strings, letters)
    emissions = np.asarray(_conditional(alphabet, background)[x])
    start = ProfileHMM(letters, emissions, background, BEGIN, np.tile(START, (x.size - 1, 1)))
    profile = start
    for step in range(config.steps + 1):
        expected = profile.expect(strings)
        yield profile, expected.log_odds + _log_prior(profile, start, config)
        if step < config.steps:
            profile = _maximised(expected, start, config)


def fit_profile(
    strings: Sequence[str], alphabet: str = "protein", config: ProfileFit | None = None
) -> ProfileHMM:
    """Fit a profile HMM to members of a family; see `fitting`.

    Examples
    --------
    >>> from kernex_core.kernels.sequences.profile import fit_profile
    >>> profile = fit_profile(["ACDEF", "ACDEF", "ACEF"])
    >>> inside, outside = profile.log_odds(["ACDEF", "WWWWW"])
    >>> bool(inside > 0.0 > outside)
    True
    """
    *_, (profile, _) = fitting(strings, alphabet, config)
    return profile


def _background(strings: Sequence[str], letters: str) -> FloatArray:
    """(q,) frequencies of the letters, with one more of each."""
    numbers = encode(as_strings(strings), letters).numbers
    counts = np.bincount(numbers[numbers >= 0], minlength=len(letters)) + 1.0
    return np.asarray(counts / counts.sum())


def _conditional(alphabet: str, background: FloatArray) -> FloatArray:
    """(q, q) probability of a letter (column) where the family has another (row): p_b 2^(s_ab / 2), rows summing to 1.

    BLOSUM62 is in half bits. A letter of another alphabet has half of its place, and the background the rest: also where
    structure is written with the letters of amino acids, which are then given one by one.
    """
    letters = letters_of(alphabet)
    if alphabet != "protein":
        return np.asarray(OWN * np.eye(len(letters)) + (1.0 - OWN) * background)
    matrix = substitution_matrix("BLOSUM62")
    at = [matrix.letters.index(letter) for letter in letters]
    joint = background * 2.0 ** (matrix.array[np.ix_(at, at)] / 2.0)
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def _seed(strings: Sequence[str], letters: str) -> IntArray:
    """Known letters of the string with the largest sum of cosines of 3-mers to the others, the first of equal ones."""
    encoded = encode(as_strings(strings), letters)
    known = [x[x >= 0] for x in np.split(encoded.numbers, encoded.starts[1:-1])]
    if not any(x.size for x in known):
        raise InvalidInputError(
            f"A profile is fitted to strings with letters among {letters}",
            "none of them",
            "Choose another alphabet",
        )
    closeness = cosine_normalize(Spectrum(3, letters).gram(strings)).sum(axis=1)
    closeness[[x.size**2 > CELL_LIMIT or not x.size for x in known]] = -1.0
    return np.asarray(known[int(np.argmax(closeness))])


def _maximised(expected: Expected, start: ProfileHMM, config: ProfileFit) -> ProfileHMM:
    """M-step: expected counts and those of the prior, divided by their sums."""
    emitted = expected.emitted + config.emission_prior * start.emissions
    taken = expected.taken + config.transition_prior * start.transitions
    begun = expected.begun + config.transition_prior * start.begin
    parts = [_shares(part) for part in np.split(taken, [3, 5], axis=1)]
    return ProfileHMM(start.letters, _shares(emitted), start.background, _shares(begun), np.hstack(parts))


def _shares(counts: FloatArray) -> FloatArray:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def _log_prior(profile: ProfileHMM, start: ProfileHMM, config: ProfileFit) -> float:
    """Σ α log θ over the prior counts."""
    emitted = float((start.emissions * np.log(profile.emissions)).sum())
    taken = float((start.transitions * np.log(profile.transitions)).sum())
    begun = float((start.begin * np.log(profile.begin)).sum())
    return config.emission_prior * emitted + config.transition_prior * (taken + begun)
