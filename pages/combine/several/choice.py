"""Which kernels, of the open data and of elsewhere in the workspace: a box that Many and Complete together share."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from pages.combine.several import others
from pages.shared.settings import widgets

MOST: Final = 12
"""Kernels that are chosen at first."""


def box(dataset: DataSet) -> str:
    """Return the key of the box on the page Many, in which the kernels of a data set are chosen."""
    return f"many.kernels.{dataset.name}"


def choose(dataset: DataSet, key: str) -> tuple[DataSet, tuple[str, ...]]:
    """Draw the box; return the data with what was chosen of elsewhere, and the names of what can be used."""
    own, other = list(dataset.kernels), others.offered(dataset)
    names = [*own, *other]
    chosen = widgets.several(
        "kernels", names, default=own[:MOST] if len(own) > 1 else names[:2], key=key,
        help="Those of the open data, and from elsewhere in the workspace those that share items with "
        "them, aligned by id. Each may lack items.",
    )  # fmt: skip
    if len(chosen) < 2:
        st.caption("Choose at least two kernels.")
        return dataset, ()
    dataset = others.joined(dataset, other, chosen)
    found = tuple(name for name in chosen if name in dataset.kernels)
    return dataset, found if len(found) > 1 else ()
