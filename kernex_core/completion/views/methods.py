"""VIEW_COMPLETIONS: ways to complete views, the plain ones too, one line each. All but the mean keep what is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.completion.baselines import mean_fill, zero_fill
from kernex_core.completion.views.complete import CompletedViews, Mode, alignments, completing_views
from kernex_core.completion.views.problem import Views, as_views, assembled, reached, sweeping
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.runtime.progress import Steps, finished

Kernels = dict[str, FloatArray]
RIDGE: Final = 0.1
"""Nugget of the single source, in units of a mean diagonal: that of the page Complete."""


@dataclass(frozen=True)
class ViewCompletion:
    """One way.

    Attributes
    ----------
    name, title, about : str
        For scripts, for pages, and what it does in a sentence.
    completing : function
        Views in, one complete kernel a view out, in steps.
    """

    name: str
    title: str
    about: str
    completing: Callable[[Mapping[str, GramMatrix]], Steps[Kernels]]


def _plain(fill: Callable[[FloatArray, FloatArray, int], FloatArray]) -> Callable[..., Steps[Kernels]]:
    def completing(kernels: Mapping[str, GramMatrix]) -> Steps[Kernels]:
        views, made = as_views(kernels), {}
        for v, name in enumerate(views.names):
            yield v / views.count
            made[name] = fill(views.given[v], views.known[v], views.n)
        return made

    return completing


def _single(kernels: Mapping[str, GramMatrix]) -> Steps[Kernels]:
    """Each item from the one view that has it and is aligned best with the view that lacks it."""
    views, made = as_views(kernels), {}
    A = alignments(views)
    nothing = np.zeros((views.n, views.n))
    for v, name in enumerate(views.names):
        yield v / views.count
        made[name] = views.given[v]
        if not views.known[v].all():
            found = reached(views.blocks[v], _from_best(views, v, A))
            made[name] = assembled(views, v, found, [nothing])
    return made


def _from_best(views: Views, v: int, A: FloatArray) -> FloatArray:
    S, U = views.have(v), views.lack(v)
    W, left = np.zeros((S.size, U.size)), np.ones(U.size, dtype=bool)
    for u in np.argsort(-A[v], kind="stable").tolist():
        mine = left & views.known[u, U]
        shared = views.known[u, S]
        if u == v or not mine.any() or not shared.any():
            continue
        at = np.searchsorted(views.have(u), S[shared]), np.searchsorted(views.have(u), U[mine])
        known = views.blocks[u][np.ix_(at[0], at[0])] + RIDGE * np.eye(at[0].size)
        W[np.ix_(shared, mine)] = cho_solve(cho_factor(known, lower=True), views.blocks[u][np.ix_(*at)])
        left &= ~mine
    return W


def _swept(kernels: Mapping[str, GramMatrix]) -> Steps[Kernels]:
    views = as_views(kernels)
    found = yield from sweeping(views, 0.0)
    return {name: _with_known(views, v, views.scales[v] * found.T[v]) for v, name in enumerate(views.names)}


def _joint(mode: Mode) -> Callable[..., Steps[Kernels]]:
    def completing(kernels: Mapping[str, GramMatrix]) -> Steps[Kernels]:
        return dict((yield from completing_views(kernels, mode=mode, allow_large=True)).kernels)

    return completing


def _with_known(views: Views, v: int, Q: FloatArray) -> FloatArray:
    made, S = np.array(Q), views.have(v)
    made[np.ix_(S, S)] = views.given[v]
    return made


VIEW_COMPLETIONS: Final[tuple[ViewCompletion, ...]] = (
    ViewCompletion("zero", "Zero", "Unknown similarities are 0, self-similarities the mean known one.", _plain(zero_fill)),
    ViewCompletion(
        "mean", "Mean",
        "Unknown similarities are the mean known one; clipped where that is no kernel, which moves known ones.",
        _plain(mean_fill),
    ),
    ViewCompletion(
        "single", "Best single source",
        "Each item is extrapolated from the one kernel that has it and is most alike on what they share.", _single,
    ),
    ViewCompletion(
        "sweeps", "Sweeps alone",
        "All kernels by turns from the mean of the others, until the LogDet objective of mutual kernel matrix "
        "completion (Rivero, Lemence and Kato 2017) stands still.", _swept,
    ),
    ViewCompletion(
        "fast", "Joint, fast",
        "The sweeps, then each kernel from the others in one solve, eight ways averaged.", _joint("fast"),
    ),
    ViewCompletion(
        "tuned", "Joint, tuned",
        "The same, six of 26 ways chosen by hiding known items in five folds.", _joint("tuned"),
    ),
)  # fmt: skip


def view_completion(name: str) -> ViewCompletion:
    """The way of that name.

    Examples
    --------
    >>> from kernex_core import view_completion
    >>> view_completion("fast").title
    'Joint, fast'
    """
    return next(way for way in VIEW_COMPLETIONS if way.name == name)


@dataclass(frozen=True, eq=False)
class CompletedKernels(ReadOnlyArrays):
    """Kernels after they were completed together.

    Attributes
    ----------
    kernels : dict of str to GramMatrix
        Those that lacked nothing are the same objects. The others were built on all items: accuracies of them are
        transductive.
    views : CompletedViews or None
        Objective, trust and certificate, which the joint ways alone have.
    """

    kernels: Mapping[str, GramMatrix]
    views: CompletedViews | None


def completing_kernels(kernels: Mapping[str, GramMatrix], way: str) -> Steps[CompletedKernels]:
    """Complete kernels together, in steps.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        See `complete_views`.
    way : str
        Name of one of VIEW_COMPLETIONS.
    """
    views: CompletedViews | None = None
    if way in ("fast", "tuned"):
        views = yield from completing_views(
            kernels, mode="tuned" if way == "tuned" else "fast", allow_large=True
        )
        made = dict(views.kernels)
    else:
        made = yield from view_completion(way).completing(kernels)
    given = tuple(kernels.values())
    seen = seen_of(*given) | ITEMS
    done = {}
    for place, (name, K) in enumerate(kernels.items()):
        origin = call(name, "completed_kernel", given, place, way)
        whole = K.unknown.complete
        done[name] = K if whole else GramMatrix(made[name], K.ids, name, origin, seen)
    return CompletedKernels(done, views)


def completed_kernel(kernels: Sequence[GramMatrix], place: int, way: str = "fast") -> GramMatrix:
    """One of several kernels that are completed together.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        See `complete_views`.
    place : int
        Which one, from 0.
    way : str
        Name of one of VIEW_COMPLETIONS.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix
    >>> x = np.arange(6.0)
    >>> K = np.exp(-((x[:, None] - x) ** 2) / 8)
    >>> lacking = K.copy()
    >>> lacking[0], lacking[:, 0] = np.nan, np.nan
    >>> bool(np.isfinite(completed_kernel([GramMatrix(K), GramMatrix(lacking)], 1).values).all())
    True
    """
    # names need not differ: a kernel that was kept is one of them, too
    named = {str(k): K for k, K in enumerate(kernels)}
    made = finished(completing_kernels(named, way)).kernels[str(place)]
    return made.renamed(kernels[place].name)
