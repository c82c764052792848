"""What the page Power p gives away: the kernel after, for the workspace and as files; losses; the script."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.digits import power_of_ten
from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.vectors import half_seen_digits
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import HARD_MARGIN, Margin
from kernex_core.learning.protocol import Components, Protocol
from kernex_core.studies.diagonals.shrink import (
    DiagonalConfig,
    Growth,
    Shrunk,
    kernels_of_strings,
    polynomials_of_pixels,
)
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep
from pages.export.downloads import csv_button
from pages.kernels.power import losses
from pages.kernels.power import losses as calculus
from pages.kernels.power import subject as state
from pages.kernels.power.losses import MAP_OF
from pages.kernels.power.subject import FIELDS, PROTOCOL, STRENGTHS, Subject
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, setting
from pages.server.digits import number, percent
from pages.server.messages import guard
from pages.server.navigation import page_at
from pages.ui import widgets
from pages.ui.answer import is_asked
from pages.ui.figures.bars import entry_histogram
from pages.ui.figures.chart import Across, Items, Picture, Spec, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.heatmap import HeatmapScale, common_scale, heatmap
from pages.ui.figures.spectrum import EigenvalueLine, spectra
from pages.ui.figures.theme import SECOND, SERIES
from pages.ui.frame import demo, open_demo, panel_title
from pages.ui.matrices import Drag, Panel, Room, Words
from pages.ui.panels import build, linked
from pages.ui.panels import inspection as eigenvector
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import draw, orders
from pages.ui.widget import widget

# Lessons of the page Power p: where they come from.

PAPER_STRINGS = "Almost orthogonal strings"
DIGITS, STRINGS, CALCULUS = "handwritten digits", "strings", "entries or eigenvalues"
PAPER = "the paper's strings"
MOST_STRINGS, LONGEST_GAPPED = 320, 60
LESSON_ROLES = (SERIES, replace(SECOND, dash="solid", width=2.0))
DEFAULT_P = {DIGITS: 0.2, STRINGS: 0.4}
POWERS = {DIGITS: "lesson_p", STRINGS: "lesson_p_strings"}
LESSON_SETTINGS = (
    setting("lesson", "Lesson"), of_data("lesson_strings", "Strings"),
    *(setting(name, f"Power of the map, {lesson}") for lesson, name in POWERS.items()),
)  # fmt: skip


@cached(shared=True)
def digits(p: float) -> tuple[Growth, Growth]:
    """Polynomials of 300 bundled digits: the same for everybody."""
    data = half_seen_digits(0)
    assert data.labels is not None  # the digits are known
    pixels = data.samples["whole image"]
    assert isinstance(pixels, Vectors)  # as the data set is made
    return polynomials_of_pixels(pixels, data.labels, p, _halves(3))


@cached(public=True)
def strings(data: Sequences, labels: Labels, p: float, repeats: int) -> tuple[Growth, ...]:
    """Words and subsequences of strings."""
    short = len(data.ids) <= LONGEST_GAPPED
    return kernels_of_strings(data, labels, p, _halves(repeats), subsequences=short)


def _halves(repeats: int) -> CrossValidation:
    return CrossValidation(folds=2, repeats=repeats, C=HARD_MARGIN)


@st.fragment
def show(subject: Subject, config: DiagonalConfig, dataset: DataSet) -> None:
    """Draw one lesson, with the choice among them."""
    which = widgets.pick(
        "lesson", (DIGITS, STRINGS, CALCULUS), key="diagonals.lesson", label_visibility="collapsed"
    )
    with guard():
        if which == DIGITS:
            _digits()
        elif which == STRINGS:
            _strings(dataset)
        else:
            calculus.show(subject, config)
    _offer_strings()
    st.page_link(
        page_at("orthogonal"),
        label="The toy that memorises: six patterns whose large coordinates are learned by heart",
        icon=":material/article:",
    )  # fmt: skip


def _offer_strings() -> None:
    """Draw a button that opens the strings of the paper, unless they are open."""
    if workspace.current_name() != PAPER_STRINGS and st.button(
        "Open the paper's strings", icon=":material/science:", type="tertiary", key="diagonals.strings",
        on_click=open_demo, args=(PAPER_STRINGS,), help="50 simulated strings of two classes and their subsequence "
        "kernel, whose diagonal is some 90 times what stands beside it.",
    ):  # fmt: skip
        st.rerun()


def _digits() -> None:
    st.markdown(
        "A polynomial kernel of degree *d* counts products of *d* pixels that two images share. The more must coincide, the "
        "less two images have in common, while each still has everything in common with itself."
    )
    with st.columns(2, gap="medium")[0]:
        p = _power(DIGITS)
    _growth(
        digits(p), p, "degree of the polynomial",
        "by range of brightness",
        "digits", "",
    )  # fmt: skip
    st.caption(
        f"A power *p* of degree *d* is degree *dp*, up to the sign: *p* = {p:g} takes degree {1 / p:.3g} back to 1. "
        "300 of scikit-learn's handwritten digits, 8 × 8 pixels, $k = (x^\\top x')^d$. Basis: all points. 2 folds "
        "× 3 repetitions, seed 0; guessing loses 90\u00a0%."
    )


def _strings(dataset: DataSet) -> None:
    own = {
        name: data
        for name, data in dataset.samples.items()
        if isinstance(data, Sequences) and len(data.ids) <= MOST_STRINGS
    }
    st.markdown(
        "A string kernel counts words of *k* letters that two strings share. A short word is shared by chance, a long one "
        "by nobody: the similarity of two strings falls to 0, that of a string with itself does not."
    )
    left, right = st.columns(2, vertical_alignment="bottom")
    choices = [PAPER, *(own if dataset.judgeable is not None else ())]
    with left:
        name = widgets.choose("lesson_strings", choices, key=f"diagonals.lesson.strings.{dataset.name}")
    with right:
        p = _power(STRINGS)
    paper = demo(PAPER_STRINGS, PAPER_STRINGS)
    data, labels = (paper.samples["strings"], paper.labels) if name == PAPER else (own[name], dataset.labels)
    # offered with labels only
    assert labels is not None
    assert isinstance(data, Sequences)
    repeats = 10 if len(data.ids) <= LONGEST_GAPPED else 2
    found = strings(data, labels, p, repeats)
    _growth(
        found,
        p,
        "letters that have to be shared",
        f"{len(data.ids)} strings",
        "strings",
        "" if name == PAPER else None,
    )
    lost = any(np.isinf(growth.dominance).any() for growth in found)
    gapless = "" if len(found) > 1 else f" Subsequences are counted for up to {LONGEST_GAPPED} strings."
    st.caption(
        f"Subsequences may have gaps (decay 1/4). Basis: all points. 2 folds × {repeats} repetitions, seed 0."
        + (" Where no two strings share a word the dominance is ∞ and has no point." if lost else "")
        + gapless
    )


def _growth(found: tuple[Growth, ...], p: float, x_title: str, note: str, name: str, of: str | None) -> None:
    left, right = st.columns(2, gap="medium")
    with left, st.container(gap="xxsmall"):
        panel_title("Diagonal dominance", note)
        draw(dominance_picture(found, x_title), f"diagonals.lesson.{name}.dominance", of)
    with right, st.container(gap="xxsmall"):
        panel_title(
            "Balanced loss, hard margin",
            f"bars: 95\u00a0%, other data sets; dashed: mapped, *p* = {p:g}",
        )
        draw(loss_picture(found, x_title), f"diagonals.lesson.{name}.loss", of)
    csv_button(
        "Numbers as CSV", lambda: rows(found, p), f"large diagonals of {name}", of, key=f"diagonals.lesson.{name}.csv",
        type="tertiary",
    )  # fmt: skip


def dominance_picture(found: tuple[Growth, ...], x_title: str) -> Picture:
    """Dominance on a logarithmic axis, with the level from which it counts as large."""
    logs = [_log10(growth.dominance) for growth in found]
    lines = [
        Line(growth.name, growth.settings, log, role, markers=True)
        for growth, log, role in zip(found, logs, LESSON_ROLES, strict=False)
    ]
    highest = max((float(value) for log in logs for value in log if np.isfinite(value)), default=0.0)
    top = max(2, int(np.ceil(highest)))
    ticks = range(0, top + 1, max(top // 4, 1))
    values = Values("dominance", ticks=ticks, texts=[f"{10.0**tick:,.0f}" for tick in ticks])
    return curve(lines, Across(x_title), values, levels=[Level("large", 1.0)], height=260)


def loss_picture(found: tuple[Growth, ...], x_title: str) -> Picture:
    """Losses of every kernel and of its map, in percent."""
    lines = []
    for growth, role in zip(found, LESSON_ROLES, strict=False):
        dashed = replace(role, width=1.5, dash="4px,3px")
        for name, measured, style in (
            (f"{growth.name}, mapped", growth.mapped, dashed), (growth.name, growth.plain, role)
        ):  # fmt: skip
            mean = np.array([one.mean for one in measured])
            ends = [one.interval for one in measured]
            reach = None
            if all(ends):
                low, high = np.array([(end.low, end.high) for end in ends if end is not None]).T
                reach = 100.0 * np.array([mean - low, high - mean])
            lines.append(
                Line(name, growth.settings, 100.0 * mean, style, error=reach, bars=True, markers=style is role)
            )  # fmt: skip
    values = Values("balanced loss, %", bounds=(0.0, 100.0))
    return curve(lines, Across(x_title), values, heading=f"transductive: {MAP_OF[False]}", height=270)


def rows(found: tuple[Growth, ...], p: float) -> list[dict[str, object]]:
    """One row a kernel."""
    return [
        {
            "kernel": growth.name, "setting": setting, "dominance": dominance,
            "balanced_loss": plain.mean, "sd_repetitions": plain.sd_repeats,
            "p": p, "balanced_loss_of_map": mapped.mean, "sd_repetitions_of_map": mapped.sd_repeats,
        }
        for growth in found
        for setting, dominance, plain, mapped in zip(
            growth.settings.tolist(), growth.dominance.tolist(), growth.plain, growth.mapped, strict=True
        )
    ]  # fmt: skip


def _power(lesson: str) -> float:
    described = replace(FIELDS["p"], label="Power of the map")
    key = f"diagonals.lesson.p.{lesson}"
    return float(widget(described, DEFAULT_P[lesson], name="p", key=key, setting=POWERS[lesson]))


def _log10(values: np.ndarray) -> np.ndarray:
    return np.log10(np.where(np.isfinite(values), values, np.nan))


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
        *linked.SETTINGS, *eigenvector.EIGENVECTOR_SETTINGS, *LESSON_SETTINGS,
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
