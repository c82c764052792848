"""Lessons of the page Power p: where they come from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from kernex_core.datasets.handwritten import half_seen_digits
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import HARD_MARGIN
from kernex_core.studies.diagonals.origins import Growth, kernels_of_strings, polynomials_of_pixels
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from pages.export.downloads import csv_button
from pages.kernels.power import losses as calculus
from pages.kernels.power.losses import MAP_OF
from pages.kernels.power.subject import FIELDS, Subject
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import of_data, setting
from pages.server.messages import guard
from pages.server.navigation import page_at
from pages.ui import widgets
from pages.ui.figures.chart import Across, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.theme import SECOND, SERIES
from pages.ui.frame import demo, open_demo, panel_title
from pages.ui.panels.linked import draw
from pages.ui.widget import widget

PAPER_STRINGS = "Almost orthogonal strings"
DIGITS, STRINGS, CALCULUS = "handwritten digits", "strings", "entries or eigenvalues"
PAPER = "the paper's strings"
MOST_STRINGS, LONGEST_GAPPED = 320, 60
ROLES = (SERIES, replace(SECOND, dash="solid", width=2.0))
DEFAULT_P = {DIGITS: 0.2, STRINGS: 0.4}
POWERS = {DIGITS: "lesson_p", STRINGS: "lesson_p_strings"}
SETTINGS = (
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
        for growth, log, role in zip(found, logs, ROLES, strict=False)
    ]
    highest = max((float(value) for log in logs for value in log if np.isfinite(value)), default=0.0)
    top = max(2, int(np.ceil(highest)))
    ticks = range(0, top + 1, max(top // 4, 1))
    values = Values("dominance", ticks=ticks, texts=[f"{10.0**tick:,.0f}" for tick in ticks])
    return curve(lines, Across(x_title), values, levels=[Level("large", 1.0)], height=260)


def loss_picture(found: tuple[Growth, ...], x_title: str) -> Picture:
    """Losses of every kernel and of its map, in percent."""
    lines = []
    for growth, role in zip(found, ROLES, strict=False):
        dashed = replace(role, width=1.5, dash="4px,3px")
        for name, losses, style in (
            (f"{growth.name}, mapped", growth.mapped, dashed), (growth.name, growth.plain, role)
        ):  # fmt: skip
            mean = np.array([one.mean for one in losses])
            ends = [one.interval for one in losses]
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
