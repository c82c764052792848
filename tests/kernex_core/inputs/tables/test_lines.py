"""Lines of a text, whatever their length: what is looked at piece by piece is what is there."""

import numpy as np
import pytest

from kernex_core import InvalidInputError, read_samples
from kernex_core.inputs.tables import lines
from kernex_core.inputs.tables.lines import LongLines, lines_of_text
from tests.kernex_core.inputs.dialects import matrix_bytes


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "\na", "a\n\nbc\n", "\n\n\n", "ab\ncd\nef"])
def test_long_lines_are_those_of_split(text, monkeypatch):
    monkeypatch.setattr(lines, "LONG", 0)
    found, split = lines_of_text(text), text.split("\n")
    assert isinstance(found, LongLines)
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


@pytest.mark.parametrize("word", ["0.5", "NA", "", "nan", "-", "True", "1_0", "x", "0x1", "1e400", "inf"])
@pytest.mark.parametrize("dialect", [",", "\t", " ", ";"])
def test_long_lines_are_read_as_short_ones(rng, monkeypatch, word, dialect):
    """The same numbers, the same refusal: whether lines are copied, and numbers come all at once or in pieces."""
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
    monkeypatch.setattr(lines, "LONG", 0)
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
            patch.setattr(lines, "LONG", 0)
            with pytest.raises(InvalidInputError) as second:
                read_samples(data, "k.csv", "similarity")
        assert str(second.value) == str(first.value)
