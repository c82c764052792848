"""A report holds what the page shows, stands alone, and shows names as text."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from kernex_core import DataSet, GramMatrix, Labels, Note
from kernex_core.base.references import REFERENCES, references_of
from kernex_core.gram.normalize import CosineNormalize
from pages.export import report as documents
from pages.export.report import METHODS, MOST_ROWS, Given, build, cells_of, cited
from pages.server.navigation import PAGES
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import heatmap
from pages.ui.figures.still.chart import pooled, spec_of
from pages.ui.figures.still.traces import numbers
from pages.ui.shown import Count, Page, Rows, Shown
from tests.browser.test_hostile_exports import HOSTILE

VOID = {"meta", "rect", "path", "image", "circle"}
HEADS = (
    "Numbers",
    "Figures",
    "Settings",
    "Data",
    "Methods",
    "References",
    "What was assumed",
    "Formulas (TeX)",
    "Script",
)


class Read(HTMLParser):
    """Tags, attributes and text of a page; every tag that opens is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.values, self.said = [], set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.values += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.values += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


def read(data):
    found = Read()
    found.feed(data.decode("utf-8"))
    assert found.open == []
    return found


def report_of(name):
    """A report in which everything that a visitor can name has this name."""
    ids = tuple(f"{name}{k}" for k in range(4))
    K = GramMatrix(np.eye(4) + 0.5, ids, name).then(CosineNormalize())
    data = DataSet(
        name,
        ids,
        Labels(ids, [name, name, "b", "b"]),
        kernels={name: K},
        description=name,
        notes=(Note(name),),
    )
    picture = heatmap(K.values, Items(ids, classes=data.labels.y.tolist()), name=name)
    page = Page("Complete", "How well?")
    page.pictures["map"] = Shown(name, name, lambda: picture, (name, name, "b", "b"))
    page.counts["n"] = Count(name, name, name, name)
    page.tables["rows"] = Rows(name, name, {name: [name, "91 [80, 95]"]})
    page.scripts["script"] = lambda: f"# {name}\nfrom kernex_core import judge\nK.then(Clip())\n"
    page.formulas, page.assumptions = (r"\lambda < 1",), ("*λ* weights, $a < b$.",)
    return build(page, data, Given(name, name, {name: name}, None, lambda: K))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text(name):
    found = read(report_of(name))
    assert (
        found.tags & {"script", "img", "a", "iframe", "object", "form", "link", "foreignobject", "use"}
        == set()
    )
    assert [each for each in found.values if each[0].startswith("on")] == []
    linked = [value for key, value in found.values if key in ("href", "src")]
    assert [value for value in linked if not re.match(r"data:image/(png;base64|svg\+xml),", value)] == []
    assert sum(name.strip() in said for said in found.said) > 8


def test_everything_that_the_page_shows_is_there():
    data = report_of("protein world")
    found = read(data)
    said = " ".join(found.said)
    assert [head for head in HEADS if f"<h2>{head}</h2>" not in data.decode()] == []
    for words in (
        "91 [80, 95]",
        "<em>λ</em> weights",
        "cosine",
        "Cortes and Vapnik 1995",
        "N. J. Higham",
        "Kernex 0.",
    ):
        assert words in said or words in data.decode(), words
    assert len(re.findall(r"[0-9a-f]{64}", said)) == 3  # of the data, its labels, its kernel
    assert "default-src 'none'" in dict(found.values)["content"] or "default-src 'none'" in str(found.values)
    own = re.sub(r"""xmlns=(?:"|%22).+?(?:"|%22)|;base64,[^"]+""", "", data.decode())
    assert re.findall(r"(?:https?:)?//\w", own) == []


def test_long_tables_and_scripts_say_that_they_are_cut(monkeypatch):
    frame = pd.DataFrame({"a": range(MOST_ROWS + 5), "b": [np.nan] + [0.000012345] * (MOST_ROWS + 4)})
    cells = cells_of(Rows("t", "", frame))
    assert (len(cells.rows), cells.left_out) == (MOST_ROWS, 5)
    assert cells.rows[:2] == (("0", "—"), ("1", "1.2345e-05")) or "10⁻⁵" in cells.rows[1][1]
    monkeypatch.setattr(documents, "LONGEST_SCRIPT", 10)
    assert "A script of 11 letters" in documents.document(documents.Report("P", scripts=["x" * 11])).decode()


def test_large_matrices_are_means_of_blocks(rng):
    X = rng.normal(size=(1000, 5))
    ids = tuple(map(str, range(1000)))
    picture = heatmap(X @ X.T, Items(ids), name="K")
    z = numbers(spec_of(picture.figure)["data"][0]["z"])
    small = np.asarray(pooled(picture.figure, 240)["data"][0]["z"])
    assert small.shape == (240, 240)
    step = len(z) // 240
    edges = np.linspace(0, len(z), 241).astype(int)
    block = z[edges[3] : edges[4], edges[7] : edges[8]]
    assert small[3, 7] == pytest.approx(block.mean()), step
    page = Page("Kernels", "", {str(k): Shown("K", "", lambda: picture) for k in range(5)})
    assert len(build(page, None, Given("K"))) < 1_000_000


def test_every_study_has_a_method_and_every_citation_a_publication():
    titles = {entry.title for entry in PAGES}
    assert set(METHODS) <= titles
    assert titles - set(METHODS) == {
        "Start",
        "Data",
        "Lessons",
        "For the lecturer",
        "Glossary",
    }
    keys = {each.key for each in REFERENCES}
    assert len(keys) == len(REFERENCES)
    for page, method in METHODS.items():
        assert set(method.cites) <= keys, page
        inside = re.findall(r"\(([A-ZÖ][\w .]+ \d{4})\)", method.text)
        assert inside or page in ("Kernels", "Strings", "Complete together"), page
        assert set(inside) <= {each.key for each in cited(page, [])}, page


def test_publications_follow_from_what_a_script_calls():
    import kernex_core
    from kernex_core.workspace.catalogue import VALUES

    script = (
        "# Flip\nfrom kernex_core.kernels.sequences.spectrum import Spectrum\nx = Spectrum(k=2).f('Mismatch')"
    )
    assert [each.key for each in references_of(script)] == ["Leslie et al. 2002"]
    known = {*VALUES, *kernex_core.__all__}
    named = {name for each in REFERENCES for name in each.used_by if name[0].isupper()}
    assert named <= known
