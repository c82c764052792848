"""Labels joined to items: by id, or by position where there are no ids and the user says so."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import ReadOnlyArrays
from kernex_core.gram.provenance import Call, call, part
from kernex_core.inputs.findings.class_notes import class_notes
from kernex_core.inputs.items.match import Items, difference, ids_of, matched
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Labels, Note


@dataclass(frozen=True, eq=False)
class LabelJoin(ReadOnlyArrays):
    """Labels joined to items.

    Attributes
    ----------
    labels : Labels
        In the order of the items; "" where there is none.
    matched : int
        Items that were found in the file of labels.
    without_label : tuple of str
        Items that the file does not name.
    without_item : tuple of str
        Ids of the file that are no items.
    duplicates, conflicting : tuple of str
        Ids on several lines, and those of them with different labels.
    singletons : tuple of str
        Classes with one member among the items.
    by_position : bool
        Joined by order, not by id.
    notes : tuple of Note
    """

    labels: Labels
    matched: int
    without_label: tuple[str, ...] = ()
    without_item: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    singletons: tuple[str, ...] = ()
    by_position: bool = False
    notes: tuple[Note, ...] = ()


def join_labels(
    items: Items, labels: Labels, *, by_position: bool = False, loosely: bool = False
) -> LabelJoin:
    """Join labels to items by id.

    An item that was numbered because its id occurs more than once takes the label that all lines of that id agree on.

    Parameters
    ----------
    items : sequence of str, or an object with `ids`
    labels : Labels
    by_position : bool
        Allowed only if the labels came without any ids: the k-th label belongs to the k-th item.
    loosely : bool
        Ids that differ only by the ending of a file (.pdb), a version (.1) or the name of a data base (sp|…|) are the same.

    Raises
    ------
    InvalidInputError
        No id in common; labels without ids where `by_position` is not set, or of another number; labels with ids
        where it is set.

    Examples
    --------
    >>> from kernex_core import join_labels, read_labels
    >>> labels = read_labels(b"id,class\\na,x\\nc,y\\n", "labels.csv")
    >>> made = join_labels(("a", "b", "c"), labels)
    >>> made.labels.y.tolist(), made.matched
    (['x', '', 'y'], 2)
    """
    ids = ids_of(items)
    if labels.positional or by_position:
        return _by_position(ids, items, labels, by_position)
    found = matched(ids, items, labels, loosely=loosely)
    at = found.at
    if (at < 0).all():
        raise _no_match(ids, labels.ids)
    known = {labels.ids[k] for k in at if k >= 0}
    y = np.where(at >= 0, labels.y[at], "")
    groups = None if labels.groups is None else np.where(at >= 0, labels.groups[at], "")
    recipe = _recipe(items, labels, **({"loosely": True} if loosely else {}))
    joined = Labels(ids, y, groups, (), recipe, made_from=labels.made_from)
    without_label = tuple(name for name, k in zip(ids, at, strict=True) if k < 0)
    without_item = tuple(name for name in labels.ids if name not in known)
    notes = (
        *_match_notes(int((at >= 0).sum()), without_label, without_item),
        *found.notes,
        *labels.notes[: _kept(labels)],
    )
    return LabelJoin(
        replace(joined, notes=(*notes, *class_notes(joined))),
        int((at >= 0).sum()),
        without_label,
        without_item,
        labels.duplicates,
        labels.conflicting,
        tuple(name for name, size in joined.classes if size == 1),
        False,
        (*notes, *class_notes(joined)),
    )


def _recipe(items: Items, labels: Labels, **options: bool) -> Call | None:
    """The join as a call; only where the labels know where they came from."""
    if labels.recipe is None:
        return None
    left = items if getattr(items, "recipe", None) else ids_of(items)
    made = call("joined", "join_labels", left, labels, **options)
    return part(made, "labels")


def _kept(labels: Labels) -> int:
    """Notes about the file come first; those about its classes are made anew for the items."""
    return len(labels.notes) - len(class_notes(labels))


def _by_position(ids: tuple[str, ...], items: Items, labels: Labels, by_position: bool) -> LabelJoin:
    if not labels.positional:
        raise InvalidInputError(
            "Labels with ids are joined by id, never by position",
            f"ids such as {labels.ids[0]!r}",
            "Join by id",
        )
    if not by_position:
        raise InvalidInputError(
            "Labels need ids to be joined to items",
            f"one column of {len(labels.ids)} labels without ids",
            "Add a column of ids, or say that the labels are in the order of the items",
        )
    if len(labels.ids) != len(ids):
        raise InvalidInputError(
            "Joined by position, there has to be one label an item",
            f"{len(labels.ids)} labels for {len(ids)} items",
            "Add a column of ids",
        )
    note = Note(
        "The labels have no ids.", "They are taken in the order of the items, as was chosen.", "", "warning"
    )
    recipe = _recipe(items, labels, by_position=True)
    joined = Labels(ids, labels.y, labels.groups, (), recipe, made_from=labels.made_from)
    notes = (note, *class_notes(joined))
    alone = tuple(name for name, size in joined.classes if size == 1)
    return LabelJoin(replace(joined, notes=notes), len(ids), singletons=alone, by_position=True, notes=notes)


def _match_notes(matched: int, without_label: Sequence[str], without_item: Sequence[str]) -> list[Note]:
    notes = [Note(f"Items with an entry in the file of labels: {matched:,}.", "Joined by id.", "", "fine")]
    if without_label:
        notes.append(
            Note(
                f"Items that are not in the file of labels: {len(without_label):,} ({listed(without_label)}).",
                "They are kept without a label.",
                "Add them to the file, or keep only labelled items under Selection.",
                "warning",
            )
        )
    if without_item:
        notes.append(
            Note(
                f"Ids of the file of labels that are no items: {len(without_item):,} ({listed(without_item)}).",
                "They are left out.",
            )
        )
    return notes


def _no_match(ids: Sequence[str], others: Sequence[str]) -> InvalidInputError:
    near = next(
        (m[0] for name in ids[:20] if (m := difflib.get_close_matches(name, others[:500], 1, 0.7))), ""
    )
    hint = f"; nearest: {near!r}" if near else ""
    loose = difference(ids, others)
    return InvalidInputError(
        "Labels are joined by id, so some ids have to be the same on both sides",
        f"items such as {listed(ids, 2)}, labels for {listed(others, 2)}{hint}",
        f"They differ by {loose}: match them without it, or write them alike"
        if loose
        else "Write the ids in the file of labels exactly as in the data (white space and case count)",
    )
