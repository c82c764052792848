"""What becomes of what a visitor brought: a folder that fails for a while, a crowd, another start of the server."""

import json
import shutil
import urllib.request
from contextlib import contextmanager

from tests.browser.conftest import free_port, start_server
from tests.browser.script_runs import click, settle, watch
from tests.browser.test_upload import button, choose, small
from tests.browser.test_workspace import MINE, sidebar
from tests.conftest import REPOSITORY
from tests.patience import MILLISECONDS, PATIENCE, until


@contextmanager
def serving(log, port, script=REPOSITORY / "app.py", **settings):
    process, address = start_server(script, log, port=port, settings=settings)
    try:
        yield address
        process.terminate()
        process.wait(PATIENCE)
    finally:
        process.kill()


@contextmanager
def somebody(chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    watch(page)
    yield page
    context.close()


def bring(page, address):
    page.goto(f"{address}/data")
    settle(page)
    choose(page, small("mine.csv", MINE))
    button(page, "Add as new data set")
    assert "3 items" in sidebar(page)


def go(page, name):
    click(page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True))


def test_a_folder_that_goes_while_the_server_runs_loses_nothing_and_is_told(chromium, tmp_path):
    folder, log, port = tmp_path / "kept", tmp_path / "log", free_port()
    with somebody(chromium) as page:
        with serving(log, port, KERNEX_KEEP=str(folder)) as address:
            page.goto(address)
            settle(page)
            aside = tmp_path / "aside"
            shutil.move(folder, aside)
            folder.write_text("no folder")
            bring(page, address)
            until(lambda: "cannot be kept now" in log.read_text())
            go(page, "Kernels")
            assert "not on this server's disk yet" in sidebar(page)
            with urllib.request.urlopen(f"{address}/_kernex/health", timeout=PATIENCE) as answer:
                assert json.load(answer)["status"] == "ok"
            folder.unlink()
            shutil.move(aside, folder)
            until(lambda: "kept again" in log.read_text())
            assert log.read_text().count("cannot be kept now") == 1
            go(page, "Data")
            assert "disk yet" not in sidebar(page)
        with serving(log, port, KERNEX_KEEP=str(folder)) as address:
            page.goto(f"{address}/kernels")
            settle(page)
            assert "3 items" in sidebar(page)


def test_another_start_without_a_folder_and_a_crowd_are_two_sentences(chromium, tmp_path):
    log, port = tmp_path / "log", free_port()
    with somebody(chromium) as one, somebody(chromium) as two:
        with serving(log, port, KERNEX_VISITORS="1") as address:
            bring(one, address)
            bring(two, address)
            one.goto(f"{address}/kernels")
            settle(one)
            assert "let go for others" in sidebar(one)
            assert "3 items" in sidebar(two)
            go(one, "Data")
            assert "let go for others" in sidebar(one)  # until it is understood
            button(one, "Understood")
            assert "let go for others" not in sidebar(one)
        with serving(log, port) as address:
            two.goto(f"{address}/kernels")
            settle(two)
            assert "was started anew" in sidebar(two)
            button(two, "Understood")
            go(two, "Data")
            assert "was started anew" not in sidebar(two)
