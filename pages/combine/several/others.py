"""Kernels from elsewhere in the workspace, by id: those of other open data, and kept ones that lack items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from kernex_core.base.errors import KernexError
from kernex_core.completion.views.problem import LEAST_KNOWN
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted, listed
from kernex_core.studies.many_kernels import on_items
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.messages import plain


def offered(dataset: DataSet) -> dict[str, GramMatrix]:
    """Kernels that are not of this data set and share items with it, by the name that the page gives them."""
    made = {name: K for name, K in workspace.kept().items() if name not in dataset.kernels}
    for data in workspace.datasets():
        if data != workspace.current_name():
            both = {**workspace.get(data).kernels, **workspace.kept(data)}
            made |= {f"{name} ({data})": K for name, K in both.items()}
    known = set(dataset.ids)
    return {
        name: K
        for name, K in made.items()
        if name not in dataset.kernels and len(known.intersection(K.ids)) >= LEAST_KNOWN
    }


def joined(dataset: DataSet, others: Mapping[str, GramMatrix], chosen: Sequence[str]) -> DataSet:
    """The data with the chosen ones of the others on their items; what was left out is said, what cannot come too."""
    made = dict(dataset.kernels)
    for name in [name for name in chosen if name in others]:
        K = others[name]
        try:
            made[name] = carried(K, dataset.ids).renamed(name)
        except KernexError as error:
            st.caption(f"{plain(name)} cannot be brought to the items of these data. {plain(str(error))}")
            continue
        own = set(dataset.ids)
        gone = [item for item in K.ids if item not in own]
        if gone:
            st.caption(
                f"Of {plain(name)} {counted(len(gone), 'item')} left out, which these data do not have: "
                f"{plain(listed(gone))}."
            )
    return replace(dataset, kernels=made)


@cached(public=True)
def carried(K: GramMatrix, ids: tuple[str, ...]) -> GramMatrix:
    """A kernel on these items, the same object in every run."""
    return on_items(K, ids)
