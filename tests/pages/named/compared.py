"""Each number that a page shows against the field of its name: what has no field in the list of a page is an error.

A page is described by a `Named`: for every table, picture, number and file what its rows are about, and for every column,
line or label the field that it is called after, as a function of the row's object. Names are patterns, so that words may
change; numbers may not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pandas as pd

from pages.ui.shown import unmarked
from tests.pages.named.seen import Seen
from tests.pages.named.told import tells
from tests.pages.named.verdict_said import Said, verdict_tells

WORDS: Final = object()
"""A column of words, in which there is nothing to compare."""


@dataclass(frozen=True)
class Rows:
    """A table, drawn or in a file.

    Attributes
    ----------
    about : callable
        Returns what each row is about, in the order drawn.
    columns : dict
        By pattern of the head: a function of such an object that returns the number or numbers of the cell, or its text;
        WORDS where there is nothing to compare.
    alike : bool
        Whether rows may show the same numbers.
    """

    about: Callable[[Seen], list[Any]]
    columns: Mapping[str, Any]
    alike: bool = False


@dataclass(frozen=True)
class Matrix:
    """A matrix, drawn or in a file: the pattern of its title, and what its entries are."""

    values: Callable[[Seen], Any]
    title: str = ""


@dataclass(frozen=True)
class Arrays:
    """A NumPy archive: what every array of it is, by name; texts are not compared."""

    values: Mapping[str, Callable[[Seen], Any]]


@dataclass(frozen=True)
class Named:
    """What a page shows, by name.

    Attributes
    ----------
    tables, files : dict of pattern to Rows
    pictures : dict
        By pattern of the key, a function of what was seen and of the picture that compares them.
    counts : dict
        By pattern of the name, a function of what was seen that returns the numbers of the value and those of what stands
        beside it.
    verdict : Said, optional
        Whose verdict the page says in a sentence; None where it says none.
    texts : dict
        By a pattern that is in one text of the page alone, a function of what was seen and of the text that compares its
        numbers.
    """

    tables: Mapping[str, Rows] = field(default_factory=dict)
    files: Mapping[str, Rows | Matrix | Arrays | Callable[[Seen, str], None] | object] = field(
        default_factory=dict
    )
    pictures: Mapping[str, Matrix | Callable[[Seen, Any], None]] = field(default_factory=dict)
    counts: Mapping[str, Callable[[Seen], tuple[Any, Any]]] = field(default_factory=dict)
    verdict: Said | None = None
    texts: Mapping[str, Callable[[Seen, str], None]] = field(default_factory=dict)


def compare(named: Named, seen: Seen) -> None:
    """Compare all that was seen.

    Raises
    ------
    AssertionError
        A number that is not that of its name, or a name that is not in the list.
    """
    for key, rows in seen.tables.items():
        meant = chosen(named.tables, key, "table")
        if meant is not WORDS:
            told(meant, columns_of(rows), seen, key)
    for label in seen.files:
        if not re.search("^(Report|Figure|Script)", label):  # of the report see `report_tells`
            filed(chosen(named.files, label, "file"), seen, label)
    for key in seen.pictures:
        meant = chosen(named.pictures, key, "picture")
        if meant is WORDS:
            continue
        if isinstance(meant, Matrix):
            assert re.search(meant.title, seen.titles[key]), f"{key} is called {seen.titles[key]!r}"
            near(seen.matrix(key), meant.values(seen), key)
        else:
            meant(seen, seen.picture(key))
    for name, (value, note) in seen.counts.items():
        values, notes = chosen(named.counts, name, "number")(seen)
        assert tells(value, many(values)), f"{name}: {value!r} is shown, {values} is meant"
        assert notes is WORDS or tells(note, many(notes)), f"{name}: {note!r} is shown, {notes} is meant"
    verdict_tells(named.verdict, seen)
    for pattern, meant in named.texts.items():
        said = {text for text in seen.texts if re.search(pattern, text)}
        assert len(said) == 1, f"{pattern!r} is in {len(said)} texts of the page: {said}"
        meant(seen, said.pop())
    for kind in ("tables", "files", "pictures", "counts"):
        shown = list(getattr(seen, kind))
        never = [one for one in getattr(named, kind) if not any(re.search(one, each) for each in shown)]
        assert not never, f"the list names {kind} that the page does not show: {never} ({shown})"


def chosen(patterns, name, what):
    """What the list says of a name.

    Raises
    ------
    AssertionError
        None of the patterns or several are in the name.
    """
    found = [value for pattern, value in patterns.items() if re.search(pattern, unmarked(name))]
    assert len(found) == 1, (
        f"the {what} {name!r} is named {len(found)} times in the list: say which field it shows"
    )
    return found[0]


def columns_of(rows) -> dict[str, list[Any]]:
    """A table as columns, whatever it was drawn from."""
    if isinstance(rows, pd.DataFrame):
        return {str(name): rows[name].tolist() for name in rows.columns}
    if isinstance(rows, Mapping):
        return {name: list(cells) for name, cells in rows.items()}
    return columns_of(pd.DataFrame(list(rows)))


def told(rows: Rows, columns, seen: Seen, key: str) -> None:
    """Compare the cells of a drawn table, in which numbers are rounded."""
    about = rows.about(seen)
    meant = {}
    for head, cells in columns.items():
        getter = chosen(rows.columns, head, f"column of {key}")
        assert len(cells) == len(about), f"{key}: {len(cells)} rows for {len(about)} objects"
        if getter is WORDS:
            continue
        meant[head] = [getter(one) for one in about]
        for place, (cell, expected) in enumerate(zip(cells, meant[head], strict=True)):
            where = f"{key}, {head!r}, row {place + 1}: {cell!r} is shown, {expected!r} is meant"
            if isinstance(expected, str):
                assert unmarked(str(cell)).replace("\u00a0", " ") == expected.replace("\u00a0", " "), where
            elif isinstance(cell, float | int):
                assert round(cell - many(expected)[0], 6) == 0 or tells(f"{cell:.15g}", many(expected)), where
            else:
                assert tells(cell, many(expected)), where
    different(meant, rows, key)


def filed(meant, seen: Seen, label: str) -> None:
    """Compare a file: rows, a matrix or an archive."""
    if isinstance(meant, Matrix):
        near(seen.square(label), meant.values(seen), label)
    elif isinstance(meant, Arrays):
        held = {name: values for name, values in seen.arrays(label).items() if values.dtype.kind != "U"}
        assert held.keys() == meant.values.keys(), f"{label} holds {list(held)}"
        for name, values in held.items():
            near(values, meant.values[name](seen), f"{name} of {label}")
    elif callable(meant):
        meant(seen, label)
    elif meant is not WORDS:
        written(meant, seen.frame(label), seen, label)


def written(rows: Rows, frame: pd.DataFrame, seen: Seen, label: str) -> None:
    """Compare the cells of a file, which has numbers in full."""
    about = rows.about(seen)
    assert len(frame) == len(about), f"{label}: {len(frame)} rows for {len(about)} objects"
    meant = {}
    for head in frame.columns:
        getter = chosen(rows.columns, head, f"column of {label}")
        if getter is WORDS:
            continue
        meant[head] = [getter(one) for one in about]
        for place, (cell, expected) in enumerate(zip(frame[head], meant[head], strict=True)):
            where = f"{label}, {head!r}, row {place + 1}: {cell!r} is written, {expected!r} is meant"
            if isinstance(expected, str | bool | np.bool_):
                assert str(cell) == str(expected), where
            elif expected is None or math.isnan(expected):
                assert cell in ("", "nan"), where
            else:
                np.testing.assert_allclose(float(cell), expected, rtol=1e-12, err_msg=where)
    different(meant, rows, label)


def different(meant, rows: Rows, key: str) -> None:
    """Assert that no two columns, and no two rows, could change places unseen."""
    wide = (
        {head: tuple(map(str, cells)) for head, cells in meant.items() if len(many(cells[0])) > 1}
        if meant
        else {}
    )
    for head, cells in wide.items():
        same = [other for other, others in wide.items() if other != head and others == cells]
        assert not same, f"{key}: nothing tells {head!r} from {same}; compare on other data"
    if not rows.alike and meant:
        whole = list(zip(*(map(str, cells) for cells in meant.values()), strict=True))
        assert len(set(whole)) == len(whole), f"{key}: two rows show the same; compare on other data"


def many(value) -> list[float]:
    """Numbers as a list, of one number too."""
    if isinstance(value, str):
        return []
    return list(value) if isinstance(value, list | tuple | np.ndarray) else [value]


def near(shown, meant, what: str) -> None:
    """Assert that numbers are drawn as they are meant; NaN where there is none."""
    np.testing.assert_allclose(
        np.asarray(shown, float), np.asarray(meant, float), rtol=1e-9, atol=1e-9, err_msg=what
    )
