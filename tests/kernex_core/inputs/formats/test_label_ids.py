"""Ids are the column that names most items of the data, wherever it stands and whatever it is called."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import join_labels
from kernex_core.inputs.formats import labels
from kernex_core.inputs.formats.labels import suggest_for
from kernex_core.inputs.upload import open_upload

ITEMS = tuple(f"prot{k:02d}" for k in range(12))


def table(columns, names=None, mark=","):
    rows = [names] if names else []
    rows += zip(*columns, strict=True)
    return "\n".join(mark.join(map(str, row)) for row in rows).encode()


@given(
    place=st.integers(0, 3), title=st.sampled_from(["name", "accession", "x", "id", "class"]), named=st.booleans(),
    seed=st.integers(0, 999), some=st.integers(3, 12), mark=st.sampled_from(",\t;"),
)  # fmt: skip
def test_the_column_that_names_the_items_is_found_in_any_place(place, title, named, seed, some, mark):
    rng = np.random.default_rng(seed)
    order = rng.permutation(12)
    here = [ITEMS[k] if k < some else f"other{k}" for k in order]
    columns = [[f"u{k}" for k in order], ["kinase", "ligase"] * 6, [f"w{k * k}" for k in range(12)]]
    columns.insert(place, here)
    names = ["entry", "family", "gene"]
    names.insert(place, title)
    upload = open_upload(table(columns, names if named else None, mark), "t.csv")
    found = suggest_for(upload, ITEMS)
    made = labels.read(upload, found.options)
    assert len(set(made.ids) & set(ITEMS)) == some
    # it is told, with the number, where the file alone says otherwise
    alone = labels.suggest(upload).options
    assert bool(found.notes) == (found.options.id_column != alone.id_column)
    if found.notes:
        assert f"{some} of 12" in found.notes[0].text


def test_what_the_file_says_stays_where_no_other_column_names_more():
    upload = open_upload(table([ITEMS, ITEMS[::-1], ["a", "b"] * 6], ["id", "partner", "class"]), "t.csv")
    assert suggest_for(upload, ITEMS) == labels.suggest(upload)
    assert suggest_for(upload, ("nobody",)) == labels.suggest(upload)


def test_a_label_column_that_holds_the_ids_is_none():
    columns = [[f"P{k}" for k in range(12)], ITEMS, ["a", "b"] * 6]
    found = suggest_for(open_upload(table(columns, ["id", "label", "fold"]), "t.csv"), ITEMS)
    assert (found.options.id_column, found.options.label_column) == ("label", "fold")


def test_ids_that_are_written_otherwise_are_found_and_joined_when_asked():
    columns = [
        [f"u{k}" for k in range(12)],
        [f"sp|{name}|X_{k}" for k, name in enumerate(ITEMS)],
        ["a", "b"] * 6,
    ]
    upload = open_upload(table(columns, ["id", "entry", "class"]), "t.csv")
    made = labels.read(upload, suggest_for(upload, ITEMS).options)
    assert join_labels(ITEMS, made, loosely=True).matched == 12


@pytest.mark.parametrize("content", [b"x\ny\nx\n", b"a,x\nb,y\n"])
def test_few_columns_stay_as_they_are(content):
    upload = open_upload(content, "t.csv")
    assert suggest_for(upload, ("a", "b")) == labels.suggest(upload)
