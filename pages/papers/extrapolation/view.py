"""Tables 1 and 2 and Fig. 1 of "Kernel extrapolation": published beside measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import cast

import numpy as np
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import state_of
from kernex_core.studies.completion.study import CompletionConfig
from kernex_core.studies.papers.extrapolation.paper import LAMS, SHARES
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, column_of
from kernex_core.studies.papers.paper_table import Printed
from pages.papers.extrapolation import verdict as verdict_said
from pages.papers.extrapolation.method import METHOD
from pages.papers.extrapolation.settings import TABS, choose
from pages.papers.extrapolation.tables import TABLE_2, every_share, table_1, table_2
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.cached import cached
from pages.shared.figures.curve import Level
from pages.shared.figures.published import ChartRow, ChartScale, common_range, published_measured
from pages.shared.figures.theme import number, percent
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import plain, shortened
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.shared.panels.staged import Staged, run_study

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
    place = VerdictPlace(*verdict_said.NAMES)
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
    verdict_said.fill(place, found, field, verdicts)
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
