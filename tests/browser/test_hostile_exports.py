"""Files that people take away do nothing but show what they hold, whatever the data are called."""

import ast

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import call, write_script
from kernex_core.inputs.samples import Labels
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Line, curve
from pages.shared.figures.export import figure_html
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items

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


def pictures(name):
    K = np.eye(4) + 0.5
    ids = tuple(f"{name}{k}" for k in range(4))
    yield curve([Line(name, [0, 1], [80.0, 70.0])], Across(name), Values(name))
    yield heatmap(K, Items(ids, classes=(name, name, f"{name}b", f"{name}b")), name=name)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_figure_runs_nothing_of_its_names(chromium, tmp_path, name):
    context = chromium.new_context()
    try:
        for place, picture in enumerate(pictures(name)):
            file = tmp_path / f"{place}.html"
            file.write_bytes(figure_html(picture, name, {name: name, "data": name}))
            page = context.new_page()
            failures = []
            page.on("pageerror", lambda error, to=failures: to.append(str(error)))
            page.goto(file.as_uri())
            page.wait_for_selector(".js-plotly-plot .main-svg")
            assert page.title() == name
            assert page.locator("dd").first.text_content() == name
            page.hover(".js-plotly-plot .draglayer", force=True)
            for link in page.locator("svg a").all():
                link.dispatch_event("click")
            assert page.evaluate("window.ran") is None
            assert page.evaluate("document.querySelectorAll('img[src=x], figure script[src]').length") == 0
            # as an SVG, which holds the same names
            drawn = page.evaluate(
                "Plotly.toImage(document.querySelector('.js-plotly-plot'), {format: 'svg', imageDataOnly: true})"
            )
            (tmp_path / f"{place}.svg").write_text(drawn, encoding="utf-8")
            page.goto((tmp_path / f"{place}.svg").as_uri())
            assert page.evaluate("window.ran") is None
            assert page.evaluate("document.documentElement.tagName") == "svg"
            assert failures == []
            page.close()
    finally:
        context.close()


@pytest.mark.parametrize(
    "name", [*HOSTILE, "a\nimport os", "a\r\x0bb\x00c\x1cd", "$0 $1", "'''\"\"\"\\", "a  b"]
)
def test_a_script_holds_names_as_text(name):
    K = GramMatrix(
        np.eye(2), (name, f"{name}2"), name, call(name, "made", name, imports=("from x import made",))
    )
    labels = Labels((name, "b"), np.array([name, "x  y"]))
    text = write_script([K.recipe, call("labels", "Labels", labels.ids, labels.y)], heading=f"Kernex: {name}")
    tree = ast.parse(text)
    assert [type(node) for node in tree.body] == [ast.ImportFrom, ast.Import, ast.Assign, ast.Assign]
    assert ast.literal_eval(tree.body[2].value.args[0]) == name
    given = tree.body[3].value.args[1]
    assert ast.literal_eval(given.args[0]) == [name, "x  y"]
