"""The linked matrices on the pages: what a visitor does in the picture is known to the page, and the other way round."""

import re

import pytest

from tests.browser.script_runs import rerunning, settle

WORLD = "data=Protein+world"
# every figure lies in what holds them all, and that in the window
WHOLE = """
() => {
    const root = [...document.querySelectorAll("*")].map(e => e.shadowRoot).find(r => r?.querySelector(".matrices"))
        ?? document;
    const host = root.querySelector(".matrices").getBoundingClientRect();
    const boxes = [...root.querySelectorAll("figure")].map(figure => figure.getBoundingClientRect());
    return boxes.length >= 5 && host.right <= window.innerWidth
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
    before = page.locator("figure small").nth(3).inner_text()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(20):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.015 * step), box["y"] + box["height"] / 2)
        page.wait_for_timeout(16)
    dragged = page.locator("figure small").nth(3).inner_text()
    assert dragged != before  # the note follows before the server is asked
    assert "lam=0.5" in page.url
    with rerunning(page):
        page.mouse.up()
        page.wait_for_url(re.compile(r"lam=0\.[789]"), timeout=30_000)
    lam = float(thumb.input_value())
    own = page.get_by_role("slider", name="Weight of the source").first
    assert float(own.input_value()) == pytest.approx(lam)
    assert page.locator("figure small").nth(3).inner_text() == f"λ = {lam:.2f}"


def test_a_click_is_a_pair_and_a_brush_is_a_choice_on_every_page(complete):
    page = complete
    box = page.locator("figure canvas").nth(1).bounding_box()
    x, y, side = box["x"] + 14, box["y"] + 14, box["width"] - 15
    page.mouse.move(x + 0.3 * side, y + 0.1 * side)
    ids = [text.split(" · ")[0] for text in page.locator(".tip .id").all_inner_texts()]
    shown = page.locator(".tip .value b").first.inner_text()
    with rerunning(page):
        page.mouse.click(x + 0.3 * side, y + 0.1 * side)
    line = page.get_by_text(re.compile(rf"{ids[0]}.* and {ids[1]}")).first
    assert line.is_visible()
    exact = re.search(r"structure (−?[\d.]+)", line.inner_text()).group(1)
    assert float(exact.replace("−", "-")) == pytest.approx(float(shown.replace("−", "-")), abs=6e-4)
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
    page.get_by_role("link", name="Combine").click()
    settle(page)
    assert page.get_by_text(re.compile(rf"^{chosen} chosen")).first.is_visible()
    with rerunning(page):
        page.get_by_role("button", name="Keep only these").click()
    assert f"{chosen} items" in page.get_by_test_id("stSidebar").inner_text()


@pytest.mark.parametrize(("scheme", "widths"), [("light", [390, 1024, 2560]), ("dark", [2560, 1024, 390])])
def test_every_matrix_is_whole_at_every_width(visit, scheme, widths):
    """From small to large and back: opened at the first width, drawn again at the others."""
    page = visit(f"combine?{WORLD}", width=widths[0], scheme=scheme)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        page.locator("figure canvas").first.scroll_into_view_if_needed()
        page.wait_for_function(WHOLE, timeout=20_000)
        assert page.evaluate("document.querySelector('[data-testid=stApp]').clientWidth") == width
