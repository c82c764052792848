"""Whether the probabilities of one judged kernel mean what they say, on the page Evaluate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.gram.provenance import call, write_script
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.reliability import FoldReliability, fold_reliability
from pages.evaluate.agreement import agreement
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Drawing, Offer, Result, buttons
from pages.shared.settings import widgets
from pages.shared.shown.words import spelt


def probabilities(made: Judgement, name: str) -> None:
    """Draw predicted beside observed shares; nothing where the learner has no probabilities."""
    if not made.probabilities.size:
        return
    panel_title(
        "Reliability",
        f"{plain(name)}: of the items predicted at 30 %, three in ten should be of the class; dashed: equal",
    )
    of = made.classes[1]
    if len(made.classes) > 2:
        of = widgets.choose("reliability_of", made.classes, key="evaluate.reliability_of")
    found = fold_reliability(made, of)
    picture = _picture(found, of)
    draw(picture, "evaluate.bins")
    st.caption(
        f"Probabilities of {plain(of)} against all others, of items in no training fold. Brier score "
        f"**{number(found.table.brier, 3)}** (floor {number(found.floor, 3)}: always the share of the class); mean distance "
        f"from the diagonal {number(100.0 * found.table.error, 1)} points. Bars: 95 %, other data sets; "
        "a bin of few items says little."
    )
    files = f"reliability of {name}"
    drawing = Drawing(lambda: picture, title=f"Reliability of {name}", settings=spelt(made.config))
    with st.container(horizontal=True, vertical_alignment="center"):
        shown = Result(files, table=Offer(lambda: table(found), label="Reliability as CSV"), figure=drawing)
        buttons(shown, key="evaluate.reliability", look="tertiary")
        again = Offer(
            lambda: script(made, of), help="Python that judges this kernel and makes this table again."
        )
        # by itself: the report of this page stands further up
        buttons(Result(files, script=again), key="evaluate.reliability.of")


def script(made: Judgement, of: str) -> str:
    """Script that judges the kernel, and prints the bins."""
    found = call(
        "found", "fold_reliability", made.recipe, of,
    )  # fmt: skip
    return write_script(
        [found],
        heading=f"Kernex: reliability of probabilities of {of}",
        prints=["$0.table.predicted", "$0.table.observed", "$0.low", "$0.high", "$0.table.brier"],
    )


def table(found: FoldReliability) -> pd.DataFrame:
    """Return one row a bin that has items."""
    return pd.DataFrame(
        {
            "predicted": found.table.predicted, "observed": found.table.observed, "interval from": found.low,
            "interval to": found.high, "predictions": found.table.counts, "items": found.items,
        }
    )  # fmt: skip


def _picture(found: FoldReliability, of: str) -> Picture:
    x, y = 100.0 * found.table.predicted, 100.0 * found.table.observed
    ends = np.maximum([y - 100.0 * found.low, 100.0 * found.high - y], 0.0)
    said = [
        f"predicted {a:.0f} %, observed {b:.0f} %: {count:,} predictions of {items:,} items"
        for a, b, count, items in zip(x, y, found.table.counts, found.items, strict=True)
    ]
    return agreement(
        x, y, titles=(f"predicted probability of {of}, %", "observed share, %"), hover=said, errors=ends, lines=True,
        alt=f"Observed over predicted probabilities of {of}: {'; '.join(said)}.",
    )  # fmt: skip
