"""Who takes part in the tournament in this run, how it is judged, and what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.contract import Kind
from kernex_core.runtime.progress import last_state
from kernex_core.studies.model.model import Model
from kernex_core.studies.model.training import reaches_new
from kernex_core.studies.tournament.entrants import ENTRANTS, EVERY, SINGLE, EntrantKind, TournamentConfig
from kernex_core.studies.tournament.ladder import Ladder
from kernex_core.studies.tournament.tournament import (
    choosing_winner,
    tournament,
    winning_kernel,
    winning_model,
)
from pages.evaluate.settings import choose_target
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, setting
from pages.ui import widgets
from pages.ui.answer import first_row, group, settings_box
from pages.ui.panels.staged import Staged
from pages.ui.shown import copies_field
from pages.ui.widget import controls

KEY: Final = "tournament"
MOST: Final = 6
"""Kernels that take part unless somebody asks for others."""
WINNER: Final = "winner of"
"""What the name of a kept winner begins with."""
SETTINGS: Final = declared(
    *in_view(of_data("kernels", "Kernels"), setting("target", "Target"), setting("tab", "Part of the page")),
    *of(CrossValidation, prefix="cv_"), *of(TournamentConfig),
)  # fmt: skip

Args = tuple[TournamentConfig, Mapping[str, GramMatrix], Labels, CrossValidation]


@cached(public=True)
def judged(
    config: TournamentConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    kind: Kind,
) -> Ladder:
    """The whole ladder; the page keeps partial ones under the same key."""
    return last_state(tournament(config, kernels, labels, validation, kind))


@cached(public=True)
def choice(
    config: TournamentConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    ladder: Ladder,
) -> NestedChoice:
    """What the winner is worth; the page keeps partial ones under the same key."""
    return last_state(choosing_winner(config, kernels, labels, validation, ladder))


@dataclass(frozen=True, eq=False)
class Subject:
    """What is judged, and how."""

    dataset: DataSet
    config: TournamentConfig
    kernels: Mapping[str, GramMatrix]
    labels: Labels
    validation: CrossValidation
    kind: Kind

    @property
    def args(self) -> Args:
        """What every study of it takes first."""
        return self.config, self.kernels, self.labels, self.validation

    @property
    def study(self) -> Staged[Ladder]:
        """The tournament, an entrant a step."""
        return Staged(judged, tournament, (*self.args, self.kind), resumes=True)

    def choosing(self, ladder: Ladder) -> Staged[NestedChoice]:
        """The winner chosen again inside every training fold."""
        return Staged(choice, choosing_winner, (*self.args, ladder))

    @property
    def recipe(self) -> Call:
        """How a script holds it again."""
        return call("ladder", "last_state", call("states", "tournament", *self.args, self.kind))

    def winner(self, name: str) -> GramMatrix | None:
        """The kernel of an entrant on all items."""
        return winning_kernel(*self.args, name, self.kind)

    def model(self, ladder: Ladder) -> Model:
        """The winner, a single kernel, trained on all items."""
        made = winning_model(*self.args, ladder, self.dataset.samples.values())
        assert made is not None  # it was offered
        return made

    def has_model(self, ladder: Ladder) -> bool:
        """Whether the winner is a single kernel, and kernels here reach new items."""
        best = None if ladder.verdict is None else ladder.verdict.best
        whole = (K for K in self.kernels.values() if K.unknown.complete)
        return best is not None and ladder.rung(best.name).kind in SINGLE and all(map(reaches_new, whole))

    @property
    def taking_part(self) -> dict[EntrantKind, int]:
        """How many of each kind take part, where every kernel with gaps can be completed."""
        whole = sum(K.unknown.complete for K in self.kernels.values())
        lacking = len(self.kernels) - whole
        found = {each: each.count(self.config, whole, lacking, self.kind) for each in ENTRANTS}
        return {each: count for each, count in found.items() if count}

    @property
    def entrants(self) -> int:
        """How many that is."""
        return sum(self.taking_part.values())

    @property
    def fits(self) -> int:
        """Folds of each."""
        return self.validation.repeats * self.validation.folds or int(self.labels.labelled.sum())

    @property
    def seconds(self) -> float:
        """Of processor, nearly: what is chosen inside a fold included."""
        slow = 4.0 if self.config.learners == EVERY else 1.0
        return slow * self.entrants * self.fits * (AT_LEAST + PACE * (self.dataset.n / 206.0) ** 2)


PACE: Final = 0.03
"""Seconds of processor for an entrant, a fold and 206 items of nine classes, beside `AT_LEAST` for however few."""
AT_LEAST: Final = 0.012


def choose(dataset: DataSet, labels: Labels) -> Subject | None:
    """Draw the first row; None where no kernel is chosen."""
    with first_row():
        first, second = st.container(width="stretch"), st.container(width="content")
        third = st.container(width="content")
    with first:
        kernels = _kernels(dataset)
    with second:
        kind = choose_target(labels)
    with third, settings_box(2) as (left, right):
        key = f"{KEY}.{dataset.name}"
        with left:
            group("Folds")
            more = [
                *copies_field(labels, kernels.values()),
                *(["grouped"] if labels.groups is not None else []),
            ]
            validation = controls(
                CrossValidation(), key, only=("folds", "repeats", "seed", "inductive", *more), prefix="cv_"
            )
        with right:
            group("Kernels")
            start = replace(TournamentConfig(), nugget=dataset.defaults.nugget)
            config = controls(start, KEY)
    return Subject(dataset, config, kernels, labels, validation, kind) if kernels else None


def _kernels(dataset: DataSet) -> dict[str, GramMatrix]:
    whole = [name for name, K in dataset.kernels.items() if K.unknown.complete]
    lacking = [name for name in dataset.kernels if name not in whole]
    # a winner that was kept does not take part again unasked: the ladder would be another one
    whole = [name for name in whole if not name.startswith(WINNER)]
    chosen = widgets.several(
        "kernels", list(dataset.kernels), default=[*whole[:MOST], *lacking[:1]], key=f"{KEY}.kernels.{dataset.name}",
        help="All take part alone and together. One that is partly unknown is completed from each of the others.",
    )  # fmt: skip
    return {name: dataset.kernels[name] for name in chosen}
