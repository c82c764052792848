"""Every kind takes every container that can hold it: one small file each."""

import contextlib
import io

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import savemat

from kernex_core import read_labels, read_samples
from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from kernex_core.inputs.tables import columnar as columnar_files
from kernex_core.inputs.tables.columnar import MOST_CELLS
from kernex_core.inputs.upload import open_upload
from tests.kernex_core.inputs.dialects import workbook_bytes
from tests.kernex_core.inputs.test_catalogue import mat_bytes, npz_bytes

K = np.array([[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]])
X = np.array([[1.5, 2], [2.5, 3], [0.5, 4]])
IDS = ["a", "b", "c"]


def saved(write, value):
    out = io.BytesIO()
    write(out, value)
    return out.getvalue()


def columnar(frame, kind):
    out = io.BytesIO()
    frame.to_parquet(out) if kind == "parquet" else frame.to_feather(out)
    return out.getvalue()


def sheet(values, top):
    return workbook_bytes([["", *top], *([i, *map(float, row)] for i, row in zip(IDS, values, strict=True))])


MATRICES = {
    "k.csv": pd.DataFrame(K, IDS, IDS).to_csv().encode(), "k.xlsx": sheet(K, IDS), "k.npy": saved(np.save, K),
    "k.npz": npz_bytes(K=K, ids=np.array(IDS)), "k.mat": mat_bytes(K=K),
    "k.parquet": columnar(pd.DataFrame(K, IDS, IDS), "parquet"), "s.npz": saved(sparse.save_npz, sparse.csr_array(K)),
    "c.npz": saved(sparse.save_npz, sparse.coo_array(K)), "v.npz": saved(sparse.save_npz, sparse.csc_array(K)),
    "k.feather": columnar(pd.DataFrame(K, columns=IDS).assign(name=IDS)[["name", *IDS]], "feather"),
}  # fmt: skip
VECTORS = {
    "x.csv": pd.DataFrame(X, IDS, ["s", "t"]).to_csv().encode(), "x.xlsx": sheet(X, ["s", "t"]),
    "x.npy": saved(np.save, X), "x.npz": npz_bytes(X=X, ids=np.array(IDS), columns=np.array(["s", "t"])),
    "x.mat": mat_bytes(X=X), "x.parquet": columnar(pd.DataFrame(X, IDS, ["s", "t"]), "parquet"),
    "x.feather": columnar(pd.DataFrame(X, columns=["s", "t"]).assign(id=IDS)[["id", "s", "t"]], "feather"),
    "s.npz": saved(sparse.save_npz, sparse.csr_array(X)),
}  # fmt: skip
UNNAMED = ("npy", "mat", "s.npz", "c.npz", "v.npz")


@pytest.mark.parametrize("kind", [None, "similarity"])
@pytest.mark.parametrize("name", MATRICES)
def test_matrices(name, kind):
    found = read_samples(MATRICES[name], name, kind)
    assert found.ids == tuple("123" if name.endswith(UNNAMED) else IDS)
    np.testing.assert_array_equal(found.gram.values, K)


@pytest.mark.parametrize("kind", [None, "vectors"])
@pytest.mark.parametrize("name", VECTORS)
def test_vectors(name, kind):
    found = read_samples(VECTORS[name], name, kind)
    assert found.kind == "vectors"
    assert found.ids == tuple("123" if name.endswith(UNNAMED) else IDS)
    np.testing.assert_array_equal(found.X, X)
    if not name.endswith(UNNAMED):
        assert found.columns == ("s", "t")


@pytest.mark.parametrize("name", ["k.npy", "k.npz", "k.mat", "k.xlsx", "k.parquet"])
def test_square_ones_may_be_vectors_all_the_same(name):
    np.testing.assert_array_equal(read_samples(MATRICES[name], name, "vectors").X, K)


@pytest.mark.parametrize("kind", ["parquet", "feather", "xlsx"])
def test_labels(kind):
    frame = pd.DataFrame({"id": IDS, "class": ["x", "y", "x"]})
    data = (
        workbook_bytes([["id", "class"], *frame.values.tolist()]) if kind == "xlsx" else columnar(frame, kind)
    )
    labels = read_labels(data, f"l.{kind}")
    assert (labels.ids, labels.y.tolist()) == (("a", "b", "c"), ["x", "y", "x"])


@pytest.mark.parametrize("name", ["x.npz", "x.mat"])
def test_classes_beside_vectors(name):
    arrays = {"X": X, "y": np.array([1, 2, 1])}
    found = read_samples(npz_bytes(**arrays) if name == "x.npz" else mat_bytes(**arrays), name)
    assert found.labels.y.tolist() == ["1", "2", "1"]


@pytest.mark.parametrize("shape", ["V n n", "n n V"])
def test_stacks_of_kernels(shape):
    stack = np.stack([K, 2 * K])
    data = saved(np.save, stack if shape == "V n n" else np.moveaxis(stack, 0, 2))
    found = read_samples(data, "k.npy")
    np.testing.assert_array_equal(found.gram.values, K)
    np.testing.assert_array_equal(found.others[0].gram.values, 2 * K)
    np.testing.assert_array_equal(read_samples(data, "k.npy", view=2).gram.values, 2 * K)


def test_stacks_that_nobody_can_tell_are_refused():
    with pytest.raises(InvalidInputError, match="which axis"):
        read_samples(saved(np.save, np.ones((3, 3, 3))), "k.npy")


def test_rows_of_other_items_are_said_to_be_left():
    found = read_samples(npz_bytes(K_train=K, K_test=np.ones((2, 3)), y=np.array(["u", "v", "u"])), "k.npz")
    assert found.labels.y.tolist() == ["u", "v", "u"]
    assert "K_test (2 × 3)" in " ".join(note.text for note in found.notes)


def test_columns_as_items():
    found = read_samples(b"gene,p1,p2,p3\ng1,1,2,3\ng2,4,5,6\n", "x.csv", "vectors", items="columns")
    assert (found.ids, found.columns) == (("p1", "p2", "p3"), ("g1", "g2"))
    assert found.X.tolist() == [[1, 4], [2, 5], [3, 6]]


def test_gct_has_samples_in_columns():
    text = b"#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\ng1\tna\t1\t2\t3\ng2\tna\t4\t5\t6\n"
    found = read_samples(text, "x.gct")
    assert (found.ids, found.columns) == (("s1", "s2", "s3"), ("g1", "g2"))
    assert read_samples(text, "x.gct", items="rows").X.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_series_without_values_says_where_they_are():
    with pytest.raises(InvalidInputError, match="supplementary"):
        read_samples(
            b'!Series_title\t"x"\n!series_matrix_table_begin\n"ID_REF"\t"G1"\n!series_matrix_table_end\n',
            "s.txt",
        )


def test_nested_columns_are_refused():
    frame = pd.DataFrame({"id": IDS, "x": [[1], [2], [3]]})
    with pytest.raises(InvalidInputError, match="type list"):
        read_samples(columnar(frame, "parquet"), "x.parquet", "vectors")


def test_what_says_to_have_too_many_values_is_refused_before_it_is_unpacked():
    frame = pd.DataFrame({"x": np.zeros(MOST_CELLS + 1)})
    with pytest.raises(TooLargeError, match="values"):
        read_samples(columnar(frame, "parquet"), "x.parquet", "vectors")


@pytest.mark.parametrize("kind", ["parquet", "feather"])
@pytest.mark.parametrize(
    ("values", "said"),
    [
        (pd.Categorical(["x" * 1_000] * 9_000), "9 MB of text"),  # one text, named by every row
        (["x" * 9_000_000, "y"], "unpack to more than 9 MB"),
        ([None] * 200_000, "200,000 items"),
    ],
)
def test_what_is_small_in_a_file_and_large_as_texts_is_refused(monkeypatch, kind, values, said):
    monkeypatch.setattr(columnar_files, "MOST_TEXT", 5_000_000)
    monkeypatch.setattr(columnar_files, "EXPANSION_LIMIT", 8_000_000)
    frame = pd.DataFrame({"x": values})
    if "text" in said:
        frame["y"] = 1.0
    data = columnar(frame, kind)
    assert len(data) < 1_000_000
    with pytest.raises(TooLargeError, match=said):
        read_samples(data, f"x.{kind}")


@pytest.mark.parametrize("kind", ["parquet", "feather", "npz"])
def test_damaged_files_are_refused(kind):
    frame = pd.DataFrame({"id": IDS, "x": [1.5, 2, 3], "y": [1.5, 2, 4]})
    whole = saved(sparse.save_npz, sparse.csr_array(X)) if kind == "npz" else columnar(frame, kind)
    rng = np.random.default_rng(0)
    for _ in range(60):
        data = bytearray(whole)
        for at in rng.integers(8, len(data) - 8, 3):
            data[at] = rng.integers(0, 256)
        with contextlib.suppress(KernexError):
            read_samples(bytes(data), f"x.{kind}", "vectors")


@pytest.mark.parametrize(
    "parts",
    [
        {"indptr": [0, 9, 9, 9]}, {"indices": [0, 1, 99]}, {"shape": [3, -1]}, {"shape": [10**12, 3]}, {"format": b"xyz"},
        {"indptr": [0, 1]},
    ],
)  # fmt: skip
def test_sparse_parts_that_lie_are_refused(parts):
    made = {
        "indices": [0, 1, 1],
        "indptr": [0, 1, 2, 3],
        "shape": [3, 2],
        "format": b"csr",
        "data": [1.0, 2.0, 3.0],
        **parts,
    }
    data = npz_bytes(**{key: np.array(value) for key, value in made.items()})
    for kind in (None, "vectors", "similarity"):
        with pytest.raises(KernexError):
            read_samples(data, "x.npz", kind)


def test_a_matlab_file_of_vectors_and_of_kernels_is_both():
    out = io.BytesIO()
    savemat(out, {"K": K, "X": X})
    assert read_samples(out.getvalue(), "x.mat").kind == "similarity"
    np.testing.assert_array_equal(read_samples(out.getvalue(), "x.mat", "vectors").X, X)


LISTS = {
    "network": pd.DataFrame({"source": ["a", "b", "a"], "target": ["b", "c", "c"], "weight": [0.5, 2, 1]}),
    "similarity": pd.DataFrame({"a": ["x", "x", "y"], "b": ["y", "z", "z"], "tm_score": [0.5, 0.25, 0.75]}),
}


@pytest.mark.parametrize("container", ["xlsx", "parquet", "feather"])
@pytest.mark.parametrize("kind", LISTS)
def test_lists_of_pairs(kind, container):
    frame = LISTS[kind]
    data = (
        columnar(frame, container)
        if container != "xlsx"
        else workbook_bytes([list(frame), *frame.values.tolist()])
    )
    found = read_samples(data, f"l.{container}")
    text = read_samples(frame.to_csv(index=False).encode(), "l.csv")
    assert (found.kind, found.ids) == (kind, text.ids)
    values = (
        (found.adjacency.toarray(), text.adjacency.toarray())
        if kind == "network"
        else (found.gram.values, text.gram.values)
    )
    np.testing.assert_array_equal(*values)
    # the recipe is that of the file itself
    assert found.recipe.keywords["sha256"] == open_upload(data, "l").sha256[:16]
