"""What is done once when the server starts."""

import gc
import os
import subprocess
import sys
import threading
import tomllib
import weakref
from types import SimpleNamespace

import pytest

import app
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.studies.loops import LOOPS
from pages.server import health, warmup
from pages.server.visitors import limits
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE


def test_what_stays_is_not_looked_through_after_every_run_of_a_script():
    before = gc.get_freeze_count()
    kept = [[k] for k in range(1000)]
    warmup.set_apart()
    try:
        assert gc.get_freeze_count() >= before + len(kept)
    finally:
        gc.unfreeze()
    settings = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text())
    assert settings["runner"]["postScriptGC"] is False


def test_a_session_that_was_there_then_is_let_go_when_it_has_ended(monkeypatch):
    """Frozen garbage is never collected: the first visitor's files stayed as long as the server."""

    class Session:
        def __init__(self):
            self.itself = self

    session = Session()
    gone = weakref.ref(session)
    there = [frozenset({"first"}), frozenset()]
    monkeypatch.setattr(warmup, "sessions_here", lambda: there.pop(0))
    try:
        warmup.set_apart()
        del session
        health.look_after(ended=True)
        assert gone() is None
        # now that nobody was there, what is set apart is not looked through again
        before = gc.get_freeze_count()
        health.look_after(ended=True)
        assert gc.get_freeze_count() == before
    finally:
        gc.unfreeze()
        monkeypatch.setattr(warmup, "_met_sessions", False)


def test_the_views_of_pages_are_imported_before_the_first_visit():
    app.prepare()
    assert {"pages.complete.complete", "pages.papers.orthogonal.orthogonal"} <= set(sys.modules)


def test_the_pages_are_made_ready_before_what_few_visitors_need_and_what_stays_is_set_apart_last(monkeypatch):
    done = []
    monkeypatch.setattr(warmup, "limit_blas_threads", lambda: done.append("one thread"))
    monkeypatch.setattr(warmup, "import_slowly", lambda: done.append("libraries"))
    monkeypatch.setattr(warmup, "set_apart", lambda: done.append("set apart"))
    warmup.prepare(lambda: done.append("pages"))
    assert done == ["one thread", "pages", "libraries", "set apart"]


def test_the_port_waits_for_nothing_that_only_pages_need():
    """A server that starts imports the app, and then answers."""
    heavy = (
        "numba",
        "pandas",
        "sklearn",
        "scipy.linalg",
        "scipy.spatial",
        "kernex_core.learning",
        "kernex_core.studies",
    )
    code = f"import sys, app; print([name for name in {heavy} if name in sys.modules])"
    made = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert made.stdout.strip() == "[]"


@pytest.mark.parametrize("serving", [True, False])
def test_what_is_cut_short_by_the_end_of_the_server_is_no_error(monkeypatch, serving):
    """Ctrl+C a second after the start printed a page of traceback: Python starts no threads any more."""
    said = []

    def cut_short():
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    monkeypatch.setattr(threading, "excepthook", lambda each: said.append(each.exc_value))
    monkeypatch.setattr(warmup, "COMPILER", SimpleNamespace(run=cut_short))
    monkeypatch.setattr(warmup, "SERVING", threading.Event())
    if serving:
        warmup.SERVING.set()
    warmup.start(cut_short).join(PATIENCE)
    for thread in threading.enumerate():
        if thread.name == "kernex-compiler":
            thread.join(PATIENCE)
    assert len(said) == 2 * serving


@pytest.mark.parametrize("setting", [{"KERNEX_THREADS": "abc"}, {"KERNEX_MAX_ITEMS": "99999"}], ids=str)
def test_a_wrong_setting_ends_the_start_with_one_sentence(setting):
    command = [sys.executable, "-c", "import app"]
    made = subprocess.run(
        command, cwd=REPOSITORY, env=os.environ | setting, capture_output=True, text=True, check=False
    )
    assert made.returncode == 1
    assert made.stdout == ""
    (said,) = made.stderr.splitlines()
    assert f"variable {next(iter(setting))} has to be a whole number" in said


@pytest.mark.parametrize(("address", "most"), [("localhost", limits.LARGEST_WORKSPACE), ("0.0.0.0", 200)])
def test_the_server_takes_the_workspace_files_that_the_page_data_offers_to_open(monkeypatch, address, most):
    settings = {"server.address": address, "server.maxUploadSize": 200}
    monkeypatch.setattr(limits.st, "get_option", settings.get)
    monkeypatch.setattr(limits.config, "set_option", settings.__setitem__)
    limits.take_large_workspaces()
    assert settings["server.maxUploadSize"] == most


def test_loops_that_somebody_waits_for_come_next_and_the_wait_is_said(monkeypatch):
    waiting = warmup.Compiler()
    waiting._missing = list(LOOPS)
    monkeypatch.setattr(warmup, "time", SimpleNamespace(monotonic=lambda: 100.0))
    waiting._begun = 99.0
    assert waiting.left(Spectrum()) is None  # needs no loop
    name, seconds = waiting.left(Subsequence())
    assert name == "subsequences"
    assert [each.name for each in waiting._missing[:2]] == [LOOPS[0].name, "subsequences"]
    mine = sum(each.seconds for each in LOOPS if each.name in (LOOPS[0].name, "subsequences"))
    assert seconds == mine - 1.0
    waiting._missing.remove(next(each for each in LOOPS if each.name == "subsequences"))
    assert waiting.left(Subsequence()) is None
    assert waiting.left(None)[0] == "support vector machines"


def test_a_page_says_what_is_compiled_and_goes_on_when_it_is_there(monkeypatch):
    said = []

    class Slot:
        caption = staticmethod(said.append)
        empty = staticmethod(lambda: said.append("gone"))

    left = iter([("walks", 3.0), ("walks", 3.0), ("walks", 2.0), ("walks", -5.0), None])
    monkeypatch.setattr(warmup.COMPILER, "left", lambda kernel: next(left))
    monkeypatch.setattr(warmup.COMPILER, "wait", lambda: None)
    warmup.await_loops(Subsequence(), Slot)
    assert said == [
        "Compiling, once: walks, 3 s",
        "Compiling, once: walks, 2 s",
        "Compiling, once: walks, soon",
        "gone",
    ]


def test_without_a_compiler_nobody_waits(monkeypatch):
    compiler = warmup.Compiler()
    monkeypatch.setattr("kernex_core.studies.loops.load", lambda loops: False)
    monkeypatch.setattr(warmup.sys, "executable", "/bin/false")
    compiler.run()
    assert compiler.left(Subsequence()) is None
