"""Better than chance? Labels are permuted and everything is judged again: behind a button, because it takes long.

found = chance(judged, key="evaluate")            # None before it was asked for
p_against_chance(found, name)                     # "p 0.005", beside the number
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe, call
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.permutations import PERMUTATIONS, Permuted, permuting
from kernex_core.pieces import Pieces, finished
from pages.shared.cached import cached
from pages.shared.figures.theme import p_value
from pages.shared.glossary.entries import hint
from pages.shared.messages import plain
from pages.shared.panels.in_pieces import Part, Pieced
from pages.shared.panels.staged import Staged, run_study

LABEL: Final = "Better than chance?"


def _pieces(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    config: CrossValidation,
    measure: str,
    learner: Learner | None,
) -> Pieces[Permuted]:
    return permuting(kernels, labels, config, measure=measure, learner=learner)


@cached
def permuted(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    config: CrossValidation,
    measure: str,
    learner: Learner | None,
) -> Permuted:
    """All kernels beside permuted labels; kept when it is whole."""
    return finished(_pieces(kernels, labels, config, measure, learner))


Args = tuple[Mapping[str, GramMatrix], Labels, CrossValidation, str, Learner | None]


def _args(judged: Mapping[str, Judgement], measure: str) -> Args | None:
    """What has to be judged again; None where that is not one kernel with its labels."""
    kernels: dict[str, GramMatrix] = {}
    for name, made in judged.items():
        gram, labels = made.subject
        if gram is None or not isinstance(labels, Labels) or made.weights.size:
            return None
        kernels[name] = gram
    first = next(iter(judged.values()))
    labels = first.subject[1]
    learner = first.options.get("learner")
    assert isinstance(labels, Labels)
    return kernels, labels, first.config, measure, learner if isinstance(learner, Learner) else None


def chance(judged: Mapping[str, Judgement], *, key: str, measure: str = "multi_class") -> Permuted | None:
    """Draw the button, or progress; return what it found.

    Parameters
    ----------
    judged : dict of str to Judgement
        All that the page shows, on the same folds: p knows how many they are.
    key : str
        The button is called `<key>.chance.run`.
    measure : str
        Of a judgement.
    """
    args = _args(judged, measure)
    if args is None:
        return None
    work = Pieced(permuted, _pieces, args)
    study: Staged[Part[Permuted]] = Staged(work, work.parts, args)  # type: ignore[arg-type]
    found = study.known()
    if found is None or found.result is None:
        folds = judged[next(iter(judged))].passes
        seconds = sum(made.seconds for made in judged.values()) * PERMUTATIONS
        long = f", about {seconds:,.0f} s" if seconds >= 1.0 else ""
        found = run_study(
            study, key=f"{key}.chance", what="% of permutations", automatic=False, label=LABEL,
            cost=f"{PERMUTATIONS} times the labels are permuted and all is judged again, "
            f"{folds.folds * folds.repeats} folds each{long}: this starts with a click.",
        )  # fmt: skip
    return None if found is None else found.result


def known_chance(judged: Mapping[str, Judgement], *, measure: str = "multi_class") -> Permuted | None:
    """Return what `chance` has found of the same, for files and scripts; None before."""
    args = _args(judged, measure) if judged else None
    if args is None:
        return None
    work = Pieced(permuted, _pieces, args)
    study: Staged[Part[Permuted]] = Staged(work, work.parts, args)  # type: ignore[arg-type]
    found = study.known()
    return None if found is None else found.result


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
    if found is not None and name in found.names:
        said = p_against_chance(found, name)
        st.caption(
            f"**{plain(name)}: {said} against chance.** {chance_words(found)}",
            help=hint("Better than chance"),
        )
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


def say_chance(found: Permuted | None) -> None:
    """Draw that sentence; nothing before it was asked for."""
    if found is not None:
        st.caption(chance_words(found), help=hint("Better than chance"))


def chance_row(found: Permuted | None, name: str) -> dict[str, object]:
    """Return what a file says of it; empty cells before it was asked for."""
    known = found is not None and name in found.names
    return {
        "p against chance": found.p(name) if found is not None and known else None,
        "permutations": found.permutations if found is not None and known else None,
    }


def chance_recipe(found: Permuted | None, judged: Mapping[str, Judgement]) -> tuple[Recipe, ...]:
    """Return how a script computes it again; nothing before it was asked for."""
    args = _args(judged, found.measure) if found is not None else None
    if found is None or args is None:
        return ()
    kernels, labels, config, measure, learner = args
    options: dict[str, object] = {} if learner is None else {"learner": learner}
    made = call(
        "permuted", "permutation_test", dict(kernels), labels, config, measure=measure, permutations=found.permutations,
        imports=("from kernex_core import permutation_test",), **options,
    )  # fmt: skip
    return (made,)
