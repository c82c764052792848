import pytest

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.new_items import read_new
from kernex_core.inputs.samples import Sequences


@pytest.fixture
def old():
    return Sequences(("s0", "s1", "s2"), ("ACDEFGHIK", "MNPQRSTVW", "ACDEFGHIY"))


def test_fasta_of_one_and_plain_lines(old):
    one = read_new(b">x\nACDEF\n", "new.fasta", old)
    assert (one.ids, one.strings) == (("x",), ("ACDEF",))
    lines = read_new(b"ACDEF\n\n acdgh \n", "pasted", old)
    assert (lines.ids, lines.strings) == (("new_1", "new_2"), ("ACDEF", "ACDGH"))


def test_ids_that_are_there_and_ids_that_repeat(old):
    found = read_new(b">s1\nACDEF\n>z\nACDEF\n>z\nACDEF\n", "new.fasta", old)
    assert found.ids == ("s1 (new)", "z", "z_2")
    assert any("data have already: 1 (s1)" in note.text for note in found.notes)


@pytest.mark.parametrize("data", [b"", b"\n \n", b">only a header\n", b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_nothing_is_refused(old, data):
    with pytest.raises(InvalidInputError):
        read_new(data, "pasted", old)


def test_too_many(old, monkeypatch):
    monkeypatch.setattr("kernex_core.inputs.new_items.NEW_LIMIT", 2)
    for data in (b"AC\nAC\nAC\n", b">a\nAC\n>b\nAC\n>c\nAC\n"):
        with pytest.raises(TooLargeError):
            read_new(data, "pasted", old)


def test_letters_outside_the_alphabet_are_counted(old):
    found = read_new(">x\nACDÖEF\n".encode(), "new.fasta", old)
    assert any("outside the protein alphabet" in note.text for note in found.notes)
