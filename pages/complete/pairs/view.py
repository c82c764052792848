"""The page Complete where single pairs are unknown: the verdict, four linked matrices, then what one asks second.

A first picture stands there at once; while one looks, everything else is tried, and the page draws it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.learning.leakage import state_of
from kernex_core.studies.completion.pairs import OWN, CompletedScores
from pages.complete.pairs import results
from pages.complete.pairs.results import TABS, TOO_FEW
from pages.complete.pairs.subject import QUICK, PairsSubject, choice
from pages.server.digits import number, percent, span
from pages.server.messages import plain
from pages.ui.answer import VerdictPlace, draw_parts
from pages.ui.figures.chart import Items
from pages.ui.frame import PageFrame, formula_text
from pages.ui.panels.accuracy import state_badge
from pages.ui.panels.staged import run_in_pieces
from pages.ui.panels.verdicts import RULE

# How it works, in formulas and sentences.

FORMULAS: Final = (
    r"T_{ij} \approx c\,S_{ij} + m + u_i^\top u_j",
    r"\min\ \tfrac12\sum_{i<j} W_{ij}\,(T_{ij} - c\,S_{ij} - m - u_i^\top u_j)^2 + \tfrac{\lambda}{2}\,"
    r"\mathrm{tr}\,U^\top L\,U,\qquad c, m \ge 0",
)
ASSUMPTIONS: Final = (
    "*W* is 1 where a pair is known, else 0; self-similarities are not fitted. *L* is the inverse of the source's kernel: "
    "what the source calls alike gets like factors *u*.",
    "Strength *λ*, how much the source counts and the number of factors are chosen by a fifth of the known pairs, held "
    "back; hidden pairs play no part in it.",
    "Intervals hold 9 of 10 values. They come from ten folds over the known pairs; those of items without any known pair "
    "from items that were held back.",
    "That a pair is unknown is taken to say nothing about its value. Where a search tool left out what is low, it does, and "
    "predictions of what was not reported are too high: then choose *unreported* in Settings, Unknown pairs are.",
    "Every plain way is finished (known values kept, negative eigenvalues clipped) and judged on the same folds.",
    "Mazumder, Hastie and Tibshirani 2010 (softImpute); Zhou, Shan, Banerjee and Sapiro 2012 (kernelized factors).",
)

FEWEST_HIDDEN: Final = 10
"""Hidden pairs below which an error beside another says little."""
ERROR, COVERAGE, ACCURACY, RANK, UNKNOWN, OFF = (
    "Error", "Within intervals", "Accuracy", "Rank correlation", "Unknown pairs", "Expected error",
)  # fmt: skip
ERROR_HELP: Final = "Root mean square over the pairs that were hidden on purpose; in grey the best plain way."
COVERAGE_HELP: Final = (
    "Share of the hidden pairs within their 90 % intervals: about 90 % where intervals are right."
)
ACCURACY_HELP: Final = (
    "Multi-class, of the completed kernel; in grey 95\u00a0%, other data sets. All ways: Plain ways."
)
FOUND: Final = "Hits found"
FOUND_HELP: Final = (
    "AUC: of a hidden hit and a pair that never was reported, how often the hit is predicted higher; in grey the best plain "
    "way."
)
RANK_HELP: Final = "Of predictions and truth over the hidden pairs (Spearman); in grey the best plain way's."
OFF_HELP: Final = "Root mean square of what known pairs are off that were held back in ten folds."


def body(
    page: PageFrame, dataset: DataSet, target: GramMatrix, places: Sequence[DeltaGenerator], is_page: bool
) -> Callable[[], None] | None:
    """Draw what follows from the target; return what refines it, to be called outside of a fragment; None if stopped."""
    subject = PairsSubject(dataset, choice(dataset, target, places))
    wait = st.container(gap=None, key="wait").empty()
    whole = subject.known
    if whole is None and not is_page:
        st.rerun()  # what takes long has a Stop that no fragment may hold back
    made = whole
    if made is None:
        made = run_in_pieces(
            subject.first, key="complete.pairs.first", what="% of the first picture", at_once=target.n <= QUICK,
            label="Complete",
        )  # fmt: skip
    if made is None:
        return None
    _badges(page, subject, made)
    place = VerdictPlace(*_names(subject))
    fill(place, subject, made)
    pictures, lower, carriers = st.container(gap="xsmall", key="maps"), st.container(), st.container()
    with pictures:
        items = results.maps(subject, made, carriers)
    with lower:
        _tabs(subject, made, items)
        results.give(subject, made, items)
    return lambda: _refine(subject, wait)


def _refine(subject: PairsSubject, wait: DeltaGenerator) -> None:
    """Try all settings, with progress and Stop; the page is drawn anew when that is done."""
    if subject.known is not None:
        return
    with wait.container():
        run_in_pieces(
            subject.whole, key="complete.pairs.study", at_once=False, label="Go on",
            what="% of settings, intervals and plain ways",
        )  # fmt: skip


def _names(subject: PairsSubject) -> tuple[str, str, str]:
    if subject.chosen.config.hidden is None:
        return UNKNOWN, OFF, ACCURACY if subject.labels is not None else "Factors"
    return ERROR, COVERAGE, ACCURACY if subject.labels is not None else RANK


def fill(place: VerdictPlace, subject: PairsSubject, made: CompletedScores) -> None:
    """Write the verdict: error beside the best plain way, whether intervals hold, accuracy."""
    place.say(sentence(subject, made))
    own, nearest = made.own, made.best_plain
    if made.pairs.size:
        error = made.hidden_error
        place.number(
            0,
            ERROR,
            number(error),
            "" if nearest is None else f"{nearest.name} {number(nearest.error)}",
            ERROR_HELP,
        )
        if made.hits is not None and own is not None and not np.isnan(own.auc):
            best_auc = max((each.auc for each in made.scores[1:] if not np.isnan(each.auc)), default=np.nan)
            note = "" if np.isnan(best_auc) else f"plain {number(best_auc, 2)}"
            place.number(1, FOUND, number(own.auc, 2), note, FOUND_HELP)
            return _accuracy(place, subject, made)
        covered = made.coverage
        place.number(
            1,
            COVERAGE,
            _or_not(made, np.isnan(covered)) or percent(covered),
            "of 90\u00a0%",
            TOO_FEW if made.unsaid else COVERAGE_HELP,
        )
    else:
        place.number(0, UNKNOWN, f"{made.unknown:,}", "completed", "Pairs that nobody knows.")
        off = made.completed.error
        said = _or_not(made, np.isnan(off)) or number(off)
        place.number(1, OFF, said, "", TOO_FEW if made.unsaid else OFF_HELP)
    return _accuracy(place, subject, made)


def _or_not(made: CompletedScores, lacks: bool) -> str:
    """What stands in place of a number that is not there yet, or never will be."""
    if not lacks:
        return ""
    return "—" if made.unsaid else "…"


def _accuracy(place: VerdictPlace, subject: PairsSubject, made: CompletedScores) -> None:
    """The last number: accuracy, or what stands for it without labels."""
    own, nearest = made.own, made.best_plain
    if subject.labels is not None:
        found = None if own is None else own.judgement
        if found is None:
            place.number(2, ACCURACY, "—" if made.not_judged else "…", "", ACCURACY_HELP)
        else:
            ends = found.interval()
            note = "" if ends is None else span(ends.low, ends.high)
            place.number(
                2,
                ACCURACY,
                percent(found.multi_class.mean, 1),
                note,
                ACCURACY_HELP,
            )
    elif made.pairs.size:
        if own is None:
            place.number(2, RANK, "…")
        else:
            place.number(
                2,
                RANK,
                "—" if np.isnan(own.rank) else number(own.rank, 3),
                "" if nearest is None or np.isnan(nearest.rank) else number(nearest.rank, 3),
                RANK_HELP,
            )
    else:
        place.number(
            2,
            "Factors",
            str(made.completed.rank),
            made.completed.state,
            "Columns of U, and how the fit ended.",
        )


BELOW_ZERO: Final = (
    " Most known similarities are below 0, where this model hardly reaches: add a constant to all of them first, or convert "
    "them if they are distances."
)


def sentence(subject: PairsSubject, made: CompletedScores) -> str:
    """Say how well hidden pairs are found, beside the best plain way; and what the model cannot follow."""
    return _found(subject, made) + (BELOW_ZERO if made.below_zero else "")


def _found(subject: PairsSubject, made: CompletedScores) -> str:
    what = f"{counted(made.unknown, 'unknown pair')} completed" if made.unknown else "No pair is unknown"
    if not made.scores:
        return f"{what}: a first picture, with one setting. All others are being tried …"
    own, nearest = made.own, made.best_plain
    assert own is not None  # there are scores
    if nearest is None:
        why = _of_classes(made) if made.not_judged else ""
        return f"{what} from {subject.source_name}. Hide a share of the known pairs to see how well.{why}"
    hidden = counted(len(made.pairs), "hidden pair")
    if made.hits is not None and not np.isnan(own.auc):
        best = max(made.scores[1:], key=lambda each: -1.0 if np.isnan(each.auc) else each.auc)
        return (
            f"{counted(len(made.pairs), 'hidden hit')} told from what never was reported: AUC {number(own.auc, 2)}; the "
            f"best plain way, {best.name}, has {number(best.auc, 2)}. {what}.{_of_classes(made)}"
        )
    if own.error <= nearest.error:
        share = (
            f"{percent(own.error / nearest.error)} of the error of"
            if nearest.error > 0
            else "no error, as by"
        )
        ranked = "" if np.isnan(own.rank) else f"; rank correlation {number(own.rank, 2)}"
        said = f"{hidden} found with {share} the best plain way, {nearest.name}{ranked}. {what}."
    else:
        said = (
            f"{nearest.name} does better: its error on {hidden} is {number(nearest.error)}, this one's "
            f"{number(own.error)}."
        )
    if len(made.pairs) < FEWEST_HIDDEN:
        said += " So few pairs say little."
    return f"{said}{_of_classes(made)}"


def _of_classes(made: CompletedScores) -> str:
    verdict = made.verdict
    if made.not_judged:
        return f" Classes are not judged: {plain(made.not_judged)}"
    if verdict is None:
        return ""
    own, best = verdict.of(OWN), verdict.best
    if best is own:
        return ""
    told = "better" if own.told_apart else "not told apart"
    return f" For classes {best.name} is {told} ({percent(best.value, 1)})."


def _tabs(subject: PairsSubject, made: CompletedScores, items: Items) -> None:
    """Draw what one asks second: the part that is open."""
    formulas = formula_text(FORMULAS, ASSUMPTIONS)  # which the report has, whatever part is open
    parts: dict[str, Callable[[], object]] = {
        "Predicted": lambda: results.show_predicted(made),
        "Plain ways": lambda: results.show_scores(subject, made),
        "What next": lambda: results.show_next(subject, made),
        "Pair": lambda: results.show_pair(subject, made, items),
        "Method": lambda: _method(subject, made, formulas),
    }
    draw_parts(parts, key=TABS)


def _method(subject: PairsSubject, made: CompletedScores, formulas: str) -> None:
    st.caption(f"{results.what_is_done(subject, made)} {RULE}.")
    st.markdown(formulas)


def _badges(page: PageFrame, subject: PairsSubject, made: CompletedScores) -> None:
    state_badge(state_of(made.gram.has_seen()), page.slot)
    page.badge("single pairs", "gray", None, results.what_is_done(subject, made))
    if made.completed.state != "converged":
        page.badge(
            made.completed.state, "gray", None,
            "The fit ended before nothing moved any more, or with fewer factors than the matrix has: chosen because it "
            "predicts hidden pairs better.",
        )  # fmt: skip
