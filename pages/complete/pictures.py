"""Pictures of the page Complete: five heatmaps, spectra, accuracy against the hidden share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from kernex_core.inputs.samples import Labels
from kernex_core.studies.completion.answer import JointAccuracy
from kernex_core.studies.completion.study import Completion, CompletionView
from kernex_core.studies.completion.sweep import BASELINES, Curve, Sweep, plain_curve
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.codes import HeatmapScale, common_scale, error_scale
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items, Picture
from pages.shared.figures.spectrum import Spectrum, spectra
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import plain, shortened
from pages.shared.panels.arrangement import class_list, item_order
from pages.shared.panels.heatmap import draw

HEIGHT = 222
NAMES = {
    "extrapolated": "extrapolated",
    "nystroem": "Nyström",
    "zero-fill": "zero-fill",
    "mean-fill": "mean-fill",
}


@dataclass(frozen=True)
class Arrangement:
    """How items are laid out in every heatmap of the page, and the scale of those that compare."""

    items: Items
    scale: HeatmapScale


def arrangement(made: Completion, labels: Labels | None) -> Arrangement:
    """Arrange the items and scale the comparable panels."""
    order = item_order(made.source, labels, made.known)
    scale = common_scale([made.truth, made.extrapolation.T_hat])
    return Arrangement(Items(made.source.ids, class_list(labels), order), scale)


def fixed_heatmaps(made: Completion, look: Arrangement, target_name: str) -> None:
    """Draw what a move of λ leaves as it is: truth, what is known, extrapolated."""
    known = np.where(np.outer(made.known, made.known), made.truth, np.nan)
    panels = (
        (plain(shortened(target_name, 14)), "truth" if made.hidden.any() else "as uploaded", made.truth),
        ("Known", f"{int(made.known.sum()):,} of {made.m:,} items", known),
        ("Extrapolated", "*WᵀTW*", made.extrapolation.T_hat),
    )
    for column, (name, note, values) in zip(st.columns(3, gap="small"), panels, strict=True):
        with column, st.container(gap="xxsmall"):
            picture = heatmap(values, look.items, name=name, scale=look.scale, height=HEIGHT)
            panel_title(name, note)
            draw(picture, f"complete.map.{note}")
    if picture.note:
        st.caption(f"{made.m:,} items: the cells of all pictures are {picture.note}.")


def moving_heatmaps(view: CompletionView, look: Arrangement) -> None:
    """Draw the joint kernel at λ and its error."""
    left, right = st.columns(2, gap="small")
    with left, st.container(gap="xxsmall"):
        scale = common_scale([view.K])
        picture = heatmap(view.K, look.items, name="the joint kernel", scale=scale, height=HEIGHT)
        panel_title("Joint", f"*λ* = {number(view.lam, 2)}")
        draw(picture, "complete.map.joint")
    with right, st.container(gap="xxsmall"):
        scale = error_scale([view.error])
        picture = heatmap(
            view.error, look.items, name="the error of the joint kernel", scale=scale, height=HEIGHT
        )
        panel_title("Error", f"{number(view.scale, 2)} × joint − truth")
        draw(picture, "complete.map.error")


def joint_picture(made: Completion, view: CompletionView, labels: Labels | None) -> Picture:
    """Joint kernel at λ as a figure of its own, large."""
    items = arrangement(made, labels).items
    return heatmap(view.K, items, name="the joint kernel", scale=common_scale([view.K]), height=620)


def spectrum_panel(made: Completion, view: CompletionView, target_name: str) -> None:
    """Draw the spectra of truth, extrapolated and joint kernel over each other."""
    lines = [Spectrum(target_name, made.spectra["target"], "target")] if "target" in made.spectra else []
    lines.append(Spectrum("extrapolated", made.spectra["extrapolated"], "extrapolated"))
    lines.append(Spectrum("joint", view.eigenvalues, "joint"))
    picture = spectra(lines, height=250)
    # how many are left out stands in the description; beside the title there is no room for it
    panel_title("Spectrum", "eigenvalue by rank" + (", zeros left out" if picture.note else ""))
    draw(picture, "complete.spectrum")


def accuracy_chart(
    sweeps: Sequence[Sweep], accuracy: JointAccuracy, measure: int, names: tuple[str, str]
) -> Picture:
    """Accuracy (%) against the hidden share: joint at λ, what has no λ, each kernel alone, and the floor.

    The first sweep is that of the share that the page shows.
    """
    sweep, order = sweeps[0], sorted(range(len(sweeps)), key=lambda i: sweeps[i].shares[0] or 0.0)
    rising = [sweeps[i] for i in order]
    x = [100.0 * (s.shares[0] or 0.0) for s in rising]
    lines = [_line("joint", x, [accuracy.curves[i][measure] for i in order], "joint")]
    lines += [
        _line(NAMES[method], x, [plain_curve(s, method)[measure] for s in rising], method, band=False)
        for method in BASELINES
    ]
    field = ("multi_class", "one_vs_rest")[measure]
    levels = [
        Level(title, 100.0 * float(np.mean([getattr(s, field) for s in sweep.levels[role]])), role)
        for title, role in ((f"{names[1]}, complete", "target"), (f"{names[0]} alone", "source"))
        if role in sweep.levels
    ]
    levels.append(Level("floor", 100.0 * (sweep.multi_floor, sweep.one_vs_rest_floor)[measure], "floor"))
    across = Across(
        "hidden share of the target kernel, %",
        guide=100.0 * (sweep.shares[0] or 0.0),
        range=(0.0, 95.0) if len(x) > 1 else None,
    )
    return curve(lines, across, Values(unit="%", bounds=(0, 100)), levels=levels, height=250)


def _line(name: str, x: Sequence[float], curves: Sequence[Curve], role: str, band: bool = True) -> Line:
    mean = [100.0 * float(c.mean[0]) for c in curves]
    error = [100.0 * float(c.sd[0]) for c in curves] if band else None
    return Line(name, x, mean, role, error=error)
