"""What the page Complete gives away: the kernel, its files and script, trust in every item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call, part, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.leakage import recorded_state
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.studies.completion.study import CompletionView
from pages.complete import against_chance
from pages.complete.pictures import joint_picture
from pages.shared import chosen
from pages.shared.digits import in_table
from pages.shared.downloads import Arrays, csv_button
from pages.shared.figures.picture import Items
from pages.shared.messages import guard
from pages.shared.panels.accuracy import with_interval
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.shared.panels.several.chance import printed_chance
from pages.shared.shown import registry
from pages.shared.shown.words import spelt

if TYPE_CHECKING:
    from pages.complete.subject import Subject

HIDDEN_ONCE = (
    "Keeps the kernel of the heatmaps, with this one set of hidden items. The accuracy above hides other items in every "
    "repetition, so the page Evaluate will show another number for the kept kernel; it can be read below."
)
FOR_OTHERS = "It can then be inspected, combined and judged elsewhere."
THEN = "it can be inspected, combined and judged on the other pages."


def results(subject: Subject, shown: CompletionView, items: Items) -> None:
    """Keep, download, report, script."""
    made = subject.made
    against = against_chance.known(subject, shown.lam)
    result = Result(
        f"joint λ={shown.lam:g} of {subject.target.name}",
        kernel=lambda: made.kernel(shown.lam),
        arrays=Offer(
            lambda: _arrays(subject, shown),
            help="Joint, extrapolated, truth, known mask and ids as a NumPy archive.",
        ),
        figure=Drawing(
            lambda: joint_picture(shown, items),
            title=f"Joint kernel of {subject.target.name} and {subject.source.name}",
            settings={"λ": shown.lam, **spelt(made.config)},
        ),
        script=Offer(
            lambda: script(subject, shown.lam, against),
            help="Python that computes this kernel and its accuracy again with kernex_core alone.",
        ),
    )
    keep_row(
        result, key="complete", keep=Keep(help=HIDDEN_ONCE if made.hidden.any() else FOR_OTHERS, then=THEN)
    )


def kernels(subject: Subject, shown: CompletionView) -> dict[str, Callable[[], FloatArray]]:
    """Those that are known everywhere, by name."""
    made, whole = subject.made, {}
    if not np.isnan(made.truth).any():
        whole[f"{subject.target.name}, complete"] = lambda: made.truth
    return {
        "joint": lambda: shown.K, "extrapolated": lambda: made.extrapolation.T_hat,
        f"{subject.source.name}, conditioned": lambda: made.source.values, **whole,
    }  # fmt: skip


def exactly(subject: Subject, shown: CompletionView) -> None:
    """Judge the one kernel that is kept, as the page Evaluate does; each move of λ costs as much only while it is open."""
    if subject.labels is None or not subject.made.hidden.any():
        return
    panel = st.expander(
        "Accuracy of exactly this kernel, with its one set of hidden items",
        on_change="rerun",
        key="complete.one",
    )
    if not panel.open:
        return
    with panel, guard():
        found = subject.judged(shown.lam)
        st.markdown(
            f"Multi-class **{with_interval(found.multi_class.mean, found.interval())}\u00a0%**, one-vs-rest "
            f"**{with_interval(found.one_vs_rest.mean, found.interval('one_vs_rest'))}\u00a0%**"
        )
        st.caption(
            f"{found.rests_on}, the interval in brackets: 95\u00a0%, other data sets. The page Evaluate shows these "
            "numbers for the kept kernel under the "
            "same settings of the cross-validation."
        )


ENDS = "'95 %, other data sets', $1[{0}].low[0], $1[{0}].high[0]"


def script(subject: Subject, lam: float, against: Mapping[str, Permuted] = MappingProxyType({})) -> str:
    """Script of the joint kernel at λ, and of the page's accuracy where there are labels.

    The accuracy is that of the sweep behind the page: every repetition hides other items and has its own folds.
    Judging the one kernel that is shown would give another number.
    """
    K = subject.made.kernel(lam)
    results, prints = [K.recipe], ["$0.values"]
    if subject.labels is not None:
        results += [*_judged(subject, subject.labels, lam), recorded_state(K)]
        results += against_chance.recipes(subject, lam, against)
        prints += [
            f"'multi-class accuracy', $1[0].mean[0], {ENDS.format(0)}, 'sd over repetitions', $1[0].sd[0]",
            f"'one-vs-rest accuracy', $1[1].mean[0], {ENDS.format(1)}, 'sd over repetitions', $1[1].sd[0]",
            "$2",
            "*((each.name, each.value, each.interval.low, each.interval.high, each.p) for each in $3.candidates), sep='\\n'",
            "$4.words",
            *(f"{measure!r}, {printed_chance(5 + k)}" for k, measure in enumerate(against)),
        ]
    heading = (
        f"Kernex: {subject.target.name} completed from {subject.source.name}, λ = {lam:g}\n"
        "The matrix is the one that the page shows"
        + ("; in the accuracy every repetition hides other items." if subject.made.hidden.any() else ".")
    )
    return write_script(results, heading=heading, prints=prints)


def _judged(subject: Subject, labels: Labels, lam: float) -> list[Call]:
    """Accuracy of the joint kernel, and the verdict on everything that is judged beside it, from one sweep."""
    made = subject.made
    states = call(
        "states", "sweeping_shares", made.config, made.source, subject.target, labels, subject.validation,
        shares=(made.config.share,),
    )  # fmt: skip
    sweep = part(call("found", "last_state", states), "sweep")
    verdict = call(
        "verdict", "verdict_at", sweep, lam, source=subject.source.name,
    )  # fmt: skip
    said = call(
        "said",
        "verdict_sentence",
        verdict,
        gain="completing gains nothing",
        typed=(f"{subject.source.name} alone",),
    )
    return [call("accuracy", "joint_curve", sweep, lam), said, verdict]


def _arrays(subject: Subject, shown: CompletionView) -> Arrays:
    made = subject.made
    return {
        "joint": shown.K, "extrapolated": made.extrapolation.T_hat, "truth": made.truth, "known": made.known,
        "hidden": made.hidden, "unexplained": made.extrapolation.unexplained, "ids": np.array(made.source.ids),
        "lam": np.array(shown.lam),
    }  # fmt: skip


def are_unlabelled(subject: Subject) -> bool:
    """Whether there are items without a class, which can be predicted."""
    return subject.labels is not None and not subject.labels.labelled.all()


def unlabelled(subject: Subject, shown: CompletionView) -> None:
    """Predict the classes of items without one."""
    labels = subject.labels
    assert labels is not None  # there are some
    K = GramMatrix(shown.K, subject.made.source.ids, "joint")
    made = predict_unlabelled(K, labels, C=subject.validation.C)
    table = pd.DataFrame({"id": made.ids, "predicted class": made.labels, "margin": made.margin})
    registry.list_rows("complete.unlabelled", table, "Unlabelled items")
    st.markdown(f"**{counted(len(made.ids), 'item')} without a class**")
    st.dataframe(in_table(chosen.first(table)), hide_index=True, width="stretch")
    st.caption("Margin: largest decision value minus the runner-up; near 0 = undecided.")
    csv_button("Predictions as CSV", lambda: table, "predictions", key="complete.predict.csv")
