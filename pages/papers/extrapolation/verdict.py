"""The verdict of the page Kernel extrapolation: what the paper printed beside what is measured here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kernex_core.learning.chance.verdict import Verdict
from kernex_core.studies.papers.extrapolation.paper import LAMS, MEASURE, SHARES
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, column_of
from pages.papers.extrapolation.tables import TABLE_2
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.panels.verdicts import verdict_words

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
