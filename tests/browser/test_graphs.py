"""The page Graphs as a person walks it: cards, two of them chosen, why they are similar, a part marked, the kernel kept."""

import re

from kernex_core import WeisfeilerLehman, load_dataset
from tests.browser.accessibility import OF_A_THEME, violations
from tests.browser.script_runs import click, rerunning, settle

CARD = ".cards button"
PINK = "rgb(224, 33, 138)"


def test_two_graphs_are_chosen_in_the_gallery_compared_part_by_part_and_their_kernel_is_kept(visit):
    page = visit("graphs")
    graphs = load_dataset("like_beside_like").samples["graphs"]
    assert page.locator(CARD).count() == 24
    assert page.locator(CARD).first.inner_text().startswith(graphs.ids[0])
    assert page.locator(f"{CARD} svg path.vertex").count() >= 24

    assert violations(page) == []

    for place in (1, 3):
        click(page.locator(CARD).nth(place))
    pressed = page.locator(f"{CARD}[aria-pressed=true]")
    assert [pressed.nth(k).get_attribute("data-id") for k in (0, 1)] == [graphs.ids[1], graphs.ids[3]]
    page.get_by_text("2 chosen").wait_for()
    with rerunning(page):  # with the keyboard, and back
        page.locator(CARD).nth(3).press("Enter")
    assert pressed.count() == 1
    with rerunning(page):
        page.locator(CARD).nth(3).press(" ")
    assert pressed.count() == 2

    click(page.get_by_role("tab", name="Why similar?"))
    kernel = WeisfeilerLehman()
    K = kernel.gram([graphs.graphs[1], graphs.graphs[3]])
    page.get_by_text(f"the kernel says K = {K[0, 1]:g}, before any normalisation").wait_for()
    said = page.get_by_text(re.compile("^Pink: vertices that are roots of"))
    first = said.inner_text()
    grid = page.locator("[data-testid=stDataFrame] .dvn-scroller").first
    with rerunning(page):  # the circle before the third row
        grid.click(position={"x": 16, "y": 35 * 3 + 17})
    assert said.inner_text() != first
    rings = page.locator(f".js-plotly-plot path.point[style*='{PINK}']")
    assert rings.count() >= 2
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    settle(page)
    assert violations(page, OF_A_THEME) == []

    click(page.get_by_role("tab", name="Kernel", exact=True))
    settle(page)
    click(page.get_by_role("button", name="Keep this kernel"))
    assert (
        page.get_by_test_id("stSidebar").get_by_text("Weisfeiler-Lehman of graphs, cosine").first.is_visible()
    )
