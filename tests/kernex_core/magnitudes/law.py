"""Law: what becomes of a result where everything that is given in a unit is multiplied by a number."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kernex_core.base.errors import KernexError

POWERS = (-300, -150, 0, 150, 300)
"""Of ten: what matrices and vectors are multiplied by."""


@dataclass(frozen=True)
class Law:
    """What a public function owes at every magnitude.

    Attributes
    ----------
    ask : callable
        From the number s that all that is given in a unit is multiplied by to the result.
    reads : mapping of callable to number
        Parts of the result, and the power of s that each is multiplied by: 0 = does not depend on the unit.
    refused : tuple of int
        Powers of ten at which it refuses instead; at all others the law holds.
    rtol : float
        Of the largest entry of each part.
    """

    ask: Callable[[float], object]
    reads: Mapping[Callable[[object], object], float]
    refused: tuple[int, ...] = ()
    rtol: float = 1e-6


def law(ask, *refused, rtol=1e-6, **reads):
    """Law of attributes: `law(ask, -300, eigenvalues=1)`; a part `it` is the result itself."""
    named = {(lambda made, name=name: _part(made, name)): power for name, power in reads.items()}
    return Law(ask, named, refused, rtol)


def _part(made, name):
    if name == "it":
        return made
    for step in name.split("__"):
        if step == "all":
            made = list(made.values())
        else:
            made = (
                made[int(step)]
                if step.isdigit()
                else made[step]
                if isinstance(made, dict)
                else getattr(made, step)
            )
    return made


def found(law, power):
    """Parts of the result at 10^power, or the sentence that refuses."""
    try:
        made = law.ask(float(f"1e{power}"))
        return [np.asarray(read(made)) for read in law.reads]
    except KernexError as error:
        return str(error)


def kept(values, base, exponent, power, rtol):
    """Whether values are those at 1 times 10^(power · exponent), computed without a limit of range; else why not."""
    if values.dtype.kind not in "fc":
        return "" if np.array_equal(values, base) else f"{values} in place of {base}"
    if values.shape != base.shape:
        return f"shape {values.shape} in place of {base.shape}"
    if not np.array_equal(np.isnan(values), np.isnan(base)) or not np.array_equal(
        np.isinf(values), np.isinf(base)
    ):
        return f"{values} in place of {base}"
    finite = np.isfinite(base)
    unit = Fraction(10) ** round(power * exponent)
    got = np.array([float(Fraction(float(x)) / unit) for x in values[finite].ravel()])
    gap = np.abs(got - base[finite].ravel()).max(initial=0.0)
    if gap > rtol * np.abs(base[finite]).max(initial=0.0):
        return f"{values} in place of 1e{power}^{exponent} times {base}"
    return ""
