"""The seed of a bundled data set."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernex_core.errors import InvalidInputError


def check_seed(seed: Any) -> int:
    """Return the seed if it is a whole number of at least 0.

    Raises
    ------
    InvalidInputError
        Otherwise, with the value.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidInputError("The seed has to be a whole number of at least 0", repr(seed))
    return int(seed)
