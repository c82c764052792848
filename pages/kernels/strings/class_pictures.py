"""Weights of k-mers along a sequence, and the heaviest of them, as pictures, tables and files."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.studies.sequences.classifier import ClassEvidence, KmerEvidence
from pages.shared.declared.settings import setting
from pages.shared.digits import in_table
from pages.shared.downloads import csv_button
from pages.shared.figures.along import MOST_LETTERS, weights_along
from pages.shared.figures.theme import number
from pages.shared.figures.weights import signed_bars
from pages.shared.frame import panel_title
from pages.shared.messages import plain, shortened
from pages.shared.panels.heatmap import draw
from pages.shared.settings import widgets

EACH = 10
"""K-mers that are listed for the class, and as many against it."""
SHOWN_WINDOWS = 4
CLASSIFIER, HERE = "in the classifier", "in this sequence"


def along(made: ClassEvidence, item: str) -> None:
    """Draw what every letter adds to the decision value; a slider chooses a stretch of a long sequence."""
    n = len(made.string)
    if not any(each.size for each in made.windows):
        st.markdown("This sequence is shorter than a k-mer: its decision value is the intercept.")
        return
    panel_title(
        f"Along {plain(shortened(item, 40))}",
        f"{n:,} letters; orange speaks for “{plain(made.of_class)}”, blue against; every window's contribution shared "
        "equally by its letters",
    )
    begin, end = 1, n
    if n > MOST_LETTERS:
        begin, end = widgets.between(
            "letters", 1, n, default=(1, n), key=f"sequences.class.letters.{item}.{n}",
            help=f"Up to {MOST_LETTERS} letters are drawn one by one; of more, bars are means of blocks.",
        )  # fmt: skip
    part = slice(begin - 1, end)
    hover = _windows(made, part) if end - begin < MOST_LETTERS else None
    picture = weights_along(
        made.along[part], made.string[part], hover=hover, start=begin - 1, y_title="part of f(x)"
    )
    draw(picture, "sequences.class.along")
    if picture.note:
        st.caption(f"{picture.note[0].upper()}{picture.note[1:]}.")


SETTINGS = setting("letters", "Letters"), setting("by", "Heaviest k-mers by")


def _windows(made: ClassEvidence, part: slice) -> list[str]:
    """Return the windows that start at each letter with what they contribute, the heaviest of many lengths."""
    texts = []
    for at in range(part.start, part.stop):
        found = [
            (float(values[at]), made.string[at : at + table.kernel.k])
            for table, values in zip(made.tables, made.windows, strict=True)
            if at < len(values)
        ]
        found.sort(key=lambda each: -abs(each[0]))
        texts.append(", ".join(f"{window} {number(value)}" for value, window in found[:SHOWN_WINDOWS]))
    return texts


def heaviest(made: ClassEvidence, item: str) -> None:
    """Draw the heaviest k-mers of both signs as bars and as a table, with downloads of all of them."""
    left, right = st.columns([1.0, 1.25], gap="medium")
    with left:
        panel_title("Heaviest k-mers", "for the class on top, against it below")
        by = widgets.pick("by", [HERE, CLASSIFIER], key="sequences.class.by", label_visibility="collapsed")
    here = by == HERE
    listed = [
        *made.heaviest(EACH, positive=True, here=here),
        *reversed(made.heaviest(EACH, positive=False, here=here)),
    ]
    if not listed:
        left.markdown("No k-mer has a weight here.")
        return
    with left:
        values = [each.contribution if here else each.weight for each in listed]
        bars = signed_bars(
            values, names=[each.kmer for each in listed], x_title="part of f(x)" if here else "weight w"
        )
        draw(bars, "sequences.class.bars")
    with right:
        st.dataframe(
            in_table(pd.DataFrame([_row(each) for each in listed])), hide_index=True, height=36 * 11 + 2
        )
        st.caption(
            "Times: windows of this sequence that are the k-mer, or within the allowed mismatches of it. "
            f"Part of *f*(*x*) = *w* × times{' / √K(x,x)' if made.length != 1.0 else ''}."
        )
        with st.container(horizontal=True):
            csv_button(
                "Weights as CSV", lambda: pd.DataFrame(made.evidence()), f"{made.of_class} k-mer weights",
                key="sequences.class.weights", help="Every k-mer with a weight, for this class.",
            )  # fmt: skip
            csv_button(
                "Positions as CSV", lambda: pd.DataFrame(_positions(made)), f"{item} {made.of_class} positions",
                key="sequences.class.positions", help="Letter by letter, and the window that starts there.",
            )  # fmt: skip


def _row(each: KmerEvidence) -> dict[str, object]:
    return {
        "K-mer": each.kmer, "Weight w": each.weight, "Times": int(each.occurrences), "Part of f(x)": each.contribution
    }  # fmt: skip


def _positions(made: ClassEvidence) -> Mapping[str, ArrayLike]:
    """Return columns position, letter, its contribution, and for each length of k-mers the window that starts there."""
    n = len(made.string)
    columns: dict[str, ArrayLike] = {
        "position": list(range(1, n + 1)), "letter": list(made.string), "contribution": made.along
    }  # fmt: skip
    for table, values in zip(made.tables, made.windows, strict=True):
        k, kept = table.kernel.k, values.tolist()
        columns[f"window of {k}"] = [made.string[i : i + k] if i < len(kept) else "" for i in range(n)]
        columns[f"contribution of window of {k}"] = kept[:n] + [None] * (n - len(kept))
    return columns
