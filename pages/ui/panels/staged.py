"""A long study on a page: progress, time left, a way to stop, and what is done is kept.

study = Staged(evaluation, evaluating, (config, kernels, labels, validation))
found = run_study(study, key="evaluate", what="folds", automatic=few, label="Judge", cost="40 folds: with a click")
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError
from kernex_core.base.validation import shown_bytes
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS, PublicDataSet
from kernex_core.runtime.executors import one_a_turn
from kernex_core.runtime.progress import Steps
from kernex_core.studies.combination import Partial
from pages.server import cache as origin
from pages.server import workspace
from pages.server.cache import in_turn
from pages.server.cached import CachedFunction
from pages.server.colour_scheme import on_primary
from pages.server.failures import studied
from pages.server.messages import guard
from pages.server.warmup import await_loops
from pages.ui.glossary import meaning

P = TypeVar("P", bound=Partial)
PAUSE = 0.25
"""Seconds between two drawings of a study that runs: drawing every part of a quick one took longer than its parts."""


@dataclass(frozen=True, eq=False)
class Staged(Generic[P]):
    """A study in parts, with its arguments and where its parts are kept.

    Attributes
    ----------
    cache : CachedFunction
        Takes `args`; keeps partial results of this visitor, for what one visitor stops is no other's. Where all visitors
        share its results (`cached(public=True)`), they also share the run: one runs it, the others see how far it is.
    start : callable
        Takes `args` too and yields partial results; None where a part takes long, so that others get their turn.
    args : tuple
    resumes : bool
        `start` also takes `done`, what is known, and goes on from there.
    shared : CachedFunction, optional
        A cache of all visitors: it gets whole results only.
    quick : bool
        All of it takes some tenths of a second: it gives way to no other study.
    enough : callable
        Whether a run that nobody has asked for ends here, and the rest waits for a click. The study resumes then.
    leads : bool
        The verdict of the page waits for it: its button is the primary one.
    judges : bool
        It trains machines, whose loops may have to be compiled first.
    """

    cache: CachedFunction[..., P]
    start: Callable[..., Iterator[P | None]]
    args: tuple[object, ...]
    resumes: bool = False
    shared: CachedFunction[..., P] | None = None
    quick: bool = False
    enough: Callable[[P], bool] = lambda kept: False
    leads: bool = False
    judges: bool = True

    @property
    def leading(self) -> Staged[P]:
        """The same study, for which the verdict waits."""
        return replace(self, leads=True)

    @property
    def settings(self) -> str:
        """What tells these settings from others."""
        return self.cache.key(*self.args)

    @cached_property
    def _common(self) -> CachedFunction[..., P] | None:
        """Where whole results are all visitors'; None where they are this visitor's."""
        return self.shared or (self.cache if self.cache.is_shared(*self.args) else None)

    @property
    def name(self) -> str:
        """What is computed, for the log."""
        return str(getattr(self.cache, "__name__", "study"))

    @property
    def is_shared(self) -> bool:
        """Whether the whole result is all visitors'."""
        return self._common is not None

    def states(self) -> Generator[P | None, None, None]:
        """Partial results, from the start or from what is known; to be closed by who stops taking them.

        None where nothing has come of it for a moment, because studies of others have their turn.
        """
        return (
            self._own_states()
            if self._common is None
            else in_turn(self.settings, self.known, self._own_states)
        )

    def _own_states(self) -> Generator[P | None, None, None]:
        states = self.start(*self.args, done=self.known()) if self.resumes else self.start(*self.args)
        yield from states if self.quick else one_a_turn(iter(states))

    def known(self) -> P | None:
        """The whole result, or what this visitor has of it."""
        common = self._common
        whole = None if common is None else common.peek(*self.args)
        return self.cache.own.peek(*self.args) if whole is None else whole

    def keep(self, state: P) -> P:
        """Keep what is done, unless more is known; return what is kept."""
        before = self.known()
        if before is not None and before.done > state.done:
            return before
        common = self._common
        whole = common is not None and state.done >= state.total
        return (common if common is not None and whole else self.cache.own).keep(state, *self.args)


def run_study(
    study: Staged[P],
    *,
    key: str,
    what: str,
    automatic: bool,
    label: str = "Run",
    cost: str = "",
    place: DeltaGenerator | None = None,
    show: Callable[[P], object] = lambda kept: None,
) -> P | None:
    """Return a finished result, or run the study with progress; what a stop leaves is returned from then on.

    A stop holds for these settings alone, and even before anything was done. A study that resumes goes on by itself
    where a move of another control interrupted it; one that was stopped waits for a click.

    Parameters
    ----------
    study : Staged
    key : str
        Of the two buttons.
    what : str
        Unit of progress, for example "runs".
    automatic : bool
        Start without a click where nothing is known yet.
    label : str
        Of the button that starts it.
    cost : str
        What a click will cost, said beside the button where nothing has been run yet.
    place : container, optional
        Where progress and Stop are drawn; without it beside the button.
    show : callable, optional
        Draws what is kept: the first part, and later ones where the last drawing is PAUSE seconds ago.
    """
    found = study.known()
    stopped = workspace.recall(f"{key}.stopped", None) == study.settings
    with st.container(horizontal=True, vertical_alignment="center"):
        finished = found is not None and found.done >= found.total
        name = label if found is None else ("Continue" if study.resumes and not finished else "Run again")
        # where all is done there is nothing to run: a button that does nothing would stand alone
        clicked = not finished and st.button(
            on_primary(name) if study.leads else name,
            type="primary" if study.leads else "secondary",
            icon=":material/play_arrow:",
            key=f"{key}.run",
            help=meaning(name) or None,
        )
        slot = (place or st).empty()
    goes_on = found is None or (study.resumes and not study.enough(found))
    if finished or not (clicked or (automatic and not stopped and goes_on)):
        if found is not None and not finished:
            slot.caption(
                f"{'' if study.enough(found) else 'Stopped: '}{so_far(found, what)} are done and shown."
            )
        elif found is None and stopped:
            slot.caption("Stopped before anything was done.")
        elif found is None and cost:
            slot.caption(cost)
        return found
    asked = replace(study, enough=lambda kept: False) if clicked else study
    if study.judges:
        await_loops(slot=slot)
    with studied(study.name):
        last = _run(asked, slot, key, what, show) or found
    kept = study.known()
    if kept is not None and (kept.done >= kept.total or (not clicked and study.enough(kept))):
        # once more, with the button that there is now, or none: nothing is left to run by itself
        st.rerun()
    return last


def _run(
    study: Staged[P], slot: DeltaGenerator, key: str, what: str, show: Callable[[P], object]
) -> P | None:
    # a study that goes on has what an earlier run did, which says nothing about the pace of this one
    found = study.known() if study.resumes else None
    before = 0 if found is None else found.done
    started, last, drawn, shown = time.perf_counter(), None, -math.inf, -1
    workspace.remember(f"{key}.stopped", None)
    with slot.container(horizontal=True, vertical_alignment="center"):
        # a word of what is computed, before the first part of it is there
        bar, share, said = st.empty(), 0.0, f"0 {what} done"
        bar.progress(share, said)
        # a click stops this run of the script; what has been kept by then is shown by the next one
        st.button(
            "Stop", icon=":material/stop:", key=f"{key}.stop", help="What is done is kept and shown.",
            on_click=workspace.remember, args=(f"{key}.stopped", study.settings),
        )  # fmt: skip
    try:
        with closing(study.states()) as states:
            for state in states:
                if state is None:  # what is drawn lets a click on Stop through
                    bar.progress(share, said)
                    continue
                last = study.keep(state)
                # who follows another visitor's run sees the same state again
                if last.done != shown and time.perf_counter() - drawn >= PAUSE:
                    show(last)
                    shown, drawn = last.done, time.perf_counter()
                share = min(state.done / state.total, 1.0) if state.total else 1.0
                left = time_left(state, before, time.perf_counter() - started)
                said = f"{so_far(state, what)}{left}"
                bar.progress(share, said)
                if study.enough(last):
                    break
    except KernexError:
        # the error is drawn beside this: nothing runs any more that could be stopped
        slot.empty()
        raise
    slot.empty()
    return last


def so_far(state: Partial, what: str) -> str:
    """Return "3 of 8 folds", or "45 % of the spectrum": a percent is of 100 already."""
    return f"{state.done} {what}" if what.startswith("%") else f"{state.done:,} of {state.total:,} {what}"


def time_left(state: Partial, before: int, seconds: float) -> str:
    """Return ", 12 s left" at the pace since `before` of the parts were done, `seconds` ago; "" before the first."""
    done = state.done - before
    return f", {seconds * (state.total - state.done) / done:.0f} s left" if done > 0 else ""


# One long computation on a page: at once where it is short, else with progress, time left and Stop.
#
# run_in_pieces(Pieced(inspection, inspecting, args), key="kernels.spectrum", what="% of eigenvalues and map",
# at_once=small) found = watch_study(study, st.empty(), "repetitions")      a study that a page cannot do without: a
# bar, and no Stop

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
    work: Pieced[T],
    *,
    key: str,
    what: str,
    at_once: bool,
    label: str,
    place: DeltaGenerator | None = None,
    automatic: bool = True,
    cost: str = "",
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
    automatic, cost
        As in `run_study`.
    """
    found = work.cache.peek(*work.args)
    if found is not None or at_once:
        return work.cache(*work.args) if found is None else found
    study: Staged[Part[T]] = Staged(work, work.parts, work.args, judges=False)  # type: ignore[arg-type]
    made = run_study(study, key=key, what=what, automatic=automatic, label=label, cost=cost, place=place)
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
    await_loops(slot=slot)
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


# Public data sets that are downloaded when asked for, one button each.
#
# public_data("data")                       all of them
# public_data("graphs", names=("mutag",))   some, where a page is about such data


def public_data(key: str, names: Collection[str] | None = None) -> None:
    """Offer public data sets; nothing is downloaded before somebody asks for it."""
    for public in PUBLIC_DATASETS:
        if names is None or public.name in names:
            _offer(public, key)


def _offer(public: PublicDataSet, key: str) -> None:
    about = "About " if public.file.estimated else ""
    here = "kept on this machine" if public.cached() else f"{about}{shown_bytes(public.size)} to download"
    left, right = st.columns([2, 5], gap="medium", vertical_alignment="center")
    with right, st.container(gap=None):
        st.markdown(f":gray[{public.question} {here}, {public.licence}.]")
        st.markdown(
            f":small[[Home of {public.title}]({public.home})]"
        )  # a link within a text would need a line below it
    with left:
        asked = st.button(
            public.title, key=f"{key}.fetch.{public.name}", icon=":material/download:", width="stretch"
        )
    if asked:  # below both: what went wrong names addresses and files, which need the width
        bar = st.progress(0.0, f"Fetching {public.title}")
        with guard():

            def report(share: float) -> None:
                bar.progress(share, f"Fetching {public.title}: {100.0 * share:.0f}\u00a0%")

            workspace.add(origin.public(public.load(progress=report)))
            st.rerun()
        bar.empty()
