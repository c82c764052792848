"""What the repetitions of an experiment draw from: every pair of a seed and a repetition has numbers of its own.

Were repetition r seeded with seed + r, seeds 0 and 1 would share all repetitions but two, and whoever changes the seed to
see how much a result varies would see a part of it.
"""

from __future__ import annotations

import numpy as np

from kernex_core.errors import InvalidInputError


def repetition_seed(seed: int, repetition: int) -> int:
    """Whole number below 2^32 for generators that are seeded with one, such as scikit-learn's."""
    return int(_sequence(seed, repetition).generate_state(1)[0])


def repetition_rng(seed: int, repetition: int) -> np.random.Generator:
    """Generator of a repetition."""
    return np.random.default_rng(_sequence(seed, repetition))


def _sequence(seed: int, repetition: int) -> np.random.SeedSequence:
    return np.random.SeedSequence([seed, repetition])


def check_seed(seed: object) -> int:
    """Return the seed if it is a whole number of at least 0.

    Raises
    ------
    InvalidInputError
        Otherwise, with the value.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidInputError("The seed has to be a whole number of at least 0", repr(seed))
    return int(seed)
