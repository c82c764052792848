"""A part of a table of pairs, chosen before the matrix is made."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import Selection, read_samples
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.formats.hits import listed_pairs
from kernex_core.inputs.upload import Upload


def table(n, header=""):
    lines = (f"p{i}\tp{j}\t{300 if i == j else 1 + (i * j) % 90}" for i in range(n) for j in range(n))
    return (header + "\n".join(lines)).encode()


@given(st.integers(4, 12), st.integers(2, 12), st.integers(0, 1000))
def test_a_random_part_is_that_of_a_selection_of_the_whole(n, size, seed):
    whole = read_samples(table(n), "h.tsv")
    part = read_samples(table(n), "h.tsv", part_size=size, part_seed=seed, limit=size)
    kept = Selection(size=size, seed=seed).apply(whole.ids)
    assert part.ids == tuple(whole.ids[k] for k in kept)
    np.testing.assert_array_equal(part.gram.values, whole.gram.values[np.ix_(kept, kept)])
    assert any("A part of the table" in note.text for note in part.notes) == (size < n)


def test_ids_that_are_kept_and_the_limit_of_what_is_left():
    upload = Upload("h.tsv", table(30))
    assert listed_pairs(upload).ids == [f"p{k}" for k in range(30)]
    with pytest.raises(TooLargeError, match=r"30 items.*pairs and hit tables"):
        read_samples(upload, "h.tsv", limit=10)
    part = read_samples(upload, "h.tsv", limit=10, part_ids=("p3", "p1", "p7"))
    assert part.ids == ("p1", "p3", "p7")
    with pytest.raises(TooLargeError, match="12 items"):
        read_samples(upload, "h.tsv", limit=10, part_size=12)
    with pytest.raises(InvalidInputError, match="none of 1 ids"):
        read_samples(upload, "h.tsv", part_ids=("q",))
