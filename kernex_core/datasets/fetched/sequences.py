"""E. coli promoters of the UCI repository: the original file as sequences with labels."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from scipy.sparse.csgraph import connected_components

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import IntArray
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.spectrum import Spectrum

OVERLAP = 12
"""Letters in a row that make two sequences one group; no 12 letters in a row occur in both classes."""
_CLASSES = {"+": "promoter", "-": "other"}
_DESCRIPTION = (
    "Real: {n} stretches of E. coli DNA of 57 nucleotides, {positive} of which contain a promoter (UCI machine "
    "learning repository, Harley and Reynolds 1987; Towell, Shavlik and Noordewier 1990). Many overlap: {overlapping} share "
    "{overlap} letters in a row with another one of their class, so random folds are optimistic. Sequences that share "
    "that many are one group: keep groups together."
)


def read_promoters(content: bytes) -> DataSet:
    """Read promoters.data: class, name and sequence, separated by commas and tabs.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    DataSet
        Samples "DNA" in upper case, labels "promoter" and "other"; sequences that overlap are one group.

    Raises
    ------
    InvalidInputError
        A line of another form (its number is named).
    """
    lines = content.decode("ascii", "replace").splitlines()
    rows = [_row(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not rows:
        raise InvalidInputError("promoters.data has to hold sequences", "an empty file")
    labels, names, strings = zip(*rows, strict=True)
    positive = labels.count(_CLASSES["+"])
    groups = _overlapping(strings)
    overlapping = int((np.bincount(groups)[groups] > 1).sum())
    return DataSet(
        name="promoters",
        ids=names,
        labels=Labels(names, np.array(labels), groups=groups.astype(np.str_)),
        samples={"DNA": Sequences(names, strings, "dna")},
        description=_DESCRIPTION.format(
            n=len(names), positive=positive, overlapping=overlapping, overlap=OVERLAP
        ),
        defaults=Defaults(folds=10, repeats=1),
    )


def _overlapping(strings: Sequence[str]) -> IntArray:
    """Return the group (n,) of each string: connected by 12 letters in a row that two strings share."""
    shared = Spectrum(k=OVERLAP).gram(strings) > 0.0
    return np.asarray(connected_components(shared, directed=False)[1], dtype=np.int64)


def _row(number: int, line: str) -> tuple[str, str, str]:
    fields = [field.strip() for field in line.split(",")]
    if len(fields) != 3 or fields[0] not in _CLASSES or not fields[2].isalpha():
        raise InvalidInputError(
            "A line of promoters.data is a class (+ or -), a name and a sequence",
            f"{line[:60]!r} in line {number}",
        )
    return _CLASSES[fields[0]], fields[1], fields[2].upper()


# SCOPe domains of at most 40 % identity: the public FASTA file as sequences with superfamilies as classes.

MOST_ITEMS = 2_000
"""Items up to which superfamilies are taken, the largest first: a matrix of all 15,000 would take 1.8 GB."""
ALL_ITEMS = 50_000
_SCOPE40 = (
    "Real: the {n:,} domains of the {classes} largest superfamilies, of {all:,} domains of SCOPe 2.08 of which no two are "
    "more than 40 % identical (Fox, Brenner and Chandonia 2014; Chandonia et al. 2022). The classes are the superfamilies. "
    "Structure strings (3Di) of these domains have no public home of their own: make them with Foldseek and upload them."
)


def scope40_digest(content: bytes) -> str:
    """SHA-256 of the file.

    Raises
    ------
    InvalidInputError
        If it does not begin as the FASTA file of SCOPe does: an id, then a class such as a.1.1.1.
    """
    words = content[:300].decode("ascii", "replace").split()
    if len(words) < 2 or not words[0].startswith(">") or words[1].count(".") != 3:
        raise InvalidInputError(
            "The file of SCOPe begins with a header such as >d1dlwa_ a.1.1.1", repr(" ".join(words)[:60])
        )
    return hashlib.sha256(content).hexdigest()


def read_scope40(content: bytes) -> DataSet:
    """Read the FASTA file of SCOPe and keep its largest superfamilies, MOST_ITEMS domains at most.

    Raises
    ------
    InvalidInputError
        No such file.
    """
    found = read_samples(
        content,
        "scope40.fa",
        "sequences",
        alphabet="protein",
        header="{id} {label}",
        levels=3,
        limit=ALL_ITEMS,
    )
    assert isinstance(found, Sequences)
    assert found.labels is not None  # the header pattern fits, or reading refuses
    room, kept = MOST_ITEMS, []
    for name, size in found.labels.classes:
        if size <= room:
            kept.append(name)
            room -= size
    taken = found.take(np.isin(found.labels.y, kept))
    return DataSet(
        name="scope40",
        ids=taken.ids,
        labels=taken.labels,
        samples={"residues": Sequences(taken.ids, taken.strings, "protein")},
        description=_SCOPE40.format(n=taken.n, classes=len(kept), all=found.n),
    )
