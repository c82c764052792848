"""complete_views: several kernels of the same items, each lacking some, completed together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np
from scipy.linalg import eigvalsh

from kernex_core.errors import TooLargeError
from kernex_core.frozen import BoolArray, FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import ITEMS, marked, seen_of
from kernex_core.joint.views.assembly import Reached, assembled, reached
from kernex_core.joint.views.choice import Chosen, choosing
from kernex_core.joint.views.problem import FEW_SHARED, Views, as_views
from kernex_core.joint.views.sweeps import TOLERANCE, Swept, sweeping
from kernex_core.joint.views.weights import FAST, Candidate, alignments, weights_of
from kernex_core.parameters import check_choice
from kernex_core.pieces import Pieces, finished, part
from kernex_core.validation import psd_tolerance

Mode = Literal["fast", "tuned"]
MODES: Final[tuple[Mode, ...]] = ("fast", "tuned")
TUNED_LIMIT: Final = 1_000
"""Items above which "tuned", 15 to 25 times as long as "fast", has to be allowed."""

STILL_MOVING: Final = 1e-2
"""Share of their size by which the last sweep may move all entries before that is worth a warning."""


@dataclass(frozen=True, eq=False)
class CompletedViews(ReadOnlyArrays):
    """Views completed together.

    Attributes
    ----------
    ids : tuple of str
    kernels : dict of str to (n, n) float
        Known similarities bit for bit as they came.
    known : (V, n) bool
    unexplained : (V, n) float
        Share of each item's own similarity in the view that the others do not explain; 0 where it was known, 1 = made
        from nothing.
    expected_error : (V, n) float or None
        Relative error to expect of an item's similarities to the known ones, from items that were hidden on purpose; NaN
        where it was known. "tuned" alone says it.
    objective : (1 + sweeps,) float
        J of the sweeps, which never rises.
    gap : float
    converged : bool
    alignment : (V, V) float
        How alike two views are on what they share.
    mode : {"fast", "tuned"}
    warnings : tuple of str
    """

    ids: tuple[str, ...]
    kernels: Mapping[str, FloatArray]
    known: BoolArray
    unexplained: FloatArray
    expected_error: FloatArray | None
    objective: FloatArray
    gap: float
    converged: bool
    alignment: FloatArray
    mode: Mode
    warnings: tuple[str, ...] = ()

    @property
    def trust(self) -> FloatArray:
        """(V, n) 1 − `unexplained`: 1 for what was known, 0 for what was made from nothing."""
        return 1.0 - self.unexplained

    @property
    def last_move(self) -> str:
        """What a last sweep means that moved entries by little, if by more than asked for; "" otherwise."""
        if self.converged or self.gap >= STILL_MOVING:
            return ""
        return (
            f"Entries changed by {100.0 * self.gap:.2g} % in the last of {self.objective.size - 1} sweeps; more sweeps "
            "would move the result by a few times that."
        )

    @cached_property
    def smallest_eigenvalues(self) -> FloatArray:
        """(V,) of each completed view; at least −n ε ||Q|| up to rounding."""
        return np.array(
            [float(eigvalsh(Q, check_finite=False, subset_by_index=[0, 0])[0]) for Q in self.kernels.values()]
        )

    @property
    def certificate_holds(self) -> bool:
        """Whether J never rose, and every view is positive semidefinite up to rounding."""
        n, J = len(self.ids), self.objective
        sizes = [float(np.diag(Q).sum()) for Q in self.kernels.values()]
        semidefinite = all(
            low >= -psd_tolerance(n, size) for low, size in zip(self.smallest_eigenvalues, sizes, strict=True)
        )
        return semidefinite and bool((np.diff(J) <= 1e-9 * np.abs(J[:-1])).all())


def complete_views(
    kernels: Mapping[str, GramMatrix],
    *,
    mode: Mode = "fast",
    tolerance: float = TOLERANCE,
    allow_large: bool = False,
) -> CompletedViews:
    """Complete several kernels of the same items together; each may lack items.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        At least two, on the same ids; NaN in the whole rows of items that a view lacks.
    mode : {"fast", "tuned"}
        "fast" takes the mean of eight solves and suits learning; "tuned" chooses six of 26 by hiding known items in
        five folds, suits restoring values, and takes 15 to 25 times as long.
    tolerance : float
        The sweeps end when one moves all entries by less than this share of their size; at most 12 are made.
    allow_large : bool
        Run "tuned" above 1,000 items.

    Raises
    ------
    InvalidInputError, NotPositiveSemidefiniteError
        See `as_views`.
    TooLargeError
        "tuned" above 1,000 items where that is not allowed.

    Notes
    -----
    Two stages. Sweeps complete every view from the mean of the others until nothing moves: each step is the exact
    minimiser of a LogDet objective over one view (`sweeps`). Then each view is extrapolated from the completed others,
    W = (M_SS + c 11' + rI)^-1 (M_SU + c 11'), and put together as K_SS W and W' K_SS W plus a residual that brings each
    item to its level. There is nothing random in it but the folds of "tuned", whose seed is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, complete_views
    >>> X = np.random.default_rng(0).normal(size=(8, 2))
    >>> K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    >>> a, b = K.copy(), K.copy()
    >>> a[0], a[:, 0], b[7], b[:, 7] = np.nan, np.nan, np.nan, np.nan
    >>> found = complete_views({"a": GramMatrix(a), "b": GramMatrix(b)})
    >>> found.certificate_holds, bool(np.isfinite(found.kernels["a"]).all())
    (True, True)
    """
    return finished(completing_views(kernels, mode=mode, tolerance=tolerance, allow_large=allow_large))


def completing_views(
    kernels: Mapping[str, GramMatrix],
    *,
    mode: Mode = "fast",
    tolerance: float = TOLERANCE,
    allow_large: bool = False,
) -> Pieces[CompletedViews]:
    """`complete_views` in pieces."""
    check_choice("mode", mode, MODES)
    views = as_views(kernels)
    if mode == "tuned" and views.n > TUNED_LIMIT and not allow_large:
        raise TooLargeError(
            f"The tuned completion takes at most {TUNED_LIMIT:,} items unless more is asked for",
            f"{views.n:,} items",
            'Take mode="fast", which suits learning, or allow_large=True and wait',
        )
    A = alignments(views)
    chosen: Chosen | None = None
    if mode == "tuned":
        chosen = yield from part(choosing(views), 0.0, 0.8)
    made = yield from part(_completing(views, A, chosen, tolerance), 0.8 if chosen else 0.0, 1.0)
    seen = seen_of(*kernels.values()) | ITEMS
    told = {
        name: marked(Q, seen if not views.known[v].all() else seen_of(kernels[name]))
        for v, (name, Q) in enumerate(made.kernels.items())
    }
    return replace(made, kernels=told)


def _completing(
    views: Views, A: FloatArray, chosen: Chosen | None, tolerance: float
) -> Pieces[CompletedViews]:
    per_view: tuple[tuple[Candidate, ...], ...] = chosen.best if chosen else (FAST,) * views.count
    lifts = sorted({candidate.lift for best in per_view for candidate in best} | {1.0})
    swept: dict[float, Swept] = {}
    for k, tau in enumerate(lifts):
        swept[tau] = yield from part(
            sweeping(views, tau, tolerance=tolerance), 0.7 * k / len(lifts), 0.7 * (k + 1) / len(lifts)
        )
    kernels: dict[str, FloatArray] = {}
    unexplained = np.zeros((views.count, views.n))
    for v, name in enumerate(views.names):
        kernels[name] = views.given[v]
        if not views.known[v].all():
            found = yield from _extrapolating(views, v, per_view[v], swept, A)
            unexplained[v, views.lack(v)] = found.unexplained
            kernels[name] = assembled(views, v, found, [swept[c.lift].others(v) for c in per_view[v]])
        yield 0.7 + 0.3 * (v + 1) / views.count
    plain = swept[1.0]
    expected = chosen.expected(unexplained, views.known) if chosen else None
    return CompletedViews(
        views.ids,
        kernels,
        views.known,
        unexplained,
        expected,
        plain.objective,
        plain.gap,
        plain.converged,
        A,
        "tuned" if chosen else "fast",
        _warnings(views, plain),
    )


def _extrapolating(
    views: Views, v: int, candidates: tuple[Candidate, ...], swept: Mapping[float, Swept], A: FloatArray
) -> Pieces[Reached]:
    W = np.zeros((views.have(v).size, views.lack(v).size))
    for candidate in candidates:
        yield 0.7 + 0.3 * v / views.count
        W += weights_of(candidate, views, v, swept.get(candidate.lift), A) / len(candidates)
    return reached(views.blocks[v], W)


def _warnings(views: Views, swept: Swept) -> tuple[str, ...]:
    counts = views.overlaps
    little = [(u, v) for u in range(views.count) for v in range(u) if counts[u, v] < FEW_SHARED * views.n]
    said = [
        f"{views.names[v]!r} and {views.names[u]!r} share {counts[u, v]:,} of {views.n:,} items: what one says about the "
        "other rests on little."
        for u, v in little
    ]
    if not swept.converged and swept.gap >= STILL_MOVING:
        said.append(
            f"In the last of {swept.objective.size - 1} sweeps entries still moved by {100.0 * swept.gap:.2g} % of their "
            "size: the completed kernels are not final."
        )
    return tuple(said)
