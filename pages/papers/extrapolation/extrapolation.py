"""Tables 1 and 2 and Fig. 1 of "Kernel extrapolation": published beside measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, cast

import numpy as np
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import NOT_INDEPENDENT
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import state_of
from kernex_core.studies.completion.study import CompletionConfig
from kernex_core.studies.papers.catalogue import tables_of
from kernex_core.studies.papers.extrapolation.paper import (
    LAMS,
    MEASURE,
    SHARES,
    TableRow,
    gap,
    rows_of_table_1,
)
from kernex_core.studies.papers.extrapolation.printed import ERRATA
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured, column_of
from kernex_core.studies.papers.paper_table import Printed
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, setting
from pages.server.digits import number, p_value, percent, unbroken
from pages.server.messages import guard, plain, shortened
from pages.ui import shown as drawn
from pages.ui import widgets
from pages.ui.answer import VerdictPlace, draw_parts, first_row, group, settings_box
from pages.ui.figures.curve import Level
from pages.ui.figures.published import ChartRow, ChartScale, common_range, published_measured
from pages.ui.frame import PageFrame, need_data, open_page, panel_title, points
from pages.ui.panels import source_target
from pages.ui.panels.accuracy import state_badge
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import verdict_rule, verdict_words
from pages.ui.widget import controls

# Tables 1 and 2 of "Kernel extrapolation", published beside measured.

TABLE_1, TABLE_2 = tables_of("extrapolation")


def table_2(found: ExtrapolationTables, field: str) -> None:
    """Joint kernel by missing fraction and λ."""
    panel_title(
        "Table 2, published beside measured",
        f"{TABLE_2.measure}, %; {TABLE_2.note}",
        ("One-vs-rest", "Multi-class"),
    )
    columns: dict[str, list[str]] = {"missing": [], "row": [], **{name: [] for name in TABLE_2.printed}}
    for place, share in enumerate(SHARES):
        kinds = ("published", "**measured**", "difference") if field == MEASURE else ("**measured**",)
        for kind in kinds:
            columns["missing"].append(f"**{percent(share)}**" if kind == kinds[0] else "")
            columns["row"].append(kind)
            for lam in LAMS:
                printed = TABLE_2.printed[column_of(lam)][place]
                columns[column_of(lam)].append(_cell(kind, printed, found.joint(share, lam, field)))
    drawn.table("extrapolation.table_2", columns)


def every_share(verdicts: Mapping[float, Verdict]) -> None:
    """Say who is best at each share, beside what the paper does not print."""
    said = "\n".join(f"- {percent(share)} missing: {verdict_words(one)}" for share, one in verdicts.items())
    st.markdown(said)
    rule = verdict_rule(next(iter(verdicts.values())))
    st.caption(f"Beside extrapolation alone, which the paper does not print, and the source. {rule}")


def _cell(kind: str, printed: Printed, measured: Measured | None) -> str:
    if kind == "published":
        return _tables_printed(printed)
    if measured is None:
        return "…"
    if kind == "difference":
        return points(gap(printed, measured))
    spread = "" if math.isnan(measured.sd_repeats) else f" :gray[± {100.0 * measured.sd_repeats:.1f}]"
    return f"**{100.0 * measured.mean:.1f}**{spread} {_interval(measured)}"


def _interval(measured: Measured) -> str:
    low, high = number(100.0 * measured.interval.low, 1), number(100.0 * measured.interval.high, 1)
    return f":gray[[{low},\u00a0{high}]]"


def _tables_printed(printed: Printed) -> str:
    return f"{100.0 * printed.mean:.1f} ± {100.0 * printed.plus_minus:.1f}"


def table_1(found: ExtrapolationTables, field: str, kernels: Mapping[str, str]) -> None:
    """Each kernel alone and the joint kernel at the smallest λ, with spreads and Yates' p."""
    panel_title("Table 1", f"{TABLE_1.measure}, %; {TABLE_1.note}", ("Joint kernel", "Source", "Floor"))
    rows = rows_of_table_1(TABLE_1, found, LAMS[0], field)
    made = [row.measured for row in rows]
    show_printed = field == MEASURE
    words = field.replace("_", "-")
    cells: dict[str, list[str]] = {"kernel": [_name(row, kernels) for row in rows]}
    if show_printed:
        cells["published"] = [_tables_printed(row.printed) for row in rows]
    cells["measured"] = ["…" if m is None else f"**{100 * m.mean:.1f}**\u00a0{_interval(m)}" for m in made]
    # classes have a one-vs-rest accuracy each, and no other
    for spread in _SPREADS if show_printed else ("repetitions", "folds"):
        values = [None if m is None else 100 * getattr(m, f"sd_{_SPREADS[spread]}") for m in made]
        cells[f"sd over {spread}"] = ["…" if sd is None else number(sd, 1) for sd in values]
    if show_printed:
        cells[f"Yates p of {words}, published"] = [_p(row.yates_printed) for row in rows]
    cells[f"Yates p of {words}, measured"] = [_p(row.yates) for row in rows]
    drawn.table("extrapolation.table_1", cells)
    # of two classes both measures are one, and so are their floors
    both = found.floor["one_vs_rest"] == found.floor["multi_class"]
    floor = "always saying no" if show_printed and not both else "the largest class"
    st.caption(
        f"{NOT_INDEPENDENT} It tests {words} accuracy of the joint kernel against the source alone. Floor of {floor}: "
        f"{percent(found.floor[field], 1)}."
    )


_SPREADS = {"repetitions": "repeats", "folds": "folds", "classes": "classes"}


def _p(value: float | None) -> str:
    return "" if value is None else "…" if math.isnan(value) else p_value(value)


def _name(row: TableRow, kernels: Mapping[str, str]) -> str:
    if isinstance(row.name, float):
        return f"joint, {percent(row.name)} missing"
    return f"{plain(kernels[row.name])} alone :gray[({row.name})]"


# The verdict of the page Kernel extrapolation: what the paper printed beside what is measured here.

NAMES: Final = tuple(f"{percent(share)} missing" for share in SHARES)
MIDDLE: Final = SHARES[1]
"""The share that the sentence is about; the others are said under Table 2."""


def fill(place: VerdictPlace, found: ExtrapolationTables, field: str, made: Mapping[float, Verdict]) -> None:
    """Write it."""
    if MIDDLE in made:
        place.say(f"{percent(MIDDLE)} missing. {verdict_words(made[MIDDLE])}", field.replace("_", "-"))
    for at, share in enumerate(SHARES):
        here = found.joint(share, LAMS[0], field)
        if here is None:
            continue
        low, high = (number(100.0 * end, 1) for end in (here.interval.low, here.interval.high))
        printed = TABLE_2.printed[column_of(LAMS[0])][at].mean
        note = f"printed {number(100.0 * printed, 1)}" if field == MEASURE else ""
        place.number(
            at, NAMES[at], percent(here.mean, 1), note,
            f"Joint kernel at λ = {LAMS[0]:g}, measured here: 95\u00a0%, other data sets, {low} to {high}\u00a0%. "
            "The paper has other data.",
        )  # fmt: skip


# The protocol of the paper's tables, and what is wrong in its text.

METHOD: Final = (
    "- 206 proteins of the TIM barrel in 9 superfamilies; a share of the structure kernel's items is hidden, completed "
    "from the sequence kernel, and judged by a one-vs-rest C-SVM with two-fold cross-validation, 5 repetitions.\n"
    "- Of a target that is partly unknown the tables are about the items that it knows: a share of these is hidden.\n"
    "- Every repetition hides other items and draws other folds, from the seed and its number. As in the paper nothing "
    "is kept together: items that are copies may stand on both sides.\n"
    "- Cosine normalisation, then the nugget *ρ* = 0.1 on both kernels; negative eigenvalues of what is known are "
    "clipped first. No normalisation afterwards.\n"
    "- Neither *C* nor a scaling is stated in the paper. The simulated world was tuned together with C = 1.5 to the "
    "published table; on your own data choose *C* yourself.\n"
    "- The paper's ± is across classes for the single kernels and across repetitions for the joint kernel, by its "
    "caption. Here all are shown, each named.\n"
    f"- {TABLE_1.paper.source}.\n\n"
    "**Errata found by computation**\n\n" + "\n".join(f"- {unbroken(erratum)}" for erratum in ERRATA)
)


# The controls of the page Kernel extrapolation: target, source, and everything behind Settings.

PROTOCOL: Final = ("folds", "repeats", "seed", "C")
TABS: Final = "extrapolation.tab"
MEASURES: Final[Mapping[str, str]] = {"one-vs-rest": "one_vs_rest", "multi-class": "multi_class"}
SETTINGS: Final = declared(
    *in_view(*source_target.SETTINGS, setting("tab", "Part of the page")),
    *of(CrossValidation, *PROTOCOL, prefix="cv_"), *of(CompletionConfig, *TABLE_2.asked[0]),
    setting("measure", "Measure"),
)  # fmt: skip


def choose(dataset: DataSet) -> tuple[GramMatrix, GramMatrix, CompletionConfig, CrossValidation, str]:
    """Draw the first row; return source and target, how they are completed and judged, and the measure."""
    with first_row():
        first, second = st.container(width=280), st.container(width=280)
        last = st.container(width="stretch", horizontal_alignment="right")
    source, target = source_target.choose_kernels(dataset, (first, second))
    with last, settings_box(2) as (left, right):
        with left:
            group("Judging")
            validation = controls(
                CrossValidation(C=dataset.defaults.C), f"papers.{dataset.name}", only=PROTOCOL, prefix="cv_"
            )
        with right:
            group("Completion")
            config = controls(CompletionConfig(), TABLE_2.key, only=TABLE_2.asked[0])
            group("Measure")
            measure = MEASURES[
                widgets.pick(
                    "measure", list(MEASURES), key="papers.measure", help="One-vs-rest is that of the paper."
                )
            ]
    return source, target, replace(config, seed=validation.seed), validation, measure


Args = tuple[CompletionConfig, GramMatrix, GramMatrix, Labels, CrossValidation]


@cached(public=True)
def tables(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> ExtrapolationTables:
    """All tables at once; the page keeps partial ones under the same key."""
    return list(_states(config, source, target, labels, validation))[-1]


def _states(*args: object) -> Iterator[ExtrapolationTables]:
    return cast(Iterator[ExtrapolationTables], TABLE_2.study(*args))


@cached(public=True)
def verdict(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    share: float,
    measure: str,
) -> Verdict:
    """Who is best at a share, of the whole study."""
    found = tables(config, source, target, labels, validation).verdict(share, measure)
    assert found is not None  # all of it is there
    return found


@cached(public=True)
def part(K: GramMatrix, at: tuple[int, ...]) -> GramMatrix:
    """A kernel on some of its items, the same object in every run."""
    return K.take(np.array(at, dtype=np.int64))


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    page.badge(
        "not the paper's data", "orange", ":material/science:",
        TABLE_2.data.origin().text,
    )  # fmt: skip
    source, target, config, validation, field = choose(dataset)
    state_badge(state_of(seen_of(source, target) | ITEMS), page.slot, about="As in the paper.")
    place = VerdictPlace(*NAMES)
    labels = dataset.judgeable
    if labels is not None and not target.unknown.complete:
        st.caption(_known(target))
        at = np.flatnonzero(target.known)
        source, target = (part(K, tuple(at.tolist())) for K in (source, target))
        taken = labels.take(at)
        labels = taken if taken.judgeable else None
    if labels is None:
        place.say(
            "Nothing to judge: the tables need labels of at least two classes of the items that are known."
        )
        return
    args: Args = (config, source, target, labels, validation)
    study = Staged(tables, _states, args)
    place.waits("The tables are measured; what is best is then said here.")
    with place.wait.container():
        found = run_study(
            study.leading, key="papers.extrapolation", what=TABLE_2.steps, automatic=TABLE_2.quick(*args),
            cost="One run is one repetition at one missing fraction, for all λ.",
        )  # fmt: skip
    if found is None:
        return
    _result(found, args, place, field)


def _known(target: GramMatrix) -> str:
    known = int(target.known.sum())
    return f"The tables are about the {known:,} of {target.n:,} items that {plain(target.name)} knows."


def _result(found: ExtrapolationTables, args: Args, place: VerdictPlace, field: str) -> None:
    config, source, target, _, validation = args
    repeats = found.done // len(found.shares)  # of a stopped run only those that every fraction has
    names, verdicts = {"source": source.name, "target": target.name}, _verdicts(found, args, field)
    fill(place, found, field, verdicts)
    with st.container(gap="xsmall", key="maps"):
        _charts(found, field, names)
    parts: dict[str, Callable[[], None]] = {
        "Table 2": lambda: table_2(found, field),
        "Table 1": lambda: table_1(found, field, names),
        **({"Every share": lambda: every_share(verdicts)} if verdicts else {}),
        "Method": lambda: _method(found, args, repeats),
    }
    draw_parts(parts, key=TABS)
    given = Result(
        TABLE_2.file, table=Offer(lambda: rows(found)), script=Offer(lambda: script(args)), report=True,
        figure=Drawing(
            none_drawn, title="Kernel extrapolation, Table 2",
            settings={"nugget": f"{config.nugget:g}", "C": f"{validation.C:g}", "folds": validation.folds or "one item each",
                      "repetitions": repeats, "seed": config.seed},
        ),
    )  # fmt: skip
    keep_row(given, key=TABLE_2.key)


def _method(found: ExtrapolationTables, args: Args, repeats: int) -> None:
    config, *_, validation = args
    st.caption(
        f"{found.done} of {found.total} runs · {number(found.seconds, 1)} s · "
        f"{judged_times(found.n_items, repeats)} · C = {validation.C:g}, nugget {config.nugget:g}, seed {config.seed}"
    )
    st.markdown(METHOD)


def _verdicts(found: ExtrapolationTables, args: Args, field: str) -> dict[float, Verdict]:
    """Who is best at each share: of the whole study once for each measure, of a part as it is."""
    whole = found.done == found.total
    made = {share: verdict(*args, share, field) if whole else found.verdict(share, field) for share in SHARES}
    return {share: one for share, one in made.items() if one is not None}


def _charts(found: ExtrapolationTables, field: str, names: Mapping[str, str]) -> None:
    printed = field == "one_vs_rest"
    compared = [_chart_row(found, share, field, printed) for share in SHARES]
    levels = [
        Level(f"{shortened(names[role], 18)} alone", 100.0 * made.mean, role)
        for role in ("target", "source")
        if (made := found.alone(role, field)) is not None
    ]
    scale = ChartScale(common_range(compared, levels))
    what = "one-vs-rest accuracy, %" if printed else "multi-class accuracy, %"
    across = " and ".join(level.name for level in levels)
    panel_title(
        "Printed beside measured", f"{what}; lines across: {across}; the paper's row “20\u00a0%” is 25\u00a0%"
    )
    for place, column in enumerate(st.columns(len(SHARES), gap="small")):
        with column, st.container(gap="xxsmall"):
            # without a note: three titles of one height, so that the charts stand on one line
            panel_title(f"{percent(SHARES[place])} missing")
            picture = published_measured(
                compared[place],
                scale,
                levels=levels,
                key=place == 0,
                name_levels=place == len(SHARES) - 1,
            )
            draw(picture, f"papers.chart.{place}")


def _printed(share: float, lam: float) -> Printed:
    return TABLE_2.printed[column_of(lam)][TABLE_2.rows.index(share)]


def _chart_row(found: ExtrapolationTables, share: float, field: str, printed: bool) -> ChartRow:
    """One row of Table 2 in percent."""
    measured = [found.joint(share, lam, field) for lam in LAMS]
    row = [_printed(share, lam) for lam in LAMS]
    nothing = [np.nan] * len(LAMS)
    return ChartRow(
        LAMS,
        [100.0 * p.mean for p in row] if printed else nothing,
        [100.0 * p.plus_minus for p in row] if printed else nothing,
        [np.nan if m is None else 100.0 * m.mean for m in measured],
    )


def rows(found: ExtrapolationTables) -> list[dict[str, float]]:
    """Return the table as rows: measured and printed values, with their spreads."""
    made = []
    for share in SHARES:
        for lam in LAMS:
            cell, printed = found.joint(share, lam), _printed(share, lam)
            multi = found.joint(share, lam, "multi_class")
            if cell is not None and multi is not None:
                made.append(
                    {
                        "missing": share, "lambda": lam, "one_vs_rest": cell.mean, "sd_repetitions": cell.sd_repeats,
                        "sd_classes": cell.sd_classes, "multi_class": multi.mean,
                        "multi_class_sd_repetitions": multi.sd_repeats, "published": printed.mean,
                        "published_plus_minus": printed.plus_minus,
                        "one_vs_rest_from": cell.interval.low, "one_vs_rest_to": cell.interval.high,
                        "multi_class_from": multi.interval.low, "multi_class_to": multi.interval.high,
                        "yates_p_one_vs_rest": found.yates(share, lam),
                        "yates_p_multi_class": found.yates(share, lam, "multi_class"),
                    }
                )  # fmt: skip
    return made


def script(args: Args) -> str:
    """Script that measures the same tables."""
    states = call(
        "states", "measuring_extrapolation", *args, shares=SHARES, lams=LAMS,
    )  # fmt: skip
    return write_script(
        [call("found", "last_state", states)],
        heading=f"Kernex: Tables 1 and 2 of {TABLE_2.paper.title} ({TABLE_2.paper.year}), measured\n"
        "Missing fraction, λ, one-vs-rest accuracy, multi-class accuracy.",
        prints=[TABLE_2.prints],
    )  # fmt: skip


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Kernel extrapolation",
        "Tables 1 and 2 and Fig. 1 of the paper: does accuracy fall with the missing fraction and with *λ*, as published?",
        SETTINGS,
    )
    dataset = need_data("Protein world")
    with guard():
        show(page, dataset)
