"""What is asked of the panel New nodes: which nodes are hidden, and by which of their attributes they are placed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.completion.fisher_scores import FAMILIES, families_for
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.networks.new_nodes import (
    WAYS,
    NewNodesConfig,
    Origin,
    Placing,
    attributes_of,
    columns_of,
    kernel_by_attributes,
    placing_nodes,
    well_known_columns,
    whole_rows,
)
from kernex_core.studies.networks.study import NetworkView
from pages.networks.reduced import Cell, cells, certificate
from pages.networks.subject import Subject
from pages.server.cached import cached
from pages.server.declared import of, of_data, of_items, setting
from pages.server.digits import number, percent
from pages.server.messages import findings
from pages.ui import chosen, widgets
from pages.ui.figures.heatmap import common_scale, error_scale
from pages.ui.frame import panel_title
from pages.ui.matrices import Panel, Words
from pages.ui.panels.keep import Keep, Offer, Result, keep_row
from pages.ui.panels.linked import BY_CLASS, BY_SIMILARITY, arranged, linked
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import places
from pages.ui.shown import table as noted_table
from pages.ui.widget import Change, controls

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


# How well attributes place hidden nodes: numbers, matrices beside each other, downloads.

TITLES: Final = {
    "placed": "by their attributes",
    "baseline": "by the mean: as similar to each known node as those are to it on average",
    "true": "by their own edges: what only nodes of the network have",
}
FLOOR: Final = "floor: their largest class is named for all"
NOT_FEATURES: Final = (
    "Its known pairs are approximated too: this is one kernel φᵀQφ of all nodes, positive semidefinite, in which a new node "
    "needs attributes alone."
)
SEEN: Final = (
    "Transductive: the kernel was made of the whole network, and its known block has felt the edges of hidden nodes. Under "
    "More it is made without them. Mean, deviation, *Q* and classifier come from the known nodes alone."
)
LATER: Final = (
    "The kernel of the known nodes was made of the network without the hidden ones, so its scale may be another than that "
    "of the true rows: alignment, which knows no scale, is what to compare then. All else comes from the known nodes alone, "
    "too."
)


def show_placed(asked: Asked, found: Placing, name: str, how: str) -> None:
    """Draw numbers, matrices, and the row of downloads; `name` is the kernel's, with its parameter."""
    _numbers(asked, found)
    _ways(asked, found)
    findings(notes(asked, found))
    _matrices(asked, found, name, how)
    _results(asked, found, name)


def notes(asked: Asked, found: Placing) -> tuple[str, ...]:
    """What has to be known of these numbers."""
    made = found.first.notes
    if asked.left_out:
        whose = counted(asked.left_out, "node")
        made = (
            f"{whose} of which not every column is known: left out of this panel, of the rest all are known.",
            *made,
        )
    if np.isnan(found.error).all():
        return (
            *made,
            "No hidden node is similar to a known one in this kernel: there is nothing to be placed.",
        )
    behind = found.error[:, 0] > found.error[:, 1]
    if behind.any():
        why = "these say little about this kernel, or are too many for so few nodes"
        if asked.origin and (found.alignment[behind, 0] > found.alignment[behind, 1]).all():
            why = "they point the same way more closely (alignment), but the known nodes' kernel has another scale"
        made += (
            f"In {int(behind.sum())} of {counted(found.done, 'repetition')} the mean comes nearer to the hidden rows than "
            f"attributes do: {why}.",
        )
    return made


def _numbers(asked: Asked, found: Placing) -> None:
    first = found.first.extended.approximation
    several = ", first repetition" if found.total > 1 else ""
    cells(
        [
            Cell(
                "Error, hidden nodes", _spread(found.error[:, 0]), f"by the mean {_spread(found.error[:, 1])}",
                "|k − k̂| / |k| over pairs of a hidden and a known node, Frobenius norms.",
            ),
            _training(found, asked.config.bias),
            Cell(
                "Trace kept", percent(float(found.trace.mean())), f"rank {first.rank:,} of {first.K_Q.shape[0]:,}",
                "Share of the kernel's trace that features can hold, over the known nodes.",
            ),
            certificate(first, several),
        ],
        "New nodes",
    )  # fmt: skip


def _training(found: Placing, bias: bool) -> Cell:
    """The error on known nodes, and what the bias row makes of it."""
    mean, other = float(found.training.mean()), float(found.other.mean())
    without, with_row = (other, mean) if bias else (mean, other)
    fall = 1.0 - with_row / without if without > 0.0 else 0.0
    return Cell(
        "Training error", number(mean, 3), f"bias row: {number(without, 3)} → {number(with_row, 3)}",
        "|K − K_Q| / |K| over known nodes, Frobenius norms. Scores are centred and know no constant; a bias row, 1 for "
        f"every node, lowers this error by {percent(fall)} here: by more, the more of the kernel is its mean.",
    )  # fmt: skip


def _ways(asked: Asked, found: Placing) -> None:
    """One row a way to place the same hidden nodes."""
    hidden = found.first.hidden.size
    panel_title("Ways to place", _rests(asked, found), ("Fisher score", "Shear"))
    table = {
        "hidden nodes are placed": [TITLES[way] for way in WAYS],
        "error": [_spread(column) for column in found.error.T],
        "alignment": [_spread(column) for column in found.alignment.T],
    }
    if np.isfinite(found.accuracy).any():
        table["accuracy"] = [_shares(column) for column in found.accuracy.T]
        for name, cell in zip(table, (FLOOR, "—", "—", _shares(found.floor)), strict=True):
            table[name].append(cell)
    noted_table("networks.placed", table)
    repeated = (
        f" Mean ± sd over {counted(found.done, 'repetition')}, which hide other nodes each."
        if found.done > 1
        else ""
    )
    st.caption(f"{counted(hidden, 'node')} hidden.{repeated} {LATER if asked.origin else SEEN}")


def _rests(asked: Asked, found: Placing) -> str:
    hidden = found.first.hidden.size
    drawn = "named" if asked.hidden is not None else f"drawn, seed {asked.config.seed}"
    return f"{hidden:,} of {asked.K.n:,} nodes hidden, {drawn}"


def _matrices(asked: Asked, found: Placing, name: str, how: str) -> None:
    truth, made = asked.K.values, found.first.values
    known = np.ones(asked.K.n, dtype=bool)
    known[found.first.hidden] = False
    items = arranged(how, asked.order, asked.labels, known)
    scale, error = common_scale([truth, made]), made - truth
    panels = [
        Panel("True", name, truth, scale),
        Panel("Extrapolated", f"{asked.config.constraint}, from attributes", made, scale),
        Panel("Error", "extrapolated − true", error, error_scale([error])),
    ]
    repetition = "first repetition, " if found.total > 1 else ""
    last = {BY_CLASS: ", last in their class", BY_SIMILARITY: ", at the end"}.get(how, "")
    panel_title("True and extrapolated", f"{repetition}{_rests(asked, found)}{last}")
    linked(
        panels, items, key="networks.new.maps", words=Words(f"{name} from attributes", _rests(asked, found))
    )


def _results(asked: Asked, found: Placing, name: str) -> None:
    hidden = tuple(found.first.hidden.tolist())
    result = Result(
        f"{name} by attributes",
        kernel=lambda: kernel_by_attributes(
            asked.config, asked.K, asked.attributes, hidden, origin=asked.origin
        ),
        further=(Offer(lambda: rows(found), label="Numbers as CSV", key="numbers"),),
        script=Offer(lambda: script(asked, name), help="Python that places the nodes and computes these numbers again."),
    )  # fmt: skip
    keep_row(result, key="networks.new.row", keep=Keep("Keep the extrapolated kernel", NOT_FEATURES))


def rows(found: Placing) -> list[dict[str, object]]:
    """Return one row a repetition and way."""
    return [
        {
            "repetition": repetition + 1, "placed": TITLES[way].split(":")[0],
            "error": float(found.error[repetition, column]), "alignment": float(found.alignment[repetition, column]),
            "accuracy": float(found.accuracy[repetition, column]), "floor": float(found.floor[repetition]),
            "training_error": float(found.training[repetition]), "trace_kept": float(found.trace[repetition]),
        }
        for repetition in range(found.done)
        for column, way in enumerate(WAYS)
    ]  # fmt: skip


def script(asked: Asked, name: str) -> str:
    """Script of the kernel that is kept and of the numbers that the panel shows."""
    states = call(
        "states", "placing_nodes", asked.config, asked.K, asked.attributes, asked.labels, asked.hidden, asked.origin,
    )  # fmt: skip
    found = call("found", "last_state", states)
    made = kernel_by_attributes(asked.config, asked.K, asked.attributes, asked.hidden, origin=asked.origin)
    prints = [
        "$0.values",
        "'error by attributes, mean, own edges', $1.error.mean(axis=0)",
        "'accuracy', $1.accuracy.mean(axis=0), 'floor', $1.floor.mean()",
        "'training error', $1.training.mean(), 'trace kept', $1.trace.mean()",
        "'smallest eigenvalue of K - K_Q', $1.first.extended.approximation.shear_eigenvalue",
    ]
    return write_script([made.recipe, found], heading=f"Kernex: {name} by attributes", prints=prints)


def _spread(values: FloatArray) -> str:
    """ "0.68 ± 0.02", or the one number; "—" where there is none."""
    values = values[np.isfinite(values)]
    if not values.size:
        return "—"
    mean = number(float(values.mean()), 3)
    return f"{mean} ± {number(float(values.std(ddof=1)), 3)}" if np.ptp(values) > 1e-12 else mean


def _shares(values: FloatArray) -> str:
    """The same in percent; "—" without labels."""
    known = values[np.isfinite(values)]
    if not known.size:
        return "—"
    mean = percent(float(known.mean()), 1)
    return f"{mean} ± {number(100.0 * float(known.std(ddof=1)), 1)}" if known.size > 1 else mean


# Nodes that are not in the network: hidden, and placed again by their attributes; a panel of the page Networks.

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
        show_placed(asked, found, name, how)


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
