"""The page Map shows the numbers of its study, whatever is mapped."""

import contextlib
import dataclasses
import io
import json

import numpy as np
import pytest

from kernex_core import (
    GramMatrix,
    MapConfig,
    NewRows,
    Tanimoto,
    Vectors,
    load_dataset,
    map_kernel,
    place_new,
    prepare_map,
    read_samples,
    view_map,
)
from kernex_core.inputs.dataset import DataSet
from kernex_core.studies.map.points import own_direction
from pages.map.new_items import New, table
from pages.map.results import rows, script
from pages.map.subject import NOTHING, Subject, sources
from pages.server.digits import number, percent

PATH = "map/map.py"


@pytest.fixture(scope="module")
def roll():
    return load_dataset("swiss_roll")


@pytest.fixture(scope="module")
def small(roll):
    return roll.select(np.arange(0, 500, 4))


def of(dataset, config, components=2):
    source, along = dataset.samples["points"], dataset.samples["along the roll"].X[:, 0]
    prepared = prepare_map(config, source)
    up = own_direction(prepared.made.coordinates) + 1 if config.method == "lle" and components == 2 else 2
    axes = (1, up, 3)[:components]
    made = view_map(prepared, along=along, axes=axes)
    return Subject(dataset, "points, vectors", source, config, axes, "t", along, dataset.judgeable, made)


def metrics(at):
    """Numbers, each with what stands in grey beside its name."""
    return {
        name: (each.value, note.rstrip("]"))
        for each in at.metric
        for name, _, note in [each.label.partition(" :gray[")]
    }


def test_the_numbers_of_the_demo_are_those_of_the_study(open_page_test, roll):
    at = open_page_test(PATH, roll)
    assert not at.error
    view = of(roll, MapConfig(n_neighbors=12)).made
    moves = f"map moves {percent(view.moved)}"
    assert metrics(at) == {
        "Trustworthiness": (number(view.trust_all, 3), number(view.trust_kept, 3)),
        "Error": (percent(view.placements[0].error), moves),
        "Spearman": (number(view.along_kept, 3), "kept"),
    }
    table = at.table[0].value.to_dict("list")
    assert table["error"] == [percent(each.error, 1) for each in view.placements]
    assert table["Spearman"] == [number(each.along, 3) for each in view.placements]
    # another way to place: its own error, the same map
    at.selectbox(key="map.way.lle").set_value("as by Bengio and others").run()
    assert metrics(at)["Error"] == (percent(view.placements[2].error), moves)


def test_the_swiss_roll_opens_as_a_sheet_and_both_maps_have_the_same_axes(open_page_test, roll):
    """Of both maps the height of the sheet is one coordinate, and its length the other."""
    view = of(roll, MapConfig(n_neighbors=12)).made
    height, along = roll.samples["points"].X[:, 1], roll.samples["along the roll"].X[:, 0]
    for shown in (view.coordinates, view.whole):
        assert abs(np.corrcoef(shown[:, 0], along)[0, 1]) > 0.95
        assert abs(np.corrcoef(shown[:, 1], height)[0, 1]) > 0.6
    at = open_page_test(PATH, roll)
    layouts = [json.loads(each.proto.spec)["layout"] for each in at.get("plotly_chart")]
    assert len(layouts) == 2
    for name in ("xaxis", "yaxis"):
        ends = [layout[name]["range"] for layout in layouts]
        assert ends[0] == ends[1]


def test_settings_reach_the_study(open_page_test, small):
    at = open_page_test(PATH, small)
    at.slider(key=f"map.{small.name}.n_neighbors").set_value(12).run()
    at.select_slider(key=f"map.{small.name}.share").set_value(0.4).run()
    at.selectbox(key=f"map.{small.name}.method").set_value("kernel pca").run()
    assert not at.exception
    view = of(small, MapConfig(method="kernel pca", n_neighbors=12, share=0.4)).made
    assert at.table[0].value["error"].tolist() == [percent(each.error, 1) for each in view.placements]
    assert not [button for button in at.button if button.key == "map.keep"]
    at.select_slider(key=f"map.{small.name}.share").set_value(0.0).run()
    assert not at.exception
    assert len(at.table) == 0
    assert "Error" not in metrics(at)
    at.selectbox(key=f"map.along.{small.name}").set_value(NOTHING).run()
    assert "Spearman" not in metrics(at)


def test_a_third_coordinate_and_a_kept_kernel(open_page_test, small):
    at = open_page_test(PATH, small)
    assert len(at.get("plotly_chart")) == 2
    at.segmented_control(key="map.shown").set_value("3-D").run()
    assert len(at.get("plotly_chart")) == 4
    at.button(key="map.keep").click().run()
    assert not at.exception
    kernels = at.session_state["kernex"].entries[small.name].kernels
    (kept,) = (K for name, K in kernels.items() if name.startswith("LLE"))
    np.testing.assert_allclose(kept.values, map_kernel(small.samples["points"], 12).values)


def test_too_many_neighbours_are_told(open_page_test, small):
    at = open_page_test(PATH, small)
    at.select_slider(key=f"map.{small.name}.share").set_value(0.9).run()
    at.slider(key=f"map.{small.name}.n_neighbors").set_value(40).run()
    assert not at.exception
    assert "whole number from 1 to" in at.error[0].icon + str(at.error[0].proto)


def test_a_partly_known_kernel_says_what_to_do(open_page_test):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(9, 3))
    K = X @ X.T
    K[0, 1] = K[1, 0] = np.nan
    ids = tuple("abcdefghi")
    at = open_page_test(PATH, DataSet("nine", ids, kernels={"part": GramMatrix(K, ids, "part")}))
    assert not at.error
    assert any("known for every pair" in each.value for each in at.markdown)
    at = open_page_test(PATH, DataSet("nothing", ids))
    assert any("It maps vectors or a kernel" in each.value for each in at.markdown)


def test_what_can_be_mapped(small):
    assert list(sources(small)) == ["points, vectors", "along the roll, vectors", "linear, kernel"]
    assert isinstance(sources(small)["points, vectors"], Vectors)


@pytest.mark.parametrize("method", ["lle", "kernel pca"])
def test_files_say_what_the_page_shows(small, method):
    subject = of(small, MapConfig(method=method, n_neighbors=9), 3)
    table = rows(subject, subject.made.placements[1])
    assert [row["id"] for row in table] == list(small.ids)
    drawn = np.array([[row[f"coordinate {c}"] for c in (1, 2, 3)] for row in table])
    np.testing.assert_array_equal(drawn[subject.made.held], subject.made.placements[1].coordinates)
    assert [row["id"] for row in table if row["held_out"]] == [small.ids[i] for i in subject.made.held]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(subject), {})
    assert f"trustworthiness {subject.made.trust_all}" in printed.getvalue()
    assert f"error {subject.made.placements[0].error}, Spearman" in printed.getvalue()


@pytest.mark.parametrize("by_kernel", [False, True])
def test_the_table_and_the_script_of_new_items_say_the_same(small, by_kernel):
    subject = of(small, MapConfig(n_neighbors=9))
    X, brought = small.samples["points"].X, load_dataset("swiss_roll").samples["points"].X[1:40:13]
    ids = tuple("abc")[: len(brought)]
    new = Vectors(ids, brought, small.samples["points"].columns)
    if by_kernel:
        source = small.kernels["linear"]
        made = view_map(prepare_map(subject.config, source), axes=subject.axes)
        subject = dataclasses.replace(subject, source=source, made=made, along=None)
        new = NewRows(ids, brought @ X.T, (brought**2).sum(axis=1))
    places = place_new(prepare_map(subject.config, subject.source), subject.made, new)
    shown = table(subject, New(new, places), subject.made.placements[1])
    np.testing.assert_array_equal(shown["coordinate 2"], places.ways["in the paper's form"][:, 1])
    assert shown["nearest"].tolist() == [small.ids[k] for k in places.nearest]
    assert shown["class of nearest"].tolist() == small.labels.y[places.nearest].tolist()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(subject, New(new, places)), {})
    assert str(places.ids) in printed.getvalue()
    assert str(places.ways) in printed.getvalue()


@pytest.mark.parametrize("one", [True, False])
def test_sparse_vectors_are_new_items_of_a_kernel_that_was_made_of_some(open_page_test, rng, one):
    X = (rng.random((30, 50)) < 0.2).astype(float)
    X[:, 0] = 1.0

    def lines(rows):
        return "\n".join("1 " + " ".join(f"{j + 1}:1" for j in np.flatnonzero(row)) for row in rows).encode()

    known = read_samples(lines(X[:26]), "x.svm", kind="vectors", zeros="left out", features=50)
    K = Tanimoto().similarities(known)
    data = DataSet("d", known.ids, samples={"x": known}, kernels={"K": K})
    at = open_page_test(PATH, data, {"tab": "New items"})
    box = next(each for each in at.file_uploader if "new items" in each.label)
    box.upload("new.svm", lines(X[26:27] if one else X[26:])).run()
    assert not at.exception
    assert not at.error
    found = next(each.value for each in at.dataframe if "how far" in each.value)
    assert len(found) == (1 if one else 4)
