"""The best λ on the chart of the page Complete, chosen again inside every training fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from kernex_core.gram.split import cut_blocks
from kernex_core.learning.chance.nested_choice import NestedChoice, choosing_candidate
from kernex_core.learning.chance.tried import Candidate, Measure
from kernex_core.learning.engine import Cut
from kernex_core.studies.completion.share_sweep import Sweep, joint_matrix

LAMS = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def lams_of(sweep: Sweep) -> tuple[float, ...]:
    """Values of λ to choose from; a residual is divided by λ, which cannot be 0 then."""
    return LAMS[1:] if sweep.cells[0].config.residual else LAMS


def choosing_lam(sweep: Sweep, *, measure: Measure = "multi_class") -> Iterator[NestedChoice]:
    """Let every training fold choose λ, one λ a step; each repetition has its own hidden items, as in the sweep.

    Parameters
    ----------
    sweep : Sweep
        Of one hidden share, whole.
    measure : {"multi_class", "one_vs_rest", "balanced"}
        What is chosen by.
    """
    first, lams = sweep.cells[0].how, lams_of(sweep)
    how = replace(first, folds=tuple(fold for cell in sweep.cells for fold in cell.how.folds))

    def candidates() -> Iterator[tuple[str, Candidate]]:
        for lam in lams:
            cuts = [partial(cut_blocks, joint_matrix(cell, lam)) for cell in sweep.cells]
            yield f"λ = {lam:g}", partial(_of_repetition, cuts)

    return choosing_candidate(candidates(), len(lams), how, measure=measure)


def _of_repetition(cuts: Sequence[Cut], repetition: int) -> Cut:
    return cuts[repetition]
