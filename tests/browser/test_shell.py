"""The frame in a real browser: deep links, failures, looks."""

from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pages.server.navigation import LINES, PAGES
from tests.browser.accessibility import INKED, OF_A_THEME, ink_of_charts, violations
from tests.browser.conftest import start_server
from tests.browser.look import DEMO, OF_A_MATRIX, OF_PAGE, bring
from tests.browser.script_runs import GO, click, rerunning, settle
from tests.patience import PATIENCE


def heading(page):
    return page.get_by_role("heading", level=1)


@pytest.fixture(scope="module")
def complete(visit_for_all):
    """A demo on Complete, opened by its link; the tests leave it there."""
    return visit_for_all(f"complete?data={DEMO}", width=1280, height=720)


def test_a_link_to_a_demo_opens_it_and_the_address_follows_to_other_pages(complete):
    page = complete
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text("items").first.wait_for()
    click(sidebar.get_by_role("link", name="Evaluate"))
    assert "/evaluate?data=" in page.url
    assert heading(page).inner_text() == "Evaluate"
    sidebar.get_by_text("items").first.wait_for()
    click(sidebar.get_by_role("link", name="Complete"))
    assert "/complete?data=" in page.url


def test_two_visitors_do_not_share_a_workspace(visit):
    first = visit(f"data?data={DEMO}")
    first.get_by_test_id("stSidebar").get_by_text("items").first.wait_for()
    second = visit("data")
    second.get_by_test_id("stSidebar").get_by_text("Nothing is open").wait_for()


SQUEEZED = """
() => [...document.querySelectorAll("[data-testid=stMain] [data-testid=stColumn] button")]
    .filter(button => button.checkVisibility())
    .filter(button => {
        const now = button.getBoundingClientRect().width;
        const before = button.style.cssText;
        button.style.cssText += "; width: max-content; max-width: none; min-width: 0; flex: none";
        const wanted = button.getBoundingClientRect().width;
        button.style.cssText = before;
        return now < wanted - 1;
    })
    .map(button => button.dataset.testid + ": " + button.innerText)
"""


CUT = """
() => [...document.querySelectorAll(
    "[data-testid=stMain] :is([data-testid=stButtonGroup], [data-testid=stMetricLabel], [data-testid=stMetricValue],"
        + " [data-testid=stWidgetLabel]), [data-testid=stMain] :is([data-testid=stButtonGroup], [data-testid=stMetric]) *")]
    .filter(part => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
    .filter(part => getComputedStyle(part).overflowX !== "visible")
    .map(part => part.innerText)
"""


SIDEWAYS = """
() => [...document.querySelectorAll("[data-testid=stMain], [data-testid=stTable] > *")]
    .filter(part => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1)
    // a paper's table of seven columns scrolls by itself
    .filter(part => part.dataset.testid || part.querySelectorAll("thead th").length < 7)
    .map(part => `${part.innerText.slice(0, 60)}: ${part.scrollWidth} in ${part.clientWidth}`)
"""
ALONE = """
() => [...document.querySelectorAll("[data-testid=stMain] p > span [data-testid=stTooltipIcon]")]
    .filter(hint => hint.checkVisibility())
    .filter(hint => {
        const range = document.createRange();
        const text = hint.closest("p");
        range.setStart(text, 0);
        range.setEndBefore([...text.children].find(part => part.contains(hint)));
        return hint.getBoundingClientRect().top > Math.max(...[...range.getClientRects()].map(box => box.bottom));
    })
    .map(hint => hint.closest("p").innerText)
"""


INKS = {"light": "rgb(102, 107, 115)", "dark": "rgb(141, 147, 155)"}
DARK = "matchMedia('(prefers-color-scheme: dark)').matches"


@pytest.fixture(scope="module")
def walking(visit_for_all):
    """One visitor who goes through all pages: a page is drawn in a third of the time in which the app is loaded."""
    return visit_for_all("glossary")


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.url_path)
def test_every_page_is_readable_in_both_themes_with_its_frame_and_no_squeezed_button(walking, entry):
    page = walking
    page.set_viewport_size({"width": 1280, "height": 720})
    with rerunning(page):
        page.evaluate(GO, f"/{entry.url_path}?data={OF_PAGE.get(entry.url_path, DEMO)}")
    assert heading(page).inner_text() == (entry.heading or entry.title)
    sidebar = page.get_by_test_id("stSidebar")
    assert sidebar.get_by_role("combobox").first.input_value() == OF_PAGE.get(entry.url_path, DEMO)
    links = [link.inner_text().splitlines()[-1] for link in sidebar.get_by_role("link").all()]
    assert links == [line.title for line in LINES]
    sidebar.get_by_text("WORKSPACE").wait_for()
    assert page.get_by_test_id("stException").count() == 0
    assert page.evaluate(SQUEEZED) == []
    # the theme is changed on the page that stands, as by a visitor at dusk or dawn
    first, then = ("dark", "light") if page.evaluate(DARK) else ("light", "dark")
    for scheme, rules in ((first, None), (then, OF_A_THEME)):
        page.emulate_media(color_scheme=scheme)
        with suppress(PlaywrightTimeout):  # charts are drawn again, one after the other
            page.wait_for_function(INKED, arg=INKS[scheme], polling=200)
        settle(page)
        assert ink_of_charts(page) <= {INKS[scheme]}
        assert violations(page, rules) == []
    _fits(page)


@pytest.fixture(scope="module")
def own_data(visit_for_all):
    """A visitor who has brought a matrix, one with gaps, and labels."""
    page = visit_for_all("data", width=1280, height=720)
    bring(page)
    return page


@pytest.mark.parametrize("path", OF_A_MATRIX)
def test_data_of_ones_own_fit_small_windows(own_data, path):
    page = own_data
    page.set_viewport_size({"width": 1280, "height": 720})
    if not page.url.endswith(f"/{path}"):
        with rerunning(page):
            page.evaluate(GO, f"/{path}")
    _fits(page)


def _fits(page):
    """Nothing is cut or scrolls sideways on a narrow window and on a phone, and no hint stands alone on a line."""
    for width in (1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        for wrong in (CUT, SIDEWAYS, ALONE):
            assert page.evaluate(wrong) == [], width


def test_back_returns_to_the_settings_that_were_left_with_one_entry_a_page(visit, new_tab):
    # a tab that others have used may hold 50 entries, the most that Chromium keeps
    page = visit("kernels?data=Hits+only&normalise=cosine", instead_of=new_tab)
    control = page.get_by_test_id("stMain").get_by_text("centre", exact=True)
    with rerunning(page):
        control.click()
    page.wait_for_url(
        "**normalise=centre*"
    )  # the entry of the history is replaced a moment after the page has settled
    before = page.evaluate("history.length")
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True))
    page.wait_for_url("**/data?data=Hits+only")
    assert page.evaluate("history.length") == before + 1
    with rerunning(page):
        page.go_back()
    assert heading(page).inner_text() == "Kernels"
    assert "normalise=centre" in page.url
    assert (
        page.get_by_role("radio", name="centre")
        .or_(page.locator("[data-testid=stMain] button[kind*=Active]", has_text="centre"))
        .first.is_visible()
    )


def test_back_returns_to_settings_that_the_next_page_has_too(visit):
    page = visit("complete?data=Protein+world&lam=0.53")
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Combine", exact=True))
    page.wait_for_url("**/combine?data=Protein+world*")
    settle(page)
    # another λ, though its name in the address was once the same
    assert page.get_by_role("slider", name="λ, in the picture").input_value() == "0.5"
    with rerunning(page):
        page.go_back()
    settle(page)
    assert heading(page).inner_text() == "Complete"
    page.wait_for_url("**/complete?data=Protein+world&lam=0.53")
    assert page.get_by_role("slider", name="λ, in the picture").input_value() == "0.53"


def test_settings_behind_an_icon_open_with_every_click(complete):
    # the popover of a squeezed button was taken away as soon as it was there
    page = complete
    button = page.get_by_role("button", name="Copy link")
    inside = page.get_by_text("It does not carry data")
    for _ in range(3):
        button.click()
        inside.wait_for()
        page.wait_for_timeout(300)
        inside.wait_for()
        page.keyboard.press("Escape")
        inside.wait_for(state="detached")


HOSTILE = (
    "*a* `b` $c$ :red[d] <b>e</b> chr1:100:200 f-->g [h](javascript:i) # j :material/check: ~~k~~ ![l](m) \\n"
)


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Address of an app like ours whose only page has a mistake."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "script.py").write_text(
        "import streamlit as st\n"
        "from pages.server.messages import plain\n"
        "st.title('Broken')\n"
        f"st.markdown('start ' + plain({HOSTILE!r}) + ' end')\n"
        "def fail():\n    raise RuntimeError('secret of the callback')\n"
        "st.button('Fail', on_click=fail)\n"
        "@st.fragment\ndef piece():\n"
        "    if st.button('Fail in a piece'):\n        raise RuntimeError('secret of the piece')\n"
        "piece()\n"
        "if st.button('Fail in the script'):\n    raise RuntimeError('secret of the script')\n"
    )
    (folder / "app.py").write_text(
        "import streamlit as st\n"
        "from pages.server import failures\n"
        "app = st.App('script.py', on_script_error=failures.report)\n"
    )
    log = folder / "log"
    process, address = start_server(folder / "app.py", log)
    yield address, log
    process.terminate()
    process.wait(PATIENCE)


@pytest.mark.parametrize("button", ["Fail", "Fail in a piece", "Fail in the script"])
def test_an_uncaught_exception_shows_an_id_and_no_traceback(visit, broken, button):
    address, log = broken
    page = visit(address=address)
    click(page.get_by_role("button", name=button, exact=True))
    text = page.get_by_test_id("stAlert").inner_text()
    assert "Your data is safe" in text
    number = text.split("Error id ")[1].rstrip(".\n")
    assert "secret" not in page.content()
    assert "Traceback" not in page.content()
    assert number in log.read_text()
    assert "secret" in log.read_text()


@pytest.mark.parametrize(
    ("scheme", "background", "text"),
    [("light", "rgb(255, 255, 255)", "rgb(18, 20, 23)"), ("dark", "rgb(19, 21, 24)", "rgb(228, 229, 231)")],
)
def test_theme_fonts_and_measures(visit, scheme, background, text):
    page = visit("complete", scheme=scheme)

    def style(locator, name):
        return locator.evaluate(f"element => getComputedStyle(element)['{name}']")

    assert style(page.get_by_test_id("stApp"), "backgroundColor") == background
    assert style(heading(page), "color") == text
    assert "Source Serif" in style(heading(page), "fontFamily")
    assert style(heading(page), "fontSize") == "26.25px"
    assert style(page.locator("html"), "fontSize") == "15px"
    assert page.get_by_test_id("stSidebar").bounding_box()["width"] == pytest.approx(232, abs=2)


def test_the_content_is_at_most_1180_wide_and_fits_small_windows(visit):
    for width, most in ((1900, 1180), (420, 420)):
        page = visit("complete", width=width)
        assert heading(page).bounding_box()["x"] >= 0
        # what is hidden has no width and lies at 0
        box = page.get_by_test_id("stMainBlockContainer").evaluate(
            """element => {
                const boxes = [...element.querySelectorAll('p, h1')].map(e => e.getBoundingClientRect());
                const seen = boxes.filter(box => box.width > 0);
                return Math.max(...seen.map(b => b.right)) - Math.min(...seen.map(b => b.left));
            }"""
        )
        assert box <= most
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_hostile_text_is_shown_as_it_is(visit, broken):
    address, _ = broken
    shown = visit(address=address).get_by_text("start").inner_text()
    assert shown.replace("\u2060", "") == f"start {HOSTILE} end"
