"""Sources with different items brought under one list of ids: what they share, or all with gaps where one has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix, check_ids
from kernex_core.gram.provenance import call
from kernex_core.inputs.dataset import AnySamples, DataSet, KernelSamples
from kernex_core.inputs.items.join import join_labels
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Labels, Note, Similarity

Part = GramMatrix | AnySamples
How = Literal["intersection", "union"]


@dataclass(frozen=True, eq=False)
class Alignment(ReadOnlyArrays):
    """Sources under one list of ids.

    Attributes
    ----------
    data : DataSet
    dropped : dict of str to tuple of str
        Items of each source that were left out.
    missing : dict of str to tuple of str
        Items that a kernel does not have: its rows of them are wholly unknown.
    notes : tuple of Note
        The same in sentences (also in `data.notes`).
    """

    data: DataSet
    dropped: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()


def expand(K: GramMatrix, ids: Sequence[str]) -> GramMatrix:
    """Bring a Gram matrix to a longer or reordered list of ids; rows of items that it does not have are unknown.

    Parameters
    ----------
    K : GramMatrix
        Its steps are applied anew after the base matrix was expanded; steps that refuse unknown entries refuse here.
    ids : sequence of str
        Has to contain all ids of K.

    Raises
    ------
    InvalidInputError
        An id of K is not in `ids`.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, expand
    >>> K = GramMatrix(np.array([[2.0, 1.0], [1.0, 3.0]]), ids=("a", "b"))
    >>> expand(K, ["b", "new", "a"]).values.tolist()
    [[3.0, nan, 1.0], [nan, nan, nan], [1.0, nan, 2.0]]
    """
    names = tuple(map(str, ids))
    check_ids(names, len(names))
    place = {name: k for k, name in enumerate(names)}
    lost = [name for name in K.ids if name not in place]
    if lost:
        raise InvalidInputError(
            "A kernel can only be expanded to a list with all of its items",
            f"{len(lost)} of them are not in it: {listed(lost)}",
            "Select items first",
        )
    base = K.base
    at = np.array([place[name] for name in base.ids])
    values = np.full((len(names), len(names)), np.nan)
    values[np.ix_(at, at)] = base.values
    origin = call(K.name, "expand", base, names)
    wide = GramMatrix(values, names, K.name, origin, base.seen)
    for step in K.provenance.steps:
        wide = wide.then(step)
    return wide


def align(
    parts: Mapping[str, Part], labels: Labels | None = None, *, name: str = "data", how: How = "intersection"
) -> Alignment:
    """Make a data set of several sources by id.

    Parameters
    ----------
    parts : mapping of str to GramMatrix, Similarity, Sequences or Vectors
    labels : Labels, optional
        Joined by id; labels that a source brought are taken if this is None.
    name : str
        Of the data set.
    how : {"intersection", "union"}
        Keep the items that all sources have; or all items of any kernel, with unknown rows in the kernels that lack
        some. Sequences and vectors cannot have gaps: a union keeps only items that all of those have.

    Raises
    ------
    InvalidInputError
        No source, or no item in common.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, align
    >>> one = GramMatrix(np.eye(3), ids=("a", "b", "c"))
    >>> two = GramMatrix(np.ones((2, 2)), ids=("c", "a"))
    >>> align({"sequence": one, "structure": two}).data.ids
    ('a', 'c')
    >>> align({"sequence": one, "structure": two}, how="union").data.ids
    ('a', 'b', 'c')
    """
    if not parts:
        raise InvalidInputError("A data set needs at least one source", "none")
    kernels = {
        title: p.gram if isinstance(p, Similarity) else p
        for title, p in parts.items()
        if isinstance(p, GramMatrix | Similarity)
    }
    samples = {title: p for title, p in parts.items() if isinstance(p, KernelSamples)}
    ids = _common(parts, samples, how)
    own = {title: set(K.ids) for title, K in kernels.items()}
    missing = {
        title: lacking
        for title, K in kernels.items()
        if (lacking := tuple(i for i in ids if i not in own[title]))
    }
    kept = set(ids)
    dropped = {
        title: gone for title, p in parts.items() if (gone := tuple(i for i in p.ids if i not in kept))
    }
    notes = _notes(parts, dropped, missing)
    joined = _labels(parts, labels, ids)
    data = DataSet(
        name,
        ids,
        joined,
        {
            title: part if part.ids == ids else part.take(_positions(part.ids, ids))
            for title, part in samples.items()
        },
        {title: _fitted(K, ids).renamed(title) for title, K in kernels.items()},
        notes=(*notes, *(note for p in parts.values() if not isinstance(p, GramMatrix) for note in p.notes)),
    )
    return Alignment(data, dropped, missing, notes)


def align_with(data: DataSet, name: str, part: Part, *, how: How = "intersection") -> Alignment:
    """Add a source to a data set by id; see `align`.

    A kernel under the name of an old one replaces it.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, align, align_with
    >>> data = align({"sequence": GramMatrix(np.eye(2), ids=("a", "b"))}).data
    >>> made = align_with(data, "structure", GramMatrix(np.eye(2), ids=("b", "a")))
    >>> list(made.data.kernels)
    ['sequence', 'structure']
    """
    old: dict[str, Part] = {**data.samples, **data.kernels}
    old.pop(name, None)
    made = align({**old, name: part}, data.labels, name=data.name, how=how)
    known = {note.text for note in data.notes}
    notes = (*data.notes, *(note for note in made.data.notes if note.text not in known))
    kept = replace(
        data,
        ids=made.data.ids,
        labels=made.data.labels,
        samples=made.data.samples,
        kernels=made.data.kernels,
        notes=notes,
    )
    return replace(made, data=kept)


def _common(parts: Mapping[str, Part], samples: Mapping[str, KernelSamples], how: str) -> tuple[str, ...]:
    """Ids in the order of the first source, then of the others."""
    every = tuple(dict.fromkeys(name for part in parts.values() for name in part.ids))
    needed = parts if how == "intersection" else samples
    sets = [set(part.ids) for part in needed.values()]
    ids = tuple(name for name in every if all(name in present for present in sets))
    if not ids:
        shown = "; ".join(f"{title}: {listed(part.ids, 2)}" for title, part in parts.items())
        raise InvalidInputError(
            "Sources are aligned by id, so they need some ids in common",
            f"none ({shown})",
            "Write the ids alike in every file",
        )
    return ids


def _fitted(K: GramMatrix, ids: tuple[str, ...]) -> GramMatrix:
    if K.ids == ids:
        return K
    present = set(K.ids)
    own = tuple(name for name in ids if name in present)
    cut = K if own == K.ids else K.take(_positions(K.ids, own))
    return cut if own == ids else expand(cut, ids)


def _positions(ids: Sequence[str], wanted: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    place = {name: k for k, name in enumerate(ids)}
    return np.array([place[name] for name in wanted], dtype=np.int64)


def _labels(parts: Mapping[str, Part], labels: Labels | None, ids: tuple[str, ...]) -> Labels | None:
    own = next(
        (p.labels for p in parts.values() if not isinstance(p, GramMatrix) and p.labels is not None), None
    )
    found = labels if labels is not None else own
    return None if found is None else found if found.ids == ids else join_labels(ids, found).labels


def _notes(
    parts: Mapping[str, Part], dropped: Mapping[str, Sequence[str]], missing: Mapping[str, Sequence[str]]
) -> tuple[Note, ...]:
    own = {title: set(part.ids) for title, part in parts.items() if isinstance(part, KernelSamples)}
    gone = [
        Note(
            f"{title}: {len(names):,} of {len(parts[title].ids):,} items are not in every source ({listed(names)}).",
            "They are left out.",
            _way_to_keep([each for each, ids in own.items() if not ids.issuperset(names)]),
            "warning",
        )
        for title, names in dropped.items()
    ]
    lacking = [
        Note(
            f"{title}: no similarities for {counted(len(names), 'item')} ({listed(names)}).",
            "Their rows are unknown and can be completed.",
            "Keep only the items that all sources have.",
            "warning",
        )
        for title, names in missing.items()
    ]
    return (*gone, *lacking)


def _way_to_keep(lacking: Sequence[str]) -> str:
    """What to do that items stay, by the samples that do not have them all."""
    if lacking:
        return f"Sequences, vectors, networks and graphs cannot have gaps: to keep them, add them to {listed(lacking)}."
    return "Keep all items of every kernel instead; what a kernel lacks is then unknown and can be completed."
