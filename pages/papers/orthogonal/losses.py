"""A table of losses against p, published beside measured, for both bases of the map."""

from __future__ import annotations

import math
from typing import Final

import streamlit as st

from kernex_core.studies.papers.orthogonal import printed as published
from kernex_core.studies.papers.orthogonal.paper import LOSS, MODES, LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, BASES, TRAIN_ONLY, PowerTable
from kernex_core.studies.papers.paper_table import Beside, Difference, Origin, PaperTable
from pages.server.digits import number, percent
from pages.server.messages import findings
from pages.ui import shown as drawn
from pages.ui.answer import VerdictPlace
from pages.ui.figures import published as figures
from pages.ui.figures.curve import Level
from pages.ui.figures.theme import SERIES, symbol
from pages.ui.frame import marked, panel_title, points
from pages.ui.panels.linked import draw
from pages.ui.projector import fitted

# What the text of "Almost orthogonal patterns" says about the basis of its map, and what the numbers fit.

ALL, TRAINING, AS_IT_IS = "All points", "Training points", "Kernel as it is"
NAMES: Final = (ALL, TRAINING, AS_IT_IS)
INSIDE: Final = "Rows of the table within 2 standard errors of what is printed, with this basis of the map."


def verdict(compared: LossComparison, *, same: bool = True) -> None:
    """Write what the text says and what the numbers fit; nothing is judged before two repetitions, nor on other data."""
    found, made = compared.found, compared.verdict() if same else None
    place = VerdictPlace(*NAMES)
    as_it_is = float(found.mean(ALL_POINTS)[0])
    place.number(2, AS_IT_IS, percent(as_it_is, 1), "loss", "Balanced loss without the map.")
    if made is None:
        place.say("Not judged: the data are others than the paper's." if not same else no_error(compared))
        place.without(0)
        place.without(1)
        return
    repeats = compared.paper.repeats
    several = repeats.sets if found.splits > 1 else repeats.several
    rough = f" Standard errors from {made.units} {several} are rough themselves." if made.rough else ""
    gaps = {
        column: f"{points(each.gap)}\u00a0±\u00a0{100.0 * each.se:.1f}" for column, each in made.apart.items()
    }
    place.say(
        f"{made.text[:1].upper()}{made.text[1:]}, by the sum over the rows: off by {gaps[ALL_POINTS]} a row with all "
        f"points, by {gaps[TRAIN_ONLY]} with training points.{rough}"
    )
    for at, (name, column) in enumerate(((ALL, ALL_POINTS), (TRAINING, TRAIN_ONLY))):
        place.number(at, name, "{} of {}".format(*made.inside[column]), "rows fit", INSIDE)


def no_error(compared: LossComparison) -> str:
    """Return what there is to say where nothing was repeated."""
    found, repeats = compared.found, compared.paper.repeats
    if found.splits > 1:
        return f"one {repeats.sets.replace('sets', 'set', 1)}: no standard error"
    whole = f"one {repeats.each}" if found.repetitions else f"not one whole {repeats.each} yet"
    return f"{whole}: no standard error"


# Losses against p as pictures: both bases of the map side by side, published beside measured.


def charts(compared: LossComparison, *, same: bool = True) -> None:
    """Draw both bases side by side on one scale; rows are judged only where the data are the paper's."""
    paper, found = compared.paper, compared.found
    made = {column: _row(compared, column) for column in MODES}
    levels = [Level("kernel as it is", 100.0 * float(found.mean(ALL_POINTS)[0]), "floor")]
    low, high = figures.common_range(list(made.values()), levels, bounds=(0.0, 100.0))
    scale = figures.ChartScale(
        y_range=(low - 0.06 * (high - low), high),  # the name of the line stands below that at 0
        x_title=symbol("p"), x_decimals=2 if 0.95 in found.powers else 1, height=fitted(250, 1.1), role=SERIES,
    )  # fmt: skip
    panel_title("Balanced loss, %", "circles printed ± sd, dots measured ± 2 SE; in the text: train-only")
    for place, (column, slot) in enumerate(zip(MODES, st.columns(2, gap="medium"), strict=True)):
        with slot, st.container(gap="xxsmall"):
            mode = MODES[column].partition(",")[
                0
            ]  # what the text says stands above both: titles keep one line
            panel_title(column, f"{mode}; {_judged(compared, column, same)}")
            picture = figures.published_measured(
                made[column], scale, levels=levels, key=False, name_levels=place == 0
            )
            draw(picture, f"{paper.key}.{place}")


def _judged(compared: LossComparison, column: str, same: bool) -> str:
    if not same:
        return "published: other data"
    within, judged = compared.inside(column)
    return f"**{within} of {judged}** within 2 SE" if judged else no_error(compared)


def _row(compared: LossComparison, column: str) -> figures.ChartRow:
    """One basis in percent, without the kernel as it is."""
    found = compared.found
    return figures.ChartRow(
        [float(p) for p in found.powers if p is not None],
        100.0 * compared.printed[1:],
        100.0 * compared.printed_sd[1:],
        100.0 * found.mean(column)[1:],
        200.0 * found.se(column)[1:],
    )


# How much of a table is done, and how the margins were.


def about(found: PowerTable, what: str) -> None:
    """Write how much is done, and whether every margin was hard."""
    parts = [
        f"{found.repetitions} of {found.planned} {what}",
        f"{found.begun} of {len(found.powers)} rows of the next" if found.begun else "",
        f"{number(found.seconds, 1)} s",
        margins(found.training_errors, found.at_bound, found.not_converged),
    ]
    st.caption(" · ".join(part for part in parts if part))


def margins(training_errors: int, at_bound: int, not_converged: int) -> str:
    """Return whether every margin was hard, or what went against it; counts are over all machines."""
    if not training_errors + at_bound + not_converged:
        return "every margin was hard"
    parts = []
    if at_bound or training_errors:
        parts.append(f"{at_bound:,} coefficients reached C, {training_errors:,} training decisions are wrong")
    if not_converged:
        parts.append(f"{not_converged:,} problems ended before their optimum")
    return " · ".join(parts)


def printed(paper: PaperTable) -> None:
    """Draw what the paper prints, where nothing can be measured yet."""
    panel_title(f"Table {paper.number}, published", f"{LOSS}, % (sd over {paper.repeats.spread})")
    cells = [cell(p.mean, math.nan, p.plus_minus, digits=digits(paper)) for p in paper.printed[LOSS]]
    drawn.table("orthogonal.printed", {"kernel": row_names(paper.rows), "published": cells})


def show(paper: PaperTable, found: PowerTable, origin: Origin) -> None:
    """Draw the verdict and both charts; rows are judged where the data are the paper's."""
    compared = LossComparison(paper, found)
    verdict(compared, same=origin.same)
    notes = (origin.text, *found.notes) if origin.same and origin.text else found.notes
    if notes:
        findings(notes)
    with st.container(gap="xsmall", key="maps"):
        charts(compared, same=origin.same)


def numbers(paper: PaperTable, found: PowerTable, origin: Origin) -> None:
    """Draw the table, and how much is done."""
    table(LossComparison(paper, found), same=origin.same)
    about(found, paper.repeats.several)


def more(paper: PaperTable, found: PowerTable, origin: Origin) -> None:
    """Draw what stands beside the table, and what else there is to know."""
    compared = LossComparison(paper, found)
    beside = [each for each in paper.beside if each.row in found.powers]
    if beside:
        _beside(compared, beside)
    if origin.same and compared.judged and paper.between is not None:
        st.caption(paper.between.text)
    further(paper, found, origin)


def table(compared: LossComparison, *, same: bool = True) -> None:
    """Draw the numbers, each with its standard error and its standard deviation."""
    paper, found = compared.paper, compared.found
    judged = same and compared.judged
    words = [f"{LOSS}, %: mean ± standard error (sd over {paper.repeats.spread})"]
    if judged:
        words.append("outside: above 2 SE")
    elif same:
        words.append(no_error(compared))
    panel_title(f"Table {paper.number}, published beside measured", "; ".join(words))
    # each difference has the error of its own basis; beside what is printed stands the larger one
    errors = [math.nan] * len(paper.rows)
    if same:
        errors = [max(pair) for pair in zip(*(compared.printed_se(c).tolist() for c in BASES), strict=True)]
    cells: dict[str, list[str]] = {
        "kernel": row_names(paper.rows),
        "published" if same else f"published, {paper.data.name}": [
            cell(p.mean, se, p.plus_minus, digits=digits(paper))
            for p, se in zip(paper.printed[LOSS], errors, strict=True)
        ],
    }
    for column in BASES:
        cells[column] = [measured(found, column, row) for row in range(len(found.powers))]
        if judged:
            # one space more tells the two columns of differences apart
            name = "difference" if column == ALL_POINTS else "difference "
            cells[name] = [gap_cell(each) for each in compared.differences(column)]
    drawn.table("orthogonal.table", cells)


def row_names(powers: tuple[float | str | None, ...]) -> list[str]:
    """Return what the rows are called."""
    return ["kernel as it is" if p is None else f"*p* = {p:g}" for p in powers]


def digits(paper: PaperTable) -> int:
    """Return the decimals of what is printed, in percent."""
    return 1 if max(p.mean for p in paper.printed[LOSS]) < 0.15 else 0


def measured(found: PowerTable, column: str, row: int) -> str:
    """Return a measured mean with its standard error and its standard deviation."""
    mean, se, sd = (float(each[row]) for each in (found.mean(column), found.se(column), found.sd(column)))
    return cell(mean, se, sd, bold=True)


def cell(mean: float, se: float, sd: float, *, digits: int = 1, bold: bool = False) -> str:
    """Return "**33.0** ± 2.1 (9)" in percent: mean, standard error and standard deviation, where they are known."""
    if math.isnan(mean):
        return "…"
    text = f"{100.0 * mean:.{digits}f}"
    parts = [f"**{text}**" if bold else text]
    if not math.isnan(se):
        parts.append(f"± {100.0 * se:.1f}")
    if not math.isnan(sd):
        parts.append(f":gray[({100.0 * sd:.0f})]")
    return " ".join(parts)


def gap_cell(difference: Difference) -> str:
    """Return "+9.2 outside": a difference in points, and whether it is above its limit; "—" where none is known."""
    return "—" if math.isnan(difference.gap) or math.isnan(difference.se) else marked(difference)


def _beside(compared: LossComparison, beside: list[Beside]) -> None:
    """Draw what the paper's text has beside the table, and the kernel values of its caption."""
    found = compared.found
    panel_title(
        "Beside the table",
        f"{LOSS}, %: mean ± standard error (sd over {compared.paper.repeats.spread}); what is "
        f"printed is taken to vary as ours does{' between sets' if compared.paper.between is not None else ''}",
    )
    drawn.table(
        "orthogonal.beside",
        {
            "classifier": [each.name for each in beside],
            "published": [
                cell(each.printed.mean, compared.beside_se(each), each.printed.plus_minus, digits=0)
                for each in beside
            ],
            "measured": [measured(found, each.column, found.powers.index(each.row)) for each in beside],
            "difference": [gap_cell(compared.beside(each)) for each in beside],
        },
    )
    within, between, within_sd, between_sd = (
        number(float(found.described[name].mean()))
        for name in ("within", "between", "within_sd", "between_sd")
    )
    st.caption(
        f"Kernel values, mean ± sd over pairs of strings: within the positive class {within} ± {within_sd} (published "
        f"{published.WITHIN.mean} ± {published.WITHIN.plus_minus}), between classes {between} ± {between_sd} (published "
        f"{published.BETWEEN.mean:.5f} ± {published.BETWEEN.plus_minus:.5f})."
    )


def further(paper: PaperTable, found: PowerTable, origin: Origin) -> None:
    """Write what else there is to know, below the table's files."""
    if found.aside.size:
        _without_noise(paper, found, origin.same)
    if paper.data.kind == "generated" and paper.repeats.printed == 1 and found.repetitions > 1:
        sd, each = found.sd_repetitions(TRAIN_ONLY), paper.repeats.each
        st.caption(
            f"A {each}'s mean has a standard deviation of {100 * float(sd.min()):.0f} to {100 * float(sd.max()):.0f} "
            f"points; the paper has one {each}, so that is its standard error."
        )


def _without_noise(paper: PaperTable, found: PowerTable, same: bool) -> None:
    """Write what there is without noise features."""
    clean = found.aside.mean(axis=1)
    se = float(clean.std(ddof=1)) / clean.size**0.5 if clean.size > 1 else math.nan
    text = cell(float(clean.mean()), se, float(found.aside.std(ddof=1)), bold=True)
    (was,) = (each.printed for each in paper.beside if each.row not in found.powers)
    printed = (
        f", published {100.0 * was.mean:.0f} ({100.0 * was.plus_minus:.0f}). "
        "The paper has one draw of noise: how much draws differ is part of its standard error"
    )
    st.caption(
        f"Without noise features: {text}{printed if same else ''}. All genes are standardised over all items, as in the "
        "paper."
    )
