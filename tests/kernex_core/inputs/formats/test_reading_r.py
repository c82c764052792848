"""Files of R: matrices, dists, vectors, factors and data frames, written by hand, by rdata and by R itself."""

import bz2
import contextlib
import gzip
import lzma
import shutil
import struct
import subprocess
import tracemalloc

import numpy as np
import pytest

from kernex_core import InvalidInputError, KernexError, TooLargeError, read_labels, read_samples
from kernex_core.inputs import r_parser
from kernex_core.inputs.formats import r_file
from kernex_core.inputs.r_objects import r_objects
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload
from kernex_core.studies.data import read_asking
from tests.kernex_core.inputs.formats.r_files import (
    NIL,
    NULL,
    Raw,
    by_columns,
    characters,
    dist,
    factor,
    frame,
    function,
    head,
    integer,
    listed,
    logical,
    matrix,
    rdata,
    rds,
    real,
    sequence,
    short,
    texts,
    word,
)

K = np.array([[2.0, 1.0, 0.5], [1.0, 2.0, np.nan], [0.5, np.nan, 2.0]])
ABC = ["a", "b", "c"]


def opened(data, name="k.rds"):
    return r_objects(Upload(name, data))


def text_of(notes):
    return " ".join(f"{note.text} {note.action}" for note in notes)


# what is read


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("version", [2, 3])
def test_a_matrix_with_names(pack, version):
    made = read_samples(pack(rds(matrix(K, ABC, ABC), version)), "K.rds")
    assert (made.kind, made.ids) == ("similarity", ("a", "b", "c"))
    assert np.array_equal(made.gram.values, K, equal_nan=True)
    assert made.gram.name == "K"


def test_na_is_unknown_without_a_warning():
    """R's NA is a NaN that signals: sums of it would warn."""
    found = opened(rds(matrix(K, ABC, ABC))).arrays[""].values
    with np.errstate(all="raise"):
        assert np.isnan(found + found.T).sum() == 2
    whole = opened(rds(integer([3, None]))).arrays[""].values
    assert whole[0] == 3
    assert np.isnan(whole[1])


def test_whole_numbers_and_truth_values():
    assert read_samples(rds(matrix([[2, 1], [1, 2]], write=integer)), "k.rds").gram.values[0, 1] == 1.0
    assert opened(rds(logical([True, False, None]))).arrays[""].values[:2].tolist() == [1.0, 0.0]


def test_columns_in_another_order_are_brought_into_that_of_the_rows():
    made = read_samples(rds(matrix([[1, 2], [4, 1]], ["a", "b"], ["b", "a"])), "k.rds", symmetrise="max")
    assert made.gram.values.tolist() == [[2.0, 1.0], [1.0, 4.0]]
    assert "different order" in text_of(made.notes)


def test_a_dist_that_is_chosen_beside_a_matrix_is_one_of_distances():
    data = rdata(
        K=matrix(np.eye(4), list("pqrs"), list("pqrs")), d=dist([1, 2, 3, 4, 5, 6], 4, ["p", "q", "r", "s"])
    )
    found = read_asking(Upload("k.rda", data), "r", r_file.ROptions(key="d"), {})
    assert found.options.meaning == "distance"
    assert found.result.gram.values[0, 0] == 1.0


def test_a_dist_is_one_of_distances():
    data = rds(dist([1, 2, 3, 4, 5, 6], 4, ["p", "q", "r", "s"]))
    made = read_samples(data, "d.rds", conversion="max_minus")
    assert made.ids == ("p", "q", "r", "s")
    assert (6 - made.gram.values).tolist() == [[0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]]
    assert made.recipe.keywords["meaning"] == "distance"
    upload = Upload("d.rds", data)
    assert r_file.suggest(upload).options.meaning == "distance"
    (question,) = r_file.ask(upload, {})
    assert question.decided == "distance"
    assert question.example == "p and q: 1"
    assert read_samples(data, "d.rds", meaning="similarity").gram.values[0, 1] == 1.0


def test_a_simil_of_proxy_holds_similarities_with_an_unknown_diagonal():
    made = read_samples(rds(dist([0.5, 0.25, 0.125], 3, classes=("simil", "dist"))), "s.rds")
    assert made.gram.values[2].tolist()[:2] == [0.25, 0.125]
    assert np.isnan(np.diag(made.gram.values)).all()


def test_objects_are_chosen_by_name():
    data = rdata(
        d=dist([1.0], 2, ["a", "b"]), K=matrix(K, ABC, ABC), G=matrix(np.eye(2), ["a", "b"], ["a", "b"])
    )
    upload = Upload("all.RData", data)
    assert r_file.suggest(upload).choices == {"key": ("", "d", "K", "G")}
    assert read_samples(data, "all.RData").ids == ("a", "b", "c")  # K
    assert read_samples(data, "all.RData", key="G").gram.values.tolist() == [[1, 0], [0, 1]]
    assert "The file holds the square objects d, K, G." in text_of(read_samples(data, "all.RData").notes)
    with pytest.raises(InvalidInputError, match=r"'Q'; it holds d \(2 × 2\), K \(3 × 3\), G \(2 × 2\)"):
        read_samples(data, "all.RData", key="Q")


def test_classes_in_one_file_are_joined_by_their_names():
    y = factor(["v", None, "u"], ["c", "b", "a"])
    made = read_samples(rdata(K=matrix(K, ABC, ABC), y=y), "ky.rda")
    assert made.labels.y.tolist() == ["u", "", "v"]
    by_order = read_samples(rdata(K=matrix(K, ABC, ABC), labels=texts(["u", "v", "v"])), "ky.rda")
    assert by_order.labels.y.tolist() == ["u", "v", "v"]
    numbers = read_samples(rdata(K=matrix(K), y=integer([1, 2, None])), "ky.rda")
    assert numbers.labels.y.tolist() == ["1", "2", ""]
    wrong = read_samples(rdata(K=matrix(K, ABC, ABC), y=integer([1, 2])), "ky.rda")
    assert wrong.labels is None
    assert "y is left out: it has 2 entries, where 3 items need one each." in text_of(wrong.notes)


def test_elements_of_a_list_are_objects():
    inside = listed([matrix(K, ABC, ABC), texts(["u", "v", "u"])], ["K", "y"])
    assert read_samples(rds(inside), "k.rds").labels.y.tolist() == ["u", "v", "u"]
    assert list(opened(rdata(bag=inside), "k.rda").arrays) == ["bag$K"]
    assert read_samples(rdata(bag=inside), "k.rda").labels is not None
    twice = opened(rds(listed([real([1]), real([2])], ["x", "x"])))
    assert list(twice.arrays) == ["x", "x_2"]


def test_an_array_of_three_dimensions_is_kernels_with_their_names():
    stack = np.stack([np.eye(3), 2 * np.eye(3)], axis=2)
    made = read_samples(rds(matrix(stack, ABC, ABC, more=(["one", "two"],))), "k.rds")
    assert [each.gram.name for each in (made, *made.others)] == ["k one", "k two"]
    assert made.others[0].gram.values[1, 1] == 2.0
    assert read_samples(rds(matrix(stack)), "k.rds", view=2).gram.name == "k 2"
    with pytest.raises(InvalidInputError, match="Ask for one of 1 to 2"):
        read_samples(rds(matrix(stack)), "k.rds", view=3)


def test_a_matrix_that_is_not_square_is_vectors():
    X = matrix([[1, 2], [3, 4], [5, 7]], ABC, ["g", "h"])
    made = read_samples(rdata(X=X, y=factor(["u", "v", "u"]), other=real([1])), "x.rda")
    assert (made.kind, made.ids, made.columns) == ("vectors", ("a", "b", "c"), ("g", "h"))
    assert made.X.tolist() == [[1, 2], [3, 4], [5, 7]]
    assert made.labels.y.tolist() == ["u", "v", "u"]
    assert "Other arrays of the file: other." in text_of(made.notes)


def test_sparse_matrices_of_the_package_matrix():
    X = by_columns([0, 2, 1], [0, 2, 3], [5, 7, 9], [3, 2], (ABC, ["g", "h"]))
    made = read_samples(rdata(X=X, y=factor(["u", "v", "u"])), "x.rda")
    assert (made.kind, made.ids, made.columns) == ("vectors", ("a", "b", "c"), ("g", "h"))
    assert made.X.tolist() == [[5, 0], [0, 9], [7, 0]]
    assert made.labels.y.tolist() == ["u", "v", "u"]
    held = read_samples(rds(X), "x.rds", zeros="left out")
    assert held.X.toarray().tolist() == made.X.tolist()
    pattern = by_columns([0], [0, 1, 1], None, [3, 2], kind="ngCMatrix")
    assert opened(rds(pattern)).sparse[""].rows.toarray().tolist() == [[1, 0], [0, 0], [0, 0]]
    triplets = by_columns([0, 0], [0, 0], [1, 2], [2, 2], kind="dgTMatrix", j=integer([1, 1]))
    assert opened(rds(triplets)).sparse[""].rows.toarray().tolist() == [[0, 3], [0, 0]]


def test_a_symmetric_sparse_matrix_is_a_triangle():
    K = by_columns(
        [0, 0, 1], [0, 1, 3], [2, 1, 3], [2, 2], (["a", "b"], None), "dsCMatrix", uplo=texts(["U"])
    )
    made = read_samples(rds(K), "k.rds")
    assert (made.kind, made.ids) == ("similarity", ("a", "b"))
    assert made.gram.values.tolist() == [[2, 1], [1, 3]]
    assert "What is not listed is 0." in text_of(made.notes)


def test_networks_as_matrices():
    A = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    found = read_samples(rds(matrix(A, ABC, ABC, write=integer)), "a.rds")
    assert (found.kind, found.ids) == ("network", ("a", "b", "c"))
    assert found.adjacency.toarray().tolist() == A
    listed_ones = by_columns([1, 0, 2, 1], [0, 1, 3, 4], [1] * 4, [3, 3])
    assert read_samples(rds(listed_ones), "a.rds").adjacency.toarray().tolist() == A
    weighted = matrix([[0, 2, 0], [2, 0, 5], [0, 5, 0]], ABC, ABC)
    assert read_samples(rds(weighted), "a.rds", kind="network").adjacency.toarray()[1, 2] == 5
    with pytest.raises(InvalidInputError, match="A network is one matrix"):
        read_samples(rds(matrix(np.zeros((2, 2, 2)))), "a.rds", kind="network")


def test_a_data_frame_is_a_table():
    data = rds(
        frame(["r1", "r2"], x=real([1.5, None]), n=integer([4, None]), z=real([2, 3]), g=factor(["u", "v"]))
    )
    made = read_samples(data, "df.rds")
    assert (made.kind, made.ids, made.columns) == ("vectors", ("r1", "r2"), ("x", "n", "z"))
    assert np.array_equal(made.X, [[1.5, 4, 2], [np.nan, np.nan, 3]], equal_nan=True)
    counted = read_samples(rds(frame(x=real([1, 2]), y=real([3, 4]), z=real([2, 3]))), "df.rds")
    assert counted.ids == ("1", "2")


def test_a_square_data_frame_is_a_matrix():
    made = read_samples(rds(frame(["a", "b"], a=real([2, 1]), b=real([1, 2]))), "df.rds")
    assert (made.kind, made.ids) == ("similarity", ("a", "b"))


def test_one_of_several_data_frames_is_chosen():
    data = rdata(p=frame(x=real([1, 2]), z=real([2, 3])), q=frame(x=real([5, 6]), z=real([7, 8])))
    upload = Upload("two.rda", data)
    assert rank_formats(upload)[0].format.suggest(upload).choices["sheet"] == ("", "q")
    assert read_samples(data, "two.rda", kind="vectors", sheet="q").X[0, 0] == 5
    with pytest.raises(InvalidInputError, match="'w'; it holds p"):
        read_samples(data, "two.rda", kind="vectors", sheet="w")


def test_columns_of_a_data_frame_as_texts():
    day, second = texts(["Date"]), texts(["POSIXct", "POSIXt"])
    whole = struct.unpack(">2d", struct.pack(">2q", 9007199254740993 - 1, -(2**63)))
    found = opened(rds(frame(
        d=real([18262, None], class_=day), t=real([1577934245.5, 0], class_=second), l=logical([True, None]),
        s=texts([None, "ä"]), w=Raw(real([0, 0], class_=texts(["integer64"])).bytes([]).replace(
            bytes(16), struct.pack(">2d", *whole), 1)),
    ))).frames[""]  # fmt: skip
    assert found.columns["d"] == ("2020-01-01", "")
    assert found.columns["t"] == ("2020-01-02T03:04:05", "1970-01-01T00:00:00")
    assert found.columns["l"] == ("TRUE", "")
    assert found.columns["s"] == ("", "ä")
    assert found.columns["w"][1] == ""


def test_named_classes_alone_are_labels():
    found = read_labels(rds(factor(["u", "v"], ["a", "b"])), "y.rds")
    assert dict(zip(found.ids, found.y.tolist(), strict=True)) == {"a": "u", "b": "v"}
    assert read_labels(rds(frame(id=texts(["a", "b"]), label=texts(["u", "v"]))), "l.rds").ids == ("a", "b")
    by_order = read_labels(rds(texts(["u", "v", "u"])), "y.rds")
    assert by_order.positional
    assert by_order.y.tolist() == ["u", "v", "u"]
    with pytest.raises(InvalidInputError, match="read_labels reads it"):
        read_samples(rds(factor(["u", "v"], ["a", "b"])), "y.rds")


def test_texts_in_latin_and_in_utf():
    latin = Raw(word(16, 1) + characters("ä".encode("latin-1"), 0x4009))
    assert opened(rds(latin)).texts[""].texts == ("ä",)
    assert opened(rds(texts(["ä", None]))).texts[""].texts == ("ä", "")


def test_short_forms_are_written_out():
    assert opened(rds(sequence(4))).arrays[""].values.tolist() == [1, 2, 3, 4]
    assert opened(rds(sequence(3, 5, -1))).arrays[""].values.tolist() == [5, 4, 3]
    real_ones = sequence(2, 0.5, 0.25, "compact_realseq")
    assert opened(rds(real_ones)).arrays[""].values.tolist() == [0.5, 0.75]
    of_numbers = short("deferred_string", word(2) + real([1, 2.5, None]).bytes([]) + word(13, 1, 0))
    assert opened(rds(of_numbers)).texts[""].texts == ("1", "2.5", "")
    wrapped = short("wrap_real", word(19, 2) + real([1, 2]).bytes([]) + word(13, 2, 0, 0))
    assert opened(rds(wrapped)).arrays[""].values.tolist() == [1, 2]


def test_the_order_of_the_processor():
    swapped = b"B\n" + struct.pack("<3i", 2, 0x40202, 0x20300) + struct.pack("<2i2d", 14, 2, 1.0, 2.5)
    assert opened(swapped).arrays[""].values.tolist() == [1.0, 2.5]


def test_functions_and_environments_beside_data_are_passed():
    bytes_of_r = Raw(word(24, 3) + b"abc")
    environment = Raw(word(4, 0, 253, NIL, NIL, NIL))
    data = rdata(f=function(), e=environment, b=bytes_of_r, K=matrix(K, ABC, ABC))
    assert read_samples(data, "image.RData").ids == ("a", "b", "c")
    assert opened(data, "i.RData").others == {"f": "a function", "e": "an environment", "b": "bytes"}


def test_many_objects_in_one_file():
    """R writes the list of objects as each one holding the rest: thousands are no depth."""
    data = rdata(**{f"x{k}": real([k]) for k in range(3_000)}, K=matrix(K))
    assert len(opened(data, "m.RData").arrays) == 3_001


# what is refused, with a sentence


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (function(), "a function"),
        (Raw(word(4, 0, 253, NIL, NIL, NIL)), "an environment"),
        (Raw(word(15, 1) + bytes(16)), "complex numbers"),
        (Raw(word(24, 2) + b"ab"), "bytes"),
        (NULL, "NULL"),
        (listed([], class_=texts(["lm"])), "a list of class lm"),
        (listed([listed([real([1])])]), "1 \\(a list\\)"),
        (real([1]), "1 number"),
        (Raw(word(0x10019)), "an S4 object"),
    ],
)  # fmt: skip
def test_what_is_no_data_is_named(value, what):
    with pytest.raises(InvalidInputError, match=f"holds {what}"):
        read_samples(rds(value), "o.rds")


def test_a_column_that_is_neither_numbers_nor_texts():
    with pytest.raises(InvalidInputError, match=r"'m', which is a matrix.*Leave that column out"):
        read_labels(rds(frame(id=texts(["a", "b"]), m=matrix(np.eye(2)))), "df.rds")


ASCII = b"A\n3\n262658\n197888\n5\nUTF-8\n14\n1\n1\n"
DEEP = word(19, 1) * 5_000 + word(NIL)
DAMAGED = {
    "ends early": rds(matrix(K))[:-40],
    "a length that lies": b"X\n" + head() + word(14, 2**31 - 1) + bytes(8),
    "a negative length": b"X\n" + head() + word(14, -3) + bytes(80),
    "a length of two words": b"X\n" + head() + word(14, -1, 1, 0) + bytes(80),
    "texts that lie": b"X\n" + head() + word(16, 2**31 - 1) + characters("a"),
    "a text that lies": b"X\n" + head() + word(16, 1, 9, 2**31 - 1) + b"a",
    "a list that lies": b"X\n" + head() + word(19, 2**31 - 1, NIL),
    "code that repeats": b"X\n" + head() + word(21, 2**31 - 1, NIL, 0),
    "code without end": b"X\n" + head() + word(21, 0, NIL, 2**31 - 1),
    "a function without a name": b"X\n" + head() + word(8, 0),
    "no such type": b"X\n" + head() + word(77),
    "a reference to nothing": b"X\n" + head() + word(255 | 7 << 8),
    "bytes behind": rds(real([1])) + b"more",
    "no version": b"X\n" + word(9, 0, 0),
    "an encoding that lies": b"X\n" + word(3, 0, 0, 2**31 - 1),
    "no short form": rds(short("compact_intseq", word(16, 0))),
    "an unknown short form": rds(short("mmap_real", word(NIL))),
    "a shape that lies": rds(real([1, 2], dim=integer([3, 3]))),
    "a shape below zero": rds(real([1, 2], dim=integer([-1, -2]))),
    "a dist that lies": rds(dist([1, 2], 4)),
    "a dist below zero": rds(dist([1.0], -1)),
    "a factor without levels": rds(integer([9], levels=texts(["a"]), class_=texts(["factor"]))),
    "names that do not fit": rds(real([1, 2], dim=integer([1, 2]), dimnames=listed([texts(["a", "b"]), NULL]))),
    "columns of two lengths": rds(frame(x=real([1, 2]), y=real([1]))),
    "a sparse row that is not there": rds(by_columns([5], [0, 1], [1], [2, 1])),
    "sparse columns that lie": rds(by_columns([0], [0, 9], [1], [2, 1])),
    "sparse columns that fall": rds(by_columns([0, 0], [0, 2, 1], [1, 1], [2, 2])),
    "a sparse shape below zero": rds(by_columns([], [0], [], [-2, 0])),
    "a large sparse shape": rds(by_columns([], [0], [], [2**31 - 1, 1])),
    "a sparse matrix without its parts": rds(by_columns([], [0], [], [1, 1], kind="dgRMatrix")),
    "a symmetric one that is not square": rds(by_columns([], [0, 0], [], [2, 1], kind="dsCMatrix")),
    "a name on numbers": b"X\n" + head() + word(14 | 0x400, 0),
    "attributes that are none": b"X\n" + head() + word(14 | 0x200, 0) + word(13, 0),
    "deep": b"X\n" + head() + DEEP,
    "deep pairs": b"X\n" + head() + word(2) * 5_000 + word(NIL),
    "as text": ASCII,
    "of R before 2.4": b"RDX1\nX\n" + head(),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused_before_they_take_room(name):
    tracemalloc.start()
    for kind in (None, "similarity", "vectors"):
        with pytest.raises(KernexError) as refused:
            read_samples(DAMAGED[name], "k.rds" if DAMAGED[name][:3] != b"RDX" else "k.rda", kind)
        assert refused.value.remedy
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_every_place_where_a_file_may_be_cut_or_changed():
    whole = rdata(
        K=matrix(K, ABC, ABC), y=factor(["u", "v", "u"]), d=dist([1.0], 2), f=function(), n=sequence(3)
    )
    for at in range(len(whole)):
        cut, changed = whole[:at], bytearray(whole)
        changed[at] ^= 0xFF
        for data in (cut, bytes(changed)):
            with contextlib.suppress(KernexError):
                read_samples(data, "k.rda")


def test_sequences_that_are_counted_have_a_bound():
    with pytest.raises(TooLargeError, match=r"more in n\.rds"):
        opened(rds(sequence(3e9)), "n.rds")
    with pytest.raises(TooLargeError):
        opened(rds(sequence(float("nan"))), "n.rds")
    many = listed([sequence(6_000_000)] * 2)
    with pytest.raises(TooLargeError):
        opened(rds(many), "n.rds")


def test_objects_and_texts_have_a_bound(monkeypatch):
    monkeypatch.setattr(r_parser, "MOST_OBJECTS", 50)
    monkeypatch.setattr(r_parser, "MOST_TEXTS", 50)
    for value in (listed([NULL] * 60), texts(["a"] * 60), listed([texts(["a"] * 30)] * 2)):
        with pytest.raises(TooLargeError, match="up to 50 objects and 50 texts"):
            opened(rds(value))
    with pytest.raises(TooLargeError):
        opened(rdata(**{f"x{k}": NULL for k in range(60)}), "m.RData")


def test_items_are_counted_before_a_dist_becomes_a_square():
    n = 400
    with pytest.raises(TooLargeError):
        read_samples(rds(dist([1.0] * (n * (n - 1) // 2), n)), "d.rds", limit=300)


# files that others wrote


def test_what_rdata_writes(tmp_path):
    import rdata as other

    values = {
        "K": np.array([[2.0, 1.0], [1.0, 2.0]]),
        "n": np.array([1, 2], dtype=np.int32),
        "s": np.array(["u", "v"]),
    }
    path = tmp_path / "o.rda"
    other.write_rda(path, values)
    found = opened(path.read_bytes(), "o.rda")
    assert found.arrays["K"].values.tolist() == [[2.0, 1.0], [1.0, 2.0]]
    assert found.texts["s"].texts == ("u", "v")


SCRIPT = """
K <- matrix(c(2, 1, .5, 1, 2, NA, .5, NA, 2), 3, dimnames = list(c("a", "b", "c"), c("a", "b", "c")))
y <- factor(c("v", NA, "u")); names(y) <- c("c", "b", "a")
d <- dist(matrix(c(0, 3, 0, 4), 2, dimnames = list(c("p", "q"), NULL)))
f <- function(x, ...) { g <- function(z) z + 1; for (i in 1:3) x <- x + g(i); x }
for (i in 1:5) f(2)
h <- compiler::cmpfun(eval(parse(text = c("function(x) {", rep("x <- x + 1; f(x)", 300), "}"))))
m <- lm(dist ~ speed, cars)
if (requireNamespace("Matrix", quietly = TRUE)) {
  S <- Matrix::sparseMatrix(i = c(1, 3, 2), j = c(1, 1, 2), x = c(5, 7, 9), dimnames = list(c("a", "b", "c"), c("g", "h")))
  saveRDS(S, "S.rds"); saveRDS(as(S, "TsparseMatrix"), "T.rds"); saveRDS(Matrix::crossprod(S), "C.rds")
}
df <- data.frame(x = c(1, 2.5, NA), i = c(1L, NA, 3L), g = factor(c("u", "v", "u")), z = 1:3)
rownames(df) <- c("r1", "r2", "r3")
saveRDS(K, "K.rds"); saveRDS(d, "d.rds"); saveRDS(df, "df.rds"); saveRDS(1:5, "n.rds"); saveRDS(as.character(1:3), "s.rds")
saveRDS(sort(c(3, 1, 2)), "w.rds"); saveRDS(y, "y.rds"); saveRDS(K, "ascii.rds", ascii = TRUE)
saveRDS(K, "v2.rds", version = 2)
save(K, y, file = "xz.rda", compress = "xz"); save(K, y, file = "bz.rda", compress = "bzip2"); save.image("image.RData")
con <- file("native.rds", "wb"); serialize(K, con, xdr = FALSE); close(con)
"""


@pytest.mark.science
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_what_r_writes(tmp_path):
    subprocess.run(["Rscript", "--vanilla", "-e", SCRIPT], cwd=tmp_path, check=True)

    def read(name, **options):
        return read_samples((tmp_path / name).read_bytes(), name, **options)

    for name in ("K.rds", "v2.rds", "native.rds", "xz.rda", "bz.rda", "image.RData"):
        made = read(name)
        assert made.ids == ("a", "b", "c")
        assert np.array_equal(made.gram.values, K, equal_nan=True)
        assert name.endswith("rds") or made.labels.y.tolist() == ["u", "", "v"]
    assert read("d.rds", meaning="similarity").gram.values.tolist() == [[0, 5], [5, 0]]
    assert read("df.rds").X.tolist()[0] == [1, 1, 1]
    found = {name: opened((tmp_path / f"{name}.rds").read_bytes(), f"{name}.rds") for name in ("n", "s", "w")}
    assert found["n"].arrays[""].values.tolist() == [1, 2, 3, 4, 5]
    assert found["s"].texts[""].texts == ("1", "2", "3")
    assert found["w"].arrays[""].values.tolist() == [1, 2, 3]
    if (tmp_path / "S.rds").exists():
        assert read("S.rds").X.tolist() == read("T.rds").X.tolist() == [[5, 0], [0, 9], [7, 0]]
        assert read("C.rds").gram.values.tolist() == [[74, 0], [0, 81]]
    image = opened((tmp_path / "image.RData").read_bytes(), "image.RData")
    assert {"f": "a function", "h": "a function", "m": "a list of class lm"}.items() <= image.others.items()
    assert read_labels((tmp_path / "y.rds").read_bytes(), "y.rds").y.tolist() == ["v", "", "u"]
    with pytest.raises(InvalidInputError, match="ascii = TRUE"):
        read("ascii.rds")
