"""The sentence that says who is best: each number in it is of the name before it, and nobody on the picture is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from kernex_core.learning.chance.verdict import Verdict
from pages.ui.shown import unmarked
from tests.pages.named.seen import Seen
from tests.pages.named.told import tells


@dataclass(frozen=True)
class Said:
    """What a page's verdict is about.

    Attributes
    ----------
    own : callable
        Returns the verdict of the result, from what was seen.
    drawn : callable
        Returns what the picture, or the table where there is no picture, shows of each candidate, in percent, by its name.
    whole : callable
        Returns the verdict on all that is drawn, where the sentence is about some of them; `own` by default.
    rounded : float
        Half a unit of the last digit of what is drawn.
    """

    own: Callable[[Seen], Verdict]
    drawn: Callable[[Seen], Mapping[str, float]]
    whole: Callable[[Seen], Verdict] | None = field(default=None)
    rounded: float = 1e-9


AS_GIVEN: Final = Said(lambda _: Verdict(()), lambda _: {})
"""Of several sentences on one page: each is compared with the verdict that it was made of alone."""


def verdict_tells(said: Said | None, seen: Seen) -> None:
    """Compare the last sentence of a page with the verdict of its result.

    Raises
    ------
    AssertionError
        A number of another candidate, a candidate that is left out, or a sentence that no list names.
    """
    sentences = [sentence for _, sentence in seen.verdicts]
    assert bool(said) == bool(sentences), f"{sentences} are said: say in the list whose verdict it is"
    if said is None:
        return
    if said is AS_GIVEN:
        for given, sentence in seen.verdicts:
            named = [replace(each, name=unmarked(each.name)) for each in given.candidates]
            sentence_tells(unmarked(sentence), Verdict(tuple(named)))
        return
    (given, sentence), own = seen.verdicts[-1], said.own(seen)
    # a page may begin its sentence with a capital
    assert any(sentence[1:] in text.replace("**", "") for text in seen.texts), (
        f"{sentence!r} is not on the page"
    )
    about = {unmarked(each.name): (each.value, each.p, each.plain) for each in given.candidates}
    meant = {each.name: (each.value, each.p, each.plain) for each in own.candidates}
    assert about == meant, "the sentence is about other candidates than the result"
    sentence_tells(unmarked(sentence), own)
    everyone = {each.name: each.value for each in (said.whole or said.own)(seen).candidates}
    drawn = said.drawn(seen)
    assert drawn, "nothing is drawn"
    for name, value in drawn.items():
        assert name in everyone, f"{name!r} is drawn, and no candidate: {sorted(everyone)}"
        assert abs(value - 100.0 * everyone[name]) <= said.rounded * (1 + 1e-6), (
            f"{value} is drawn of {name!r}, {100.0 * everyone[name]} is judged"
        )


def sentence_tells(sentence: str, made: Verdict) -> None:
    """Compare every number of a sentence with the candidate whose name stands before it; the others are counted."""
    sentence = sentence.replace("\u00a0", " ")
    by_name = {each.name: each for each in made.candidates}
    for name in by_name:  # a sentence begins with a capital
        if sentence.startswith(name[:1].upper() + name[1:]):
            sentence = name + sentence[len(name) :]
    longest = "|".join(re.escape(name) for name in sorted(by_name, key=len, reverse=True))
    found = list(
        re.finditer(rf"(?<!\w)(?:(?P<name>{longest})(?!\w)|(?P<number>\d[\d.]*)(?= |$|[;:,]))", sentence)
    )
    before, told = None, []
    for each in found:
        rest = sentence[each.end() :]
        if each["name"]:
            assert before is None, f"{before!r} has no number in {sentence!r}"
            before = each["name"]
        elif before:
            candidate = by_name[before]
            scale = 100.0 if rest.startswith(" %") else 1.0
            assert tells(each["number"], [scale * candidate.value]), (
                f"{before}: {sentence!r}, {candidate.value}"
            )
            assert rest.removeprefix(" %").startswith(" is worse") == candidate.told_apart, (
                f"{before}, p {candidate.p}: {sentence!r}"
            )
            told.append(before)
            before = None
        else:
            assert int(each["number"]) == _left(rest, told, made), f"{each['number']}{rest} in {sentence!r}"
    assert before is None, f"{before!r} has no number in {sentence!r}"
    assert told, f"no candidate in {sentence!r}"
    assert made.best.name in told, f"the best, {made.best.name!r}, is not in {sentence!r}"


def _left(rest: str, told: list[str], made: Verdict) -> int:
    """How many are left of those that the sentence names some of."""
    some = made.worse if rest.startswith(" other") else made.as_good
    return len([each for each in some if each.name not in told])
