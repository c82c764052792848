"""What is said of a comparison, everywhere in the same words: who is best, and who is told apart from the best."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import DIFFERENT, Paired
from kernex_core.learning.chance.verdict import Unit, Verdict, verdict_sentence
from kernex_core.learning.compare import Pair, compare_all, compare_with
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.permutations import PERMUTATIONS, Permuted, permuting
from kernex_core.runtime.progress import Steps, finished
from pages.export.downloads import csv_button
from pages.server.cached import CachedFunction, cached
from pages.server.declared import of_data
from pages.server.digits import number, p_value
from pages.server.messages import guard, plain
from pages.ui import shown as registry
from pages.ui import widgets
from pages.ui.glossary import hint
from pages.ui.panels.staged import Part, Pieced, Staged, run_study
from pages.ui.shown import table

NOT: Final = "not\u00a0told\u00a0apart"
RULE: Final = (
    "Told apart: p below .05. p is of the items' differences in one pass, with a factor for shared training sets, and never "
    "below what one pass can say by an exact test (McNemar's, of right and wrong)"
)


def verdict_words(made: Verdict, *, gain: str = "", unit: Unit = "%", typed: Collection[str] = ()) -> str:
    """Return the verdict as Markdown, names as they are; `gain`: what gains nothing where a plain baseline is best.

    `typed`: candidates that have the name of somebody's kernel, see `verdict_sentence`.
    """
    named = tuple(replace(each, name=plain(each.name)) for each in made.candidates)
    return verdict_sentence(
        replace(made, candidates=named), unit=unit, gain=gain, typed=[plain(name) for name in typed]
    )


def verdict_rule(made: Verdict) -> str:
    """Return the rule of a verdict: p is corrected for every pair of its candidates."""
    n = len(made.candidates)
    return rule_words(n * (n - 1) // 2)


def verdict_row(made: Verdict | None, name: str) -> dict[str, object]:
    """Return what a file says of a candidate beside the best; empty cells where there is no verdict yet."""
    if made is None:
        return {"behind_best": None, "p_holm_to_best": None, "told_apart_from_best": None}
    one = made.of(name)
    return {"behind_best": one.behind, "p_holm_to_best": one.p, "told_apart_from_best": one.told_apart}


def beside(made: Verdict | None, name: str) -> str:
    """Return the cell that says how one stands beside the best."""
    if made is None or len(made.candidates) < 2:
        return "—"
    one = made.of(name)
    if one is made.best:
        return "**best**"
    said = "worse" if one.told_apart else "not\u00a0told\u00a0apart"
    return f"{said} :gray[p\u00a0{p_value(one.p)}]"


def rule_words(pairs: int) -> str:
    """Return the rule, and how many pairs p is corrected for."""
    several = f"; corrected for {pairs} pairs (Holm), as no interval of a difference is" if pairs > 1 else ""
    return f"{RULE}{several}."


def paired_words(made: Paired, p: float | None = None, *, unit: str = "points") -> str:
    """Return a difference of shares with its interval, p, and whether it is told apart: "+2.0 points [−1.0, 5.0], p .12".

    Parameters
    ----------
    made : Paired
    p : float, optional
        After correction for several pairs; that of the pair alone by default.
    unit : str
    """
    p = made.p if p is None else p
    told = "told apart" if p < DIFFERENT else "not told apart"
    return f"{signed_points(made.difference)} {unit} {interval_words(made)}, p {p_value(p)}: {told}"


def interval_words(made: Paired) -> str:
    """Return the ends of a difference of shares, in points."""
    return f"[{signed_points(made.interval.low)}, {signed_points(made.interval.high)}]"


def signed_points(share: float) -> str:
    """Return a difference of shares in points, with its sign."""
    points = 100.0 * share
    return f"{'+' if round(points, 1) > 0.0 else ''}{number(points, 1)}"


def told_cells(paired: Sequence[tuple[Paired, float]]) -> list[str]:
    """Return the cells of a column that says of each pair whether it is told apart, by p after correction."""
    return [f"{'yes' if p < DIFFERENT else NOT} :gray[p\u00a0{p_value(p)}]" for _, p in paired]


def paired_row(made: Paired, p: float) -> dict[str, object]:
    """Return what a file says of a pair, in full precision; `p` after correction for several pairs."""
    return {
        "difference": made.difference, "difference_from": made.interval.low, "difference_to": made.interval.high,
        "told_apart": p < DIFFERENT, "p": made.p, "p_holm": p, "first_better": made.first_better,
        "second_better": made.second_better,
    }  # fmt: skip


# Places beside each other that go to the next line where the page is narrow, instead of being cut.
#
# first, second = places(150, 220)        one place a width, in pixels; each is filled with `with`
# one, two, three = numbers_in_a_row(3)   places of numbers under their names
# with row_of_numbers():                  numbers of NUMBER_WIDTH that need no place of their own

Width = int | Literal["stretch", "content"]

NUMBER_WIDTH = 172
"""Pixels of a number with its name in full and a hint: five stand in a row at 1,400 px, two at 390 px."""


def places(*widths: Width, align: Literal["top", "bottom"] = "top") -> list[DeltaGenerator]:
    """Return one place a width: pixels, "content", or "stretch" for what takes the rest of its line."""
    with st.container(horizontal=True, vertical_alignment=align, gap="small"):
        return [st.container(width=width) for width in widths]


def row_of_numbers() -> DeltaGenerator:
    """Return a row for numbers of NUMBER_WIDTH."""
    return st.container(horizontal=True, gap="small")


def numbers_in_a_row(count: int) -> list[DeltaGenerator]:
    """Return places for so many numbers, each with room for a badge and small print close under it."""
    with row_of_numbers():
        return [st.container(width=NUMBER_WIDTH, gap="xxsmall") for _ in range(count)]


# Better than chance? Labels are permuted and everything is judged again: behind a button, because it takes long.
#
# found = chance(judged, key="evaluate")            # None before it was asked for
# p_against_chance(found, name)                     # "p 0.005", beside the number
#
# What is no kernel with its labels (a completion, several kernels with learned weights) is asked for by `Asked`:
#
# found = asked_chance(Asked(permuted, pieces, args, folds=10, seconds=0.2), key="complete")

LABEL: Final = "Better than chance?"
NO_KERNEL: Final = (
    "Better than chance? That cannot be asked here: what is judged is not one kernel with its labels. Keep the kernel, and "
    "ask on the page Evaluate."
)
Options = Mapping[str, object]
Args = tuple[Mapping[str, GramMatrix], Labels | NDArray[np.str_], CrossValidation, str, Options]


def _pieces(
    kernels: Mapping[str, GramMatrix],
    labels: Labels | NDArray[np.str_],
    config: CrossValidation,
    measure: str,
    options: Options,
) -> Steps[Permuted]:
    return permuting(kernels, labels, config, measure=measure, **options)  # type: ignore[arg-type]


@cached
def permuted(
    kernels: Mapping[str, GramMatrix],
    labels: Labels | NDArray[np.str_],
    config: CrossValidation,
    measure: str,
    options: Options,
) -> Permuted:
    """All kernels beside permuted labels; kept when it is whole."""
    return finished(_pieces(kernels, labels, config, measure, options))


@dataclass(frozen=True, eq=False)
class Asked:
    """What a page may ask of chance.

    Attributes
    ----------
    cache, start, args
        See `Pieced`.
    folds : int
        Of all repetitions of one candidate.
    seconds : float
        That judging all of them once takes; NaN where it is not known.
    """

    cache: CachedFunction[..., Permuted]
    start: Callable[..., Steps[Permuted]]
    args: tuple[object, ...]
    folds: int
    seconds: float = float("nan")

    @classmethod
    def of(
        cls,
        cache: CachedFunction[..., Permuted],
        start: Callable[..., Steps[Permuted]],
        args: tuple[object, ...],
        judged: Sequence[Judgement],
    ) -> Asked:
        """What is asked of candidates that were judged: each permutation takes as long as they did together."""
        passes = judged[0].passes
        return cls(cache, start, args, passes.folds * passes.repeats, sum(made.seconds for made in judged))

    @property
    def study(self) -> Staged[Part[Permuted]]:
        """Permutations that are judged, in percent."""
        work = Pieced(self.cache, self.start, self.args)
        return Staged(work, work.parts, self.args)  # type: ignore[arg-type]

    @property
    def known(self) -> Permuted | None:
        """What was found; None before it was asked for."""
        found = self.study.known()
        return None if found is None else found.result


def _asked(judged: Mapping[str, Judgement], measure: str) -> Asked | None:
    """What has to be judged again; None where that is not one kernel with its labels."""
    kernels: dict[str, GramMatrix] = {}
    options: dict[str, object] = {}
    for name, made in judged.items():
        gram, labels = made.subject
        if gram is None or labels is None or made.weights.size:
            return None
        kernels[name] = gram
        # copies are those of all of them, and stand where a kernel alone would have others
        options |= made.options
    first = next(iter(judged.values()))
    args: Args = (kernels, first.subject[1], first.config, measure, options)  # type: ignore[assignment]
    return Asked.of(permuted, _pieces, args, tuple(judged.values()))


def asked_chance(asked: Asked, *, key: str) -> Permuted | None:
    """Draw the button, or progress; return what it found.

    Parameters
    ----------
    asked : Asked
    key : str
        The button is called `<key>.chance.run`.
    """
    found = asked.known
    if found is not None:
        return found
    seconds = asked.seconds * PERMUTATIONS
    long = f", about {seconds:,.0f} s" if seconds >= 1.0 else ""
    made = run_study(
        asked.study, key=f"{key}.chance", what="% of permutations", automatic=False, label=LABEL,
        cost=f"{PERMUTATIONS} times the labels are permuted and all is judged again, "
        f"{asked.folds} folds each{long}: this starts with a click.",
    )  # fmt: skip
    return None if made is None else made.result


def chance(judged: Mapping[str, Judgement], *, key: str, measure: str = "multi_class") -> Permuted | None:
    """Draw the button, or progress; return what it found. Where it cannot be asked, say why.

    Parameters
    ----------
    judged : dict of str to Judgement
        All that the page shows, on the same folds: p knows how many they are.
    key : str
        The button is called `<key>.chance.run`.
    measure : str
        Of a judgement.
    """
    asked = _asked(judged, measure)
    if asked is None:
        st.caption(NO_KERNEL)
        return None
    return asked_chance(asked, key=key)


def known_chance(judged: Mapping[str, Judgement], *, measure: str = "multi_class") -> Permuted | None:
    """Return what `chance` has found of the same, for files and scripts; None before."""
    asked = _asked(judged, measure) if judged else None
    return None if asked is None else asked.known


def chance_beside(
    judged: Mapping[str, Judgement], name: str, *, key: str, measure: str = "multi_class"
) -> Permuted | None:
    """Draw the button, or p of one of those that are judged with what it is; return what was found.

    Parameters
    ----------
    judged, key, measure
        As in `chance`.
    name : str
        The one that the page shows in full.
    """
    found = chance(judged, key=key, measure=measure)
    say_p(found, name, key=key)
    return found


def say_p(found: Permuted | None, name: str, *, key: str, measure: str = "") -> None:
    """Draw p of one of those that were judged with what it is, and note it for the report; nothing before.

    `measure` in words, where the page offers several.
    """
    known = found is not None and name in found.names
    of = f", {measure} accuracy" if measure else ""
    said = f"{plain(name)}{of}: {p_against_chance(found, name)} against chance."
    words = [] if found is None or not known else [f"{said} {chance_words(found)}"]
    registry.remark(f"{key}.chance", words)
    if found is not None and known:
        st.caption(f"**{said}** {chance_words(found)}", help=hint("Better than chance"))


def asked_beside(asked: Asked, name: str, *, key: str) -> Permuted | None:
    """The same of what a study of its own judges again, see `chance_beside`."""
    found = asked_chance(asked, key=key)
    say_p(found, name, key=key)
    return found


def p_against_chance(found: Permuted | None, name: str) -> str:
    """Return p as a cell or a note says it; nothing before it was asked for."""
    return "" if found is None or name not in found.names else f"p\u00a0{p_value(found.p(name))}"


def chance_words(found: Permuted) -> str:
    """Return what p is, in a sentence."""
    several = ", the best kernel of each permutation counts" if len(found.names) > 1 else ""
    return (
        f"p against chance: {found.permutations} permutations of the labels, folds drawn anew{several}; the smallest that "
        f"can be is {p_value(1.0 / (1 + found.permutations))}. Seed {found.seed}."
    )


def say_chance(found: Permuted | None, *, key: str) -> None:
    """Draw that sentence, and note it for the report; nothing before it was asked for."""
    registry.remark(f"{key}.chance", [] if found is None else [chance_words(found)])
    if found is not None:
        st.caption(chance_words(found), help=hint("Better than chance"))


def chance_row(found: Permuted | None, name: str) -> dict[str, object]:
    """Return what a file says of it; empty cells before it was asked for."""
    known = found is not None and name in found.names
    return {
        "p against chance": found.p(name) if found is not None and known else None,
        "permutations": found.permutations if found is not None and known else None,
    }


def chance_columns(found: Mapping[str, Permuted], name: str) -> dict[str, object]:
    """Return what a file says of it that has a column for each of several measures; none before it was asked for."""
    return {
        f"{measure}_{column.replace(' ', '_')}": value
        for measure, one in found.items()
        for column, value in chance_row(one, name).items()
    }


def chance_recipe(found: Permuted | None, judged: Mapping[str, Judgement]) -> tuple[Call, ...]:
    """Return how a script computes it again; nothing before it was asked for."""
    asked = _asked(judged, found.measure) if found is not None else None
    if found is None or asked is None:
        return ()
    kernels, labels, config, measure, options = asked.args
    assert isinstance(kernels, Mapping)
    assert isinstance(options, Mapping)
    made = call(
        "permuted", "permutation_test", dict(kernels), labels, config, measure=measure,
        permutations=found.permutations, **options,
    )  # fmt: skip
    return (made,)


def printed_chance(place: int) -> str:
    """Return what a script prints of the recipe at that place: p of every candidate, by its name."""
    return f"'p against chance', {{name: ${place}.p(name) for name in ${place}.names}}"


# Comparison of kernels that were judged on the same folds: every two, or all with one that was fixed before.

ALL_PAIRS: Final = "all pairs"


def comparisons(judged: Mapping[str, Judgement], *, key: str) -> None:
    """Compare all pairs of kernels, or all with one that was fixed before; nothing where there is one.

    Parameters
    ----------
    judged : dict of str to Judgement
        On the same folds.
    key : str
        The choice is called `<key>.reference`.
    """
    if len(judged) < 2:
        return
    with guard():
        best = max(judged, key=lambda name: judged[name].multi_class.mean)
        reference = choose_pairs(judged, best, key=f"{key}.reference")
        pairs = compare_all(judged) if reference == ALL_PAIRS else compare_with(judged, reference)
        table(
            f"{key}.pairs",
            _cells(pairs),
            title="Is one of them really better?",
        )
        st.caption(rule_words(len(pairs)), help=hint("Told apart", "McNemar", "Holm"))
        csv_button(
            "Comparison as CSV", lambda: pair_rows(pairs), "kernels compared", key=f"{key}.compare.csv", type="tertiary",
            help="One row a pair: differences of accuracy, their intervals, p before and after Holm's correction.",
        )  # fmt: skip


COMPARED = "compared"
SETTINGS = (of_data(COMPARED, "Compare"),)


def choose_pairs(judged: Collection[str], best: str, *, key: str) -> str:
    """Let all pairs, or a reference that was fixed before, be chosen; say so where it is the best of these."""
    # in the order of the kernels, not of their accuracies: the best one must not offer itself
    reference = widgets.choose(
        COMPARED, (ALL_PAIRS, *judged), key=key,
        said=lambda name: name if name == ALL_PAIRS else f"with {name}, fixed before",
        help="A reference is fixed before anything is judged. Against the winner, chosen because it won, p is too "
        "small: then take all pairs.",
    )  # fmt: skip
    if reference == best:
        st.markdown(
            f"{plain(best)} is the best of these. Unless it was fixed before it was judged, take all pairs."
        )
    return reference


def pair_rows(pairs: Sequence[Pair]) -> list[dict[str, object]]:
    """Return one row a pair, in full precision: accuracies from 0 to 1."""
    return [
        {
            "first": pair.first, "second": pair.second, "measure": pair.comparison.measure,
            **paired_row(pair.comparison.paired, pair.p),
            "repetitions": pair.comparison.n_repeats, "pairs": len(pairs),
        }
        for pair in pairs
    ]  # fmt: skip


def _cells(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    found = [pair.comparison.paired for pair in pairs]
    return {
        "kernels": [f"{plain(pair.first)} −\u00a0{plain(pair.second)}" for pair in pairs],
        "multi-class, points [95\u00a0%]": [
            f"**{signed_points(one.difference)}** :gray[{interval_words(one)}]" for one in found
        ],
        "told apart": told_cells([(pair.comparison.paired, pair.p) for pair in pairs]),
        "p of the pair alone": [p_value(one.p).replace(" ", "\u00a0") for one in found],
        "items on either side": [f"{one.first_better}\u00a0:\u00a0{one.second_better}" for one in found],
    }
