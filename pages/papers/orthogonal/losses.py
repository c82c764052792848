"""A table of losses against p, published beside measured, for both bases of the map."""

from __future__ import annotations

import math

import streamlit as st

from kernex_core.studies.papers.orthogonal import printed as published
from kernex_core.studies.papers.orthogonal.paper import LOSS, LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, BASES, TRAIN_ONLY, PowerTable
from kernex_core.studies.papers.paper_table import Beside, Difference, Origin, PaperTable
from pages.papers.orthogonal.about import about
from pages.papers.orthogonal.charts import charts
from pages.papers.orthogonal.verdict import no_error, verdict
from pages.shared.differences import marked
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import findings
from pages.shared.shown import drawn


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
