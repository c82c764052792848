"""Whether both kernels tell the same of the items, on the page Combine: by permutation of the items of one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from kernex_core.conditioning.repairs import conditioned
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import DIFFERENT
from kernex_core.learning.relations import STATISTICS, Related, related
from kernex_core.runtime.progress import Steps, finished, part
from kernex_core.studies.combination import CombinationConfig
from pages.combine.subject import Subject
from pages.server.cached import cached
from pages.server.digits import number, p_value
from pages.server.messages import plain
from pages.ui import widgets
from pages.ui.frame import panel_title
from pages.ui.panels.keep import Offer, Result, buttons
from pages.ui.panels.staged import Pieced, run_in_pieces
from pages.ui.shown import table

SHORT: Final = 250
"""Up to this number of items the permutations take a fraction of a second."""
NOTHING_HELD: Final = "nothing"


def relating(
    first: GramMatrix,
    second: GramMatrix,
    config: CombinationConfig,
    given: GramMatrix | None,
    labels: Labels | None,
) -> Steps[dict[str, Related]]:
    """Both statistics, and Mantel's with a third kernel held fixed, conditioned as both are."""
    found: dict[str, Related] = {}
    given = None if given is None else conditioned(config, given)
    asked: list[tuple[str, str, GramMatrix | None]] = [(name, name, None) for name in STATISTICS]
    if given is not None:
        asked.append(("partial", "mantel", given))
    for k, (name, statistic, held) in enumerate(asked):
        steps = related.steps(first, second, statistic=statistic, given=held, groups=labels)
        found[name] = yield from part(steps, k / len(asked), (k + 1) / len(asked))
    return found


@cached(public=True)
def relation(
    first: GramMatrix,
    second: GramMatrix,
    config: CombinationConfig,
    given: GramMatrix | None,
    labels: Labels | None,
) -> dict[str, Related]:
    """All of it."""
    return finished(relating(first, second, config, given, labels))


def show_relation(subject: Subject) -> None:
    """Say whether both kernels find the same items alike, also with a third one held fixed."""
    made, data = subject.made, subject.dataset
    others = [
        name
        for name, K in data.kernels.items()
        if K.unknown.complete and name not in (subject.first.name, subject.second.name)
    ]
    given, held = None, NOTHING_HELD
    if others:
        held = widgets.choose(
            "given", [NOTHING_HELD, *others], default=NOTHING_HELD, key=f"combine.given.{data.name}",
            help="What a third kernel knows of both is taken out of both (partial Mantel).",
        )  # fmt: skip
        given = None if held == NOTHING_HELD else data.kernels[held]
    args = (made.first, made.second, made.config, given, data.labels_with_copies)
    found = run_in_pieces(
        Pieced(relation, relating, args), key="combine.related", what="% of permutations",
        at_once=subject.first.n <= SHORT, label="Permute the items",
    )  # fmt: skip
    if found is None:
        return
    st.markdown(related_sentence(subject, found, held))
    columns = {
        "what is compared": [_compared(name, held) for name in found],
        "value": [number(one.value, 3) for one in found.values()],
        "by chance": [number(one.by_chance, 3) for one in found.values()],
        "p": [p_value(one.p) for one in found.values()],
    }
    panel_title("Related kernels", "beside an order of the items by chance")
    table("combine.related", columns)
    one = found["alignment"]
    st.caption(
        f"{one.permutations} permutations of {one.units:,} items of one kernel, of which a group, or copies, are one (seed "
        f"{one.seed}); p: how often chance is at least as high. The alignment of unrelated kernels is above 0."
    )
    files = Result(
        f"relation of {subject.first.name} and {subject.second.name}",
        table=Offer(lambda: related_rows(found, held), label="Relation as CSV"),
        script=Offer(
            lambda: related_script(
                subject, None if given is None else conditioned(made.config, given), found
            ),
            help="Python that permutes the same items again.",
        ),
    )
    with st.container(horizontal=True):
        buttons(files, key="combine.related.files", look="tertiary")


def related_sentence(subject: Subject, found: Mapping[str, Related], held: str) -> str:
    """Say it by the alignment, and what is left of it with a third kernel held fixed."""
    both = f"{plain(subject.first.name)} and {plain(subject.second.name)}"
    one = found["alignment"]
    said = f"{both} find the same items alike" if one.p < DIFFERENT else f"No relation of {both} is seen"
    said = f"{said}: alignment {number(one.value, 2)}, by chance {number(one.by_chance, 2)} (p {p_value(one.p)})."
    if "partial" in found:
        left = found["partial"]
        more = "more than it" if left.p < DIFFERENT else "nothing more that is seen"
        said += f" With {plain(held)} held fixed they tell {more} (p {p_value(left.p)})."
    return said


def _compared(name: str, held: str) -> str:
    if name == "partial":
        return f"correlation of distances, {plain(held)} held fixed (partial Mantel)"
    return STATISTICS[name]


def related_rows(found: Mapping[str, Related], held: str) -> list[dict[str, object]]:
    """A row a statistic, as a file has it."""
    return [
        {
            "statistic": name, "held_fixed": held if name == "partial" else "", "value": one.value,
            "by_chance": one.by_chance, "p": one.p, "items": one.units, "permutations": one.permutations, "seed": one.seed,
        }
        for name, one in found.items()
    ]  # fmt: skip


def related_script(subject: Subject, given: GramMatrix | None, found: Mapping[str, Related]) -> str:
    """Script that tests the same kernels."""
    made, labels = subject.made, subject.dataset.labels_with_copies
    calls = [
        call(
            "found", "related", made.first, made.second, statistic="alignment" if name == "alignment" else "mantel",
            given=given if name == "partial" else None, groups=labels,
        )
        for name in found
    ]  # fmt: skip
    prints = [f"{name!r}, ${k}.value, ${k}.by_chance, ${k}.p" for k, name in enumerate(found)]
    heading = f"Kernex: do {subject.first.name} and {subject.second.name} tell the same?"
    return write_script(calls, heading=heading, prints=prints)
