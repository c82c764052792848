"""Why two sequences are similar: two ids, the parts of their similarity, and the nearest neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.explanation import (
    AlignedColumn,
    AlignmentEnd,
    Explanation,
    Part,
    SharedKmer,
    SharedSubsequence,
)
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.studies.sequences.classifier import Neighbours, check_cells, neighbours
from pages.export.downloads import csv_button
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import of_items
from pages.server.messages import findings, guard, plain
from pages.ui import chosen, widgets
from pages.ui import settings as held
from pages.ui.answer import VerdictPlace
from pages.ui.chosen import both_numbers, exact, listed_of
from pages.ui.figures.curve import Shared, marks_along
from pages.ui.frame import panel_title
from pages.ui.panels.linked import draw
from pages.ui.widget import neighbour_buttons

# Parts of a similarity as text: an alignment residue by residue, one table row a part, and marks for a picture.

WIDTH = 60
SHOWN_POSITIONS = 12
MOST_LINKS: Final = 300
"""Lines of one alignment, side by side, up to which one sees where they lead."""
MOST_CROSSING: Final = 40
"""Lines that cross each other up to which one sees where they lead; the heaviest parts get them."""
MOST_MARKS: Final = 2000
"""Places up to which marks are told apart on two lines; the heaviest parts get them."""


def alignment_text(columns: Sequence[AlignedColumn]) -> str:
    """Return blocks of three lines: first sequence, marks, second sequence, with the first and last positions."""
    blocks = [columns[start : start + WIDTH] for start in range(0, len(columns), WIDTH)]
    margin = len(str(max(at for c in columns for at in (c.position_s or 0, c.position_t or 0)) + 1))
    return "\n\n".join(_block(block, margin) for block in blocks)


def _block(columns: Sequence[AlignedColumn], margin: int) -> str:
    first = _line("".join(c.letter_s for c in columns), [c.position_s for c in columns], margin)
    second = _line("".join(c.letter_t for c in columns), [c.position_t for c in columns], margin)
    return f"{first}\n{' ' * margin}  {''.join(_mark(c) for c in columns)}\n{second}"


def _line(letters: str, positions: Sequence[int | None], margin: int) -> str:
    known = [at + 1 for at in positions if at is not None]
    start, end = (str(known[0]), str(known[-1])) if known else ("", "")
    return f"{start:>{margin}}  {letters.replace('-', '−')}  {end}".rstrip()


def _mark(column: AlignedColumn) -> str:
    if column.position_s is None or column.position_t is None:
        return " "
    if column.letter_s == column.letter_t:
        return "|"
    return "+" if column.contribution > 0.0 else "·"


def part_rows(parts: Sequence[Part], kernel: AbstractKernel[Sequence[str]]) -> list[dict[str, object]]:
    """Return one row a part, positions counted from 1."""
    return [_row(part, isinstance(kernel, Mismatch)) for part in parts]


def marks_of(parts: Sequence[Part], alignment: Sequence[AlignedColumn]) -> list[Shared]:
    """Return the places of the parts in both sequences; of kernels on alignments those of the best alignment.

    The heaviest parts come first, and those that would fill the lines with marks are left out.
    """
    if alignment:
        pairs = [
            (c.position_s, c.position_t)
            for c in alignment
            if c.position_s is not None and c.position_t is not None
        ]
        shown = pairs[:: len(pairs) // MOST_LINKS + 1]
        return [Shared("best alignment", [i for i, _ in pairs], [j for _, j in pairs], 1, shown)]
    room, places, marks = MOST_CROSSING, MOST_MARKS, []
    for part in parts:
        if not isinstance(part, SharedKmer | SharedSubsequence):
            continue
        places -= len(part.positions_s) + len(part.positions_t)
        if places < 0:
            break
        if isinstance(part, SharedKmer):
            name = part.kmer_s if part.kmer_s == part.kmer_t else f"{part.kmer_s}/{part.kmer_t}"
            links = [(i, j) for i in part.positions_s[:room] for j in part.positions_t[:room]]
            width = len(part.kmer_s)
        else:
            name, width = part.word, 1
            links = list(zip(part.positions_s, part.positions_t, strict=True))
        # the links of a part that is everywhere would hide all others
        links = links if len(links) <= room else []
        room -= len(links)
        marks.append(Shared(name, part.positions_s, part.positions_t, width, links))
    return marks


def _row(part: Part, similar: bool) -> dict[str, object]:
    if isinstance(part, SharedKmer):
        named: dict[str, object] = {"K-mer": part.kmer_s}
        if similar:
            named = {"First": part.kmer_s, "Second": part.kmer_t, "Mismatches": part.mismatches,
                     "Features in common": part.common_features}  # fmt: skip
        return {
            **named, "Count in first": len(part.positions_s), "Count in second": len(part.positions_t),
            "Part of K": part.contribution, "At in first": _places(part.positions_s),
            "At in second": _places(part.positions_t),
        }  # fmt: skip
    if isinstance(part, SharedSubsequence):
        return {
            "Subsequence": part.word, "Gaps in first": part.gaps_s, "Gaps in second": part.gaps_t,
            "Count in first": str(part.occurrences_s), "Count in second": str(part.occurrences_t),
            "Part of K": part.contribution, "Tightest in first": _places(part.positions_s),
            "Tightest in second": _places(part.positions_t),
        }  # fmt: skip
    assert isinstance(part, AlignedColumn | AlignmentEnd)  # strings have no other parts
    row: dict[str, object] = {
        "First": part.letter_s, "Second": part.letter_t, "At in first": _place(part.position_s),
        "At in second": _place(part.position_t),
        "Part of K" if isinstance(part, AlignmentEnd) else "Score": part.contribution,
    }  # fmt: skip
    if isinstance(part, AlignmentEnd) or part.probability is not None:
        row["Probability"] = part.probability
    return row


def _place(at: int | None) -> str:
    return "−" if at is None else str(at + 1)


def _places(positions: Sequence[int]) -> str:
    shown = ", ".join(str(at + 1) for at in positions[:SHOWN_POSITIONS])
    return shown if len(positions) <= SHOWN_POSITIONS else f"{shown}, …"


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
