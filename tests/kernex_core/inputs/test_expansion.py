"""Whatever is packed is read in one place, under one cap, whatever it says of itself."""

import ast
import io
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest

from kernex_core import InvalidInputError, KernexError, TooLargeError, read_samples, read_workspace
from kernex_core.inputs import upload as expansion
from kernex_core.inputs.upload import open_zip
from tests.conftest import REPOSITORY

PACKERS = ("zipfile", "gzip", "zlib", "tarfile", "bz2", "lzma", "zstandard", "shutil")
HARMLESS = {
    "zipfile": {"BadZipFile", "ZipInfo", "ZIP_STORED", "ZIP_DEFLATED"},
    "zlib": {"error", "compress", "crc32"},
    "gzip": {"BadGzipFile"},
    "lzma": {"LZMAError", "FORMAT_XZ"},
    "shutil": {"copy", "copyfile", "copytree", "rmtree", "which", "move", "disk_usage"},
}
"""What packs, or only names things."""
OWN_CAP = {
    # files that unpack piece by piece, each piece with a bound, and count them
    ("kernex_core/inputs/upload.py", "zipfile.ZipFile"),
    ("kernex_core/inputs/upload.py", "gzip.GzipFile"),
    ("kernex_core/inputs/upload.py", "bz2.BZ2File"),
    ("kernex_core/inputs/upload.py", "lzma.LZMADecompressor"),
    ("kernex_core/inputs/arrays.py", "zlib.decompressobj"),
    ("kernex_core/kernels/sequences/substitution.py", "zlib.decompressobj"),
    ("kernex_core/studies/papers/orthogonal/sparse.py", "gzip.GzipFile"),
}
WRITES = {
    ("kernex_core/workspace/archive.py", "zipfile.ZipFile"),
    ("kernex_core/inputs/graphs/tudataset.py", "zipfile.ZipFile"),
    ("kernex_core/inputs/tables/workbook.py", "zipfile.ZipFile"),
}


def calls(tree):
    """Every use of an attribute of a packer, with the call that it is part of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in PACKERS:
            yield node.value.id, node.attr
        if isinstance(node, ast.ImportFrom) and node.module in PACKERS:
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.fixture(scope="module")
def trees():
    return [
        (path.relative_to(REPOSITORY).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for folder in ("kernex_core", "pages")
        for path in (REPOSITORY / folder).rglob("*.py")
    ]


def test_nothing_that_is_packed_is_read_anywhere_else(trees):
    found = {
        (path, f"{module}.{name}")
        for path, tree in trees
        for module, name in calls(tree)
        if name not in HARMLESS.get(module, ())
    }
    assert found == OWN_CAP | WRITES


def test_what_writes_zips_only_writes(trees):
    for path, tree in trees:
        if (path, "zipfile.ZipFile") in WRITES:
            opened = [
                node for node in ast.walk(tree)
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "zipfile.ZipFile"
            ]  # fmt: skip
            assert opened
            assert all(len(node.args) > 1 and node.args[1].value == "w" for node in opened)


def test_every_read_has_a_bound(trees):
    """`read()` of an open member unpacks all that there is, and only then cuts off what the member had not announced."""
    tree = ast.parse((REPOSITORY / "kernex_core/inputs/upload.py").read_text(encoding="utf-8"))
    reads = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".read")
    ]
    assert len(reads) == 3
    assert all(node.args for node in reads)
    for path, parsed in trees:
        for node in ast.walk(parsed):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in ("extract", "extractall", "unpack_archive"), path


def lying(members, says=24, size=150_000_000):
    """A zip whose members take far more room than its directory says; those given as bytes are as they are."""
    entries, out = b"", b""
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    packed = (
        b"".join(packer.compress(b"1, 2\n2, 1\n" * 100_000) for _ in range(size // 1_000_000))
        + packer.flush()
    )
    for name, content in members.items():
        honest = content is not None
        body = content if honest else packed
        claimed, method, check = (len(body), 0, zlib.crc32(body)) if honest else (says, 8, 0)
        head = (20, 0, method, 0, 33, check, len(body), claimed, len(name), 0)
        at = len(out)
        out += struct.pack("<4s5H3L2H", b"PK\x03\x04", *head) + name.encode() + body
        entries += struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, *head, 0, 0, 0, 0, at) + name.encode()
    return (
        out
        + entries
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, len(members), len(members), len(entries), len(out), 0)
    )


GRAPHS = {"D/D_graph_indicator.txt": b"1\n1\n2\n2\n", "D/D_graph_labels.txt": b"1\n-1\n", "D/D_A.txt": None}
LIARS = {
    "graphs.zip": GRAPHS,
    "K.npz": {"K.npy": None},
    "book.xlsx": {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": None},
}


@pytest.mark.parametrize("name", LIARS)
def test_a_member_that_lies_is_left_before_it_is_unpacked(name):
    data = lying(LIARS[name])
    tracemalloc.start()
    with pytest.raises(KernexError):
        read_samples(data, name)
    assert tracemalloc.get_traced_memory()[1] < 5e6 + 2 * len(data)
    tracemalloc.stop()


@pytest.mark.parametrize("liar", ["workspace.json", "objects.json", "arrays/0.npy"])
def test_a_part_of_a_workspace_that_lies_is_left_before_it_is_unpacked(liar):
    said = b'{"kind": "Kernex workspace", "format": 2, "versions": {}, "parts": [%s]}' % b", ".join(
        b'{"name": "%s", "bytes": 24, "sha256": ""}' % name for name in (b"objects.json", b"arrays/0.npy")
    )
    members = {
        "workspace.json": said,
        "objects.json": b"{}" + b" " * 22,
        "arrays/0.npy": b" " * 24,
        liar: None,
    }
    data = lying(members)
    tracemalloc.start()
    with pytest.raises(InvalidInputError):
        read_workspace(data)
    assert tracemalloc.get_traced_memory()[1] < 5e6 + 2 * len(data)
    tracemalloc.stop()


def test_the_cap_is_one_for_all_members():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name in "abc":
            file.writestr(name, name * 400)
    with open_zip(out.getvalue(), "a.zip", 1_200) as members:
        assert members.read("a") == b"a" * 400
        assert members.read("b", 10) == b"b" * 10
        assert members.read("c") == b"c" * 400
        with pytest.raises(TooLargeError, match="together"):
            members.read("b")
    with pytest.raises(TooLargeError):
        open_zip(out.getvalue(), "a.zip", 1_199)


def test_members_are_counted_before_they_are_listed(monkeypatch):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for k in range(11):
            file.writestr(f"{k}.npy", b"")
    monkeypatch.setattr(expansion, "MOST_MEMBERS", 10)
    monkeypatch.setattr(expansion.zipfile, "ZipFile", lambda *a: pytest.fail("the directory was read"))
    with pytest.raises(TooLargeError, match="10 files"):
        read_samples(out.getvalue(), "many.npz")


def npy(header, body=b""):
    text = header.encode() + b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


SHAPES = ("(-5, -5)", "(-1, 4)", "(5, -5)", "((5, 5), 5)", "(True, True)", "(9223372036854775808, 9223372036854775808)",
          "(1e3, 2)", "'ab'", "5", "(None, None)", f"({'9' * 30_000}, 2)")  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape[:20])
@pytest.mark.parametrize("dtype", ["'<f8'", "('<f8', (2, 2))"])
def test_headers_of_shapes_that_cannot_be_are_a_sentence(shape, dtype):
    data = npy(f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}", bytes(200))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("K.npy", data)
    for content, name in ((data, "K.npy"), (out.getvalue(), "K.npz")):
        with pytest.raises(KernexError) as caught:
            read_samples(content, name)
        assert caught.value.found
        assert "pickle" not in str(caught.value)  # NumPy says how to trust it all the same


def test_arrays_of_an_archive_are_counted():
    out = io.BytesIO()
    np.savez(out, **{f"a{k}": np.eye(2) for k in range(3)})
    assert read_samples(out.getvalue(), "k.npz").n == 2
