"""Balanced loss against p: three classifiers on the same folds, with the mode on the picture."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from kernex_core.base.digits import power_of_ten
from kernex_core.base.frozen import FloatArray
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.paired import Paired
from kernex_core.learning.protocol import Protocol
from kernex_core.studies.diagonals.judging import Losses, hard_margin_notes
from kernex_core.studies.diagonals.shrink import Calculus, DiagonalConfig, functional_calculus
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep
from pages.kernels.power.subject import Subject, losses_here, margin_words
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.server.messages import findings
from pages.ui import shown as drawn
from pages.ui.figures.chart import Across, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.theme import SECOND, SERIES, THIRD, Role
from pages.ui.frame import panel_title
from pages.ui.panels.accuracy import OPTIMISTIC, neighbour_interval, with_interval
from pages.ui.panels.linked import draw
from pages.ui.panels.verdicts import interval_words, signed_points, told_cells, verdict_rule
from pages.ui.shown import table as shown_table

MOST_STEPS = 30_000_000
"""Steps of all machines times items up to which a value between those of the chart is judged by itself (some 0.1 s)."""
HEIGHT = 318
"""Pixels of the chart: as high as the matrices beside it."""
SHORT = {"neighbour": "1-NN", "components": "components", "svm": "SVM"}
LINES = (("neighbour", SECOND), ("components", THIRD), ("svm", SERIES))
AS_IT_IS = Role(SERIES.colour, 1.25, "2px,3px")
MAP_OF = {False: "map of all points", True: "map of training points"}


def classifiers(found: DiagonalSweep, centred: bool) -> dict[str, str]:
    """Return what each classifier is called in a table."""
    return {
        "svm": "SVM",
        "neighbour": "1-NN",
        "components": f"SVM on {found.n_components} kernel principal components, {'' if centred else 'un'}centred",
    }


def value(config: DiagonalConfig, strength: float) -> str:
    """Return p, or a scale, in words: "p = 0.5", "scale = 10⁶"."""
    exponent = round(float(np.log10(strength)))
    whole = exponent > 3 and strength == 10.0**exponent
    return f"{config.map.strength} = {power_of_ten(exponent) if whole else number(strength)}"


def chart(
    found: DiagonalSweep, config: DiagonalConfig, protocol: Protocol, *, running: bool = False
) -> Picture | None:
    """Draw the losses of all classifiers, in percent; None before there are any.

    While a study is running the same run of the script draws one chart after another, each under a key of its own.
    """
    one = found.original["neighbour"]
    spread = "bands: 95\u00a0%" if one.interval is not None else "no interval"
    with st.container(gap="xxsmall"):
        panel_title(f"Loss against {config.map.words}", f"{margin_words(protocol)}; {spread}")
        if not found.strengths:
            st.caption(
                "The first losses are on their way." if running else "No value of the grid has been judged."
            )
            return None
        picture = loss_picture(found, config)
        draw(picture, f"diagonals.losses{f'.{found.done}' if running else ''}")
    return picture


def loss_picture(found: DiagonalSweep, config: DiagonalConfig) -> Picture:
    """Lines over p (or over the logarithm of the scale); what the kernels have seen stands in the plot itself."""
    places = _places(config, *found.strengths)
    lines = []
    names = {**SHORT, "components": f"{found.n_components} components"}
    for classifier, role in LINES:
        mean, _ = found.curve(classifier)
        # bands of three lines would cover one another
        error = None if classifier == "components" else 100.0 * found.reach(classifier)
        lines.append(Line(names[classifier], places, 100.0 * mean, role, error=error, markers=True))
    levels = [Level("one class always", 100.0 * found.floor, "floor")]
    if "svm" in found.original:
        levels.append(Level("SVM, as it is", 100.0 * found.original["svm"].mean, AS_IT_IS))
    across = Across(
        config.map.axis,
        guide=float(_places(config, config.strength)[0]),
        ticks=None if config.map.logarithmic else [0.2, 0.6, 1.0],
        range=_span(config),
    )
    values = Values("balanced loss, %", bounds=(0.0, 100.0))
    return curve(
        lines,
        across,
        values,
        levels=levels,
        heading=f"{found.state.words}: {MAP_OF[found.inductive]}",
        height=HEIGHT,
    )


def _span(config: DiagonalConfig) -> tuple[float, float]:
    """The whole grid, however much of it is judged, and the current value."""
    places = _places(config, *config.grid, config.strength)
    low, high = float(places.min()), float(places.max())
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def _places(config: DiagonalConfig, *strengths: float) -> FloatArray:
    """Where strengths stand on the axis."""
    return np.log10(strengths) if config.map.logarithmic else np.array(strengths)


def here(
    subject: Subject, config: DiagonalConfig, protocol: Protocol, found: DiagonalSweep, *, automatic: bool
) -> dict[str, Losses] | None:
    """Return the losses at the current p, from the sweep where it has them.

    Of a large kernel, where a sweep was stopped, and where machines take many steps, p is judged when asked for.
    """
    if config.strength in found.strengths:
        return found.judged[found.strengths.index(config.strength)]
    if subject.labels is None or config.strength in dict(found.failed):
        return None
    args = (config, subject.judged, subject.labels, protocol)
    automatic = automatic and found.done == found.total and _steps(found, config.strength) <= MOST_STEPS
    if losses_here.peek(*args) is None and not automatic:
        cost = found.seconds / max(found.done, 1)
        asked = st.button(
            f"Judge {value(config, config.strength)} too", icon=":material/play_arrow:", key="diagonals.here",
            help=f"It is not in the chart. About {number(max(cost, 0.1), 1)} s.",
        )  # fmt: skip
        if not asked:
            return None
    with st.spinner(f"Judging {value(config, config.strength)}, which is not in the chart", show_time=True):
        return losses_here(*args)


def _steps(found: DiagonalSweep, strength: float) -> int:
    """How many steps training takes at a value, as that which was judged nearest to it says: each passes all items once."""
    if not found.strengths:
        return 0
    at = min(range(len(found.strengths)), key=lambda k: abs(found.strengths[k] - strength))
    return found.n_items * sum(losses.iterations for losses in found.judged[at].values())


def table(
    found: DiagonalSweep, config: DiagonalConfig, losses: dict[str, Losses] | None, protocol: Protocol
) -> None:
    """Draw losses as they are, at the current p and at the best p, one row a classifier."""
    names = classifiers(found, protocol.components.centred)
    rows: dict[str, list[str]] = {
        "classifier": list(names.values()),
        "as it is": [cell(found.original.get(name)) for name in names],
    }
    if losses is not None:
        rows[f"at {value(config, config.strength)}"] = [cell(losses[name], bold=True) for name in names]
    if found.strengths:
        many = len(found.strengths)
        rows[f"lowest of the {many} values" if many > 1 else "the one value so far"] = [
            _best(found, config, name) for name in names
        ]
        if compared := found.including(config.strength, losses).against_as_it_is():
            rows["lowest less as it is, points"] = [_less(found, compared, name) for name in names]
    one = found.original["neighbour"]
    repeats = one.by_repeat.size
    folds = (
        "one item a fold"
        if one.one_a_fold
        else f"{one.values.size // repeats} folds × {counted(repeats, 'repetition')}"
    )
    made = found.including(config.strength, losses).verdict(partial(called, config))
    title, note = (
        ("Share missed, %", "[95\u00a0%]; one item a fold: no spread")
        if one.one_a_fold
        else ("Balanced loss, %", "[95\u00a0%] ± sd over repetitions (over folds in brackets)")
    )
    panel_title(title, note, ("SVM", "1-NN", "Kernel PCA"))
    drawn.table("diagonals.losses", rows)
    rule = "" if made is None else f" {verdict_rule(made)}"
    st.caption(
        f"{judged_times(found.n_items, repeats)}, {found.n_classes} classes, {folds}, the same for every number; naming one "
        f"class always loses {percent(found.floor, 1)}. The kernel is taken as it is, without a normalisation, which the "
        f"page Evaluate begins with. The lowest of several values is {OPTIMISTIC}."
        + ("" if losses is None else f" {training(losses['svm'])}")
        + rule
    )
    notes = () if losses is None else _margins(found, losses, protocol)
    failed = [f"{value(config, strength)} could not be judged. {why}" for strength, why in found.failed]
    findings([*found.notes, *notes, *failed])


def _margins(found: DiagonalSweep, losses: dict[str, Losses], protocol: Protocol) -> list[str]:
    """Return what went against the margins of both support vector machines, in words."""
    own, few = (
        hard_margin_notes(losses[name], protocol.validation.C, protocol.margin)
        for name in ("svm", "components")
    )
    return [
        *own,
        *(f"On {counted(found.n_components, 'component')}: {note[0].lower()}{note[1:]}" for note in few),
    ]


def training(losses: Losses) -> str:
    """Return how the support vector machines were trained, in a sentence."""
    return (
        f"SVM: {losses.problems:,} two-class problems in {losses.iterations:,} iterations, {losses.training_errors:,} "
        f"training decisions wrong, {losses.at_bound:,} items pressed to the limit C."
    )


def cell(losses: Losses | None, *, bold: bool = False) -> str:
    """Return mean, interval over items and both spreads; a dash where the kernel could not be judged."""
    if losses is None:
        return "—"
    mean = number(100.0 * losses.mean, 1)
    parts = [f"**{mean}**" if bold else mean]
    if losses.interval is not None:
        low, high = (number(100.0 * end, 1) for end in (losses.interval.low, losses.interval.high))
        parts.append(f":gray[[{low}, {high}]]")
    if not np.isnan(losses.sd_repeats):
        parts.append(f"± {number(100.0 * losses.sd_repeats, 1)}")
    if not np.isnan(losses.sd_folds):
        parts.append(f":gray[({number(100.0 * losses.sd_folds, 1)})]")
    return " ".join(parts)


def called(config: DiagonalConfig, classifier: str, strength: float | None) -> str:
    """Return what a classifier at a value is called in the verdict: "SVM, p = 0.5"; None: "SVM, as it is"."""
    return f"{SHORT[classifier]}, {'as it is' if strength is None else value(config, strength)}"


def _less(
    found: DiagonalSweep, compared: dict[tuple[str, float], tuple[Paired, float]], classifier: str
) -> str:
    """The lowest loss of a classifier less that of the kernel as it is; a dash where that was not judged."""
    at = found.strengths[int(found.curve(classifier)[0].argmin())]
    if (classifier, at) not in compared:
        return "—"
    made, p = compared[classifier, at]
    return f"{signed_points(made.difference)} :gray[{interval_words(made)}] {told_cells([(made, p)])[0]}"


def _best(found: DiagonalSweep, config: DiagonalConfig, classifier: str) -> str:
    mean, _ = found.curve(classifier)
    at = int(mean.argmin())
    return f"{number(100.0 * float(mean[at]), 1)} at {value(config, found.strengths[at])}"


def rows(found: DiagonalSweep) -> list[dict[str, object]]:
    """Return every loss with its spreads, one row a classifier and p."""
    made: list[tuple[str, float | None, Losses]] = [
        (name, None, losses) for name, losses in found.original.items()
    ]
    for strength, judged in zip(found.strengths, found.judged, strict=True):
        made += [(name, strength, losses) for name, losses in judged.items()]
    compared = found.against_as_it_is()

    def beside(name: str, strength: float | None) -> dict[str, object]:
        if strength is None or (name, strength) not in compared:
            return {"less_as_it_is": None, "less_as_it_is_p": None, "less_as_it_is_p_holm": None}
        one, p = compared[name, strength]
        return {"less_as_it_is": one.difference, "less_as_it_is_p": one.p, "less_as_it_is_p_holm": p}

    return [
        {
            "classifier": name, "value": "as it is" if strength is None else strength,
            "balanced_loss": losses.mean, "interval_from": None if losses.interval is None else losses.interval.low,
            "interval_to": None if losses.interval is None else losses.interval.high,
            "sd_repetitions": losses.sd_repeats, "sd_folds": losses.sd_folds,
            "training_errors": losses.training_errors, "at_bound": losses.at_bound,
            "not_converged": losses.not_converged, "problems": losses.problems, "iterations": losses.iterations,
            **beside(name, strength), "mode": found.state.words,
        }
        for name, strength, losses in made
    ]  # fmt: skip


# φ of the entries of a kernel beside φ of its eigenvalues, drawn on the spectrum.


@cached(public=True)
def calculus(config: DiagonalConfig, K: GramMatrix, labels: Labels | None) -> Calculus:
    """One φ, used in two ways."""
    return functional_calculus(config.element_map, K, labels)


def show(subject: Subject, config: DiagonalConfig) -> None:
    """Draw φ as a graph over the spectrum, and what each use of it leaves."""
    phi = config.map.tex.format(config.strength)
    st.markdown(
        "A map φ can act on every **entry** of a kernel, or on its **eigenvalues** (functional calculus). Of the entries, a "
        "small power lifts what is small: the diagonal no longer dwarfs it, but eigenvalues may become negative. Of the "
        "eigenvalues it keeps the eigenvectors and makes their lengths alike, which draws a kernel towards the identity. "
        f"Here $\\varphi(x) = {phi}$, as chosen at the top; the scheme *eigenvalues* there judges and keeps the latter."
    )
    made = calculus(config, subject.K, subject.all_labels)
    left, right = st.columns([1.3, 1.0], gap="medium")
    with left, st.container(gap="xxsmall"):
        panel_title("Eigenvalues after φ against before", "those of φ of entries by rank")
        draw(calculus_picture(made), "diagonals.lesson.calculus")
    with right:
        panel_title("What each is like")
        shown_table("diagonals.calculus", calculus_rows(made))


def calculus_picture(made: Calculus) -> Picture:
    """φ as a graph over the spectrum, and the eigenvalues of φ of the entries."""
    before, spectral, entries = made.graph
    x = np.log10(before)
    lines = [
        Line("eigenvalues", x, spectral, SECOND, markers=True),
        Line("entries", x, entries, SERIES, markers=True),
    ]
    low, high = float(x.min()), float(x.max())
    ticks = np.linspace(low, high, 5).tolist() if high > low else [low]
    across = Across("eigenvalue before", ticks=ticks, texts=[number(10.0**tick) for tick in ticks])
    return curve(lines, across, Values("eigenvalue after"), levels=[Level("0", 0.0)], height=280)


def calculus_rows(made: Calculus) -> dict[str, list[str]]:
    """One row a number, one column a use of φ."""
    columns = {"before": made.before, "φ of entries": made.entries, "φ of eigenvalues": made.eigenvalues}
    named = {
        "dominance": lambda d: number(d.dominance),
        "smallest eigenvalue": lambda d: number(d.min_eigenvalue),
        "negative ones": lambda d: f"{d.negative:,}",
        "effective rank": lambda d: number(d.effective_rank),
        "1-NN right, % [95\u00a0%]": _accuracy,
    }
    return {
        "number": list(named),
        **{column: [make(d) for make in named.values()] for column, d in columns.items()},
    }


def _accuracy(d: Diagnosis) -> str:
    flag = ", :orange[below its floor]" if d.below_floor else ""
    return with_interval(d.neighbour_accuracy, neighbour_interval(d)) + flag
