"""What the page What if is about in this run: a study of another page, and two of its parameters.

A study says which parameter runs across and which may run down, how its map is filled, and how its own page is opened at a
cell. What that page calls a setting is called the same here, but for a prefix where two studies have one of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.diagnostics import Diagnosis, diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.learning.cells import CellScores
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import HARD_MARGIN
from kernex_core.learning.protocol import Protocol
from kernex_core.runtime.executors import one_blas_thread
from kernex_core.runtime.progress import last_state
from kernex_core.studies.atlas.axes import NOTHING, Axis, Value
from kernex_core.studies.atlas.combination import (
    WeightedConfig,
    choosing_weight,
    combination_atlas,
    combination_axes,
    combination_cell,
    weight_axis,
)
from kernex_core.studies.atlas.completion import (
    ATLAS_SHARES,
    Sweeping,
    Sweeps,
    choosing_completion,
    completion_atlas,
    completion_axes,
    completion_cell,
    lam_axis,
)
from kernex_core.studies.atlas.diagonals import (
    choosing_diagonal,
    diagonal_atlas,
    diagonal_axes,
    diagonal_cell,
    strength_axis,
)
from kernex_core.studies.atlas.field import Field
from kernex_core.studies.atlas.networks import (
    choosing_network,
    network_atlas,
    network_axes,
    network_cell,
    tau_axis,
)
from kernex_core.studies.completion.candidates import contestants
from kernex_core.studies.completion.share_sweep import Sweep
from kernex_core.studies.completion.study import CompletionConfig
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, setting, why_not
from pages.server.messages import plain
from pages.ui import settings as held
from pages.ui import widgets
from pages.ui.answer import Later, first_row, group, settings_box
from pages.ui.panels import source_target
from pages.ui.panels.staged import Staged
from pages.ui.shown import copies_among
from pages.ui.widget import controls

QUICK: Final = 320
"""Up to this number of items a map starts to fill without a click, and a choice is made inside the folds."""
ROWS: Final = len(ATLAS_SHARES) + 1
"""Sweeps that are kept: those of a map."""
ALONE: Final = "nothing else"
COMPLETION: Final = (
    "repair",
    "repair_whole",
    "normalize",
    "nugget",
    "share",
    "seed",
    "constraint",
    "residual",
    "normalize_after",
)
DIAGONAL: Final = ("scheme", "phi")
COMBINATION: Final = ("kind", "nugget", "repair", "normalize")
ASK, BET = "ask", "bet"
FOLDS: Final = ("folds", "repeats", "C", "copies")
SETTINGS: Final = declared(
    *in_view(
        setting("along", "Along"), setting("down", "And along"), *source_target.SETTINGS[:1], of_data("kernel", "Kernel"),
        of_data("network", "Network"), of_data("first", "First kernel"),
        setting("column", "Column of the map"), setting("row", "Row of the map"),
        setting("tab", "Part of the page"), setting(ASK, "Ask a class first"), setting(BET, "Bet"),
    ),
    *source_target.SETTINGS[1:],
    *of(CompletionConfig, *COMPLETION), *of(CrossValidation, *FOLDS, prefix="cv_"),
    *of(DiagonalConfig, *DIAGONAL), *of(CrossValidation, *FOLDS, "seed", prefix="power_", about="Power p"),
    *of(Diffusion, "laplacian"), *of(CrossValidation, *FOLDS, "seed", prefix="node_", about="Networks"),
    of_data("second", "Second kernel"), *of(WeightedConfig, *COMBINATION, prefix="pair_", about="Combine"),
    *of(CrossValidation, *FOLDS, "seed", prefix="pair_cv_", about="Combine"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Study:
    """A study of another page on the open data.

    Attributes
    ----------
    name : str
        Of `ATLASES`.
    page : str
        Address of its page.
    title : str
        What that page is called.
    parts : tuple
        What is computed of: configuration, data, labels, protocol.
    across : Axis
        The parameter of the columns.
    axes : dict of str to Axis
        What may run down.
    present : dict of str to value
        By the names of axes, how its page opens.
    subject : str
        What is judged, in words.
    roles : dict of str to str
        How what stands beside the cells is drawn, by its name.
    own : dict of str to str
        Settings of this page that are that page's, and what it calls them.
    of_data : dict of str to str
        Settings of that page that name something in the data.
    also : dict of str to str
        What it is told besides.
    """

    name: str
    page: str
    title: str
    parts: tuple[Any, ...]
    across: Axis
    axes: Mapping[str, Axis]
    present: Mapping[str, Value]
    subject: str
    roles: Mapping[str, str]
    own: Mapping[str, str]
    of_data: Mapping[str, str]
    also: Mapping[str, str] = field(default_factory=dict)

    def staged(self, down: str) -> Staged[Field]:
        """Its map, as far as it is filled."""
        return Staged(field_of, filling, (self.name, self.parts, down), resumes=True)

    def choosing(self, down: str, at: Value) -> Staged[NestedChoice]:
        """What the best cell is worth, chosen inside the folds: of a row, or of all where rows are choices."""
        return Staged(choice_of, choosing, (self.name, self.parts, down, at))

    def kernel(self, down: str, at: Value, column: Value) -> Diagnosed:
        """The kernel of a cell."""
        return kernel_of(self.name, self.parts, down, at, column)

    def recipe(self, down: str) -> Call:
        """How a script fills the map again."""
        states = call("states", ATLASES[self.name].public, *self.parts, down=down)
        return call("field", "last_state", states)

    @property
    def labels(self) -> Labels:
        """Those that it is judged by."""
        found: Labels = next(each for each in self.parts if isinstance(each, Labels))
        return found

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.labels.ids)

    @property
    def validation(self) -> CrossValidation:
        """Folds and repetitions."""
        last = self.parts[-1]
        found: CrossValidation = last.validation if isinstance(last, Protocol) else last
        return found


@dataclass(frozen=True, eq=False)
class Atlas:
    """How a map of a study is filled, a choice in it made inside the folds, and the kernel of a cell computed."""

    public: str
    filling: Callable[..., Iterator[Field | None]]
    choosing: Callable[..., Iterator[NestedChoice]]
    cell: Callable[..., GramMatrix]
    across: str
    """What `cell` takes the value of its column by."""


def _sweeps(target: GramMatrix) -> Sweeping:
    """Sweeps of a target; of few items they are kept, so that a choice in the map completes nothing again."""
    levels: dict[object, Mapping[str, tuple[CellScores, ...]]] = {}

    def sweeps(
        config: CompletionConfig, source: GramMatrix, labels: Labels, validation: CrossValidation
    ) -> Iterator[Sweep]:
        args = config, source, target, labels, validation
        known = row_sweep.peek(*args)
        if known is not None:
            yield known
            return
        ready = source_target.conditioned_source(config.repair, config.normalize, source)
        whole = source_target.conditioned_target(config.repair, config.normalize, target)
        for state in Sweeps(whole, target, levels, {source.digest: ready})(
            config, source, labels, validation
        ):
            yield state
            if source.n <= QUICK and state.done == state.total:
                row_sweep.keep(state, *args)

    return sweeps


@cached(newest=ROWS, public=True)
def row_sweep(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> Sweep:
    """All repetitions of one hidden share: a row of the map, without λ."""
    return last_state(_sweeps(target)(config, source, labels, validation))


def _completion_filling(
    config: CompletionConfig, source: GramMatrix, target: GramMatrix, *others: Any, **how: Any
) -> Iterator[Field | None]:
    return completion_atlas(config, source, target, *others, **how, sweeps=_sweeps(target))


def _completion_choosing(
    config: CompletionConfig, source: GramMatrix, target: GramMatrix, *others: Any, **how: Any
) -> Iterator[NestedChoice]:
    return choosing_completion(config, source, target, *others, **how, sweeps=_sweeps(target))


ATLASES: Final[Mapping[str, Atlas]] = {
    "complete": Atlas("completion_atlas", _completion_filling, _completion_choosing, completion_cell, "lam"),
    "power": Atlas("diagonal_atlas", diagonal_atlas, choosing_diagonal, diagonal_cell, "strength"),
    "networks": Atlas("network_atlas", network_atlas, choosing_network, network_cell, "tau"),
    "combine": Atlas("combination_atlas", combination_atlas, choosing_weight, combination_cell, "lam"),
}


@dataclass(frozen=True, eq=False)
class Diagnosed:
    """A kernel and what its spectrum says."""

    K: GramMatrix
    diagnosis: Diagnosis


def filling(
    study: str, parts: tuple[Any, ...], down: str, done: Field | None = None
) -> Iterator[Field | None]:
    """Fill a map, or go on with it."""
    return ATLASES[study].filling(*parts, down=down, done=done)


@cached(public=True)
def field_of(study: str, parts: tuple[Any, ...], down: str) -> Field:
    """The whole map; the page keeps partial ones under the same key."""
    return last_state(filling(study, parts, down))


def choosing(study: str, parts: tuple[Any, ...], down: str, at: Value) -> Iterator[NestedChoice]:
    """Choose the best cell inside every training fold, one cell a step."""
    return ATLASES[study].choosing(*parts, down=down, at=at)


@cached(public=True)
def choice_of(study: str, parts: tuple[Any, ...], down: str, at: Value) -> NestedChoice:
    """The whole of it."""
    return last_state(choosing(study, parts, down, at))


@cached(newest=2, public=True)
def kernel_of(study: str, parts: tuple[Any, ...], down: str, at: Value, column: Value) -> Diagnosed:
    """The kernel of a cell with its eigenvalues."""
    one = ATLASES[study]
    with one_blas_thread:
        K = one.cell(*parts, down=down, at=at, **{one.across: column})
        return Diagnosed(K, diagnose(K))


# The first row: along which parameter, along which other, and of what; all else stands behind Settings.


@dataclass(frozen=True, eq=False)
class Subject:
    """A study, what runs down in it, and the map as its page opens.

    Attributes
    ----------
    dataset : DataSet
    study : Study
    down : Axis
    asks : bool
        Which cell is best is asked before the map is filled.
    """

    dataset: DataSet
    study: Study
    down: Axis
    asks: bool = False

    @property
    def here(self) -> tuple[int, int]:
        """Row and column that are nearest to how the page of the study opens."""
        present = self.study.present
        return (
            self.down.nearest(present.get(self.down.name)),
            self.study.across.nearest(present[self.study.across.name]),
        )

    def settings_at(self, row: int, column: int) -> dict[str, str]:
        """What the page of the study is to be told to stand at a cell, by the names that it has for it."""
        study = self.study
        own = {name: text for name, text in held.differences().items() if name in study.own}
        told = {study.own[name]: text for name, text in own.items()} | dict(study.also)
        told[study.across.setting] = study.across.written(column)
        if self.down.setting:
            told[self.down.setting] = self.down.written(row)
        return told


KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "λ": ("complete", "λ, weight of the source"),
    "p": ("power", "p, power of every entry"),
    "τ": ("networks", "τ, how far heat spreads"),
    "w": ("combine", "λ, weight of one kernel beside another"),
}
"""What may run across, with the page that has it and what it is."""


def fitting(dataset: DataSet) -> list[str]:
    """Letters of the parameters that these data have."""
    found = []
    for letter, (page, _) in KINDS.items():
        if why_not(page, dataset) or dataset.judgeable is None:
            continue
        # single pairs are completed without a source; λ weights one that is known everywhere
        if letter == "λ" and (len(dataset.kernels) < 2 or not _whole(dataset)):
            continue
        if letter == "p" and not _whole(dataset):
            continue
        if letter == "τ" and not _networks(dataset):
            continue
        if letter == "w" and len(_whole(dataset)) < 2:
            continue
        found.append(letter)
    return found


def choose(dataset: DataSet) -> Subject:
    """Draw the first row."""
    letters = fitting(dataset)
    with first_row():
        first, second, third = (st.container() for _ in range(3))
        fourth = st.container(width="content")
    with first:
        letter = widgets.choose(
            "along", letters, default=_first(letters), said=lambda each: KINDS.get(each, ("", str(each)))[1],
            help="The parameter of the columns, and with it the study: λ of Complete or Combine, p of Power p, τ of heat.",
        )  # fmt: skip
    made = {"λ": _completion, "p": _diagonal, "τ": _network, "w": _combination}[letter](
        dataset, third, fourth
    )
    labels = {**{each.name: each.label for each in made.axes.values()}, "": ALONE}
    with Later(second):
        down = widgets.choose(
            "down", [*made.axes, ""], said=lambda name: labels.get(name, str(name)), key=f"whatif.down.{letter}",
            help="The parameter of the rows. A hidden share, or how many labels are known, is a circumstance: settings are "
            "compared at each of its values. All others are chosen, and the whole map is compared.",
        )  # fmt: skip
    held.hangs_on("column", letter)
    held.hangs_on("row", f"{letter} {down}")
    return Subject(dataset, made, made.axes[down] if down else NOTHING, held.text_of(ASK) == "true")


def _first(letters: list[str]) -> str:
    """Complete comes first; of the others a network, where there is one."""
    return next(letter for letter in ("λ", "τ", "w", "p") if letter in letters)


Place = DeltaGenerator


def _completion(dataset: DataSet, place: Place, more: Place) -> Study:
    protocol = CrossValidation(C=dataset.defaults.C)
    labels = _labels(dataset)
    with more, settings_box(3) as (left, middle, right):
        with left:
            group("Kernels")
            source, target = source_target.choose_kernels(dataset, (Later(place), st.container()))
            share = 0.25 if target.unknown.complete else None
            config = CompletionConfig(nugget=dataset.defaults.nugget, share=share)
            config = controls(config, f"whatif.{dataset.name}.{target.name}", only=COMPLETION[:4])
        with middle:
            group("Completion")
            config = controls(config, f"whatif.{dataset.name}.{target.name}", only=COMPLETION[4:])
        with right:
            group("Judging")
            protocol = controls(
                replace(protocol, seed=config.seed), f"whatif.cv.{dataset.name}",
                only=("folds", "repeats", "C", *copies_among(dataset)), prefix="cv_",
            )  # fmt: skip
            _class()
    hidden = "hidden" if target.unknown.complete else "hidden_more"
    axes = completion_axes(int(target.known.sum()), labels, protocol.folds)
    axes["share"] = replace(axes["share"], setting=hidden)
    also = {} if config.share is None else {hidden: f"{100.0 * config.share:g} %"}
    if target.unknown.dropped.size:  # of which Complete would complete single pairs, where there is no λ
        also["way"] = "whole items"
    by_role = contestants(config, source.name)
    return Study(
        "complete", "complete", "Complete", (config, source, target, labels, replace(protocol, seed=config.seed)),
        lam_axis(config), axes,
        {"lam": 0.25, "share": config.share, "nugget": config.nugget, "C": protocol.C, "labels": 1.0},
        f"{plain(target.name)} from {plain(source.name)}", {each.name: each.role for each in by_role},
        {name: name for name in (*COMPLETION, *(f"cv_{each}" for each in FOLDS)) if name != "share"},
        {"target": target.name, "source": source.name}, also,
    )  # fmt: skip


def _diagonal(dataset: DataSet, place: Place, more: Place) -> Study:
    whole = _whole(dataset)
    with place:
        name = widgets.choose("kernel", whole, help="Whose diagonal is shrunk.")
    given = dataset.defaults
    start = CrossValidation(folds=given.folds, repeats=given.repeats, C=HARD_MARGIN)
    with more, settings_box(2) as (left, right):
        with left:
            group("Map")
            config = controls(DiagonalConfig(), "whatif.diagonal", only=DIAGONAL)
        with right:
            group("Judging")
            fields = ("folds", "repeats", "C", "seed", *copies_among(dataset))
            protocol = controls(start, f"whatif.power.{dataset.name}", only=fields, prefix="power_")
            _class()
    across = strength_axis(config)
    return Study(
        "power", "power", "Power p", (config, dataset.kernels[name], _labels(dataset), Protocol(protocol)),
        across, diagonal_axes(_labels(dataset), protocol.folds),
        {across.name: config.strength, "scheme": config.scheme, "C": protocol.C, "labels": 1.0},
        plain(name), {}, {**{name: name for name in DIAGONAL}, **_folds("power_")}, {"kernel": name},
    )  # fmt: skip


def _network(dataset: DataSet, place: Place, more: Place) -> Study:
    found, given = _networks(dataset), dataset.defaults
    names = list(found)
    with place:
        name = widgets.choose("network", names, default=names[-1], help="Whose nodes are told apart.")
    start = CrossValidation(folds=given.folds, repeats=given.repeats, C=given.C)
    with more, settings_box(2) as (left, right):
        with left:
            group("Kernel")
            kernel = controls(Diffusion(), "whatif.node", only=("laplacian",))
        with right:
            group("Judging")
            fields = ("folds", "repeats", "C", "seed", *copies_among(dataset))
            protocol = controls(start, f"whatif.nodes.{dataset.name}", only=fields, prefix="node_")
            _class()
    return Study(
        "networks", "networks", "Networks", (kernel, found[name], _labels(dataset), protocol),
        tau_axis(), network_axes(_labels(dataset), protocol.folds),
        {"tau": given.tau, "laplacian": kernel.laplacian, "C": protocol.C, "labels": 1.0},
        plain(name), {}, {"laplacian": "laplacian", **_folds("node_")}, {"network": name},
    )  # fmt: skip


def _combination(dataset: DataSet, place: Place, more: Place) -> Study:
    given, labels, whole = dataset.defaults, _labels(dataset), _whole(dataset)
    with place:
        first = widgets.choose(
            "first", whole, default=dataset.source if dataset.source in whole else whole[0],
            help="The kernel that λ weights.",
        )  # fmt: skip
    others = [name for name in whole if name != first]
    config = WeightedConfig(nugget=given.nugget)
    protocol = CrossValidation(folds=given.folds, repeats=given.repeats, C=given.C)
    with more, settings_box(2) as (left, right):
        with left:
            group("Kernels")
            second = widgets.choose(
                "second", others, default=dataset.target if dataset.target in others else others[0],
                help="The kernel that 1 − λ weights.", key=f"whatif.second.{first}",
            )  # fmt: skip
            config = controls(config, "whatif.pair", only=COMBINATION, prefix="pair_")
        with right:
            group("Judging")
            fields = ("folds", "repeats", "C", "seed", *copies_among(dataset))
            protocol = controls(protocol, f"whatif.both.{dataset.name}", only=fields, prefix="pair_cv_")
            _class()
    axes = combination_axes(labels, protocol.folds)
    if config.kind != "joint":  # a sum has no nugget
        del axes["nugget"]
    names = {"first": first, "second": second}
    return Study(
        "combine", "combine", "Combine", (config, dataset.kernels[first], dataset.kernels[second], labels, protocol),
        weight_axis(), axes,
        {"lam": 0.5, "kind": config.kind, "nugget": config.nugget, "C": protocol.C, "labels": 1.0},
        f"{plain(first)} with {plain(second)}",
        {f"{first} alone": "source", f"{second} alone": "target", "product": "nystroem"},
        {**{f"pair_{name}": name for name in COMBINATION}, **_folds("pair_cv_")}, names, {"kind": config.kind},
    )  # fmt: skip


def _class() -> None:
    """Draw the switch that makes a question of the map."""
    group("Class")
    widgets.switch(
        ASK, key="whatif.ask",
        help="Whoever opens this page by its link bets on the best cell before the map is filled, a class with one code "
        "together (Learn, For the lecturer).",
    )  # fmt: skip


def _folds(prefix: str) -> dict[str, str]:
    """Settings of the folds, which both of these pages call the same."""
    return {f"{prefix}{name}": f"cv_{name}" for name in (*FOLDS, "seed")}


def _labels(dataset: DataSet) -> Labels:
    labels = dataset.judgeable
    assert labels is not None  # the page does not fit data without
    return labels


def _whole(dataset: DataSet) -> list[str]:
    return [name for name, K in dataset.kernels.items() if K.unknown.complete]


def _networks(dataset: DataSet) -> dict[str, Network]:
    return {name: part for name, part in dataset.samples.items() if isinstance(part, Network)}
