"""SCOPe domains of at most 40 % identity: the public FASTA file as sequences with superfamilies as classes."""

from __future__ import annotations

import hashlib

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Sequences

MOST_ITEMS = 2_000
"""Items up to which superfamilies are taken, the largest first: a matrix of all 15,000 would take 1.8 GB."""
ALL_ITEMS = 50_000
_DESCRIPTION = (
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
        description=_DESCRIPTION.format(n=taken.n, classes=len(kept), all=found.n),
    )
