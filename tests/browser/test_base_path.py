"""The app below a base (`--server.baseUrlPath`), as behind a proxy that serves others too; nothing strange is run."""

import re

import pytest

from pages.shared.navigation import ENTRIES, PAGES
from tests.browser.conftest import start_server
from tests.browser.script_runs import click, settle
from tests.browser.test_upload import button, choose, small
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE

MATRIX = b",p,q,r\np,3,1,1\nq,1,3,1\nr,1,1,3\n"


@pytest.fixture(scope="module")
def below(tmp_path_factory):
    log = tmp_path_factory.mktemp("base") / "log"
    settings = {"KERNEX_TOKEN": "correct horse", "KERNEX_NUMBA": "0"}
    process, address = start_server(REPOSITORY / "app.py", log, settings=settings, base="kernex")
    yield address
    process.terminate()
    process.wait(PATIENCE)


def test_every_address_below_a_base_answers_also_through_the_door(new_tab, below):
    page, refused = new_tab, []
    page.set_default_timeout(1000 * PATIENCE)
    page.on(
        "console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None
    )
    page.goto(f"{below}/kernels")
    page.get_by_label("Token").fill("correct horse")
    page.get_by_role("button", name="Enter").click()
    settle(page)
    assert page.url.startswith(f"{below}/kernels")
    for entry in ENTRIES:
        path = "" if entry is PAGES[0] else entry.url_path
        assert page.request.get(f"{below}/{path}").status == 200, path
    assert page.request.get(f"{below}/_kernex/health").json()["status"] == "ok"
    assert page.request.get(below.removesuffix("/kernex") + "/").url == f"{below}/"
    nowhere = page.request.get(f"{below}/nowhere")
    assert nowhere.status == 404
    links = re.findall(r'href="([^"]+)"', nowhere.text())
    assert [link for link in links if not link.startswith("/kernex/")] == []
    # uploads, downloads and pictures come by addresses of their own
    page.goto(f"{below}/data")
    settle(page)
    choose(page, small("mine.csv", MATRIX))
    button(page, "Add as new data set")
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Kernels", exact=True))
    assert page.url.startswith(f"{below}/kernels")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).first.click()
    assert download.value.path().read_bytes().count(b"\n") == 4
    page.goto(f"{below}/heat_and_walks")
    settle(page)
    assert page.get_by_test_id("stException").count() == 0
    assert refused == []
