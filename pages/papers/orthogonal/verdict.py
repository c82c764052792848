"""What the text of "Almost orthogonal patterns" says about the basis of its map, and what the numbers fit."""

from __future__ import annotations

from typing import Final

from kernex_core.studies.papers.orthogonal.paper import LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.differences import points
from pages.shared.figures.theme import percent

ALL, TRAINING, AS_IT_IS = "All points", "Training points", "Kernel as it is"
NAMES: Final = (ALL, TRAINING, AS_IT_IS)
INSIDE: Final = "Rows of the table within 2 standard errors of what is printed, with this basis of the map."


def verdict(compared: LossComparison, *, same: bool = True) -> None:
    """Write what the text says and what the numbers fit; nothing is judged before two repetitions, nor on other data."""
    found, made = compared.found, compared.verdict() if same else None
    place = VerdictPlace(*NAMES)
    as_it_is = float(found.mean(ALL_POINTS)[0])
    place.number(2, AS_IT_IS, percent(as_it_is, 1), "loss", "Balanced loss without the map.")
    if made is None:
        place.say("Not judged: the data are others than the paper's." if not same else no_error(compared))
        place.without(0)
        place.without(1)
        return
    repeats = compared.paper.repeats
    several = repeats.sets if found.splits > 1 else repeats.several
    rough = f" Standard errors from {made.units} {several} are rough themselves." if made.rough else ""
    gaps = {
        column: f"{points(each.gap)}\u00a0±\u00a0{100.0 * each.se:.1f}" for column, each in made.apart.items()
    }
    place.say(
        f"{made.text[:1].upper()}{made.text[1:]}, by the sum over the rows: off by {gaps[ALL_POINTS]} a row with all "
        f"points, by {gaps[TRAIN_ONLY]} with training points.{rough}"
    )
    for at, (name, column) in enumerate(((ALL, ALL_POINTS), (TRAINING, TRAIN_ONLY))):
        place.number(at, name, "{} of {}".format(*made.inside[column]), "rows fit", INSIDE)


def no_error(compared: LossComparison) -> str:
    """Return what there is to say where nothing was repeated."""
    found, repeats = compared.found, compared.paper.repeats
    if found.splits > 1:
        return f"one {repeats.sets.replace('sets', 'set', 1)}: no standard error"
    whole = f"one {repeats.each}" if found.repetitions else f"not one whole {repeats.each} yet"
    return f"{whole}: no standard error"
