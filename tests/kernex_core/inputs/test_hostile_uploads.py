import bz2
import datetime
import gzip
import io
import lzma
import pickle
import tracemalloc
import zipfile

import numpy as np
import pytest

from kernex_core import InvalidInputError, KernexError, TooLargeError, read_labels, read_samples
from kernex_core.base.validation import SAMPLE_LIMIT
from kernex_core.inputs import upload as upload_module
from kernex_core.inputs.upload import open_upload
from tests.kernex_core.inputs.dialects import matrix_bytes

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(200)


class _Bang:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


def npy(array):
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "."), data)
    return out.getvalue()


REFUSED = {
    "a PNG named csv": (PNG, "k.csv", "PNG picture"),
    "a PDF named fasta": (b"%PDF-1.7 etc", "k.fasta", "PDF"),
    "a pickle named csv": (pickle.dumps({"a": 1}), "k.csv", "pickle"),
    "a pickle that bites": (pickle.dumps(_Bang()), "k.npy", "pickle"),
    "a zip named csv": (zipped(a__txt="x"), "k.csv", "zip archive"),
    "a broken zip named npz": (zipped(values__npy=npy(np.eye(3)))[:80], "k.npz", "whole|zip"),
    "an empty file": (b"", "k.csv", "empty"),
    "nothing but blanks": (b" \n\t\n", "k.csv", "empty"),
    "nothing but comments": (b"# a\n# b\n", "k.csv", "rows|begins"),
    "a web page": (b"<!DOCTYPE html><html>404", "k.csv", "web page"),
    "binary": (bytes(range(256)) * 4, "k.csv", "binary"),
    "3 x 4 values": (b"1,2,3,4\n1,2,3,4\n1,2,3,4\n", "k.csv", "3 rows and 4 columns"),
    "3 x 4 counted": (b"0,1,2,3\n4,5,6,7\n8,9,10,11\n", "k.csv", "3 rows and 4 columns"),
    "4 x 3 counted": (b"0,1,2\n3,4,5\n6,7,8\n9,10,11\n", "k.csv", "4 rows and 3 columns"),
    "3 x 4 values, ids": (b",a,b,c,d\nx,1,2,3,4\ny,1,2,3,4\nz,1,2,3,4\n", "k.csv", "3 rows and 4 columns"),
    "3 x 4 npy": (npy(np.ones((3, 4))), "k.npy", "3 × 4"),
    "one number npy": (npy(np.float64(3)), "k.npy", "single number"),
    "all NaN": (b",a,b\na,NaN,NaN\nb,NaN,NaN\n", "k.csv", "unknown"),
    "all NaN npy": (npy(np.full((3, 3), np.nan)), "k.npy", "all 9 entries"),
    "infinite": (b",a,b\na,1,inf\nb,inf,1\n", "k.csv", "row 1 .*'a'.*column 2 .*'b'"),
    "text in a cell": (b",a,b,c\na,1,2,3\nb,2,oops,1\nc,3,1,1\n", "k.csv", "'oops' in line 3.*row 'b', column 'b'"),
    "an underscore in a number": (b",a,b\na,1_0,2\nb,2,3\n", "k.csv", "1_0"),
    "ragged": (b",a,b,c\na,1,2,3\nb,2,1\nc,3,1,1\n", "k.csv", "2 in line 3 .*'b'"),
    "other ids on the left": (b",a,b\na,1,2\nc,2,1\n", "k.csv", "'[bc]' on the left"),
    "ids twice": (b",a,a\na,1,2\na,2,1\n", "k.csv", "'a' as item 1 and as item 2"),
    "blank ids": (b",a,,c\n,1,2,3\n,2,1,4\nc,3,4,5\n", "k.csv", "id"),
    "blank id": (b",a, \na,1,2\n ,2,1\n", "k.csv", "id"),
    "n = 1": (b",a\na,1\n", "k.csv", "two items|1 rows"),
    "n = 1 npy": (npy(np.ones((1, 1))), "k.npy", "two items"),
    "an object array": (npy(np.array([[1, _Bang()], [2, 3]], dtype=object)), "k.npy", "Python objects"),
    "an object array npz": (zipped(values__npy=npy(np.array([[_Bang()]], dtype=object))), "k.npz", "Python objects"),
    "no array in npz": (zipped(ids__npy=npy(np.arange(3))), "k.npz", "as many rows"),
    "a cut off npy": (npy(np.eye(9))[:200], "k.npy", "whole NumPy file"),
    "a npy without header": (b"\x93NUMPY\x01\x00", "k.npy", "NumPy file"),
    "complex npy": (npy(np.eye(2) * 1j), "k.npy", "real numbers"),
    "text npy": (npy(np.array([["a", "b"], ["c", "d"]])), "k.npy", "real numbers"),
    "dates npy": (npy(np.array([[datetime.date(2020, 1, 1)] * 2] * 2, dtype="M8[D]")), "k.npy", "real numbers"),
    "a damaged gzip": (gzip.compress(b"a,b\n1,2\n" * 99)[:25], "k.csv.gz", "cut off"),
    "gzip twice": (gzip.compress(gzip.compress(b",a,b\na,1,2\nb,2,1\n")), "k.csv.gz", "gzip archive"),
    "bzip2 in gzip": (gzip.compress(bz2.compress(b",a,b\na,1,2\nb,2,1\n")), "k.csv.gz", "bzip2 archive"),
    "xz in bzip2": (bz2.compress(lzma.compress(b",a,b\na,1,2\nb,2,1\n")), "k.csv.bz2", "xz archive"),
    "a cut off bzip2": (bz2.compress(b"a,b\n1,2\n" * 99)[:-9], "k.csv.bz2", "whole bzip2 file"),
    "a damaged bzip2": (b"BZh9" + bytes(50), "k.csv.bz2", "whole bzip2 file"),
    "a cut off xz": (lzma.compress(b"a,b\n1,2\n" * 99)[:-9], "k.csv.xz", "whole xz file"),
    "a damaged xz": (b"\xfd7zXZ\0" + bytes(50), "k.csv.xz", "whole xz file"),
    "something behind xz": (lzma.compress(b",a,b\na,1,2\nb,2,1\n") + b"more", "k.csv.xz", "whole xz file"),
    "xz that asks for memory": (
        lzma.compress(b"a" * 99, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]), "k.csv.xz", "whole xz file",
    ),
    "an open quote": (b',"a,b\na,1,2\nb,2,1\n' * 3, "k.csv", "."),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_sentence(name):
    data, filename, sentence = REFUSED[name]
    with pytest.raises(KernexError, match=f"(?s){sentence}") as caught:
        read_samples(data, filename, "similarity")
    assert caught.value.found
    assert str(caught.value).endswith((".", "!", "?"))


@pytest.mark.parametrize("name", [n for n in REFUSED if "3 x 4" not in n and "4 x 3" not in n])
def test_refused_whatever_is_guessed(name):
    data, filename, _ = REFUSED[name]
    with pytest.raises(KernexError):
        read_samples(data, filename)


@pytest.mark.parametrize(
    "data", [PNG, pickle.dumps([1]), b"%PDF-1.4", zipped(a="b"), b"", gzip.compress(b"abc")[:9]]
)
def test_labels_refuse_the_same(data):
    with pytest.raises(KernexError):
        read_labels(data, "labels.csv")


@pytest.mark.parametrize("packed", [gzip.GzipFile, bz2.BZ2File, lzma.LZMAFile])
def test_a_bomb_is_left_before_it_is_unpacked(packed):
    out = io.BytesIO()
    with packed(out, mode="wb") if packed is not gzip.GzipFile else packed(fileobj=out, mode="wb") as stream:
        for _ in range(90):
            stream.write(bytes(1 << 20))
    tracemalloc.start()
    with pytest.raises(TooLargeError, match="unpack"):
        read_samples(out.getvalue(), "k.csv.gz")
    assert tracemalloc.get_traced_memory()[1] < 200e6
    tracemalloc.stop()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_read_and_called_as_what_is_in_them(pack):
    data = b",a,b\na,1,2\nb,2,1\n"
    for ending in ("gz", "bz2", "xz"):
        made = read_samples(pack(data), f"k.csv.{ending}")
        assert (made.ids, made.gram.name) == (("a", "b"), "k")
    assert upload_module.unpack(pack(b"ab") + pack(b"cd"), "k") == b"abcd"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_many_streams_behind_each_other_are_read_once(pack, monkeypatch):
    table, given, real = b",a,b\na,2,1\nb,1,2\n", [], lzma.LZMADecompressor

    class Counting:
        def __init__(self, *args):
            self.stream = real(*args)

        def __getattr__(self, name):
            return getattr(self.stream, name)

        def decompress(self, data, most):
            given.append(len(data))
            return self.stream.decompress(data, most)

    monkeypatch.setattr(lzma, "LZMADecompressor", Counting)
    data = b"".join(map(pack, [table, *[b""] * 5_000])) + (b"\0" * 4_000 if pack is lzma.compress else b"")
    assert upload_module.unpack(data, "k.csv") == table
    assert sum(given) < 500 * len(data)  # 5,000 streams, and none copies all that is left


def test_the_cap_on_expansion_holds_without_an_absurd_ratio(monkeypatch):
    monkeypatch.setattr(upload_module, "EXPANSION_LIMIT", 1000)
    data = gzip.compress(np.random.default_rng(0).bytes(5000))
    with pytest.raises(TooLargeError):
        upload_module.unpack(data, "k", 1000)


@pytest.mark.parametrize("filename", ["k.xlsx", "k.npz"])
def test_zip_bombs_are_refused_by_what_they_announce(filename):
    members = {"[Content_Types].xml": b"x", "xl/workbook.xml": b"x", "values.npy": bytes(90_000_000)}
    if filename == "k.npz":
        members = {"values.npy": bytes(90_000_000)}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(TooLargeError, match="unpack"):
        read_samples(out.getvalue(), filename)


def _header_only(n):
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": "<f8", "fortran_order": False, "shape": (n, n)})
    return out.getvalue()


def _pairs(n):
    return "".join(f"i{k}\ti{k + 1}\t0.5\n" for k in range(n - 1)).encode()


def _sequences(n):
    return b"".join(b">s%d\nACGT\n" % k for k in range(n)), "k.fasta"


def _vectors(n):
    return b"x,y\n" + b"1,2\n" * n, "k.csv"


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (_header_only(20_000), "k.npy"),
        (zipped(values__npy=_header_only(20_000)), "k.npz"),
        (_pairs(20_000), "k.tsv"),
        (_pairs(20_000), "k.m8"),
        (b",".join([b"1"] * 20_000) + b"\n", "k.csv"),
    ],
)
def test_a_matrix_of_twenty_thousand_items_is_refused_before_room_is_taken(data, filename):
    tracemalloc.start()
    kind = "similarity" if data.startswith(b"1,1") else None
    with pytest.raises(TooLargeError, match=r"20,00\d items.*3\.2 GB"):
        read_samples(data, filename, kind)
    assert tracemalloc.get_traced_memory()[1] < 300e6
    tracemalloc.stop()


@pytest.mark.parametrize("make", [_sequences, _vectors])
def test_samples_are_read_beyond_the_limit_of_matrices_and_have_one_of_their_own(make):
    data, filename = make(20_000)
    assert len(read_samples(data, filename).ids) == 20_000
    data, filename = make(SAMPLE_LIMIT + 1)
    tracemalloc.start()
    with pytest.raises(TooLargeError, match=r"100,00\d"):
        read_samples(data, filename)
    assert tracemalloc.get_traced_memory()[1] < 300e6
    tracemalloc.stop()


def test_the_limit_can_be_raised_and_lowered():
    data = matrix_bytes(np.eye(4), "abcd")
    with pytest.raises(TooLargeError, match="4 items"):
        read_samples(data, "k.csv", limit=3)
    assert read_samples(data, "k.csv", limit=4).n == 4


def test_one_class_only_loads_and_is_noted():
    labels = read_labels(b"a,x\nb,x\n", "labels.csv")
    assert any("one class only" in note.text for note in labels.notes)


def test_names_of_options_formats_and_kinds_are_checked():
    data = matrix_bytes(np.eye(2), "ab")
    with pytest.raises(KernexError, match="colour"):
        read_samples(data, "k.csv", colour="red")
    with pytest.raises(KernexError, match="median"):
        read_samples(data, "k.csv", symmetrise="median")
    with pytest.raises(KernexError, match="matrix"):
        read_samples(data, "k.csv", format="tensor")
    with pytest.raises(KernexError, match="similarity"):
        read_samples(data, "k.csv", "pictures")


def test_what_looks_like_something_else_is_named():
    with pytest.raises(KernexError, match="looks like: Similarity matrix"):
        read_samples(matrix_bytes(np.eye(3), "abc"), "k.csv", "sequences")


def test_another_file_than_the_script_was_made_from():
    with pytest.raises(KernexError, match="SHA-256"):
        open_upload(b"a,b\n", "k.csv", sha256="00ff")
    data = matrix_bytes(np.eye(2), "ab")
    digits = open_upload(data, "k.csv").sha256[:16].upper()
    assert read_samples(data, "k.csv", sha256=digits).n == 2


def test_a_table_that_is_almost_square_says_how_it_was_read():
    found = read_samples(b"1,2,3,4\n2,1,5,6\n3,5,1,7\n", "k.csv")
    assert any(
        "3 rows and 4 columns" in note.text and "similarity matrix" in note.choice for note in found.notes
    )
    with pytest.raises(InvalidInputError, match="1 row and 1 column of numbers"):
        read_samples(b"5\n", "k.csv", kind="vectors")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_text_in_two_bytes_a_letter_is_read_with_or_without_its_mark(encoding):
    text = ",alpha,beta\nalpha,1,0.5\nbeta,0.5,1\n"
    assert read_samples(text.encode(encoding), "k.csv").ids == ("alpha", "beta")


def test_an_absurd_size_is_said_plainly():
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        out, {"descr": "<f8", "fortran_order": False, "shape": (2**40, 2**40)}
    )
    with pytest.raises(TooLargeError, match="more memory than any machine has"):
        read_samples(out.getvalue(), "k.npy")


@pytest.mark.parametrize(
    ("filename", "start"), [("k.npz", b"PK\x03\x04"), ("k.xlsx", b"PK\x03\x04"), ("k.npy", b"\x93NUMPY")]
)
def test_a_broken_file_is_not_said_to_be_what_its_ending_says(filename, start):
    with pytest.raises(KernexError) as raised:
        read_samples(start + b"\x00\x01broken" * 40, filename)
    said = str(raised.value)
    assert "really" not in said
    assert "as what it is" not in said


LONG = "h" * 20_000


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f">{LONG}\nACGT\n>b\nACG\n", "s.fasta"),
        (f",a,{LONG}\na,1,0.5\n{LONG},0.5,1\n", "k.csv"),
        (f"source,target,weight\na,{LONG},1\nb,a,2\n", "e.csv"),
        (f"id,x,y\n{LONG},1.5,2\nb,3,4\n", "v.csv"),
        (f"graph [ node [ id 0 label \"{LONG}\" ] node [ id 1 label \"b\" ] edge [ source 0 target 1 ] ]", "g.gml"),
    ],
    ids=["sequences", "matrix", "edges", "vectors", "markup"],
)  # fmt: skip
def test_a_name_that_nobody_can_write_is_refused_in_a_few_words(text, name):
    with pytest.raises(KernexError, match="at most 10,000 letters") as refused:
        read_samples(text.encode(), name)
    assert len(str(refused.value)) < 1_000


def test_so_is_a_class():
    with pytest.raises(InvalidInputError, match="name of a class"):
        read_labels(f"id,class\na,{LONG}\nb,x\n".encode(), "l.csv")
