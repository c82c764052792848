"""Folders that nobody may write: the one of KERNEX_KEEP, that of the code, and HOME. Really so, also for root."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.browser.conftest import free_port
from tests.browser.script_runs import settle
from tests.browser.test_kept import bring, go, serving, somebody
from tests.browser.test_upload import button
from tests.browser.test_workspace import sidebar
from tests.conftest import REPOSITORY
from tests.patience import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders are made read-only otherwise there")
SAID = "Compiled loops cannot be kept on disk"


@contextmanager
def read_only(folder):
    """For root, whom permissions do not stop, the folder is mounted once more."""
    if os.geteuid():
        places = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        for place in places:
            place.chmod(0o500)
        yield
        for place in places:
            place.chmod(0o700)
        return
    for command in (["--bind", str(folder), str(folder)], ["-o", "remount,ro,bind", str(folder)]):
        if subprocess.run(["mount", *command], capture_output=True).returncode:
            subprocess.run(["umount", "-l", str(folder)], capture_output=True)
            pytest.skip("root may write anywhere here, and cannot mount")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_folder_of_workspaces_that_is_read_only_for_a_while(chromium, tmp_path):
    folder, log, port = tmp_path / "kept", tmp_path / "log", free_port()
    with somebody(chromium) as page:
        with serving(log, port, KERNEX_KEEP=str(folder)) as address:
            bring(page, address)
            until(lambda: list(folder.glob("*.kernex")))
            go(page, "Kernels")
            with read_only(folder):
                button(page, "Keep this kernel")
                until(lambda: "cannot be kept now" in log.read_text())
                go(page, "Data")
                assert "not on this server's disk yet" in sidebar(page)
                assert "2 kernels" in sidebar(page)
            until(lambda: "kept again" in log.read_text())
        with serving(log, port, KERNEX_KEEP=str(folder)) as address:
            page.goto(f"{address}/kernels")
            settle(page)
            assert "2 kernels" in sidebar(page)
    assert not list(folder.glob("*.part"))


def test_where_neither_home_nor_the_code_can_be_written_the_compiler_works_and_says_so_once(
    chromium, tmp_path
):
    code, log = tmp_path / "code", tmp_path / "log"
    for part in ("kernex_core", "pages", "docs", ".streamlit"):
        shutil.copytree(REPOSITORY / part, code / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "app.py", code)
    settings = {"HOME": str(code / "home"), "PYTHONPATH": str(code), "NUMBA_CACHE_DIR": ""}
    with (
        read_only(code),
        somebody(chromium) as page,
        serving(log, free_port(), script=code / "app.py", **settings) as address,
    ):
        page.goto(f"{address}/strings?data=Protein+world")
        settle(page)
        assert page.get_by_role("alert").count() == 0
        assert page.locator("figure canvas").count() > 0
        bring(page, address)
        until(lambda: SAID in log.read_text())
    assert log.read_text().count(SAID) == 1
    assert "Traceback" not in log.read_text()
    assert not list(code.rglob("*.nbi"))
