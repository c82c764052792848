"""Choosing a source and a target kernel, and completing the target: the pages Complete and Papers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

import streamlit as st

from kernex_core.conditioning.repairs import conditioned
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.runtime.progress import Steps
from kernex_core.studies.completion.study import Completion, CompletionConfig, prepare, prepare_source
from pages.server.cached import cached
from pages.server.declared import of_data
from pages.server.messages import plain
from pages.ui import widgets
from pages.ui.glossary import hint
from pages.ui.panels.staged import Pieced, run_in_pieces

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


def completing(config: CompletionConfig, source: GramMatrix, target: GramMatrix) -> Steps[Completion]:
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


def choose_kernels(
    dataset: DataSet, places: Sequence[AbstractContextManager[object]] | None = None
) -> tuple[GramMatrix, GramMatrix]:
    """Draw the choice of target and source and return (source, target).

    Parameters
    ----------
    dataset : DataSet
        With at least two kernels (`pages.server.declared`).
    places : two containers, optional
        Of target and source; two columns by default.
    """
    left, right = st.columns(2) if places is None else places
    with left:
        target = choose_target(dataset)
    with right:
        return choose_source(dataset, target), target


def choose_source(dataset: DataSet, target: GramMatrix) -> GramMatrix:
    """Draw the choice of a source and return it."""
    others = [name for name, K in dataset.kernels.items() if K is not target]
    whole = [name for name in others if dataset.kernels[name].unknown.complete]
    default = dataset.source if dataset.source in others else next(iter(whole), others[0])
    name = widgets.choose(
        "source", others, default=default, key=f"complete.source.{dataset.name}.{target.name}",
        help=hint("Source", "Extrapolation"),
    )  # fmt: skip
    return dataset.kernels[name]


def choose_target(dataset: DataSet) -> GramMatrix:
    """Draw the choice of target and return it: one box a data set, for names of one are no choice in another."""
    names = list(dataset.kernels)
    name = widgets.choose(
        "target", names, default=dataset.target if dataset.target in names else _least_known(dataset),
        key=f"complete.target.{dataset.name}",
        help="The dear kernel: known for some items only, or partly hidden to see how well it is rebuilt.",
    )  # fmt: skip
    return dataset.kernels[name]


def scattered_words(target: GramMatrix) -> str:
    """Return which items count as known where single pairs are unknown; "" where none are."""
    gaps = target.unknown
    if not gaps.dropped.size:
        return ""
    known = int(gaps.known.sum())
    unused = target.n * (target.n - 1) // 2 - gaps.between - known * (known - 1) // 2
    return (
        f"{gaps.scattered_pairs:,} single pairs of {plain(target.name)} are unknown. A completion takes items that are "
        f"known with all pairs: the largest set found has {known} items. The other {int((~gaps.known).sum())} count as "
        f"missing, and {unused:,} known pairs with one of them are not used by it. Pairs that a search tool left out "
        "can be filled instead, on the page Kernels; single pairs are completed by Settings, What is completed."
    )


def _least_known(dataset: DataSet) -> str:
    """Name of the kernel with the most unknown items, of several the last one."""
    return max(reversed(list(dataset.kernels)), key=lambda name: int((~dataset.kernels[name].known).sum()))
