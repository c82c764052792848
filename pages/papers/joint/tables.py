"""Who wins, and every number of Fig. 1 with its spreads."""

from __future__ import annotations

import math

import streamlit as st

from kernex_core.studies.papers.joint.comparison import Against, ChosenLam, against, figure_verdict
from kernex_core.studies.papers.joint.measuring import JointFigure
from pages.papers.joint.charts import named
from pages.shared.differences import points
from pages.shared.digits import p_value
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.panels.optimism import OPTIMISTIC
from pages.shared.panels.verdicts import rule_words, verdict_rule
from pages.shared.shown import drawn


def verdict(found: JointFigure, chosen: ChosenLam | None) -> None:
    """Say who wins: the joint kernel with λ chosen inside the training folds, against each kernel treated like it."""
    if chosen is None:
        st.caption("Who wins is said as soon as every λ is measured.")
        return
    compared = against(found, chosen.tried)
    panel_title(
        "Who wins",
        "the joint kernel, λ chosen inside every training fold, less each kernel with the same landmarks, weights, nugget "
        "and folds; in points",
        ("Joint kernel", "Nested cross-validation", "Told apart", "Corrected resampled t"),
    )
    made = figure_verdict(found, chosen)
    st.markdown(sentence(compared), help=verdict_rule(made))
    drawn.table("joint.verdict", _rows(compared))
    picks = ", ".join(f"{name.removeprefix('joint, ')} in {count}" for name, count in chosen.picks)
    st.caption(
        f"Chosen: {picks} of {chosen.picked.size} folds. With λ chosen inside the folds the joint kernel has "
        f"{percent(found.accuracy(chosen.tried).mean, 1)}. {chosen.best.capitalize()} looks best on the test folds, "
        f"{points(chosen.optimism)} points above that: {OPTIMISTIC}. {rule_words(len(compared))} Kernels as "
        "they are have another treatment: they are among all of the first sentence, and not compared here."
    )


def sentence(compared: tuple[Against, ...]) -> str:
    """Return who wins, or that nobody does."""
    if len(compared) < 4 and not any(each.told for each in compared):
        return "Not all kernels are measured yet."
    wins = [_called(each.name) for each in compared if each.told > 0]
    losses = [_called(each.name) for each in compared if each.told < 0]
    if not wins and not losses:
        return "Nobody: these graphs do not tell the joint kernel from either kernel alone, their sum or their product."
    parts = []
    if wins:
        parts.append(f"The joint kernel is better than {_listed(wins)}")
    if losses:
        parts.append(f"{'it' if parts else 'The joint kernel'} is worse than {_listed(losses)}")
    rest = [_called(each.name) for each in compared if not each.told]
    if rest:
        parts.append(f"it is not told apart from {_listed(rest)}")
    return f"{'; '.join(parts)}."


def _called(name: str) -> str:
    return f"the {name} kernel alone" if name in ("Gaussian", "linear") else f"the {name}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _rows(compared: tuple[Against, ...]) -> dict[str, list[str]]:
    return {
        "joint less": [_called(each.name).removeprefix("the ") for each in compared],
        "difference": [f"**{points(each.difference)}**" for each in compared],
        "95\u00a0%, other data sets": [
            f"{points(each.interval.low)} to {points(each.interval.high)}" for each in compared
        ],
        "p": [p_value(each.p) for each in compared],
        "p after Holm": [p_value(each.holm_p) for each in compared],
        "of papers: corrected resampled t": [
            "—" if math.isnan(each.corrected_t_p) else p_value(each.corrected_t_p) for each in compared
        ],
        "told apart": [("no", "joint is better", "joint is worse")[each.told] for each in compared],
    }


def kernels(found: JointFigure, chosen: ChosenLam | None) -> None:
    """Draw every kernel with its accuracy, interval and spreads."""
    made = named(found, chosen)
    panel_title(
        "Every kernel",
        f"accuracy, %; [95\u00a0%]; λ chosen: inside every training fold; floor {percent(found.floor, 1)}",
    )
    drawn.table(
        "joint.kernels",
        {
            "kernel": list(made),
            "accuracy": [f"**{100 * one.mean:.1f}**" for one in made.values()],
            "over graphs": [
                f"[{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}]" for one in made.values()
            ],
            "sd over repetitions": [number(100 * one.sd_repeats, 1) for one in made.values()],
            "sd over folds": [number(100 * one.sd_folds, 1) for one in made.values()],
        },
    )
