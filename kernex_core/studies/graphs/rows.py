"""The table of every graph kernel: its rows, how they are written to a file, and whether one kernel wins."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernex_core.frozen import ReadOnlyArrays
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.chance.tried import Tried
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.written_rows import written_ends, written_protocol
from kernex_core.studies.graphs.grid import Candidate


@dataclass(frozen=True, eq=False)
class GraphTableRow(ReadOnlyArrays):
    """One kernel judged, cosine-normalised.

    Attributes
    ----------
    candidate : Candidate
    judgement : Judgement
    gram_seconds : float
        That the matrix took in this run, without what is compiled once.
    tried : Tried, optional
        The kernel in every fold and inside its training items, where the choice is judged.
    """

    candidate: Candidate
    judgement: Judgement
    gram_seconds: float = field(compare=False)
    tried: Tried | None = None


@dataclass(frozen=True, eq=False)
class GraphTable(ReadOnlyArrays):
    """Rows that are done.

    Attributes
    ----------
    rows : tuple of GraphTableRow
    refused : dict of str to str
        Kernels that cannot be computed or judged here, with the reason.
    now : str
        What is being done.
    done, total : int
        Kernels, and the choice among them where it is judged.
    seconds : float
    choice : NestedChoice, optional
        By multi-class accuracy among all rows, once all are done.
    """

    rows: tuple[GraphTableRow, ...]
    refused: dict[str, str]
    now: str
    done: int
    total: int
    seconds: float = field(compare=False)
    choice: NestedChoice | None = None

    @property
    def best(self) -> GraphTableRow | None:
        """Row of the highest accuracy. The best of many rows is optimistic: it was chosen on the folds."""
        return max(self.rows, key=lambda row: row.judgement.multi_class.mean, default=None)

    def table(self) -> list[dict[str, object]]:
        """Return the rows as they are written to a file; accuracies and floors from 0 to 1."""
        return [_written(row) for row in self.rows]

    def verdict(self) -> Verdict | None:
        """Which row is best, and who is told apart from it: all rows are candidates; None of fewer than two."""
        return None if len(self.rows) < 2 else judged_verdict(self.by_name)

    @property
    def by_name(self) -> dict[str, Judgement]:
        """Judgements by kernel and parameters, as a sentence names them."""
        return {row.candidate.title: row.judgement for row in self.rows}


def _written(row: GraphTableRow) -> dict[str, object]:
    """Values of one row; `_from` and `_to` are the ends of an interval over items."""
    made = row.judgement
    return {
        "kernel": type(row.candidate.kernel).title,
        "parameters": row.candidate.setting,
        "fixed": row.candidate.fixed,
        "multi_class": made.multi_class.mean,
        **written_ends(made, "multi_class"),
        "multi_class_sd_repetitions": made.multi_class.sd_repeats,
        "multi_class_sd_folds": made.multi_class.sd_folds,
        "majority_floor": made.multi_class.floor,
        "balanced": made.balanced.mean,
        **written_ends(made, "balanced"),
        "one_vs_rest": made.one_vs_rest.mean,
        **written_ends(made, "one_vs_rest"),
        **written_protocol(made, row.gram_seconds),
    }
