"""Hide single pairs that are known: "how well would they be found again?"."""

from __future__ import annotations

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import check_range, check_seed
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import seen_of


def hide_pairs(T: GramMatrix, share: float, *, seed: int = 0) -> GramMatrix:
    """Make a share of the known pairs of two different items unknown; larger shares of one seed hide these and more.

    Parameters
    ----------
    T : GramMatrix
    share : float
        0 to 0.95, of the known pairs; of a share above 0 at least one is hidden, and at least one stays known.
    seed : int

    Raises
    ------
    InvalidInputError
        No pair is known.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, hide_pairs
    >>> hide_pairs(GramMatrix(np.ones((5, 5))), 0.3).unknown.unknown_pairs
    3
    """
    share = check_range("The hidden share", share, 0.0, 0.95)
    pairs = np.argwhere(np.triu(~np.isnan(T.values), 1))
    if not len(pairs):
        raise InvalidInputError(
            "Pairs to hide have to be known", f"none in {T.name!r}", "Bring some similarities"
        )
    order = np.random.default_rng(check_seed(seed)).permutation(len(pairs))
    count = max(round(share * len(pairs)), 1) if share > 0.0 else 0
    at = pairs[order[: min(count, len(pairs) - 1)]]
    values = np.array(T.values)
    values[at[:, 0], at[:, 1]] = values[at[:, 1], at[:, 0]] = np.nan
    made = call("hidden", "hide_pairs", T, share, seed=seed)
    return GramMatrix(values, T.ids, T.name, made, seen=seen_of(T))
