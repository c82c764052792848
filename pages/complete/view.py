"""The page Complete: controls, five heatmaps, accuracy, spectrum, five numbers, keep and download.

A move of λ runs `_moving` alone: of the five matrices it sends two, and what stands below. A move of another setting runs
the body of the page where there are few items, and the whole page where there are many.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.joint.complete import Complete
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.leakage import state_of
from kernex_core.parameters import parameters
from kernex_core.studies.completion.answer import Answer
from kernex_core.studies.completion.share_sweep import MANY, Sweep
from kernex_core.studies.completion.study import Completion, CompletionView
from pages.complete import against_chance, baselines, choice, numbers, pictures, waiting, words
from pages.complete.results import results
from pages.complete.settings import settings, validation_of
from pages.complete.subject import QUICK, Subject
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import guard, plain
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.arrangement import order_box
from pages.shared.panels.heatmap import draw
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.side_by_side import numbers_in_a_row, places
from pages.shared.panels.source_target import AT_ONCE, choose_kernels, complete_in_pieces
from pages.shared.settings import widgets
from pages.shared.shown import registry
from pages.shared.shown.remarks import copies_said
from pages.shared.widget import widget

SKELETON = 340
"""Pixels of what stands in the place of the accuracies until they are there."""


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    if dataset.all_partly_known:
        _no_source(dataset)
        return
    source, target = choose_kernels(dataset)
    draw_body = _body_alone if target.n <= QUICK else _body
    drawn = draw_body(page, Choice(dataset, source, target), [True])
    if drawn is not None:
        waiting.more_shares(*drawn)


@dataclass(frozen=True)
class Choice:
    """Data, and the kernels that are chosen above all other controls."""

    dataset: DataSet
    source: GramMatrix
    target: GramMatrix


def _body(page: PageFrame, choice: Choice, first: list[bool]) -> tuple[Subject, DeltaGenerator] | None:
    """Draw the settings and all that follows from them; return it and the place of what is waited for, which is empty.

    None where it was stopped, or refused.
    """
    is_page = bool(first) and first.pop()
    if not is_page:
        registry.again()
    with guard():
        config = settings(choice.dataset, choice.target)
        maps, protocol, place, lower = st.container(), st.container(), st.empty(), st.container()
        with protocol:
            validation = validation_of(choice.dataset, config.seed)
        with maps:
            made = complete_in_pieces(config, choice.source, choice.target)
        if made is None:
            return None
        labels = choice.dataset.judgeable
        subject = Subject(choice.dataset, choice.source, choice.target, labels, made, validation)
        if not is_page and subject.missing_shares:
            st.rerun()  # they come one after the other, with a Stop that no fragment may hold back
        # in a run of its own a fragment draws all badges anew
        _badges(PageFrame(page.slot), made)
        with maps:
            _waited_for(subject, place, lower)
        return subject, place
    return None


_body_alone = st.fragment(_body)
"""The same by itself: of few items everything is an answer to a move, and the page around it stays."""


def _waited_for(subject: Subject, place: DeltaGenerator, lower: DeltaGenerator) -> None:
    """Draw what λ changes; where many items have to be judged first, with a bar and Stop."""
    asked = subject.made.m > QUICK and subject.waits
    if not asked or waiting.is_stopped(waiting.SWEEP, subject.settings):
        _moving(subject, lower, [])
        return
    with waiting.stoppable(place, waiting.SWEEP, subject.settings) as bar:
        if subject.made.m > AT_ONCE:  # until the first repetition is told of
            bar.progress(0.0, f"Matrices of {subject.made.m:,} items")
        _moving(subject, lower, [bar])


def _no_source(dataset: DataSet) -> None:
    """Say where kernels are completed of which none can be the source."""
    st.markdown(
        f"This page takes a source kernel that is known for every pair. **{plain(dataset.name)}** has "
        f"{len(dataset.kernels)} kernels, and each lacks something. On the page *Many kernels* they complete each other."
    )
    st.page_link("combine/many/many.py", label="Many kernels", icon=":material/stacks:")


@st.fragment
def _moving(subject: Subject, lower: DeltaGenerator, bars: list[DeltaGenerator]) -> None:
    """Draw what λ changes; a bar stands beside Stop in the first run alone, which is the page's."""
    slot, order = places(420, 200)
    with slot:
        lam = widget(parameters(Complete)["lam"], 0.25, name="lam")
    how = order_box(order, with_classes=subject.labels is not None, kernel=plain(subject.source.name))
    with guard():
        shown = subject.view(lam)
        items = pictures.maps(subject, shown, how)
        with lower:
            _lower(subject, shown, items, bars)


def _lower(subject: Subject, shown: CompletionView, items: Items, bars: list[DeltaGenerator]) -> None:
    """Draw what stands below the matrices; what has to be judged comes last, in its place."""
    made = subject.made
    left, right = st.columns([3, 2], gap="medium")
    two = subject.labels is not None and len(subject.labels.classes) == 2
    columns, baselines_slot = numbers_in_a_row(4 if two else 5), st.container()
    with right:
        pictures.spectrum_panel(made, shown, subject.target.name)
    numbers.errors(columns[-3:], made, shown)
    results(subject, shown, items)
    answer, sweep, verdict = Answer(shown), None, None
    with left:
        if subject.labels is None:
            panel_title("Accuracy", "needs labels of at least two classes")
            st.markdown(
                ":gray[These items have no classes, so nothing can be judged by them. The spectrum and the errors "
                "do not need any. Labels are brought on the page Data.]"
            )
        elif subject.waits and waiting.is_stopped(waiting.SWEEP, subject.settings):
            panel_title("Accuracy", "not judged")
            waiting.go_on(waiting.SWEEP, "Stopped before every repetition was judged.", "Judge")
        else:
            with guard():
                sweep = _judged(subject, bars)
                sweeps = (sweep, *subject.other_sweeps)
                answer = subject.answer(shown, sweeps)
                verdict = _accuracy(subject, answer, sweeps)
    numbers.accuracies(columns[:-3], answer, sweep)
    with baselines_slot:
        baselines.show(subject, answer, sweep, verdict)


def _judged(subject: Subject, bars: list[DeltaGenerator]) -> Sweep:
    # both are there at every move, so that the chart keeps its place
    panel, bar = st.empty(), st.empty()
    if not subject.waits:
        return subject.sweep(subject.made.config.share)
    panel.skeleton(height=SKELETON)
    try:
        return subject.watched_sweep(bars.pop() if bars else bar)
    finally:
        panel.empty()


def _accuracy(subject: Subject, answer: Answer, sweeps: tuple[Sweep, ...]) -> Verdict:
    """Draw verdict, chart and what both rest on; return the verdict, by the measure that is chosen."""
    validation, sweep, accuracy = subject.validation, sweeps[0], answer.accuracy
    assert accuracy is not None  # there are sweeps
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        folds = f"{validation.folds}-fold" if validation.folds else "leave-one-out"
        panel_title(
            "Accuracy",
            f"%, {folds}, {judged_times(sweep.n_items, sweep.repeats)}; band: 95\u00a0%, other data sets",
            ("Multi-class", "One-vs-rest", "Floor", "Baseline", "Extrapolation"),
        )
        measure = widgets.pick(
            "measure", ("multi-class", "one-vs-rest"), key="complete.measure", label_visibility="collapsed"
        )
    field: Measure = "one_vs_rest" if measure == "one-vs-rest" else "multi_class"
    made = subject.verdict(answer, sweep, field)
    said = words.verdict(subject, made, answer.lam)
    registry.remark("complete.verdict", [f"{said} ({measure} accuracy)"])
    st.markdown(f"**{said}**")
    picture = pictures.accuracy_chart(sweeps, accuracy, COLUMNS.index(field), subject)
    draw(picture, "complete.accuracy")
    own_classes(subject.labels)
    copies_said("complete", sweep.cells[0].how.copies)
    st.caption(words.rests_on(answer, sweep, made))
    against_chance.show(subject, answer.lam, field, sweep)
    choice.best_lam(subject, field)
    if sweep.repeats < validation.repeats and validation.folds:
        st.caption(
            f"{sweep.repeats} instead of {validation.repeats} repetitions, because above {MANY} items each takes long. "
            "To judge with more, keep the kernel and go to the page Evaluate."
        )
    return made


def _badges(page: PageFrame, made: Completion) -> None:
    state_badge(state_of(seen_of(made.source, made.known_target) | ITEMS), page.slot)
    proof = made.extrapolation
    number_text = f"λ_min(K − K_Q) = {number(proof.shear_eigenvalue)}, tolerance {number(-1.1 * proof.delta)}"
    if proof.certificate_holds:
        page.badge(
            "certificate holds",
            "green",
            ":material/check:",
            f"The rebuilt source never exceeds the source: {number_text}.",
        )
    else:
        page.badge(
            "certificate fails",
            "red",
            ":material/close:",
            f"The rebuilt source exceeds the source: {number_text}. Under the free constraint that is expected.",
        )
