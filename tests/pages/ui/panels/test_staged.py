import threading
from dataclasses import dataclass

import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.runtime.scheduler import is_patient
from pages.server.cache import _runs as running_studies_now
from pages.ui.panels import staged
from pages.ui.panels import staged as in_pieces
from pages.ui.panels.staged import so_far, time_left, watch_study
from tests.patience import PATIENCE, until


@dataclass(frozen=True)
class Part:
    done: int
    total: int


def page(last, total, fails, stopped=None, first=0):
    import streamlit as st

    from kernex_core.base.errors import InvalidInputError
    from pages.server import workspace
    from pages.server.messages import guard
    from pages.ui.panels import staged
    from tests.pages.ui.panels.test_staged import Part

    kept = st.session_state.setdefault("kept", [])

    class Recorded:
        """A cache that knows `first` parts and writes down what it is given."""

        @property
        def own(self):
            return self

        def is_shared(self, settings):
            return False

        def key(self, settings):
            return settings

        def peek(self, settings):
            return Part(first, total) if first else None

        def keep(self, part, settings):
            kept.append(part.done)
            return part

    def states(settings, done=None):
        for number in range(first + 1, last + 1):
            yield Part(number, total)
        if fails:
            raise InvalidInputError("Something else", "this")

    if stopped:
        workspace.remember("s.stopped", stopped)
    with guard():
        study = staged.Staged(Recorded(), states, ("these",), resumes=first > 0)
        drawn = st.session_state.setdefault("drawn", [])
        show = lambda part: drawn.append(part.done)  # noqa: E731
        staged.run_study(study, key="s", what="steps", automatic=True, show=show)


def run(**given):
    at = AppTest.from_function(page, kwargs=given).run()
    assert not at.exception
    return at


def test_an_error_leaves_no_stop_behind():
    at = run(last=2, total=5, fails=True)
    assert "this" in at.error[0].value
    assert [button.label for button in at.button] == ["Run"]


def test_what_is_computed_is_kept_part_by_part():
    assert run(last=4, total=5, fails=False).session_state["kept"] == [1, 2, 3, 4]


@pytest.mark.parametrize(("pause", "drawn"), [(0.0, [1, 2, 3, 4]), (3600.0, [1])])
def test_parts_are_drawn_at_once_and_then_with_a_pause_between_two_drawings(pause, drawn, monkeypatch):
    monkeypatch.setattr(staged, "PAUSE", pause)
    at = run(last=4, total=5, fails=False)
    assert at.session_state["drawn"] == drawn
    assert at.session_state["kept"] == [1, 2, 3, 4]


def test_a_stop_holds_before_anything_is_done_and_for_these_settings_alone():
    at = run(last=4, total=5, fails=False, stopped="these")
    assert at.session_state["kept"] == []
    assert "Stopped before anything was done." in at.caption[0].value
    at.button(key="s.run").click().run()
    assert at.session_state["kept"] == [1, 2, 3, 4]
    assert run(last=4, total=5, fails=False, stopped="others").session_state["kept"] == [1, 2, 3, 4]


@pytest.mark.parametrize("first", [0, 2])
def test_the_pace_counts_every_part_of_this_run_and_none_of_an_earlier_one(first, monkeypatch):
    seen = []
    monkeypatch.setattr(
        staged, "time_left", lambda state, before, seconds: seen.append(state.done - before) or ""
    )
    run(last=4, total=5, fails=False, first=first)
    assert seen == list(range(1, 5 - first))


@pytest.mark.parametrize(
    ("done", "before", "seconds", "said"),
    [(1, 1, 0.1, ""), (2, 0, 10.0, ", 45 s left"), (5, 4, 3.0, ", 18 s left"), (11, 4, 20.0, ", 0 s left")],
)
def test_the_pace_is_that_of_this_run(done, before, seconds, said):
    assert time_left(Part(done, 11), before, seconds) == said


class Cache:
    """What a cached function remembers, without a session."""

    def __init__(self, shared=False):
        self.kept, self.shared = {}, shared
        self.parts = Cache() if shared else self

    @property
    def own(self):
        return self.parts if self.shared else self

    def is_shared(self, *args):
        return self.shared

    def key(self, *args):
        return repr(args)

    def peek(self, *args):
        return self.kept.get(args)

    def keep(self, part, *args):
        self.kept[args] = part
        return part


def test_what_is_known_is_not_overwritten_by_less():
    study = staged.Staged(Cache(), lambda setting: iter(()), ("x",))
    assert study.known() is None
    assert study.keep(Part(3, 4)) == study.keep(Part(1, 4)) == study.known() == Part(3, 4)
    assert study.keep(Part(4, 4)) == study.known() == Part(4, 4)


def test_all_visitors_share_whole_results_only():
    everybody = Cache()
    mine, other = (
        staged.Staged(Cache(), lambda setting, done: iter((done,)), ("x",), resumes=True, shared=everybody)
        for _ in range(2)
    )
    mine.keep(Part(2, 4))
    assert (mine.known(), other.known()) == (Part(2, 4), None)
    assert list(mine.states()) == [Part(2, 4)]
    mine.keep(Part(4, 4))
    assert mine.known() == other.known() == Part(4, 4)


def test_a_study_that_two_visitors_ask_for_is_run_once_and_both_see_how_far_it_is():
    shared, started, go_on, seen = Cache(shared=True), [], threading.Event(), []

    def start(setting):
        started.append(setting)
        yield Part(1, 2)
        assert go_on.wait(PATIENCE)
        yield Part(2, 2)

    first, second = (staged.Staged(shared, start, ("x",)) for _ in range(2))
    running = first.states()
    first.keep(next(running))

    def follow():
        for state in second.states():
            second.keep(state)
            seen.append(state)

    follower = threading.Thread(target=follow)
    follower.start()
    until(lambda: seen)
    assert seen[0] == Part(1, 2)  # of a run that is not its own
    assert shared.kept == {}  # parts are no result
    go_on.set()
    for state in running:
        first.keep(state)
    follower.join(PATIENCE)
    assert not follower.is_alive()
    assert seen[-1] == first.known() == second.known() == Part(2, 2)
    assert started == ["x"]


@pytest.mark.parametrize(("pause", "drawn"), [(0.0, [(0.5, "1 of 2 steps")]), (60.0, [])])
def test_a_study_that_a_page_waits_for_keeps_nothing_before_it_is_whole_and_runs_once(
    monkeypatch, pause, drawn
):
    monkeypatch.setattr(in_pieces, "PAUSE", pause)
    started, said = [], []

    class Slot:
        def progress(self, share, text):
            said.append((share, text))

        def empty(self):
            said.append("empty")

    def start(setting):
        started.append(setting)
        for done in (1, 2):
            assert cache.kept == {}
            yield Part(done, 2)

    cache = Cache()
    study = staged.Staged(cache, start, ("x",), quick=True)
    assert watch_study(study, Slot(), "steps") == Part(2, 2) == study.known()
    assert said == [(0.0, "0 steps"), *drawn, "empty"]
    assert watch_study(study, Slot(), "steps") == Part(2, 2)
    assert (started, len(said)) == (["x"], 2 + len(drawn))


@pytest.mark.parametrize("quick", [True, False])
def test_a_long_study_gives_way_and_a_quick_one_does_not(monkeypatch, quick):
    patient = []

    def start(setting):
        patient.append(is_patient())
        yield Part(1, 1)

    study = staged.Staged(Cache(), start, ("x",), quick=quick)
    assert [state for state in study.states() if state is not None] == [Part(1, 1)]
    assert patient == [not quick]


def test_where_one_visitor_stops_a_study_another_goes_on():
    shared, started = Cache(shared=True), []

    def start(setting):
        started.append(setting)
        yield Part(1, 2)
        yield Part(2, 2)

    first, second = (staged.Staged(shared, start, ("x",)) for _ in range(2))
    running = first.states()
    next(running)
    running.close()  # what a stop does
    assert [second.keep(state) for state in second.states()] == [Part(1, 2), Part(2, 2)]
    assert started == ["x", "x"]
    assert first.known() == Part(2, 2)
    assert list(first.states()) == [Part(2, 2)]
    assert started == ["x", "x"]
    assert not running_studies_now


def test_a_state_that_comes_again_is_drawn_once(monkeypatch):
    def app():
        import streamlit as st

        from pages.ui.panels import staged
        from tests.pages.ui.panels.test_staged import Cache, Part

        seen = [Part(1, 3), Part(1, 3), Part(2, 3), Part(1, 3), Part(2, 3)]
        study = staged.Staged(Cache(), lambda setting: iter(seen), ("x",))
        drawn = st.session_state.setdefault("drawn", [])
        staged.run_study(
            study, key="s", what="steps", automatic=True, show=lambda part: drawn.append(part.done)
        )

    monkeypatch.setattr(staged, "PAUSE", 0.0)
    assert AppTest.from_function(app).run().session_state["drawn"] == [1, 2]


@pytest.mark.parametrize(
    ("what", "said"), [("folds", "45 of 100 folds"), ("% of the spectrum", "45 % of the spectrum")]
)
def test_a_percent_is_not_said_to_be_of_a_hundred(what, said):
    assert (
        so_far(Part(45, 100), what) == said
    )  # "45 of 100 % of the spectrum, 22 s left" reads as if all were done
