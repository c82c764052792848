"""Files that hold next to nothing: no item, one item, no number. Every format refuses them, or reads them."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import InvalidInputError, KernexError, health, read_samples
from kernex_core.base.parameters import parameters
from kernex_core.inputs.catalogue import FORMATS, LABELS
from kernex_core.inputs.upload import open_upload
from tests.kernex_core.inputs.dialects import workbook_bytes

LINE = "\t90\t10\t0\t0\t1\t2\t1\t2\t1e-9\t50\n"
TEXTS = [
    "a\n", "a,b\n", ",a,b\n", ",a\na,1\n", ",a\na,\n", ",a,b\na,,\nb,,\n", "1\n", "NA,NA\nNA,NA\n", ",,\n,,\n,,\n",
    "id,x\n", "id,x\na,1\n", "id,x\na,NA\nb,NA\n", "id,class\n", "id,class\na,\nb,\n", "id,sequence\n",
    "id,sequence\na,\nb,\n", "*\t*\t1\n", "*\t*\t1\n*\t*\t2\n", "a\t*\t1\n", "a\t*\t1\nb\t*\t2\n", "a\tb\tNA\n",
    "a\ta\t1\n", "a\tb\t0\nb\ta\t0\n", f"*\t*{LINE}", f"a\t*{LINE}", f"*\t*{LINE}" * 2, "query\ttarget\tbits\n",
    "query\ttarget\tbits\n*\t*\t3\n", "# Fields: query id, subject id, bit score\n*\t*\t3\n", ">\n", ">a\n", ">a\n>b\n",
    ">a\n-\n>b\n-\n", "0\n", "1\na\n", "2\na\nb\n", "2\na 0\nb 0\n",
]  # fmt: skip
SHAPES = [(0, 0), (0, 3), (3, 0), (1, 0), (1, 1), (0,), (1,)]
SHEETS = [
    [],
    [[]],
    [["a"]],
    [[1]],
    [[None, "a"], ["a", 1]],
    [[None, "a", "b"], ["a", None, None], ["b", None, None]],
]


def packed(save, array):
    out = io.BytesIO()
    save(out, array)
    return out.getvalue()


FILES = [
    *((text.encode(), "u.csv") for text in TEXTS),
    *((packed(np.save, np.zeros(shape)), "u.npy") for shape in SHAPES),
    *((packed(np.savez, np.zeros(shape)), "u.npz") for shape in SHAPES),
    *((workbook_bytes(rows), "u.xlsx") for rows in SHEETS),
]


def choices(options):
    """The options as they are, and with every choice of each in turn."""
    given = options()
    yield given
    for name, described in parameters(options).items():
        yield from (replace(given, **{name: choice}) for choice in described.choices)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_what_holds_next_to_nothing_is_data_or_a_sentence(form):
    for data, filename in FILES:
        upload = open_upload(data, filename)
        for options in choices(form.options):
            with contextlib.suppress(KernexError):
                form.suggest(upload)
                found = form.read(upload, options)
                if form.name != LABELS:
                    health(found)


@pytest.mark.parametrize("line", [LINE, "\t1\n"], ids=["hits", "pairs"])
def test_a_table_in_which_nothing_hits_anything_has_no_items(line):
    with pytest.raises(InvalidInputError, match=r"at least two items.*0 in u\.tsv"):
        read_samples(f"*\t*{line}".encode(), "u.tsv", "similarity")
