"""Uploaded files made one data set, aligned by id, or added to one; and the script that makes it again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import ReadOnlyArrays
from kernex_core.base.validation import ITEM_LIMIT, SAMPLE_LIMIT, check_item_count
from kernex_core.completion.hide import Hide
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, write_script
from kernex_core.inputs.catalogue import LABELS, format_named
from kernex_core.inputs.dataset import AnySamples, DataSet
from kernex_core.inputs.format import SURE, Suggestion
from kernex_core.inputs.formats.labels import suggest_for
from kernex_core.inputs.items.align import Alignment, How, Part, align
from kernex_core.inputs.items.join import LabelJoin, join_labels
from kernex_core.inputs.names import MASK, NEW_ROWS, counted, listed
from kernex_core.inputs.options import OpenQuestionError, Question, ReadOptions
from kernex_core.inputs.reading import Guess, rank_formats, read_in, read_samples, read_settling
from kernex_core.inputs.samples import Labels, Note, Similarity, Vectors
from kernex_core.inputs.tables.columnar import YES_OR_NO
from kernex_core.inputs.tables.lines import check_counts
from kernex_core.inputs.upload import Upload


@dataclass(frozen=True, eq=False)
class Assembly(ReadOnlyArrays):
    """Files made one data set.

    Attributes
    ----------
    data : DataSet
    alignment : Alignment or None
        None where only labels were brought.
    join : LabelJoin or None
        None where no file of labels was brought.
    notes : tuple of Note
        What was left out, is missing, or did not match.
    """

    data: DataSet
    alignment: Alignment | None = None
    join: LabelJoin | None = None
    notes: tuple[Note, ...] = ()

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """All ids that did not fit everywhere, by what is the matter with them."""
        found: dict[str, tuple[str, ...]] = {}
        if self.alignment is not None:
            found |= {f"left out of {name}": ids for name, ids in self.alignment.dropped.items()}
            found |= {f"unknown in {name}": ids for name, ids in self.alignment.missing.items()}
        if self.join is not None:
            found["items without a line in the file of labels"] = self.join.without_label
            found["lines of the file of labels without an item"] = self.join.without_item
            found["ids on several lines of the file of labels"] = self.join.duplicates
            found["ids with different labels"] = self.join.conflicting
        return {title: ids for title, ids in found.items() if ids}


def assemble(
    parts: Mapping[str, AnySamples],
    labels: Labels | None = None,
    *,
    name: str = "data",
    base: DataSet | None = None,
    how: How = "union",
    by_position: bool = False,
    loosely: bool = False,
    limit: int = ITEM_LIMIT,
) -> Assembly:
    """Make one data set of files, or add them to one, aligned by id.

    Parameters
    ----------
    parts : mapping of str to Similarity, Sequences or Vectors
        Under the names that they get; a part of `base` of the same name is replaced.
    labels : Labels, optional
        Of a file of their own.
    name : str
        Of a new data set.
    base : DataSet, optional
        What the files are added to.
    how : {"union", "intersection"}
        Keep all items, with unknown rows in kernels that lack some, or those that every source has; see `align`.
    by_position : bool
        Labels without ids are in the order of the items.
    loosely : bool
        Labels are joined also where ids differ only by what programs put around them; see `join_labels`.
    limit : int
        Largest number of items where there is a matrix among the parts; of samples alone there may be SAMPLE_LIMIT.

    Raises
    ------
    InvalidInputError
        Nothing to assemble, or a source without any id in common with the others.
    TooLargeError
        More items than the limit, before room for them is taken.
    """
    if base is None and not parts:
        raise InvalidInputError(
            "Labels belong to items", "labels only", "Bring similarities, sequences or vectors with them"
        )
    data, alignment = base, None
    if parts:
        old: dict[str, Part] = {} if base is None else {**base.samples, **base.kernels}
        every: dict[str, Part] = {**old, **parts}
        _check_shared(every)
        if how == "union":
            matrix = any(isinstance(part, GramMatrix | Similarity) for part in every.values())
            n = len({item for part in every.values() for item in part.ids})
            check_item_count(n, limit if matrix else SAMPLE_LIMIT)
        alignment = align(every, base.labels if base else None, name=name, how=how)
        data = alignment.data if base is None else _renewed(base, alignment.data)
    assert data is not None  # either parts or a base
    join = None if labels is None else join_labels(data, labels, by_position=by_position, loosely=loosely)
    if join is not None:
        data = data.with_labels(join.labels)
    notes = (*(alignment.notes if alignment else ()), *(join.notes if join else ()))
    return Assembly(data, alignment, join, notes)


def _renewed(base: DataSet, made: DataSet) -> DataSet:
    known = {note.text for note in base.notes}
    notes = (*base.notes, *(note for note in made.notes if note.text not in known))
    return replace(
        base, ids=made.ids, labels=made.labels, samples=made.samples, kernels=made.kernels, notes=notes
    )


# What stands beside kernels in files of its own, and is no part of a data set by itself.

Beside = Literal["mask", "new"]


def beside_kernels(parts: Mapping[str, AnySamples]) -> dict[str, tuple[Beside, bool]]:
    """Vectors that say which items kernels have ("mask"), or whose rows are new items against those of a kernel ("new").

    Parameters
    ----------
    parts : mapping of str to samples
        All that is brought, or was there; further kernels of one file count as kernels of their own.

    Returns
    -------
    dict
        By name: which of both, and whether a name says so. By its shape alone it may be measurements, too.
    """
    kernels = [part for part in parts.values() if isinstance(part, Similarity)]
    found: dict[str, tuple[Beside, bool]] = {}
    for name, part in parts.items():
        if not isinstance(part, Vectors) or not part.columns:
            continue
        (n, d), called = part.X.shape, part.columns[0].rpartition(" ")[0]
        own_ids = part.ids != tuple(str(k + 1) for k in range(n))
        if MASK.fullmatch(called) and n in {each.n for each in kernels} and np.isin(part.X, (0.0, 1.0)).all():
            found[name] = "mask", True
        elif any(set(part.columns) == set(each.ids) for each in kernels):
            found[name] = "new", True
        elif n != d and d in {each.n for each in kernels} and not own_ids:
            found[name] = "new", NEW_ROWS.search(called) is not None
    return found


def mask_of(labels: Labels) -> Vectors | None:
    """The mask of one column that a list of 0 and 1 without ids may be; None where it says anything else."""
    if not labels.positional or not YES_OR_NO.issuperset(labels.y):
        return None
    return Vectors(labels.ids, np.isin(labels.y, ("1", "True")).astype(float)[:, None], ("mask",))


def with_mask(kernels: Mapping[str, Similarity], mask: Vectors) -> tuple[dict[str, Similarity], Note]:
    """Kernels of which the items are unknown that a mask marks with 0, one column a kernel, or one for all.

    Raises
    ------
    InvalidInputError
        Another number of columns, or of rows than a kernel has items.
    """
    n, d = mask.X.shape
    if d not in (1, len(kernels)) or {each.n for each in kernels.values()} != {n}:
        raise InvalidInputError(
            "A mask has one row an item, and one column for each kernel, or one for all",
            f"{n:,} × {d:,} for {len(kernels):,} kernels of {listed([f'{each.n:,}' for each in kernels.values()])} items",
            "Bring the kernels that it is about with it, and no others",
        )
    made, lost = {}, 0
    for k, (name, kernel) in enumerate(kernels.items()):
        hidden = tuple(int(i) for i in np.flatnonzero(mask.X[:, k if d > 1 else 0] == 0.0))
        lost += len(hidden)
        made[name] = replace(kernel, gram=kernel.gram.then(Hide(hidden))) if hidden else kernel
    return made, Note(
        f"The mask marks {counted(lost, 'row')} with 0.",
        "They are taken as unknown, whatever stands in them.",
        "Put the mask away to take every row as it is.",
    )


def _check_shared(parts: Mapping[str, Part]) -> None:
    for title, part in parts.items():
        others = {i for other, p in parts.items() if other != title for i in p.ids}
        if len(parts) > 1 and others.isdisjoint(part.ids):
            raise InvalidInputError(
                "Sources are aligned by id, so they need some ids in common",
                f"{title} has items such as {listed(part.ids, 2)}, the rest such as {listed(sorted(others), 2)}",
                "Write the ids alike in every file, or add this one as a data set of its own",
            )


def dataset_script(data: DataSet) -> str:
    """Python source that makes all parts of a data set again."""
    parts: dict[str, AnySamples | GramMatrix] = {**data.samples, **data.kernels}
    recipes = [_recipe(name, part) for name, part in parts.items()]
    if data.labels is not None:
        recipes.append(_recipe("labels", data.labels))
    return write_script(
        recipes,
        heading=f"Kernex: the data set {' '.join(data.name.split())}, {data.n:,} items",
        prints=[f"len(${place}.ids)" for place in range(len(recipes))],
    )


def _recipe(name: str, part: AnySamples | GramMatrix | Labels) -> Call:
    """Call of a part; what no file holds, such as labels corrected by hand, is written out."""
    recipe: Call | None = part.recipe
    if recipe is not None:
        return replace(recipe, name=name)
    assert not isinstance(part, GramMatrix)  # which always knows how it came to be
    return Call(name, "", (replace(part, notes=()),))


# How an uploaded file may be read: every format with its confidence, and the reading of one that was chosen.

__all__ = ["LABELS", "SURE", "Reading", "read_as", "read_asking", "readings", "suggest"]


def readings(upload: Upload) -> tuple[Guess, ...]:
    """All formats that a file may be read in, likeliest first.

    Raises
    ------
    InvalidInputError, TooLargeError
        Not even unpacked: empty, damaged, or a bomb; or more columns, lines or records than anything is read of.
    """
    return rank_formats(upload)


def suggest(upload: Upload, name: str, items: Sequence[str] = ()) -> Suggestion:
    """Options to start from when a file is read in the format of that name.

    Parameters
    ----------
    upload : Upload
    name : str
        Of the format.
    items : sequence of str
        Ids of the data that are there: labels are joined to them, so their column of ids is the one that names most.

    Raises
    ------
    InvalidInputError
        The file cannot be read so at all.
    """
    return suggest_for(upload, items) if name == LABELS and items else format_named(name).suggest(upload)


def read_as(upload: Upload, name: str, options: ReadOptions) -> AnySamples | Labels:
    """Read a file in a format; with name "", by guess, which says best what is wrong with an unclear file.

    Raises
    ------
    KernexError
        See `read_samples` and `read_labels`.
    """
    check_counts(upload, max(options.limit, SAMPLE_LIMIT))
    if not name:
        return read_samples(upload, upload.filename)
    return read_in(dataclasses.replace(upload, format=name), format_named(name), options)


@dataclass(frozen=True)
class Reading:
    """What came of a file, and what it left open.

    Attributes
    ----------
    options : ReadOptions
        What it was read with: what it settles itself and what was answered are in them.
    questions : tuple of Question
        Those that it settles, and those that nobody has answered yet.
    result : samples, Labels or None
    error : KernexError or None
        In place of a result.
    """

    options: ReadOptions
    questions: tuple[Question, ...] = ()
    result: AnySamples | Labels | None = None
    error: KernexError | None = None


def read_asking(upload: Upload, name: str, options: ReadOptions, answers: Mapping[str, str]) -> Reading:
    """Read a file in a format; what it leaves open is asked rather than guessed.

    Parameters
    ----------
    upload : Upload
    name : str
        Of the format.
    options : ReadOptions
        To start from.
    answers : mapping of str to str
        Values by option; they stand before what the file settles.
    """
    questions: list[Question] = []
    plain = type(options)()
    chosen = {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if getattr(options, field.name) != getattr(plain, field.name)
    }
    used = options

    def made_with(settled: Mapping[str, Any]) -> ReadOptions:
        nonlocal used
        used = replace(options, **{**settled, **answers})
        return used

    error: KernexError | None = None
    made = None
    try:
        check_counts(upload, max(options.limit, SAMPLE_LIMIT))
        whole, form = replace(upload, format=name), format_named(name)
        _, made = read_settling(whole, form, {**chosen, **answers}, made_with, questions)
    except OpenQuestionError as found:
        error = found
        if found.question not in questions:
            questions.append(found.question)
    except KernexError as found:
        error = found
    return Reading(used, tuple(questions), made, error)
