"""The README's pictures, taken from the running app: `make pictures`.

Pages on their demos, in light and dark, and a tour: λ moving from 0 to 1 on the page Complete. They go to docs/pictures/ as
WebP (Pillow, which comes with Streamlit); a picture that has not changed visibly is left as it is, and so is its file.
The pictures of the lessons go to pages/learn/pictures/, for their cards.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from pages.server.navigation import LESSONS
from tests.browser import look
from tests.browser.conftest import ARGUMENTS, browsers, start_server
from tests.browser.script_runs import rerunning
from tests.conftest import REPOSITORY

FOLDER = REPOSITORY / "docs" / "pictures"
LESSON_FOLDER = REPOSITORY / "pages" / "learn" / "pictures"
SCHEMES = ("light", "dark")
QUALITY = 72
VISIBLE = 24
"""Difference of a colour, of 255, from which it is seen."""


@dataclass(frozen=True)
class View:
    """A page on a demo, and how much of it is shown, in pixels."""

    name: str
    address: str
    width: int = 1280
    height: int = 900


VIEWS = (
    View("complete", "complete?data=Protein+world", height=900),
    View("kernels", "kernels?data=An+indefinite+matrix"),
    View("map", "map?data=Swiss+roll"),
)
LESSON = View("lesson", "", width=1280, height=720)
LESSON_SIZE = (320, 140)
TOUR = View("tour", "complete?data=Protein+world&lam=0", height=620)
STEPS = 20
FRAME_MS, END_MS = 895, 1_500
TOUR_WIDTH = 720


def main() -> None:
    """Take all of them."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, address = start_server(REPOSITORY / "app.py", Path(folder) / "log")
        try:
            browser = playwright.chromium.launch(executable_path=browsers()[0], args=ARGUMENTS)
            for view in VIEWS:
                for scheme in SCHEMES:
                    page = opened(browser, f"{address}/{view.address}", view, scheme)
                    save(f"{view.name}-{scheme}", seen(page))
            for lesson in LESSONS:
                save_lesson(lesson.key, staged(opened(browser, f"{address}/{lesson.key}", LESSON, "light")))
            frames = list(moving(opened(browser, f"{address}/{TOUR.address}", TOUR, "light")))
            save_tour(frames)
            browser.close()
        finally:
            process.terminate()
            process.wait(20)


def staged(page: Page) -> Image.Image:
    """Return the picture of a lesson as it stands before the bet."""
    place = page.locator(".stage svg, .js-plotly-plot, [data-testid=stImage] img").first
    return Image.open(io.BytesIO(place.screenshot()))


def save_lesson(key: str, picture: Image.Image) -> None:
    """Write a lesson's picture small, in few colours, in the middle of its card."""
    LESSON_FOLDER.mkdir(exist_ok=True)
    small = picture.convert("RGB")
    small.thumbnail(LESSON_SIZE)
    card = Image.new("RGB", LESSON_SIZE, "white")
    card.paste(small, ((LESSON_SIZE[0] - small.width) // 2, (LESSON_SIZE[1] - small.height) // 2))
    card.quantize(64).save(LESSON_FOLDER / f"{key}.png", optimize=True)


def opened(browser: Browser, address: str, view: View, scheme: str) -> Page:
    """Open a page as a new visitor and wait until everything on it is computed and drawn."""
    page = look.opened(browser, address, (view.width, view.height), scheme)
    page.wait_for_timeout(1_500)
    return page


def seen(page: Page) -> Image.Image:
    """What the window shows."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def moving(page: Page) -> Iterator[Image.Image]:
    """The matrices at λ = 0 to 1."""
    slider = page.get_by_role("slider", name="λ, in the picture")
    slider.focus()
    top = page.locator(".st-key-maps").bounding_box()
    main_area = page.get_by_test_id("stMainBlockContainer").bounding_box()
    clip = {
        "x": main_area["x"], "y": top["y"] - 12, "width": main_area["width"], "height": TOUR.height - top["y"] + 12
    }  # fmt: skip
    for step in range(STEPS + 1):
        target = step / STEPS
        if float(slider.input_value()) < target - 1e-9:
            with rerunning(page):
                while float(slider.input_value()) < target - 1e-9:
                    slider.press("ArrowRight")
        page.wait_for_timeout(400)
        frame = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
        yield frame.resize(
            (TOUR_WIDTH, round(TOUR_WIDTH * frame.height / frame.width)), Image.Resampling.LANCZOS
        )


def save(name: str, picture: Image.Image) -> None:
    """Write a picture, unless the one that is there looks the same."""
    path, made = FOLDER / f"{name}.webp", io.BytesIO()
    picture.save(made, "webp", quality=QUALITY, method=6)
    if path.exists() and same(Image.open(path).convert("RGB"), Image.open(made).convert("RGB")):
        print(f"{path.name}: as it was")
        return
    path.write_bytes(made.getvalue())
    print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")


def same(before: Image.Image, now: Image.Image) -> bool:
    """Whether nobody sees a difference."""
    apart = before.size == now.size and ImageChops.difference(before, now).convert("L")
    return bool(apart) and apart.getextrema()[1] <= VISIBLE


def save_tour(frames: list[Image.Image]) -> None:
    """Write the frames as one picture that moves."""
    path = FOLDER / f"{TOUR.name}.webp"
    times = [END_MS, *[FRAME_MS] * (len(frames) - 2), END_MS]
    frames[0].save(
        path,
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        quality=45,
        method=6,
        minimize_size=True,
    )
    print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB, {sum(times) / 1e3:.0f} s")


if __name__ == "__main__":
    main()
