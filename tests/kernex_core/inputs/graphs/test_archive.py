"""Zips that are not what they should be: refused with a sentence, before anything is unpacked."""

import contextlib
import io
import stat
import struct
import tracemalloc
import zipfile

import pytest

from kernex_core import InvalidInputError, KernexError, TooLargeError, read_samples
from kernex_core.inputs import upload as expansion
from tests.kernex_core.inputs.graphs.zips import FOLDER, PAIR, PATH, folder, zipped


def with_member(info, content=b"x"):
    """A folder with one more member."""
    out = io.BytesIO(folder())
    with zipfile.ZipFile(out, "a") as file:
        file.writestr(info, content)
    return out.getvalue()


def link():
    info = zipfile.ZipInfo("DS/DS_extra.txt")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def encrypted():
    """The flag of a password in every directory entry and in every header."""
    data = bytearray(folder())
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        place = data.find(mark)
        while place >= 0:
            data[place + at] |= 1
            place = data.find(mark, place + 4)
    return bytes(data)


def twice():
    out = io.BytesIO(folder())
    with zipfile.ZipFile(out, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("DS/DS_A.txt", "1, 3\n")
    return out.getvalue()


def lying():
    """Members that say to be smaller than they are."""
    data = bytearray(zipped({f"DS_{part}.txt": text * 500 for part, text in FOLDER.items()}))
    place = data.find(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 8)
    return bytes(data)


def damaged(at):
    data = bytearray(folder())
    data[at] ^= 0xFF
    return bytes(data)


REFUSED = {
    "a path upwards": (with_member("DS/../../DS_A.txt"), "inside one folder. Found: one called"),
    "a path from the root": (with_member("/etc/DS_A.txt"), "inside one folder"),
    "a drive": (with_member("C:/DS_A.txt"), "inside one folder"),
    "a name with a line end": (with_member("DS/a\nb.txt"), "inside one folder.*a.b.txt"),
    "a link": (with_member(link(), b"/etc/passwd"), "the link DS/DS_extra.txt"),
    "a zip inside": (with_member("DS/more.zip", folder()), "the archive DS/more.zip inside it"),
    "a tar inside": (with_member("DS/more.tar.gz"), "the archive DS/more.tar.gz"),
    "encrypted": (encrypted(), "encrypted, in DS.zip. Pack it without a password"),
    "a member twice": (twice(), "DS/DS_A.txt twice"),
    "packed otherwise": (zipped({"DS_A.txt": "1, 2\n"}, zipfile.ZIP_LZMA), "packed in another way"),
    "cut off": (folder()[:-40], "has to be a whole file.*Save or transfer it again"),
    "half": (folder()[:300], "whole"),
    "another byte": (damaged(45), "damaged member DS/DS_A.txt"),
    "a size that is not so": (lying(), "damaged member DS_A.txt|whole"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["graphs", None])
@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_sentence(name, kind):
    data, sentence = REFUSED[name]
    with pytest.raises(InvalidInputError, match=f"(?s){sentence}") as caught:
        read_samples(data, "DS.zip", kind)
    assert caught.value.remedy


def test_a_bomb_is_refused_before_it_is_unpacked():
    members = {f"DS_{part}.txt": text for part, text in FOLDER.items()}
    bomb = zipped(members | {"DS_node_attributes.txt": b"0 " * 110_000_000})
    tracemalloc.start()
    with pytest.raises(TooLargeError, match="200 MB"):
        read_samples(bomb, "DS.zip", "graphs")
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_too_many_members_are_refused_before_they_are_listed(monkeypatch):
    monkeypatch.setattr(expansion, "MOST_MEMBERS", 5)
    many = zipped({f"g{k}.graphml": PATH for k in range(6)})
    monkeypatch.setattr(expansion.zipfile, "ZipFile", lambda *a: pytest.fail("the directory was read"))
    with pytest.raises(TooLargeError, match=r"5 files\. Found: 6"):
        read_samples(many, "many.zip", "graphs", format="graph_files")


def test_what_systems_leave_and_backslashes_do_not_matter():
    members = {f"DS\\DS_{part}.txt": text for part, text in FOLDER.items()}
    found = read_samples(zipped({**members, "__MACOSX/DS/._DS_A.txt": "x", "DS/.DS_Store": b"\0"}), "DS.zip")
    assert found.digest == read_samples(folder(), "DS.zip").digest


def test_bytes_changed_anywhere_give_graphs_or_a_sentence(rng):
    for whole in (folder(), zipped({"pos/a.graphml": PATH, "neg/b.graphml": PAIR})):
        for _ in range(150):
            data = bytearray(whole)
            for place in rng.integers(len(data), size=rng.integers(1, 4)):
                data[place] = rng.integers(256)
            with contextlib.suppress(KernexError):  # nothing else may come
                read_samples(bytes(data[: rng.integers(len(data) // 2, len(data) + 1)]), "DS.zip")
