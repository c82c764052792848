"""Files in a real browser: real matrices, two at once, labels, refusal; and the way from Start to Data."""

import re

import pytest

from pages.start.start import FIRST
from tests.browser.script_runs import click, rerunning, settle
from tests.patience import PATIENCE

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(200)


def choose(page, *files):
    with rerunning(page):
        page.locator("input[type=file]").set_input_files(list(files))
    page.get_by_role("button", name="Put away").last.wait_for()


def button(page, name):
    click(page.get_by_role("button", name=name))


def more(page):
    page.get_by_text("Bring more data").click()


def small(name, data):
    return {"name": name, "mimeType": "text/plain", "buffer": data}


def test_two_real_matrices_their_labels_and_the_large_superfamilies(visit, shared):
    barrels = shared / "data" / "scop_tim_barrel"
    page = visit("data")
    choose(page, barrels / "c1_sw_blosum62_score.csv.gz")
    page.get_by_text("Similarities of 373 items").wait_for()
    button(page, "Add as new data set")
    more(page)
    choose(page, barrels / "c1_sw_foldseek3di_score.csv.gz", barrels / "c1_labels.tsv")
    page.get_by_text("Similarities of 373 items").wait_for()
    page.get_by_role("button", name="How it is read").last.click()
    for column in ("family", "superfamily"):  # superfamily is chosen already: to choose it again is no change
        # by the keyboard: a click that has to scroll first closes the list that it opens
        box = page.get_by_role("combobox", name=re.compile("Label column"))
        option = page.get_by_role("option").first
        for _ in range(int(PATIENCE)):  # a list that opens while the page is drawn again closes
            box.focus()
            box.press("ArrowDown")
            page.wait_for_timeout(1000)
            if option.is_visible():
                break
        columns = page.get_by_role("option").all_inner_texts()
        assert columns == ["domain", "sccs", "superfamily", "family", "length"]
        click(page.get_by_role("option", name=column, exact=True))
    page.keyboard.press("Escape")
    button(page, re.compile("^Add to c1 SW BLOSUM62 score"))
    page.get_by_role("button", name="By class").click()
    smallest = page.get_by_role("spinbutton", name="Smallest class")
    smallest.fill("10")
    with rerunning(page):
        smallest.press("Enter")
    page.keyboard.press("Escape")
    page.get_by_text("296 of 373 items, 9 of 33 classes").wait_for()
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text("296 items · 9 classes").wait_for()
    sidebar.get_by_text("c1 SW foldseek3di score").wait_for()
    click(sidebar.get_by_role("link", name="Complete"))
    page.get_by_role("heading", name="Complete", level=1).wait_for()
    sidebar.get_by_text("296 items · 9 classes").wait_for()
    assert page.get_by_test_id("stException").count() == 0


@pytest.fixture(scope="module")
def mine(visit_for_all):
    """Data with a file that was brought; the tests leave it as they find it."""
    page = visit_for_all("data")
    choose(page, small("mine.csv", b",a,b\na,2,1\nb,1,2\n"))
    button(page, "Add as new data set")
    return page


def test_a_picture_named_csv_is_refused_and_nothing_is_lost(mine):
    page = mine
    more(page)
    choose(page, small("picture.csv", PNG))
    alert = page.get_by_role("alert")
    assert alert.count() == 1
    assert "really a PNG picture" in alert.inner_text()
    assert page.get_by_role("button", name=re.compile("^Add ")).count() == 0
    page.get_by_role("heading", name="mine").wait_for()
    button(page, "Put away")
    assert alert.count() == 0


def test_a_file_chosen_in_the_instant_of_opening_is_not_lost(mine):
    page = mine
    for number in range(5):
        page.get_by_text("Bring more data").click()
        page.locator("input[type=file]").set_input_files(small(f"m{number}.csv", b",a,b\na,2,1\nb,1,3\n"))
        page.get_by_role("textbox", name=re.compile(f"Name for .* m{number}")).wait_for()
        settle(page)
        button(page, "Put away")


def test_from_start_where_every_demo_has_its_picture_to_data_and_back_to_a_demo(visit):
    page = visit()
    pictures = page.get_by_test_id("stImage").get_by_role("img")
    assert pictures.count() == len(FIRST)
    assert all(picture.get_attribute("alt") for picture in pictures.all())
    choose(page, small("mine.csv", b",a,b\na,2,1\nb,1,2\n"))
    assert page.get_by_role("heading", level=1).inner_text() == "Data"
    button(page, "Add as new data set")
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Start"))
    page.get_by_text("Or begin with a question").wait_for()
    click(page.get_by_role("button", name="Protein world", exact=True))
    page.get_by_role("heading", name="Complete", level=1).wait_for()
    assert re.search(r"/complete\?(.*&)?data=", page.url)
    assert page.get_by_test_id("stException").count() == 0


def test_downloads(visit):
    page = visit("data")
    choose(page, small("mine.csv", b",a,b\na,2,1\nb,1,2\n"), small("l.csv", b"id,label\na,x\nb,x\n"))
    button(page, "Add as new data set")
    for name, ending in (
        ("CSV", "mine-data-mine.csv"),
        ("Items and labels", "mine-data-labels.csv"),
        ("Script", "mine-data.py"),
    ):
        with page.expect_download() as download:
            page.get_by_test_id("stDownloadButton").filter(has_text=name).first.click()
        assert download.value.suggested_filename == ending
