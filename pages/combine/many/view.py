"""The page Many kernels on one screen: which, the verdict, weights beside accuracy; then what one asks second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.studies.many_kernels import ManyAccuracy, ManyConfig, WeighedKernels
from pages.combine.many import alike, judged, path, results, unjudged, verdict, weights
from pages.combine.many.controls import choose
from pages.combine.many.judged import Study
from pages.combine.many.method import ASSUMPTIONS, FORMULAS
from pages.combine.many.settings import TABS
from pages.combine.many.settings import weights as held_weights
from pages.combine.many.subject import on_one_scale, one_of, weighed
from pages.combine.several import coverage
from pages.combine.several.subject import Subject, subject_of
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.frame import PageFrame, formula_text, panel_title
from pages.shared.messages import guard
from pages.shared.panels.accuracy import state_badges
from pages.shared.panels.several.comparisons import comparisons


@dataclass(frozen=True, eq=False)
class Weighed:
    """Kernels on one scale, their weights, and what they make together."""

    subject: Subject
    kernels: tuple[GramMatrix, ...]
    config: ManyConfig
    made: WeighedKernels
    K: GramMatrix


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    chosen = choose(dataset)
    if not chosen.names:
        return
    whole = subject_of(chosen.dataset, chosen.names, False)
    common = whole.covered.in_all.size
    if whole.incomplete and common < 3:
        _lead(whole)
        return
    subject = subject_of(chosen.dataset, chosen.names, True) if whole.incomplete else whole
    place = VerdictPlace(*(verdict.NAMES if subject.labels is not None else ()))
    if whole.incomplete:
        _left_out(subject)
    with st.container(gap="xsmall", key="maps"):
        first, second = st.columns([2, 3], gap="large")
    with first:
        hand, here = _weights(subject, chosen.config)
    study = found = None
    if subject.labels is None:
        verdict.unlabelled(place, here.kernels)
    else:
        study = judged.study_of(subject, subject.kernels, chosen.validation, chosen.config, hand)
        place.waits("Who is best, alone or together, is said here.")
        with place.wait.container():
            found = judged.run(subject, study)
        with second, guard():
            _accuracy(page, place, subject, found, study)
    _tabs(here, found, study, whole)
    results.give(subject, here.K, here.made, here.config, subject.items)


def _lead(whole: Subject) -> None:
    """Say that too few items are in all kernels, and where they are completed."""
    common, count = whole.covered.in_all.size, len(whole.covered.names)
    said = (
        f"Only {counted(common, 'item')} {'is' if common == 1 else 'are'} in all {count} kernels: too few "
        "to weigh them. Complete them together first, or leave one out."
    )
    st.info(said if common else coverage.none_in_all(whole.covered), icon=":material/info:")
    _link()
    coverage.show(whole)


def _left_out(subject: Subject) -> None:
    """Say which items are not in all kernels, and where they are completed."""
    with st.container(horizontal=True, vertical_alignment="center"):
        gone = counted(len(subject.dropped), "item")
        st.caption(f"Of {len(subject.covered.ids):,} items that all have; {gone} left out.", width="content")
        _link()


def _link() -> None:
    st.page_link("combine/together/together.py", label="Complete together", icon=":material/grid_view:")


def _weights(subject: Subject, config: ManyConfig) -> tuple[tuple[float, ...], Weighed]:
    """Draw sliders or what was learned; return weights by hand, and what is made of them."""
    names, above = list(subject.kernels), st.container()
    held_weights(len(names))  # nonsense leaves the address, whether or not they count
    hand: tuple[float, ...] = ()
    if config.weigh == "by hand" and config.kind != "product":
        hand = weights.by_hand(names, f"many.hand.{subject.dataset.name}.{len(names)}")
    scaled = tuple(on_one_scale(K, config.normalize).renamed(name) for name, K in subject.kernels.items())
    made = weighed(scaled, None if config.weigh in ("by hand", "equal") else subject.labels, config, hand)
    K = one_of(scaled, made, config, results.name_of(config, names))
    units = np.array([float(np.diag(each.values).mean()) for each in subject.kernels.values()])
    with above:  # the sliders begin below the upper edge of the picture beside them
        panel_title("Weights", "sum 1" if config.kind != "product" else "a product has none")
        weights.show(names, units, made, config)
    return hand, Weighed(subject, scaled, config, made, K)


def _accuracy(
    page: PageFrame, place: VerdictPlace, subject: Subject, found: ManyAccuracy | None, study: Study
) -> None:
    """Draw a dot for each that is judged, and write the verdict."""
    assert subject.labels is not None  # else nothing is judged
    if found is None:
        panel_title("Accuracy", "not judged yet")
        return
    if found.judged:
        state_badges(found.judged.values(), page.slot)
        judged.side_by_side(found, subject.labels, study)
        verdict.fill(place, found)
    else:
        place.say("Nothing can be judged here, neither alone nor together.")
        for at in range(len(verdict.NAMES)):
            place.without(at)
    unjudged.show(found.refused, subject.labels)


def _tabs(here: Weighed, found: ManyAccuracy | None, study: Study | None, whole: Subject) -> None:
    """Draw what one asks second: the part that is open."""
    subject, labels = here.subject, here.subject.labels
    parts: dict[str, Callable[[], None]] = {}
    if found is not None and study is not None and labels is not None and found.judged:
        parts["Accuracy"] = lambda: judged.accuracies(found, labels, study)
        if found.done >= found.total and len(found.judged) > 1:
            parts["Pairs"] = lambda: comparisons(found.judged, key="many")
    parts["Combined"] = lambda: _combined(here)
    parts["Alike"] = lambda: _alike(here)
    if labels is not None:
        parts["Learned weights"] = lambda: _learned(here, found)
    if whole.incomplete:
        parts["Coverage"] = lambda: coverage.show(replace(whole, dropped=subject.dropped))
    parts["Method"] = lambda: _method(found)
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _combined(here: Weighed) -> None:
    results.show(here.subject, here.kernels, here.K, here.config, here.subject.items)
    results.spectrum(here.K)


def _alike(here: Weighed) -> None:
    alike.show(here.kernels)
    alike.decision(here.subject, here.kernels, here.config)


def _learned(here: Weighed, found: ManyAccuracy | None) -> None:
    weights.learned(here.made, len(here.kernels))
    if found is not None:
        judged.weights_of_folds(found)
    path.show(here.kernels, here.subject.labels, here.config)


def _method(found: ManyAccuracy | None) -> None:
    if found is not None and found.judged:
        st.caption(judged.rule(found))
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
