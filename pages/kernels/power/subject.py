"""What the page Power p computes, cached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.machine import HARD_MARGIN
from kernex_core.learning.protocol import Protocol
from kernex_core.runtime.progress import Steps
from kernex_core.studies.diagonals.judging import Losses
from kernex_core.studies.diagonals.shrink import Described, DiagonalConfig, Shrunk, describe, shrink
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep, choosing_strength, losses_at, sweeping
from pages.shared.cached import cached
from pages.shared.panels.in_pieces import Pieced, run_in_pieces

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
