"""What if in a browser: hidden share and λ in two clicks, a cell by a click or by keyboard, and on to Complete."""

import pytest

from tests.browser.look import bring
from tests.browser.script_runs import click, rerunning, settle

FRAME = """
() => {
    const plot = [...document.querySelectorAll(".js-plotly-plot")].find(each => each.data.some(t => t.type === "heatmap"));
    const frame = plot.layout.shapes.find(each => each.type === "rect");
    const at = axis => (frame[axis + "0"] + frame[axis + "1"]) / 2;
    return [plot.layout.yaxis.ticktext[at("y")], plot.layout.xaxis.ticktext[at("x")]];
}
"""
CELL = """
([row, column]) => {
    const plot = [...document.querySelectorAll(".js-plotly-plot")].find(each => each.data.some(t => t.type === "heatmap"));
    const box = plot.getBoundingClientRect(), {xaxis, yaxis} = plot._fullLayout;
    return [box.left + xaxis._offset + xaxis.l2p(column), box.top + yaxis._offset + yaxis.l2p(row)];
}
"""


def whole(page):
    page.get_by_role("button", name="Open on Complete").wait_for()
    page.wait_for_function("() => !document.querySelector('.st-key-whatif-stop')")
    settle(page)
    page.wait_for_function(f"() => {{ try {{ return ({FRAME})(); }} catch {{ return false; }} }}")


@pytest.mark.parametrize("own", [False, True])
def test_hidden_share_and_lam_in_two_clicks_and_a_cell_by_click_and_by_keyboard(visit, own):
    if own:
        page = visit("data", width=1280, height=720)
        bring(page)
    else:
        page = visit("data?data=Protein world", width=1280, height=720)
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="What if"))
    whole(page)
    if own:  # of the items that are unknown nothing more is hidden at first
        assert page.evaluate(FRAME)[1] == "0.25"
    else:
        assert page.evaluate(FRAME) == ["25", "0.25"]
    x, y = page.evaluate(CELL, [5, 2])
    assert 0 < y < 720
    with rerunning(page):
        page.mouse.click(x, y)
    assert page.evaluate(FRAME) == ["50", "0.1"]
    assert page.get_by_text("50\u00a0% hidden", exact=True).is_visible()
    page.get_by_role("slider", name="Weight of the source").focus()
    with rerunning(page):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(FRAME) == ["50", "0.25"]
    page.get_by_role("slider", name="Hidden share").focus()
    with rerunning(page):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate(FRAME) == ["35", "0.25"]
    here = page.locator(".st-key-tile0").get_by_test_id("stMetricValue").inner_text()
    click(page.get_by_role("button", name="Open on Complete"))
    page.get_by_role("heading", name="Complete").wait_for()
    settle(page)
    assert "hidden" in page.url
    joint = page.locator(".st-key-tile1").get_by_test_id("stMetricValue")
    assert joint.inner_text() == here
    assert page.get_by_test_id("stException").count() == 0
