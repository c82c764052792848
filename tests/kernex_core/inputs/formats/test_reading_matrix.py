import gzip
import io

import numpy as np
import openpyxl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernex_core import InvalidInputError, Similarity, read_samples
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.tables.class_column import sentinels
from kernex_core.inputs.upload import open_upload
from tests.kernex_core.inputs.dialects import Writing, matrix_bytes

K = np.array([[2.0, 0.5, -0.25], [0.5, 3.0, 1e-7], [-0.25, 1e-7, 1.5]])
IDS = ("d1a.b_", "007", "x y")


def check(data, filename="k.csv", ids=IDS, values=K, **options):
    found = read_samples(data, filename, **options)
    assert isinstance(found, Similarity)
    assert found.ids == found.gram.ids == ids
    np.testing.assert_array_equal(found.gram.values, values)
    return found


@pytest.mark.parametrize("separator", [",", "\t", ";", " "])
@pytest.mark.parametrize("layout", ["both", "r", "columns", "rows", "none"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_every_separator_and_place_of_ids_gives_the_same_matrix(separator, layout, decimal):
    data = matrix_bytes(K, IDS, Writing(separator, decimal, layout))
    check(data, ids=("1", "2", "3") if layout == "none" else IDS)


@pytest.mark.parametrize(
    ("newline", "encoding", "bom"),
    [("\r\n", "utf-8", True), ("\r", "utf-8", False), ("\n", "latin-1", False), ("\n", "utf-16", False)],
)
def test_line_ends_and_encodings(newline, encoding, bom):
    ids = ("é", "ü2", "ß")
    check(matrix_bytes(K, ids, Writing(newline=newline, encoding=encoding, bom=bom)), ids=ids)


def test_latin_1_is_noted():
    found = check(matrix_bytes(K, ("é", "b", "c"), Writing(encoding="latin-1")), ids=("é", "b", "c"))
    assert any("Latin-1" in note.action for note in found.notes)


@pytest.mark.parametrize("unknown", ["NaN", "NA", "", "?", "nan", "N/A"])
@pytest.mark.parametrize("layout", ["both", "columns", "none"])
def test_what_people_write_for_unknown(unknown, layout):
    values = K.copy()
    values[0, 2] = values[2, 0] = np.nan
    data = matrix_bytes(values, IDS, Writing(ids=layout, unknown=unknown))
    check(data, ids=("1", "2", "3") if layout == "none" else IDS, values=values)


def test_ids_that_are_numbers():
    ids = ("1", "02", "3")
    for layout in ("both", "columns", "rows"):
        check(matrix_bytes(K, ids, Writing(ids=layout)), ids=ids)
    check(matrix_bytes(K, ids, Writing(ids="both")).replace(b",1", b"id,1", 1), ids=ids)


def test_gzipped_and_named_anything():
    check(gzip.compress(matrix_bytes(K, IDS)), "k.csv.gz")
    check(gzip.compress(matrix_bytes(K, IDS)) + gzip.compress(b""), "whatever")


def test_columns_in_another_order_are_brought_in_line_by_id():
    order = [2, 0, 1]
    text = matrix_bytes(K, IDS).decode().split("\n")
    text[0] = "," + ",".join(IDS[k] for k in order)
    for row in range(3):
        text[row + 1] = ",".join([IDS[row], *(repr(float(K[row, k])) for k in order)])
    found = check("\n".join(text).encode())
    assert any("different order" in note.text for note in found.notes)


def test_comments_and_blank_rows_around_the_table():
    data = b"# made by a tool\n#again\n\n" + matrix_bytes(K, IDS) + b",,,\n\n"
    check(data)


def test_blank_after_every_comma():
    data = b", a, b\na, 1, 0.5\nb, 0.5, 1\n"
    check(data, ids=("a", "b"), values=np.array([[1, 0.5], [0.5, 1]]))


def test_lower_triangle_stands_for_both_halves():
    data = b",a,b,c\na,1,,\nb,0.5,1,\nc,0.25,0.125,1\n"
    found = check(
        data, ids=("a", "b", "c"), values=np.array([[1, 0.5, 0.25], [0.5, 1, 0.125], [0.25, 0.125, 1]])
    )
    assert any("one direction only: 3" in note.text for note in found.notes)


def test_asymmetry_is_symmetrised_as_chosen_and_its_largest_pair_named():
    data = b",a,b,c\na,1,0.9,0.3\nb,0.5,1,0.2\nc,0.3,0.2,1\n"
    found = read_samples(data, "k.csv")
    assert found.gram.values[0, 1] == pytest.approx(0.7)
    note = next(note for note in found.notes if "not symmetric" in note.text)
    assert "'a' and 'b'" in note.text
    assert "0.9" in note.text
    assert read_samples(data, "k.csv", symmetrise="max").gram.values[1, 0] == 0.9
    with pytest.raises(InvalidInputError, match=r"'a'.*'b'"):
        read_samples(data, "k.csv", symmetrise="refuse")


def test_rounding_noise_is_no_asymmetry():
    values = K.copy()
    values[0, 1] += 1e-13
    found = read_samples(matrix_bytes(values, IDS), "k.csv", symmetrise="refuse")
    assert not found.notes
    assert (found.gram.values == found.gram.values.T).all()


def test_workbook():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["", "a", 7, "c"])
    for name, row in zip(["a", 7, "c"], K, strict=True):
        sheet.append([name, *row])
    other = book.create_sheet("second")
    other.append([1, 0.5])
    other.append([None, 1])
    out = io.BytesIO()
    book.save(out)
    check(out.getvalue(), "k.xlsx", ids=("a", "7", "c"))
    check(out.getvalue(), "named.csv", ids=("a", "7", "c"))
    second = read_samples(out.getvalue(), "k.xlsx", sheet="second")
    np.testing.assert_array_equal(second.gram.values, [[1, 0.5], [0.5, 1]])
    with pytest.raises(InvalidInputError, match="second"):
        read_samples(out.getvalue(), "k.xlsx", sheet="third")


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "f4", "i4", "u1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(dtype, order):
    values = np.array([[3, 1], [1, 2]], dtype=dtype, order=order)
    out = io.BytesIO()
    np.save(out, values)
    check(out.getvalue(), "k.npy", ids=("1", "2"), values=values.astype(float))
    check(gzip.compress(out.getvalue()), "k.npy.gz", ids=("1", "2"), values=values.astype(float))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz_with_ids_by_name_or_first_square(save):
    for key, ids_key in (("values", "ids"), ("K", "names"), ("mine", "ids")):
        out = io.BytesIO()
        save(out, other=np.arange(4), **{key: K, ids_key: np.array(IDS)})
        check(out.getvalue(), "k.npz")
    out = io.BytesIO()
    save(out, values=K, second=2 * K, ids=np.array(IDS))
    check(out.getvalue(), "k.npz", values=2 * K, key="second")
    with pytest.raises(InvalidInputError, match=r"third.*second"):
        read_samples(out.getvalue(), "k.npz", key="third")


def test_a_large_table_is_read_without_a_surprise(rng):
    values = rng.normal(size=(150, 150))
    values = values + values.T
    ids = tuple(f"item_{k}" for k in range(150))
    check(matrix_bytes(values, ids), ids=ids, values=values)


names = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff#"),
    min_size=1,
    max_size=8,
).filter(lambda name: name.strip() == name and name.isprintable())
floats = st.floats(-1e6, 1e6, allow_nan=False, width=64)


@st.composite
def matrices(draw):
    n = draw(st.integers(2, 6))
    values = draw(arrays(np.float64, (n, n), elements=floats))
    values = np.triu(values) + np.triu(values, 1).T
    if draw(st.booleans()):
        i, j = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
        values[i, j] = values[j, i] = np.nan
    assume(not sentinels(values).any())  # -999 stands for an unknown entry
    ids = tuple(draw(st.lists(names, min_size=n, max_size=n, unique=True)))
    return values, ids


@given(
    matrices(),
    st.sampled_from([(",", "."), ("\t", "."), ("\t", ","), (";", ","), (";", "."), (" ", ".")]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.sampled_from(["NA", "NaN", "?"]),
)
def test_round_trip_in_many_dialects(matrix, marks, newline, bom, unknown):
    values, ids = matrix
    assume(not np.isnan(values).all())
    separator, decimal = marks
    writing = Writing(separator, decimal, "both", unknown, newline, "utf-8", bom)
    data = matrix_bytes(values, ids, writing)
    found = read_samples(data, "k.txt", "similarity", format="matrix", meaning="similarity")
    assert found.ids == ids
    np.testing.assert_array_equal(found.gram.values, values)


@given(matrices())
def test_round_trip_through_numpy(matrix):
    values, ids = matrix
    out = io.BytesIO()
    np.savez(out, values=values, ids=np.array(ids))
    assume(not any(name.endswith("\0") for name in ids))
    found = read_samples(out.getvalue(), "k.npz", meaning="similarity")
    assert found.ids == ids
    np.testing.assert_array_equal(found.gram.values, values)


def test_guess_by_content_whatever_the_name():
    assert rank_formats(open_upload(matrix_bytes(K, IDS), "x.fasta"))[0].format.name == "matrix"
    assert rank_formats(open_upload(b">a\nACGT\n>b\nAC\n", "x.csv"))[0].format.name == "fasta"
    assert (
        rank_formats(open_upload(b"id,x,y,label\na,1,2,p\nb,3,4,q\nc,3,4,q\n", "x.csv"))[0].format.name
        == "vectors"
    )
    assert (
        rank_formats(open_upload(b"a b 0.5\na c 0.25\nb c 0.1\nc c 1\n", "x.csv"))[0].format.name == "pairs"
    )
    prose = open_upload(b"hello world\nthis is prose, really\n", "x.csv")
    assert {guess.confidence for guess in rank_formats(prose)} == {0.0}


def test_ids_with_a_point_beside_decimal_commas():
    data = b"\t0\t0.\n0\t0,5\t0,25\n0.\t0,25\t0,75\n"
    check(data, ids=("0", "0."), values=np.array([[0.5, 0.25], [0.25, 0.75]]), kind="similarity")


def test_ids_that_are_told_from_numbers_by_the_shape_alone_are_noted():
    found = read_samples(b"1,2,3,4\n2,3,4,5\n3,4,5,6\n", "k.csv")
    assert found.ids == ("1", "2", "3")
    assert any("read as ids" in note.action for note in found.notes)


def test_a_substitution_matrix_is_told_from_similarities_of_items():
    letters = list("ACDEFGHIKLMNPQRSTVWY")
    found = read_samples(matrix_bytes(np.eye(20) * 5 - 1, letters), "blosum.csv")
    assert any("substitution matrix" in note.text for note in found.notes)
