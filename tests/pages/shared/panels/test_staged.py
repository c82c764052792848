from dataclasses import dataclass

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.panels import staged
from pages.shared.panels.staged import time_left


@dataclass(frozen=True)
class Part:
    done: int
    total: int


def page(last, total, fails, stopped=None, first=0):
    import streamlit as st

    from kernex_core.errors import InvalidInputError
    from pages.shared import workspace
    from pages.shared.messages import guard
    from pages.shared.panels import staged
    from tests.pages.shared.panels.test_staged import Part

    kept = st.session_state.setdefault("kept", [])

    def states():
        for done in range(first + 1, last + 1):
            yield Part(done, total)
        if fails:
            raise InvalidInputError("Something else", "this")

    if stopped:
        workspace.remember("s.stopped", stopped)
    with guard():
        staged.run_staged(
            states,
            lambda: Part(first, total) if first else None,
            lambda part: kept.append(part.done) or part,
            key="s",
            what="steps",
            automatic=True,
            settings="these",
            resumes=first > 0,
        )


def run(**given):
    at = AppTest.from_function(page, kwargs=given, default_timeout=30).run()
    assert not at.exception
    return at


def test_an_error_leaves_no_stop_behind():
    at = run(last=2, total=5, fails=True)
    assert "this" in at.error[0].value
    assert [button.label for button in at.button] == ["Run"]


def test_what_is_computed_is_kept_part_by_part():
    assert run(last=4, total=5, fails=False).session_state["kept"] == [1, 2, 3, 4]


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
