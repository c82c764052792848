"""What the page Power p computes, cached; and the choice of what it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import fills_unknown
from kernex_core.learning.machine import Margin
from kernex_core.learning.protocol import Components, Protocol
from kernex_core.learning.svm import HARD_MARGIN
from kernex_core.parameters import parameters
from kernex_core.pieces import Pieces
from kernex_core.studies.diagonals.losses import Losses
from kernex_core.studies.diagonals.shrink import Described, DiagonalConfig, Shrunk, describe, shrink
from kernex_core.studies.diagonals.strength_choice import choosing_strength
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep, losses_at, sweeping
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.declared.labels import label
from pages.shared.declared.settings import setting
from pages.shared.frame import open_demo
from pages.shared.panels.build import NEW, build_kernel
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets
from pages.shared.widget import widget

TRANSDUCTIVE, INDUCTIVE = "all points", "training points"
FIELDS = parameters(DiagonalConfig)
STRENGTH_KEYS = {"p": "power", "scale": "scale"}
"""Names in the address; p on the page Kernels is another one."""
STRENGTHS = tuple(setting(name, label(FIELDS[field], field)) for field, name in STRENGTH_KEYS.items())
MOST_AUTOMATIC, COARSE = 200_000_000, 5
"""Steps of one value (some 0.3 s) above which so many of the grid are judged without a click: ends, middle, quarters."""
AT_ONCE: Final = 600
"""Up to this number of items both spectra take some tenths of a second, without a word."""
PROTOCOL = ("folds", "repeats", "seed", "C", "copies")


@dataclass(frozen=True)
class Subject:
    """What the page is about.

    `judged` and `labels` are the known items of `K` and their labels; labels only if there are at least two classes.
    """

    K: GramMatrix
    judged: GramMatrix
    labels: Labels | None
    all_labels: Labels | None


PAPER_STRINGS: Final = "Almost orthogonal strings"


def offer_strings() -> None:
    """Draw a button that opens the strings of the paper, unless they are open."""
    if workspace.current_name() != PAPER_STRINGS:
        st.button(
            "Open the paper's strings", icon=":material/science:", type="tertiary", key="diagonals.strings",
            on_click=open_demo, args=(PAPER_STRINGS,), help="50 simulated strings of two classes and their subsequence "
            "kernel, whose diagonal is some 90 times what stands beside it.",
        )  # fmt: skip


@cached(public=True)
def before(K: GramMatrix, labels: Labels | None) -> Described:
    """Return what the kernel is like before any map: no move of p asks for it again."""
    return describe(K, labels)


@cached(public=True)
def shrunk(config: DiagonalConfig, K: GramMatrix, labels: Labels | None) -> Shrunk:
    """Return the kernel before and after."""
    return shrink(config, K, labels, before=before(K, labels).diagnosis)


def shrinking(config: DiagonalConfig, K: GramMatrix, labels: Labels | None) -> Pieces[Shrunk]:
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


def choose(dataset: DataSet) -> tuple[GramMatrix | None, DiagonalConfig, bool]:
    """Draw the row of controls; return kernel, settings, and whether the basis is the training points."""
    names = [*dataset.kernels, *([NEW] if dataset.samples else [])]
    if not names:
        raise InvalidInputError(
            "This page looks at a kernel, or builds one from sequences or vectors",
            f"neither in {dataset.name!r}",
            "Bring a similarity matrix, sequences or vectors on the page Data",
        )
    columns = places(172, 172, "content", 140, "content")
    with columns[0]:
        name = widgets.choose(
            "kernel", names,
            help="A kernel or similarity of this data set, as it was brought or kept; or a new one from its samples.",
        )  # fmt: skip
    # below the row, yet before it: what the kernel is decides where its basis starts
    with st.container():
        K = (
            build_kernel(dataset, st.container(), st.container()).gram
            if name == NEW
            else dataset.kernels[name]
        )
    config, inductive = _settings(columns[1:], filled=K is not None and fills_unknown(K))
    return K, config, inductive


def _settings(columns: list[DeltaGenerator], *, filled: bool) -> tuple[DiagonalConfig, bool]:
    with columns[0]:
        scheme = widget(FIELDS["scheme"], DiagonalConfig.scheme, name="scheme")
    with columns[1]:
        phi = widget(FIELDS["phi"], DiagonalConfig.phi, name="phi")
    chosen = DiagonalConfig(scheme=scheme, phi=phi)
    with columns[2]:
        strength, default = chosen.map.strength, chosen.strength
        value = widget(FIELDS[strength], default, name=strength, setting=STRENGTH_KEYS[strength])
    with columns[3]:
        inductive = _basis(chosen, filled) == INDUCTIVE
    return chosen.at(float(value)), inductive


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


def subject_of(K: GramMatrix, labels: Labels | None) -> Subject:
    """Return the kernel with its known part and the labels of that."""
    known = np.flatnonzero(K.known)
    judged, own = (
        (K, labels) if known.size == K.n else (K.take(known), None if labels is None else labels.take(known))
    )
    return Subject(K, judged, own if own is not None and own.judgeable else None, labels)


def protocol(dataset: DataSet, inductive: bool) -> Protocol:
    """Draw the choice of folds, and of what classifies, in two popovers and return it."""
    given = dataset.defaults
    start = CrossValidation(
        folds=given.folds,
        repeats=given.repeats,
        C=HARD_MARGIN,  # a fixed soft C would judge every p at another scale
        inductive=inductive,
    )
    # no hints: they would lie over the last of what opens
    with st.popover("Folds", icon=":material/tune:"):
        validation = controls(start, f"diagonals.cv.{dataset.name}", only=PROTOCOL, prefix="cv_")
    with st.popover("Classifiers", icon=":material/tune:"):
        margin = controls(Margin, "diagonals.margin", prefix="margin_")
        components = controls(Components, "diagonals.components", prefix="components_")
        return Protocol(validation, margin, components)


def margin_words(protocol: Protocol) -> str:
    """Return the margin in words."""
    C, margin = protocol.validation.C, protocol.margin
    unit = " mean diagonals" if margin.scaled else ""
    said = "hard margin" if C >= HARD_MARGIN else f"C = {C:g}{unit}"
    return said + (f", asymmetric c = {margin.asymmetry:g}" if margin.asymmetry else "")
