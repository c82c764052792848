"""A profile HMM fitted to unaligned members of a family by expectation and maximisation (EM)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.kernels.sequences.fisher.profile import CELL_LIMIT, Expected, ProfileHMM
from kernex_core.kernels.sequences.letters import as_strings, encode, letters_of
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.sequences.substitution import substitution_matrix
from kernex_core.parameters import check_parameters, parameter

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
    >>> from kernex_core.kernels.sequences.fisher.fit_profile import fit_profile
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
