"""Two tabs of one visitor that change the same data set: nothing that was done in either is lost without a word."""

import re

import pytest

from tests.browser.script_runs import click, rerunning, settle
from tests.browser.test_upload import button, choose, small
from tests.browser.test_workspace import sidebar, tab

MINE = b",a1,b2,c3\na1,2,1,0\nb2,1,2,1\nc3,0,1,2\n"
LABELS = b"id,label\na1,x\nb2,y\nc3,x\n"


@pytest.fixture
def two(visit, server):
    """Two tabs that show the page Data of one data set."""
    first = visit("data")
    choose(first, small("mine.csv", MINE), small("l.csv", LABELS))
    button(first, "Add as new data set")
    second = tab(first)
    second.goto(f"{server}/data")
    settle(second)
    yield first, second
    second.close()


def go(page, name):
    page.bring_to_front()  # a tab that nobody sees draws, and settles, seconds later
    click(page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True))


def open_labels(page):
    page.bring_to_front()
    grid = page.get_by_test_id("data-grid-canvas")
    if not grid.count():
        click(page.get_by_text("Items and labels (3)"))
    grid.wait_for()


def type_label(page, row, label):
    """Correct the label of an item in the table."""
    page.bring_to_front()
    grid = page.get_by_test_id("data-grid-canvas")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    height = box["height"] / 4  # a line of titles and three items; two columns share the width
    page.mouse.dblclick(box["x"] + 0.75 * box["width"], box["y"] + height * (row + 1.5))
    page.locator(".gdg-input, textarea").last.wait_for()
    page.keyboard.press("Control+A")
    page.keyboard.type(label)
    with rerunning(page):
        page.keyboard.press("Enter")


def labels(page):
    """Labels as the page Data gives them away."""
    page.bring_to_front()
    with page.expect_download() as download:
        page.get_by_role("button", name="Items and labels as CSV").click()
    lines = download.value.path().read_text("utf-8-sig").split()
    return [line.split(",")[1] for line in lines[1:]]


def test_labels_that_two_tabs_correct_at_once_are_all_saved_or_offered_again(two):
    first, second = two
    for page in two:
        open_labels(page)
    type_label(first, 0, "one")
    type_label(second, 1, "two")
    button(second, "Save 1 changed")
    assert labels(second) == ["x", "two", "x"]
    # its table is another one now: what was typed into the former is not gone
    first.bring_to_front()
    button(first, "Save 1 changed")
    said = first.get_by_role("alert").inner_text()
    assert "not saved" in said
    assert "a1: one" in said
    button(first, "Save them")
    assert labels(first) == ["one", "two", "x"]
    assert first.get_by_text("not saved").count() == 0
    # of one item the later one counts, and was looked at
    go(second, "Data")
    open_labels(second)
    type_label(second, 2, "three")
    go(second, "Kernels")
    go(second, "Data")
    assert "c3: three" in second.get_by_role("alert").inner_text()
    button(second, "Let go of them")
    assert labels(second) == ["one", "two", "x"]


def test_a_selection_of_one_tab_is_not_undone_by_another_that_looks(two):
    first, second = two
    first.bring_to_front()
    first.get_by_role("button", name="By class").click()
    box = first.get_by_role("combobox", name=re.compile("Classes"))
    box.focus()
    box.press("ArrowDown")
    click(first.get_by_role("option", name="x (2)"))
    first.keyboard.press("Escape")
    assert "2 items" in sidebar(first)
    go(second, "Data")
    assert "2 items · 1 class, selected of 3" in sidebar(second)
    second.get_by_role("button", name="By id").click()
    ids = second.get_by_label(re.compile("Ids that are kept"))
    ids.fill("a1\nb2")
    with rerunning(second):
        ids.press("Control+Enter")
    assert "1 items · 1 class, selected of 3" in sidebar(second)
    go(first, "Data")
    assert "1 items · 1 class, selected of 3" in sidebar(first)


def test_kernels_of_one_name_are_both_kept_and_a_switch_of_all_tabs_stays(two):
    first, second = two
    for page in two:
        go(page, "Kernels")
    for page in two:
        page.bring_to_front()
        button(page, "Keep this kernel")
    assert "3 kernels: mine, mine (2), mine (3)" in sidebar(second)
    go(second, "Data")
    with rerunning(second):
        second.get_by_text("CSV with ; and decimal commas").click()
    switch = {page: page.get_by_label(re.compile("^CSV with ;")) for page in two}
    go(second, "Kernels")
    for page in (first, second):
        go(page, "Data")
        assert switch[page].is_checked()
