"""A page that failed once, wherever it did, stands again by itself; its visitor is told."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from tests.browser.conftest import start_server
from tests.browser.script_runs import click, settle
from tests.conftest import REPOSITORY
from tests.patience import ASKED_AGAIN, PATIENCE

FAILING = """
import os
import threading
from pathlib import Path

from pages.server.cache import BoundedCache

_place, _real = Path(os.environ["FAILING"]), BoundedCache.get


def _get(cache, key):
    if _place.exists() and threading.current_thread().name != "kernex-warm-up":
        later, times = map(int, _place.read_text().split())
        if later > 1:
            _place.write_text(f"{later - 1} {times}")
        else:
            _place.write_text(f"1 {times - 1}") if times > 1 else _place.unlink()
            raise RuntimeError("Set changed size during iteration")
    return _real(cache, key)


BoundedCache.get = _get
"""
"""Once a file says so, the cache fails when it is asked for the so-manieth time, and then so many times in all."""


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    """A server of which a test can say when it fails."""
    folder = tmp_path_factory.mktemp("failing")
    for part in ("pages", "docs", ".streamlit"):
        (folder / part).symlink_to(REPOSITORY / part)
    (folder / "app.py").write_text((REPOSITORY / "app.py").read_text("utf-8") + FAILING, "utf-8")
    place = folder / "fails"
    process, address = start_server(folder / "app.py", folder / "log", settings={"FAILING": str(place)})
    yield address, place, folder / "log"
    process.terminate()
    process.wait(PATIENCE)


def alerts(page):
    return page.get_by_test_id("stMain").get_by_text(re.compile("Something went wrong"))


def move(page, slider):
    """Move a slider by a step; a key that met a page being drawn is pressed once more."""
    settle(page)
    before = page.evaluate("scriptRuns.asked")
    while page.evaluate("scriptRuns.asked") == before:
        slider.focus()
        page.keyboard.press("ArrowRight")
        with suppress(TimeoutError):
            page.wait_for_function(
                "before => scriptRuns.asked > before", arg=before, timeout=1000 * ASKED_AGAIN
            )
    settle(page)


@pytest.mark.parametrize("path", ["complete", "combine"])
def test_a_page_that_failed_once_stands_again_and_answers_the_next_move(visit, failing, path):
    address, place, log = failing
    page = visit(f"{path}?data=Protein+world", address=address)
    sliders = page.get_by_test_id("stMain").get_by_role("slider")
    whole, failed = sliders.count(), 0
    for later in (1, 3, 9):
        place.write_text(f"{later} 1")
        move(page, sliders.first)
        if place.exists():  # this move asks less often
            place.unlink()
            continue
        failed += 1
        said = alerts(page).inner_text()
        assert "drawn again" in said
        assert said.split("Error id ")[1][:8] in log.read_text()
        assert sliders.count() == whole
        move(page, sliders.first)
        assert sliders.count() == whole
    assert failed


def test_what_fails_again_has_a_button_that_draws_the_page(visit, failing):
    address, place, _ = failing
    page = visit("combine?data=Protein+world", address=address)
    sliders = page.get_by_test_id("stMain").get_by_role("slider")
    whole = sliders.count()
    place.write_text("1 2")
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Combine", exact=True))
    assert alerts(page).count()
    click(page.get_by_role("button", name="Draw the page again"))
    assert sliders.count() == whole
    assert not alerts(page).count()
