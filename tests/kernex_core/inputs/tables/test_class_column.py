import io

import numpy as np
import openpyxl
import pytest

from kernex_core import InvalidInputError, Similarity, Vectors, read_samples
from kernex_core.gram.provenance import write_script

K = np.array([[2.0, 0.5, 0.1, 0.2], [0.5, 3.0, 0.3, 0.4], [0.1, 0.3, 1.5, 0.6], [0.2, 0.4, 0.6, 2.5]])
IDS = ["p1", "p2", "p3", "p4"]
CLASSES = ["kinase", "globin", "kinase", ""]


def written(ids, place, title="class", classes=CLASSES):
    """The matrix as CSV with ids "both", on top ("columns"), on the left ("rows") or nowhere, classes "last" or "first"."""
    rows = [[repr(float(value)) for value in row] for row in K]
    if ids in ("both", "columns"):
        rows = [list(IDS), *rows]
    if ids in ("both", "rows"):
        left = ["", *IDS] if ids == "both" else IDS
        rows = [[name, *row] for name, row in zip(left, rows, strict=True)]
    column = [title, *classes] if ids in ("both", "columns") else list(classes)
    at = {"last": lambda row: len(row), "first": lambda row: 0, "beside the ids": lambda row: 1}[place]
    for row, label in zip(rows, column, strict=True):
        row.insert(at(row), label)
    return "\n".join(",".join(row) for row in rows).encode()


@pytest.mark.parametrize("ids", ["both", "columns", "rows", "none"])
@pytest.mark.parametrize("place", ["last", "first", "beside the ids"])
@pytest.mark.parametrize("title", ["class", "EC number"])
def test_a_column_of_classes_becomes_the_labels(ids, place, title):
    if place == "beside the ids" and ids in ("columns", "none"):
        place = "first"
    found = read_samples(written(ids, place, title), "k.csv")
    assert isinstance(found, Similarity)
    np.testing.assert_array_equal(found.gram.values, K)
    assert found.ids == (tuple(IDS) if ids != "none" else ("1", "2", "3", "4"))
    assert found.labels.y.tolist() == CLASSES
    assert found.labels.ids == found.ids
    assert any("holds 2 classes" in note.text for note in found.notes)


def test_distinct_classes_need_a_name_or_ids_on_both_axes():
    distinct = ["a", "b", "c", "d"]
    for ids, title in (("both", "class"), ("columns", "class"), ("both", "colour")):
        assert read_samples(written(ids, "last", title, distinct), "k.csv").labels.y.tolist() == distinct
    data = written("columns", "last", "colour", distinct)
    assert read_samples(data, "k.csv", format="matrix", label_column="colour").labels.y.tolist() == distinct


def test_a_matrix_alone_has_no_labels():
    for ids in ("both", "rows"):
        plain = "\n".join(
            ",".join(row.split(",")[:-1]) for row in written(ids, "last").decode().split("\n")
        ).encode()
        assert read_samples(plain, "k.csv").labels is None


def test_vectors_with_a_class_column_stay_vectors():
    data = b"id,length,mass,class\na,1,2,x\nb,3,4,y\nc,5,6,x\n"
    assert isinstance(read_samples(data, "v.csv"), Vectors)


def test_numbers_without_ids_that_are_not_symmetric_stay_vectors():
    assert isinstance(read_samples(b"1,2,x\n3,4,y\n", "v.csv"), Vectors)


def test_workbook():
    book = openpyxl.Workbook()
    for line in written("both", "last").decode().split("\n"):
        book.active.append([float(f) if f[:1].isdigit() else f or None for f in line.split(",")])
    out = io.BytesIO()
    book.save(out)
    assert read_samples(out.getvalue(), "k.xlsx").labels.y.tolist() == CLASSES


def test_the_script_reads_the_labels_again(tmp_path, monkeypatch):
    data = written("both", "last")
    (tmp_path / "k.csv").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    scope = {}
    exec(write_script([read_samples(data, "k.csv").labels.recipe], heading="labels"), scope)
    assert scope["labels"].y.tolist() == CLASSES


def test_a_column_that_does_not_exist_is_named():
    with pytest.raises(InvalidInputError, match="'colour'"):
        read_samples(written("both", "last"), "k.csv", label_column="colour", kind="similarity")
