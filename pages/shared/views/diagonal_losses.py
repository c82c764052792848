"""Balanced loss against p: SVM and nearest neighbour, with what does not depend on p as levels."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.diagonal_folds import Losses, hard_margin_notes
from kernex_core.studies.diagonal_sweep import COMPONENTS, DiagonalSweep
from kernex_core.studies.diagonals import POWER, DiagonalConfig
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import findings
from pages.shared.views.diagonal_state import Subject, losses_here
from pages.shared.views.heatmap_panel import draw

ORIGINAL = {
    "svm": ("SVM, as it is", "source"),
    "components": (f"SVM on {COMPONENTS} components", "nystroem"),
    "neighbour": ("1-NN, as it is", "mean-fill"),
}


def chart(found: DiagonalSweep, config: DiagonalConfig, validation: CrossValidation) -> None:
    """Draw the losses of both classifiers, in percent."""
    power = config.phi == POWER
    places = np.array(found.strengths) if power else np.log10(found.strengths)
    lines = []
    for name, classifier, role in (("1-NN", "neighbour", "zero-fill"), ("SVM", "svm", "joint")):
        mean, sd = found.curve(classifier)
        lines.append(Line(name, places, 100.0 * mean, role, error=100.0 * sd, markers=True))
    levels = [
        Level(ORIGINAL[name][0], 100.0 * losses.mean, ORIGINAL[name][1])
        for name, losses in found.original.items()
    ]
    levels.append(Level("guessing", 100.0 * found.floor, "floor"))
    spread = "repetitions" if validation.repeats > 1 else "folds"
    with st.container(gap="xxsmall"):
        panel_title(
            f"Loss against *{'p' if power else 's'}*",
            f"**{found.mode}**, {margin(validation.C)}; band: ± sd over {spread}",
        )
        if not found.strengths:
            st.caption("The first losses are on their way.")
            return
        picture = curve(
            lines, levels=levels, bounds=(0.0, 100.0), height=285, y_title="balanced loss, %",
            x_title="power p of every entry" if power else "log₁₀ of the scale",
            guide=config.strength if power else float(np.log10(config.strength)),
            x_ticks=[0.2, 0.4, 0.6, 0.8, 1.0] if power else None,
        )  # fmt: skip
        draw(picture, "diagonals.losses")


def margin(C: float) -> str:
    """Return the margin in words."""
    return "hard margin" if C >= 1e6 else f"C = {C:g} mean diagonals"


def here(
    subject: Subject, config: DiagonalConfig, validation: CrossValidation, found: DiagonalSweep
) -> tuple[Losses, Losses] | None:
    """Return the losses at the current p, from the sweep where it has them."""
    if config.strength in found.strengths:
        at = found.strengths.index(config.strength)
        return found.svm[at], found.neighbour[at]
    if found.done < found.total or subject.labels is None:
        return None  # a stopped sweep is not continued behind the visitor's back
    return losses_here(config, subject.judged, subject.labels, validation)


def table(
    found: DiagonalSweep, config: DiagonalConfig, losses: tuple[Losses, Losses] | None, C: float
) -> None:
    """Draw losses as they are, at the current p and at the best p, one row a classifier."""
    symbol = "p" if config.phi == POWER else "scale"
    rows: dict[str, list[str]] = {
        "classifier": ["SVM", "1-NN", f"SVM on {COMPONENTS} kernel principal components, uncentred"],
        "as it is": [cell(found.original.get(name)) for name in ("svm", "neighbour", "components")],
    }
    if losses is not None:
        rows[f"at {symbol} = {config.strength:g}"] = [
            cell(losses[0], bold=True),
            cell(losses[1], bold=True),
            "",
        ]
    if found.strengths:
        rows[f"lowest of the {len(found.strengths)} values"] = [
            _best(found, "svm"),
            _best(found, "neighbour"),
            "",
        ]
    panel_title("Balanced loss, %", "± sd over repetitions (over folds in brackets)")
    st.table(rows, border="horizontal")
    repeats = found.original["neighbour"].by_repeat.size
    folds = found.original["neighbour"].values.size // repeats
    st.caption(
        f"{found.n_items:,} items, {found.n_classes} classes, {folds} folds × {repeats} repetitions, the same for every "
        f"number; guessing loses {percent(found.floor, 1)}. The lowest of several values is too good: it was chosen "
        "on the folds that it is told for."
    )
    findings([*found.notes, *(hard_margin_notes(losses[0], C) if losses is not None else ())])


def cell(losses: Losses | None, *, bold: bool = False) -> str:
    """Return mean and both spreads; a dash where the kernel could not be judged."""
    if losses is None:
        return "—"
    mean = number(100.0 * losses.mean, 1)
    parts = [f"**{mean}**" if bold else mean]
    if not np.isnan(losses.sd_repeats):
        parts.append(f"± {number(100.0 * losses.sd_repeats, 1)}")
    if not np.isnan(losses.sd_folds):
        parts.append(f":gray[({number(100.0 * losses.sd_folds, 1)})]")
    return " ".join(parts)


def _best(found: DiagonalSweep, classifier: str) -> str:
    mean, _ = found.curve(classifier)
    at = int(mean.argmin())
    return f"{number(100.0 * float(mean[at]), 1)} at {found.strengths[at]:g}"


def rows(found: DiagonalSweep) -> list[dict[str, object]]:
    """Return every loss with its spreads, one row a classifier and p."""
    made: list[tuple[str, float | None, Losses]] = [
        (name, None, losses) for name, losses in found.original.items()
    ]
    for strength, svm, neighbour in zip(found.strengths, found.svm, found.neighbour, strict=True):
        made += [("svm", strength, svm), ("neighbour", strength, neighbour)]
    return [
        {
            "classifier": name, "value": "as it is" if strength is None else strength,
            "balanced_loss": losses.mean, "sd_repetitions": losses.sd_repeats, "sd_folds": losses.sd_folds,
            "training_errors": losses.training_errors, "at_bound": losses.at_bound, "mode": found.mode,
        }
        for name, strength, losses in made
    ]  # fmt: skip
