"""Large diagonals in a real browser: open the strings, move p, keep the kernel, find it on Complete."""

import re

from tests.browser.script_runs import click, dragging, rerunning


def option(page, box, name):
    """Choose with one click on the box and one on the option, as a person does."""
    page.get_by_role("combobox", name=re.compile(box)).click()
    click(page.get_by_role("option", name=name, exact=True))


def move(page, label, value, address):
    """Move a slider with the keys until it says `value` and the script, which may run in between, has got it."""
    handle = page.get_by_role("slider", name=re.compile(label))
    handle.focus()
    with rerunning(page):
        for _ in range(30):
            now = handle.get_attribute("aria-valuetext")
            if now == value:
                break
            handle.press("ArrowRight" if float(now) < float(value) else "ArrowLeft")
        assert handle.get_attribute("aria-valuetext") == value
        page.wait_for_url(address)


def test_strings_are_shrunk_judged_and_kept(visit):
    page = visit("diagonals")
    click(page.get_by_role("button", name="Almost orthogonal strings").first)
    for text in ("Balanced loss", re.compile("^Before$"), re.compile("^After$")):
        assert page.get_by_text(text).first.is_visible()
    assert page.locator(".js-plotly-plot").count() >= 4  # two heatmaps, losses, spectra, two histograms
    dominance = page.get_by_test_id("stMetricValue").first
    before = dominance.inner_text()
    with dragging(page, "p, in the picture", 0.8) as drawn:
        assert drawn >= 5
        followed = page.locator("figure small").nth(1).inner_text().removeprefix("p = ")
        assert float(followed) > 0.6
    page.wait_for_url(f"**power={float(followed):g}*")
    assert page.get_by_role("slider", name=re.compile("Power")).get_attribute("aria-valuetext") == followed
    move(page, "Power", "0.30", re.compile(r"power=0\.3(&|$)"))
    kept = "subsequences, empirical map p = 0.3"
    assert page.get_by_role("textbox", name="Keep this kernel as").input_value() == kept
    assert dominance.inner_text() != before
    # a box that was used keeps the focus: the next click has to open it all the same
    option(page, "Scheme", "square root")
    option(page, "Scheme", "empirical map")
    click(page.get_by_role("button", name="Keep this kernel"))
    sidebar = page.get_by_test_id("stSidebar")
    assert sidebar.get_by_text(kept).is_visible()
    click(sidebar.get_by_role("link", name="Complete"))
    assert page.get_by_role("heading", name="Complete", level=1).is_visible()
    page.get_by_role("combobox", name=re.compile("Target kernel")).click()
    page.get_by_role("option", name=kept, exact=True).wait_for()
    assert page.get_by_test_id("stException").count() == 0


def test_a_power_that_is_no_number_in_the_address_is_no_traceback(visit):
    # the smallest demo: every value of p is judged before the page has settled
    page = visit("diagonals?data=Hits+only&power=nan&scheme=nope&basis=x")
    assert page.get_by_role("slider", name=re.compile("Power")).get_attribute("aria-valuetext") == "0.50"
    assert page.get_by_text("Balanced loss").first.is_visible()
    assert page.get_by_test_id("stException").count() == 0
