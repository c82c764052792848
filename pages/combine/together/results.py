"""Kernels before and after they were completed together, and what the page gives away of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from kernex_core.completion.views.complete import TUNED_LIMIT, CompletedViews
from kernex_core.completion.views.methods import (
    SHARE,
    VIEW_COMPLETIONS,
    ComparedWays,
    CompletedKernels,
    comparing_ways,
    completing_kernels,
    view_completion,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.names import counted
from kernex_core.runtime.progress import finished
from pages.combine import several as choice
from pages.combine.several import Subject
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of_data, setting
from pages.server.digits import number, percent
from pages.server.messages import guard, plain, shortened
from pages.server.navigation import go_to
from pages.ui import chosen, widgets
from pages.ui.answer import group, settings_box
from pages.ui.figures.bars import trust_bars
from pages.ui.figures.chart import Across, Picture, Values
from pages.ui.figures.curve import Line, curve
from pages.ui.figures.heatmap import common_scale
from pages.ui.figures.theme import SERIES
from pages.ui.frame import PageFrame, panel_title
from pages.ui.matrices import Panel, Room, Words
from pages.ui.panels import linked
from pages.ui.panels.keep import Keep, Offer, Result, buttons, keep_row
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Pieced, Staged, run_in_pieces, run_study
from pages.ui.panels.verdicts import numbers_in_a_row
from pages.ui.shown import metric, table

# What can be set on the page Complete together.

TABS: Final = "together.tab"
SETTINGS: Final = declared(
    *in_view(
        of_data("kernels", "Kernels"), setting("many_way", "Complete by"),
        of_data("trust_of", "Trust of kernel"), of_data("completed", "Completed kernel"),
        setting("ways_seed", "Seed of the ways"), *linked.SETTINGS, setting("tab", "Part of the page"),
    ),
    of_data("drawn", "Kernels that are drawn"),
)  # fmt: skip


KEY: Final = "many.maps"
MOST_SHOWN: Final = 2
"""Kernels that are drawn before and after, unless a visitor asks for others: four matrices are one row."""


def drawn_box(subject: Subject, place: DeltaGenerator) -> list[str]:
    """Draw Settings with the choice of what is drawn, where there are more than two; return the names."""
    incomplete = subject.incomplete
    if len(incomplete) <= MOST_SHOWN:
        return incomplete
    with place, settings_box():
        group("Pictures")
        return widgets.several(
            "drawn", incomplete, default=incomplete[:MOST_SHOWN], key=f"many.drawn.{subject.dataset.name}", label="Drawn",
            help="All are completed; each takes room twice.",
        ) or incomplete[:1]  # fmt: skip


def matrices(
    subject: Subject, made: CompletedKernels, way: str, drawn: list[str], carriers: DeltaGenerator
) -> None:
    """Draw them, linked."""
    words = Words(f"{subject.dataset.name}: completed together", view_completion(way).title)
    room = Room(carriers, 0.4, TABS)
    linked.linked(
        panels(subject, made, drawn), subject.items, key=KEY, words=words, whole_page=True, room=room
    )


def panels(subject: Subject, made: CompletedKernels, drawn: list[str]) -> list[Panel]:
    """Return what is drawn: each before and after, on one scale."""
    shown = []
    for name in (name for name in drawn if name in made.kernels):
        scale = common_scale([made.kernels[name].values])
        shown.append(Panel(shortened(name, 20), "before", subject.kernels[name].values, scale))
        shown.append(Panel(shortened(name, 20), "completed", made.kernels[name].values, scale))
    return shown


def give(subject: Subject, made: CompletedKernels) -> None:
    """Keep one of the completed kernels or all, download it, get its script."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = widgets.choose(
            "completed", subject.incomplete, key=f"many.completed.{subject.dataset.name}", label="Of kernel",
            width=200, help="Which one is kept or downloaded.",
        )  # fmt: skip
        K = made.kernels[name if name in made.kernels else subject.incomplete[0]]
        result = Result(
            f"{name}, completed",
            kernel=lambda: K,
            script=Offer(
                lambda: write_script([K.recipe], heading=f"Kernex: {name}, completed", prints=["$0.values"]),
                help="Python that completes all of them again.",
            ),
        )
        buttons(result, key="many.completed", keep=Keep())
        if st.button(
            "Keep all and weigh them", key="many.completed.all", icon=":material/balance:", help="On the part Many."
        ):  # fmt: skip
            _weigh(subject, made)


def _weigh(subject: Subject, made: CompletedKernels) -> None:
    """Keep what was completed, and go to Many with it in the place of what lacked items."""
    names = [
        workspace.keep_kernel(f"{name}, completed", K) if K is not subject.kernels[name] else name
        for name, K in made.kernels.items()
    ]
    workspace.show_in(choice.box(subject.dataset), names)
    go_to("many")


# Other ways to complete, beside each other: known items are hidden on purpose, the same for every way.

MOST_TUNED: Final = 300
"""Items up to which the tuned way, which takes 15 to 25 times as long as the fast one, is compared too."""


@cached(public=True)
def compared(kernels: Mapping[str, GramMatrix], ways: tuple[str, ...], seed: int) -> ComparedWays:
    """All of them; the page keeps partial ones under the same key."""
    *_, last = comparing_ways(kernels, ways, seed)
    return last


def _comparing(kernels: Mapping[str, GramMatrix], ways: tuple[str, ...], seed: int) -> Iterator[ComparedWays]:
    return comparing_ways(kernels, ways, seed)


def show(subject: Subject) -> None:
    """Compare once somebody asks."""
    panel_title("Other ways", "is another way better on these kernels?")
    with guard():
        seed = widgets.number(
            "ways_seed", 0, 10_000, 1, default=0, key="many.ways.seed", label="Seed", width=140,
            help="Draws which of the known items are hidden.",
        )  # fmt: skip
        few = len(subject.covered.ids) <= MOST_TUNED
        ways = tuple(way.name for way in VIEW_COMPLETIONS if few or way.name != "tuned")
        study = Staged(compared, _comparing, (dict(subject.kernels), ways, int(seed or 0)))
        run_study(
            study, key="many.ways", what="ways", automatic=False, label="Compare all ways",
            cost=f"{percent(SHARE)} of the items of every kernel are hidden, and all of them completed in {len(ways)} ways.",
        )  # fmt: skip
        found = study.known()
        if found is None or not found.errors:
            return
        table("many.ways", _cells(found), title="Ways to complete", hide_index=True)
        st.caption(words(found))
        keep_row(
            Result("ways to complete", table=Offer(lambda: rows(found), label="Errors as CSV")),
            key="many.ways", look="tertiary",
        )  # fmt: skip


def words(found: ComparedWays) -> str:
    """What was measured, and which way was nearest."""
    low, high = int(found.hidden.min()), int(found.hidden.max())
    count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    best = min(found.errors, key=lambda way: found.mean(way).relative_error)
    said = (
        f"{count} known items of each kernel were hidden, the same for every way. Relative error: of an item's "
        "similarities, by their size; alignment error: one minus the cosine with the truth, known entries too. "
        f"Nearest here: {view_completion(best).title}, of one draw of hidden items."
    )
    return said + "".join(
        f" {view_completion(way).title}: {plain(why)}" for way, why in found.refused.items()
    )


def _cells(found: ComparedWays) -> dict[str, list[str]]:
    cells: dict[str, list[str]] = {"way": [view_completion(way).title for way in found.errors]}
    means = [found.mean(way) for way in found.errors]
    cells["relative error"] = [percent(one.relative_error, 1) for one in means]
    cells["alignment error"] = [number(one.alignment_error, 4) for one in means]
    for v, name in enumerate(found.names):
        if found.hidden[v]:
            errors = [each[v].relative_error for each in found.errors.values()]
            cells[plain(name)] = ["" if np.isnan(error) else percent(error, 1) for error in errors]
    return cells


def rows(found: ComparedWays) -> list[dict[str, object]]:
    """One row a way and kernel."""
    return [
        {
            "way": way, "kernel": name, "hidden": int(found.hidden[v]), "relative_error": each[v].relative_error,
            "alignment_error": each[v].alignment_error,
        }
        for way, each in found.errors.items()
        for v, name in enumerate(found.names)
    ]  # fmt: skip


# How far to trust what was completed: a number for every item and kernel, drawn and as a table.

LEAST_TRUSTED: Final = 8


def show_trust(subject: Subject, views: CompletedViews) -> None:
    """Draw trust in the items that one kernel lacked, the least trusted of all, and the table."""
    names = list(views.kernels)
    lacking = [name for name, has in zip(names, views.known, strict=True) if not has.all()]
    panel_title("Trust", "share of an item's own similarity that the other kernels explain")
    name = widgets.choose(
        "trust_of", lacking, key=f"many.trust.of.{subject.dataset.name}", label="Of kernel",
        width=260,
        help="100 %: the others explain the item wholly. 0 %: it was made from nothing.",
    )  # fmt: skip
    v = names.index(name if name in lacking else lacking[0])
    out = ~views.known[v]
    ids = [views.ids[k] for k in np.flatnonzero(out)]
    _numbers(views, v)
    draw(
        trust_bars(views.trust[v, out], ids=ids, marked=chosen.chosen_ids(), height=190),
        "many.trust",
    )
    st.caption(trust_words(views))
    rows = _rows(views)
    table(
        "many.trust.least",
        _trust_cells(rows[:LEAST_TRUSTED]),
        title="The least trusted items",
        hide_index=True,
    )
    result = Result(
        f"{subject.dataset.name} trust",
        table=Offer(
            lambda: rows, label="Trust as CSV", help="One row for each kernel and item that it lacked."
        ),
    )
    keep_row(result, key="many.trust", look="tertiary")


def _numbers(views: CompletedViews, v: int) -> None:
    """Trust and, where it is known, the error to expect: medians over the items that kernel v lacked."""
    out, expected = ~views.known[v], views.expected_error
    if expected is None or not np.isfinite(expected[v, out]).any():
        return
    first, second = numbers_in_a_row(2)
    with first:
        metric(
            "Median trust", percent(float(np.median(views.trust[v, out]))),
            help="Over the items that this kernel lacked.",
        )  # fmt: skip
    with second:
        metric(
            "Error to expect", percent(float(np.nanmedian(expected[v, out]))),
            help="Of the similarities of an item that this kernel lacked, in parts of their size: the median over these "
            "items, found out by hiding known items on purpose.",
        )  # fmt: skip


def trust_words(views: CompletedViews) -> str:
    """What trust says, and how well."""
    out = ~views.known
    medians = "; ".join(
        f"{plain(name)} {percent(float(np.median(trust[gone])))}"
        for name, trust, gone in zip(views.kernels, views.trust, out, strict=True)
        if gone.any()
    )
    said = f"Median over the items that each lacked: {medians}."
    expected = views.expected_error
    if expected is None or not np.isfinite(expected[out]).any():
        return (
            f"{said} Trust ranks items; what error to expect is said by the tuned way, which hides known items to find "
            "out."
        )
    return said


def _rows(views: CompletedViews) -> list[dict[str, object]]:
    """One row a kernel and item that it lacked, the least trusted first."""
    expected = views.expected_error
    v, i = np.nonzero(~views.known)
    order = np.argsort(views.trust[v, i], kind="stable")
    names = list(views.kernels)
    return [
        {
            "kernel": names[v[k]], "id": views.ids[i[k]], "trust": float(views.trust[v[k], i[k]]),
            "in_other_kernels": int(views.known[:, i[k]].sum()),
            **({} if expected is None else {"expected_error": _finite(expected, int(v[k]), int(i[k]))}),
        }
        for k in order
    ]  # fmt: skip


def _finite(values: FloatArray, v: int, i: int) -> float | None:
    value = float(values[v, i])
    return value if np.isfinite(value) else None


def _trust_cells(rows: list[dict[str, object]]) -> dict[str, list[str]]:
    return {
        "kernel": [plain(str(row["kernel"])) for row in rows],
        "item": [plain(str(row["id"])) for row in rows],
        "trust": [percent(float(str(row["trust"]))) for row in rows],
        "in other kernels": [str(row["in_other_kernels"]) for row in rows],
    }


# Completing kernels from each other: which way, with progress and Stop, and how it went.

AT_ONCE: Final = 60
"""Items × kernels up to which it takes no time worth a word."""
ORDER: Final = ("fast", "tuned", "sweeps", "single", "mean", "zero")


def way_box() -> str:
    """Draw the choice of a way."""
    ways = {way.name: way for way in VIEW_COMPLETIONS}
    about = " ".join(f"{ways[name].title}: {ways[name].about}" for name in ORDER)
    return widgets.choose("many_way", ORDER, said=lambda name: ways[name].title, help=about)


@cached(public=True)
def completed(kernels: Mapping[str, GramMatrix], way: str) -> CompletedKernels:
    """Kernels completed together."""
    return finished(completing_kernels(kernels, way))


def complete(subject: Subject, way: str) -> CompletedKernels | None:
    """Complete with progress and Stop; None where it was stopped."""
    n, count = len(subject.covered.ids), len(subject.kernels)
    if way == "tuned" and n > TUNED_LIMIT:
        st.caption(
            f"Tuned takes 15 to 25 times as long as fast: of {n:,} items some minutes. Fast suits learning as well."
        )
    return run_in_pieces(
        Pieced(completed, completing_kernels, (subject.kernels, way)), key="many.complete",
        what="% of the completion", at_once=n * count <= AT_ONCE, label="Complete together",
    )  # fmt: skip


def certificate(page: PageFrame, views: CompletedViews) -> None:
    """Say beside the title whether each is positive semidefinite and the objective never rose."""
    lowest = float(views.smallest_eigenvalues.min())
    said = f"Smallest eigenvalue of all completed kernels {number(lowest)}; the objective never rose."
    if views.certificate_holds:
        page.badge("certificate holds", "green", ":material/check:", said)
    else:
        page.badge(
            "certificate fails", "red", ":material/close:",
            f"Smallest eigenvalue {number(lowest)}, or an objective that rose: please report it.",
        )  # fmt: skip


def show_objective(views: CompletedViews) -> None:
    """Draw how it went."""
    panel_title("Objective", f"{counted(views.objective.size - 1, 'sweep')}; it never rises")
    draw(objective(views), "many.objective")
    if views.last_move:
        st.caption(views.last_move)


def objective(views: CompletedViews) -> Picture:
    """J against the sweeps."""
    sweeps = list(range(views.objective.size))
    line = Line("J", sweeps, views.objective, SERIES, markers=True)
    return curve([line], Across("sweep", ticks=sweeps), Values("objective J"), height=230)
