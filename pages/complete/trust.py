"""How much of each unknown item the known ones explain, and what the completion keeps of the target."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from pages.complete.subject import Subject
from pages.shared import chosen
from pages.shared.downloads import csv_button
from pages.shared.figures.bars import trust_bars
from pages.shared.figures.theme import percent
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw
from pages.shared.panels.side_by_side import NUMBER_WIDTH
from pages.shared.panels.source_target import scattered_words
from pages.shared.shown.drawn import metric


def show(subject: Subject) -> None:
    """Draw a bar for each unknown item, and two numbers."""
    made = subject.made
    at = np.flatnonzero(~made.known)
    explained = 1.0 - made.extrapolation.unexplained[at]
    ids = [made.source.ids[i] for i in at]
    left, right = st.columns([5, 1], gap="medium")
    with left:
        panel_title("Trust", "how much of each unknown item the known ones explain")
        draw(trust_bars(explained, ids=ids, marked=chosen.chosen_ids()), "complete.trust.bars")
    with right, st.container(width=NUMBER_WIDTH):
        median = made.explained_median
        metric(
            "Explained, unknown items", "—" if median is None else percent(median), note="median", beside=True
        )
        rank = f"rank {made.extrapolation.known.size:,} of {made.m:,}"
        metric("Trace kept", percent(made.extrapolation.trace_share), note=rank, beside=True)
    st.caption(
        "1 − (k′(x,x) − Φₓᵀ A⁻¹ Φₓ) / k′(x,x), in the source kernel with its nugget. An item near 0\u00a0% resembles no "
        "known item: what is filled in for it rests on nothing."
    )
    if said := scattered_words(subject.target):
        st.caption(said)
    labels = subject.labels
    table = pd.DataFrame({"id": ids, "class": labels.y[at] if labels else "", "explained": explained})
    csv_button("Trust as CSV", lambda: table.sort_values("explained"), "trust", key="complete.trust.csv")
