"""What the page Combine gives away: each combination at λ as a kernel, file and script; the table of accuracies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from kernex_core.gram.recipe import call, write_script
from kernex_core.studies.combination import KINDS, CombinationScores
from pages.shared import workspace
from pages.shared.downloads import csv_button, npz_button, script_button
from pages.shared.messages import guard

if TYPE_CHECKING:
    from pages.combine.subject import Subject

JUDGE = "from kernex_core import judge"


def results(subject: Subject, found: CombinationScores | None, lam: float) -> None:
    """Choose a combination; keep it, download it, get its script."""
    made = subject.made
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Combination", KINDS, default="joint", required=True, key="combine.kind", persist_state="session"
        )
        weight = "" if kind == "product" else f" λ={lam:g}"
        name = f"{kind}{weight} of {subject.first.name} and {subject.second.name}"
        if st.button("Keep this kernel", type="primary", icon=":material/bookmark:", key="combine.keep"):
            with guard():
                kept = workspace.keep_kernel(name, made.kernel(kind, lam))
                st.toast(f"Kept as {kept}: it can be inspected and judged on the other pages.")
                st.rerun()
        csv_button(
            "CSV",
            lambda: made.kernel(kind, lam),
            name,
            key="combine.csv",
            help="The kernel as CSV, ids on both axes.",
        )
        npz_button(
            "NPZ", lambda: made.kernel(kind, lam), name, key="combine.npz", help="NumPy archive: K and ids."
        )
        if found is not None:
            csv_button(
                "Accuracies",
                lambda: rows(found),
                "combinations",
                key="combine.scores",
                help="Every combination at every λ, by repetition.",
            )
        script_button(
            lambda: script(subject, kind, lam), name, key="combine.script",
            help="Python that computes this kernel, and its accuracy, again with kernex_core alone.",
        )  # fmt: skip


def script(subject: Subject, kind: str, lam: float) -> str:
    """Script of one combination, and of the accuracy that the page shows for it."""
    K = subject.made.kernel(kind, lam)
    results, prints = [K.recipe], ["$0.values"]
    if subject.labels is not None:
        results.append(call("judgement", "judge", K, subject.labels, subject.validation, imports=(JUDGE,)))
        prints += [
            "'multi-class accuracy', $1.multi_class.mean",
            "'one-vs-rest accuracy', $1.one_vs_rest.mean",
        ]
    heading = (
        f"Kernex: {kind} of {subject.first.name} and {subject.second.name}\n"
        "Run it beside the folder kernex_core, with the uploaded files in the same place."
    )
    return write_script(results, heading=heading, prints=prints)


def rows(found: CombinationScores) -> list[dict[str, object]]:
    """Return one row a combination, λ and repetition."""
    return [
        {
            "combination": kind, "lambda": "" if kind in ("first", "second", "product") else lam,
            "repetition": repetition, "multi_class": score.multi_class, "one_vs_rest": score.one_vs_rest,
        }
        for (kind, lam), repeated in found.scores.items()
        for repetition, score in enumerate(repeated)
    ]  # fmt: skip
