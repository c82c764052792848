"""What is asked of the panel New nodes: which nodes are hidden, and by which of their attributes they are placed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.fisher_scores import FAMILIES, families_for
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.networks.new_nodes import (
    NewNodesConfig,
    Origin,
    attributes_of,
    columns_of,
    well_known_columns,
    whole_rows,
)
from kernex_core.studies.networks.study import NetworkView
from pages.networks.subject import Subject
from pages.shared import chosen
from pages.shared.controls import Change, controls
from pages.shared.declared.settings import of, of_data, of_items, setting
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets

MOST_COLUMNS: Final = 200
"""Up to this number of columns single ones can be left out."""
FEWEST: Final = 4
A_SHARE, CHOSEN = "a share", "chosen nodes"
NEEDS: Final = (
    "A node that is not in the network can be placed by what was measured of it, and these nodes have no measurements. "
    "Bring one under Node table: ids, and columns of numbers."
)
HIDE_HELP: Final = (
    "Whose similarities are taken away and made again of their attributes: so many drawn by the seed, or those that are "
    "named beside this. These follow what is chosen in a drawing or a matrix."
)
LACKING: Final = "Leave out columns that are unknown for many nodes, under More"
ALIKE: Final = (
    "Columns that are alike for all nodes, or unknown for most, place none: bring others under Node table"
)
LATER_HELP: Final = (
    "The kernel of the known nodes is made anew, of the network without the hidden ones and their edges, as it is when "
    "nodes come later. Otherwise it has felt those edges, and errors are smaller than they would be then."
)


SETTINGS: Final = (
    setting("hide", "Hide"), of_data("attributes", "Attributes"), of_data("columns", "Columns"),
    setting("later", "As if they came later"), of_items("hidden_nodes", "Nodes to hide"),
    *of(NewNodesConfig, "family", "constraint", "share", "bias", "repeats", "seed", prefix="new_", about="new nodes"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Asked:
    """What is hidden of which kernel, and by what it is placed.

    Attributes
    ----------
    K : GramMatrix
        Of the nodes whose attributes are known.
    attributes : Vectors
    labels : Labels or None
    order : GramMatrix
        Of the same nodes, whose distances sort them: it does not follow the slider.
    config : NewNodesConfig
    hidden : positions, or None: a share
    left_out : int
        Nodes whose attributes are not known.
    origin : Origin or None
        Of the kernel, where its known part is made anew without the hidden nodes.
    """

    K: GramMatrix
    attributes: Vectors
    labels: Labels | None
    order: GramMatrix
    config: NewNodesConfig
    hidden: tuple[int, ...] | None
    left_out: int
    origin: Origin | None = None


def choose(subject: Subject, view: NetworkView) -> Asked | None:
    """Draw the controls; None where there are no attributes, or no node to hide."""
    offered = _offered(subject)
    if not offered:
        st.markdown(NEEDS)
        return None
    key = f"networks.new.{subject.dataset.name}"
    family, third, fourth, fifth, more = places(270, 190, 200, 170, "content", align="bottom")
    source = next(iter(offered))
    with third:
        hide = widgets.pick("hide", (A_SHARE, CHOSEN), key="networks.new.hide", help=HIDE_HELP)
    drawn = hide != CHOSEN
    config = NewNodesConfig(C=subject.validation.C)
    with more, st.popover("More", icon=":material/tune:"):
        if len(offered) > 1:
            source = widgets.choose(
                "attributes",
                list(offered),
                key=f"{key}.of.{len(offered)}",
                help="What was measured of the nodes.",
            )
        vectors = _columns(offered[source], f"{key}.columns.{source}")
        config = controls(
            config, key, only=("bias", "repeats", "seed") if drawn else ("bias",), prefix="new_"
        )
        later = widgets.switch("later", key="networks.new.later", help=LATER_HELP)
    at = whole_rows(vectors)
    if at.size < FEWEST:
        raise InvalidInputError(
            f"At least {FEWEST} nodes are needed of which every column is known", f"{at.size} of {vectors.n}",
            LACKING if vectors.n >= FEWEST else "Bring a larger network",
        )  # fmt: skip
    part, K, labels, order = vectors, view.gram, subject.labels, subject.start
    if at.size < vectors.n:
        part, K, order = part.take(at), K.take(at), order.take(at)
        labels = None if labels is None else labels.take(at)
    config = _family(config, part, key, family)
    config = controls(config, key, only=("constraint",), slots=[fifth], prefix="new_")
    with fourth:
        config = controls(config, key, only=("share",) if drawn else (), prefix="new_")
        hidden = None if drawn else _named(K.ids, key)
    if hidden == ():
        return None
    origin = Origin(subject.network, view.kernel) if later else None
    return Asked(K, part, labels, order, config, hidden, vectors.n - at.size, origin)


def _offered(subject: Subject) -> dict[str, Vectors]:
    """Attributes of the network, and vectors of the same items beside it."""
    own = attributes_of(subject.network)
    made = {} if own is None else {"of the network": own}
    return made | {
        name: part
        for name, part in subject.dataset.samples.items()
        if isinstance(part, Vectors) and part.ids == subject.network.ids
    }


def _columns(vectors: Vectors, key: str) -> Vectors:
    """Draw which columns count; at first those that are known for at least half of the nodes, and vary."""
    width, start = vectors.X.shape[1], well_known_columns(vectors)
    if width > MOST_COLUMNS:
        return columns_of(vectors, start)
    names = vectors.columns or tuple(f"column {column + 1}" for column in range(width))
    chosen_ones = widgets.several(
        "columns", range(width), default=list(start), said=lambda column: names[column], key=key,
        help="Which attributes count. At first those that are known for at least half of the nodes and are not all alike.",
    )  # fmt: skip
    if not chosen_ones:
        raise InvalidInputError(
            "At least one column of the attributes is needed", f"none of {counted(width, 'column')} is chosen",
            ALIKE if not start else "Choose one under More",
        )  # fmt: skip
    return columns_of(vectors, sorted(chosen_ones))


def _family(config: NewNodesConfig, vectors: Vectors, key: str, slot: DeltaGenerator) -> NewNodesConfig:
    """Draw the families that can describe the attributes, the one that suits best first."""
    able = families_for(vectors.X)
    titles = {each.name: each.title for each in FAMILIES}
    changed: dict[str, Change] = {"family": {"choices": able, "names": tuple(titles[name] for name in able)}}
    start = replace(config, family=able[0])
    key = f"{key}.{'.'.join(able)}"
    return controls(start, key, only=("family",), slots=[slot], changed=changed, prefix="new_")


def _named(ids: tuple[str, ...], key: str) -> tuple[int, ...]:
    """Draw which nodes are hidden, and return their positions."""
    start = [ids[at] for at in chosen.chosen(ids)]
    # it follows what is chosen in a drawing or a matrix
    names = widgets.several(
        "hidden_nodes", ids, default=start, key=f"{key}.hidden.{digest(start)[:12]}",
        placeholder="ids of nodes", help=HIDE_HELP,
    )  # fmt: skip
    position = {name: at for at, name in enumerate(ids)}
    found = tuple(sorted(position[name] for name in names if name in position))
    if not found:
        st.caption("Name at least one.")
    return found
