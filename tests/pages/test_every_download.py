"""Every download of every page with data is clicked, and what arrives is read: tables, arrays, pages, pictures, scripts."""

import ast
import csv
import io
import json
import re
import zipfile
from html.parser import HTMLParser

import numpy as np
import pytest
import streamlit as st

from kernex_core import load_dataset
from pages.server.navigation import PAGES
from pages.ui.figures.still import chart
from pages.ui.figures.still.chart import unknown
from tests.pages.svg import outside

pytestmark = pytest.mark.usefixtures("kept_results")

DEMOS = {
    "kernels/strings/strings.py": "almost_orthogonal_strings",
    "kernels/kernels.py": "protein_world",
    "evaluate/evaluate.py": "protein_world",
}
"""Pages whose data are a demo; those that open on one of their own have none here, all others take thirty items."""
FURTHER = (("complete/complete.py", "gapped_matrix"),)
"""Pages that give away something else of other data, and a demo of such."""
OWN = ("networks/", "graphs/", "papers/")
VOID = {"meta", "link", "br", "img", "hr", "input", "circle", "path", "rect", "image"}


@pytest.fixture
def offered(monkeypatch):
    """Whatever a page offers to be saved: name and how it is made."""
    found, real = {}, st.download_button

    def noted(label, data, *args, file_name, **look):
        found[file_name] = data
        return real(label, data, *args, file_name=file_name, **look)

    monkeypatch.setattr(st, "download_button", noted)
    return found


@pytest.fixture
def drawn(monkeypatch):
    """Every figure that is drawn still."""
    found, real = [], chart.spec_of

    def spec_of(figure):
        found.append(made := real(figure))
        return made

    monkeypatch.setattr(chart, "spec_of", spec_of)
    return found


@pytest.mark.parametrize(("path", "demo"), [*((entry.path, "") for entry in PAGES), *FURTHER])
def test_every_download_arrives_and_can_be_read(open_page_test, small_dataset, path, demo, offered, drawn):
    if demo or path in DEMOS:
        dataset = load_dataset(demo or DEMOS[path])
    elif path.startswith(OWN):
        dataset = None
    else:
        dataset = small_dataset.with_kernel("again", small_dataset.kernels["source"].renamed("again"))
    open_page_test(path, dataset)
    made = {name: build() if callable(build) else build for name, build in offered.items()}
    for name, data in made.items():
        content = data if isinstance(data, bytes) else data.encode()
        assert content, name
        READ[name.rpartition(".")[2]](content)
    if any(name.endswith(".html") for name in made):
        assert any(name.endswith(".py") for name in made)
    assert sorted({key for figure in drawn for key in unknown(figure)}) == []


def read_csv(content):
    rows = list(csv.reader(io.StringIO(content.decode("utf-8"))))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}
    for row in rows:
        for cell in row:
            assert not re.match(r"[=@\t\r]|[+-](?![\d.]|$|inf)", cell), cell


class Balanced(HTMLParser):
    """Every element ends where it should, and nothing is fetched."""

    def __init__(self):
        super().__init__()
        self.open, self.tags = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            assert name not in ("src", "href") or not str(value).startswith(("http:", "//")) or tag == "a", (
                tag,
                value,
            )
            assert not name.startswith("on")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def read_html(content):
    text = content.decode("utf-8")
    parser = Balanced()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    assert "script" not in parser.tags
    assert [each for picture in pictures(text) for each in outside(picture)] == []


def pictures(text):
    """Pictures of a page, those inside of them not told apart."""
    depth = start = 0
    for mark in re.finditer(r"<svg\b|</svg>", text):
        if mark[0] == "</svg>":
            depth -= 1
            if not depth:
                yield text[start : mark.end()]
        else:
            start = mark.start() if not depth else start
            depth += 1


def read_svg(content):
    assert outside(content) == []


def read_npz(content):
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        assert all(arrays[name].dtype != object for name in arrays.files)


def read_zip(content):
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None


READ = {"csv": read_csv, "html": read_html, "svg": read_svg, "npz": read_npz, "zip": read_zip, "kernex": read_zip,
        "py": lambda content: ast.parse(content), "json": json.loads}  # fmt: skip
