"""Columns that say the class: the warning on the page Data, and what leaving them out changes."""

import numpy as np
import pytest

from kernex_core import DataSet, GramMatrix, Labels, Vectors
from kernex_core.studies.data import dataset_script
from tests.pages.conftest import switch
from tests.pages.data.test_data_page import PAGE, add, bring, current, state, text, widget

CLASSES = np.repeat([1, 2, 3], 10)
PART = np.array([1, 1, 2])[CLASSES - 1]
IDS = tuple(f"s{k:02}" for k in range(30))
GENES = np.random.default_rng(4).normal(size=(30, 3)).round(3)


def table(label=True):
    rows = [["id", *(["class"] if label else []), "code", "part", "g1", "g2", "g3"]]
    for k, name in enumerate(IDS):
        rows.append(
            [name, *(["abc"[CLASSES[k] - 1]] if label else []), CLASSES[k], PART[k], *map(float, GENES[k])]
        )
    return "\n".join(",".join(map(str, row)) for row in rows).encode()


LABELS = "\n".join(["id,class", *(f"{name},{'abc'[c - 1]}" for name, c in zip(IDS, CLASSES, strict=True))])


def boxes(at):
    return [box for box in at.checkbox if box.key and box.key.startswith("data.leave.")]


def loaded(labels=True):
    X = np.column_stack([CLASSES, PART, GENES])
    kernel = GramMatrix(X @ X.T, IDS, "old")
    made = Labels(IDS, np.array(list("abc"))[CLASSES - 1]) if labels else None
    names = ("code", "part", "g1", "g2", "g3")
    return DataSet("mine", IDS, made, {"genes": Vectors(IDS, X, names)}, {"old": kernel})


def test_a_table_that_says_the_class_is_warned_of_and_may_be_added_as_it_is(open_page_test):
    at = bring(open_page_test(PAGE), ("v.csv", table()))
    shown = text(at)
    assert "This column says the class: code (each of its 3 values is one class)." in shown
    assert "Does this column say the class in other words? part (" in shown
    assert "worth nothing" in shown
    assert [box.label for box in boxes(at)] == ["Leave out code", "Leave out part"]
    assert [box.value for box in boxes(at)] == [False, False]
    add(at)
    assert current(at).samples["v"].columns == ("code", "part", "g1", "g2", "g3")
    assert "This column says the class: code" in text(at)  # it still does


def test_ticked_boxes_leave_the_columns_out_of_data_digest_and_script(open_page_test, tmp_path, monkeypatch):
    at = bring(open_page_test(PAGE), ("v.csv", table()))
    boxes(at)[0].check().run()
    boxes(at)[1].check().run()
    assert "v keeps 3 of 5 columns" in text(at)
    switch(at, "kernels/kernels.py").run()
    switch(at, PAGE).run()
    assert [box.value for box in boxes(at)] == [True, True]
    widget(at, "text_input", ".name").set_value("genes").run()
    assert [box.value for box in boxes(at)] == [True, True]
    add(at)
    data = current(at)
    np.testing.assert_array_equal(data.samples["genes"].X, GENES)
    assert data.labels.classes == (("a", 10), ("b", 10), ("c", 10))
    assert "say the class" not in text(at)
    assert "says the class" not in text(at)
    assert "Columns that were left out: code, part." in text(at)
    (tmp_path / "v.csv").write_bytes(table())
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(dataset_script(data), "script", "exec"), names)
    assert data.samples["genes"].digest in [getattr(value, "digest", "") for value in names.values()]


def test_a_cleared_box_brings_the_columns_back(open_page_test):
    at = bring(open_page_test(PAGE), ("v.csv", table()))
    boxes(at)[0].check().run()
    boxes(at)[0].uncheck().run()
    assert "keeps" not in text(at)
    add(at)
    assert current(at).samples["v"].columns[0] == "code"


def test_without_labels_nothing_is_said_until_they_come(open_page_test):
    at = bring(open_page_test(PAGE), ("v.csv", table(label=False)))
    assert not boxes(at)
    assert "the class" not in text(at)
    add(at)
    bring(at, ("labels.csv", LABELS.encode()))
    # in the box for what is added, once; the report below speaks of the data as they are
    assert [box.label for box in boxes(at)] == ["Leave out code", "Leave out part"]
    assert text(at).count("says the class: code") == 1
    boxes(at)[0].check().run()
    add(at)
    assert current(at).samples["v"].columns == ("part", "g1", "g2", "g3")
    assert current(at).labels.classes == (("a", 10), ("b", 10), ("c", 10))


def test_labels_that_come_from_a_file_beside_their_own_column_are_counted_once(open_page_test):
    at = bring(open_page_test(PAGE), ("v.csv", table()), ("labels.csv", LABELS.encode()))
    assert text(at).count("says the class: code") == 1
    assert len(boxes(at)) == 2


def test_another_label_column_asks_anew(open_page_test):
    at = bring(open_page_test(PAGE), ("v.csv", table()))
    boxes(at)[0].check().run()
    widget(at, "selectbox", ".label_column").set_value("code").run()
    # the column of the labels is no feature any more
    assert [(box.label, box.value) for box in boxes(at)] == [("Leave out part", False)]


def test_a_table_of_measurements_is_not_warned_of(open_page_test):
    rows = [",".join(["id", "class", "g1", "g2", "g3"])]
    rows += [f"{n},{'abc'[c - 1]},{x[0]},{x[1]},{x[2]}" for n, c, x in zip(IDS, CLASSES, GENES, strict=True)]
    at = bring(open_page_test(PAGE), ("v.csv", "\n".join(rows).encode()))
    assert "the class" not in text(at)
    add(at)
    assert "the class" not in text(at)
    assert not boxes(at)


def test_all_columns_cannot_be_left_out(open_page_test):
    rows = [f"{name},{'abc'[c - 1]},{c}" for name, c in zip(IDS, CLASSES, strict=True)]
    at = bring(open_page_test(PAGE), ("v.csv", "\n".join(["id,class,code", *rows]).encode()))
    widget(at, "selectbox", ".way").set_value("vectors").run()
    boxes(at)[0].check().run()
    assert not at.exception
    assert "At least one column has to stay" in at.error[0].proto.title
    boxes(at)[0].uncheck().run()
    add(at)


def test_columns_of_data_that_are_open_are_taken_out_and_all_else_stays(open_page_test):
    before = loaded()
    at = open_page_test(PAGE, before)
    widget(at, "multiselect", ".classes").set_value(["a", "c"]).run()
    # of two classes alone, the other column is a code as well
    at.button(key="data.leave.genes.code").click().run()
    assert not at.exception
    assert state(at).entries["mine"].dataset.samples["genes"].columns == ("g1", "g2", "g3")
    assert current(at).n == 20
    widget(at, "multiselect", ".classes").set_value([]).run()
    after = current(at)
    np.testing.assert_array_equal(after.samples["genes"].X, GENES)
    assert after.digest != before.digest
    assert after.labels.digest == before.labels.digest
    assert after.kernels["old"].digest == before.kernels["old"].digest
    assert "Columns that were left out: code, part." in text(at)
    assert not [button for button in at.button if button.key and button.key.startswith("data.leave.")]


def test_data_without_labels_have_no_button(open_page_test):
    at = open_page_test(PAGE, loaded(labels=False))
    assert not [button for button in at.button if button.key and button.key.startswith("data.leave.")]


@pytest.mark.slow
def test_the_lymphoma_file_names_both_of_its_codes(open_page_test, shared):
    path = shared / "data" / "lymphoma" / "lymphoma_96x4026.csv.gz"
    at = bring(open_page_test(PAGE), (path.name, path.read_bytes()))
    assert [box.label for box in boxes(at)] == ["Leave out class\\_code", "Leave out dettling62"]
    for place in (0, 1):
        boxes(at)[place].check().run()
    add(at)
    assert current(at).samples["lymphoma 96x4026"].X.shape == (96, 4026)
