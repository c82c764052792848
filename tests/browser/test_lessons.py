"""Every lesson in a browser: question, reveal, challenge by keyboard alone; then the challenge solved, and carried on."""

import re
from urllib.parse import urlsplit

import pytest

from pages.server.navigation import LESSONS, PAGES
from tests.browser.accessibility import OF_A_THEME, violations
from tests.browser.script_runs import GO, rerunning, settle

MOST_TABS = 80
WHERE = """
() => {
    let at = document.activeElement;
    const keys = [];
    for (let up = at; up; up = up.parentElement) keys.push(...[...up.classList].filter(name => name.startsWith("st-key-")));
    return {keys, kind: at.type ?? at.getAttribute("role") ?? at.tagName};
}
"""
TOO_WIDE = """
() => [...document.querySelectorAll("[data-testid=stMain] :is(p, svg, button, figure, table, input:not([type=range]))")]
    .filter(each => each.checkVisibility())
    .filter(each => {
        const group = each.closest("[data-testid=stButtonGroup]");
        return each.getBoundingClientRect().right > (group ? group.getBoundingClientRect().right : innerWidth) + 1;
    })
    .map(each => each.outerHTML.slice(0, 120))
"""
ANSWERS = {
    "radio": ("Space",),
    "range": ("ArrowRight",),
    "number": ("ArrowUp", "Tab"),
    "text": ("ArrowDown", "Enter"),
}
"""Keys that answer, by what there is to answer with; a list is a text box that opens."""
BUTTON = ("button", "submit")
SOLVED = {
    "what_is_a_kernel": "wiak_kernel=Polynomial",
    "regularisation": "r_lam=0.82",
    "positive_definiteness": "pd_r12=0.6&pd_r23=-0.5&pd_r13=0.39",
    "smoothness": "s_points=0.2,0.2_0.5,0.5_0.8,0.8",
    "dynamic_programming": "dp_decay=0.5",
    "learning_by_heart": "lbh_kernel=power&lbh_p=0.205",
    "missing_structures": "ms_theta=60&ms_q=1.22",
    "joint_ellipses": "je_way=bounds&je_c2=0.3",
    "heat_and_walks": "haw_tau=2.06",
    "combining_sources": "cs_lam=2.5",
    "luck_or_skill": "los_look=Labels+seen+too+early&los_plant=20+columns,+chosen+on+all+items",
    "errata": "e_lam=0.555",
}
"""Settings that solve the challenge."""


@pytest.fixture(scope="module")
def tab(visit_for_all):
    """One tab for all lessons; every one of them is opened by its address, its solution in a visit of its own."""
    page = visit_for_all("learn", width=1280, height=720)
    page.broken = []
    page.on("pageerror", lambda error: page.broken.append(str(error)))
    page.asked_for = set()
    page.on(
        "request", lambda request: page.asked_for.add("{0.scheme}://{0.netloc}".format(urlsplit(request.url)))
    )
    return page


MARKS = re.compile("^(check_circle|cancel)$")


def mark(icon):
    """Return which of the two marks of a judgement it is."""
    return icon.inner_text().strip()


def reach(page, key, kinds):
    """Press Tab until something of these kinds in the container of that key has the focus, and return its kind."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        found = page.evaluate(WHERE)
        if f"st-key-{key}" in found["keys"] and found["kind"] in kinds:  # not what explains it
            return found["kind"]
    pytest.fail(f"{key} is not reached with the tab key")


@pytest.mark.no_cover
@pytest.mark.parametrize("key", [each.key for each in LESSONS])
def test_is_answered_revealed_and_its_challenge_checked_by_keyboard(tab, server, key):
    tab.evaluate(GO, f"/{key}")
    settle(tab)
    assert tab.get_by_role("button", name="Ask me again").count() == 0
    kind = reach(tab, f"{key}-bet", ANSWERS)
    with rerunning(tab):
        for press in ANSWERS[kind]:
            tab.keyboard.press(press)
    reach(tab, f"{key}-take", BUTTON)
    with rerunning(tab):
        tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Ask me again").wait_for()
    tab.locator(".stage svg").first.wait_for()
    assert violations(tab) == []
    tab.emulate_media(color_scheme="dark")
    settle(tab)
    assert violations(tab, OF_A_THEME) == []
    tab.emulate_media(color_scheme="light")
    settle(tab)
    reach(tab, f"{key}-challenge", BUTTON)
    with rerunning(tab):
        tab.keyboard.press("Enter")
    told = [mark(each) for each in tab.get_by_text(MARKS).all()]
    assert len(told) == 2  # of the bet, and of the challenge, which nobody has solved yet
    assert told[-1] == "cancel"
    tab.set_viewport_size({"width": 390, "height": 844})
    settle(tab)
    assert tab.evaluate(TOO_WIDE) == []
    tab.set_viewport_size({"width": 1280, "height": 720})
    _solved_and_carried(tab, f"{server}/{key}", key)
    assert tab.get_by_test_id("stException").count() == 0
    assert tab.broken == []
    assert {host for host in tab.asked_for if host.startswith("http")} == {server}  # nobody else's network


def _solved_and_carried(tab, address, key):
    tab.goto(f"{address}?bet=-&{SOLVED[key]}")
    settle(tab)
    with rerunning(tab):
        tab.get_by_role("button", name="Check", exact=True).click()
    assert [mark(each) for each in tab.get_by_text(MARKS).all()][-1] == "check_circle"
    tab.locator(f"[class*=st-key-{key}-carry] button").first.click()
    tab.wait_for_function("key => !location.pathname.endsWith(key)", arg=key)
    settle(tab)
    assert tab.get_by_role("heading", level=1).inner_text() in {each.heading or each.title for each in PAGES}


SMALL = """
() => [...document.querySelectorAll("[data-testid=stMain] :is(p, li)")]
    .filter(each => each.checkVisibility() && each.innerText.trim() && parseFloat(getComputedStyle(each).fontSize) < 19.9)
    .map(each => each.innerText)
"""


TICKS = """
() => [...new Set([...document.querySelectorAll(".js-plotly-plot .xtick text")].map(it => getComputedStyle(it).fontSize))]
"""


def test_a_projector_shows_large_type_and_the_picture_with_its_controls_alone(tab, server):
    for path in (f"{LESSONS[0].key}?bet=-&", "kernels?data=Hits+only&"):
        tab.goto(f"{server}/{path}projector=true")
        settle(tab)
        assert tab.evaluate(SMALL) == []
        assert tab.evaluate(TOO_WIDE) == []
        assert not tab.get_by_test_id("stSidebar").is_visible()
        assert tab.get_by_test_id("stExpander").locator("visible=true").count() == 0
    (size,) = tab.evaluate(TICKS)
    assert 14.5 <= float(size.removesuffix("px")) <= 16.1
    assert violations(tab) == []
    with rerunning(tab):
        tab.get_by_role("button", name="Leave projector").click()
    tab.get_by_test_id("stSidebar").wait_for()
