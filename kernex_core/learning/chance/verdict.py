"""Which of everything on one picture is best, by how much, and who is told apart from it.

All curves and rows are candidates, plain baselines included: nothing wins of two where a third on the same picture is ahead.
Which one is best was seen on the same folds, so every pair that it could have been is corrected for (Holm over all pairs).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent
from kernex_core.learning.chance.interval import Interval, Passes, Scale, as_passes, interval_of
from kernex_core.learning.chance.paired import DIFFERENT, Paired, holm, paired


@dataclass(frozen=True, eq=False)
class Candidate(EqualByContent):
    """One of those that are compared.

    Attributes
    ----------
    name : str
        As on the picture.
    value : float
        Of the measure, mean over repetitions.
    interval : Interval
    plain : bool
        A plain baseline.
    p : float
        Of its difference to the best, after Holm over all pairs; 1 for the best itself.
    behind : float
        Value of the best less its own: at least 0, of errors as well.
    against_best : Paired or None
        The best beside it, before correction; None for the best itself.
    """

    name: str
    value: float
    interval: Interval
    plain: bool
    p: float
    behind: float
    against_best: Paired | None = None

    @property
    def told_apart(self) -> bool:
        """Whether it is told apart from the best, which then is better."""
        return self.p < DIFFERENT


@dataclass(frozen=True, eq=False)
class Verdict(EqualByContent):
    """What may be said of several candidates on the same items and folds.

    Attributes
    ----------
    candidates : tuple of Candidate
        Best first; of equals the one that was named first.
    """

    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The best of all, plain baselines included."""
        return self.candidates[0]

    @property
    def best_plain(self) -> Candidate | None:
        """The best plain baseline; None where there is none."""
        return next((each for each in self.candidates if each.plain), None)

    @property
    def as_good(self) -> tuple[Candidate, ...]:
        """Those that are not told apart from the best, without it."""
        return tuple(each for each in self.candidates[1:] if not each.told_apart)

    @property
    def worse(self) -> tuple[Candidate, ...]:
        """Those that are told apart from the best."""
        return tuple(each for each in self.candidates[1:] if each.told_apart)

    @property
    def plain_does(self) -> bool:
        """Whether a plain baseline is best or is not told apart from the best: the first thing to say."""
        plain = self.best_plain
        return plain is not None and not plain.told_apart

    def of(self, name: str) -> Candidate:
        """Return a candidate by its name.

        Raises
        ------
        InvalidInputError
            None has it.
        """
        for each in self.candidates:
            if each.name == name:
                return each
        raise InvalidInputError(
            f"One of {', '.join(repr(each.name) for each in self.candidates)} is expected", repr(name)
        )


def verdict_of(
    values: Mapping[str, ArrayLike],
    passes: Passes,
    *,
    plain: Collection[str] = (),
    groups: ArrayLike | None = None,
    classes: ArrayLike | None = None,
    scale: Scale = "share",
    smaller: bool = False,
    named: Mapping[str, ArrayLike] | None = None,
) -> Verdict:
    """Order candidates, and tell them apart from the best by the one rule (`paired`), Holm over all pairs.

    Parameters
    ----------
    values : mapping of str to (n_passes, n_items) float
        What each item has of the measure in each pass, by the candidate's name; all that are on the picture.
    passes : Passes
    plain : collection of str
        Names of plain baselines.
    groups, classes, scale
        See `interval_of`.
    smaller : bool
        The measure is an error: the smallest is best.
    named : mapping of str to (n_passes, n_items), optional
        Classes given to each item by each candidate, see `paired`.

    Raises
    ------
    InvalidInputError
        No candidate, or not all on the same items and passes.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import Passes
    >>> from kernex_core.learning.chance.verdict import verdict_of
    >>> right = {"joint": [1] * 38 + [0] * 2, "source": [1] * 37 + [0] * 3, "zero-fill": [1] * 20 + [0] * 20}
    >>> made = verdict_of(right, Passes(2, 1), plain=["zero-fill"])
    >>> made.best.name, [each.name for each in made.as_good], [each.name for each in made.worse]
    ('joint', ['source'], ['zero-fill'])
    """
    if not values:
        raise InvalidInputError("A verdict needs at least one candidate", "none")
    unknown = sorted(set(plain) - set(values))
    if unknown:
        raise InvalidInputError("Plain baselines are among the candidates", repr(unknown[0]))
    means = {name: float(as_passes(rows).mean()) for name, rows in values.items()}
    order = sorted(values, key=lambda name: means[name] if smaller else -means[name])
    pairs = list(combinations(order, 2))
    found = [
        paired(
            values[a],
            values[b],
            passes,
            groups=groups,
            named=None if named is None else (named[a], named[b]),
        )
        for a, b in pairs
    ]
    corrected = dict(zip(pairs, holm([one.p for one in found]), strict=True))
    alone = dict(zip(pairs, found, strict=True))
    best = order[0]

    def candidate(name: str) -> Candidate:
        return Candidate(
            name,
            means[name],
            interval_of(values[name], passes, scale=scale, groups=groups, classes=classes),
            name in plain,
            corrected.get((best, name), 1.0),
            abs(means[best] - means[name]),
            alone.get((best, name)),
        )

    return Verdict(tuple(candidate(name) for name in order))


Unit = Literal["%", ""]


def verdict_sentence(made: Verdict, *, unit: Unit = "%", gain: str = "", typed: Collection[str] = ()) -> str:
    """Return the verdict in one or two sentences of plain text.

    What is said first is that a plain baseline is best, or is not told apart from the best (no proof that it is as good).

    Parameters
    ----------
    made : Verdict
    unit : {"%", ""}
        Shares are said in percent.
    gain : str
        What is said where a plain baseline is best: "completing gains nothing".
    typed : collection of str
        Candidates that have the name of a kernel, as somebody typed it: it stays as it is, and does not begin the sentence
        with a small letter.

    Examples
    --------
    >>> from kernex_core.learning.chance.interval import Passes
    >>> from kernex_core.learning.chance.verdict import verdict_of, verdict_sentence
    >>> right = {"Joint": [1] * 38 + [0] * 2, "Source": [1] * 37 + [0] * 3, "Zero-fill": [1] * 20 + [0] * 20}
    >>> verdict_sentence(verdict_of(right, Passes(2, 1), plain=["Zero-fill"])).replace("\xa0", " ")
    'Joint 95.0 %, Source 92.5 %: not told apart; Zero-fill 50.0 % is worse.'
    >>> one = verdict_of({"spectrum": [1] * 38 + [0] * 2}, Passes(2, 1))
    >>> verdict_sentence(one, typed=["spectrum"]).replace("\xa0", " ")
    'The kernel spectrum 95.0 %; nothing to compare it with.'
    """
    return _begun(_verdict_words(made, unit, gain), typed)


def _begun(said: str, typed: Collection[str]) -> str:
    """Begin with a large letter; a letter that is a symbol ("τ = 5", "p = 0.5", also as Markdown has it) has none."""
    if not ("a" <= said[:1] <= "z") or said[1:].replace("\\", "").startswith(" = "):
        return said
    if any(said.startswith(f"{name} ") for name in typed):
        return f"The kernel {said}"
    return said[0].upper() + said[1:]


def _verdict_words(made: Verdict, unit: Unit, gain: str) -> str:
    best, plain = made.best, made.best_plain
    if len(made.candidates) == 1:
        return f"{_said(best, unit)}; nothing to compare it with."
    if plain is not None and plain is best:
        first = f"{best.name} does best here ({_number(best, unit)})"
        others = made.as_good
        then = f"not told apart: {_list(others, unit)}" if others else "all others are worse"
        return f"{first}; {then}{f': {gain}' if gain else ''}."
    if plain is not None and made.plain_does:
        return f"{_said(plain, unit)} is not told apart from the best, {_said(best, unit)}."
    as_good = made.as_good
    head = f"{_said(best, unit)}{', ' + _list(as_good, unit) if as_good else ''}"
    head += ": not told apart" if as_good else ": best"
    worse = made.worse
    if not worse:
        return f"{head}."
    next_worse = plain if plain is not None and plain in worse else worse[0]
    left = len(worse) - 1
    more = f", and so are {left} others" if left > 1 else ", and so is 1 other" if left else ""
    return f"{head}; {_said(next_worse, unit)} is worse{more}."


def _said(each: Candidate, unit: Unit) -> str:
    return f"{each.name} {_number(each, unit)}"


def _number(each: Candidate, unit: Unit) -> str:
    return f"{100.0 * each.value:.1f}\u00a0%" if unit == "%" else f"{each.value:.3g}"


MOST_NAMED = 3
"""Candidates that a sentence names; the rest is a number."""


def _list(some: Sequence[Candidate], unit: Unit) -> str:
    named = ", ".join(_said(each, unit) for each in some[:MOST_NAMED])
    left = len(some) - MOST_NAMED
    return f"{named} and {left} more" if left > 0 else named
