"""Files that are being read, in a browser: the page says so, Stop ends it, and so does a tab that is closed."""

import os
import sys

import pytest

from tests.browser.conftest import start_server
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE, until

TABLE = b"id,a,b\nx,1,0.5\ny,0.5,1\nz,3,4\n"
BOX = '[data-testid="stFileUploaderDropzoneInput"]'
STOP = '[class*="st-key-reading-"][class*="-stop"] button'
"""Streamlit has a button of that name, too."""
PROGRAM = REPOSITORY / "tests" / "pages" / "server" / "readers" / "misbehaving.py"
CUSTOM = f"""
from pathlib import Path
from pages.server.readers import pool
pool.CHILD = Path({str(PROGRAM)!r})
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.fixture(scope="module")
def hanging_server(tmp_path_factory):
    """Address of the app whose readers do what files ask of them, and the number of its process."""
    folder = tmp_path_factory.mktemp("custom")
    (folder / "sitecustomize.py").write_text(CUSTOM)
    settings = {"PYTHONPATH": os.pathsep.join([str(folder), str(REPOSITORY)])}
    process, address = start_server(REPOSITORY / "app.py", folder / "log", settings=settings)
    yield address, process.pid
    process.terminate()
    process.wait(PATIENCE)


def children(pid):
    found = []
    for each in os.listdir("/proc"):
        if each.isdigit():
            try:
                with open(f"/proc/{each}/stat") as file:
                    state = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(state[1]) == pid and state[0] != "Z":
                found.append(int(each))
    return found


def reading(server):
    """Processes that read a file: those that the readers of a server have forked."""
    return [each for reader in children(server) for each in children(reader)]


def bring(page, name, content):
    page.locator(BOX).first.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def test_stop_and_a_closed_tab_end_what_is_read_and_nothing_else_is_lost(hanging_server, chromium):
    address, server = hanging_server
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"{address}/data")
    bring(page, "good.csv", TABLE)
    page.get_by_role("button", name="Put away").first.wait_for()
    bring(page, "slow.csv", b"hang")
    page.get_by_text("is being read").wait_for()
    until(lambda: reading(server))
    page.locator(STOP).click()
    until(lambda: not reading(server))
    page.get_by_role("button", name="Read it again").wait_for()
    # what was read before stands as it stood: looked for until it is there, for the page is drawn from top to bottom
    page.get_by_text("you stopped it").first.wait_for()
    page.get_by_text("3 items").first.wait_for()
    page.get_by_role("button", name="Read it again").click()
    page.get_by_text("is being read").wait_for()
    until(lambda: reading(server))
    page.close()
    until(lambda: not reading(server))
    again = context.new_page()
    again.goto(f"{address}/data")
    again.get_by_text("good.csv").first.wait_for()
    context.close()
    until(lambda: not reading(server))
