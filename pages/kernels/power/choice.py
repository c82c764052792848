"""What the page Power p is about: its first row, and everything behind Settings."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.kernels.base import AnyKernel
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import fills_unknown
from kernex_core.learning.machine import HARD_MARGIN, Margin
from kernex_core.learning.protocol import Components, Protocol
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.declared.labels import label
from pages.shared.declared.settings import setting
from pages.shared.panels.arrangement import order_box
from pages.shared.panels.build import NEW, build_kernel
from pages.shared.settings import widgets
from pages.shared.widget import widget

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
