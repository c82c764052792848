"""The page Map as a person walks it: vectors, a choice that keeps the zoom, three dimensions, new items and their table."""

import csv
from pathlib import Path

import numpy as np
from sklearn.manifold import LocallyLinearEmbedding

from kernex_core import MapConfig, Vectors, prepare_map
from tests.browser.script_runs import click, rerunning

RNG = np.random.default_rng(8)
SHEET = RNG.uniform(size=(70, 2)) * [5.0, 2.0]
X = np.round(np.column_stack([np.cos(SHEET[:, 0]), np.sin(SHEET[:, 0]), SHEET[:, 1]]), 4)
NEW = np.round(X[:3] + 0.05, 4)
CHART = ".js-plotly-plot"


def table(ids, rows, header):
    lines = [",".join(map(str, (name, *row))) for name, row in zip(ids, rows, strict=True)]
    return "\n".join([header, *lines]).encode() + b"\n"


def file(name, content):
    return {"name": name, "mimeType": "text/csv", "buffer": content}


def test_a_choice_keeps_the_zoom_and_new_items_lie_where_scikit_learn_puts_them(visit):
    page = visit("data")
    ids = [f"p{k}" for k in range(len(X))]
    with rerunning(page):
        page.locator("input[type=file]").set_input_files([file("sheet.csv", table(ids, X, "id,x,y,z"))])
    click(page.get_by_role("button", name="Add as new data set"))
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Map"))

    chart = page.locator(CHART).first
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 150, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 170, box["y"] + 180, steps=4)
    page.mouse.up()
    ends = "gd => gd._fullLayout.xaxis.range"
    moved = chart.evaluate(ends)
    page.wait_for_timeout(400)  # a click just after a drag is a double click
    point = chart.locator(".scatterlayer .trace .points path").nth(9).bounding_box()
    with rerunning(page):
        page.mouse.click(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    page.get_by_text("1 chosen").wait_for()
    assert chart.evaluate(ends) == moved
    # the other map, which was not clicked, shows the choice, too
    assert (
        page.locator(CHART).nth(1).evaluate("gd => gd.data.flatMap(t => t.selectedpoints ?? []).length") == 1
    )

    click(page.get_by_role("tab", name="New items"))
    with rerunning(page):
        page.locator("input[type=file]").set_input_files(
            [file("new.csv", table("abc", NEW[:, ::-1], "id,z,y,x"))]
        )
    with page.expect_download() as download:
        page.get_by_role("button", name="New items as CSV").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8").splitlines()))
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    placed = np.array([[float(row[f"coordinate {c}"]) for c in (1, 2)] for row in rows])
    made = prepare_map(MapConfig(), Vectors(tuple(ids), X))
    theirs = LocallyLinearEmbedding(n_neighbors=8, eigen_solver="dense").fit(X[made.kept])
    signs = np.sign((made.made.coordinates[:, :2] * theirs.embedding_).sum(axis=0))
    np.testing.assert_allclose(placed * signs, theirs.transform(NEW), atol=1e-6)

    page.get_by_role("button", name="Settings").click()
    click(page.get_by_text("3-D", exact=True))
    assert page.locator(f"{CHART} .gl-container").count() >= 2
    assert page.get_by_test_id("stException").count() == 0
