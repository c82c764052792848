"""What the paper says. Only displays read this module: no measured number ever passes through it.

Borgwardt, Guttman, Vishwanathan, Smola, "Joint regularization", ESANN 2005. Fig. 1 is a chart: no numbers are printed.
"""

from __future__ import annotations

SOURCE = "Borgwardt, Guttman, Vishwanathan, Smola, Joint regularization, ESANN 2005"
GRAPHS = 127
"""Lyases, and as many ligases."""
PATTERN = (
    "Fig. 1 is a chart without numbers: 127 lyases against 127 ligases, ten folds. A λ between .25 and .5 is best there, "
    "and the joint kernel is slightly above the Gaussian and the linear one, their sum and their product."
)
ERRATA = (
    "Lemma 6 joins two constraints into one and calls them equivalent. They are not: where the larger of two bounded terms "
    "is just c, their sum lies anywhere above c and up to 2c. The joint constraint is the Lagrangian combination of both. "
    "Norms are printed there where their squares are meant.",
    "Theorem 4: multipliers exist for given bounds, but some are 0 where a bound does not bind, and the solution is unique "
    "only where the objective is strictly convex. By the extended representer theorem the solution lies in the space of the "
    "combined norm.",
    "Taken literally on all vertices, the spaces of a Gaussian and of a normalised linear kernel share at most constants, "
    "and the joint kernel vanishes: of 1,500 vertices its numerical rank is 0. The nugget ρ and landmarks make it one.",
    "Lengths of edges may be compared after rounding. A tolerance, |a − b| ≤ t, gives no kernel: equal within t is not "
    "transitive.",
)
"""Found by computation, in our own words."""
