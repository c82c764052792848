"""Real matrices with |x|^0.3 in a real browser: uploaded, kept on Large diagonals, completed on Complete."""

import re

import pytest

from tests.browser.conftest import PATIENCE, settle
from tests.browser.test_upload import button, choose, more

TABLE = {("10 %", "0.25"): (96.9, 89.7), ("25 %", "0.25"): (96.8, 88.6), ("50 %", "0.1"): (96.4, 85.1)}
"""One-vs-rest and multi-class accuracy of the specification, by hidden share and λ."""


def bring_barrels(page, shared):
    barrels = shared / "data" / "scop_tim_barrel"
    choose(page, barrels / "c1_sw_blosum62_score.csv.gz")
    button(page, "Add as new data set")
    more(page)
    choose(page, barrels / "c1_sw_3di_score.csv.gz", barrels / "c1_labels.tsv")
    option(page, "Label column", "superfamily")
    button(page, re.compile("^Add to c1_sw_blosum62_score"))
    smallest = page.get_by_role("spinbutton", name="Smallest class")
    smallest.fill("10")
    smallest.press("Enter")
    page.get_by_text("296 of 373 items, 9 of 33 classes").wait_for()
    settle(page)


def option(page, box, name):
    wanted = page.get_by_role("option", name=name, exact=True)
    for _ in range(3):
        # a box that has the focus already may take a click for its end
        page.get_by_role("combobox", name=re.compile(box)).click()
        page.wait_for_timeout(500)
        if wanted.count():
            break
    wanted.click()
    settle(page)


def go(page, name):
    page.get_by_test_id("stSidebar").get_by_role("link", name=name).click()
    page.get_by_role("heading", name=name, level=1).wait_for()
    settle(page)


def move(page, label, value):
    """Move a slider with the keys until it says `value`."""
    handle = page.get_by_role("slider", name=re.compile(label))
    steps = 0
    while (now := handle.get_attribute("aria-valuetext")) != value and steps < 60:
        handle.press("ArrowRight" if float(now.split()[0]) < float(value.split()[0]) else "ArrowLeft")
        steps += 1
    page.wait_for_timeout(500)  # a slider tells the server a moment after the last key
    settle(page)
    assert handle.get_attribute("aria-valuetext") == value


@pytest.mark.slow
def test_tim_barrels_with_a_power_of_0_3(visit, shared):
    page = visit("data")
    page.set_default_timeout(
        4 * PATIENCE
    )  # every choice of a kernel judges ten powers on ten folds of nine classes
    bring_barrels(page, shared)
    go(page, "Large diagonals")
    option(page, "Scheme", "clip")
    move(page, "Power", "0.30")
    for name in ("c1_sw_3di_score", "c1_sw_blosum62_score"):
        option(page, "^.*Kernel", name)
        if name == "c1_sw_3di_score":
            page.get_by_text("Keep φ of the entries without the repair").click()
            settle(page)
        button(page, "Keep this kernel")
        page.get_by_test_id("stSidebar").get_by_text(f"{name}, entries p = 0.3").wait_for()
        settle(page)
    go(page, "Complete")
    option(page, "Target kernel", "c1_sw_3di_score, entries p = 0.3")
    option(page, "Source kernel", "c1_sw_blosum62_score, entries p = 0.3")
    for (share, lam), (single, multi) in TABLE.items():
        move(page, "Hidden share", share)
        move(page, "Weight of the source", f"{float(lam):.2f}")
        shown = [value.inner_text() for value in page.get_by_test_id("stMetricValue").all()[:2]]
        assert float(shown[0].split()[0]) == pytest.approx(multi, abs=2.5)
        assert float(shown[1].split()[0]) == pytest.approx(single, abs=0.8)
    assert page.get_by_test_id("stException").count() == 0
