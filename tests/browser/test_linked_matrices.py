"""The linked matrices on the pages: what a visitor does in the picture is known to the page, and the other way round."""

import re
from contextlib import suppress

import numpy as np
import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source, view
from pages.ui.figures.heatmap import common_scale, error_scale
from pages.ui.panels.linked import BY_CLASS, display_order
from tests.browser.matrix_colours import SIZES, check_edges, windows
from tests.browser.script_runs import rerunning, settle
from tests.patience import ASKED_AGAIN

WORLD = "data=Protein+world"
# every figure lies in what holds them all, and that in the window
WHOLE = """
() => {
    const root = [...document.querySelectorAll("*")].map(e => e.shadowRoot).find(r => r?.querySelector(".matrices"))
        ?? document;
    const host = root.querySelector(".matrices").getBoundingClientRect();
    const boxes = [...root.querySelectorAll("figure")].map(figure => figure.getBoundingClientRect());
    return boxes.length >= 4 && host.right <= window.innerWidth
        && boxes.every(box => box.left >= host.left - 1 && box.right <= host.right + 1);
}
"""


@pytest.fixture(scope="module")
def complete(visit_for_all):
    return visit_for_all(f"complete?{WORLD}&lam=0.5", width=1400)


def test_lam_is_dragged_in_the_picture_and_slider_address_and_numbers_follow(complete):
    page = complete
    thumb = page.get_by_role("slider", name="λ, in the picture")
    box = thumb.bounding_box()
    before = page.locator("figure small").nth(2).inner_text()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(20):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.015 * step), box["y"] + box["height"] / 2)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    dragged = page.locator("figure small").nth(2).inner_text()
    assert dragged != before  # the note follows before the server is asked
    assert "lam=0.5" in page.url
    with rerunning(page):
        page.mouse.up()
        page.wait_for_url(re.compile(r"lam=0\.[789]"))
    lam = float(thumb.input_value())
    assert f"lam={lam:g}" in page.url
    assert page.locator("figure small").nth(2).inner_text() == f"λ = {lam:.2f}"


def test_lam_moves_by_keys_one_step_each_however_fast_they_come(complete):
    page = complete
    thumb = page.get_by_role("slider", name="λ, in the picture")
    thumb.focus()
    before = float(thumb.input_value())
    with rerunning(page):
        for _ in range(15):
            thumb.press("ArrowLeft")
        page.wait_for_url(
            f"**lam={before - 0.15:g}*"
        )  # a machine that is slow between two keys asks more than once
    assert float(thumb.input_value()) == pytest.approx(before - 0.15)
    assert f"lam={before - 0.15:g}" in page.url


def picked(page):
    """Numbers of items that each picture with items of the page shows as chosen: the map, the eigenvector."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.js-plotly-plot')].map(p => p._fullData)
            .filter(traces => traces.some(trace => trace.customdata))
            .map(traces => traces.reduce((sum, trace) => sum + (trace.selectedpoints?.length ?? 0), 0))"""
    )


def test_what_is_chosen_in_a_picture_is_chosen_in_the_table_the_map_and_on_every_page(visit):
    page = visit(f"complete?{WORLD}&lam=0.5&sort=dendrogram,+average", width=1400, height=1400)
    page.wait_for_function(WHOLE)
    box = page.locator("figure canvas").nth(1).bounding_box()
    edge, tree = 14, 47
    x, y, side = box["x"] + edge, box["y"] + edge + tree, box["width"] - edge - 1
    page.mouse.move(x + 0.3 * side, y + 0.1 * side)
    ids = [text.split(" · ")[0] for text in page.locator(".tip .id").all_inner_texts()]
    shown = page.locator(".tip .value b").all_inner_texts()
    with rerunning(page):
        page.mouse.click(x + 0.3 * side, y + 0.1 * side)
    rows = page.get_by_test_id("stTable").filter(has_text="with each other").locator("tbody tr")
    # the tab Pair has opened; the truth, which is no picture of its own, stands first in it
    exact = [rows.nth(k).locator("td").nth(1).inner_text() for k in range(1, 5)]
    assert [e == "unknown" for e in exact] == [s == "unknown" for s in shown]
    for a, b in zip(exact, shown, strict=True):
        if a != "unknown":
            assert float(a.replace("−", "-")) == pytest.approx(float(b.replace("−", "-")), rel=6e-4, abs=1e-6)
    assert page.get_by_role("combobox", name=re.compile("First item")).input_value() == ids[0]
    page.keyboard.down("Shift")
    page.mouse.move(x + 0.02 * side, y + 0.02 * side)
    page.mouse.down()
    page.mouse.move(x + 0.05 * side, y + 0.05 * side)
    page.mouse.move(x + 0.06 * side, y + 0.06 * side)
    with rerunning(page):
        page.mouse.up()
    page.keyboard.up("Shift")
    chosen = page.get_by_text(re.compile(r"^\d+ chosen")).first.inner_text().split()[0]
    assert int(chosen) > 3
    page.get_by_role("link", name="Kernels", exact=True).click()
    settle(page)
    with rerunning(page):
        page.get_by_role("tab", name="Pair").click()
    page.get_by_text(re.compile(rf"^{chosen} chosen")).first.wait_for()
    assert picked(page) == [int(chosen)]
    point = page.locator(".js-plotly-plot .scatterlayer .trace").nth(4).locator(".point").first.bounding_box()
    at = point["x"] + point["width"] / 2, point["y"] + point["height"] / 2
    one = page.get_by_text(re.compile(r"^1 chosen")).first
    for _ in range(
        3
    ):  # a chart that is just being drawn hears no click; one that is late must not be undone by another
        before = page.evaluate("scriptRuns.asked")
        page.mouse.move(at[0] - 2, at[1] - 2)
        page.mouse.move(*at)
        page.wait_for_timeout(200)
        page.mouse.click(*at, delay=50)
        with suppress(PlaywrightTimeout):
            page.wait_for_function(
                "before => scriptRuns.asked > before", arg=before, timeout=1000.0 * ASKED_AGAIN
            )
            break
    settle(page)
    one.wait_for()
    one.wait_for()
    groups = page.get_by_text(re.compile(r"^\d+ groups")).first.inner_text().split()[0]
    with rerunning(page):
        page.get_by_role("button", name="Keep groups as labels").click()
    settle(page)
    sidebar = page.get_by_test_id("stSidebar").inner_text()
    assert f"{groups} classes" in sidebar
    page.get_by_text("classes made from a kernel").first.wait_for()
    # more than ten: the others are one, in grey, in the key, the strips and the map
    page.get_by_role("button", name=f"{int(groups) - 9} other classes").wait_for()


@pytest.mark.parametrize(("scheme", "widths"), [("light", [390, 1024, 2560]), ("dark", [2560, 1024, 390])])
def test_every_matrix_is_whole_at_every_width(visit, scheme, widths):
    """From small to large and back: opened at the first width, drawn again at the others."""
    page = visit(f"combine?{WORLD}", width=widths[0], scheme=scheme)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        page.locator("figure canvas").first.scroll_into_view_if_needed()
        page.wait_for_function(WHOLE)
        assert page.evaluate("document.querySelector('[data-testid=stApp]').clientWidth") == width


@pytest.mark.no_cover
def test_last_row_and_column_have_the_core_s_colours_at_every_width_and_in_both_themes(complete):
    page = complete
    demo = next(each for each in DATASETS if each.title == "Protein world").load(0)
    labels, target = demo.judgeable, demo.kernels[demo.target]
    config = CompletionConfig(nugget=demo.defaults.nugget, share=0.25)
    source = prepare_source(config, demo.kernels[demo.source])
    made = prepare(config, source, target)
    lam = float(page.get_by_role("slider", name="λ, in the picture").input_value())
    shown = view(made, lam)
    scale, errors = common_scale([made.truth, made.extrapolation.T_hat]), error_scale([shown.error])
    known = np.where(np.outer(made.known, made.known), made.truth, np.nan)
    panels = [
        (known, scale),
        (made.extrapolation.T_hat, scale),
        (shown.K, common_scale([shown.K])),
        (shown.error, errors),
    ]
    order = display_order(BY_CLASS, source, labels, made.known)
    at_every_size(page, panels, order)
    page.set_viewport_size({"width": 1400, "height": 900})
    page.emulate_media(color_scheme="light")
    page.get_by_role("link", name="Kernels", exact=True).click()
    settle(page)
    at_every_size(
        page, [(target.values, common_scale([target.values]))], display_order(BY_CLASS, target, labels)
    )


def at_every_size(page, panels, order):
    settle(page)
    with windows(page) as size:
        # the theme is changed once; it changes inks alone: every other width, from the last one back
        for scheme, sizes in (("light", SIZES), ("dark", SIZES[::-2])):
            for width, ratio in sizes:
                size(width, ratio, scheme)
                assert check_edges(page, panels, order) > 100 * len(panels), (width, ratio, scheme)
