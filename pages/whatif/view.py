"""The page What if on one screen: two parameters, the verdict, the map with its sliders, and the curves through a cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.gram.provenance import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.interval import Interval, judged_times
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.chance.verdict import Candidate
from kernex_core.studies.atlas.axes import NOTHING, Axis
from kernex_core.studies.atlas.field import Field
from pages.server.digits import duration, number, percent, span
from pages.server.messages import guard, plain
from pages.server.navigation import go_to
from pages.ui import chosen, widgets
from pages.ui import settings as held
from pages.ui.answer import VerdictPlace, draw_parts
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import common_scale
from pages.ui.figures.spectrum import eigenvalue_bars
from pages.ui.frame import PageFrame, formula_text, panel_title
from pages.ui.matrices import Panel, Words
from pages.ui.panels.accuracy import choice_basis, choice_sentence, numbered_classes, own_classes
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row
from pages.ui.panels.linked import BY_CLASS, arranged, draw, linked
from pages.ui.panels.staged import Staged, run_study, watch_study
from pages.ui.panels.verdicts import RULE, beside, verdict_rule, verdict_words
from pages.ui.projector import fitted
from pages.ui.shown import table as shown_table
from pages.whatif import question
from pages.whatif.drawing import (
    across_picture,
    down_picture,
    draw_map,
    items_picture,
    map_picture,
    most_changing,
)
from pages.whatif.subject import QUICK, Subject, choose

KEY: Final = "whatif"
HERE, BEST, INSIDE = "Here", "Best", "Chosen inside"
HEIGHT, CURVE, SPECTRUM = 372, 186, 366
"""Pixels of the map, of each of the curves beside it, and of a spectrum."""
TABS: Final = "whatif.tab"
WAITS: Final = "This row is not judged yet."
WIDTHS: Final = 1.5, 1.0
PACE: Final = 0.014
"""Seconds of processor for a row of 206 items, a fold and repetition; it grows a little faster than the square of them."""
FORMULAS: Final = (
    r"\mathrm{accuracy}(a, b) = \frac{1}{r} \sum_{t=1}^{r} \frac{1}{n} \sum_{i=1}^{n} [\hat y_i^{(t)}(a, b) = y_i]",
)
ASSUMPTIONS: Final = (
    "Every cell is what the page of that study says at the same setting: the same folds, seeds and hidden items.",
    "The frame is the cell that both sliders say, the star the best. Beside the map stands what its columns do not change.",
    "The line runs around cells that are best, or not told apart from the best. At a hidden share, or with so many labels "
    "known, settings are compared with each other and with all that is plain there; where both parameters are chosen, the "
    "whole map is compared.",
    "The best of many cells is optimistic: *Chosen inside* is what it is worth where every training fold chooses for "
    "itself, in folds of its own.",
    "Labels that are known: a share of every class, but at least one a fold, drawn once from the seed; a smaller share is a "
    "part of a larger one.",
)  # fmt: skip


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    subject = choose(dataset)
    formulas = formula_text(FORMULAS, ASSUMPTIONS)  # which the report has, whatever part is open
    place = VerdictPlace(HERE, BEST, INSIDE)
    place.waits("The map is filled row by row: both ends first, then what lies between.")
    study, down = subject.study, subject.down
    with st.container(key="maps"):
        left, right = st.columns(WIDTHS, gap="medium")
    with left:
        with st.container(key="whatif_map"):
            chart = st.empty()
        row_key, column_key = _keys(subject)
        at = _sliders(subject, row_key, column_key)
    asked = question.of(subject, at[0])
    if asked is not None and asked.given is None:
        place.say(asked.text)
        for k, name in enumerate(place.names):
            place.number(k, name, "—", help="")
        with chart.container():
            _map(subject, Field.empty(study.across, down, "map"), at, (row_key, column_key))
        with right:
            asked.ask(at)
        return

    def shown(kept: Field) -> None:
        if kept.done < kept.total:
            with chart.container():
                _map(subject, kept, at, (row_key, column_key), running=True)

    staged = study.staged(down.name)
    with place.wait.container():
        found = run_study(
            staged.leading, key=KEY, what="rows" if down is not NOTHING else "row", automatic=study.n <= QUICK,
            label="Fill the map", cost=_cost(subject), show=shown,
        )  # fmt: skip
    if found is None:
        _nothing(place)
        return
    with chart.container():
        _map(subject, found, at, (row_key, column_key))
    with right:
        _curves(subject, found, at)
    choice = _known_choice(subject, found, at)
    _fill(place, subject, found, at, choice)
    _tabs(subject, found, at, choice, formulas, asked)
    _results(subject, found, at)
    if choice is None and _is_quick(subject, found, at):
        choice = watch_study(_choosing(subject, found, at), place.wait, "cells, chosen inside the folds")
        _inside(place, found, choice)


def _nothing(place: VerdictPlace) -> None:
    place.say("Nothing is judged yet: Fill the map starts it.")
    for at, name in enumerate(place.names):
        place.number(at, name, "—", help="")


def _cost(subject: Subject) -> str:
    """Say what a click will cost."""
    protocol, n = subject.study.validation, subject.study.n
    fits = max(protocol.repeats * (protocol.folds or n), 1)
    seconds = PACE * len(subject.down.values) * fits * (n / 206.0) ** 2.3
    rows = f"{len(subject.down.values)} rows" if subject.down is not NOTHING else "One row"
    return (
        f"{rows} of {len(subject.study.across.values)} cells, {fits} folds each: about {duration(seconds)}."
    )


def _keys(subject: Subject) -> tuple[str, str]:
    """Keys of both sliders; of one row there is none."""
    study = subject.study.name
    row = f"{KEY}.row.{study}.{subject.down.name}" if subject.down is not NOTHING else ""
    return row, f"{KEY}.column.{study}"


def _sliders(subject: Subject, row_key: str, column_key: str) -> tuple[int, int]:
    """Draw the sliders of the cell that is looked at, and the way to its page."""
    row, column = subject.here
    with st.container(horizontal=True, vertical_alignment="bottom", key="cell"):
        column = _slider("column", subject.study.across, column, column_key)
        if row_key:
            row = _slider("row", subject.down, row, row_key)
        if st.button(
            f"Open on {subject.study.title}", key="whatif.open", icon=":material/arrow_forward:",
            help="The page of this study, set as the cell that is framed.",
        ):  # fmt: skip
            held.say_on(subject.study.page, subject.settings_at(row, column), subject.study.of_data)
            go_to(subject.study.page)
    return row, column


def _slider(name: str, along: Axis, at: int, key: str) -> int:
    ticks = [along.tick(k) for k in range(len(along.values))]
    with st.container(width=190):
        return ticks.index(widgets.stop(name, ticks, default=ticks[at], key=key, label=along.title))


def _map(
    subject: Subject, field: Field, at: tuple[int, int], keys: tuple[str, str], *, running: bool = False
) -> None:
    rows = " of a row" if len(field.compared_with(at[0])) < field.total else ""
    note = f"%; in the line: not told apart from the best{rows}" if field.done else "a click chooses a cell"
    with st.container(gap="xxsmall"):
        panel_title(
            f"{field.measure.capitalize()} of {subject.study.subject}",
            note,
        )
        picture = map_picture(field, at, height=fitted(HEIGHT))
        draw_map(picture, f"{KEY}.map{f'.{field.done}' if running else ''}", field, keys)


def _curves(subject: Subject, field: Field, at: tuple[int, int]) -> None:
    row, column = at
    one, study = fitted(CURVE), subject.study
    if field.rows[row] is None:
        if row not in dict(field.failed):  # why it failed is said by the sentence
            st.caption(WAITS)
    else:
        with st.container(gap="xxsmall"):
            panel_title(
                f"Along {_in_words(study.across)}",
                f"%; {field.down.words(row)}; band: 95\u00a0%".replace("; ;", ";"),
            )
            draw(across_picture(field, at, study.roles, height=one), f"{KEY}.across")
    if field.down is not NOTHING and any(each is not None for each in field.rows):
        with st.container(gap="xxsmall"):
            panel_title(f"Along {_in_words(field.down)}", f"%; {field.across.words(column)}")
            draw(down_picture(field, at, study.roles, height=one), f"{KEY}.down")


def _in_words(along: Axis) -> str:
    """The label of a parameter in the midst of a title."""
    return along.label[:1].lower() + along.label[1:]


def _why_not(field: Field, row: int) -> str:
    """Say why there is nothing to show of a row."""
    return "This row could not be judged; the reason is above." if row in dict(field.failed) else WAITS


def _choosing(subject: Subject, field: Field, at: tuple[int, int]) -> Staged[NestedChoice]:
    """What the best is worth where every training fold chooses it."""
    return subject.study.choosing(field.down.name, None if field.down.is_choice else field.down.values[at[0]])


def _known_choice(subject: Subject, field: Field, at: tuple[int, int]) -> NestedChoice | None:
    found = _choosing(subject, field, at).known()
    return None if found is None or found.done < found.total else found


def _is_quick(subject: Subject, field: Field, at: tuple[int, int]) -> bool:
    """Whether it is made without a click: of a row of few items."""
    return field.rows[at[0]] is not None and not field.down.is_choice and subject.study.n <= QUICK


def _fill(
    place: VerdictPlace, subject: Subject, field: Field, at: tuple[int, int], choice: NestedChoice | None
) -> None:
    """Write the verdict and its numbers."""
    verdict = field.verdict(at[0])
    row = field.rows[at[0]]
    if verdict is None or row is None:
        reason = dict(field.failed).get(at[0])
        place.say(plain(reason) if reason else "Rows are judged one after the other; the verdict follows.")
        for k, name in enumerate(place.names):
            place.number(k, name, "—", help="")
        return
    where = "" if field.down.is_choice or field.down is NOTHING else f"{field.down.words(at[0])}: "
    where = (
        where if field.down.values[at[0]] else where.capitalize()
    )  # "no class left out"; a name stays as it is
    said = verdict_words(verdict, gain=GAINS.get(subject.study.name, ""), typed=list(subject.study.roles))
    place.say(f"{where}{said}", field.measure)
    times = judged_times(row.by_item.shape[2], row.passes.repeats)
    here = field.interval(*at)
    place.number(
        0,
        HERE,
        _percent(field.values[at]),
        _ends(here),
        f"The cell in the frame. {times}. In grey 95\u00a0%.",
    )
    best = verdict.best
    place.number(
        1,
        BEST,
        _percent(best.value),
        _ends(best.interval),
        f"{plain(best.name)}: seen on the folds that it is told of, which flatters it.",
    )
    _inside(place, field, choice)


def _inside(place: VerdictPlace, field: Field, choice: NestedChoice | None) -> None:
    """Write what the choice made inside the folds is worth."""
    if choice is None:
        place.number(2, INSIDE, "—", "", "It is made under Choice.")
        return
    value = 1.0 - choice.mean if field.smaller else choice.mean
    low, high = choice.interval.low, choice.interval.high
    ends = (1.0 - high, 1.0 - low) if field.smaller else (low, high)
    place.number(
        2, INSIDE, _percent(value), span(*ends),
        f"What the best is worth where every training fold chooses it for itself; most often {plain(choice.picks[0][0])}.",
    )  # fmt: skip


GAINS: Final = {
    "complete": "completing gains nothing",
    "power": "shrinking gains nothing",
    "combine": "combining gains nothing",
}


def _percent(share: float) -> str:
    return percent(float(share), 1)


def _ends(interval: Interval | None) -> str:
    return "" if interval is None else span(interval.low, interval.high)


def _tabs(
    subject: Subject,
    field: Field,
    at: tuple[int, int],
    choice: NestedChoice | None,
    formulas: str,
    asked: question.Question | None,
) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        **({} if asked is None else {"Bet": lambda: asked.tell(field)}),
        "Compared": lambda: _compared(subject, field, at),
        "Kernel": lambda: _kernel(subject, field, at),
        **({} if field.smaller else {"Items": lambda: _items(subject, field, at)}),
        "Choice": lambda: _choice_in_words(subject, field, at, choice),
        "Method": lambda: _method(formulas),
    }
    draw_parts(parts, key=TABS)


def _compared(subject: Subject, field: Field, at: tuple[int, int]) -> None:
    """List everything that the verdict compares."""
    verdict = field.verdict(at[0])
    if verdict is None:
        waits = field.done < field.total and at[0] not in dict(field.failed)
        st.caption("The verdict follows when every row is judged." if waits else _why_not(field, at[0]))
        return

    def interval(each: Candidate) -> str:
        low, high = each.interval.low, each.interval.high
        return f"{number(100.0 * low, 1)} to {number(100.0 * high, 1)}"

    columns = {
        "setting": [plain(each.name) for each in verdict.candidates],
        f"{field.measure}, %": [number(100.0 * each.value, 1) for each in verdict.candidates],
        "95\u00a0%": [interval(each) for each in verdict.candidates],
        "beside the best": [beside(verdict, each.name) for each in verdict.candidates],
    }
    shown_table(f"{KEY}.compared", columns, title="Compared", note=verdict_rule(verdict))
    own_classes(subject.study.labels)
    numbered_classes(subject.study.labels)
    st.caption(f"{len(verdict.candidates)} settings; the rule stands under Method.")


def _kernel(subject: Subject, field: Field, at: tuple[int, int]) -> None:
    """Show the kernel of the cell, and its spectrum."""
    study, labels = subject.study, subject.study.labels
    with guard():
        found = study.kernel(subject.down.name, subject.down.values[at[0]], study.across.values[at[1]])
        K, d = found.K, found.diagnosis
        items = arranged(BY_CLASS, K, labels)
        told = [
            each.words(k) for each, k in ((field.across, at[1]), (field.down, at[0])) if each is not NOTHING
        ]
        panel = Panel(plain(study.subject), ", ".join(told), K.values, common_scale([K.values]))
        left, right = st.columns(2, gap="medium")
        with left:
            _matrix(panel, items, f"{subject.dataset.name}: {study.subject}")
        with right, st.container(gap="xxsmall"):
            panel_title("Spectrum", f"negative mass {percent(d.negative_mass, 1)}")
            bars = eigenvalue_bars(
                d.eigenvalues, name=panel.title, height=fitted(SPECTRUM), tolerance=d.digits or None
            )
            draw(bars, f"{KEY}.spectrum")


@st.fragment
def _matrix(panel: Panel, items: Items, heading: str) -> None:
    linked([panel], items, key=f"{KEY}.kernel", words=Words(heading, panel.note))


def _items(subject: Subject, field: Field, at: tuple[int, int]) -> None:
    """Show which items change along the columns."""
    shares, row = field.changes(at[0]), field.rows[at[0]]
    if shares is None or row is None:
        st.caption(_why_not(field, at[0]))
        return
    ids = [subject.study.labels.ids[k] for k in row.items.tolist()]
    marked = [k for k, name in enumerate(ids) if name in set(chosen.chosen_ids())]
    shown = most_changing(shares, marked)
    changing = int((np.ptp(np.nan_to_num(shares), axis=1) > 0.0).sum())
    along = field.across.symbol or field.across.label
    said = f"{changing:,} of {len(ids):,} items are named rightly more often at one {along} than at another"
    st.markdown(f"{said}; first those that are chosen, then those that change most." if shown else f"{said}.")
    if shown:
        panel_title("Items", "% of the repetitions in which each is named rightly")
        names = [ids[k] for k in shown]
        draw(items_picture(field, at, names, shares[shown]), f"{KEY}.items")


def _choice_in_words(
    subject: Subject, field: Field, at: tuple[int, int], choice: NestedChoice | None
) -> None:
    found = choice
    if field.verdict(at[0]) is None:
        st.caption(_why_not(field, at[0]))
        return
    if found is None and field.done == field.total:
        found = run_study(
            _choosing(subject, field, at), key=f"{KEY}.choice", what="cells", automatic=False,
            label="Choose inside the folds",
        )  # fmt: skip
    if found is not None and found.done == found.total:
        st.markdown(choice_sentence(found))
        st.caption(choice_basis(found))


def _method(formulas: str) -> None:
    st.caption(f"{RULE}.")
    st.markdown(formulas)


def _results(subject: Subject, field: Field, at: tuple[int, int]) -> None:
    """Downloads, report and script."""
    study = subject.study
    along = " and ".join(each.label for each in (field.across, field.down) if each is not NOTHING)
    words = [each.words(k) for each, k in ((field.down, at[0]), (field.across, at[1])) if each is not NOTHING]

    def script() -> str:
        heading = f"Kernex: {field.measure} of {study.subject} along {along}"
        return write_script([study.recipe(field.down.name)], heading=heading, prints=["$0.values"])

    keep_row(
        Result(
            f"{study.title} along {along}",
            table=Offer(field.table, label="Map as CSV", help="A line a cell, with its interval, and what stands beside."),
            figure=Drawing(
                lambda: map_picture(field, at, height=520), title=f"{field.measure.capitalize()} along {along}",
                settings={"cell": ", ".join(words)},
            ),
            script=Offer(script, help="Python that fills the map again with kernex_core alone."),
        ),
        key=KEY,
    )  # fmt: skip
