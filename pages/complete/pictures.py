"""Pictures of the page Complete: four heatmaps, spectra, accuracy against the hidden share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from kernex_core.studies.completion.candidates import OTHER_JOINT, JointAccuracy
from kernex_core.studies.completion.share_sweep import (
    BASELINES,
    TWO_MACHINES,
    Curve,
    Sweep,
    curves_of,
    plain_mean,
)
from kernex_core.studies.completion.study import Completion, CompletionView
from pages.complete.settings import TABS
from pages.complete.subject import Subject
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.codes import common_scale, error_scale
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items, Picture
from pages.shared.figures.spectrum import EigenvalueLine, spectra
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.matrices.follows import joint_follows
from pages.shared.matrices.panels import Drag, Follow, Panel, Room, Words
from pages.shared.matrices.payload import LARGEST
from pages.shared.messages import shortened
from pages.shared.panels.arrangement import arranged
from pages.shared.panels.heatmap import draw
from pages.shared.panels.linked import linked

KEY = "complete.maps"


def maps(subject: Subject, shown: CompletionView, how: str, carriers: DeltaGenerator) -> Items:
    """Draw what is known, extrapolated and joint kernel and its error, linked, with λ at them."""
    made = subject.made
    items = arranged(how, made.source, subject.labels, made.known)
    follows = _follows(made, items)
    at = f"λ = {number(shown.lam, 2)}"
    settings = f"{at}, nugget {number(made.config.nugget, 3)}, {made.config.constraint} constraint, seed {made.config.seed}"
    words = Words(f"{subject.dataset.name}: {subject.target.name} from {subject.source.name}", settings)
    pick = "" if subject.labels is None else "Choose λ"
    drag = Drag(
        "lam",
        "λ",
        "λ, in the picture",
        shown.lam,
        0.0,
        1.0,
        0.01,
        follows,
        title="Weight of the source",
        pick=pick,
    )
    room = Room(carriers, 0.4, TABS)
    linked(_panels(subject, shown, follows), items, key=KEY, words=words, drag=drag, room=room)
    return items


def panels(subject: Subject, shown: CompletionView, items: Items) -> list[Panel]:
    """Return what is drawn, for the pair that is chosen in it; the truth stands first where it is known."""
    made = subject.made
    truth = [_truth(subject)] if made.hidden.any() else []
    return [*truth, *_panels(subject, shown, _follows(made, items))]


def _truth(subject: Subject) -> Panel:
    made = subject.made
    scale = common_scale([made.truth, made.extrapolation.T_hat])
    return Panel(shortened(subject.target.name, 18), "truth", made.truth, scale)


def _panels(subject: Subject, shown: CompletionView, follows: Sequence[Follow]) -> list[Panel]:
    """Known, extrapolated, joint; where something was hidden for it, the error on that too."""
    made = subject.made
    # those that compare have one scale
    scale = common_scale([made.truth, made.extrapolation.T_hat])
    extrapolated = Panel("Extrapolated", "by the source", made.extrapolation.T_hat, scale)
    joint = Panel("Joint", f"λ = {number(shown.lam, 2)}", shown.K, common_scale([shown.K]))
    counted = f"{int(made.known.sum()):,} of {made.m:,} items"
    if not made.hidden.any():
        # single pairs outside the known items were uploaded, too, though nothing is made of them
        uploaded = subject.target.values
        return [Panel("Known", counted, uploaded, common_scale([uploaded])), extrapolated, joint]
    # errors of many items stay while λ is dragged: whose they are stands beside them
    whose = "joint" if "error" in {each.kind for each in follows} else f"at λ = {number(shown.lam, 2)}"
    known = np.where(np.outer(made.known, made.known), made.truth, np.nan)
    # above LARGEST items means of blocks are sent, and a block is unknown only where all of it is
    part_of = _truth(subject) if made.m <= LARGEST else None
    error = Panel("Error", f"{whose} − truth", shown.error, error_scale([shown.error]))
    return [Panel("Known", counted, known, scale, part_of=part_of), extrapolated, joint, error]


def _follows(made: Completion, items: Items) -> tuple[Follow, ...]:
    """Joint kernel and error while λ is dragged; only what the path alone says can be followed."""
    if made.config.residual or made.config.normalize_after:
        return ()
    joint = joint_follows(made.path, 2, items.positions)
    if joint[0].kind != "factor" or not made.hidden.any():
        return joint
    hidden = {"joint": 2, "hidden": np.flatnonzero(made.hidden).tolist()}
    return (*joint, Follow(3, "error", of=(0,), note="λ = {}", more=hidden))


def joint_picture(view: CompletionView, items: Items) -> Picture:
    """Joint kernel at λ as a figure of its own, large."""
    return heatmap(view.K, items, name="the joint kernel", scale=common_scale([view.K]), height=620)


def spectrum_panel(made: Completion, view: CompletionView, target_name: str) -> None:
    """Draw the spectra of truth, extrapolated and joint kernel over each other."""
    lines = (
        [EigenvalueLine(target_name, made.spectra["target"], "target")] if "target" in made.spectra else []
    )
    lines.append(EigenvalueLine("extrapolated", made.spectra["extrapolated"], "extrapolated"))
    lines.append(EigenvalueLine("joint", view.eigenvalues, "joint"))
    picture = spectra(lines, height=250)
    # how many are left out stands in the description; beside the title there is no room for it
    panel_title("Spectrum", "eigenvalue by rank" + (", zeros left out" if picture.note else ""))
    draw(picture, "complete.spectrum")


def accuracy_chart(
    sweeps: Sequence[Sweep], accuracy: JointAccuracy, measure: int, subject: Subject
) -> Picture:
    """Accuracy (%) against the hidden share: joint at λ, what has no λ, each kernel alone, and the floor.

    The first sweep is that of the share that the page shows; the other joint kernel is judged for it alone, and is a point.
    """
    sweep, order = sweeps[0], sorted(range(len(sweeps)), key=lambda i: sweeps[i].shares[0] or 0.0)
    rising = [sweeps[i] for i in order]
    x = [100.0 * (s.shares[0] or 0.0) for s in rising]
    here = 100.0 * (sweep.shares[0] or 0.0)
    field = ("multi_class", "one_vs_rest")[measure]
    names = {each.role: each.name for each in subject.contestants}
    lines = [_line(names["joint"], x, [accuracy.curves[i][measure] for i in order], "joint")]
    if accuracy.other:
        other = _line(names[OTHER_JOINT], [here], [curves_of(sweep, accuracy.other)[measure]], OTHER_JOINT)
        lines.append(replace(other, bars=True, symbol="diamond-open"))
    lines += [
        Line(names[method], x, [100.0 * plain_mean(s, method, field) for s in rising], method)
        for method in (*BASELINES, TWO_MACHINES)
    ]
    levels = [
        Level(title, 100.0 * float(np.mean([getattr(s, field) for s in sweep.levels[role]])), role)
        for title, role in ((f"{subject.target.name}, complete", "target"), (names["source"], "source"))
        if role in sweep.levels
    ]
    levels.append(Level("floor", 100.0 * (sweep.multi_floor, sweep.one_vs_rest_floor)[measure], "floor"))
    across = Across(
        "hidden share of the target kernel, %", guide=here, range=(0.0, 95.0) if len(x) > 1 else None
    )
    return curve(lines, across, Values(unit="%", bounds=(0, 100)), levels=levels, height=290)


def _line(name: str, x: Sequence[float], curves: Sequence[Curve], role: str) -> Line:
    mean = [100.0 * float(c.mean[0]) for c in curves]
    reach = [(100.0 * float(c.mean[0] - c.low[0]), 100.0 * float(c.high[0] - c.mean[0])) for c in curves]
    return Line(name, x, mean, role, error=np.array(reach).T)
