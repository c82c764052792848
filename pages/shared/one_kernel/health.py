"""The verdict on one kernel: whether it is one, and what its nearest neighbours say of the classes."""

from __future__ import annotations

from typing import Final

from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent
from pages.shared.glossary.entries import hint
from pages.shared.panels.accuracy import ONE_PASS, against_floor, between, neighbour_interval
from pages.shared.panels.inspection.numbers import smallest

SMALL_MASS: Final = 1e-3
"""Share of negative eigenvalues below which rounded numbers are the likeliest cause."""
SMALLEST, NEIGHBOUR = "Smallest λ", "Neighbour"


def names(labels: Labels | None) -> tuple[str, ...]:
    """Return what the numbers are of, before anything is computed."""
    return (SMALLEST, "Effective rank", *((NEIGHBOUR,) if labels is not None else ()))


def fill(place: VerdictPlace, d: Diagnosis, labels: Labels | None) -> None:
    """Write it."""
    place.say(sentence(d, labels))
    within = "0 within digits" if d.digits else "none below 0"
    below = f"{d.negative:,} below 0" if d.indefinite else within
    place.number(0, SMALLEST, smallest(d), below, hint("Smallest eigenvalue"))
    if d.indefinite:
        place.number(1, "Negative mass", percent(d.negative_mass, 1))
    else:
        place.number(1, "Effective rank", number(d.effective_rank), f"of {d.n_known:,}")
    if labels is not None:
        _neighbour(place, d)


def _neighbour(place: VerdictPlace, d: Diagnosis) -> None:
    interval, (floor, _) = neighbour_interval(d), against_floor(d)
    if interval is None:
        place.number(
            2, NEIGHBOUR, "—", "", hint("Nearest neighbour", first="The known items are of one class.")
        )
        return
    low, high = (number(100.0 * end, 0) for end in (interval.low, interval.high))
    said = f"**{between(interval)}** for other data sets; {floor}. {ONE_PASS}"
    place.number(
        2, NEIGHBOUR, percent(d.neighbour_accuracy, 1), f"{low}–{high}\u00a0%",
        hint("Nearest neighbour", "Floor", first=said),
    )  # fmt: skip


def sentence(d: Diagnosis, labels: Labels | None) -> str:
    """Say whether it is a kernel, and what speaks for or against it."""
    return f"{_definite(d)} {_seen(d, labels)}".strip()


def _definite(d: Diagnosis) -> str:
    values = counted(d.n_known, "eigenvalue")
    are = "is" if d.negative == 1 else "are"
    of = "" if d.n_known == d.n else f" of the {d.n_known:,} known items"
    if d.indefinite and d.negative_mass < SMALL_MASS:
        return (
            f"Almost a kernel: {d.negative:,} of {values}{of} {are} below 0, by as little as numbers that were rounded "
            "to a few digits cause."
        )
    if d.indefinite:
        return f"Indefinite, no kernel: {d.negative:,} of {values}{of} {are} below 0."
    if d.few_digits:
        return (
            "A kernel within its few digits: a similarity that is no kernel by less cannot be told from one."
        )
    within = " within the digits of the file" if d.digits else ""
    return f"A kernel: none of {values}{of} is below 0{within}."


def _seen(d: Diagnosis, labels: Labels | None) -> str:
    if d.large_diagonal:
        return f"Self-similarities are {number(d.dominance)} times the others: see Power p."
    if labels is None or neighbour_interval(d) is None:
        return ""
    below = f", below its floor, {percent(d.neighbour_floor, 1)}" if d.below_floor else ""
    return f"The nearest neighbour names the class of {percent(d.neighbour_accuracy, 1)} of the items{below}."
