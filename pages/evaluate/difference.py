"""Whether classes differ at all in each judged kernel: no classifier, the means of the classes in feature space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import EqualByContent
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import DIFFERENT, holm
from kernex_core.learning.differences import Difference, PairDifference, classes_differ, pairs_differ
from kernex_core.learning.judgement import Judgement
from kernex_core.runtime.progress import Steps, finished, part
from kernex_core.studies.evaluation import EvaluationConfig, judged_form
from pages.evaluate.settings import Subject
from pages.server.cached import cached
from pages.server.digits import number, p_value, percent
from pages.server.messages import findings, plain
from pages.ui import widgets
from pages.ui.frame import panel_title
from pages.ui.panels.keep import Offer, Result, buttons
from pages.ui.panels.staged import Pieced, run_in_pieces
from pages.ui.shown import table

SHORT: Final = 400
"""Up to this number of items times kernels the permutations take a fraction of a second."""
MOST_PAIRS: Final = 15


@dataclass(frozen=True, eq=False)
class Differences(EqualByContent):
    """What was found of each kernel, and why not of others."""

    found: Mapping[str, Difference]
    refused: Mapping[str, str]

    @property
    def p_holm(self) -> dict[str, float]:
        """p after Holm over the kernels."""
        return dict(zip(self.found, holm([each.p for each in self.found.values()]), strict=True))


def testing(
    config: EvaluationConfig, kernels: Mapping[str, GramMatrix], labels: Labels
) -> Steps[Differences]:
    """Test one kernel after the other, each as it is judged."""
    found: dict[str, Difference] = {}
    refused: dict[str, str] = {}
    for k, (name, K) in enumerate(kernels.items()):
        try:
            steps = classes_differ.steps(judged_form(config, K), labels)
            one = part(steps, k / len(kernels), (k + 1) / len(kernels))
            found[name] = yield from one
        except KernexError as error:
            refused[name] = str(error)
    return Differences(found, refused)


@cached(public=True)
def differences(config: EvaluationConfig, kernels: Mapping[str, GramMatrix], labels: Labels) -> Differences:
    """Of all kernels."""
    return finished(testing(config, kernels, labels))


def pairing(config: EvaluationConfig, K: GramMatrix, labels: Labels) -> Steps[tuple[PairDifference, ...]]:
    """Test every two classes beside each other in a kernel as it is judged."""
    found: tuple[PairDifference, ...] = yield from pairs_differ.steps(judged_form(config, K), labels)
    return found


@cached(public=True)
def pairs(config: EvaluationConfig, K: GramMatrix, labels: Labels) -> tuple[PairDifference, ...]:
    """Every two classes beside each other."""
    return finished(pairing(config, K, labels))


def show(what: Subject, judgements: Mapping[str, Judgement]) -> None:
    """Draw what was found, the pairs of classes of one kernel, and the files of both."""
    learned = [plain(name) for name, made in judgements.items() if made.mode == "leak"]
    if learned:
        st.caption(f"Left out, for the labels made them: {', '.join(learned)}.")
    kernels = {name: what.kernels[name] for name, made in judgements.items() if made.mode != "leak"}
    if not kernels:
        return
    whole = run_in_pieces(
        Pieced(differences, testing, (what.config, kernels, what.labels)), key="evaluate.difference",
        what="% of permutations", at_once=what.dataset.n * len(kernels) <= SHORT, label="Permute the labels",
    )  # fmt: skip
    if whole is None:
        return
    findings([f"{name} was not tested. {reason}" for name, reason in whole.refused.items()])
    if not whole.found:
        return
    st.markdown(sentence(whole))
    ranked = sorted(whole.found.items(), key=lambda named: -named[1].share)
    panel_title("Difference of classes", "beside labels in an order by chance")
    table("evaluate.difference", _columns(ranked, whole.p_holm))
    first = ranked[0][1]
    left = f" Left out, with one item: {', '.join(map(plain, first.left_out))}." if first.left_out else ""
    st.caption(
        f"Share of the scatter that lies between the classes (PERMANOVA), beside what it is by chance: {first.permutations} "
        f"permutations of the labels of {int(first.counts.sum()):,} items, of which a group, or copies, are one (seed "
        f"{first.seed}). Where the spread differs, too, the share may be that of the spread.{left}"
    )
    name = ranked[0][0]
    if len(ranked) > 1:
        name = widgets.choose(
            "pairs_of", [each for each, _ in ranked], key=f"evaluate.pairs.{what.dataset.name}"
        )
    found = run_in_pieces(
        Pieced(pairs, pairing, (what.config, kernels[name], what.labels)), key="evaluate.pairs_differ",
        label="Compare pairs", what="% of permutations", at_once=what.dataset.n * len(first.classes) <= SHORT,
    )  # fmt: skip
    if found is None:
        return
    shown = sorted(found, key=lambda each: (-each.p_holm, each.effect))
    table(
        "evaluate.pairs_differ", _pair_columns(shown[:MOST_PAIRS]), title=f"Pairs of classes in {plain(name)}"
    )
    more = (
        f" The {MOST_PAIRS} that are told apart least; the file has all {len(shown)}."
        if len(shown) > MOST_PAIRS
        else ""
    )
    st.caption(
        "Distance of both means in units of the spread inside the classes. MMD², its square, is near 0 where there is none; "
        f"p of all pairs: after Holm.{more}"
    )
    files = Result(
        "differences of classes",
        table=Offer(lambda: rows(whole), label="Differences as CSV"),
        further=(
            Offer(lambda: pair_rows(name, found), label="Pairs as CSV", name=f"pairs of {name}", key="pairs"),
        ),
        script=Offer(
            lambda: script(
                {each: judged_form(what.config, K) for each, K in kernels.items()}, what.labels, name
            ),
            help="Python that permutes the same labels again.",
        ),
    )
    with st.container(horizontal=True):
        buttons(files, key="evaluate.difference.files", look="tertiary")


def sentence(whole: Differences) -> str:
    """Say in which kernels classes differ, by p after Holm over all kernels."""
    p, found = whole.p_holm, whole.found
    differ = [name for name in found if p[name] < DIFFERENT]
    others = [plain(name) for name in found if name not in differ]
    said = []
    if differ:
        told = [f"{plain(name)} ({percent(found[name].share, 1)}, p {p_value(p[name])})" for name in differ]
        said.append(f"Classes differ in {', '.join(told)}.")
        spread = [plain(name) for name in differ if found[name].spread_p < DIFFERENT]
        if spread:
            said.append(f"They spread differently, too, in {', '.join(spread)}.")
    if others:
        said.append(f"No difference is seen in {', '.join(others)}.")
    return " ".join(said)


def _columns(ranked: list[tuple[str, Difference]], p: Mapping[str, float]) -> dict[str, list[str]]:
    made = [one for _, one in ranked]
    return {
        "kernel": [plain(name) for name, _ in ranked],
        "between classes, %": [number(100.0 * one.share, 1) for one in made],
        "by chance, %": [number(100.0 * float(one.drawn.mean()), 1) for one in made],
        "F": [number(one.F, 2) for one in made],
        "p": [p_value(one.p) for one in made],
        **({"p, all kernels": [p_value(p[name]) for name, _ in ranked]} if len(ranked) > 1 else {}),
        "p of the spread": [p_value(one.spread_p) for one in made],
    }


def _pair_columns(found: list[PairDifference]) -> dict[str, list[str]]:
    return {
        "classes": [f"{plain(one.first)} – {plain(one.second)}" for one in found],
        "distance of means": [number(one.effect, 2) for one in found],
        "MMD²": [number(one.mmd2, 4) for one in found],
        "p": [p_value(one.p) for one in found],
        "p, all pairs": [p_value(one.p_holm) for one in found],
    }


def rows(whole: Differences) -> list[dict[str, object]]:
    """A row a kernel, as a file has it."""
    p = whole.p_holm
    return [
        {
            "kernel": name, "between_classes": one.share, "by_chance": float(one.drawn.mean()), "F": one.F, "p": one.p,
            "p_holm": p[name], "spread_F": one.spread_F, "spread_p": one.spread_p, "items": int(one.counts.sum()),
            "classes": len(one.classes), "permutations": one.permutations, "seed": one.seed,
        }
        for name, one in whole.found.items()
    ]  # fmt: skip


def pair_rows(kernel: str, found: tuple[PairDifference, ...]) -> list[dict[str, object]]:
    """A row a pair of classes, as a file has it."""
    return [
        {
            "kernel": kernel, "first": one.first, "second": one.second, "distance_of_means": one.effect, "mmd2": one.mmd2,
            "p": one.p, "p_holm": one.p_holm,
        }
        for one in found
    ]  # fmt: skip


def script(kernels: Mapping[str, GramMatrix], labels: Labels, name: str) -> str:
    """Script that tests the same kernels, and the pairs of classes of one."""
    made = [call("difference", "classes_differ", K, labels) for K in kernels.values()]
    prints = [f"{kernel!r}, ${k}.share, ${k}.F, ${k}.p, ${k}.spread_p" for k, kernel in enumerate(kernels)]
    return write_script(
        [*made, call("pairs", "pairs_differ", kernels[name], labels)],
        heading="Kernex: whether classes differ",
        prints=[*prints, f"*${len(made)}, sep='\\n'"],
    )
