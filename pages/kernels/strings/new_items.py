"""New sequences on the page Strings: pasted or uploaded, compared with the data, completed, and named a class."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import listed
from kernex_core.inputs.new_items import read_new
from kernex_core.inputs.samples import Labels, Note, Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.neighbours import Nearest
from kernex_core.learning.predict import Predictions
from kernex_core.studies.completion.study import Completion, CompletionConfig
from kernex_core.studies.sequences.new_items import (
    ComparedRows,
    ConditionedRows,
    Extended,
    classes_of,
    comparing,
    conditioned_rows,
    extended,
    joint_classes,
    neighbours_of,
    unrelated,
)
from pages.server.cached import cached
from pages.server.declared import of, of_data, of_items
from pages.server.digits import duration, number, percent
from pages.server.messages import findings, guard, plain
from pages.server.readers import tasks
from pages.ui import chosen, widgets
from pages.ui import shown as registry
from pages.ui.figures.bars import weight_bars
from pages.ui.files import kept_upload, read_apart
from pages.ui.frame import panel_title
from pages.ui.panels.build import computed
from pages.ui.panels.keep import Offer, Result, keep_row
from pages.ui.panels.linked import draw as linked_draw
from pages.ui.panels.source_target import completion, conditioned_source
from pages.ui.widget import controls, widget

# What the tab New sequences gives away: all similarities as a table and as arrays, and the script.


@dataclass(frozen=True)
class CarriedRows:
    """Rows of the new sequences, and what they are carried through.

    Attributes
    ----------
    rows : ComparedRows
    source : GramMatrix
        The string kernel of the data, repaired and normalised.
    made : Completion or None
        Of the chosen target.
    asked : (CompletionConfig, GramMatrix, GramMatrix) or None
        What it was made from: settings, string kernel and target. Caches go by these, which have digests already.
    labels : Labels or None
        Only with at least two classes.
    lam, C : float
    """

    rows: ComparedRows
    source: GramMatrix
    made: Completion | None
    asked: tuple[CompletionConfig, GramMatrix, GramMatrix] | None
    labels: Labels | None
    lam: float
    C: float


def all_rows(
    source: GramMatrix, rows: ComparedRows, cross: FloatArray, carried: Extended | None
) -> dict[str, ArrayLike]:
    """Arrays with one row a new sequence and one column an item, and the ids of both."""
    arrays: dict[str, ArrayLike] = {
        "raw": rows.raw, "similarity": cross, "new_ids": np.array(rows.ids), "ids": np.array(source.ids)
    }  # fmt: skip
    if carried is not None:
        arrays |= {"extrapolated": carried.extrapolated, "joint": carried.joint}
    return arrays


def pair_table(
    source: GramMatrix, rows: ComparedRows, cross: FloatArray, carried: Extended | None
) -> pd.DataFrame:
    """Table with one row a pair of a new sequence and an item."""
    n = source.n
    columns: dict[str, ArrayLike] = {
        "new": np.repeat(np.array(rows.ids), n),
        "item": np.tile(np.array(source.ids), len(rows.ids)),
        "raw": rows.raw.ravel(),
        "similarity": cross.ravel(),
    }
    if carried is not None:
        columns |= {"extrapolated": carried.extrapolated.ravel(), "joint": carried.joint.ravel()}
    return pd.DataFrame(columns)


def script(
    kernel: AbstractKernel[Sequence[str]], samples: Sequences, new: Sequences, answer: CarriedRows
) -> str:
    """Script that names the classes of the new sequences by the string kernel.

    Raises
    ------
    ValueError
        Without labels there are no classes to name.
    """
    if answer.labels is None:
        raise ValueError("classes need labels")
    states = call("states", "comparing_new", kernel.written(samples), samples, new)
    rows = call("rows", "last_state", states)
    carried = call("carried", "conditioned_rows", answer.source, rows)
    made = call("predictions", "classes_of", answer.source, answer.labels, carried, answer.C)
    return write_script(
        [made],
        heading="Kernex: classes of new sequences",
        prints=["*zip($0.ids, $0.labels, $0.margin.tolist()), sep='\\n'"],
    )


# What new sequences turn out to be: neighbours, completed similarities, classes; one row each, then one in detail.

MOST_CLASSES = 24
SHOWN = 8
MOST_PAIRS = 1_000_000
"""Pairs of a new sequence and an item up to which all of them can be downloaded as a table."""


@cached
def carried_rows(source: GramMatrix, rows: ComparedRows) -> ConditionedRows:
    """Return rows and self-similarities after the steps of the source; whatever follows takes these."""
    return conditioned_rows(source, rows)


@cached
def nearest(source: GramMatrix, rows: ConditionedRows) -> Nearest:
    """Return the nearest items of every new one."""
    return neighbours_of(source, rows, SHOWN)


@cached
def carried_over(
    config: CompletionConfig, K: GramMatrix, target: GramMatrix, rows: ConditionedRows, lam: float
) -> Extended:
    """Return the similarities in the target."""
    return extended(completion(config, K, target), rows, lam)


@cached
def predicted(source: GramMatrix, labels: Labels, rows: ConditionedRows, C: float) -> Predictions:
    """Return the classes by the string kernel."""
    return classes_of(source, labels, rows, C)


@cached
def predicted_jointly(
    config: CompletionConfig, K: GramMatrix, target: GramMatrix, labels: Labels, found: Extended, C: float
) -> Predictions:
    """Return the classes by the joint kernel."""
    return joint_classes(completion(config, K, target), labels, found, C)


NEW_RESULTS_SETTINGS = (of_items("new_one", "Look at"),)


def results(
    dataset: DataSet,
    kernel: AbstractKernel[Sequence[str]],
    samples: Sequences,
    new: Sequences,
    answer: CarriedRows,
) -> None:
    """Draw the table of all new sequences, and one of them in detail."""
    rows = carried_rows(answer.source, answer.rows)
    closest = nearest(answer.source, rows).positions
    carried = None if answer.asked is None else carried_over(*answer.asked, rows, answer.lam)
    by_string, by_joint = _classes(answer, rows, carried)
    table = _table(answer, new, rows.cross, closest[:, 0], carried, by_string, by_joint)
    narrow = {name: st.column_config.TextColumn(width="small") for name in ("new sequence", "nearest")}
    marked = chosen.first(table, "new sequence", "nearest")
    registry.list_rows("sequences.new", table, "New sequences")
    st.dataframe(marked, hide_index=True, width="stretch", column_config=narrow, key="sequences.new.table")
    st.caption(_basis(answer, by_string))
    named = by_string is not None and answer.labels is not None
    result = Result(
        "new sequences",
        table=Offer(lambda: table, label="Table as CSV"),
        arrays=Offer(
            lambda: all_rows(answer.source, answer.rows, rows.cross, carried),
            help="NumPy archive: similarities of new sequences (rows) and items, raw, conditioned and carried over; ids.",
            name="new sequences similarities",
        ),
        further=(
            Offer(
                lambda: pair_table(answer.source, answer.rows, rows.cross, carried),
                label="Similarities as CSV",
                help="Every new sequence with every item: raw, conditioned, and carried over.",
                name="new sequences similarities",
                key="rows",
            ),
        )
        if rows.cross.size <= MOST_PAIRS
        else (),
        script=Offer(
            lambda: script(kernel, samples, new, answer),
            help="Python that names the classes again with kernex_core alone.",
        )
        if named
        else None,
        report=True,
    )
    keep_row(result, key="sequences.new")
    _one(answer, rows.cross, closest, carried, by_joint or by_string, joint=by_joint is not None)


def _classes(
    answer: CarriedRows, rows: ConditionedRows, carried: Extended | None
) -> tuple[Predictions | None, Predictions | None]:
    by_string = by_joint = None
    if answer.labels is not None:
        with guard():
            by_string = predicted(answer.source, answer.labels, rows, answer.C)
        if answer.asked is not None and carried is not None:
            with guard():
                by_joint = predicted_jointly(*answer.asked, answer.labels, carried, answer.C)
    return by_string, by_joint


def _table(
    answer: CarriedRows,
    new: Sequences,
    cross: FloatArray,
    closest: IntArray,
    carried: Extended | None,
    by_string: Predictions | None,
    by_joint: Predictions | None,
) -> pd.DataFrame:
    columns: dict[str, ArrayLike] = {
        "new sequence": list(new.ids),
        "letters": [len(string) for string in new.strings],
        "nearest": [answer.source.ids[i] for i in closest],
        "similarity": cross[np.arange(new.n), closest].round(4),
    }
    if answer.labels is not None:
        columns["its class"] = [answer.labels.y[i] for i in closest]
    for title, made in (("", by_string), ("joint ", by_joint)):
        if made is not None:
            columns[f"{title}class"] = list(made.labels)
            columns[f"{title}margin"] = made.margin.round(3)
    if carried is not None:
        columns["explained, %"] = (100.0 * carried.explained).round(1)
    return pd.DataFrame(columns)


def _basis(answer: CarriedRows, made: Predictions | None) -> str:
    parts = [
        "Similarity: after clipping negative eigenvalues and cosine normalisation, fitted on the data alone."
    ]
    if made is not None and answer.labels is not None:
        parts.append(
            f"Classes: one C-SVM a class, C = {answer.C:g}, trained on all {int(answer.labels.labelled.sum()):,} labelled "
            f"items of {len(made.classes)} classes; new sequences were not seen. Margin: largest decision value minus the "
            "runner-up; near 0 = undecided."
            + (" Joint: the same by the joint kernel." if answer.made is not None else "")
        )
    elif answer.labels is None:
        parts.append("Classes need labels of at least two classes, which are brought on the page Data.")
    if answer.made is not None:
        known = int(answer.made.known.sum())
        parts.append(
            f"Explained: share of a sequence's own similarity that the {known:,} known items explain; near 0\u00a0% nothing "
            "can be carried over to it."
        )
    return " ".join(parts)


def _one(
    answer: CarriedRows,
    cross: FloatArray,
    closest: IntArray,
    carried: Extended | None,
    made: Predictions | None,
    *,
    joint: bool,
) -> None:
    ids = answer.rows.ids
    name = widgets.choose("new_one", ids, key="sequences.new.one") if len(ids) > 1 else ids[0]
    at = ids.index(name) if name in ids else 0
    left, right = st.columns([1, 1.2], gap="medium")
    with left:
        _decisions(ids[at], at, made, joint=joint)
    with right:
        _nearest(answer, at, cross, closest[at], carried)


def _decisions(name: str, at: int, made: Predictions | None, *, joint: bool) -> None:
    if made is None:
        return
    panel_title("Decision values", f"of {plain(name)}, by the {'joint' if joint else 'string'} kernel")
    order = np.argsort(-made.decisions[at], kind="stable")[:MOST_CLASSES]
    picture = weight_bars(
        made.decisions[at][order], names=[made.classes[c] for c in order], highlighted=[0], x_title="class",
        y_title="decision value", height=260,
    )  # fmt: skip
    linked_draw(picture, "sequences.new.decisions")
    st.caption("Above 0 its C-SVM says yes; the largest value is the class that is named.")


def _nearest(
    answer: CarriedRows, at: int, cross: FloatArray, places: IntArray, carried: Extended | None
) -> None:
    panel_title("Nearest items", "by the distance that the string kernel induces")
    at_hand = set(chosen.chosen_ids())
    named = [answer.source.ids[i] for i in places]
    columns = {"item": [plain(name) for name in named]}
    if at_hand.intersection(named):
        columns["chosen"] = ["●" if name in at_hand else "" for name in named]
    if answer.labels is not None:
        columns["class"] = [plain(answer.labels.y[i]) for i in places]
    columns["similarity"] = [number(cross[at, i], 3) for i in places]
    if carried is not None:
        columns["extrapolated"] = [number(carried.extrapolated[at, i], 3) for i in places]
        columns["joint"] = [number(carried.joint[at, i], 3) for i in places]
    registry.table("sequences.nearest", columns)
    if carried is not None:
        st.caption(
            f"Extrapolated and joint (λ = {answer.lam:g}): similarities in the target, by way of the string kernel; "
            f"{percent(carried.explained[at], 0)} of this sequence is explained by known items."
        )


NO_TARGET = "none"
CHANGED = 5
"""Every how-many-th letter of the example is another one than in the data."""


@cached
def new_rows(kernel: AbstractKernel[Sequence[str]], samples: Sequences, new: Sequences) -> ComparedRows:
    """Return the rows of the new sequences; the page keeps them under the same key."""
    return list(comparing(kernel, samples, new))[-1]


def draw(dataset: DataSet, samples: Sequences, name: str, kernel: AbstractKernel[Sequence[str]]) -> None:
    """Draw the tab."""
    new = _brought(samples, f"{dataset.name}.{name}")
    if new is None:
        return
    findings([*new.notes, *kernel.remarks(new.strings)])
    K = computed(kernel, samples, f"{kernel.title} of {name}")
    if K is None:
        st.caption("New sequences are compared with the matrix of the data, which is computed first.")
        return
    rows = _rows(kernel, samples, new)
    if alone := unrelated(K, rows):
        findings([_nothing_shared(alone)])
    target, lam, nugget, C = _settings(dataset)
    source = conditioned_source("clip", True, K)
    made = asked = None
    if target is not None:
        with guard():
            config = CompletionConfig(share=None, nugget=nugget)
            made = completion(config, K, target)
            asked = config, K, target
    labels = dataset.judgeable
    results(
        dataset,
        kernel,
        samples,
        replace(new, notes=()),
        CarriedRows(rows, source, made, asked, labels, lam, C),
    )


def _nothing_shared(ids: tuple[str, ...]) -> Note:
    return Note(
        f"New sequences that share nothing with any item by this kernel: {len(ids):,} ({listed(ids)}).",
        "Their nearest item and their class mean nothing: only the offsets of the classifiers decide.",
        "Choose shorter words, mismatches, or a smaller β of the local alignment kernel.",
        "warning",
    )


def _brought(samples: Sequences, key: str) -> Sequences | None:
    """What stands in the text box or in the file; the box starts with a changed sequence of the data."""
    panel_title("New sequences", "that are not in the data; FASTA, or one sequence a line")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        text = st.text_area(
            "Paste", example(samples), height=130, key=f"sequences.new.paste.{key}", persist_state="session",
            max_chars=2_000_000,
            help="The example is a sequence of the data in which every fifth letter is another one.",
        )  # fmt: skip
    with right:
        file = kept_upload(
            "Or a file", key="sequences.new.file", help="FASTA, also gzipped: .fasta, .fa, .faa, .fna, .fas, "
            ".txt, .gz. It counts instead of the text.",
        )  # fmt: skip
    found = None
    with guard():
        if file is not None:
            found = read_apart(tasks.new_sequences, file, samples.ids, samples.alphabet)
        elif not text.strip():
            raise InvalidInputError(
                "At least one sequence is needed", "an empty box", "Paste one, or upload a file"
            )
        else:
            found = read_new(text.encode(), "pasted text", samples)
    return found


def example(samples: Sequences) -> str:
    """FASTA of the longest of the first sequences, with letters exchanged so that it is a new one."""
    at = max(range(min(samples.n, 20)), key=lambda i: len(samples.strings[i]))
    letters = list(samples.strings[at])
    for place in range(CHANGED - 1, len(letters), CHANGED):
        letters[place] = letters[(place + 1) % len(letters)]
    return f">like_{samples.ids[at]}\n{''.join(letters)}"


def _rows(kernel: AbstractKernel[Sequence[str]], samples: Sequences, new: Sequences) -> ComparedRows:
    found = new_rows.peek(kernel, samples, new)
    if found is not None:
        return found
    bar = st.empty()
    made = None
    began = time.perf_counter()
    for made in comparing(kernel, samples, new):
        if made.done < made.total:
            left = duration((time.perf_counter() - began) * (made.total - made.done) / made.done)
            bar.progress(
                made.done / made.total,
                f"{made.done:,} of {made.total:,} new sequences compared, about {left} left; a move of any control stops it",
            )
    bar.empty()
    assert made is not None  # there is at least one new sequence
    return new_rows.keep(made, kernel, samples, new)


SETTINGS = (
    of_data("new_target", "Carry over to"), *of(Complete, "lam", "nugget", prefix="new_", about="new sequences"),
    *of(CrossValidation, "C", prefix="new_", about="new sequences"),
)  # fmt: skip


def _settings(dataset: DataSet) -> tuple[GramMatrix | None, float, float, float]:
    """Target kernel, λ, nugget and C."""
    columns = st.columns([2, 2, 1.5, 2], vertical_alignment="bottom")
    names = [NO_TARGET, *dataset.kernels]
    start = names.index(dataset.target) if dataset.target in names else 0
    with columns[0]:
        target = widgets.choose(
            "new_target", names, default=names[start], key=f"sequences.new.target.{dataset.name}",
            said=lambda name: "no other kernel" if name == NO_TARGET else name,
            help="A kernel of the same items that nobody can compute for new ones, such as one from structures: it is "
            "completed from the string kernel.",
        )  # fmt: skip
    lam, nugget = 0.25, dataset.defaults.nugget
    if target != NO_TARGET:
        described = parameters(Complete)
        with columns[1]:
            lam = float(widget(described["lam"], lam, name="lam", key="sequences.new.lam", setting="new_lam"))
        with columns[2]:
            key = "sequences.new.nugget"
            nugget = float(widget(described["nugget"], nugget, name="nugget", key=key, setting="new_nugget"))
    with columns[3]:
        protocol = CrossValidation(C=dataset.defaults.C)
        C = controls(protocol, f"sequences.new.{dataset.name}", only=["C"], prefix="new_").C
    return (None if target == NO_TARGET else dataset.kernels[target]), lam, nugget, C
