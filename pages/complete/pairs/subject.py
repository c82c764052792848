"""What the page Complete is about where single pairs are unknown: what is chosen above the pictures, the cached study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.completion.scattered.hits import MissedPair
from kernex_core.completion.scattered.pairs import CompletedPairs, NextPair
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.runtime.progress import Steps, finished
from kernex_core.studies.completion.candidates import Measured, measuring
from kernex_core.studies.completion.pairs import (
    RANDOM,
    UNREPORTED,
    CompletedScores,
    PairsConfig,
    first_picture,
    studying_pairs,
)
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import in_view, of, setting
from pages.server.messages import plain
from pages.ui import settings as held
from pages.ui import widgets
from pages.ui.answer import group, settings_box
from pages.ui.panels.linked import order_box
from pages.ui.panels.staged import Pieced
from pages.ui.shown import copies_among
from pages.ui.widget import controls

# What is completed: whole items or single pairs, by what is missing, unless a visitor says.

BY_GAPS, ITEMS, PAIRS = "by what is missing", "whole items", "single pairs"
WAYS: Final = (BY_GAPS, ITEMS, PAIRS)
WAY_KEY: Final = "complete.way"
WAY_HELP: Final = (
    "Whole items: from those that are known with all pairs, by the source (Lemma 1). Single pairs: from every known pair, "
    "by few factors beside the source. By what is missing: single pairs where some are unknown between items that have "
    "others."
)
ONE_WAY: Final = "Whole items are completed by a source that is known for every pair, and there is none."
NO_SOURCE: Final = "none"
AS_UPLOADED: Final = "as uploaded"
HIDDEN: Final = "Hidden pairs"
QUICK: Final = 400
"""Items up to which the first picture takes a fraction of a second."""
SHARES: Final = (2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90)
MOST_NEXT: Final = 10
"""Pairs that are said to be measured next."""
VALIDATION_FIELDS: Final = ("folds", "repeats", "C")

SETTINGS = (
    *in_view(setting("hidden_pairs", HIDDEN), setting("purpose", "What to measure next")),
    setting("way", "What is completed"),
    *of(PairsConfig, "absence", "finish"),
)


def way_box(*, both: bool = True) -> None:
    """Draw the switch; where there is no source for whole items it says why it cannot be moved."""
    if both:
        widgets.choose("way", WAYS, key=WAY_KEY, help=WAY_HELP)
    else:
        widgets.choose("way", [PAIRS], key=f"{WAY_KEY}.alone", help=ONE_WAY, disabled=True)


def has_source(dataset: DataSet, target: GramMatrix) -> bool:
    """Whether another kernel is known everywhere."""
    return any(K.unknown.complete for K in dataset.kernels.values() if K is not target)


def is_pairs(dataset: DataSet, target: GramMatrix) -> bool:
    """Whether single pairs of this target are completed; asked before the switch is drawn.

    Without a source that is known everywhere nothing else can be done.
    """
    if not has_source(dataset, target):
        return True
    says = workspace.widget_says(WAY_KEY)
    moved = isinstance(says, str) and says != workspace.tab().widgets.get(WAY_KEY)
    said = says if moved else held.text_of("way")
    if said in (ITEMS, PAIRS):
        return bool(said == PAIRS)
    return bool(target.unknown.dropped.size)


@dataclass(frozen=True)
class PairsChoice:
    """Everything that is chosen above the pictures."""

    source: GramMatrix | None
    target: GramMatrix
    config: PairsConfig
    validation: CrossValidation
    order: str


def choice(dataset: DataSet, target: GramMatrix, places: Sequence[DeltaGenerator]) -> PairsChoice:
    """Draw the rest of the first row: source, hidden share, and the button Settings."""
    second, third, fourth = places
    with second:
        source = _choose_source(dataset, target)
    with third:
        share = _share(bool(target.unknown.between))
    absence = UNREPORTED if dataset.defaults.unreported else RANDOM
    config = PairsConfig(hidden=share, absence=absence)
    validation = CrossValidation(C=dataset.defaults.C)
    judged = dataset.judgeable is not None
    with fourth, settings_box(2) as (left, right):
        with left:
            group("Completion")
            way_box(both=has_source(dataset, target))
            config = controls(config, f"complete.pairs.{dataset.name}", only=("absence",))
            config = controls(config, "", only=("normalize", "finish", "seed"))
            group("Pictures")
            order = order_box(st.container(), with_classes=judged, kernel="the source, or the completed one")
        validation = replace(validation, seed=config.seed)
        with right:
            if judged:
                group("Judging")
                fields = (*VALIDATION_FIELDS, *copies_among(dataset))
                validation = controls(validation, f"complete.cv.{dataset.name}", only=fields, prefix="cv_")
    return PairsChoice(source, target, config, validation, order)


def _choose_source(dataset: DataSet, target: GramMatrix) -> GramMatrix | None:
    """One that is known everywhere, or none."""
    others = [n for n, K in dataset.kernels.items() if n != target.name and K.unknown.complete]
    default = dataset.source if dataset.source in others else next(iter(others), NO_SOURCE)
    name = widgets.choose(
        "source", [*others, NO_SOURCE], default=default, key=f"complete.pairs.source.{dataset.name}.{target.name}",
        help="Known for every pair; what it calls alike gets like factors. Without one the known pairs alone decide.",
    )  # fmt: skip
    return dataset.kernels.get(name)


def _share(gaps: bool) -> float | None:
    options = [*([AS_UPLOADED] if gaps else []), *(f"{share} %" for share in SHARES)]
    chosen = widgets.stop(
        "hidden_pairs", options, default="10 %", key="hidden_pairs" if not gaps else "hidden_pairs_more",
        help="Share of the known pairs that are hidden and scored. What is kept is completed without them: as uploaded, "
        "every known pair counts.",
    )  # fmt: skip
    return None if chosen == AS_UPLOADED else int(chosen.split()[0]) / 100.0


# What is computed: a first picture at once, and the study behind it.


@cached(public=True)
def first(config: PairsConfig, target: GramMatrix, source: GramMatrix | None) -> CompletedScores:
    """One setting, without intervals."""
    return finished(first_picture(config, target, source))


@cached(public=True)
def study(
    config: PairsConfig,
    target: GramMatrix,
    source: GramMatrix | None,
    labels: Labels | None,
    validation: CrossValidation,
) -> CompletedScores:
    """Everything chosen, intervals, and plain ways beside it."""
    return finished(studying_pairs(config, target, source, labels, validation))


def measuring_next(
    config: PairsConfig,
    target: GramMatrix,
    source: GramMatrix | None,
    labels: Labels | None,
    validation: CrossValidation,
) -> Steps[Measured]:
    """As if hidden pairs were measured, chosen and at random, from the study of these settings."""
    return measuring(study(config, target, source, labels, validation), config.seed)


@cached(public=True)
def measured_next(
    config: PairsConfig,
    target: GramMatrix,
    source: GramMatrix | None,
    labels: Labels | None,
    validation: CrossValidation,
) -> Measured:
    """All of it."""
    return finished(measuring_next(config, target, source, labels, validation))


@cached
def next_pairs(completed: CompletedPairs, purpose: Literal["learn", "hits"]) -> tuple[NextPair, ...]:
    """The pairs to measure next: of many items they take as long as a page."""
    return completed.next_pairs(MOST_NEXT, purpose)


@dataclass(frozen=True)
class PairsSubject:
    """What the page is about in this run."""

    dataset: DataSet
    chosen: PairsChoice

    @property
    def labels(self) -> Labels | None:
        """Where there are two classes."""
        return self.dataset.judgeable

    @property
    def has_way_back(self) -> bool:
        """Whether whole items could be completed instead."""
        return has_source(self.dataset, self.chosen.target)

    @property
    def source_name(self) -> str:
        """Of the source, in words."""
        return "no source" if self.chosen.source is None else plain(self.chosen.source.name)

    @property
    def first(self) -> Pieced[CompletedScores]:
        """The first picture, in pieces."""
        return Pieced(first, first_picture, (self.chosen.config, self.chosen.target, self.chosen.source))

    @property
    def whole(self) -> Pieced[CompletedScores]:
        """The study, in pieces."""
        return Pieced(study, studying_pairs, self._arguments)

    @property
    def measured(self) -> Pieced[Measured]:
        """What active choice gains over random choice, in pieces."""
        return Pieced(measured_next, measuring_next, self._arguments)

    @property
    def _arguments(
        self,
    ) -> tuple[PairsConfig, GramMatrix, GramMatrix | None, Labels | None, CrossValidation]:
        chosen = self.chosen
        return chosen.config, chosen.target, chosen.source, self.labels, chosen.validation

    @property
    def known(self) -> CompletedScores | None:
        """The study, where it is done."""
        return study.peek(*self._arguments)

    @property
    def settings(self) -> str:
        """What tells this study from others."""
        return study.key(*self._arguments)


def missed_table(pairs: Sequence[MissedPair]) -> list[dict[str, object]]:
    """Unreported pairs that are most likely high, with both numbers, as a file has them."""
    return [{"place": place, **vars(pair)} for place, pair in enumerate(pairs, 1)]


def known_pairs(made: CompletedPairs) -> dict[str, int]:
    """How many pairs of each item are known and not hidden."""
    counts = np.count_nonzero(made.problem.W > 0.0, axis=1)
    return dict(zip(made.gram.ids, counts.tolist(), strict=True))


def next_table(pairs: Sequence[NextPair], known: Mapping[str, int]) -> list[dict[str, object]]:
    """Pairs to measure next, with what is known of them, as a file has them."""
    return [
        {
            "place": place, "first": pair.first, "second": pair.second, "prediction": pair.value, "sd": pair.sd,
            "gain": pair.gain, "known_of_first": known[pair.first], "known_of_second": known[pair.second],
        }
        for place, pair in enumerate(pairs, 1)
    ]  # fmt: skip
