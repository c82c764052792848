"""How far sets of 50 strings differ: the standard error of what Table 1 prints, which is about one set.

Measured by Kernex on 400 sets, each split 20 times as in the paper; `make science` measures it again.
"""

from __future__ import annotations

from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, POWERS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.strings import COMPONENTS, NEIGHBOUR
from kernex_core.studies.papers.paper_table import BetweenSets, RowName

SETS = 400


def _rows(*deviations: float) -> dict[RowName, float]:
    return dict(zip(POWERS, deviations, strict=True))


BETWEEN_SETS = BetweenSets(
    rows={
        ALL_POINTS: _rows(0.031, 0.034, 0.035, 0.035, 0.037, 0.040, 0.043, 0.048, 0.051, 0.056, 0.056),
        TRAIN_ONLY: _rows(0.031, 0.029, 0.030, 0.031, 0.033, 0.034, 0.037, 0.041, 0.046, 0.049, 0.050),
        NEIGHBOUR: {None: 0.030, 0.6: 0.043, 0.3: 0.048},
        COMPONENTS: {None: 0.032},
    },
    over_rows={ALL_POINTS: 0.038, TRAIN_ONLY: 0.032},
    text="The paper has one set of 50 strings and splits it 20 times. Another set would have given another number: its "
    f"standard error is how far the means of {SETS} such sets differ here, not the printed ± divided by √20.",
)
"""Standard deviations of a set's mean balanced loss over its 20 splits, by column."""
