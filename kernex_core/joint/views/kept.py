"""Kernels that were completed together, as Gram matrices that know how they came to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernex_core.frozen import ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.joint.views.complete import CompletedViews, completing_views
from kernex_core.joint.views.methods import view_completion
from kernex_core.pieces import Pieces, finished


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


def completing_kernels(kernels: Mapping[str, GramMatrix], way: str) -> Pieces[CompletedKernels]:
    """Complete kernels together, in pieces.

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
