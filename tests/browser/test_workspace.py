"""What a visitor brought is there after a reload and in another tab, for them alone, until they forget it."""

import re

from tests.browser.conftest import free_port, start_server
from tests.browser.script_runs import click, settle, watch
from tests.browser.test_upload import button, choose, small
from tests.conftest import REPOSITORY
from tests.patience import MILLISECONDS, PATIENCE

MINE = b",privateone,privatetwo,privatethree\nprivateone,2,1,0\nprivatetwo,1,2,1\nprivatethree,0,1,2\n"
LABELS = b"id,label\nprivateone,secretx\nprivatetwo,secrety\nprivatethree,secretx\n"


def sidebar(page):
    return page.get_by_test_id("stSidebar").inner_text()


def tab(page):
    """Another tab of the same browser."""
    made = page.context.new_page()
    made.set_default_timeout(MILLISECONDS)
    watch(made)
    return made


def test_a_workspace_survives_a_reload_is_in_every_tab_and_is_forgotten_at_once(visit, server):
    one = visit("data")
    choose(one, small("mine.csv", MINE), small("l.csv", LABELS))
    button(one, "Add as new data set")
    one.reload()
    settle(one)
    assert "3 items" in sidebar(one)
    (given,) = [each for each in one.context.cookies() if each["name"].startswith("kernex-")]
    assert [given[name] for name in ("httpOnly", "sameSite", "path", "secure")] == [True, "Lax", "/", False]

    # a link on a page of another site, as in a mail
    two = tab(one)
    link = f'<a href="{server}/kernels">open</a>'
    two.route("http://elsewhere.example/", lambda route: route.fulfill(body=link, content_type="text/html"))
    two.goto("http://elsewhere.example/")
    two.get_by_role("link").click()
    settle(two)
    assert "1 kernel: mine" in sidebar(two)

    # two tabs that change different things: each sees the other's at its next run, and neither loses any
    button(two, "Keep this kernel")
    one.bring_to_front()  # a tab that nobody sees draws, and settles, seconds later
    click(one.get_by_test_id("stSidebar").get_by_role("link", name="Kernels", exact=True))
    assert "2 kernels: " in sidebar(one)
    button(one, "Keep this kernel")
    two.bring_to_front()
    button(two, "Keep this kernel")
    assert "4 kernels: " in sidebar(two)

    assert not re.search("mine|private|secret", sidebar(visit("data")))

    two.bring_to_front()
    two.get_by_role("button", name="Forget everything").click()
    button(two, "Forget all of it")
    assert "mine" not in sidebar(two)
    one.bring_to_front()
    click(one.get_by_test_id("stSidebar").get_by_role("link", name="Data"))
    assert not re.search("mine|private|secret", sidebar(one))


def test_a_token_is_asked_for_once_and_a_kept_workspace_survives_the_server(chromium, tmp_path):
    log, port = tmp_path / "log", free_port()
    keep = {"KERNEX_TOKEN": "correct horse", "KERNEX_KEEP": str(tmp_path / "kept")}
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    watch(page)

    def running(settings):
        process, address = start_server(REPOSITORY / "app.py", log, port=port, settings=settings)
        page.goto(f"{address}/data")
        return process

    def end(process):
        process.terminate()
        assert process.wait(PATIENCE) in (0, -15)

    process = running(keep)
    try:
        for said in ("battery staple", keep["KERNEX_TOKEN"]):
            page.get_by_label("Token").fill(said)
            page.get_by_role("button", name="Enter").click()
            if said != keep["KERNEX_TOKEN"]:
                page.get_by_text("That is not the token.").wait_for()
        settle(page)
        choose(page, small("mine.csv", MINE))
        button(page, "Add as new data set")
        end(process)
        process = running(keep)
        settle(page)
        assert "1 kernel: mine" in sidebar(page)
        end(process)
    finally:
        process.kill()
        context.close()
    assert not re.search("mine|private|Traceback|[Ee]rror", log.read_text())
