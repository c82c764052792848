"""Large diagonals in a real browser: open the strings, move p, keep the kernel, find it on Complete."""

import re

from tests.browser.script_runs import click, dragging, rerunning


def option(page, box, name):
    """Choose with one click on the box and one on the option, as a person does."""
    page.get_by_role("combobox", name=re.compile(box)).click()
    click(page.get_by_role("option", name=name, exact=True))


P = "p, in the picture"


def move(page, value, address):
    """Move p with the keys until it says `value` and the script, which may run in between, has got it."""
    handle = page.get_by_role("slider", name=P)
    handle.focus()
    with rerunning(page):
        for _ in range(30):
            now = float(handle.input_value())
            if abs(now - value) < 1e-9:
                break
            handle.press("ArrowRight" if now < value else "ArrowLeft")
        assert float(handle.input_value()) == value
        page.wait_for_url(address)


def test_strings_are_shrunk_judged_and_kept(visit):
    page = visit("diagonals")
    click(page.get_by_role("button", name="Almost orthogonal strings").first)
    for text in ("Loss against", re.compile("^Before$"), re.compile("^After$")):
        page.get_by_text(text).first.wait_for()
    assert page.locator(".js-plotly-plot").count() >= 4  # two heatmaps, losses, spectra, two histograms
    dominance = page.get_by_test_id("stMetricValue").last
    before = dominance.inner_text()
    with dragging(page, P, 0.8) as drawn:
        assert drawn >= 5
        followed = page.locator("figure small").nth(1).inner_text().removeprefix("p = ")
        assert float(followed) > 0.6
    page.wait_for_url(f"**power={float(followed):g}*")
    assert float(page.get_by_role("slider", name=P).input_value()) == float(followed)
    move(page, 0.3, re.compile(r"power=0\.3(&|$)"))
    kept = "subsequences, empirical map p = 0.3"
    assert page.get_by_role("textbox", name="Keep this kernel as").input_value() == kept
    assert dominance.inner_text() != before
    # a box that was used keeps the focus: the next click has to open it all the same
    option(page, "Scheme", "square root")
    option(page, "Scheme", "empirical map")
    click(page.get_by_role("button", name="Keep this kernel"))
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text(kept).wait_for()
    click(sidebar.get_by_role("link", name="Complete"))
    page.get_by_role("heading", name="Complete", level=1).wait_for()
    page.get_by_role("combobox", name=re.compile("Target kernel")).click()
    page.get_by_role("option", name=kept, exact=True).wait_for()
    assert page.get_by_test_id("stException").count() == 0


def test_a_power_that_is_no_number_in_the_address_is_no_traceback(visit):
    # the smallest demo: every value of p is judged before the page has settled
    page = visit("diagonals?data=Hits+only&power=nan&scheme=nope&basis=x")
    assert page.get_by_role("slider", name=P).input_value() == "0.5"
    page.get_by_text("Loss against").first.wait_for()
    assert page.get_by_test_id("stException").count() == 0
