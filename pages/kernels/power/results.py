"""What the page Power p gives away: the kernel after, for the workspace and as files; losses; the script."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from kernex_core.base.printed import power_of_ten
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import Margin
from kernex_core.learning.protocol import Components, Protocol
from kernex_core.studies.diagonals.shrink import DiagonalConfig, Shrunk
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep
from pages.kernels.power import lessons, losses
from pages.kernels.power import subject as state
from pages.kernels.power.subject import PROTOCOL, STRENGTHS
from pages.server import workspace
from pages.server.declared import declared, in_view, of, of_data, setting
from pages.server.digits import number, percent
from pages.ui import widgets
from pages.ui.answer import is_asked
from pages.ui.figures.bars import entry_histogram
from pages.ui.figures.chart import Items, Picture, Spec
from pages.ui.figures.heatmap import HeatmapScale, common_scale, heatmap
from pages.ui.figures.spectrum import EigenvalueLine, spectra
from pages.ui.figures.theme import SECOND, SERIES
from pages.ui.frame import panel_title
from pages.ui.matrices import Drag, Panel, Room, Words
from pages.ui.panels import build, linked
from pages.ui.panels import inspection as eigenvector
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import draw, orders


def keep(
    subject: state.Subject, config: DiagonalConfig, made: Shrunk, picture: Callable[[], Picture]
) -> None:
    """Draw name, button and files of the kernel after."""
    bare = config.way.repairs and widgets.switch(
        "bare", key="diagonals.bare",
        help="For the page Complete: it hides first and repairs after, and a repair of the whole matrix would carry what is "
        "hidden into what is known. In general this is a similarity, not a kernel.",
    )  # fmt: skip
    gram = subject.K.then(config.element_map) if bare else made.gram
    result = Result(
        suggested_name(subject.K, config, bare),
        kernel=lambda: gram,
        figure=Drawing(
            picture,
            settings={**settings(subject.K, config), "unit": made.units[1]},
        ),
        script=Offer(
            lambda: kernel_script(subject.K, config, bare),
            help="Python that computes this kernel again with kernex_core alone.",
            key="kernel.script",
        ),
    )
    keep_row(result, key="diagonals", keep=Keep(named=True))


def downloads(
    subject: state.Subject,
    config: DiagonalConfig,
    protocol: Protocol,
    found: DiagonalSweep,
) -> None:
    """Draw the losses as a table, and the script that computes them; the sheet above has their picture, too."""
    result = Result(
        "losses against p",
        table=Offer(lambda: losses.rows(found), label="Losses as CSV", key="losses.csv"),
        script=Offer(
            lambda: script(subject, config, protocol),
            label="Script of the losses",
            help="Python that computes these losses again with kernex_core alone.",
            name="large-diagonals",
        ),
    )
    keep_row(result, key="diagonals", look="tertiary")


def suggested_name(K: GramMatrix, config: DiagonalConfig, bare: bool) -> str:
    """Return the kernel's name with what was done to it: "ssk, empirical map p = 0.5"."""
    return f"{K.name}, {'entries' if bare else config.scheme} {config.map.symbol} = {config.strength:g}"[:80]


def settings(K: GramMatrix, config: DiagonalConfig) -> dict[str, str]:
    """Return what a downloaded figure says about itself."""
    return {"kernel": K.name, "scheme": config.scheme, config.map.symbol: f"{config.strength:g}"}


def kernel_script(K: GramMatrix, config: DiagonalConfig, bare: bool = False) -> str:
    """Script of the kernel that is kept."""
    gram = K.then(config.element_map) if bare else state.shrunk(config, K, None).gram
    heading = f"Kernex: {suggested_name(K, config, bare)}"
    return write_script([gram.recipe], heading=heading, prints=["$0.values"])


def script(subject: state.Subject, config: DiagonalConfig, protocol: Protocol) -> str:
    """Script of the kernel after, and of the losses of every p."""
    labels = subject.labels
    assert labels is not None  # without labels there are no losses and no script
    of = subject.judged, labels, protocol
    sweep = call(
        "sweep", "last_state", call("states", "sweeping_strengths", state.without_strength(config), *of)
    )
    after = call("after", "shrunk_kernel", config, subject.K)
    here = call("here", "losses_at", config, *of)
    return write_script(
        [after, sweep, here],
        heading="Kernex: large diagonals",
        prints=[
            "$0.values",
            '[(p, round(found["svm"].mean, 4)) for p, found in zip($1.strengths, $1.judged)]',
            f"({config.strength!r}, {{name: round(found.mean, 4) for name, found in $2.items()}})",
            "{name: (found.rests_on, found.interval) for name, found in $2.items()}",
        ],
    )


# What can be set on the page Power p.

TABS: Final = "diagonals.tab"
SETTINGS: Final = declared(
    *in_view(
        of_data("kernel", "Kernel"), *of(DiagonalConfig, "scheme"), *STRENGTHS, setting("tab", "Part of the page"),
        *linked.SETTINGS, *eigenvector.EIGENVECTOR_SETTINGS, *lessons.SETTINGS,
        setting("bare", "Keep φ of the entries without the repair"),
    ),
    *build.SETTINGS, *of(DiagonalConfig, "phi"), setting("basis", "Basis"), setting("filled_basis", "Basis"),
    *of(CrossValidation, *PROTOCOL, prefix="cv_"), *of(Margin, prefix="margin_"),
    *of(Components, prefix="components_"), *orders(),
)  # fmt: skip


# Pictures of the page Power p: before and after on one scale, spectra, distributions of similarities.

HEIGHT, MOST = 620, 0.4
LEAST_TOP = 0.5
NAMES = ("Before", "After")
ROLES = (SECOND, SERIES)


KEY = "diagonals.maps"
CHOOSING = "diagonals.choosing"
"""Remembered from the button in the bar of the pictures to the end of the page, which knows what was judged."""


@st.fragment
def maps(made: Shrunk, items: Items, words: Words, drag: Drag) -> None:
    """Draw both kernels on one scale, each over its mean diagonal, linked, with p at them."""
    scale = _scale(made)
    panels = panels_of(made, scale)
    place, carriers = st.container(gap="xsmall"), st.container(key="carriers")
    with place:
        linked.linked(panels, items, key=KEY, words=words, drag=drag, room=Room(carriers, MOST, TABS))
    if is_asked(KEY):
        workspace.remember(CHOOSING, True)
        st.rerun()


def panels_of(made: Shrunk, scale: HeatmapScale | None = None) -> list[Panel]:
    """Both kernels as they are drawn."""
    scale = scale or _scale(made)
    return [
        Panel(title, dominance(d), values, scale)
        for title, d, values in zip(NAMES, (made.before, made.after), made.shown, strict=True)
    ]


def _scale(made: Shrunk) -> HeatmapScale:
    scale = common_scale(made.shown)
    # in units of the mean diagonal, which is what this page is about: what stands beside it must not have its colour
    return scale if scale.high >= LEAST_TOP else HeatmapScale(min(scale.low, 0.0), LEAST_TOP)


def figure_after(made: Shrunk, items: Items) -> Picture:
    """The kernel after as a figure of its own."""
    return heatmap(
        made.shown[1], items, name="the kernel after", scale=_scale(made), height=HEIGHT, diagonal=True
    )


def dominance(d: Diagnosis) -> str:
    """Return the ratio in words."""
    if np.isnan(d.dominance):
        return "one item"
    if np.isinf(d.dominance):
        return "dominance ∞, large"
    return f"dominance {number(d.dominance)}{', large' if d.large_diagonal else ''}"


def unit(made: Shrunk) -> str:
    """What both are divided by, in words."""
    return made.units[0] if made.units[0] == made.units[1] else "unit named above"


def both_spectra(made: Shrunk) -> None:
    """Draw the eigenvalues of both, in units of the mean diagonal."""
    parts = [
        EigenvalueLine(name.lower(), d.eigenvalues, role)
        for name, d, role in zip(NAMES, (made.before, made.after), ROLES, strict=True)
    ]
    picture = spectra(parts, height=230)
    with st.container(gap="xxsmall"):
        panel_title("Spectra", picture.note or f"in units of the {unit(made)}")
        draw(picture, "diagonals.spectra")


def histograms(made: Shrunk, slots: Sequence[DeltaGenerator]) -> None:
    """Draw the sizes of similarities off the diagonal, on one logarithmic axis for both."""
    sizes = [log_sizes(values) for values in made.shown]
    present = [log for log, _ in sizes if log.size]
    span = (
        (min(float(log.min()) for log in present), max(float(log.max()) for log in present))
        if present
        else None
    )
    for name, (logs, negative), d, role, slot in zip(
        NAMES, sizes, (made.before, made.after), ROLES, slots, strict=True
    ):
        zeros = f"{percent(d.zero_share, 1)} zeros, {percent(negative, 1)} negative"
        with slot, st.container(gap="xxsmall"):
            panel_title(f"Similarities {name.lower()}", zeros)
            if logs.size == 0 or span is None:
                st.caption("Every similarity between two items is 0.")
                continue
            picture = entry_histogram(
                logs, name=f"log₁₀ of the size of similarities {name.lower()}", role=role,
                x_title=f"size / {unit(made)}", height=230,
            )  # fmt: skip
            draw(picture.with_layout({"xaxis": decades(*span)}), f"diagonals.histogram.{name}")


def decades(low: float, high: float) -> Spec:
    """Return range and ticks of an axis that holds log10 of what it shows."""
    first, last = math.floor(low), math.ceil(high)
    step = max(math.ceil((last - first) / 5), 1)
    ticks = list(range(last, first - 1, -step))
    room = 0.03 * max(high - low, 0.5)
    return {
        "range": [low - room, high + room],
        "tickvals": ticks,
        "ticktext": [power_of_ten(tick) for tick in ticks],
    }


def log_sizes(K: FloatArray) -> tuple[FloatArray, float]:
    """Return log10 |K_ij| of the known pairs that are not 0, and the share of negative ones among all known."""
    entries = K[np.triu_indices(len(K), 1)]
    entries = entries[~np.isnan(entries)]
    negative = float((entries < 0.0).mean()) if entries.size else 0.0
    return np.log10(np.abs(entries[entries != 0.0])), negative
