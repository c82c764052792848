"""How well attributes place hidden nodes: numbers, matrices beside each other, downloads."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.names import counted
from kernex_core.studies.networks.new_nodes import WAYS, Placing, kernel_by_attributes
from pages.networks.cells import Cell, cells, certificate
from pages.networks.new_nodes.asked import Asked
from pages.shared.figures.codes import common_scale, error_scale
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.matrices.panels import Panel, Words
from pages.shared.messages import findings
from pages.shared.panels.arrangement import BY_CLASS, BY_SIMILARITY, arranged
from pages.shared.panels.keep import Keep, Offer, Result, keep_row
from pages.shared.panels.linked import linked
from pages.shared.shown.drawn import table as noted_table

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


def show(asked: Asked, found: Placing, name: str, how: str) -> None:
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
