"""Which line of a file of labels speaks of which item: the same id, a repetition of it, or one written otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from kernex_core.frozen import IntArray, ReadOnlyArrays
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Labels, Note

_BARS = re.compile(r"[a-z]{2,3}\|([^|\s]+)(?:\|.*)?$")
_ENTRY = re.compile(r"^[a-z]{2,3}\|[^|\s]+\|(\S+)$")
_ENDING = re.compile(
    r"\.(?:pdb|cif|mmcif|ent|fa|fasta|faa|fna|a3m|txt|csv|graphml|gml)(?:\.gz)?$", re.IGNORECASE
)
_VERSION = re.compile(r"\.\d{1,2}$")
_NUMBERED = re.compile(r"(.+)_(\d+)$")


class HasIds(Protocol):
    """What has ids: samples, a kernel, a data set."""

    @property
    def ids(self) -> tuple[str, ...]:
        """One distinct id an item."""


Items: TypeAlias = Sequence[str] | HasIds
"""Items, or their ids alone."""


def ids_of(items: Items) -> tuple[str, ...]:
    """Return the ids of items."""
    return tuple(items) if isinstance(items, Sequence) else tuple(items.ids)


@dataclass(frozen=True, eq=False)
class Match(ReadOnlyArrays):
    """Lines of a file of labels for items.

    Attributes
    ----------
    at : (n,) int
        Position of the line of each item; -1 = none.
    notes : tuple of Note
    """

    at: IntArray
    notes: tuple[Note, ...] = ()


def bare(name: str) -> tuple[str, str]:
    """An id without what programs put around it, and what that was, in words ("" = nothing).

    Examples
    --------
    >>> bare("sp|P12345|CATA_HUMAN")
    ('P12345', 'the name of a data base (sp|…|)')
    >>> bare("1abcA.pdb")
    ('1abcA', 'the ending of a file (.pdb)')
    """
    short, found = name.strip(), []
    if "/" in short or "\\" in short:
        path, _, short = short.replace("\\", "/").rpartition("/")
        found.append(f"a path ({path}/)")
    if match := _BARS.match(short):
        found.append(f"the name of a data base ({short.split('|', 1)[0]}|…|)")
        short = match[1]
    if match := _ENDING.search(short):
        found.append(f"the ending of a file ({match[0]})")
        short = short[: match.start()]
    if match := _VERSION.search(short):
        found.append(f"a version ({match[0]})")
        short = short[: match.start()]
    return short, " and ".join(found)


def matched(ids: Sequence[str], items: Items, labels: Labels, *, loosely: bool = False) -> Match:
    """Find the line of every item; see `join_labels`."""
    place = {name: k for k, name in enumerate(labels.ids)}
    at = np.array([place.get(name, -1) for name in ids], dtype=np.int64)
    notes: list[Note] = []
    repeated = _repeated(ids, items, labels)
    again = [int(k) for k in np.flatnonzero(at < 0) if repeated.get(ids[int(k)]) in place]
    for k in again:
        at[k] = place[repeated[ids[k]]]
    if again:
        notes.append(
            Note(
                f"Items that repeat an id: {len(again):,} ({listed([ids[k] for k in again])}).",
                "They take the label that all lines of that id agree on.",
                "Give every item an id of its own in both files.",
                "fine",
            )
        )
    missing = [int(k) for k in np.flatnonzero(at < 0)]
    free = set(labels.ids) - {labels.ids[k] for k in at if k >= 0}
    pairs = loose_pairs([ids[k] for k in missing], sorted(free))
    if pairs and loosely:
        for k in missing:
            at[k] = place[pairs[ids[k]]] if ids[k] in pairs else -1
    if pairs:
        notes.append(loose_note(pairs, loosely))
    return Match(at, tuple(notes))


def difference(ids: Sequence[str], others: Sequence[str]) -> str:
    """By what ids of one list differ from ids of the other, where some are the same without it; "" if none are."""
    pairs = loose_pairs(ids, others)
    return _differences(pairs) if pairs else ""


def _repeated(ids: Sequence[str], items: Items, labels: Labels) -> Mapping[str, str]:
    """Numbered ids with what they were: as the samples remember it, else by ids that the labels have repeated, too."""
    parts = [items, *getattr(items, "samples", {}).values()]
    known = {new: old for part in parts for new, old in getattr(part, "repeated", ())}
    twice, there = set(labels.duplicates), set(ids)
    for name in ids:
        match = _NUMBERED.match(name)
        if match and match[1] in twice and match[1] in there:
            known.setdefault(name, match[1])
    return known


def loose_pairs(ids: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Ids with the one of the others that is the same without its surroundings, where that is clear.

    Each way of writing is tried for those that the ways before left over: the accession in an entry of a data base, its
    name there, and both without regard of case.
    """
    pairs: dict[str, str] = {}
    for form in _WAYS:
        used = set(pairs.values())
        found: dict[str, list[str]] = {}
        for name in others:
            if name not in used:
                for short in form(name):
                    found.setdefault(short, []).append(name)
        for name in ids:
            if name in pairs:
                continue
            there = {other for short in form(name) for other in found.get(short, [])}
            if len(there) == 1 and there != {name}:
                pairs[name] = there.pop()
    return pairs


def _entry_name(name: str) -> set[str]:
    """An id without its surroundings, and the name of an entry: "sp|P1|A_HUMAN" gives P1 and A_HUMAN."""
    match = _ENTRY.search(name.strip())
    return {bare(name)[0], *([match[1]] if match else [])}


def _caseless(name: str) -> set[str]:
    return {short.casefold() for short in _entry_name(name)}


_WAYS: tuple[Callable[[str], set[str]], ...] = (lambda name: {bare(name)[0]}, _entry_name, _caseless)


def _differences(pairs: Mapping[str, str]) -> str:
    kinds = [bare(name)[1] for pair in pairs.items() for name in pair]
    by_case = [
        (one, other)
        for one, other in pairs.items()
        if not _entry_name(one) & _entry_name(other) and _caseless(one) & _caseless(other)
    ]
    found = dict.fromkeys(kind for kind in kinds if kind)
    return ", ".join([*found, *(["upper and lower case"] if by_case else [])]) or "white space"


def loose_note(pairs: Mapping[str, str], used: bool) -> Note:
    """Say which ids differ by their surroundings alone, and whether they were taken for the same."""
    one, other = next(iter(pairs.items()))
    text = f"Ids that differ by {_differences(pairs)} alone: {len(pairs):,} ({one} and {other})."
    if used:
        return Note(text, "They are taken for the same items, as was chosen.", "", "note")
    return Note(text, "They are not matched.", "Match ids without it if these are the same items.", "warning")
