"""E. coli promoters of the UCI repository: the original file as sequences with labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse.csgraph import connected_components

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.defaults import Defaults
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
