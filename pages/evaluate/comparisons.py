"""Tests between the judged kernels, on the page Evaluate."""

from __future__ import annotations

import streamlit as st

from kernex_core.learning.compare import NOT_INDEPENDENT
from kernex_core.studies.evaluation import Evaluation, compared
from pages.shared.figures.theme import p_value
from pages.shared.messages import guard, plain


def comparisons(found: Evaluation) -> None:
    """Compare every other kernel with a chosen one, in an expander; nothing where there is only one."""
    if len(found.judgements) < 2:
        return
    panel = st.expander("Is the difference more than chance?", on_change="rerun", key="evaluate.compare")
    if not panel.open:
        return
    with panel, guard():
        names = sorted(found.judgements, key=lambda name: -found.judgements[name].multi_class.mean)
        reference = st.selectbox("Compare with", names, key="evaluate.reference")
        pairs = compared(found.judgements, reference)
        st.table(
            {
                "kernel": [plain(pair.name) for pair in pairs],
                "difference, points": [
                    f"{100 * pair.comparison.difference:+.1f}".replace("-", "−") for pair in pairs
                ],
                "McNemar p (Holm)": [
                    f"{p_value(p.comparison.mcnemar_p)} ({p_value(p.mcnemar_holm)})" for p in pairs
                ],
                "corrected t p (Holm)": [
                    f"{p_value(p.comparison.corrected_t_p)} ({p_value(p.corrected_t_holm)})" for p in pairs
                ],
                "Yates p, as in the papers": [p_value(p.comparison.yates_p) for p in pairs],
            },
            border="horizontal",
        )
        st.caption(
            "McNemar: exact, on the items of the first repetition that only one kernel names rightly. Corrected t: over all "
            f"folds, widened because training sets overlap (Nadeau and Bengio 2003). {NOT_INDEPENDENT}"
        )
