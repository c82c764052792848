"""Lines of a text, whatever their length: what is looked at piece by piece is what is there."""

import numpy as np
import pytest

from kernex_core import InvalidInputError, read_samples
from kernex_core.inputs.tables import lines
from kernex_core.inputs.tables.lines import Lines
from tests.kernex_core.inputs.dialects import matrix_bytes

TEXTS = ["", "\n", "a", "a\n", "\na", "a\n\nbc\n", "\n\n\n", "ab\ncd\nef", " \n\ta\n?\nα\n\u3000\n \n"]


@pytest.mark.parametrize("piece", [64, 1 << 18])
@pytest.mark.parametrize("text", TEXTS)
def test_lines_are_those_of_split(text, piece, monkeypatch):
    monkeypatch.setattr(lines, "PIECE", piece)
    found, split = Lines("above\n" + text, 6), text.split("\n")
    assert list(found) == split
    assert list(reversed(found)) == split[::-1]
    assert len(found) == len(split)
    for start in range(-3, 4):
        for stop in (None, *range(-3, 4)):
            assert list(found[start:stop]) == split[start:stop], (start, stop)
            assert list(found[start:stop][1:]) == split[start:stop][1:]
            assert list(found[start:stop:2]) == split[start:stop:2]
    for at in range(-len(split), len(split)):
        assert found[at] == split[at]
    with pytest.raises(IndexError):
        found[len(split)]
    assert lines.joined(found) == text


@pytest.mark.parametrize("long", [0, 10**9])
@pytest.mark.parametrize("text", TEXTS)
def test_marks_and_blanks_are_found_as_line_by_line(text, long, monkeypatch):
    monkeypatch.setattr(lines, "LONG", long)
    found, split = Lines("a # above\n" + text, 10), text.split("\n")
    blank = [line for line in split if not line[:1].strip()]
    assert [line for line in found.blank_at_first() if not line[:1].strip()] == blank
    for mark in "#a?c":
        assert lines.occurs(mark, found) == lines.occurs(mark, split) == any(mark in line for line in split)
        assert lines.begins(mark, found) == lines.begins(mark, split) == any(x[:1] == mark for x in split)


@pytest.mark.parametrize("word", ["0.5", "NA", "", "nan", "-", "True", "1_0", "x", "0x1", "1e400", "inf"])
@pytest.mark.parametrize("dialect", [",", "\t", " ", ";"])
def test_pieces_are_read_as_the_whole(rng, monkeypatch, word, dialect):
    """The same numbers, the same refusal: whether lines and numbers come all at once or in pieces."""
    if dialect == " " and not word:
        pytest.skip("there is no empty field between blanks")
    K = rng.normal(size=(6, 6))
    ids = [f"p{k}" for k in range(6)]
    text = matrix_bytes(K + K.T, ids).decode()
    rows = [row.split(",") for row in text.rstrip("\n").split("\n")]
    rows[2][4] = rows[4][2] = word
    data = "\n".join(
        dialect.join(field or "id" for field in row) if dialect == " " else dialect.join(row) for row in rows
    )

    def outcome():
        try:
            return read_samples(data.encode(), "k.txt", "similarity").gram.values
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    before = outcome()
    monkeypatch.setattr(lines, "PIECE", 64)
    monkeypatch.setattr("kernex_core.inputs.tables.table.AT_ONCE", 1)
    after = outcome()
    if isinstance(before, str):
        assert after == before
    else:
        np.testing.assert_array_equal(after, before)


def test_rows_too_short_or_too_long_are_refused_alike(rng, monkeypatch):
    K = rng.normal(size=(6, 6))
    rows = matrix_bytes(K + K.T, [f"p{k}" for k in range(6)]).decode().rstrip("\n").split("\n")
    for wrong in (rows[3] + ",1", rows[3].rpartition(",")[0], rows[3].replace(",", ",,", 1)):
        data = "\n".join([*rows[:3], wrong, *rows[4:]]).encode()
        with pytest.raises(InvalidInputError) as first:
            read_samples(data, "k.csv", "similarity")
        with monkeypatch.context() as patch:
            patch.setattr(lines, "PIECE", 64)
            with pytest.raises(InvalidInputError) as second:
                read_samples(data, "k.csv", "similarity")
        assert str(second.value) == str(first.value)
