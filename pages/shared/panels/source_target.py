"""Choosing a source and a target kernel, and completing the target: the pages Complete and Papers."""

from __future__ import annotations

import streamlit as st

from kernex_core.conditioning.conditioned import conditioned
from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.pieces import Pieces
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.study import Completion, prepare, prepare_source
from pages.shared.cached import cached
from pages.shared.declared.settings import of_data
from pages.shared.glossary.entries import hint
from pages.shared.messages import plain
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.settings import widgets

SETTINGS = of_data("target", "Target kernel"), of_data("source", "Source kernel")
AT_ONCE = 400
"""Up to this number of items everything is decomposed in a fraction of a second, without a word."""


@cached(public=True)
def conditioned_source(repair: str, normalize: bool, source: GramMatrix) -> GramMatrix:
    """Conditioned source; it depends on two settings only, so that no other setting decomposes it again."""
    return prepare_source(CompletionConfig(repair=repair, normalize=normalize), source)


@cached(public=True)
def conditioned_target(repair: str, normalize: bool, target: GramMatrix) -> GramMatrix:
    """The target conditioned with nothing hidden: the truth, whatever is hidden."""
    return conditioned(CompletionConfig(repair=repair, normalize=normalize), target)


@cached(public=True)
def completion(config: CompletionConfig, source: GramMatrix, target: GramMatrix) -> Completion:
    """One hidden set, decomposed."""
    ready = conditioned_source(config.repair, config.normalize, source)
    whole = conditioned_target(config.repair, config.normalize, target)
    return prepare(config, ready, target, whole=whole)


def completing(config: CompletionConfig, source: GramMatrix, target: GramMatrix) -> Pieces[Completion]:
    """`completion` in three pieces, which take about as long."""
    yield 0.0
    conditioned_source(config.repair, config.normalize, source)
    yield 0.3
    conditioned_target(config.repair, config.normalize, target)
    yield 0.5
    return completion(config, source, target)


def complete_in_pieces(config: CompletionConfig, source: GramMatrix, target: GramMatrix) -> Completion | None:
    """Return the completion, with progress and Stop where it takes a while; None where it was stopped."""
    return run_in_pieces(
        Pieced(completion, completing, (config, source, target)), key="complete.decompose",
        what="% of the decompositions", at_once=source.n <= AT_ONCE, label="Decompose both kernels",
    )  # fmt: skip


def choose_kernels(dataset: DataSet) -> tuple[GramMatrix, GramMatrix]:
    """Draw the choice of target and source and return (source, target).

    Raises
    ------
    InvalidInputError
        Fewer than two kernels.
    """
    names = list(dataset.kernels)
    if len(names) < 2:
        raise InvalidInputError(
            "Completion needs two kernels of the same items: a source that is known everywhere and a target",
            f"{len(names)} in {dataset.name!r}",
            "Bring a second matrix on the page Data, build one on the page Kernels, or open a demo",
        )
    target_default = dataset.target if dataset.target in names else _least_known(dataset)
    others = [name for name in names if name != target_default]
    source_default = dataset.source if dataset.source in others else others[0]
    # one pair of boxes a data set: names of one are no choice in another
    left, right = st.columns(2)
    with left:
        target = widgets.choose(
            "target", names, default=target_default, key=f"complete.target.{dataset.name}",
            help="The dear kernel: known for some items only, or partly hidden below to see how well it is rebuilt.",
        )  # fmt: skip
    with right:
        source = widgets.choose(
            "source", names, default=source_default, key=f"complete.source.{dataset.name}",
            help=hint("Source", "Extrapolation"),
        )  # fmt: skip
    if source == target:
        raise InvalidInputError(
            "Source and target have to be two different kernels", f"{target!r} twice", "Choose another source"
        )
    _say_scattered(dataset.kernels[target])
    return dataset.kernels[source], dataset.kernels[target]


def _say_scattered(target: GramMatrix) -> None:
    """Say which items count as known where single pairs are unknown."""
    gaps = target.unknown
    if gaps.dropped.size:
        known = int(gaps.known.sum())
        unused = target.n * (target.n - 1) // 2 - gaps.between - known * (known - 1) // 2
        st.caption(
            f"{gaps.scattered_pairs:,} single pairs of {plain(target.name)} are unknown. A completion takes items that are "
            f"known with all pairs: the largest set found has {known} items. The other {int((~gaps.known).sum())} count as "
            f"missing, and {unused:,} known pairs with one of them are not used by it. Pairs that a search tool left out "
            "can be filled instead, on the page Kernels."
        )


def _least_known(dataset: DataSet) -> str:
    """Name of the kernel with the most unknown items, of several the last one."""
    return max(reversed(list(dataset.kernels)), key=lambda name: int((~dataset.kernels[name].known).sum()))
