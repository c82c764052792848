"""E. coli promoters of the UCI repository: the original file as sequences with labels."""

from __future__ import annotations

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences

_CLASSES = {"+": "promoter", "-": "other"}
_DESCRIPTION = (
    "Real: {n} stretches of E. coli DNA of 57 nucleotides, {positive} of which contain a promoter (UCI machine "
    "learning repository, Harley and Reynolds 1987; Towell, Shavlik and Noordewier 1990)."
)


def read_promoters(content: bytes) -> DataSet:
    """Read promoters.data: class, name and sequence, separated by commas and tabs.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    DataSet
        Samples "DNA" in upper case, labels "promoter" and "other".

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
    return DataSet(
        name="promoters",
        ids=names,
        labels=Labels(names, np.array(labels)),
        samples={"DNA": Sequences(names, strings, "dna")},
        description=_DESCRIPTION.format(n=len(names), positive=positive),
        settings={"C": 10.0, "folds": 10, "repeats": 1},
    )


def _row(number: int, line: str) -> tuple[str, str, str]:
    fields = [field.strip() for field in line.split(",")]
    if len(fields) != 3 or fields[0] not in _CLASSES or not fields[2].isalpha():
        raise InvalidInputError(
            "A line of promoters.data is a class (+ or -), a name and a sequence",
            f"{line[:60]!r} in line {number}",
        )
    return _CLASSES[fields[0]], fields[1], fields[2].upper()
