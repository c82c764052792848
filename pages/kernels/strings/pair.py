"""Why two sequences are similar: two ids, the parts of their similarity, and the nearest neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.explanation import Explanation
from kernex_core.studies.sequences.classifier import Neighbours, check_cells, neighbours
from pages.kernels.strings.parts import MOST_MARKS, alignment_text, marks_of, part_rows
from pages.shared import chosen, workspace
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.cached import cached
from pages.shared.declared.settings import of_items
from pages.shared.downloads import csv_button
from pages.shared.figures.along import marks_along
from pages.shared.frame import panel_title
from pages.shared.messages import findings, guard, plain
from pages.shared.neighbour_buttons import neighbour_buttons
from pages.shared.panels.heatmap import draw
from pages.shared.settings import held, widgets
from pages.shared.sum_of_parts import both_numbers, exact, listed_of

TOP = 20
BRIEFLY = 3
"""Parts that are listed beside a matrix."""
PAIR_CELLS = 16_000_000
"""Pairs of letters up to which two sequences are explained: the tables are held in memory."""
EXACT_WHOLE = 2.0**53


@cached
def explanation(kernel: AbstractKernel[Sequence[str]], s: str, t: str) -> Explanation:
    """Return the parts of one similarity."""
    return kernel.explain(s, t, TOP)


@cached
def row_of(kernel: AbstractKernel[Sequence[str]], samples: Sequences, item: str) -> Neighbours:
    """Return the similarities of one item to all items, most similar first."""
    return neighbours(kernel, samples, item)


def why_similar(
    dataset: DataSet,
    samples: Sequences,
    name: str,
    kernel: AbstractKernel[Sequence[str]],
    top: DeltaGenerator,
) -> None:
    """Draw what makes one similarity: two ids, both numbers, the places in both sequences, and the parts.

    Parameters
    ----------
    dataset : DataSet
        Whose name the choice of ids is kept under.
    samples : Sequences
    name : str
        Of the samples.
    kernel : AbstractKernel
        With its data-dependent defaults resolved on all samples.
    top : container
        Where both numbers are said.
    """
    with guard():
        with top:
            place = VerdictPlace()
        first, second, key = _pair(samples, dataset.name, name, kernel)
        s, t = (samples.strings[samples.ids.index(item)] for item in (first, second))
        # a long pair is refused by its size; the kernel's own check would time it first
        check_cells(kernel, s, [t], PAIR_CELLS)
        kernel.check([s, t], [first, second])
        with guard():
            made = _numbers(kernel, s, t, first, second, place)
            left, right = st.columns([2.0, 1.0], gap="medium")
            with left:
                _parts(made, kernel, first, second)
            with right, guard():
                _neighbours(kernel, samples, first, key)
        findings(kernel.remarks([s, t]))


def briefly(samples: Sequences, kernel: AbstractKernel[Sequence[str]], first: str, second: str) -> None:
    """Write what makes one similarity in a table of a few lines, beside the matrix.

    Parameters
    ----------
    samples : Sequences
    kernel : AbstractKernel
        With its data-dependent defaults resolved on all samples.
    first, second : str
        Ids.
    """
    s, t = (samples.strings[samples.ids.index(item)] for item in (first, second))
    check_cells(kernel, s, [t], PAIR_CELLS)
    kernel.check([s, t], [first, second])
    made = explanation(kernel, s, t)
    if not made.parts:
        st.markdown("They share nothing that this kernel sees.")
        return
    rows = part_rows(made.parts[:BRIEFLY], kernel)
    left = made.sum_of_parts - math.fsum(part.contribution for part in made.parts[:BRIEFLY])
    panel_title(
        "Why similar?",
        f"before any normalisation: {exact(made.total)}, of which these; the rest is {exact(left)}",
    )
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")


SETTINGS = of_items("first", "First"), of_items("second", "Second")


def _follow(samples: Sequences, key: str) -> None:
    """Let both boxes show the pair that was chosen in a picture, once."""
    at = chosen.pair(samples.ids)
    ids = None if at is None else (samples.ids[at[0]], samples.ids[at[1]])
    if ids is not None and ids != workspace.recall(f"{key}.followed", ("", "")):
        workspace.show_in(f"sequences.0.{key}", ids[0])
        workspace.show_in(f"sequences.1.{key}.{ids[0]}", ids[1])
        workspace.remember(f"{key}.followed", ids)


def _pair(
    samples: Sequences, dataset: str, name: str, kernel: AbstractKernel[Sequence[str]]
) -> tuple[str, str, str]:
    """Draw both choices and return them, with the key of the second: it opens on the nearest neighbour of the first."""
    _follow(samples, f"{dataset}.{name}")
    left, right = st.columns(2)
    with left:
        first = widgets.choose(
            "first", samples.ids, key=f"sequences.0.{dataset}.{name}", help="Type to search by id."
        )
    key = f"sequences.1.{dataset}.{name}.{first}"
    held.hangs_on("second", first)
    with right:
        second = widgets.choose(
            "second", samples.ids, default=samples.ids[_nearest(kernel, samples, first)], key=key,
            help="Opens on the first one's nearest neighbour. Type to search by id.",
        )  # fmt: skip
    return first, second, key


def _nearest(kernel: AbstractKernel[Sequence[str]], samples: Sequences, item: str) -> int:
    """Position of the nearest neighbour; where the row would take too long, of the next item."""
    try:
        found = row_of(kernel, samples, item).ids
    except KernexError:
        found = ()
    at = samples.ids.index(item)
    return samples.ids.index(found[0]) if found else min(at + 1, samples.n - 1)


def _numbers(
    kernel: AbstractKernel[Sequence[str]], s: str, t: str, first: str, second: str, place: VerdictPlace
) -> Explanation:
    """Draw both numbers and the places in both sequences."""
    made = explanation(kernel, s, t)
    panel_title(f"{plain(first)} and {plain(second)}", f"{len(s):,} and {len(t):,} letters")
    place.sentence.markdown(both_numbers(made))
    marks = marks_of(made.parts, made.alignment)
    if marks:
        draw(marks_along((first, second), (len(s), len(t)), marks), "sequences.marks")
    if not made.parts:
        st.markdown("They share nothing that this kernel sees.")
    elif not made.alignment and len(marks) < len(made.parts):
        st.caption(
            f"The places of {len(marks)} of {counted(len(made.parts), 'part')} are drawn: all would fill the lines."
            if marks
            else f"Their places are not drawn: above {MOST_MARKS:,} marks they would fill the lines."
        )
    if made.alignment:
        st.code(alignment_text(made.alignment), language=None)
        st.caption(
            "| the same letter, + a positive score, · a score of 0 or less; − a gap. Positions from 1."
        )
    return made


def _parts(made: Explanation, kernel: AbstractKernel[Sequence[str]], first: str, second: str) -> None:
    lengths = pd.DataFrame(
        [
            {"k": each.k, "Weight": each.weight, "Shared k-mers": each.shared, "Part of K": each.contribution}
            for each in made.by_length
        ]
    )
    if not lengths.empty:
        panel_title("By length of the k-mers", f"they sum to {exact(math.fsum(lengths['Part of K']))}")
        _shown(lengths)
        csv_button("Lengths as CSV", lambda: lengths, f"{first} {second} lengths", key="sequences.lengths")
    table = pd.DataFrame(part_rows(made.parts, kernel))
    if not table.empty:
        panel_title("Parts", listed_of(made))
        _shown(table)
        csv_button("Parts as CSV", lambda: table, f"{first} {second} parts", key="sequences.parts")


def _shown(table: pd.DataFrame) -> None:
    """Draw a table, ten rows at once; whole numbers that JavaScript cannot hold as text."""
    if "Part of K" in table and table["Part of K"].abs().max() >= EXACT_WHOLE:
        table = table.assign(**{"Part of K": table["Part of K"].map(exact)})
    st.dataframe(table, hide_index=True, height="content" if len(table) <= 10 else 370)


def _neighbours(kernel: AbstractKernel[Sequence[str]], samples: Sequences, item: str, key: str) -> None:
    """Draw the most similar items; a click on one puts it beside the item, into the box of that key."""
    made = row_of(kernel, samples, item)
    panel_title("Nearest neighbours", f"of {plain(item)}, before any normalisation")
    said = (f"*K* = {exact(value)}" for value in made.values.tolist())
    neighbour_buttons(zip(made.ids, said, strict=True), key)
    st.caption(f"Similarity with itself: {exact(made.self_similarity)}.")
    whole = pd.DataFrame({"id": made.ids, "K": made.values})
    csv_button("Row as CSV", lambda: whole, f"{item} row", key="sequences.row")
