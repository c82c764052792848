"""Large diagonals in a real browser: open the strings, move p, keep the kernel, find it on Complete."""

import re

from tests.browser.conftest import settle


def option(page, box, name):
    """Choose with one click on the box and one on the option, as a person does."""
    page.get_by_role("combobox", name=re.compile(box)).click()
    page.get_by_role("option", name=name, exact=True).click()
    settle(page)


def move(page, label, value):
    """Move a slider with the keys until it says `value`."""
    handle = page.get_by_role("slider", name=re.compile(label))
    handle.focus()
    for _ in range(30):
        now = handle.get_attribute("aria-valuetext")
        if now == value:
            break
        handle.press("ArrowRight" if float(now) < float(value) else "ArrowLeft")
    assert handle.get_attribute("aria-valuetext") == value


def test_strings_are_shrunk_judged_and_kept(visit):
    page = visit("diagonals")
    page.get_by_role("button", name="Open the paper's strings").click()
    page.get_by_text("Balanced loss").first.wait_for()
    page.get_by_text(re.compile("^Before$")).first.wait_for()
    page.get_by_text(re.compile("^After$")).first.wait_for()
    settle(page)
    assert page.locator(".js-plotly-plot").count() >= 5  # two heatmaps, losses, spectra, two histograms
    dominance = page.get_by_test_id("stMetricValue").first
    before = dominance.inner_text()
    move(page, "Power", "0.30")
    page.get_by_role("textbox", name="Keep this kernel as").and_(
        page.locator("[value$='empirical map p = 0.3']")
    ).wait_for()
    settle(page)
    assert dominance.inner_text() != before
    assert "power=0.3" in page.url
    # a box that was used keeps the focus: the next click has to open it all the same
    option(page, "Scheme", "square root")
    option(page, "Scheme", "empirical map")
    page.get_by_role("button", name="Keep this kernel").click()
    kept = "subsequences, empirical map p = 0.3"
    page.get_by_test_id("stSidebar").get_by_text(kept).wait_for()
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Complete").click()
    page.get_by_role("heading", name="Complete", level=1).wait_for()
    settle(page)
    page.get_by_role("combobox", name=re.compile("Target kernel")).click()
    page.get_by_role("option", name=kept, exact=True).wait_for()
    assert page.get_by_test_id("stException").count() == 0


def test_a_power_out_of_range_in_the_address_is_no_traceback(visit):
    for nonsense in ("power=7", "power=nan&scheme=nope&basis=x"):
        page = visit(f"diagonals?data=Protein+world&{nonsense}")
        page.get_by_role("slider", name=re.compile("Power")).wait_for()
        assert page.get_by_test_id("stException").count() == 0
