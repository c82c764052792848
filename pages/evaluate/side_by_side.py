"""All kernels by the measure that leads: a dot and a row each, sorted, with the test beside it; and all other measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.evaluation import Evaluation
from pages.evaluate.choosing import choose_button
from pages.evaluate.settings import MEASURES, Subject
from pages.evaluate.verdict import why
from pages.shared.figures.dots import Dot, dots
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import plain
from pages.shared.panels.accuracy import repeated_words, with_interval
from pages.shared.panels.heatmap import draw
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.several.chance import p_against_chance
from pages.shared.panels.verdicts import beside
from pages.shared.shown import drawn
from pages.shared.shown.remarks import remarks


def show(
    found: Evaluation,
    what: Subject,
    ranked: Mapping[str, Judgement],
    made: Verdict | None,
    against: Permuted | None,
) -> Picture:
    """Draw both; return the picture."""
    first = next(iter(ranked.values()))
    interval, field = first.interval(), what.field
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="beside_choice"
    ):
        panel_title(
            "Side by side",
            f"{first.rests_on}, the same folds; bars: {interval.kind if interval else 'none'}"
            + ("; cosine-normalised first" if what.config.normalize else ""),
            (*MEASURES, "Matthews", "AUC", "Floor", "Conditioning"),
        )
        choose_button(found, what)
    scores = {name: getattr(one, field) for name, one in ranked.items()}
    rows = [_dot(name, scores[name].mean, one.interval(field)) for name, one in ranked.items()]
    floor = next(iter(scores.values())).floor
    picture = dots(
        rows, x_title=f"{what.measure} accuracy, %", floor=100.0 * floor, tied=_tied(made, list(ranked))
    )
    draw(picture, "evaluate.dots")
    own_classes(what.labels)
    drawn.table("evaluate.kernels", _leading(ranked, what, made, against), title="Kernels under one protocol")
    st.caption(why(field, what.labels))
    remarks("evaluate.kernels", ranked)
    return picture


def _tied(made: Verdict | None, names: Sequence[str]) -> list[int]:
    """Places of the best, and of all that are not told apart from it; none where there is nothing to compare."""
    if made is None or len(made.candidates) < 2:
        return []
    return [k for k, name in enumerate(names) if not made.of(name).told_apart or made.of(name) is made.best]


def _dot(name: str, mean: float, interval: Interval | None) -> Dot:
    ends = {} if interval is None else {"low": 100.0 * interval.low, "high": 100.0 * interval.high}
    return Dot(name, 100.0 * mean, **ends)


def _leading(
    ranked: Mapping[str, Judgement], what: Subject, made: Verdict | None, against: Permuted | None
) -> dict[str, list[str]]:
    scores = {name: getattr(one, what.field) for name, one in ranked.items()}
    chances = {"against chance": [p_against_chance(against, name) for name in ranked]} if against else {}
    return {
        "kernel": [plain(name) for name in ranked],
        f"{what.measure}, %": [
            with_interval(score.mean, ranked[name].interval(what.field), bold=True, floor=score.floor)
            for name, score in scores.items()
        ],
        **({"beside the best": [beside(made, name) for name in ranked]} if len(ranked) > 1 else {}),
        **chances,
        **_where_they_differ(
            {
                "floor, %": [number(100.0 * score.floor, 1) for score in scores.values()],
                "mode": [one.state.words for one in ranked.values()],
            }
        ),
    }


def _where_they_differ(columns: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Columns that tell rows apart: what is true of all stands above the page, in a badge or a number."""
    return {name: cells for name, cells in columns.items() if len(set(cells)) > 1}


def every_measure(ranked: Mapping[str, Judgement]) -> None:
    """Draw the table of all measures."""
    drawn.table("evaluate.measures", _table(ranked), title="All measures")
    if same := repeated_words(list(ranked.values())):
        st.caption(same)


def _number(mean: float, interval: Interval | None, places: int) -> str:
    text = number(mean, places)
    if interval is None:
        return text
    return f"{text} :gray[[{number(interval.low, places)}, {number(interval.high, places)}]]"


def _table(judgements: Mapping[str, Judgement]) -> dict[str, list[str]]:
    made = list(judgements.values())
    return {
        "kernel": [plain(name) for name in judgements],
        **{
            f"{name}, %": [
                with_interval(score.mean, m.interval(field), bold=field == "multi_class", floor=score.floor)
                for m in made
                for score in (getattr(m, field),)
            ]
            for name, field in MEASURES.items()
            if not all(field in m.repeated for m in made)
        },
        "Matthews": [_number(m.matthews.mean, m.interval("matthews"), 2) for m in made],
        "ROC area": [_number(m.auc.mean, m.interval("auc"), 3) for m in made],
        "floors, %": [f":gray[{', '.join(_floors(m, made))}]" for m in made],
    }


def _floors(of: Judgement, made: Sequence[Judgement]) -> list[str]:
    """Floors of the measures that the table shows."""
    fields = [field for field in MEASURES.values() if not all(field in m.repeated for m in made)]
    return [number(100.0 * getattr(of, field).floor, 1) for field in fields]
