"""Files that people take away do nothing but show what they hold, whatever the data are called."""

import ast

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Labels
from pages.ui.figures.chart import Across, Items, Values
from pages.ui.figures.curve import Line, curve
from pages.ui.figures.heatmap import heatmap
from pages.ui.figures.still.sheet import SheetPanel, sheet
from pages.ui.figures.theme import class_styles

HOSTILE = (
    "</script><script>window.ran = 1</script>",
    "</title><script>window.ran = 2</script>",
    "<img src=x onerror='window.ran = 3'>",
    '"};window.ran = 4;//',
    "<a href='javascript:window.ran = 5'>x</a>",
    "<!--<script>",
    "\u2028window.ran = 6",
    "');window.ran = 7;('",
)

FOREIGN = """
    [...document.querySelectorAll("*")].flatMap(element => [
        ...("svg g title rect text tspan path image circle".split(" ").includes(element.tagName) ? [] : [element.tagName]),
        ...[...element.attributes].filter(({name, value}) => name.startsWith("on")
            || name.includes("href") && !/^data:image\\/(png;base64|svg\\+xml),/.test(value)).map(({name}) => name),
    ])
"""


def pictures(name):
    K = np.eye(4) + 0.5
    ids = tuple(f"{name}{k}" for k in range(4))
    yield curve([Line(name, [0, 1], [80.0, 70.0])], Across(name), Values(name))
    yield heatmap(K, Items(ids, classes=(name, name, f"{name}b", f"{name}b")), name=name)


@pytest.fixture(scope="module")
def offline(chromium):
    """A page without a network, and what failed on it."""
    context = chromium.new_context(offline=True)
    page, failures = context.new_page(), []
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page, failures
    context.close()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_sheet_runs_nothing_of_its_names(offline, tmp_path, name):
    shown = [SheetPanel(name, name, picture) for picture in pictures(name)]
    file = tmp_path / "sheet.svg"
    file.write_bytes(sheet(name, {name: name, "data": name}, shown, class_styles([name, f"{name}b"])))
    page, failures = offline
    failures.clear()
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.tagName") == "svg"
    assert page.evaluate("document.title").strip() == name.strip()
    texts = page.evaluate("[...document.querySelectorAll('text')].map(each => each.textContent)")
    assert f"■ {name} (1)" in "".join(texts)
    assert page.evaluate("window.ran") is None
    assert page.evaluate(FOREIGN) == []
    assert failures == []


@pytest.mark.parametrize(
    "name", [*HOSTILE, "a\nimport os", "a\r\x0bb\x00c\x1cd", "$0 $1", "'''\"\"\"\\", "a  b"]
)
def test_a_script_holds_names_as_text(name):
    K = GramMatrix(np.eye(2), (name, f"{name}2"), name, call(name, "made", name))
    labels = Labels((name, "b"), np.array([name, "x  y"]))
    text = write_script([K.recipe, call("labels", "Labels", labels.ids, labels.y)], heading=f"Kernex: {name}")
    tree = ast.parse(text)
    assert [type(node) for node in tree.body] == [ast.ImportFrom, ast.Import, ast.Assign, ast.Assign]
    assert ast.literal_eval(tree.body[2].value.args[0]) == name
    given = tree.body[3].value.args[1]
    assert ast.literal_eval(given.args[0]) == [name, "x  y"]
