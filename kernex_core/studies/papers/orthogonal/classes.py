"""Two classes of the tables of "almost orthogonal patterns": some classes of the visitor against the others."""

from __future__ import annotations

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.samples import Labels
from kernex_core.learning.coded import Coded


def two_classes(labels: Labels | None, positive: tuple[str, ...] = (), *, folds: int = 1) -> Coded:
    """Code labels as two classes.

    Parameters
    ----------
    labels : Labels or None
        "" = unlabelled: code −1, in no fold.
    positive : tuple of str
        Classes that are together against all others; may stay empty where there are two.
    folds : int
        Each of the two needs as many items, one a fold.

    Raises
    ------
    InvalidInputError
        No labels; one class; not two classes and none named; a class that is not there; nothing left on one side; a
        side that is smaller than the number of folds.
    """
    if labels is None or not labels.judgeable:
        one = "no labels" if labels is None or not labels.classes else f"only {labels.classes[0][0]!r}"
        raise InvalidInputError("This table needs labels of two classes", one, "Bring them on the page Data")
    names = sorted(name for name, _ in labels.classes)
    if not positive and len(names) == 2:
        positive = (names[1],)
    unknown = [name for name in positive if name not in names]
    if not positive or unknown or len(set(positive)) == len(names):
        raise InvalidInputError(
            "This table sets some classes against the others",
            f"{len(names)} classes, of which {', '.join(positive) or 'none'} were chosen",
            f"Choose some but not all of {', '.join(names)}",
        )
    member = np.isin(labels.y, positive)
    codes = np.where(labels.labelled, member, -1).astype(np.int64)
    rest = [name for name in names if name not in positive]
    coded = Coded(codes, (" + ".join(rest), " + ".join(positive)))
    _check_sizes(coded, folds)
    return coded


def _check_sizes(coded: Coded, folds: int) -> None:
    """A class that is missing from folds cannot be missed there: their loss is of the other class alone."""
    for code, name in enumerate(coded.classes):
        size = int((coded.codes == code).sum())
        if size < folds:
            raise InvalidInputError(
                f"Each of the two classes needs at least {folds} items, one for each of the {folds} folds",
                f"{size} of {name!r}",
                "Bring more items of it, or set other classes against each other",
            )
