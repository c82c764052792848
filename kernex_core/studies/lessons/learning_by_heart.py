"""Lesson 6: nearly orthogonal items are learned by heart, and a smaller power makes them alike.

Six patterns share one feature, which tells the classes apart, and have one large feature each. Source: Schoelkopf et al.,
"A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.conditioning.empirical_map import empirical_map
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.papers.orthogonal.toy import TOY_X, toy_lesson

POWERS = tuple(k / 200 for k in range(4, 201))
"""What the slider of p offers, 0.02 to 1 by 0.005."""
WANTED = 0.5
"""f of a new pattern with only the shared feature, which the challenge asks for."""
MARGIN = 0.005
"""Largest distance of p from the right one that counts as right."""
ABOUT_ONE = 0.5
"""From here on f counts as the bet "about 1"."""


@dataclass(frozen=True, eq=False)
class Memory(ReadOnlyArrays):
    """What a hard margin makes of the six patterns.

    Attributes
    ----------
    p : float or None
        Power of the empirical map; None: the linear kernel as it is.
    response : (10,) float
        f(e_j) − f(0) of a pattern that has feature j alone; for the kernel as it is these are the weights w.
    decisions : (10,) float
        f(e_j).
    bias : float
        f of a pattern that is orthogonal to all six.
    cosines : (6, 6) float
        Among the patterns, under the kernel.
    directions : (6, 6) float
        Unit vectors with these cosines, as near to the axes as they can be: the symmetric root of `cosines`.
    """

    p: float | None
    response: FloatArray
    decisions: FloatArray
    bias: float
    cosines: FloatArray
    directions: FloatArray

    @property
    def shared(self) -> float:
        """f(e1): a new pattern with only the feature that the first class shares."""
        return float(self.decisions[0])

    @property
    def cosine(self) -> float:
        """Between the first two patterns, which share a feature."""
        return float(self.cosines[0, 1])


def memory(p: float | None = None) -> Memory:
    """Train a hard margin on the six patterns with the kernel as it is, or on its empirical map with |K|^p.

    Parameters
    ----------
    p : float, optional
        Above 0, at most 1.

    Raises
    ------
    InvalidInputError
        p out of range; p = 0 would make every similarity that is not 0 equal to 1.

    Examples
    --------
    >>> [round(memory(p).shared, 4) for p in (None, 1.0, 0.1)]
    [0.0198, 0.0008, 0.7429]
    """
    made = toy_lesson(p)
    K = TOY_X @ TOY_X.T
    cosines = np.asarray(cosine_normalize(K if p is None else empirical_map(K, p)))
    x, U = np.linalg.eigh(cosines)
    directions = (U * np.sqrt(np.maximum(x, 0.0))) @ U.T
    return Memory(p, made.response, made.decisions, made.bias, cosines, directions)


def right_bet() -> int:
    """Which bet on f(e1) with the kernel as it is was right: 0 about 1, 1 a little above 0, 2 negative."""
    f = memory().shared
    if f >= ABOUT_ONE:
        return 0
    return 1 if f > 0.0 else 2


@cache
def largest_power() -> float:
    """Largest p for which f(e1) reaches WANTED: f falls as p rises.

    Examples
    --------
    >>> round(largest_power(), 4)
    0.2069
    """
    return float(
        scipy.optimize.brentq(lambda p: toy_lesson(p).decisions[0] - WANTED, POWERS[0], 1.0, xtol=1e-9)
    )


def check(p: float) -> Check:
    """Whether p is the largest power for which a new pattern with only the shared feature gets WANTED or more.

    Raises
    ------
    InvalidInputError
        p out of range.
    """
    f, best = memory(p).shared, largest_power()
    if abs(p - best) <= MARGIN:
        return Check(
            True, f, f"At p = {p:g} the new string gets {f:.3f}; the value {WANTED} is at p = {best:.4f}."
        )
    if f >= WANTED:
        return Check(False, f, f"At p = {p:g} it gets {f:.3f}, which is enough, but so it is at a larger p.")
    return Check(
        False, f, f"At p = {p:g} it gets {f:.3f} only: the patterns still stand on axes of their own."
    )
