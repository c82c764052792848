"""Numbers that are read at once are those that are read row by row, or the rows are read one by one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import read_samples
from kernex_core.base.errors import KernexError
from kernex_core.inputs.tables.table import Table, table_of
from kernex_core.inputs.upload import Upload

FIELDS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(
        ["NA", "nan", "", "?", "-", "N/A", "1e400", "-inf", "1_000", "True", "FALSE", "1,5", "+2.5", " 3", "4 ", "0x1", "1e",
         "٣", '"7"', "#N/A", "None", "null", "−1"]
    ),
)  # fmt: skip


def outcome(data):
    try:
        made = read_samples(data, "k.txt", "similarity", format="matrix", meaning="similarity")
    except KernexError as error:
        return str(error)
    return made.ids, made.gram.values.tobytes(), made.recipe.digest


@given(
    st.integers(2, 5).flatmap(lambda n: st.lists(st.lists(FIELDS, min_size=n, max_size=n), min_size=n, max_size=n)),
    st.sampled_from([",", "\t", ";", " ", "  "]),
    st.sampled_from(["plain", "quoted", "none", "quoted with a comma", "blanks"]),
    st.sampled_from(["", "\n", "\n\n,,,\n"]),
)  # fmt: skip
def test_at_once_or_row_by_row_it_is_the_same(cells, mark, names, end):
    n = len(cells)
    ids = [
        {"plain": f"i{k}", "quoted": f'"i{k}"', "none": "", "blanks": f" i{k} "}.get(names, f'"i,{k}"')
        for k in range(n)
    ]
    rows = [mark.join([*([ids[k]] if names != "none" else []), *row]) for k, row in enumerate(cells)]
    top = [] if names == "none" else [mark.join(["", *ids])]
    data = ("\n".join([*top, *rows]) + end).encode()
    fast = outcome(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "block", lambda *_: None)
        assert outcome(data) == fast


@pytest.mark.parametrize("mark", [",", "\t", ";", " "])
@pytest.mark.parametrize("form", ["plain", "quoted", "no ids"])
def test_plain_tables_are_read_at_once(mark, form):
    K = np.random.default_rng(0).standard_normal((9, 9))
    name = (lambda k: f'"i{k}"') if form == "quoted" else (lambda k: f"i{k}")
    rows = [
        mark.join([*([] if form == "no ids" else [name(i)]), *map(repr, K[i].tolist())]) for i in range(9)
    ]
    table = table_of(Upload("k.txt", "\n".join(rows).encode()))
    values, ids = table.block(False, form != "no ids", 9)
    np.testing.assert_array_equal(values, K)
    assert ids == ([] if form == "no ids" else [f"i{k}" for k in range(9)])


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [*lines[:-1], lines[-1] + ",1"],  # a row that is longer
        lambda lines: [*lines[:-1], lines[-1].rpartition(",")[0]],  # or shorter
        lambda lines: lines[:-1],  # one row less
        lambda lines: [*lines[:-1], "True,False,True"],  # truth values are no numbers
        lambda lines: [*lines[:-1], "1_0,2,3"],
        lambda lines: [*lines[:-1], "1,x,3"],
        lambda lines: [*lines[:-1], '"1",2,3'],
    ],
)
def test_what_needs_a_second_look_is_not_read_at_once(change):
    table = table_of(Upload("k.txt", b"1,2,3\n4,5,6\n7,8,9\n"))
    assert table.block(False, False, 3) is not None
    assert replace(table, lines=tuple(change([*table.lines][:3]))).block(False, False, 3) is None
