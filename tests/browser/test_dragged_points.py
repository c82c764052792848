"""A point of a lesson's picture is dragged: curve and numbers follow before the server is asked, and the keyboard stays."""

import pytest
from playwright.sync_api import expect

from tests.browser.script_runs import rerunning, settle


@pytest.mark.no_cover
def test_picture_follows_a_dragged_point_and_the_keyboard_stays_on_it(visit_for_all, server):
    tab = visit_for_all("learn", width=1280, height=1000)
    tab.goto(f"{server}/smoothness?bet=-")
    settle(tab)
    said, point = tab.locator(".said"), tab.locator("[data-id='1']")
    box = point.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    with rerunning(tab):  # the pictures at its stops are asked for
        tab.mouse.move(x, y)
    before = said.inner_text()
    tab.mouse.down()
    for k in range(1, 6):
        tab.mouse.move(x + k, y - 12 * k)
    expect(said).not_to_have_text(before, use_inner_text=True)
    assert "s_points" not in tab.url  # nobody but the browser knows yet
    shown = said.inner_text()
    assert shown != before
    with rerunning(tab):
        tab.mouse.up()
    tab.wait_for_url("**s_points=0.2%2C0.5_0.5%2C**")
    assert said.inner_text() == shown
    point.focus()
    with rerunning(tab):
        tab.keyboard.press("ArrowLeft")
    assert point.evaluate("each => each.getRootNode().activeElement === each")
    with rerunning(tab):
        tab.keyboard.press("Delete")
    tab.wait_for_url("**s_points=0.2%2C0.5_0.8%2C0.9")
