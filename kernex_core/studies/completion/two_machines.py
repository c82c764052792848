"""Two machines instead of one completed kernel: known items are decided by the target, all others by the source."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.split import Split, cut_blocks
from kernex_core.learning.engine import over_folds
from kernex_core.learning.folds import Fold
from kernex_core.learning.protocol import Judging


def two_machines(source: FloatArray, T: FloatArray, known: IntArray, how: Judging) -> list[FloatArray]:
    """Decision values of every fold, where nothing is completed and each test item is decided by a kernel that has it.

    A test item whose target similarities are unknown is decided by the machine of the source, trained on all training items.
    A known one is decided by the machine of the target, trained on the known training items. That machine answers "is it
    class c?" where its training items have members of c and others; of the remaining classes it has never seen an
    example, or nothing else, and there the answer is the source's, which was asked about all training items. So a
    class that no known training item has can still be named; where these have fewer than two classes, all is the source's.

    These decisions belong to no kernel matrix: they can be judged, and not be drawn, kept or combined.

    Parameters
    ----------
    source : (m, m) float
        As it is judged alone.
    T : (s, s) float
        The target on the known items, as the extrapolation takes it.
    known : (s,) int
        Their positions, ascending.
    how : Judging
        The machines (C, margin), classes and folds.

    Returns
    -------
    list of (n_test, n_classes) float
        One a fold, in the order of its test items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, Labels
    >>> from kernex_core.learning.protocol import Judging, Protocol
    >>> ids, y = tuple("abcdef"), np.array(["x", "y"] * 3)
    >>> how = Judging.of(Labels(ids, y), Protocol(CrossValidation(folds=2, repeats=1)))
    >>> nothing, everything = np.eye(6), np.equal.outer(y, y).astype(float)
    >>> known = np.arange(6)
    >>> [decisions.shape for decisions in two_machines(nothing, everything, known, how)]
    [(3, 2), (3, 2)]
    """
    codes, n_classes, machine = how.coded.codes, len(how.coded.classes), how.protocol.machine()
    place = np.full(source.shape[0], -1)
    place[known] = np.arange(known.size)

    def decisions(fold: Fold, blocks: Split) -> FloatArray:
        decided = machine.train(blocks, codes[fold.train], n_classes).decisions
        among, asked = place[fold.train], place[fold.test]
        train, test = among[among >= 0], asked[asked >= 0]
        seen = codes[fold.train][among >= 0]
        counts = np.bincount(seen, minlength=n_classes)
        answers = np.flatnonzero((counts > 0) & (counts < seen.size))
        if test.size and answers.size:
            by_target = machine.train(cut_blocks(T, train, test), seen, n_classes).decisions
            decided[np.ix_(asked >= 0, answers)] = by_target[:, answers]
        return decided

    return over_folds(decisions, lambda train, test: cut_blocks(source, train, test), how.folds)
