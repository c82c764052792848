"""Nodes that are not in the network: hidden, and placed again by their attributes; a panel of the page Networks."""

from __future__ import annotations

from typing import Final

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.networks.new_nodes import NewNodesConfig, Origin, Placing, placing_nodes
from kernex_core.studies.networks.study import NetworkView
from pages.networks.new_nodes import placed
from pages.networks.new_nodes.asked import Asked, choose
from pages.networks.subject import Subject
from pages.shared.cached import cached
from pages.shared.panels.staged import Staged, run_study

AT_ONCE: Final = 320
"""Up to this number of nodes all repetitions come without a click, in a fraction of a second."""


@cached(public=True)
def placing(
    config: NewNodesConfig,
    K: GramMatrix,
    attributes: Vectors,
    labels: Labels | None,
    hidden: tuple[int, ...] | None,
    origin: Origin | None,
) -> Placing:
    """All repetitions; the page keeps partial ones under the same key."""
    *_, last = placing_nodes(config, K, attributes, labels, hidden, origin)
    return last


def show(subject: Subject, view: NetworkView, name: str, how: str) -> None:
    """Draw the panel; `name` is the kernel's, with its parameter."""
    asked = choose(subject, view)
    if asked is None:
        return
    found = _found(asked)
    if found is not None:
        placed.show(asked, found, name, how)


def _found(asked: Asked) -> Placing | None:
    args = (asked.config, asked.K, asked.attributes, asked.labels, asked.hidden, asked.origin)
    if asked.K.n <= AT_ONCE:
        return placing(*args)
    total = asked.config.repeats if asked.hidden is None else 1
    cost = f"{asked.K.n:,} nodes, {counted(total, 'repetition')}: this starts with a click."
    return run_study(
        Staged(placing, placing_nodes, args), key="networks.new", what="repetitions", automatic=False,
        label="Place the hidden nodes", cost=cost,
    )  # fmt: skip
