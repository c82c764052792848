"""A similarity and the sum of its parts, which are computed apart: both numbers, and whether they agree.

st.markdown(both_numbers(kernel.explain(s, t)))
"""

from __future__ import annotations

import math
import re
from typing import Final

from kernex_core.inputs.names import counted
from kernex_core.kernels.explanation import Explanation
from pages.shared.digits import typeset
from pages.shared.messages import plain

AGREES: Final = 1e-9
"""Largest relative difference of two sums of many numbers that is rounding."""


def exact(value: float) -> str:
    """Return a count in full (twelve digits), any other number with six digits; with a real minus sign."""
    digits = 12 if float(value).is_integer() or abs(value) >= 1e6 else 6
    return typeset(f"{value:,.{digits}g}").replace("-", "−")


def agreement(discrepancy: float, difference: float) -> str:
    """Return whether two ways to one number agree, as markdown."""
    if discrepancy <= AGREES:
        return ":gray[Both agree up to rounding.]"
    return f":orange[:material/warning: They differ by {exact(difference)}.]"


def both_numbers(made: Explanation) -> str:
    """Return the sum of the parts and the similarity, how each came about, and whether they agree."""
    parts = math.fsum(part.contribution for part in made.parts)
    symbol = re.sub("[Kβ]", r"*\g<0>*", made.symbol)
    agree = agreement(made.discrepancy, made.sum_of_parts - made.total)
    return (
        f"{counted(len(made.parts), 'listed part')} {exact(parts)} + rest {exact(made.rest)} "
        f"({plain(made.rest_meaning)}) sum to **{exact(made.sum_of_parts)}**; the kernel says "
        f"{symbol} = **{exact(made.total)}**, before any normalisation.  \n"
        f"{agree} :gray[They were computed apart: {made.apart}.]"
    )


def listed_of(made: Explanation) -> str:
    """Return how many of the parts are listed."""
    whole = made.n_parts is not None and made.n_parts > len(made.parts)
    return f"{len(made.parts)} of {made.n_parts:,}, largest first" if whole else f"{len(made.parts)} listed"
