"""What is done once when the server starts."""

import gc
import os
import subprocess
import sys
import tomllib

import pytest

import app
from pages.server import warmup
from pages.server.visitors import limits
from tests.conftest import REPOSITORY


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


def test_the_views_of_pages_are_imported_before_the_first_visit():
    app.prepare()
    assert {"pages.complete.view", "pages.papers.orthogonal.view"} <= set(sys.modules)


def test_the_pages_are_made_ready_after_the_libraries_and_before_what_stays_is_set_apart(monkeypatch):
    done = []
    monkeypatch.setattr(warmup, "import_slowly", lambda: done.append("libraries"))
    monkeypatch.setattr(warmup, "set_apart", lambda: done.append("set apart"))
    warmup.prepare(lambda: done.append("pages"))
    assert done == ["libraries", "pages", "set apart"]


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
