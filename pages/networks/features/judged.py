"""What a network of the columns is worth: accuracy against the parameter beside the plain kernel, and the choice judged."""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.learning.compare import Comparison
from kernex_core.studies.networks.features.accuracy import Claim, FeatureSweep
from pages.networks.features.subject import Subject
from pages.networks.results import parameter_of, tick_texts
from pages.server.digits import number, p_value
from pages.server.messages import findings, guard, plain
from pages.ui.figures.chart import Across, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.theme import SERIES, Role
from pages.ui.frame import panel_title
from pages.ui.panels.accuracy import OPTIMISTIC, own_classes, rests_on
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import run_study
from pages.ui.panels.verdicts import interval_words, paired_words, signed_points, verdict_rule, verdict_words
from pages.ui.shown import metric, remarks, remarks_of_choice

AUTOMATIC: Final = 200_000
"""Items × nodes up to which every value is judged without a click, in a few seconds."""
PLAIN: Final = Role("#858b93", 1.5, "8px,3px")


def run(subject: Subject, place: DeltaGenerator) -> None:
    """Judge every value, with a bar in a place; what is done is drawn by the next run of the page."""
    with place.container(), guard():
        run_study(
            subject.study().leading, key="features", what="kernels", label="Judge every value",
            automatic=is_automatic(subject),
            cost="Every value on every fold, beside the plain kernel: this starts with a click.",
        )  # fmt: skip


def is_automatic(subject: Subject) -> bool:
    """Whether every value is judged without a click."""
    return subject.dataset.n * subject.matched.network.n <= AUTOMATIC


def show(subject: Subject) -> None:
    """Draw accuracy against the parameter, and what may be said of it."""
    panel_title(
        "Accuracy", "on the network and plain, on the same folds", ("Multi-class", "Floor", "Interval")
    )
    found = subject.judged
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    if found.judged and subject.scale.name:
        draw(chart(subject, found), "features.accuracy")
    made = found.verdict(tuple(subject.named(kernel) for kernel in found.kernels))
    if made is not None and subject.scale.name:
        st.caption(
            f"**{verdict_words(made)}** The best of {len(made.candidates)} is {OPTIMISTIC}.",
            help=verdict_rule(made),
        )
    own_classes(subject.labels)
    findings([f"{subject.named(kernel)} could not be judged. {why}" for kernel, why in found.failed])


def numbers(subject: Subject, value: float) -> None:
    """Say what the numbers rest on, and how the choice and the present value stand beside the plain kernel."""
    found = subject.judged
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    here(subject, value)
    st.caption(words(subject, found))
    if found.nested is not None:
        remarks_of_choice("features.choice", found.nested)
    remarks("features.numbers", {"plain": found.plain})


def chart(subject: Subject, found: FeatureSweep) -> Picture:
    """Accuracy against the parameter with bars over repetitions; the plain kernel is a level."""
    scale = subject.scale
    mean, sd = found.curve()
    places = scale.places([parameter_of(scale, kernel) for kernel in found.kernels])
    every = scale.places(scale.grid)
    room = 0.04 * float(every.max() - every.min())
    across = Across(
        scale.axis, ticks=every.tolist(), texts=tick_texts(scale),
        range=(float(every.min()) - room, float(every.max()) + room),
    )  # fmt: skip
    levels = [
        Level("plain", 100.0 * found.plain.multi_class.mean, PLAIN),
        Level("floor", 100.0 * found.plain.multi_class.floor, "floor"),
    ]
    line = Line("on the network", places, 100.0 * mean, SERIES, error=100.0 * sd, bars=True)
    return curve(
        [line], across, Values("accuracy, %", "%", bounds=(0.0, 100.0)), levels=levels,
        heading=f"{found.plain.state.words}; bars: ± sd over repetitions", height=270,
    )  # fmt: skip


def words(subject: Subject, found: FeatureSweep) -> str:
    """Say what the numbers rest on, and how the choice stands beside the plain kernel."""
    said = [rests_on(found.plain)]
    if found.claim is not None:
        said.append(
            claim_words(
                found.claim, "Chosen inside the folds, it" if subject.scale.name else subject.kernel.title
            )
        )
    return " ".join(said)


def claim_words(claim: Claim, what: str = "Chosen so, it") -> str:
    """Whether the network helps: of a parameter that was chosen inside the training folds, or of a kernel without one."""
    beside = f"{interval_words(claim.paired)}, p {p_value(claim.paired.p)}"
    if not claim.paired.told_apart:
        return f"**{what} is not told apart from the plain kernel**: {signed_points(claim.difference)} points ({beside})."
    points, above = number(100.0 * abs(claim.difference), 1), claim.difference > 0.0
    return f"**{what} is {points} points {'above' if above else 'below'} the plain kernel** ({beside})."


def here(subject: Subject, value: float) -> None:
    """Say how the present value stands beside the plain kernel, where it was judged."""
    found = subject.judged
    kernel = subject.scale.at(subject.kernel, value)
    if found is None or kernel not in found.kernels:
        if found is not None and found.done >= found.total and subject.scale.name:
            grid = ", ".join(f"{each:g}" for each in subject.scale.grid)
            st.caption(f"Judged are {subject.scale.symbol} = {grid}.")
        return
    compared = found.compared[found.kernels.index(kernel)]
    metric("Difference, points", number(100.0 * compared.difference, 1), help=DIFFERENCE)
    st.caption(
        f"At {plain(subject.named(kernel))}: {difference_words(compared)}{MANY if subject.scale.name else ''}"
    )


MANY: Final = " One value of many: the choice among them is what the verdict says."
DIFFERENCE: Final = (
    "On the same folds. p is of this value alone: who looks at many values and reports the best needs the choice made again "
    "inside the training folds."
)


def difference_words(made: Comparison) -> str:
    """The comparison at one value."""
    return f"{paired_words(made.paired)}."
