"""One server and one Chromium for all browser tests of a process."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.browser.script_runs import settle, watch
from tests.conftest import REPOSITORY
from tests.patience import MILLISECONDS, PATIENCE

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in Path(item.fspath).parents:
            item.add_marker(pytest.mark.browser)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def browsers():
    """Paths of all that are on this machine."""
    return [path for path in map(shutil.which, NAMES) if path] + [
        path for path in PLACES if Path(path).exists()
    ]


def start_server(script, log, *, port=None, settings=None, base="", host="localhost"):
    """Start Streamlit on a port, its pages below a base; returns the process and its address once it answers."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.baseUrlPath", base] if base else []
    command += [] if host == "localhost" else ["--server.address", host]
    # scripts outside the repository import from it too
    path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/{base}".rstrip("/")
    settings = {**os.environ, "PYTHONPATH": path, **(settings or {})}
    return started(command, address, log, cwd=script.parent, env=settings), address


def started(command, address, log, **how):
    """Start a command and return its process once the address answers."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, **how
        )
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=PATIENCE):
                return process
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if process.poll() is not None:
                break
            time.sleep(0.2)
    process.kill()
    pytest.fail(f"the server did not start:\n{log.read_text()}")


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """Address of the running app."""
    process, address = start_server(REPOSITORY / "app.py", tmp_path_factory.mktemp("server") / "log")
    yield address
    process.terminate()
    process.wait(PATIENCE)


@pytest.fixture(
    scope="package"
)  # Playwright's event loop runs in this thread until it is left: not beyond these tests
def chromium():
    """A Chromium of this machine; left out where there is none, except in continuous integration."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=MILLISECONDS)
    found = browsers()
    if not found:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found[0], args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def tabs(chromium):
    """Tabs that no test has just now: to load the app into a tab that has shown it takes a third of the time."""
    return []


@pytest.fixture
def new_tab(chromium):
    """A tab that nobody has used."""
    return _new_tab(chromium)


@pytest.fixture
def visit(chromium, server, tabs, request):
    """Open an address in a session of its own and wait until the page is drawn; every call is another visitor.

    `instead_of` is a page whose visitor has left.
    """
    yield from _visiting(chromium, server, tabs, request)


@pytest.fixture(scope="module")
def visit_for_all(chromium, server, tabs, request):
    """As `visit`, for pages that the tests of a module share: to open one takes longer than to use it."""
    yield from _visiting(chromium, server, tabs, request)


def _visiting(chromium, server, tabs, request):
    taken = []
    failed = request.session.testsfailed

    def visit(path="", *, scheme="light", address=None, width=1440, height=900, instead_of=None):
        page = instead_of or (tabs.pop() if tabs else _new_tab(chromium))
        if page not in taken:
            taken.append(page)
        _forget(page)
        page.set_default_timeout(MILLISECONDS)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address or server}/{path}")
        settle(page)
        return page

    yield visit
    for page in taken:
        if request.session.testsfailed > failed:  # who knows what it left behind
            page.context.close()
        else:
            page.goto("about:blank")  # its session ends
            tabs.append(page)


def _new_tab(chromium):
    page = chromium.new_context().new_page()
    watch(page)
    return page


def _forget(page):
    """What a browser keeps of an earlier visitor."""
    page.context.clear_cookies()
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
