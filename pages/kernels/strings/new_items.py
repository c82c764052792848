"""New sequences on the page Strings: pasted or uploaded, compared with the data, completed, and named a class."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import listed
from kernex_core.inputs.new_items import read_new
from kernex_core.inputs.samples import Note, Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig
from kernex_core.studies.sequences.new_items import ComparedRows, comparing, unrelated
from pages.kernels.strings.new_files import CarriedRows
from pages.kernels.strings.new_results import results
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.declared.settings import of, of_data
from pages.shared.files.kept import kept_upload
from pages.shared.files.reading import read_apart
from pages.shared.frame import panel_title
from pages.shared.messages import findings, guard
from pages.shared.panels.build import computed
from pages.shared.panels.build_state import duration
from pages.shared.panels.source_target import completion, conditioned_source
from pages.shared.readers import tasks
from pages.shared.settings import widgets
from pages.shared.widget import widget

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
