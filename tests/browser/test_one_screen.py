"""Every study on one screen of 1,280 × 720: few words and controls, then the verdict, then the picture with its slider."""

import pytest

from tests.browser.look import MEASURES, READ_ONLY, addresses, measured
from tests.browser.look import SHIFT as SHIFT_OF

WORDS, CONTROLS, VERDICT, PICTURE, STOPS = 150, 4, 200, 720, 10
SHIFT = 0.1
"""How far everything together may jump while a page loads; .01 to .05 on a calm machine, .3 to .7 without places."""
ADDRESSES = list(addresses())
STUDIES = [(entry, address) for entry, address in ADDRESSES if entry.url_path not in READ_ONLY]


@pytest.mark.parametrize(("entry", "address"), STUDIES, ids=[entry.url_path for entry, _ in STUDIES])
def test_the_answer_comes_first(visit, entry, address):
    page = visit(address, width=1280, height=720)
    page.wait_for_function(
        f"() => ({MEASURES})().picture !== null"
    )  # its code comes after the page has settled
    look = measured(page)
    over = {
        "words": look.words > WORDS,
        "controls": look.controls > CONTROLS,
        "verdict": look.verdict is None or look.verdict >= VERDICT,
        "picture": look.picture is None or look.picture > PICTURE,
        "stops": look.stops is not None and look.stops > STOPS,
    }
    assert {name for name, is_over in over.items() if is_over} == set(), look


@pytest.mark.parametrize(("entry", "address"), ADDRESSES, ids=[entry.url_path for entry, _ in ADDRESSES])
def test_nothing_jumps_while_a_page_loads(visit, entry, address):
    page = visit(address, width=1280, height=720)
    assert page.evaluate(SHIFT_OF) <= SHIFT
