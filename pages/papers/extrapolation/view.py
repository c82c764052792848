"""Tables 1 and 2 and Fig. 1 of "Kernel extrapolation": published beside measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

import numpy as np
import streamlit as st

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import call, write_script
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import state_of
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.papers.extrapolation.paper import LAMS, SHARES
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, column_of
from kernex_core.studies.papers.printed import Printed
from pages.papers.extrapolation.tables import TABLE_2, table_1, table_2
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.declared.settings import declared, of, setting
from pages.shared.figures.curve import Level
from pages.shared.figures.published import ChartRow, ChartScale, common_range, published_measured
from pages.shared.figures.theme import number, percent
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import shortened
from pages.shared.panels import source_target
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.shared.panels.side_by_side import places
from pages.shared.panels.source_target import choose_kernels
from pages.shared.panels.staged import Staged, run_study
from pages.shared.settings import widgets

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


PROTOCOL = ("folds", "repeats", "seed", "C")
SETTINGS = declared(
    *source_target.SETTINGS, *of(CrossValidation, *PROTOCOL, prefix="cv_"), *of(CompletionConfig, *TABLE_2.asked[0]),
    setting("measure", "Measure"),
)  # fmt: skip


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    page.badge(
        "not the paper's data", "orange", ":material/science:",
        TABLE_2.data.origin().text,
    )  # fmt: skip
    labels = dataset.judgeable
    if labels is None:
        raise InvalidInputError(
            "The tables need labels of at least two classes",
            f"none in {dataset.name!r}",
            "Bring labels on the page Data",
        )
    source, target = choose_kernels(dataset)
    state_badge(state_of(seen_of(source, target) | ITEMS), page.slot, about="As in the paper.")
    if not target.unknown.complete:
        raise InvalidInputError(
            "The tables hide a share of a target that is known for all items",
            f"{int((~target.known).sum())} unknown items in {target.name!r}",
            "Choose the simulated protein world, or complete this kernel first and keep it",
        )
    config, validation = _controls(dataset)
    args: Args = (config, source, target, labels, validation)
    found = run_study(
        Staged(tables, _states, args),
        key="papers.extrapolation",
        what=TABLE_2.steps,
        automatic=TABLE_2.quick(*args),
    )
    if found is None:
        st.markdown(
            ":gray[Nothing is measured yet. One run is one repetition at one missing fraction, for all λ.]"
        )
        return
    _result(found, args)


def _controls(dataset: DataSet) -> tuple[CompletionConfig, CrossValidation]:
    protocol = CrossValidation(C=dataset.defaults.C)
    columns = places("content", "stretch", 150, "stretch", "stretch")
    validation = controls(protocol, f"papers.{dataset.name}", only=PROTOCOL, slots=columns[:4], prefix="cv_")
    config = controls(CompletionConfig(), TABLE_2.key, only=TABLE_2.asked[0], slots=columns[4:])
    return replace(config, seed=validation.seed), validation


def _result(found: ExtrapolationTables, args: Args) -> None:
    config, source, target, _, validation = args
    repeats = found.done // len(found.shares)  # of a stopped run only those that every fraction has
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(
            f"{found.done} of {found.total} runs · {number(found.seconds, 1)} s · "
            f"{judged_times(found.n_items, repeats)} · C = {validation.C:g}, nugget {config.nugget:g}, seed {config.seed}"
        )
        measure = widgets.pick(
            "measure", ("one-vs-rest", "multi-class"), key="papers.measure", label_visibility="collapsed"
        )
    field = measure.replace("-", "_")
    names = {"source": source.name, "target": target.name}
    _charts(found, field, names)
    table_2(found, field, _verdicts(found, args, field))
    table_1(found, field, names)
    given = Result(
        TABLE_2.file, table=Offer(lambda: rows(found)), script=Offer(lambda: script(args)), report=True,
        figure=Drawing(
            none_drawn, title="Kernel extrapolation, Table 2",
            settings={"nugget": f"{config.nugget:g}", "C": f"{validation.C:g}", "folds": validation.folds or "one item each",
                      "repetitions": repeats, "seed": config.seed},
        ),
    )  # fmt: skip
    keep_row(given, key=TABLE_2.key)


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
    what = "One-vs-rest accuracy, %" if printed else "Multi-class accuracy, %"
    st.caption(
        f"{what}. Lines across: {' and '.join(level.name for level in levels)}. The paper's row “20\u00a0%” is 25\u00a0%."
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
        "states", "measuring", *args, shares=SHARES, lams=LAMS,
        imports=("from kernex_core.studies.papers.extrapolation.tables import measuring",),
    )  # fmt: skip
    return write_script(
        [states],
        heading=f"Kernex: Tables 1 and 2 of {TABLE_2.paper.title} ({TABLE_2.paper.year}), measured\n"
        "Missing fraction, λ, one-vs-rest accuracy, multi-class accuracy.",
        prints=[TABLE_2.prints],
    )  # fmt: skip
