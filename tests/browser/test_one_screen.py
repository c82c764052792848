"""Every study on one screen of 1,280 × 720: few words and controls, then the verdict, then the picture with its slider."""

import pytest

from tests.browser.look import MEASURES, READ_ONLY, addresses, measured
from tests.browser.look import SHIFT as SHIFT_OF
from tests.browser.script_runs import click

WORDS, CONTROLS, VERDICT, PICTURE, STOPS = 150, 4, 200, 720, 10
SHIFT = 0.1
"""How far everything together may jump while a page loads; .01 to .05 on a calm machine, .3 to .7 without places."""
ADDRESSES = list(addresses())


@pytest.mark.parametrize("demo", ["A gapped matrix", "Hits only"])
def test_single_pairs_have_their_answer_first_too(visit, demo):
    page = visit(f"complete?data={demo}", width=1280, height=720)
    page.wait_for_function(f"() => ({MEASURES})().picture !== null")
    page.get_by_text("told from" if demo == "Hits only" else "found with").first.wait_for()
    page.get_by_role("button", name="Stop").wait_for(state="hidden")
    look = measured(page)
    assert look.words <= WORDS
    assert look.controls <= CONTROLS
    assert look.verdict < VERDICT
    assert look.picture <= PICTURE
    assert look.stops is None or look.stops <= STOPS


HALF = 360
PROJECTED = {
    "combine": 260,  # five matrices side by side are as wide as the screen
    "together": 300,  # four
    "complete": 300,
    "strings": 350,  # below a row of tabs
    "power": 320,  # two and a spectrum
    "features": 290,  # its slider stands above two drawings
    "map": 320,  # two, below one name each
    "evaluate": 160,  # a row for each kernel
    "tournament": 160,
    "extrapolation": 270,  # three charts
    "joint": 320,
    "graphs": 280,  # rows of cards, below the filters
    "whatif": 350,  # a map beside two curves
}
"""Pixels of the main picture under the projector where its kind does not take half of the height."""
MAIN = """
() => {
    const inside = [...document.querySelectorAll("[data-testid=stMain] *")];
    const roots = [document, ...inside.map(each => each.shadowRoot).filter(Boolean)];
    const boxes = roots.flatMap(root => [...root.querySelectorAll(".matrices figure canvas, [data-testid=stMain]"
        + " .js-plotly-plot, .gallery .cards button svg")])
        .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect()).filter(box => box.height > 1);
    const first = Math.min(...boxes.map(box => box.top));
    // cards stand in rows: as many as are seen are the picture
    const cards = roots.some(root => root.querySelector(".gallery .cards"));
    const row = boxes.filter(box => cards ? box.bottom <= 720 : box.top < Math.min(first + 60, 720));
    return [Math.max(...row.map(box => box.bottom)), cards
        ? Math.max(...row.map(box => box.bottom)) - first : Math.max(...row.map(box => box.height))];
}
"""

WAITS = {"tournament": "Start the tournament"}
"""What has to be clicked before there is a picture."""


@pytest.mark.parametrize(("entry", "address"), ADDRESSES, ids=[entry.url_path for entry, _ in ADDRESSES])
def test_nothing_jumps_the_answer_comes_first_and_fills_a_projector(visit, entry, address):
    page = visit(address, width=1280, height=720)
    assert page.evaluate(SHIFT_OF) <= SHIFT
    if entry.url_path in READ_ONLY:
        return
    if entry.url_path in WAITS:
        click(page.get_by_role("button", name=WAITS[entry.url_path]))
    # its code comes after the page has settled
    page.wait_for_function(f"() => ({MEASURES})().picture !== null")
    look = measured(page)
    over = {
        "words": look.words > WORDS,
        "controls": look.controls > CONTROLS,
        "verdict": look.verdict is None or look.verdict >= VERDICT,
        "picture": look.picture is None or look.picture > PICTURE,
        "stops": look.stops is not None and look.stops > STOPS,
    }
    assert {name for name, is_over in over.items() if is_over} == set(), look
    # by its switch: opened anew, the page would be loaded and computed once more; test_lessons.py opens it by its address
    click(page.get_by_test_id("stSidebar").get_by_text("Projector", exact=True))
    page.get_by_role("button", name="Leave projector").wait_for()
    page.wait_for_function(f"() => ({MEASURES})().picture !== null")
    lower, tall = page.evaluate(MAIN)
    assert lower <= 720
    assert tall >= PROJECTED.get(entry.url_path, HALF)
