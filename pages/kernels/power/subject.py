"""What the page Power p computes, cached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameters
from kernex_core.conditioning.schemes import EmpiricalScheme
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.base import AnyKernel
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import fills_unknown
from kernex_core.learning.machine import HARD_MARGIN, Margin
from kernex_core.learning.protocol import Components, Protocol
from kernex_core.runtime.progress import Steps
from kernex_core.studies.diagonals.judging import Losses
from kernex_core.studies.diagonals.shrink import (
    MEAN_DIAGONAL,
    POWER,
    Described,
    DiagonalConfig,
    Shrunk,
    describe,
    in_units,
    shrink,
    shrunk_kernel,
)
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep, choosing_strength, losses_at, sweeping
from pages.server.cached import cached
from pages.server.declared import label, setting
from pages.ui import payload, widgets
from pages.ui.answer import first_row, group, settings_box
from pages.ui.matrices import FRAMES, Drag, Follow
from pages.ui.panels.build import NEW, build_kernel
from pages.ui.panels.linked import order_box
from pages.ui.panels.staged import Pieced, run_in_pieces
from pages.ui.widget import controls, stops, widget

MOST_AUTOMATIC, COARSE = 200_000_000, 5
"""Steps of one value (some 0.3 s) above which so many of the grid are judged without a click: ends, middle, quarters."""
AT_ONCE: Final = 600
"""Up to this number of items both spectra take some tenths of a second, without a word."""


@dataclass(frozen=True)
class Subject:
    """What the page is about.

    `judged` and `labels` are the known items of `K` and their labels; labels only if there are at least two classes.
    """

    K: GramMatrix
    judged: GramMatrix
    labels: Labels | None
    all_labels: Labels | None


@cached(public=True)
def before(K: GramMatrix, labels: Labels | None) -> Described:
    """Return what the kernel is like before any map: no move of p asks for it again."""
    return describe(K, labels)


@cached(public=True)
def shrunk(config: DiagonalConfig, K: GramMatrix, labels: Labels | None) -> Shrunk:
    """Return the kernel before and after."""
    return shrink(config, K, labels, before=before(K, labels).diagnosis)


def shrinking(config: DiagonalConfig, K: GramMatrix, labels: Labels | None) -> Steps[Shrunk]:
    """`shrunk` in two pieces, before the map and after it."""
    yield 0.0
    before(K, labels)
    yield 0.5
    return shrunk(config, K, labels)


def shrink_in_pieces(config: DiagonalConfig, K: GramMatrix, labels: Labels | None) -> Shrunk | None:
    """Return the kernel before and after, with progress and Stop where it takes a while; None where it was stopped."""
    return run_in_pieces(
        Pieced(shrunk, shrinking, (config, K, labels)), key="diagonals.shrink",
        what="% of eigenvalues before and after", at_once=K.n <= AT_ONCE, label="Shrink the diagonal",
    )  # fmt: skip


@cached(public=True)
def sweep(config: DiagonalConfig, K: GramMatrix, labels: Labels, protocol: Protocol) -> DiagonalSweep:
    """Losses of every p; the page keeps partial ones under the same key."""
    return list(sweeping(config, K, labels, protocol))[-1]


@cached(public=True)
def losses_here(
    config: DiagonalConfig, K: GramMatrix, labels: Labels, protocol: Protocol
) -> dict[str, Losses]:
    """Losses at a p that lies between those of the sweep, on the same folds."""
    return losses_at(config, K, labels, protocol)


@cached(public=True)
def nested_strength(
    config: DiagonalConfig, K: GramMatrix, labels: Labels, protocol: Protocol, strengths: tuple[float, ...]
) -> NestedChoice:
    """The whole of it; the page keeps partial ones under the same key."""
    return list(choosing_strength(config, K, labels, protocol, strengths))[-1]


def is_enough(found: DiagonalSweep) -> bool:
    """Whether the chart shows the whole curve, and what is left would take long."""
    dearest = max(sum(one.iterations for one in made.values()) for made in (found.original, *found.judged))
    return found.done > COARSE and found.n_items * dearest > MOST_AUTOMATIC


def without_strength(config: DiagonalConfig) -> DiagonalConfig:
    """Return what the sweep depends on: every p shares it."""
    return DiagonalConfig(scheme=config.scheme, phi=config.phi)


def subject_of(K: GramMatrix, labels: Labels | None) -> Subject:
    """Return the kernel with its known part and the labels of that."""
    known = np.flatnonzero(K.known)
    judged, own = (
        (K, labels) if known.size == K.n else (K.take(known), None if labels is None else labels.take(known))
    )
    return Subject(K, judged, own if own is not None and own.judgeable else None, labels)


def margin_words(protocol: Protocol) -> str:
    """Return the margin in words."""
    C, margin = protocol.validation.C, protocol.margin
    unit = " mean diagonals" if margin.scaled else ""
    said = "hard margin" if C >= HARD_MARGIN else f"C = {C:g}{unit}"
    return said + (f", asymmetric c = {margin.asymmetry:g}" if margin.asymmetry else "")


# What the page Power p is about: its first row, and everything behind Settings.

TRANSDUCTIVE, INDUCTIVE = "all points", "training points"
FIELDS = parameters(DiagonalConfig)
STRENGTH_KEYS = {"p": "power", "scale": "scale"}
"""Names in the address."""
STRENGTHS = tuple(setting(name, label(FIELDS[field], field)) for field, name in STRENGTH_KEYS.items())
PROTOCOL = ("folds", "repeats", "seed", "C", "copies")


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen; no kernel while one that is built here is not computed, and of that its kind."""

    K: GramMatrix | None
    kind: type[AnyKernel] | None
    config: DiagonalConfig
    protocol: Protocol
    order: str

    @property
    def inductive(self) -> bool:
        """Whether the basis is the training points."""
        return self.protocol.validation.inductive


def choose(dataset: DataSet) -> Choice:
    """Draw the first row: kernel, scheme, and the button Settings; the slider of p is in the pictures."""
    labels = dataset.labels
    row = first_row()
    names = [*dataset.kernels, *([NEW] if dataset.samples else [])]
    with row, st.container(width=230):
        name = widgets.choose(
            "kernel", names,
            help="A kernel or similarity of this data set, as it was brought or kept; or a new one from its samples.",
        )  # fmt: skip
    with row:
        kind = st.container(width=210) if name == NEW else row
        with st.container(width=230):
            scheme = widget(FIELDS["scheme"], DiagonalConfig.scheme, name="scheme")
        last = st.container(width="content")
    with last, settings_box(3) as (left, middle, right):
        with left:
            group("Map")
            phi = widget(FIELDS["phi"], DiagonalConfig.phi, name="phi")
            basis = st.container()
        with middle:
            group("Judging")
        with right:
            group("Pictures")
            how = order_box(st.container(), with_classes=labels is not None and bool(labels.classes))
    K, built = dataset.kernels.get(name), None
    if name == NEW:
        with left:
            group("Built from")
        made = build_kernel(dataset, kind, left)
        K, built = made.gram, made.kind
    config = _at(DiagonalConfig(scheme=scheme, phi=phi))
    # what the kernel is decides where its basis starts
    with basis:
        inductive = _basis(config, K is not None and fills_unknown(K)) == INDUCTIVE
    with middle:
        protocol = _protocol(dataset, inductive)
    return Choice(K, built, config, protocol, how)


def _at(config: DiagonalConfig) -> DiagonalConfig:
    """The settings with what the slider in the pictures says; this one keeps it."""
    strength = config.map.strength
    with st.container(key="hidden_slider.power"):
        value = widget(FIELDS[strength], config.strength, name=strength, setting=STRENGTH_KEYS[strength])
    return config.at(float(value))


def _basis(config: DiagonalConfig, filled: bool) -> str:
    said = (
        "all points: the map sees similarities of test items too, never their labels (transductive; what the published "
        "tables fit). training points: fitted inside every fold (inductive)."
    )
    if not config.way.takes_new_items:
        # another key: the choice for the other schemes waits in its own
        st.segmented_control(
            "Basis", (TRANSDUCTIVE, INDUCTIVE), default=TRANSDUCTIVE, required=True, key="diagonals.basis.root",
            disabled=True, help=f"{said} The {config.scheme} needs all items at once.",
        )  # fmt: skip
        return TRANSDUCTIVE
    if filled:
        said += " Unknown entries of these vectors are filled where the map is fitted: by default inside the fold."
    return widgets.pick(
        "filled_basis" if filled else "basis", (TRANSDUCTIVE, INDUCTIVE), default=INDUCTIVE if filled else TRANSDUCTIVE,
        help=said,
    )  # fmt: skip


def _protocol(dataset: DataSet, inductive: bool) -> Protocol:
    """Draw the choice of folds, and of what classifies."""
    given = dataset.defaults
    start = CrossValidation(
        folds=given.folds,
        repeats=given.repeats,
        C=HARD_MARGIN,  # a fixed soft C would judge every p at another scale
        inductive=inductive,
    )
    validation = controls(start, f"diagonals.cv.{dataset.name}", only=PROTOCOL, prefix="cv_")
    group("Classifiers")
    margin = controls(Margin, "diagonals.margin", prefix="margin_")
    components = controls(Components, "diagonals.components", prefix="components_")
    return Protocol(validation, margin, components)


# What the browser draws of the kernel after while p is dragged in the picture.

FOLLOWED: Final = 256
"""Up to this number of items the browser computes the empirical map itself, n³ operations a picture; frames above."""
LOW, HIGH, STEP = 0.05, 1.0, 0.05


def drag_of(made: Shrunk, K: GramMatrix, config: DiagonalConfig, order: IntArray, pick: bool) -> Drag:
    """Return the parameter as it is dragged in the pictures of K before and after, in an order of its items.

    Nothing follows of another map than a power, and where a frame would cost a decomposition of many items: then the
    pictures come when the thumb is let go. With `pick` a button chooses it.
    """
    name = config.map.strength
    title = label(FIELDS[name], name)
    follows = _follows(made, K, config, order)
    choose = f"Choose {name}" if pick else ""
    if config.map.logarithmic:
        options, _ = stops(FIELDS[name], config.strength)
        at = min(range(len(options)), key=lambda k: abs(options[k] - config.strength))
        return Drag(
            STRENGTH_KEYS[name], name, f"{name}, in the picture", at, 0, len(options) - 1, 1, follows,
            whole_page=True, options=options, title=title, pick=choose,
        )  # fmt: skip
    return Drag(
        STRENGTH_KEYS[name], name, f"{name}, in the picture", config.p, LOW, HIGH, STEP, follows,
        whole_page=True, title=title, pick=choose,
    )  # fmt: skip


def _follows(made: Shrunk, K: GramMatrix, config: DiagonalConfig, order: IntArray) -> tuple[Follow, ...]:
    if config.map is not POWER or made.units[1] != MEAN_DIAGONAL:
        return ()
    empirical, many = config.scheme == EmpiricalScheme.name, K.n > FOLLOWED
    complete = not np.isnan(made.shown[0]).any()
    if empirical and complete and not many:
        return (Follow(1, "empirical", of=(0,), note="p = {}"),)
    if empirical and complete:
        return (Follow(1, "frames", _of_rows(made.shown[0], order), note="p ≈ {}"),)
    if not many:
        any_p = DiagonalConfig(scheme=config.scheme, phi=config.phi)
        return (Follow(1, "frames", _of_scheme(K, any_p, order), note="p ≈ {}"),)
    return ()


def powers() -> FloatArray:
    """Values of p (FRAMES,) between which the browser draws lines."""
    return np.linspace(LOW, HIGH, FRAMES)


@cached(public=True)
def _of_scheme(K: GramMatrix, config: DiagonalConfig, order: IntArray) -> payload.Carrier:
    """Frames of any scheme, of few items."""
    made = [in_units(shrunk_kernel(config.at(float(p)), K).values)[0] for p in powers()]
    return payload.frames(made, powers().tolist(), len(order))


@cached(public=True)
def _of_rows(K: FloatArray, order: IntArray) -> payload.Carrier:
    """Frames of the empirical map of many items: means of blocks from means of rows, and no power but the first two."""
    in_order = K[np.ix_(order, order)]
    size, sign = np.abs(in_order), np.sign(in_order)
    mapped, factor = sign * size**LOW, size ** float(np.diff(powers())[0])
    made = []
    for _ in powers():
        rows = payload.row_means(mapped, payload.FRAME)
        made.append((rows @ rows.T) / (np.einsum("ij,ij->", mapped, mapped) / len(K)))
        mapped = mapped * factor
    return payload.frames(made, powers().tolist(), len(K))
