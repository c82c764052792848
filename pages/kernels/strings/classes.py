"""Why one sequence is taken for one class: weights of k-mers along it, and the heaviest k-mers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.studies.sequences.classifier import (
    ClassConfig,
    ClassEvidence,
    KmerClassifier,
    KmerEvidence,
    KmerKernel,
    explain_class,
    has_kmer_weights,
    train_on_kmers,
)
from pages.export.downloads import csv_button
from pages.server.cached import cached
from pages.server.declared import of as of_field
from pages.server.declared import of_items, setting
from pages.server.digits import in_table, number
from pages.server.messages import findings, guard, plain, shortened
from pages.ui import settings as held
from pages.ui import widgets
from pages.ui.answer import VerdictPlace
from pages.ui.chosen import agreement, exact
from pages.ui.figures.bars import signed_bars
from pages.ui.figures.curve import MOST_LETTERS, weights_along
from pages.ui.frame import panel_title
from pages.ui.panels.build import computed
from pages.ui.panels.linked import draw
from pages.ui.panels.verdicts import places
from pages.ui.widget import controls

# Weights of k-mers along a sequence, and the heaviest of them, as pictures, tables and files.

EACH = 10
"""K-mers that are listed for the class, and as many against it."""
SHOWN_WINDOWS = 4
CLASSIFIER, HERE = "in the classifier", "in this sequence"


def along(made: ClassEvidence, item: str) -> None:
    """Draw what every letter adds to the decision value; a slider chooses a stretch of a long sequence."""
    n = len(made.string)
    if not any(each.size for each in made.windows):
        st.markdown("This sequence is shorter than a k-mer: its decision value is the intercept.")
        return
    panel_title(
        f"Along {plain(shortened(item, 40))}",
        f"{n:,} letters; orange speaks for “{plain(made.of_class)}”, blue against; every window's contribution shared "
        "equally by its letters",
    )
    begin, end = 1, n
    if n > MOST_LETTERS:
        begin, end = widgets.between(
            "letters", 1, n, default=(1, n), key=f"sequences.class.letters.{item}.{n}",
            help=f"Up to {MOST_LETTERS} letters are drawn one by one; of more, bars are means of blocks.",
        )  # fmt: skip
    part = slice(begin - 1, end)
    hover = _windows(made, part) if end - begin < MOST_LETTERS else None
    picture = weights_along(
        made.along[part], made.string[part], hover=hover, start=begin - 1, y_title="part of f(x)"
    )
    draw(picture, "sequences.class.along")
    if picture.note:
        st.caption(f"{picture.note[0].upper()}{picture.note[1:]}.")


CLASS_PICTURES_SETTINGS = setting("letters", "Letters"), setting("by", "Heaviest k-mers by")


def _windows(made: ClassEvidence, part: slice) -> list[str]:
    """Return the windows that start at each letter with what they contribute, the heaviest of many lengths."""
    texts = []
    for at in range(part.start, part.stop):
        found = [
            (float(values[at]), made.string[at : at + table.kernel.k])
            for table, values in zip(made.tables, made.windows, strict=True)
            if at < len(values)
        ]
        found.sort(key=lambda each: -abs(each[0]))
        texts.append(", ".join(f"{window} {number(value)}" for value, window in found[:SHOWN_WINDOWS]))
    return texts


def heaviest(made: ClassEvidence, item: str) -> None:
    """Draw the heaviest k-mers of both signs as bars and as a table, with downloads of all of them."""
    left, right = st.columns([1.0, 1.25], gap="medium")
    with left:
        panel_title("Heaviest k-mers", "for the class on top, against it below")
        by = widgets.pick("by", [HERE, CLASSIFIER], key="sequences.class.by", label_visibility="collapsed")
    here = by == HERE
    listed = [
        *made.heaviest(EACH, positive=True, here=here),
        *reversed(made.heaviest(EACH, positive=False, here=here)),
    ]
    if not listed:
        left.markdown("No k-mer has a weight here.")
        return
    with left:
        values = [each.contribution if here else each.weight for each in listed]
        bars = signed_bars(
            values, names=[each.kmer for each in listed], x_title="part of f(x)" if here else "weight w"
        )
        draw(bars, "sequences.class.bars")
    with right:
        st.dataframe(
            in_table(pd.DataFrame([_row(each) for each in listed])), hide_index=True, height=36 * 11 + 2
        )
        st.caption(
            "Times: windows of this sequence that are the k-mer, or within the allowed mismatches of it. "
            f"Part of *f*(*x*) = *w* × times{' / √K(x,x)' if made.length != 1.0 else ''}."
        )
        with st.container(horizontal=True):
            csv_button(
                "Weights as CSV", lambda: pd.DataFrame(made.evidence()), f"{made.of_class} k-mer weights",
                key="sequences.class.weights", help="Every k-mer with a weight, for this class.",
            )  # fmt: skip
            csv_button(
                "Positions as CSV", lambda: pd.DataFrame(_positions(made)), f"{item} {made.of_class} positions",
                key="sequences.class.positions", help="Letter by letter, and the window that starts there.",
            )  # fmt: skip


def _row(each: KmerEvidence) -> dict[str, object]:
    return {
        "K-mer": each.kmer, "Weight w": each.weight, "Times": int(each.occurrences), "Part of f(x)": each.contribution
    }  # fmt: skip


def _positions(made: ClassEvidence) -> Mapping[str, ArrayLike]:
    """Return columns position, letter, its contribution, and for each length of k-mers the window that starts there."""
    n = len(made.string)
    columns: dict[str, ArrayLike] = {
        "position": list(range(1, n + 1)), "letter": list(made.string), "contribution": made.along
    }  # fmt: skip
    for table, values in zip(made.tables, made.windows, strict=True):
        k, kept = table.kernel.k, values.tolist()
        columns[f"window of {k}"] = [made.string[i : i + k] if i < len(kept) else "" for i in range(n)]
        columns[f"contribution of window of {k}"] = kept[:n] + [None] * (n - len(kept))
    return columns


@cached(public=True)
def trained(
    kernel: KmerKernel, samples: Sequences, labels: Labels, config: ClassConfig, without: str, K: GramMatrix
) -> KmerClassifier:
    """Return the support vector machines of all classes."""
    return train_on_kmers(kernel, samples, labels, config, without=without, K=K)


@cached(public=True)
def evidence(
    kernel: KmerKernel, samples: Sequences, labels: Labels, config: ClassConfig, without: str, K: GramMatrix,
    item: str, of_class: str,
) -> ClassEvidence:  # fmt: skip
    """Return the decision value of one sequence for one class as a sum."""
    classifier = trained(kernel, samples, labels, config, without, K)
    return explain_class(classifier, samples.strings[samples.ids.index(item)], of_class)


def why_this_class(
    dataset: DataSet,
    samples: Sequences,
    name: str,
    kernel: AbstractKernel[Sequence[str]],
    top: DeltaGenerator,
) -> None:
    """Draw the decision value of a chosen sequence and class as weights of k-mers.

    Parameters
    ----------
    dataset : DataSet
        With the labels.
    samples : Sequences
    name : str
        Of the samples.
    kernel : AbstractKernel
        With its data-dependent defaults resolved on all samples.
    top : container
        Where both decision values are said.
    """
    with guard():
        if not has_kmer_weights(kernel):
            st.info(
                f"{kernel.title} has no weights of k-mers. Choose Spectrum, Spectrum sum or Mismatch: there a "
                "classifier is one weight for each k-mer, and its decision value is their sum along the sequence.",
                icon=":material/info:",
            )
            return
        labels = _labels(dataset)
        K = computed(kernel, samples, f"{kernel.title} of {name}")
        if K is None:
            return
        item, of_class, config, without = _choices(dataset, samples, labels, name)
        args = (kernel, samples, labels, config, without, K)
        made = evidence.peek(*args, item, of_class)
        if made is None:
            with st.spinner(
                f"Training on {int(labels.labelled.sum()):,} sequences, then weighing their k-mers"
            ):
                made = evidence(*args, item, of_class)
        classifier = trained(*args)
        with top:
            place = VerdictPlace()
        place.sentence.markdown(_numbers(made, classifier, labels, item))
        along(made, item)
        heaviest(made, item)
        findings(_remarks(made, classifier, kernel))


def _labels(dataset: DataSet) -> Labels:
    labels = dataset.labels
    if labels is None or not labels.judgeable:
        found = (
            "no labels" if labels is None or not labels.classes else f"only class {labels.classes[0][0]!r}"
        )
        raise InvalidInputError(
            "A classifier needs labelled sequences of at least two classes",
            f"{found} in {dataset.name!r}",
            "Bring labels on the page Data, or select items of more classes",
        )
    return labels


SETTINGS = (
    of_items("item", "Sequence"), of_items("of_class", "Class"), *of_field(ClassConfig, prefix="class_"),
    setting("without", "Leave it out"), *CLASS_PICTURES_SETTINGS,
)  # fmt: skip


def _choices(
    dataset: DataSet, samples: Sequences, labels: Labels, name: str
) -> tuple[str, str, ClassConfig, str]:
    """Draw what is explained and how the classifier is trained; starts with the largest class and one of its items."""
    key = f"sequences.class.{dataset.name}"
    classes = [each for each, _ in labels.classes]
    of = dict(zip(samples.ids, labels.y.tolist(), strict=True))
    start = next(i for i, label in enumerate(labels.y.tolist()) if label == classes[0])
    columns = places(230, 160, "content", 170, "content", align="bottom")
    with columns[0]:
        item = widgets.choose(
            "item", samples.ids, default=samples.ids[start], key=f"{key}.item.{name}",
            said=lambda each: f"{each} · {of[each] or 'unlabelled'}",
            help="Whose decision value is explained, with its label. Type to search by id.",
        )  # fmt: skip
    held.hangs_on("of_class", item)
    with columns[1]:
        of_class = widgets.choose(
            "of_class", classes, default=of[item], key=f"{key}.of.{item}",
            help="The classifier asks: is it this class, or any other? Starts with the sequence's own label.",
        )  # fmt: skip
    config = controls(ClassConfig(C=dataset.defaults.C), f"{key}.config", slots=columns[2:4], prefix="class_")
    with columns[4]:
        left_out = widgets.switch(
            "without", key=f"{key}.without", disabled=not of[item],
            help="Leaves this sequence out of the training, so that its decision value is a prediction.",
        )  # fmt: skip
    return item, of_class, config, item if left_out and of[item] else ""


def _numbers(made: ClassEvidence, classifier: KmerClassifier, labels: Labels, item: str) -> str:
    """Say both decision values, and what they mean."""
    c, name = len(made.classes), f"“{plain(made.of_class)}”"
    best = made.classes[int(made.decisions.argmax())]
    says = f"above 0: yes to {name}" if made.decision > 0.0 else f"not above 0: no to {name}"
    largest = f"the largest of {c} decision values, one a class"
    if best != made.of_class:
        top = exact(float(made.decisions.max()))
        largest = f"but the largest of {c} decision values, one a class, is {top} of “{plain(best)}”"
    agree = agreement(made.discrepancy, made.sum_of_windows + made.intercept - made.decision)
    among = item in classifier.ids
    own = labels.y[labels.ids.index(item)]
    inside = "was among them" if among else ("was left out" if own else "has no label and was not among them")
    return (
        f"All windows {exact(made.sum_of_windows)} + intercept *b* = {exact(made.intercept)} sum to "
        f"**{exact(made.sum_of_windows + made.intercept)}**; kernel and support vectors say "
        f"*f*(*x*) = **{exact(made.decision)}**, {says} ({largest}).  \n"
        f"{agree} :gray[They were computed apart: a table of k-mer weights, against Σ β k(x, x′) + b over the training "
        f"sequences. Trained on {len(classifier.ids):,} labelled items, {counted(c, 'class')}, "
        f"C = {number(classifier.config.C)}, {_normalisation(classifier)}; this sequence {inside}.]"
    )


def _normalisation(classifier: KmerClassifier) -> str:
    return "cosine-normalised" if classifier.config.normalize == "cosine" else "not normalised"


def _remarks(made: ClassEvidence, classifier: KmerClassifier, kernel: KmerKernel) -> list[str]:
    said = list(kernel.remarks([made.string])) if made.string else []
    if classifier.machine.not_converged:
        said.append(
            f"{counted(classifier.machine.not_converged, 'classifier')} stopped before the optimum was reached: choose a "
            "smaller C, or cosine normalisation."
        )
    return said
