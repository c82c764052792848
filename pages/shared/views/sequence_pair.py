"""Why two sequences are similar: kernel, two ids, the parts of their similarity, and the nearest neighbours."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.sequences.explain import explain_pair
from kernex_core.kernels.sequences.explanation import Explanation
from kernex_core.kernels.sequences.spectrum import SpectrumSum
from kernex_core.studies.neighbours import Neighbours, check_cells, neighbours
from pages.shared.cached import cached
from pages.shared.downloads import csv_button
from pages.shared.figures.theme import count
from pages.shared.frame import panel_title
from pages.shared.messages import findings, guard, plain
from pages.shared.views.kernel_build import kernel_parameters, kernel_type, with_uploads
from pages.shared.views.sequence_parts import alignment_text, exact, part_rows

TOP = 20
PAIR_CELLS = 16_000_000
"""Pairs of letters up to which two sequences are explained: the tables are held in memory."""
SHOWN_NEIGHBOURS = 8


@cached
def explanation(kernel: AbstractKernel[Any], s: str, t: str) -> Explanation:
    """Return the parts of one similarity."""
    return explain_pair(kernel, s, t, TOP)


@cached
def row_of(kernel: AbstractKernel[Any], samples: Sequences, item: str) -> Neighbours:
    """Return the similarities of one item to all items, most similar first."""
    return neighbours(kernel, samples, item)


def show(dataset: DataSet) -> None:
    """Draw the page."""
    with guard():
        name, samples = _sequences(dataset)
        kernel = _kernel(samples, name)
        first, second = _pair(samples, dataset.name, name)
        s, t = (samples.strings[samples.ids.index(item)] for item in (first, second))
        kernel.check([s, t], [first, second])
        left, right = st.columns([1.6, 1.0], gap="medium")
        with left, guard():
            _why(kernel, s, t, first, second)
        with right, guard():
            _neighbours(kernel, samples, first)
        findings(kernel.remarks([s, t]))


def _sequences(dataset: DataSet) -> tuple[str, Sequences]:
    found = {name: each for name, each in dataset.samples.items() if isinstance(each, Sequences) and each.n}
    if not found:
        raise InvalidInputError(
            "This page compares sequences",
            f"none in {dataset.name!r}",
            "Bring a FASTA file on the page Data, or open a demo with sequences",
        )
    name = st.selectbox(
        "Sequences", list(found), key=f"sequences.samples.{dataset.name}", persist_state="session",
        help="Strings that describe the items of this data set.",
    )  # fmt: skip
    return name, found[name]


def _kernel(samples: Sequences, name: str) -> AbstractKernel[Any]:
    with st.container(border=True, gap="small"):
        left, right = st.columns([1, 2], gap="medium")
        with left:
            chosen = kernel_type(samples)
        with right:
            kernel = kernel_parameters(chosen, samples, name)
            kernel = with_uploads(kernel, samples, f"build.{chosen.__name__}")
    return kernel.of(samples)


def _pair(samples: Sequences, dataset: str, name: str) -> tuple[str, str]:
    columns = st.columns(2)
    chosen = [
        column.selectbox(
            label, samples.ids, index=min(start, samples.n - 1), key=f"sequences.{start}.{dataset}.{name}",
            persist_state="session", help="Type to search by id.",
        )
        for start, (column, label) in enumerate(zip(columns, ("First", "Second"), strict=True))
    ]  # fmt: skip
    return chosen[0], chosen[1]


def _why(kernel: AbstractKernel[Any], s: str, t: str, first: str, second: str) -> None:
    panel_title("Why similar?", f"{plain(first)}, {len(s):,} letters; {plain(second)}, {len(t):,} letters")
    if isinstance(kernel, SpectrumSum):
        st.info("A sum over k has the parts of each k: choose Spectrum to see those of one k.")
        return
    check_cells(kernel, s, [t], PAIR_CELLS)
    made = explanation(kernel, s, t)
    listed = f"{count(len(made.parts), 'part')} listed"
    if made.n_parts is not None and made.n_parts > len(made.parts):
        listed += f" of {made.n_parts:,}"
    st.markdown(
        f"The parts and the rest sum to **{exact(made.sum_of_parts)}**; the kernel says "
        f"*K* = **{exact(float(kernel.cross((s,), (t,))[0, 0]))}**, before any normalisation.  \n"
        f":gray[{listed}; rest {exact(made.rest)} ({plain(made.rest_meaning)})]"
    )
    if made.alignment:
        st.code(alignment_text(made.alignment), language=None)
        st.caption(
            "| the same letter, + a positive score, · a score of 0 or less; − a gap. Positions from 1."
        )
    table = pd.DataFrame(part_rows(made.parts))
    if table.empty:
        st.markdown("They share nothing that this kernel sees.")
        return
    st.dataframe(table, hide_index=True, height=320)
    csv_button("Parts as CSV", lambda: table, f"{first} {second} parts", key="sequences.parts")


def _neighbours(kernel: AbstractKernel[Any], samples: Sequences, item: str) -> None:
    made = row_of(kernel, samples, item)
    panel_title("Nearest neighbours", f"of {plain(item)}, before any normalisation")
    rows = [
        {"Item": plain(each), "K": exact(value)}
        for each, value in zip(made.ids[:SHOWN_NEIGHBOURS], made.values.tolist(), strict=False)
    ]
    if rows:
        st.table(pd.DataFrame(rows).set_index("Item"), border="horizontal")
    st.caption(f"Similarity with itself: {exact(made.self_similarity)}.")
    whole = pd.DataFrame({"id": made.ids, "K": made.values})
    csv_button("Row as CSV", lambda: whole, f"{item} row", key="sequences.row")
