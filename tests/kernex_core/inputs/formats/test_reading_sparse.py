"""Sparse vectors in every format that holds them: SVMlight, MatrixMarket, sparse .npz and sparse .mat."""

import contextlib
import gzip
import io
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import mmwrite, savemat
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from kernex_core import (
    GramMatrix,
    InvalidInputError,
    KernexError,
    SparseVectors,
    Tanimoto,
    TooLargeError,
    Vectors,
    read_samples,
)
from kernex_core.base import sparse_rows
from kernex_core.base.sparse_rows import MOST_COLUMNS
from kernex_core.gram.provenance import write_script
from kernex_core.inputs import sparse_vectors
from kernex_core.inputs.example import example_of
from kernex_core.inputs.formats.svmlight import sniff
from kernex_core.inputs.new_items import read_new_rows
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload, open_upload
from tests.conftest import REPOSITORY


def table(n=12, d=30, seed=0):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < 0.15, rng.normal(size=(n, d)), 0.0)
    X[0, d - 1], X[3] = 1.5, 0.0  # the last column occurs, and one row is all zeros
    return X


def written(write, *args, **named):
    out = io.BytesIO()
    write(out, *args, **named)
    return out.getvalue()


def lines(X, y, zero_based=False):
    out = io.BytesIO()
    dump_svmlight_file(sparse.csr_array(X), y, out, zero_based=zero_based)
    return out.getvalue()


Y = np.array([1, -1] * 6)
FORMATS = {
    "svmlight": (lambda X: lines(X, Y), "x.svm"),
    "svmlight, from 0": (lambda X: lines(np.roll(X, 1, axis=1), Y, zero_based=True), "x.libsvm"),
    "svmlight, packed": (lambda X: gzip.compress(lines(X, Y)), "x.svm.gz"),
    "npz": (lambda X: written(sparse.save_npz, sparse.csr_array(X)), "x.npz"),
    "npz, by columns": (lambda X: written(sparse.save_npz, sparse.csc_array(X)), "x.npz"),
    "npz, by entries": (lambda X: written(sparse.save_npz, sparse.coo_array(X)), "x.npz"),
    "mat": (lambda X: written(savemat, {"X": sparse.csc_array(X), "y": Y}), "x.mat"),
    "mat, packed": (
        lambda X: written(savemat, {"X": sparse.csc_array(X), "y": Y}, do_compression=True),
        "x.mat",
    ),
    "mat, no classes": (lambda X: written(savemat, {"X": sparse.csc_array(X)}), "x.mat"),
    "mtx": (lambda X: written(mmwrite, sparse.coo_array(X)), "x.mtx"),
    "mtx, dense": (lambda X: written(mmwrite, X), "x.mtx"),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("zeros", ["auto", "left out", "written"])
def test_every_format_gives_the_same_vectors_with_or_without_zeros(name, zeros, tmp_path, monkeypatch):
    make, filename = FORMATS[name]
    X = table()
    if name == "svmlight, from 0":
        X[:, 29] = np.arange(12)  # becomes feature 0
    data = make(X)
    options = {} if zeros == "auto" or name == "mtx, dense" else {"zeros": zeros}
    made = read_samples(data, filename, **options)
    X = np.roll(X, 1, axis=1) if name == "svmlight, from 0" else X
    held = sparse.csr_array(made.X).toarray()
    assert held == pytest.approx(X[:, : held.shape[1]], rel=1e-14, abs=1e-15)
    assert not X[:, held.shape[1] :].any()
    assert isinstance(made, SparseVectors if options.get("zeros") == "left out" else Vectors)
    assert (
        any("not listed" in each.action or "only these are held" in each.text for each in made.notes)
        or not options
    )
    labelled = "svmlight" in name or name in ("mat", "mat, packed")
    assert (made.labels is not None) is labelled
    if labelled:
        assert made.labels.y.tolist() == [str(int(each)) for each in Y]
    # its script reads the same
    (tmp_path / filename).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(write_script([made.recipe], heading="A test"), names)
    assert names["samples"] == made
    assert names["samples"].digest == made.digest


def test_large_ones_are_held_without_zeros_and_the_half_full_with(monkeypatch):
    monkeypatch.setattr(sparse_vectors, "WRITTEN_LIMIT", 100)
    made = read_samples(lines(table(), Y), "x.svm")
    assert isinstance(made, SparseVectors)
    assert made.X.shape == (12, 30)
    assert any("12 × 30 numbers" in note.text and "Tanimoto" in note.action for note in made.notes)
    full = np.abs(table()) + 1.0
    assert isinstance(read_samples(lines(full, Y), "x.svm"), Vectors)


@given(
    st.lists(
        st.tuples(st.sampled_from(["+1", "-1", "0.5", "3"]), st.dictionaries(st.integers(1, 40), st.floats(-1e6, 1e6))),
        min_size=2, max_size=6,
    ),
    st.booleans(),
)  # fmt: skip
def test_as_scikit_learn_reads_it(rows, zero_based):
    shift = int(zero_based)
    text = "\n".join(
        " ".join([label, *(f"{k - shift}:{v!r}" for k, v in sorted(pairs.items()))]) for label, pairs in rows
    )
    try:
        X, y = load_svmlight_file(io.BytesIO(text.encode()))
    except ValueError:
        X = np.zeros((len(rows), 0))
    try:
        made = read_samples(text.encode(), "x.svm", format="svmlight", zeros="left out")
    except InvalidInputError:
        assert 0 in X.shape or not any(pairs for _, pairs in rows)
        return
    np.testing.assert_array_equal(made.X.toarray(), X.toarray())
    np.testing.assert_array_equal(made.labels.y.astype(float), y)


@pytest.mark.parametrize(
    ("text", "y", "ids"),
    [
        ("+1 1:1\n-1 2:1\n1.0 1:2\n", ["1", "-1", "1"], "123"),
        ("0.5 1:1\n-0.25 2:1\n", ["0.5", "-0.25"], "12"),
        ("1:1 2:3\n2:1\n", None, "12"),
        ("? 1:1\n1 2:1\n", ["", "1"], "12"),
        ("# said on top\n\n1 1:1 # a\n-1 2:1 # b\n", ["1", "-1"], "ab"),
        ("1 1:1 # a\n-1 2:1 # a\n", ["1", "-1"], "12"),
        ("1\t1:1\t3:2\r\n-1\t2:1\r\n", ["1", "-1"], "12"),
        ("1 3:1 1:2\n-1 2:1\n", ["1", "-1"], "12"),
        ("1\n-1 2:1\n", ["1", "-1"], "12"),
    ],
)  # fmt: skip
def test_labels_comments_and_order(text, y, ids):
    made = read_samples(text.encode(), "x.svm", format="svmlight")
    assert made.ids == tuple(ids)
    assert (None if made.labels is None else made.labels.y.tolist()) == y


def test_groups_behind_qid():
    made = read_samples(b"3 qid:1 1:0.5 3:1.2\n2 qid:1 2:0.3 3:1\n1 qid:2 1:1\n", "a.dat")
    assert made.labels.groups.tolist() == ["1", "1", "2"]
    assert made.labels.y.tolist() == ["3", "2", "1"]
    assert made.X.tolist() == [[0.5, 0, 1.2], [0, 0.3, 1], [1, 0, 0]]
    with pytest.raises(InvalidInputError, match="none in line 2"):
        read_samples(b"3 qid:1 1:0.5\n2 2:0.3\n", "a.dat", format="svmlight")


def test_the_first_index_is_found_or_said():
    one, zero = b"1 1:5 2:6\n-1 2:7\n", b"1 0:5 2:6\n-1 1:7\n"
    assert read_samples(one, "x.svm").X.tolist() == [[5, 6], [0, 7]]
    assert read_samples(zero, "x.svm").X.tolist() == [[5, 0, 6], [0, 7, 0]]
    assert any("counted from 0" in note.action for note in read_samples(zero, "x.svm").notes)
    assert read_samples(one, "x.svm", first_index="0").X.tolist() == [[0, 5, 6], [0, 0, 7]]
    with pytest.raises(InvalidInputError, match=r"begin with 1\. Found: index 0 in line 1"):
        read_samples(zero, "x.svm", first_index="1")


def test_the_number_of_features_can_be_said():
    assert read_samples(b"1 1:5\n-1 2:7\n", "x.svm", features=4).X.shape == (2, 4)
    with pytest.raises(InvalidInputError, match="among the 1 that there are"):
        read_samples(b"1 1:5\n-1 2:7\n", "x.svm", features=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"1 1:x\n-1 2:1\n", "finite number. Found: 'x' at index 1 of line 1"),
        (b"1 1:1\n-1 2:nan\n", "'nan' at index 2 of line 2"),
        (b"1 1:1\n-1 2:-inf\n", "'-inf' at index 2 of line 2"),
        (b"1 1:1_0\n-1 2:1\n", "'1_0' at index 1 of line 1"),
        (b"1 -3:1\n-1 2:1\n", "begin with 0. Found: index -3 in line 1"),
        (b"1 1:1 1:2\n-1 2:1\n", "stands once. Found: index 1 twice in line 1"),
        (b"1 1:1 two 3:1\n-1 2:1\n", "index:value .* Found: 'two' in line 1"),
        (b"1 1:2:3 4\n-1 2:1\n", "'2:3' at index 1 of line 1"),
        (b"1 a:1\n-1 2:1\n", "'a:1' in line 1"),
        (b"1,3 1:1\n2 2:1\n", "one label. Found: '1,3' in line 1"),
        (b"1 9223372036854775808:1\n1 1:1\n", "An index .* at most"),
        (b"1 999999999999999999999:1\n1 1:1\n", "An index .* at most"),
        (b"1\n-1\n", "no such line"),
        (b"1 1:1\n", "at least two rows"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(text, said):
    with pytest.raises(InvalidInputError, match=said):
        read_samples(text, "x.svm", format="svmlight")


@pytest.mark.parametrize("index", [MOST_COLUMNS + 1, 2**31, 2**40, 2**62])
def test_indices_beyond_the_limit_are_refused_by_their_line_and_take_no_room(index):
    text = f"1 1:1\n-1 {index}:1\n".encode()
    tracemalloc.start()
    with pytest.raises(TooLargeError, match=f"index {index:,} in line 2"):
        read_samples(text, "x.svm")
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_memory_goes_with_the_file_and_not_with_the_largest_index():
    text = "".join(f"{k % 2} {k + 1}:1 {MOST_COLUMNS - k}:1\n" for k in range(50)).encode()
    tracemalloc.start()
    made = read_samples(text, "x.svm")
    K = Tanimoto().similarities(made)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
    assert made.X.shape == (50, MOST_COLUMNS)
    assert np.array_equal(K.values, np.eye(50))


def test_too_many_entries_or_items_are_refused_before_room_is_taken(monkeypatch):
    with pytest.raises(TooLargeError, match="6 items"):
        read_samples(lines(table(), Y), "x.svm", limit=5)
    monkeypatch.setattr(sparse_rows, "MOST_ENTRIES", 10)
    for name in ("svmlight", "mtx", "npz", "mat"):
        make, filename = FORMATS[name]
        with pytest.raises(TooLargeError, match="entries"):
            read_samples(make(table()), filename, zeros="left out")


def test_what_is_too_much_to_write_is_refused(monkeypatch):
    monkeypatch.setattr(sparse_vectors, "VALUE_LIMIT", 100)
    with pytest.raises(TooLargeError, match="12 rows of 30 columns"):
        read_samples(lines(table(), Y), "x.svm", zeros="written")


@pytest.mark.parametrize("seed", range(60))
def test_any_damage_ends_in_vectors_or_a_sentence(seed):
    rng = np.random.default_rng(seed)
    make, filename = list(FORMATS.values())[seed % len(FORMATS)]
    data = bytearray(make(table()))
    for _ in range(4):
        data[rng.integers(len(data))] = rng.integers(256)
    with contextlib.suppress(KernexError):  # nothing else may come out
        made = read_samples(bytes(data), filename, kind="vectors")
        assert made.n == len(made.ids)


def test_square_market_files_are_offered_as_vectors_and_oblong_ones_are_guessed_to_be():
    square = Upload("x.mtx", written(mmwrite, sparse.coo_array(np.eye(4))))
    names = [guess.format.name for guess in rank_formats(square) if guess.confidence > 0]
    assert names[-1] == "matrix_market_vectors"
    assert read_samples(square, "x.mtx", kind="vectors").X.tolist() == np.eye(4).tolist()
    oblong = written(mmwrite, sparse.coo_array(table()))
    assert rank_formats(Upload("x.mtx", oblong))[0].format.name == "matrix_market_vectors"
    columns = read_samples(oblong, "x.mtx", items="columns")
    assert pytest.approx(table()) == columns.X.T
    for kind in ("network", "similarity"):
        with pytest.raises(InvalidInputError, match="read it as vectors"):
            read_samples(oblong, "x.mtx", kind=kind)


def test_entries_of_a_market_file_stay_inside_its_rows_and_columns():
    head = b"%%MatrixMarket matrix coordinate real general\n2 3 1\n"
    assert read_samples(head + b"2 3 7\n", "x.mtx").X.tolist() == [[0, 0, 0], [0, 0, 7]]
    with pytest.raises(InvalidInputError, match="row 3 and column 2 of 2 × 3"):
        read_samples(head + b"3 2 7\n", "x.mtx")
    with pytest.raises(InvalidInputError, match="as many rows as columns"):
        read_samples(head.replace(b"general", b"symmetric") + b"2 2 7\n", "x.mtx", kind="vectors")


def test_unknown_entries_are_unknown_where_zeros_are_written_and_refused_where_not():
    text = b"%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 nan\n2 3 7\n"
    assert np.isnan(read_samples(text, "x.mtx").X[0, 0])
    with pytest.raises(InvalidInputError, match="unknown entry in row '1', column 1"):
        read_samples(text, "x.mtx", zeros="left out")


def test_sparse_variables_of_matlab_are_chosen_by_name():
    X = table()
    data = written(
        savemat, {"A": sparse.csc_array(X), "B": sparse.csc_array(2 * X != 0), "ids": np.arange(12.0)}
    )
    made = read_samples(data, "x.mat", key="B")
    assert set(np.unique(made.X)) == {0.0, 1.0}
    assert made.ids == tuple(map(str, range(12)))
    assert any("A" in note.text for note in made.notes)


def test_a_square_sparse_variable_of_matlab_is_a_similarity():
    K = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 0.0, 2.0]])
    data = written(savemat, {"K": sparse.csc_array(K), "y": np.array([1, 2, 1])})
    made = read_samples(data, "k.mat")
    assert made.gram.values.tolist() == K.tolist()
    assert made.labels.y.tolist() == ["1", "2", "1"]
    assert any("5 entries" in note.text for note in made.notes)
    assert read_samples(data, "k.mat", kind="vectors").X.tolist() == K.tolist()
    with pytest.raises(TooLargeError, match="3 items"):
        read_samples(data, "k.mat", kind="similarity", limit=2)


def test_new_items_of_a_second_file_are_compared_with_those_of_the_first():
    whole = table()
    whole = np.where(whole != 0.0, 1.0, 0.0)
    whole[:, -1] = np.arange(12) < 6  # the last feature is one of the first file alone
    old = read_samples(lines(whole[:6], Y[:6]), "old.svm", zeros="left out")
    new = read_samples(lines(whole[6:], Y[6:]), "new.svm", zeros="left out", features=old.X.shape[1])
    assert Tanimoto().cross(new.X, old.X) == pytest.approx(Tanimoto().gram(whole)[6:, :6])
    with pytest.raises(InvalidInputError, match="same columns"):
        Tanimoto().cross(read_samples(lines(whole[6:], Y[6:]), "new.svm").X, old.X)


def test_a_market_file_of_a_pattern_is_one_of_bits():
    head = b"%%MatrixMarket matrix coordinate pattern general\n3 4 4\n1 1\n2 1\n2 4\n3 4\n"
    made = read_samples(head, "x.mtx", zeros="left out")
    assert Tanimoto().similarities(made).values.tolist() == [
        [1.0, 0.5, 0.0],
        [0.5, 1.0, 0.5],
        [0.0, 0.5, 1.0],
    ]


def test_a_table_of_text_is_no_sparse_file():
    for text in (b"id,x\na,1\nb,2\n", b"12:30 13:40\n", b">a:1\nACDE\n", b"a 1:2\nb 2:3\n", b"1 2\n3 4\n"):
        assert sniff(Upload("x.txt", text)) == 0.0


def test_vectors_without_labels_are_known_by_their_ending():
    assert read_samples(b"1:1 2:3\n2:1\n", "x.svm").X.tolist() == [[1, 3], [0, 1]]
    assert sniff(Upload("x.txt", b"1:1 2:3\n2:1\n")) == 0.0


def test_lines_are_looked_at_once_however_long_they_are():
    """No other format is tried: each would take the lines apart into columns."""
    text = b"\n".join(b"1 " + b" ".join(b"%d:1" % k for k in range(1, 400)) for _ in range(30))
    found = [guess.format.name for guess in rank_formats(Upload("x.txt", text)) if guess.confidence > 0]
    assert found == ["svmlight"]


def test_an_example_of_what_was_read_is_its_first_item_that_has_anything():
    made = read_samples(b"1\n-1 2:1 7:0.5 9:1\n1 9:1\n", "x.svm", format="svmlight", zeros="left out")
    assert example_of(made) == "2 → number 2 is 1, number 7 is 0.5, …; 3 of 9 not zero"


def refused(text, said, filename="x.svm", **options):
    with pytest.raises(KernexError, match=said):
        read_samples(text, filename, **options)
    return True


MARKET = b"%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 nan\n2 3 7\n"
IN_THE_TABLE = {
    "an index of 0": lambda: read_samples(b"1 0:5\n-1 1:7\n", "x.svm").X.tolist() == [[5, 0], [0, 7]]
    and read_samples(b"1 1:5\n-1 2:7\n", "x.svm", first_index="0").X.shape == (2, 3),
    "last features that do not occur": lambda: read_samples(b"1 2:5\n-1 1:7\n", "x.svm").X.shape == (2, 2)
    and read_samples(b"1 2:5\n-1 1:7\n", "x.svm", features=9).X.shape == (2, 9),
    "labels in front": lambda: read_samples(b"+1 1:5\n? 2:7\n1.0 1:2\n0.5 1:2\n", "x.svm").labels.y.tolist()
    == ["1", "", "1", "0.5"],
    "no labels in any line": lambda: read_samples(b"1:5\n2:7\n", "x.svm").labels is None,
    "a group behind the label (`qid:3`)": lambda: read_samples(b"1 qid:3 1:5\n2 qid:4 2:7\n", "x.svm").labels.groups.tolist()
    == ["3", "4"],
    "a comment behind # in every line, none twice": lambda: read_samples(b"1 1:5 #a\n2 2:7 # b\n", "x.svm").ids
    == ("a", "b"),
    "several classes in one line (`1,3`)": lambda: refused(b"1,3 1:5\n2 2:7\n", "in line 1", format="svmlight"),
    "an index twice in a line, a negative one, one above 10,000,000": lambda: refused(b"1 1:5 1:2\n", "in line 1")
    and refused(b"1 -1:5\n", "in line 1", format="svmlight") and refused(b"1 1:5\n1 10000001:5\n", "in line 2"),
    "an entry that is unknown or infinite": lambda: refused(b"1 1:nan\n2 2:1\n", "line 1")
    and refused(MARKET, "row '1'", "x.mtx", zeros="left out") and np.isnan(read_samples(MARKET, "x.mtx").X[0, 0]),
    "lines of whole numbers that ascend, of several lengths (DOROTHEA's `.data`)": lambda: read_samples(
        b"1 3\n2 3 5\n\n1 2 4 5\n", "x.data", zeros="written"
    ).X.tolist() == [[1, 0, 1, 0, 0], [0, 1, 1, 0, 1], [0, 0, 0, 0, 0], [1, 1, 0, 1, 1]],
    "rows of LIBSVM's precomputed kernels (`0:1`, `0:2`, …)": lambda: read_samples(
        b"1 0:1 1:2 2:0.5\n-1 0:2 1:0.5 2:1\n", "k.svm"
    ).kind == "similarity",
}  # fmt: skip


def test_the_table_of_the_documentation_says_what_is_tried_here():
    text = (
        (REPOSITORY / "docs" / "formats.md")
        .read_text()
        .partition("## Sparse vectors")[2]
        .partition("\n## ")[0]
    )
    lines = [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]
    assert lines[1:] == list(IN_THE_TABLE)


@pytest.mark.parametrize("found", IN_THE_TABLE)
def test_a_line_of_the_table_is_true(found):
    assert IN_THE_TABLE[found]()


def test_lines_of_indices_are_what_items_have(rng):
    X = rng.random((9, 40)) < 0.3
    X[4] = False
    data = "\n".join(" ".join(str(k + 1) for k in np.flatnonzero(row)) for row in X).encode() + b"\n"
    for zeros in ("written", "left out"):
        made = read_samples(data, "dorothea_train.data", zeros=zeros)
        found = made.X if zeros == "written" else made.X.toarray()
        np.testing.assert_array_equal(found, X[:, : found.shape[1]].astype(float))
    assert read_samples(data, "x.data", features=60).X.shape == (9, 60)
    from_zero = b"0 3 5\n1 2\n0 1 2 4\n"
    assert read_samples(from_zero, "x.data").X.tolist() == [
        [1, 0, 0, 1, 0, 1], [0, 1, 1, 0, 0, 0], [1, 1, 1, 0, 1, 0]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"1 5 9\n2 7\n5 1 9 11\n", "1 behind 5 in line 3"),
        (b"1 5 9\n2 7\n1 2 2\n", "2 behind 2 in line 3"),
        (b"1 5 9\n2 x\n1 2 4\n", "'x' in line 2"),
        (b"0 5 9\n2 7\n1 2 4\n", "0 in x.data"),
        (b"1 5 9\n2 7\n1 2 99999999999\n", "99,999,999,999 in x.data"),
    ],
)
def test_lines_of_indices_that_are_none_are_refused(data, sentence):
    options = {"first_index": "1"} if data.startswith(b"0") else {}
    with pytest.raises(InvalidInputError, match=sentence):
        read_samples(data, "x.data", format="ones", **options)


@pytest.mark.parametrize(
    "data",
    [
        b"1 2 3\n2 3\n3 4\n4 5 6 7\n",  # nodes and their neighbours
        b"1 2 3\n4 5 6\n7 8 9\n",  # a table
        b"3 1 2\n1 2\n5 4 3 2\n",
        b"1 5\n2 7\n",
    ],
)
def test_other_lines_of_whole_numbers_are_no_indices(data):
    assert not any(
        guess.confidence for guess in rank_formats(open_upload(data, "x.data")) if guess.format.name == "ones"
    )


@pytest.mark.parametrize("new", [b"+1 1:1 4:1\n-1 2:1\n", b"1 4\n2\n1 2 3\n2 3 4\n"])
def test_new_items_that_are_sparse_vectors_say_how_they_become_similarities(new):
    K = GramMatrix(np.eye(3), ids=("1", "2", "3"), name="K")
    with pytest.raises(InvalidInputError, match=r"kernel\.cross\(new\.X, known\.X\)"):
        read_new_rows(new, "new.svm", K)
    # and what it says can be done
    known = read_samples(b"1 1:1 3:1\n2 2:1 4:1\n1 1:1\n", "known.svm", zeros="left out")
    options = {"zeros": "left out", "features": known.X.shape[1]}
    out = io.BytesIO()
    np.save(out, Tanimoto().cross(read_samples(new, "new.svm", **options).X, known.X))
    rows = read_new_rows(out.getvalue(), "new.npy", K)
    assert rows.cross.shape[1] == 3
    assert rows.cross[0, 2] == 0.5
