"""Labels in arrays: one column, or ids beside it, of NumPy or MATLAB; with no matrix among them."""

import io
import zipfile

import numpy as np
import pytest

from kernex_core import join_labels, read_labels, read_samples
from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload
from tests.kernex_core.inputs.dialects import workbook_bytes
from tests.kernex_core.inputs.test_catalogue import mat_bytes, npz_bytes

K = np.array([[2.0, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]])


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


FILES = {
    "words.npy": npy(np.array(["x", "y", "x", "y"])), "bytes.npy": npy(np.array([b"x", b"y", b"x", b"y"])),
    "whole.npy": npy(np.array([0, 1, 0, 1])), "column.npy": npy(np.array([[0.0], [1.0], [0.0], [1.0]])),
    "truth.npy": npy(np.array([False, True, False, True])), "y.mat": mat_bytes(y=np.array([[1], [2], [1], [2]])),
    "row.mat": mat_bytes(y=np.array([1, 2, 1, 2])),
}  # fmt: skip


def likeliest(name, data):
    return rank_formats(Upload(name, data))[0].format.name


@pytest.mark.parametrize("name", FILES)
def test_one_column_is_in_the_order_of_the_items(name):
    assert likeliest(name, FILES[name]) == "labels"
    labels = read_labels(FILES[name], name)
    assert labels.positional
    assert len(labels.classes) == 2
    items = read_samples(npz_bytes(values=K, ids=np.array(list("abcd"))), "k.npz")
    joined = join_labels(items, labels, by_position=True).labels
    assert joined.y[0] == joined.y[2] != joined.y[1] == joined.y[3]


def test_ids_beside_them_join():
    data = npz_bytes(y=np.array([1, 0, 1]), ids=np.array(["c", "a", "b"]))
    assert likeliest("l.npz", data) == "labels"
    labels = read_labels(data, "l.npz")
    assert (labels.ids, labels.y.tolist()) == (("c", "a", "b"), ["1", "0", "1"])


@pytest.mark.parametrize(
    ("name", "data", "way"),
    [
        ("k.npz", npz_bytes(K=K, y=np.array([0, 1, 0, 1])), "numpy"),  # a kernel with classes beside it
        ("x.npz", npz_bytes(X=np.arange(8.0).reshape(4, 2), y=np.array([0, 1, 0, 1])), "vector_arrays"),
        ("x.npy", npy(np.array([[0.3], [1.2], [0.7], [0.9]])), "vector_arrays"),  # one measurement an item
        (
            "d.npy",
            npy(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])),
            "numpy",
        ),  # distances of all pairs: refused
        ("k.mat", mat_bytes(K=np.eye(3), y=np.array([1, 2, 1])), "matlab"),
    ],
)
def test_what_is_more_than_columns_is_read_as_before(name, data, way):
    assert likeliest(name, data) == way


@pytest.mark.parametrize(
    "data",
    [
        npy(np.array(["x", "y", "x"]))[:-5],
        npz_bytes(y=np.array([0, 1, 0]), ids=np.array(["a", "b"])),  # of other lengths
        npy(np.array([[1, 2], [3, 4]])),
    ],
)
def test_no_columns(data):
    with pytest.raises(InvalidInputError):
        read_labels(data, "y.npy")


def test_a_workbook_with_such_a_part_is_a_workbook():
    out = io.BytesIO(workbook_bytes([["id", "class"], ["a", "x"], ["b", "y"], ["c", "x"]]))
    with zipfile.ZipFile(out, "a") as file:
        file.writestr("y.npy", npy(np.array([0, 1, 0])))
    assert likeliest("l.xlsx", out.getvalue()) == "labels"
    assert read_labels(out.getvalue(), "l.xlsx").y.tolist() == ["x", "y", "x"]
