"""A report opens from its file without a network, in light, dark and on paper, and a hostile name in it does nothing."""

import re

import pytest

from tests.browser.test_hostile_exports import HOSTILE
from tests.pages.export.report.test_document import report_of

WIDE = (
    "[...document.querySelectorAll('body *')]"
    ".filter(e => !e.closest('svg') && e.getBoundingClientRect().right > {0} + 0.5)"
)
SHARE = "document.querySelector('figure svg').getBoundingClientRect().width / document.querySelector('main').clientWidth"
GROUND = "getComputedStyle(document.body).backgroundColor"
A4 = 680
"""Pixels between the margins of a page."""


@pytest.fixture
def opened(chromium, tmp_path):
    """A report with every hostile name in it, opened from its file in a browser without a network."""
    file = tmp_path / "report.html"
    file.write_bytes(report_of("".join(HOSTILE)))
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.said = []
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("console", lambda message: page.said.append(message.text))
    page.on(
        "request",
        lambda request: page.said.append(request.url[:40]) if request.url.startswith("http") else None,
    )
    page.goto(file.as_uri())
    yield page
    context.close()


def test_a_report_stands_alone(opened):
    assert opened.evaluate("window.ran") is None
    grounds = set()
    for scheme, media, width in (("light", "screen", 1400), ("dark", "screen", 1024), ("dark", "print", A4)):
        opened.emulate_media(color_scheme=scheme, media=media)
        opened.set_viewport_size({"width": width, "height": 900})
        grounds.add((media, opened.evaluate(GROUND)))
        cut = opened.evaluate(f"{WIDE.format(width)}.map(e => e.tagName + ' ' + e.textContent.slice(0, 40))")
        assert cut == [], (scheme, media)
        # three matrices stand side by side, on paper, too
        assert 0.2 < opened.evaluate(SHARE) < 0.34
    assert len(grounds) == 3
    assert ("print", "rgb(255, 255, 255)") in grounds
    opened.emulate_media(media="screen")
    pdf = opened.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) > 1
    assert b"/MediaBox [0 0 594.95996 841.91998]" in pdf or re.search(rb"/MediaBox \[0 0 59\d\S* 84\d", pdf)
    assert opened.said == []
