"""The page Complete: controls, five heatmaps, accuracy, spectrum, five numbers, keep and download.

A move of λ runs `_moving` alone: of the five matrices it sends two, and what stands below.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.joint.complete import Complete
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.folds import CrossValidation
from kernex_core.parameters import parameters
from kernex_core.studies.completion.answer import Answer
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.share_sweep import MANY, Sweep
from kernex_core.studies.completion.study import Completion, CompletionView
from pages.complete import baselines, numbers, pictures, waiting, words
from pages.complete.results import results
from pages.complete.subject import Subject
from pages.shared.controls import controls
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.glossary.entries import hint
from pages.shared.messages import guard, plain
from pages.shared.panels.arrangement import order_box
from pages.shared.panels.heatmap import draw
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.side_by_side import numbers_in_a_row, places
from pages.shared.panels.source_target import AT_ONCE, choose_kernels, complete_in_pieces
from pages.shared.widget import widget

VALIDATION_FIELDS = ("folds", "repeats", "C")
AS_UPLOADED = "as uploaded"
SKELETON = 340
"""Pixels of what stands in the place of the accuracies until they are there."""
FIRST_FIELDS = ("nugget", "seed", "constraint")
SETTING_FIELDS = ("repair", "repair_whole", "normalize", "normalize_after", "residual")


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    if dataset.all_partly_known:
        _no_source(dataset)
        return
    source, target = choose_kernels(dataset)
    config = _settings(dataset, target)
    maps, protocol, place, lower = st.container(), st.container(), st.empty(), st.container()
    with protocol:
        validation = _validation(dataset, config.seed)
    with maps:
        made = complete_in_pieces(config, source, target)
    if made is None:
        return
    subject = Subject(dataset, source, target, dataset.judgeable, made, validation)
    _badges(page, made)
    with maps:
        if subject.waits and not waiting.is_stopped(waiting.SWEEP, subject.settings):
            with waiting.stoppable(place, waiting.SWEEP, subject.settings) as bar:
                if made.m > AT_ONCE:  # until the first repetition is told of
                    bar.progress(0.0, f"Matrices of {made.m:,} items")
                _moving(subject, lower, [bar])
        else:
            _moving(subject, lower, [])
    waiting.more_shares(subject, place)


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
        lam = widget(parameters(Complete)["lam"], 0.25, name="lam", key="lam", bound=True)
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
    columns, baselines_slot = numbers_in_a_row(5), st.container()
    with right:
        pictures.spectrum_panel(made, shown, subject.target.name)
    numbers.errors(columns, made, shown)
    results(subject, shown, items)
    answer, sweep = Answer(shown), None
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
                _accuracy(subject, answer, sweeps)
    numbers.accuracies(columns, answer, sweep)
    with baselines_slot:
        baselines.show(subject, answer, sweep)


def _judged(subject: Subject, bars: list[DeltaGenerator]) -> Sweep:
    panel = st.empty()
    if subject.waits:
        panel.skeleton(height=SKELETON)
    try:
        return subject.watched_sweep(bars.pop() if bars else st.empty())
    finally:
        panel.empty()


def _accuracy(subject: Subject, answer: Answer, sweeps: tuple[Sweep, ...]) -> None:
    validation, sweep, accuracy = subject.validation, sweeps[0], answer.accuracy
    assert accuracy is not None  # there are sweeps
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        folds = f"{validation.folds}-fold" if validation.folds else "leave-one-out"
        panel_title(
            "Accuracy",
            f"%, {folds}, {judged_times(sweep.n_items, sweep.repeats)}; band: 95\u00a0% over items",
            ("Multi-class", "One-vs-rest", "Floor", "Baseline", "Extrapolation"),
        )
        measure = st.segmented_control(
            "Measure",
            ("multi-class", "one-vs-rest"),
            default="multi-class",
            required=True,
            label_visibility="collapsed",
            key="complete.measure",
            persist_state="session",
        )
    names = subject.source.name, subject.target.name
    picture = pictures.accuracy_chart(sweeps, accuracy, int(measure == "one-vs-rest"), names)
    draw(picture, "complete.accuracy")
    own_classes(subject.labels)
    st.caption(words.who_is_ahead(answer, sweep))
    words.best_lam(subject, "one_vs_rest" if measure == "one-vs-rest" else "multi_class")
    if sweep.repeats < validation.repeats and validation.folds:
        st.caption(
            f"{sweep.repeats} instead of {validation.repeats} repetitions, because above {MANY} items each takes long. "
            "To judge with more, keep the kernel and go to the page Evaluate."
        )


def _settings(dataset: DataSet, target: GramMatrix) -> CompletionConfig:
    """Draw the controls above the matrices."""
    start = CompletionConfig(nugget=dataset.defaults.nugget)
    share_slot, *slots = places(330, 180, 130, "content", align="bottom")
    with share_slot:
        share = _share(int((~target.known).sum()))
    config = controls(
        start, "complete", only=FIRST_FIELDS, bind=("nugget", "seed", "constraint"), slots=slots
    )
    more = places("content", "content", "content", "content", "content", align="bottom")
    config = controls(config, "complete", only=SETTING_FIELDS, bind=("repair",), slots=more)
    return replace(config, share=share)


def _validation(dataset: DataSet, seed: int) -> CrossValidation:
    """Draw the protocol above the accuracies that it changes; items without classes have none."""
    protocol = CrossValidation(C=dataset.defaults.C, seed=seed)
    if dataset.judgeable is None:
        return protocol
    slots = places("content", 150, 300, align="bottom")
    return controls(protocol, f"complete.cv.{dataset.name}", only=VALIDATION_FIELDS, slots=slots)


def _share(unknown: int) -> float | None:
    """Hidden share from a slider in steps of 5 %; where items are unknown anyway it starts at "as uploaded"."""
    options = ([AS_UPLOADED] if unknown else []) + [f"{five} %" for five in range(5, 100, 5)]
    chosen = st.select_slider(
        "Hidden share of the target kernel",
        options,
        value=AS_UPLOADED if unknown else "25 %",
        # the options differ, so the two sliders are two widgets
        key="hidden" if not unknown else "hidden_more",
        bind="query-params",
        persist_state="session",
        help=hint(
            "Hidden share",
            first=f"As uploaded: only the {unknown} items that are unknown anyway." if unknown else "",
        ),
    )
    return None if chosen == AS_UPLOADED else int(chosen.split()[0]) / 100.0


def _badges(page: PageFrame, made: Completion) -> None:
    page.badge(
        "transductive",
        help="The kernel was built on all items: source similarities of test items were seen, their labels were not.",
    )
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
