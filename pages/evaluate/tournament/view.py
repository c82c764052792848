"""The ladder on one screen: the verdict, a row for each of the best, and what one asks second."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.interval import Interval, judged_times
from kernex_core.learning.chance.verdict import Candidate, Verdict
from kernex_core.studies.model.model import save_model
from kernex_core.studies.tournament.entrants import ENTRANTS
from kernex_core.studies.tournament.ladder import Ladder, Rung
from pages.evaluate.tournament.subject import KEY, WINNER, Subject, choose
from pages.server.digits import duration, number, p_value, percent, span
from pages.server.messages import plain
from pages.ui import projector
from pages.ui.answer import VerdictPlace, draw_parts
from pages.ui.figures.bars import Dot, dots
from pages.ui.figures.chart import Picture
from pages.ui.frame import PageFrame, formula_text, panel_title
from pages.ui.panels.accuracy import choice_basis, choice_sentence, own_classes
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import run_study
from pages.ui.panels.verdicts import RULE, beside, verdict_rule
from pages.ui.shown import spelt, table

BEST, PLAIN, AGAIN = "Best", "Best plain", "Wins again"
SHOWN: Final = 12
"""Rows of the picture; the others are in the table."""
PROJECTED: Final = 8
"""The same under the projector."""
TABS: Final = f"{KEY}.tab"
FORMULAS: Final = (
    r"\text{wins again} = \frac1r \sum_{t=1}^{r} \frac{[a_t = \max_b b_t]}{|\{b : b_t = \max\}|}",
)
ASSUMPTIONS: Final = (
    "The same folds for all entrants; copies, and groups where that is set, stay together.",
    "Strengths (C, λ of ridge, neighbours), λ of joint kernels and learned weights are chosen inside every training fold.",
    "A kernel whose weights or steps saw labels of tested items is not admitted. One that came as a matrix is, and is "
    "marked: nobody knows what it saw.",
    "Better than chance is what is told apart from majority, which stands at the foot of the ladder.",
    "The bar joins those that are not told apart from the best. That is no proof that they are as good: with more entrants "
    "less is told apart.",
    "The simplest of them is the first in the order of the list below: from majority to learned weights.",
    "Wins again: the share of the repetitions in which the best would have won by that repetition alone; level ones share "
    "it. Repetitions judge the same items again.",
)  # fmt: skip


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    labels = dataset.judgeable
    assert labels is not None  # else the page says what it needs
    subject = choose(dataset, labels)
    if subject is None:
        st.caption("Choose at least one kernel.")
        return
    place = VerdictPlace(BEST, PLAIN, AGAIN)
    place.waits("Everything is judged on the same folds; the ladder grows as it is.")
    chart = st.empty()

    def running(kept: Ladder) -> None:
        if kept.done < kept.total and kept.rungs:
            with chart.container():
                _drawn(subject, kept, f"{KEY}.ladder.{kept.done}")

    with place.wait.container():
        found = run_study(
            subject.study, key=KEY, what="entrants", automatic=False,
            label="Start the tournament", cost=_cost(subject), show=running,
        )  # fmt: skip
    if found is None or found.verdict is None:
        place.say(
            "Nothing is judged yet: a click judges everything that these kernels allow, beside what is plain."
        )
        for at, name in enumerate(place.names):
            place.number(at, name, "—", help="")
        with chart.container():
            _taking_part(subject)
        return
    _fill(place, found, found.verdict)
    with chart.container():
        picture = _drawn(subject, found, f"{KEY}.ladder")
    _not_judged(found)
    draw_parts(
        {
            "All entrants": lambda: _table(subject, found, found.verdict),
            "Chosen inside": lambda: _inside(subject, found),
            "Method": _method,
        },
        key=TABS,
    )
    _results(subject, found, found.verdict.best, picture)


def _cost(subject: Subject) -> str:
    lasting = duration(subject.seconds)
    return (
        f"{subject.entrants} entrants, {subject.fits} folds each, all choices inside them: about {lasting}."
    )


def _taking_part(subject: Subject) -> None:
    """What a click would judge."""
    found = subject.taking_part
    panel_title("Takes part", "the simplest first")
    rows = {
        "entrant": [f"**{each.name}**" + (" :gray[plain]" if each.plain else "") for each in found],
        "what it is": [each.meaning for each in found],
        "how many": [str(count) for count in found.values()],
    }
    table(f"{KEY}.taking_part", rows)


# The verdict: the best, the simplest that is not told apart from it, and the best plain one.


def ladder_words(made: Ladder, verdict: Verdict) -> str:
    """Return the sentence as Markdown; that a plain one does is said first."""
    best, simplest, usual = verdict.best, made.simplest, verdict.best_plain
    assert simplest is not None  # there is a verdict
    assert usual is not None  # majority always takes part
    if usual is best:
        others = (
            f"{len(verdict.as_good)} others are not told apart from it"
            if verdict.as_good
            else "all others are worse"
        )
        said = f"Plain does best here: {_named(made, best)}; {others}"
        return f"{said}." if simplest is best else f"{said}, the simplest of them {_named(made, simplest)}."
    if not usual.told_apart:
        said = f"Plain is not told apart from the best: {_named(made, usual)} beside {_named(made, best)}"
        return (
            f"{said}." if simplest is usual else f"{said}; the simplest as good is {_named(made, simplest)}."
        )
    worse = f"{_named(made, usual)}, the best plain one, is worse"
    if simplest is best:
        return f"Best: {_named(made, best)}, and all that is simpler is told apart from it; {worse}."
    return f"Best: {_named(made, best)}; the simplest not told apart from it is {_named(made, simplest)}; {worse}."


def _named(made: Ladder, each: Candidate) -> str:
    return f"{plain(each.name)} {_value(made, each.value)}"


def _value(made: Ladder, value: float) -> str:
    return number(value) if made.smaller else percent(value, 1)


def _fill(place: VerdictPlace, made: Ladder, verdict: Verdict) -> None:
    best, usual = verdict.best, verdict.best_plain
    going = made.done < made.total
    place.say(
        f"{ladder_words(made, verdict)}{f' So far, {made.done} of {made.total}.' if going else ''}",
        made.measure,
    )
    times = judged_times(made.rungs[0].by_item.shape[1], made.passes.repeats)
    place.number(
        0, BEST, _value(made, best.value), _ends(made, best.interval),
        f"{plain(best.name)}. {times}; seen on the folds that it is told of, which flatters it: see Chosen inside.",
    )  # fmt: skip
    if usual is not None:
        stands = "the best" if usual is best else f"p\u00a0{p_value(usual.p)}"
        place.number(1, PLAIN, _value(made, usual.value), stands, f"{plain(usual.name)}; p beside the best.")
    place.number(
        2, AGAIN, percent(made.wins[best.name]), f"of {made.passes.repeats}",
        "Share of the repetitions in which the best would have won by that repetition alone; level ones share it.",
    )  # fmt: skip


def _ends(made: Ladder, interval: Interval) -> str:
    if made.smaller:
        return f"{number(interval.low)}–{number(interval.high)}"
    return span(interval.low, interval.high)


# The ladder itself.


def shown_rungs(made: Ladder, verdict: Verdict) -> list[Candidate]:
    """Rows of the picture: the best, and the best plain one, the simplest and the floor among them."""
    every = list(verdict.candidates)
    wanted = {each.name for each in (made.simplest, verdict.best_plain) if each is not None}
    wanted |= {rung.name for rung in made.rungs if rung.rank == 0}
    first = [each for each in every if each.name in wanted]
    others = [each for each in every if each.name not in wanted][: _rows() - len(first)]
    return [each for each in every if each in first or each in others]


def _rows() -> int:
    return PROJECTED if projector.is_on() else SHOWN


def ladder_picture(made: Ladder) -> Picture:
    """Dots with intervals, best first, a bar along those that are not told apart, and what each saw at the right."""
    verdict = made.verdict
    assert verdict is not None
    rows = shown_rungs(made, verdict)
    scale = 1.0 if made.smaller else 100.0
    return dots(
        [_dot(made.rung(each.name), each, scale) for each in rows],
        x_title="root mean squared error: smaller is better" if made.smaller else "multi-class accuracy, %",
        floor=None if made.smaller else 100.0 * made.floor,
        unit="" if made.smaller else "%",
        decimals=3 if made.smaller else 1,
        tied=[k for k, each in enumerate(rows) if each is verdict.best or not each.told_apart],
    )


def _dot(rung: Rung, each: Candidate, scale: float) -> Dot:
    note = f"{'plain, ' if rung.plain else ''}{rung.state.words}, {_seconds(rung)}"
    return Dot(each.name, scale * each.value, scale * each.interval.low, scale * each.interval.high, note)


def _seconds(rung: Rung) -> str:
    return "< 0.1 s" if rung.seconds < 0.1 else f"{number(rung.seconds, 1)} s"


def _drawn(subject: Subject, made: Ladder, key: str) -> Picture:
    left = len(made.rungs) - _rows()
    more = f"; {left} more under All entrants" if left > 0 else ""
    with st.container(gap="xxsmall"):
        panel_title(
            "Ladder", f"bars: 95\u00a0%, for other data sets of this size; right: what it saw, time{more}"
        )
        picture = ladder_picture(made)
        draw(picture, key)
    return picture


def _not_judged(made: Ladder) -> None:
    """Who was not admitted, crossed out, with the reason; and who could not be judged."""
    for name, reason in made.left_out.items():
        st.caption(f"Not admitted: ~~{plain(name)}~~. {plain(reason)}")
    for name, reason in made.failed.items():
        st.caption(f"Not judged: {plain(name)}. {plain(reason)}")


def _table(subject: Subject, made: Ladder, verdict: Verdict | None) -> None:
    assert verdict is not None
    rungs = [made.rung(each.name) for each in verdict.candidates]
    rows = {
        "entrant": [plain(rung.name) + (" :gray[plain]" if rung.plain else "") for rung in rungs],
        "root mean squared error" if made.smaller else "multi-class, %": [
            f"**{number(each.value) if made.smaller else number(100.0 * each.value, 1)}** "
            f":gray[[{_ends(made, each.interval)}]]"
            for each in verdict.candidates
        ],
        "beside the best": [beside(verdict, each.name) for each in verdict.candidates],
        "wins": [percent(made.wins[rung.name]) for rung in rungs],
        "saw": [rung.state.words for rung in rungs],
        "time": [_seconds(rung) for rung in rungs],
    }
    table(f"{KEY}.entrants", rows, title="All entrants", note=verdict_rule(verdict))
    own_classes(subject.labels)


# What one asks second.


def _inside(subject: Subject, made: Ladder) -> None:
    if made.smaller:
        st.caption("The winner is chosen again inside the folds for classes alone.")
        return
    if made.done < made.total:
        st.caption("It can be chosen when all are judged.")
        return
    found = run_study(
        subject.choosing(made), key=f"{KEY}.choice", what="entrants", automatic=False, label="Choose inside the folds",
        cost=f"Every training fold holds the tournament for itself: about {duration(5.0 * made.seconds)}.",
    )  # fmt: skip
    if found is not None and found.done == found.total:
        st.markdown(choice_sentence(found))
        st.caption(choice_basis(found))


def _method() -> None:
    st.caption(f"{RULE}.")
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
    st.markdown("\n".join(f"1. **{each.name}**: {each.meaning}" for each in ENTRANTS))


# What the page gives away.


def _results(subject: Subject, made: Ladder, best: Candidate, picture: Picture) -> None:
    def script() -> str:
        return write_script(
            [subject.recipe], heading="Kernex: a tournament of everything that these kernels allow",
            prints=["$0.table()"],
        )  # fmt: skip

    name = f"{WINNER} {subject.dataset.name}, {best.name}"
    can_be_kept = made.done == made.total and made.rung(best.name).kind in KEPT
    has_model = made.done == made.total and subject.has_model(made)
    model = Offer(
        lambda: save_model(subject.model(made)), name=f"model of {best.name}",
        help=f"{plain(best.name)}, trained on all labelled items: a file that predicts new ones on the page Predict. Its "
        "number is that of the best of several, which flatters it.",
    )  # fmt: skip
    result = Result(
        name if can_be_kept else f"tournament of {subject.dataset.name}",
        kernel=(lambda: _winner(subject, best)) if can_be_kept else None,
        table=Offer(
            made.table, label="Ladder as CSV", help="A line an entrant, and one for whoever was not admitted."
        ),
        figure=Drawing(lambda: picture, title="Tournament", settings=spelt(subject.validation)),
        script=Offer(script, help="Python that holds the tournament again with kernex_core alone."),
        model=model if has_model else None,
    )
    keep = Keep("Keep the winner", help="On all items, with what it chooses there.") if can_be_kept else None
    keep_row(result, key=KEY, keep=keep)


KEPT: Final = tuple(each.name for each in ENTRANTS if each.new)
"""Kinds whose winner can be kept."""


def _winner(subject: Subject, best: Candidate) -> GramMatrix:
    made = subject.winner(best.name)
    assert made is not None  # it is of a kind that makes one
    return made
