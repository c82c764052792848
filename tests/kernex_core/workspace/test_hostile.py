"""A file that Kernex has not saved is refused with a sentence, or is harmless: never a traceback, never code."""

import dataclasses
import json
import re
import tracemalloc

import numpy as np
import pytest

from kernex_core import (
    DataSet,
    InvalidInputError,
    KernexError,
    OpenData,
    TooLargeError,
    Workspace,
    read_workspace,
    write_workspace,
)
from kernex_core.gram.provenance import File, call, method, part
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.workspace import archive
from kernex_core.workspace import file as former_files
from tests.kernex_core.workspace import hostile
from tests.kernex_core.workspace.examples import gram

LIMIT = 10_000_000


def refused(data, limit=LIMIT):
    """The sentence with which a file is refused; None where it is read."""
    try:
        assert isinstance(read_workspace(data, limit=limit), Workspace)
        return None
    except KernexError as error:
        caught = error
    assert caught.__cause__ is None, "the page would show a traceback"
    assert re.fullmatch(r"[A-Z“][^\n]{20,600}[.!?”]", str(caught)), str(caught)
    return str(caught)


@pytest.mark.parametrize(
    "files", [hostile.cut, hostile.paths, hostile.bombs, hostile.manifests, hostile.code]
)
def test_hostile_files_are_refused_with_a_sentence(files):
    read = [title for title, data in files() if refused(data) is None]
    # a byte that says when the file was made, or who made it, changes nothing
    assert [title for title in read if not title.startswith("byte ")] == []
    assert len(read) < 10


def test_wrong_values_are_refused_or_mean_what_they_say():
    files = [*hostile.values(), *hostile.arrays()]
    read = [title for title, data in files if refused(data) is None]
    assert len(files) > 200
    # another number where a number stands, an unused object, an empty table of kernels
    assert len(read) < 0.1 * len(files), read
    assert [title for title in read if re.search("ids|matrix|text|nan", title)] == []


def test_a_file_of_a_later_format_says_what_to_do():
    with pytest.raises(InvalidInputError, match="one of format 7, saved by Kernex a later one"):
        read_workspace(hostile.file_of(format=7, versions=None))


def test_nothing_is_unpacked_beyond_the_limit():
    with pytest.raises(TooLargeError, match=r"may hold 1\.0 kB .* Found: [\d.]+ kB in \d+ parts"):
        read_workspace(hostile.GOOD, limit=1_000)


def test_bytes_are_needed():
    with pytest.raises(InvalidInputError, match="a value of type str"):
        read_workspace("x.kernex")


def test_what_files_of_the_second_format_say_becomes_calls():
    owner = call("g", "GramMatrix", 1)
    imports = ("import numpy as np", "from kernex_core import expand, GramMatrix")
    for expression, made in {
        "GramMatrix(np.array([[1.0, np.nan], [np.nan, -2e-05]], dtype='float64'), ids=('it\\'s', \"\\x24\"))":
            call("x", "GramMatrix", np.array([[1.0, np.nan], [np.nan, -2e-5]]), ids=("it's", "$")),
        "$0.then(expand(x=True, y=(1,), z=None)).labels":
            part(method("then", owner, "then", call("expand", "expand", x=True, y=(1,), z=None)), "labels", name="x"),
        "expand(b'\\x00', {'a': $0}, [1])": call("x", "expand", b"\x00", {"a": owner}, [1]),
        "Spectrum(k=2).similarities($0)": method("x", Spectrum(2), "similarities", owner),
        "read_samples(Path('a.csv').read_bytes(), 'a.csv')": call("x", "read_samples", File("a.csv"), "a.csv"),
        "$0.samples['a b']": part(owner, "samples", "a b", name="x"),
    }.items():  # fmt: skip
        given = {"name": "x", "expression": expression, "needs": (owner,), "imports": imports}
        assert former_files.recipe(given, {"Spectrum": Spectrum}) == made
    moved = {
        "name": "x", "expression": "joint_kernel($0)", "needs": (owner,),
        "imports": ("from kernex_core.completion.joint import joint_kernel",),
    }  # fmt: skip
    assert former_files.recipe(moved, {}) == call("x", "regularized_kernel", owner)


def test_what_could_not_be_opened_is_not_saved():
    K = dataclasses.replace(gram(), origin=call("K", "system", "id"))
    with pytest.raises(InvalidInputError, match="are of public names of Kernex"):
        write_workspace(Workspace((OpenData(DataSet("x", K.ids, kernels={"K": K})),)))


def test_what_is_read_can_be_written_again():
    opened = read_workspace(hostile.file_of())
    assert write_workspace(opened) == hostile.GOOD


@pytest.mark.parametrize("piece", [b"{},", b"[],", b"1,", b'{"a":1},'])
@pytest.mark.parametrize("part", ["objects.json", "workspace.json"])
def test_json_of_millions_of_values_is_counted_before_any_is_made(part, piece):
    content = b'{"objects": [' + piece * (9_000_000 // len(piece) * (2 if piece == b"1," else 1)) + b"1]}"
    if part == "objects.json":
        data = hostile.file_of({**hostile.PARTS, part: content})
    else:
        data = hostile.zipped({**hostile.PARTS, part: content}.items())
    tracemalloc.start()
    with pytest.raises((TooLargeError, InvalidInputError)):
        read_workspace(data)
    # the text itself, once and in the pieces that it is unpacked in
    assert tracemalloc.get_traced_memory()[1] < 3 * len(content) + 2e6
    tracemalloc.stop()


@pytest.mark.parametrize("piece", [b"{},", b"[],", b"1,", b'"[",'])
def test_json_of_too_many_values_is_not_even_unpacked_to_its_end(piece):
    content = b'{"objects": [' + piece * (60_000_000 // len(piece)) + b"1]}"
    data = hostile.file_of({**hostile.PARTS, "objects.json": content})
    del content
    tracemalloc.start()
    with pytest.raises(TooLargeError, match=r"at least [\d,]+ and [\d,]+ in its part objects\.json"):
        read_workspace(data)
    # up to the first value too many, and the same once more where texts are told from the rest
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


def test_values_are_counted_alike_in_whatever_pieces_they_come(monkeypatch):
    text = json.dumps({"a": [1, {"b": '[{,"\\'}], "\\": ["\\\\,", "[", []], 'x"': [{}, ",\\\\\\"]}).encode()
    brackets, commas = 7, 6
    for most, refused_at in (
        ((brackets, commas), False),
        ((brackets - 1, commas), True),
        ((brackets, commas - 1), True),
    ):
        monkeypatch.setattr(archive, "MOST_BRACKETS", most[0])
        monkeypatch.setattr(archive, "MOST_ENTRIES", most[1])
        for size in range(1, len(text) + 1):
            count, met = archive.Values("objects.json"), False
            try:
                for start in range(0, len(text), size):
                    count.add(text[start : start + size])
            except TooLargeError:
                met = True
            assert met == refused_at, (most, size)


def test_what_stands_in_texts_is_no_value():
    text = '{"[,' * 100 + "\\"
    archive.check_values(json.dumps({"a": [text] * 20_000}).encode(), "objects.json")
    with pytest.raises(TooLargeError):
        archive.check_values(b"[" * (archive.MOST_BRACKETS + 1), "objects.json")


def test_the_json_of_a_workspace_has_a_bound(monkeypatch):
    monkeypatch.setattr(archive, "OBJECTS_LIMIT", len(hostile.PARTS["objects.json"]) - 1)
    with pytest.raises(TooLargeError, match="no array"):
        read_workspace(hostile.GOOD)
    with pytest.raises(TooLargeError, match="no array"):
        archive.pack(hostile.PARTS)
