"""Groups and Outliers: scripts say what the page says, groups become labels or stay together in folds, others are asked."""

import contextlib
import io

import numpy as np
import pytest

from kernex_core import (
    GramMatrix,
    GroupsConfig,
    OutliersConfig,
    contradicted_labels,
    find_groups,
    find_outliers,
    prepare_groups,
)
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from pages.map import groups, outliers

GROUPS, OUTLIERS = "map/groups.py", "map/outliers.py"


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(4)
    y = np.repeat(["a", "b", "c"], [14, 12, 10])
    X = 6.0 * np.eye(3, 4)[np.repeat([0, 1, 2], [14, 12, 10])] + rng.normal(size=(36, 4))
    ids = tuple(f"i{k}" for k in range(36))
    wrong = y.copy()
    wrong[3] = "b"
    labels = Labels(ids, wrong)
    return DataSet("blobs", ids, labels, samples={"points": Vectors(ids, X)}).with_kernel(
        "linear", gram(ids, X)
    )


def gram(ids, X):
    return GramMatrix(X @ X.T, ids, "linear")


def printed(script):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(script, {})
    return out.getvalue()


def subject_of_groups(data, config):
    source = data.kernels["linear"]
    made = prepare_groups(source)
    found = find_groups(config, made, data.labels)
    return groups.Subject(data, "linear, kernel", source, config, made, found, data.judgeable, None)


def test_groups_on_the_page_in_the_file_and_in_the_script_are_one(blobs):
    subject = subject_of_groups(blobs, GroupsConfig("k-means", number=3, resamples=4))
    rows = groups.item_rows(subject)
    assert [row["group"] for row in rows] == [f"group {g}" for g in subject.found.groups]
    said = printed(groups.script(subject))
    assert str(subject.found.groups.tolist()) in said
    assert f"labels {subject.found.against_labels}" in said
    assert "stability 1.0" in said


def test_groups_become_labels_of_a_copy_or_stay_together_in_folds(open_page_test, blobs):
    at = open_page_test(GROUPS, blobs, {"number": "3"})
    assert "3 groups, of 14, 12, 10 items" in " ".join(m.value for m in at.markdown)
    at.button(key="groups.together").click().run()
    assert not at.exception
    kept = at.session_state["kernex"].entries["blobs"].dataset.labels
    assert kept.y.tolist() == blobs.labels.y.tolist()
    assert len(set(kept.groups)) == 3
    assert len(set(zip(kept.groups, np.repeat([0, 1, 2], [14, 12, 10]), strict=True))) == 3
    at.button(key="groups.labels").click().run()
    assert not at.exception
    name = next(name for name in at.session_state["kernex"].entries if "3 groups" in name)
    copy = at.session_state["kernex"].entries[name].dataset.labels
    assert copy.classes == (("group 1", 14), ("group 2", 12), ("group 3", 10))
    assert "average linkage" in copy.made_from


def test_items_outside_the_selection_are_by_themselves_in_folds(blobs):
    part = blobs.select(np.arange(30))
    units = groups.kept_together(blobs, subject_of_groups(part, GroupsConfig(number=3))).groups
    assert (units[30:] == "").all()
    assert (units[:30] != "").all()


def test_a_height_takes_the_place_of_the_number(open_page_test, blobs):
    at = open_page_test(GROUPS, blobs, {"by": "height", "height": "1"})
    assert "All items are one group" in " ".join(m.value for m in at.markdown)
    assert not [each for each in at.button if each.key == "groups.labels"]


def test_without_labels_nothing_is_said_of_them(open_page_test, blobs):
    bare = DataSet("bare", blobs.ids, kernels=dict(blobs.kernels))
    at = open_page_test(GROUPS, bare)
    assert [each.label.partition(" :")[0] for each in at.metric] == ["Silhouette", "Stability"]
    at = open_page_test(OUTLIERS, bare)
    assert [each.label.partition(" :")[0] for each in at.metric] == ["Farthest", "Outside"]


def test_the_others_are_asked_with_a_click_and_contradict_the_label_that_is_wrong(open_page_test, blobs):
    at = open_page_test(OUTLIERS, blobs, {"repeats": "2"})
    assert not at.exception
    at.button(key="outliers.ask.run").click().run()
    assert not at.exception
    table = next(each.value for each in at.table if "others say" in each.value)
    assert table["item"].tolist() == ["i3"]
    assert table["others say"].tolist() == ["a"]
    said = " ".join(m.value for m in at.markdown)
    assert (
        "1 label of 36 is contradicted by the others every time; of 2 changed on purpose 2 are found" in said
    )


@pytest.mark.parametrize("asked", [False, True])
def test_files_and_scripts_of_outliers_say_what_the_study_says(blobs, asked):
    source, config = blobs.kernels["linear"], OutliersConfig(repeats=2)
    found = find_outliers(config, source)
    said = contradicted_labels(config, source, blobs.labels) if asked else None
    subject = outliers.Subject(blobs, "linear, kernel", source, config, found, blobs.labels, None)
    rows = outliers.rows(subject, said)
    assert [row["how far"] for row in rows] == found.far.tolist()
    assert all(("contradicted" in row) == asked for row in rows)
    text = printed(outliers.script(subject, asked))
    assert f"farthest first {found.order.tolist()}" in text
    assert ("contradicted [3]" in text) == asked


def test_what_is_no_kernel_says_so_under_method(open_page_test):
    S = np.random.default_rng(0).uniform(-1.0, 1.0, (20, 20))
    ids = tuple(f"i{k}" for k in range(20))
    data = DataSet("signs", ids, kernels={"S": GramMatrix((S + S.T) / 2.0 + np.eye(20), ids, "S")})
    for path in (GROUPS, OUTLIERS):
        at = open_page_test(path, data, {"tab": "Method"})
        assert not at.exception
        assert any("were clipped" in m.value for m in at.markdown)


def test_a_map_without_a_place_for_new_items_says_so_and_holds_none_out(open_page_test, blobs):
    at = open_page_test("map/map.py", blobs, {"method": "t-SNE", "tab": "New items"})
    assert not at.exception
    assert any("no place for new items" in each.value for each in at.caption)
    assert not at.file_uploader
