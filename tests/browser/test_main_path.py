"""The main path as a person walks it: demo, hide, move λ, keep, combine, judge; and links that restore a state."""

import re
from pathlib import Path

from tests.browser.script_runs import click, rerunning

WORLD = "data=Protein+world"


def slider(page, label):
    return page.get_by_role("slider", name=re.compile(label))


def test_a_link_restores_lam_and_a_move_of_it_redraws_what_depends_on_it_and_stands_in_the_address(visit):
    page = visit(f"complete?{WORLD}&lam=0.6&hidden=50+%25")
    assert slider(page, "λ, in the picture").input_value() == "0.6"
    page.get_by_text("103 of 206 items").wait_for()
    before = page.get_by_test_id("stMetricValue").nth(2).inner_text()
    handle = slider(page, "λ, in the picture")
    handle.focus()
    with rerunning(page):
        for _ in range(20):
            handle.press("ArrowRight")
        page.wait_for_url("**lam=0.8*")  # the script may run before the last key
    assert page.get_by_test_id("stMetricValue").nth(2).inner_text() != before
    share = slider(page, "Hidden share")
    share.focus()
    with rerunning(page):  # the body of the page alone
        share.press("ArrowRight")
        page.wait_for_url("**hidden=55*")
    page.get_by_text("93 of 206 items").wait_for()
    # what it draws in the head of the page takes the place of what was there, and no chart is left behind
    assert page.locator(".st-key-head").inner_text().count("transductive") == 1
    assert page.locator(".js-plotly-plot").count() == 2
    assert page.locator("figure canvas").count() == 8  # four matrices, each with a layer for what is marked


def test_keep_and_download_on_one_page_and_find_it_on_the_next(visit):
    page = visit(f"complete?{WORLD}")
    kept = page.get_by_test_id("stSidebar").get_by_text("joint λ=0.25 of structure")
    assert lines_of_a_download(page) > 10
    click(page.get_by_role("button", name="Keep this kernel"))
    kept.wait_for()
    click(page.get_by_role("link", name="Combine"))
    page.get_by_role("heading", name="Combine").wait_for()
    kept.wait_for()
    assert lines_of_a_download(page) > 10


def test_tables_of_a_paper_are_a_file_with_content(visit):
    assert lines_of_a_download(visit(f"extrapolation?{WORLD}")) > 10


def lines_of_a_download(page):
    # the camera of a chart is called "Download plot" too
    button = (
        page.get_by_test_id("stDownloadButton")
        .get_by_role("button", name=re.compile("^(CSV|Download)"))
        .first
    )
    button.wait_for()
    with page.expect_download() as download:
        button.click()
    return len(Path(download.value.path()).read_text(encoding="utf-8").splitlines())


def test_settings_then_lam_then_the_hidden_share_are_answered_one_after_the_other(visit):
    page = visit(f"complete?{WORLD}")
    sentence = page.locator(".st-key-sentence")
    before = sentence.inner_text()
    page.get_by_role("button", name="Settings").click()
    with rerunning(page):
        page.get_by_text("one-vs-rest", exact=True).click()
    page.keyboard.press("Escape")
    assert sentence.inner_text() != before
    for label, key in (
        ("λ, in the picture", "ArrowRight"),
        ("Hidden share", "ArrowRight"),
        ("λ, in the picture", "ArrowLeft"),
    ):
        before = sentence.inner_text()
        handle = slider(page, label)
        handle.focus()
        with rerunning(page):
            for _ in range(20):
                handle.press(key)
        assert page.get_by_test_id("stAlert").count() == 0, label
        assert sentence.inner_text() != before, label
    page.get_by_role("button", name="Settings · 1").wait_for()
