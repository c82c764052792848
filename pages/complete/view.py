"""The page Complete on one screen: what it is about, the verdict, the matrices with λ at them, then what one asks second.

A move of λ runs `_moving` alone: of the matrices it sends two, and what the open tab shows. A move of another setting runs
the body of the page where there are few items, and the whole page where there are many.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.leakage import state_of
from kernex_core.studies.completion.candidates import Answer
from kernex_core.studies.completion.share_sweep import Sweep
from kernex_core.studies.completion.study import Completion, CompletionView
from pages.complete import accuracy, baselines, choosing, pictures, results, trust, verdict, waiting, words
from pages.complete.method import ASSUMPTIONS, FORMULAS
from pages.complete.settings import TABS, choice
from pages.complete.subject import QUICK, Subject
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, formula_text
from pages.shared.messages import guard
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.chosen_row import Why, chosen_row
from pages.shared.panels.inspection.eigenvectors import eigenvectors
from pages.shared.panels.source_target import AT_ONCE, complete_in_pieces
from pages.shared.panels.verdicts import RULE
from pages.shared.shown import registry
from pages.shared.widget import widget


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    draw_body = _body_alone if dataset.n <= QUICK else _body
    drawn = draw_body(page, dataset, [True])
    if drawn is not None:
        waiting.more_shares(*drawn)


def _body(page: PageFrame, dataset: DataSet, first: list[bool]) -> tuple[Subject, DeltaGenerator] | None:
    """Draw the first row and all that follows from it; return it and the place of what is waited for, which is empty.

    None where it was stopped, or refused.
    """
    is_page = bool(first) and first.pop()
    if not is_page:
        registry.again()
    with guard():
        chosen = choice(dataset)
        wait = st.container(gap=None, key="wait").empty()
        made = complete_in_pieces(chosen.config, chosen.source, chosen.target)
        if made is None:
            return None
        labels = dataset.judgeable
        subject = Subject(
            dataset, chosen.source, chosen.target, labels, made, chosen.validation, chosen.measure
        )
        if not is_page and subject.missing_shares:
            st.rerun()  # they come one after the other, with a Stop that no fragment may hold back
        # in a run of its own a fragment draws all badges anew
        _badges(PageFrame(page.slot), made)
        _waited_for(subject, wait, chosen.order)
        return subject, wait
    return None


_body_alone = st.fragment(_body)
"""The same by itself: of few items everything is an answer to a move, and the page around it stays."""


def _waited_for(subject: Subject, wait: DeltaGenerator, order: str) -> None:
    """Draw what λ changes; where many items have to be judged first, with a bar and Stop."""
    asked = subject.made.m > QUICK and subject.waits
    if not asked or waiting.is_stopped(waiting.SWEEP, subject.settings):
        _moving(subject, order, [])
        return
    with waiting.stoppable(wait, waiting.SWEEP, subject.settings) as bar:
        if subject.made.m > AT_ONCE:  # until the first repetition is told of
            bar.progress(0.0, f"Matrices of {subject.made.m:,} items")
        _moving(subject, order, [bar])


@st.fragment
def _moving(subject: Subject, order: str, bars: list[DeltaGenerator]) -> None:
    """Draw what λ changes; a bar stands beside Stop in the first run alone, which is the page's.

    The verdict's places are its own: a fragment inside of one that runs again may write into nothing else.
    """
    place = VerdictPlace(*verdict.names(subject))
    with st.container(key="hidden_slider.lam"):
        # it keeps the setting; the one that is seen is in the pictures
        lam = widget(parameters(Complete)["lam"], 0.25, name="lam")
    with guard():
        shown = subject.view(lam)
        pictures_place, lower, carriers = (
            st.container(gap="xsmall", key="maps"),
            st.container(),
            st.container(),
        )
        with pictures_place:
            items = pictures.maps(subject, shown, order, carriers)
        answer, sweeps = _judged(subject, shown, bars)
        sweep = sweeps[0] if sweeps else None
        made = None if sweep is None else subject.verdict(answer, sweep)
        verdict.fill(place, subject, answer, sweep, made)
        with lower:
            _tabs(subject, answer, sweeps, made, items)
            results.results(subject, shown, items)
        choosing.dialog_if_asked(subject, answer, sweep)


def _judged(
    subject: Subject, shown: CompletionView, bars: list[DeltaGenerator]
) -> tuple[Answer, tuple[Sweep, ...]]:
    """Accuracy at λ, and the sweeps that it is of, that of the share that is shown first; none without classes or stopped.

    Those of other shares come and go while others compute them, or need the room: a run looks for them once.
    """
    if subject.labels is None:
        return Answer(shown), ()
    if subject.waits and waiting.is_stopped(waiting.SWEEP, subject.settings):
        return Answer(shown), ()
    bar = bars.pop() if bars else st.empty()
    sweep = subject.watched_sweep(bar) if subject.waits else subject.sweep(subject.made.config.share)
    sweeps = (sweep, *subject.other_sweeps)
    return subject.answer(shown, sweeps), sweeps


def _tabs(
    subject: Subject, answer: Answer, sweeps: tuple[Sweep, ...], found: Verdict | None, items: Items
) -> None:
    """Draw what one asks second: the part that is open."""
    made, shown = subject.made, answer.view
    sweep = sweeps[0] if sweeps else None
    parts: dict[str, Callable[[], None]] = {
        "Accuracy": lambda: accuracy.show(subject, answer, sweeps, found),
        "Spectrum": lambda: _spectrum(subject, shown, items),
        **({} if made.known.all() else {"Trust": lambda: trust.show(subject)}),
        "Baselines": lambda: baselines.show(subject, answer, sweep, found),
        "Pair": lambda: chosen_row(
            pictures.panels(subject, shown, items), items, pictures.KEY,
            Why(more={f"{subject.source.name}, conditioned": made.source.values}),
        ),
        **({"Predicted": lambda: results.unlabelled(subject, shown)} if results.are_unlabelled(subject) else {}),
        "Method": lambda: _method(subject, shown),
    }  # fmt: skip
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _spectrum(subject: Subject, shown: CompletionView, items: Items) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        pictures.spectrum_panel(subject.made, shown, subject.target.name)
    with right:
        eigenvectors(results.kernels(subject, shown), items, key="complete.eigenvector")


def _method(subject: Subject, shown: CompletionView) -> None:
    st.caption(f"{words.what_is_seen(subject, shown)} {RULE}.")
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


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
