"""What a page shows and what it was made of, written down while the page runs in AppTest.

Results are those that pages keep in their cache, by class; pictures, numbers and tables are what pages note for their
report; files are what their buttons would give.
"""

from __future__ import annotations

import io
from collections import defaultdict
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from pages.server.cache import BoundedCache
from pages.ui import shown as registry
from pages.ui.panels import verdicts


class Seen:
    """What was written down, the last of each name."""

    def __init__(self, dataset=None):
        self.dataset = dataset
        self.pictures, self.counts, self.tables, self.files, self.titles = {}, {}, {}, {}, {}
        self.verdicts = []
        self.texts: list[str] = []
        self.by_class = defaultdict(list)

    def begin(self):
        """Forget what was shown so far, as a page does that begins; results stay."""
        for shown in (self.pictures, self.counts, self.tables, self.files, self.titles, self.verdicts):
            shown.clear()

    def result(self, kind):
        """The last result of a class."""
        assert self.by_class[kind], f"no {kind.__name__} was computed"
        return self.by_class[kind][-1]

    def frame(self, label):
        """A file of rows as a table; "" is an empty cell."""
        return pd.read_csv(
            io.BytesIO(self.files[label]()), float_precision="round_trip", keep_default_na=False
        )

    def square(self, label):
        """A file of a matrix; an empty cell is unknown."""
        return pd.read_csv(
            io.BytesIO(self.files[label]()), float_precision="round_trip", index_col=0
        ).to_numpy()

    def arrays(self, label):
        """A NumPy archive."""
        with np.load(io.BytesIO(self.files[label]())) as held:
            return dict(held)

    def matrix(self, key):
        """Entries of a matrix that is drawn, which its colours say only roughly."""
        return self.pictures[key].args[0]

    def picture(self, key):
        return self.pictures[key]()

    def note(self, value):
        if value is not None and not isinstance(value, str | float | int | np.ndarray):
            self.by_class[type(value)].append(value)
        return value


@contextmanager
def watching(dataset=None):
    """Write down what pages show of a data set."""
    seen = Seen(dataset)
    with pytest.MonkeyPatch.context() as patch:
        before = {name: getattr(registry, name) for name in ("begin", "show", "count", "list_rows")}
        cache = {name: getattr(BoundedCache, name) for name in ("get", "put", "get_or_compute")}
        button = st.download_button

        def begin(*page):
            seen.begin()
            before["begin"](*page)

        def show(key, make, **how):
            seen.pictures[key], seen.titles[key] = make, how.get("title") or ""
            before["show"](key, make, **how)

        def count(name, value, note="", about=""):
            named = f"{about.strip()}: {name}" if about.strip() else name
            seen.counts[named] = value, note
            before["count"](name, value, note, about)

        def list_rows(key, rows, title="", note=""):
            seen.tables[key] = rows
            before["list_rows"](key, rows, title, note)

        def put(store, key, value):
            seen.note(value)
            cache["put"](store, key, value)

        sentence = verdicts.verdict_sentence

        def say(made, **how):
            seen.verdicts.append((made, said := sentence(made, **how)))
            return said

        def download(label, data, *args, **look):
            seen.files[label] = data
            return button(label, data, *args, **look)

        patch.setattr(verdicts, "verdict_sentence", say)
        patch.setattr(registry, "begin", begin)
        patch.setattr(registry, "show", show)
        patch.setattr(registry, "count", count)
        patch.setattr(registry, "list_rows", list_rows)
        patch.setattr(BoundedCache, "get", lambda store, key: seen.note(cache["get"](store, key)))
        patch.setattr(BoundedCache, "put", put)
        patch.setattr(
            BoundedCache,
            "get_or_compute",
            lambda store, key, compute: seen.note(cache["get_or_compute"](store, key, compute)),
        )
        patch.setattr(st, "download_button", download)
        yield seen
