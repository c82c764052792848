"""How every page looks, in pictures and figures: `make look`.

    python -m tests.browser.look [FOLDER]

Screenshots of all pages and parts on a demo, and of those that take a matrix on data of one's own, at 1,280 × 720, 1,024,
390 and under the projector, light and dark; and a table: words before anything is opened, controls before the first picture,
where the verdict stands, where the main picture ends, how many stops of the Tab key lead from the title to the main
slider, and how far things jump while the page loads. The limits of that table are held by test_one_screen.py.
"""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from kernex_core.datasets.catalogue import DATASETS
from pages.server.navigation import PAGES, PageEntry
from pages.start.start import OPENS_ON
from tests.browser.conftest import ARGUMENTS, browsers, start_server
from tests.browser.script_runs import GO, settle, watch
from tests.conftest import REPOSITORY
from tests.patience import MILLISECONDS, PATIENCE

DEMO = DATASETS[0].title
OF_PAGE = {OPENS_ON[demo.about]: demo.title for demo in reversed(DATASETS)} | {"joint": "Structure graphs"}
"""The first demo that opens on a page."""
SIZES = {"1280": (1280, 720), "1024": (1024, 720), "390": (390, 844)}
SCHEMES = ("light", "dark")
OF_A_MATRIX = ("data", "kernels", "power", "complete", "combine", "map", "evaluate")
"""Pages that show a matrix that somebody brought."""
READ_ONLY = ("start", "data", "predict", "learn", "lecture", "glossary")
"""Pages that are no study, or that wait for files: they have neither verdict nor main picture."""
MOST_STOPS = 40

MEASURES = """
() => {
    const main = document.querySelector("[data-testid=stMain]");
    const seen = each => each.checkVisibility({opacityProperty: true, visibilityProperty: true})
        && each.getBoundingClientRect().height > 1;
    const roots = [document, ...[...main.querySelectorAll("*")].map(each => each.shadowRoot).filter(Boolean)];
    const all = what => roots.flatMap(root => [...root.querySelectorAll(what)]).filter(seen);
    const pictures = all(".matrices figure canvas, [data-testid=stMain] .js-plotly-plot, .network svg, .network canvas,"
        + " .gallery .cards button svg, .stage svg, [data-testid=stMain] [data-testid=stImage] img");
    const tops = pictures.map(each => each.getBoundingClientRect());
    const first = Math.min(...tops.map(box => box.top), Infinity);
    // those that stand in the first row of pictures
    const row = tops.filter(box => box.top < first + 60);
    const place = document.querySelector(".st-key-sentence");
    const kinds = "stSelectbox stSlider stNumberInput stTextInput stMultiSelect stCheckbox stButtonGroup stPopover stRadio"
        + " stFileUploader stButton";
    const controls = [...main.querySelectorAll(kinds.split(" ").map(kind => `[data-testid=${kind}]`).join(", "))]
        .filter(seen).filter(each => !each.closest(".st-key-head, [data-testid=stTabs], [data-testid=stExpander]"))
        .filter(each => each.getBoundingClientRect().top < first);
    const aside = "[data-testid=stIconMaterial], .js-plotly-plot, [data-testid=stTable], [data-testid=stDataFrame],"
        + " [data-testid=stBidiComponentRegular], svg, script, style";
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let words = 0;
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement && seen(node.parentElement) && !node.parentElement.closest(aside))
            words += node.textContent.split(/\\s+/).filter(word => /[\\p{L}\\p{N}]/u.test(word)).length;
    }
    return {
        words, controls: controls.length,
        verdict: place ? Math.round(place.getBoundingClientRect().top) : null,
        picture: row.length ? Math.round(Math.min(...row.map(box => box.bottom))) : null,
        height: main.scrollHeight,
    };
}
"""
SHIFT = """
async () => {
    let sum = 0;
    const observer = new PerformanceObserver(list => {
        for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value;
    });
    observer.observe({type: "layout-shift", buffered: true});
    await new Promise(next => setTimeout(next, 100));  // it tells of what was before at its next turn
    observer.disconnect();
    return sum;
}
"""
FOCUS = """
() => {
    let here = document.activeElement;
    while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
    return {
        slider: here?.type === "range" || here?.getAttribute("role") === "slider",
        hidden: !!here?.closest("[class*=st-key-hidden_slider]"),
        first: !!here?.closest(".st-key-controls"),
    };
}
"""


@dataclass(frozen=True)
class Look:
    """What is measured of a page at 1,280 × 720; None = it has none.

    Attributes
    ----------
    words : int
        That stand outside of pictures and tables before anything is opened.
    controls : int
        Before the first picture, the button Settings among them; those of the title row aside.
    verdict, picture : int or None
        Pixels from the top to the verdict, and to the lower edge of the first row of pictures.
    stops : int or None
        Presses of Tab from the title to the slider of the main picture.
    height : int
        Of the whole page, in pixels.
    shift : float
        How far what stood there has jumped since the page was opened: the sum of Chromium's layout shifts.
    """

    words: int
    controls: int
    verdict: int | None
    picture: int | None
    stops: int | None
    height: int
    shift: float


def measured(page: Page) -> Look:
    """Measure the page that is open."""
    shift = round(page.evaluate(SHIFT), 3)  # first: keys count as input
    found = page.evaluate(MEASURES)
    return Look(stops=stops(page), shift=shift, **found)


def stops(page: Page) -> int | None:
    """Return how many presses of Tab lead from the title to the last slider above the lower edge of the first screen."""
    page.evaluate(
        "() => { const title = document.querySelector('h1'); title.tabIndex = -1; title.focus({preventScroll: true}); }"
    )
    found = None
    for press in range(1, MOST_STOPS + 1):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at["slider"] and not at["hidden"]:
            found = press
            if not at["first"]:
                break
    page.evaluate("() => document.activeElement?.blur()")
    return found


def own_files() -> list[dict[str, object]]:
    """A matrix of thirty items of which six are unknown, one that is known, and labels."""
    rng = np.random.default_rng(5)
    y = np.repeat(["north", "south", "east"], 10)
    X = rng.normal(size=(30, 4)) + 1.6 * np.eye(3)[np.searchsorted(np.unique(y), y)] @ rng.normal(size=(3, 4))
    ids = [f"gene{k}" for k in range(30)]
    K, T = X @ X.T, (X[:, :3] @ X[:, :3].T)
    T[::5], T[:, ::5] = np.nan, np.nan
    return [
        *(_matrix(name, ids, values) for name, values in (("sequence", K), ("structure", T))),
        _file("labels", [["id", "label"], *zip(ids, y, strict=True)]),
    ]


def _matrix(name: str, ids: list[str], values: np.ndarray) -> dict[str, object]:
    rows = [
        [one, *("" if np.isnan(v) else f"{v:.4f}" for v in row)] for one, row in zip(ids, values, strict=True)
    ]
    return _file(name, [["", *ids], *rows])


def _file(name: str, rows: list[list[object]]) -> dict[str, object]:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()}


def bring(page: Page) -> None:
    """Bring these files on the page Data."""
    page.locator("input[type=file]").first.set_input_files(own_files())
    page.get_by_role("button", name="Add as new data set").click()
    page.get_by_test_id("stSidebar").get_by_text("30 items").first.wait_for()
    settle(page)


def addresses() -> Iterator[tuple[PageEntry, str]]:
    """Every page with the demo that fills it."""
    for entry in PAGES:
        path = "" if entry is PAGES[0] else entry.url_path
        demo = OF_PAGE.get(entry.url_path, DEMO)
        yield (
            entry,
            path if entry.url_path in ("start", "learn", "lecture", "glossary") else f"{path}?data={demo}",
        )


def opened(browser: Browser, address: str, size: tuple[int, int], scheme: str) -> Page:
    """Open an address as a new visitor."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    watch(page)
    page.goto(address)
    settle(page)
    return page


def main(folder: Path) -> None:
    """Take all pictures, and print the table."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as beside, sync_playwright() as playwright:
        process, server = start_server(REPOSITORY / "app.py", Path(beside) / "log")
        try:
            browser = playwright.chromium.launch(executable_path=browsers()[0], args=ARGUMENTS)
            names = [each.name for each in fields(Look)]
            print(f"| page | {' | '.join(names)} |\n|---|{'--:|' * len(names)}")
            for entry, address in addresses():
                for scheme in SCHEMES:
                    for name, size in SIZES.items():
                        page = opened(browser, f"{server}/{address}", size, scheme)
                        page.screenshot(path=folder / f"{entry.url_path}-{name}-{scheme}.png")
                        if (name, scheme) == ("1280", "light"):
                            row(entry.url_path, measured(page), names)
                        page.context.close()
                mark = "&" if "?" in address else "?"
                page = opened(browser, f"{server}/{address}{mark}projector=true", SIZES["1280"], "light")
                page.screenshot(path=folder / f"{entry.url_path}-projector.png")
                page.context.close()
            page = opened(browser, f"{server}/data", SIZES["1280"], "light")
            bring(page)
            for path in OF_A_MATRIX:
                page.evaluate(GO, f"/{path}")
                page.wait_for_timeout(1_500)
                settle(page)
                page.screenshot(path=folder / f"{path}-own.png")
                row(f"{path}, own data", measured(page), names)
            browser.close()
        finally:
            process.terminate()
            process.wait(PATIENCE)
    print(f"\nPictures: {folder}")


def row(name: str, look: Look, names: list[str]) -> None:
    """Print a line of the table."""
    values = [getattr(look, each) for each in names]
    print(f"| {name} | {' | '.join('' if value is None else f'{value:,}' for value in values)} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="look-")))
