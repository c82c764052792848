"""One long computation on a page: at once where it is short, else with progress, time left and Stop.

run_in_pieces(Pieced(inspection, inspecting, args), key="kernels.spectrum", what="% of eigenvalues and map", at_once=small)
found = watch_study(study, st.empty(), "repetitions")      a study that a page cannot do without: a bar, and no Stop
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from streamlit.delta_generator import DeltaGenerator

from kernex_core.runtime.progress import Steps
from kernex_core.studies.combination import Partial
from pages.shared.cached import CachedFunction
from pages.shared.panels.staged import PAUSE, Staged, run_study, so_far
from pages.shared.server.log import studied

T = TypeVar("T")
S = TypeVar("S", bound=Partial)
TOTAL = 100


@dataclass(frozen=True, eq=False)
class Part(Generic[T]):
    """Percent of a computation that are done, and its result at the end."""

    done: int
    result: T | None = None
    total: int = TOTAL


@dataclass(frozen=True, eq=False)
class Pieced(Generic[T]):
    """A computation in pieces, with its arguments and where its result is kept.

    Attributes
    ----------
    cache : CachedFunction
        Takes `args`; keeps the result, and nothing before it is whole.
    start : callable
        Takes `args` too.
    args : tuple
    """

    cache: CachedFunction[..., T]
    start: Callable[..., Steps[T]]
    args: tuple[object, ...]

    @property
    def __name__(self) -> str:
        """What is computed."""
        return self.cache.__name__

    def key(self, *args: object) -> str:
        """What tells these arguments from others."""
        return self.cache.key(*args)

    def is_shared(self, *args: object) -> bool:
        """Parts are nobody else's; the result goes where the cache puts it."""
        return False

    @property
    def own(self) -> Pieced[T]:
        """What keeps parts."""
        return self

    def peek(self, *args: object) -> Part[T] | None:
        """The result, if it is there."""
        made = self.cache.peek(*args)
        return None if made is None else Part(TOTAL, made)

    def keep(self, part: Part[T], *args: object) -> Part[T]:
        """Keep the result; a part of it is worth nothing."""
        if part.result is None:
            return part
        return Part(TOTAL, self.cache.keep(part.result, *args))

    def parts(self, *args: object) -> Iterator[Part[T]]:
        """Parts of the work, one for every percent that is done; the last holds the result."""
        pieces, shown = self.start(*args), 0
        while True:
            try:
                share = next(pieces)
            except StopIteration as end:
                yield Part(TOTAL, end.value)
                return
            shown = max(shown, min(int(TOTAL * share), TOTAL - 1))
            yield Part(shown)


def run_in_pieces(
    work: Pieced[T], *, key: str, what: str, at_once: bool, label: str, place: DeltaGenerator | None = None
) -> T | None:
    """Return the result, or None where a visitor has stopped it; nothing but the work in progress is drawn.

    Parameters
    ----------
    work : Pieced
    key : str
        Of the buttons.
    what : str
        What the percents are of, for example "% of eigenvalues and map".
    at_once : bool
        It is short: compute it without a word.
    label : str
        Of the button that starts it again after a stop.
    place : container, optional
        Where progress and Stop are drawn.
    """
    found = work.cache.peek(*work.args)
    if found is not None or at_once:
        return work.cache(*work.args) if found is None else found
    study: Staged[Part[T]] = Staged(work, work.parts, work.args)  # type: ignore[arg-type]
    made = run_study(study, key=key, what=what, automatic=True, label=label, place=place)
    return None if made is None else made.result


def watch_study(study: Staged[S], slot: DeltaGenerator, what: str) -> S:
    """Return the whole result; while it is computed there is a bar, without a way to stop it, and no part is kept.

    For what a page shows at every move and cannot do without.

    Parameters
    ----------
    study : Staged
    slot : container
        Where the bar is drawn; an empty one.
    what : str
        Unit of progress, for example "runs".
    """
    found = study.known()
    if found is not None:
        return found
    slot.progress(0.0, f"0 {what}")
    drawn = time.perf_counter()
    with studied(study.name), closing(study.states()) as states:
        for state in states:
            if state is None:
                continue
            found = state
            if state.done >= state.total:
                found = study.keep(state)
            elif time.perf_counter() - drawn >= PAUSE:
                slot.progress(state.done / state.total, so_far(state, what))
                drawn = time.perf_counter()
    slot.empty()
    assert found is not None  # a study has a last state
    return found
