"""Reduced sets: the kernel told by a few nodes; a panel of the page Networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.completion.approximation import Approximation
from kernex_core.completion.reduced_sets import LandmarkErrors
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.names import counted
from kernex_core.studies.networks.reduced import (
    MOST,
    ReducedConfig,
    ReducedKernel,
    Reducing,
    reduced_kernel,
    reducing,
)
from kernex_core.studies.networks.study import NetworkView
from pages.networks.subject import Subject
from pages.server.cached import cached
from pages.server.declared import of
from pages.server.digits import number, percent
from pages.server.messages import findings, plain
from pages.ui.figures.chart import Across, Items, Picture, Values
from pages.ui.figures.curve import Line, curve
from pages.ui.figures.heatmap import common_scale
from pages.ui.figures.theme import SECOND, SERIES, THIRD
from pages.ui.frame import panel_title
from pages.ui.glossary import explained
from pages.ui.matrices import Panel, Words
from pages.ui.panels.keep import Keep, Offer, Result, keep_row
from pages.ui.panels.linked import draw, linked
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import NUMBER_WIDTH, places, row_of_numbers
from pages.ui.shown import measure
from pages.ui.widget import controls

# Numbers under their names, each with a light: what the panels on approximated kernels show in a row.


@dataclass(frozen=True)
class Cell:
    """A number, what stands under it, and the hint behind its name."""

    name: str
    value: str
    chip: str
    help: str
    light: Literal["gray", "green", "red"] = "gray"


def cells(made: Sequence[Cell], of: str) -> None:
    """Draw the row; `of` is the panel in which it stands: another one of the page may have numbers of the same names."""
    with row_of_numbers():
        for cell in made:
            about = explained(cell.name, cell.help)
            measure(
                cell.name, cell.value, cell.chip, help=about, about=of, color=cell.light, width=NUMBER_WIDTH
            )


def certificate(made: Approximation, of: str = "") -> Cell:
    """Whether K − K_Q is positive semidefinite; `of` says of which of several approximations it is."""
    free = made.constraint == "free"
    about = (
        f"Smallest eigenvalue of K − K_Q{of}. The shear constraint holds from {number(-1.1 * made.delta)} on: nothing "
        "is then claimed that the kernel does not have. The free form makes the error least and gives that up."
    )
    if made.certificate_holds:
        return Cell("Certificate", number(made.shear_eigenvalue), "holds", about, "green")
    chip = "fails, as free allows" if free else "fails"
    return Cell("Certificate", number(made.shear_eigenvalue), chip, about, "gray" if free else "red")


AT_ONCE: Final = 320
"""Up to this number of nodes all of it comes without a click, in some tenths of a second."""
EXACT: Final = 1e-12
"""Difference from the Nystroem approximation up to which the two are called equal."""
NAMED: Final = 12


@cached(public=True, newest=8)
def reduced(config: ReducedConfig, K: GramMatrix) -> Reducing:
    """All of the study; the page keeps its first part under the same key."""
    *_, last = reducing(config, K)
    return last


def show(subject: Subject, view: NetworkView, name: str, items: Items) -> None:
    """Draw the panel; `name` is the kernel's, with its parameter."""
    config = _choose(subject.dataset.name, view.gram.n)
    made = _made(config, view.gram)
    if made is None:
        return
    _numbers(config, made.kernel, view.gram)
    left, right = st.columns([1, 1.14], gap="medium")
    with left:
        _chart(config, made.errors, view.gram.n)
    with right:
        _matrices(config, made.kernel, view.gram, name, items)
    findings(made.kernel.approximation.notes)
    _results(config, made, view.gram, name)


def _made(config: ReducedConfig, K: GramMatrix) -> Reducing | None:
    if K.n <= AT_ONCE:
        return reduced(config, K)
    return run_study(
        Staged(reduced, reducing, (config, K)), key="networks.reduced", what="parts", automatic=False,
        label="Tell it by landmarks", cost=f"{K.n:,} nodes: this starts with a click.",
    )  # fmt: skip


SETTINGS = of(ReducedConfig, prefix="reduced_", about="landmarks")


def _choose(dataset: str, n: int) -> ReducedConfig:
    key = f"networks.reduced.{dataset}.{n}"
    first, second, third, more = places(270, 260, 170, "content", align="bottom")
    start = ReducedConfig(count=max(1, min(20, n // 3)))
    config = controls(
        start, key, only=("how", "count", "constraint"), slots=[first, second, third],
        changed={"count": {"high": float(n)}}, prefix="reduced_",
    )  # fmt: skip
    with more, st.popover("More", icon=":material/tune:"):
        return controls(config, key, only=("seed", "repeats"), prefix="reduced_")


def _numbers(config: ReducedConfig, found: ReducedKernel, K: GramMatrix) -> None:
    made = found.approximation
    cells(
        [
            Cell(
                "Error", number(found.error, 3), f"{found.landmarks.size:,} of {K.n:,} nodes",
                "|K − K_Q| / |K| over all pairs, Frobenius norms.",
            ),
            Cell("Trace kept", percent(made.trace_share), f"rank {made.rank:,}", "Share of the kernel's trace."),
            certificate(made),
            _equality(found, config.constraint == "free"),
        ],
        "Reduced sets",
    )  # fmt: skip
    drawn = f", drawn by seed {config.seed}" if config.how == "random" else ""
    ids = [K.ids[int(at)] for at in found.landmarks]
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    st.caption(f"Landmarks, {config.how}{drawn}: {plain(', '.join(ids[:NAMED]))}{more}.")


def _equality(found: ReducedKernel, free: bool) -> Cell:
    equal = found.nystroem <= EXACT
    chip = "equal to 1e−12" if equal else f"condition of K_SS {number(found.condition)}"
    return Cell(
        "From Nyström", number(found.nystroem), "another form" if free else chip,
        "Largest difference from K[:, S] K_SS⁻¹ K[S, :] by other code, as a share of the largest entry. Under the shear "
        "constraint the two are the same, up to rounding that grows with the condition of K_SS.",
        "green" if equal and not free else "gray",
    )  # fmt: skip


def _chart(config: ReducedConfig, found: LandmarkErrors | None, n: int) -> None:
    panel_title("Error against the number of landmarks", _repeated(config))
    if found is None:
        st.caption(f"Drawn up to {MOST:,} nodes." if n > MOST else "Not counted yet.")
        return
    draw(picture(config, found, n), "networks.reduced.errors")


def _repeated(config: ReducedConfig) -> str:
    return f"{counted(config.repeats, 'draw')}, ± sd" if config.how == "random" else "nothing is drawn"


def picture(config: ReducedConfig, found: LandmarkErrors, n: int) -> Picture:
    """Errors with and without the constraint, and the least that any matrix of that rank has."""
    x = found.counts.astype(np.float64)

    def spread(values: FloatArray) -> FloatArray | None:
        return values.std(axis=0, ddof=1) if len(values) > 1 else None

    lines = [
        Line("least of that rank", x, found.best, THIRD),
        Line("free", x, found.free.mean(axis=0), SECOND, error=spread(found.free)),
        Line("Nyström", x, found.nystroem.mean(axis=0), SERIES, error=spread(found.nystroem)),
    ]
    return curve(
        lines, Across("number of landmarks", guide=float(config.count), range=(0.0, float(n))),
        Values("error, |K − K_Q| / |K|", bounds=(0.0, 1.0)), height=330,
    )  # fmt: skip


def _matrices(config: ReducedConfig, found: ReducedKernel, K: GramMatrix, name: str, items: Items) -> None:
    values = found.approximation.K_Q
    scale = common_scale([K.values, values])
    panels = [
        Panel("Kernel", name, K.values, scale),
        Panel("By landmarks", f"{found.landmarks.size:,}, {config.constraint}", values, scale),
    ]
    linked(panels, items, key="networks.reduced.maps", words=Words(f"{name} by landmarks", config.how))


def _results(config: ReducedConfig, made: Reducing, K: GramMatrix, name: str) -> None:
    at = tuple(made.kernel.landmarks.tolist())
    title, errors = f"{name} by {counted(len(at), 'landmark')}", made.errors
    further = () if errors is None else (Offer(lambda: rows(errors), label="Errors as CSV", key="errors"),)
    result = Result(
        title,
        kernel=lambda: reduced_kernel(K, at, config.constraint),
        further=further,
        script=Offer(lambda: script(config, K, at, title), help="Python that computes this kernel and its numbers again."),
    )  # fmt: skip
    keep_row(result, key="networks.reduced.row", keep=Keep("Keep the reduced kernel"))


def rows(found: LandmarkErrors) -> list[dict[str, object]]:
    """Return one row a number of landmarks and repetition."""
    return [
        {
            "landmarks": int(count), "draw": drawn + 1, "nystroem": float(found.nystroem[drawn, place]),
            "free": float(found.free[drawn, place]), "least_of_that_rank": float(found.best[place]),
        }
        for place, count in enumerate(found.counts)
        for drawn in range(len(found.nystroem))
    ]  # fmt: skip


def script(config: ReducedConfig, K: GramMatrix, landmarks: tuple[int, ...], title: str) -> str:
    """Script of the reduced kernel and of the numbers that the panel shows."""
    made = reduced_kernel(K, landmarks, config.constraint)
    found = call("found", "reduce_kernel", config, K)
    prints = [
        "$0.values", "'error', $1.error", "'trace kept', $1.approximation.trace_share",
        "'smallest eigenvalue of K - K_Q', $1.approximation.shear_eigenvalue", "'from Nystroem', $1.nystroem",
    ]  # fmt: skip
    return write_script([made.recipe, found], heading=f"Kernex: {title}", prints=prints)
