"""The table of every string kernel: its rows, and how they are written to a file."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernex_core.frozen import ReadOnlyArrays
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.chance.tried import Tried
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.written_rows import written_ends, written_protocol
from kernex_core.studies.sequences.grid import Candidate


@dataclass(frozen=True, eq=False)
class StringTableRow(ReadOnlyArrays):
    """One kernel judged.

    Attributes
    ----------
    candidate : Candidate
    power : float
        Of every entry before the repair; 1 = none.
    repaired : bool
        Whether negative eigenvalues were cut.
    judgement : Judgement
    gram_seconds : float
        That the matrix took; both powers share it.
    tried : Tried, optional
        The kernel in every fold and inside its training items, where the choice is judged.
    """

    candidate: Candidate
    power: float
    repaired: bool
    judgement: Judgement
    gram_seconds: float = field(compare=False)
    tried: Tried | None = None


@dataclass(frozen=True, eq=False)
class StringTable(ReadOnlyArrays):
    """Rows that are done.

    Attributes
    ----------
    rows : tuple of StringTableRow
    refused : dict of str to str
        Kernels that cannot be computed or judged here, with the reason.
    now : str
        What is being done.
    done, total : int
        Kernels times powers.
    seconds : float
    choice : NestedChoice, optional
        By one-vs-rest accuracy among all rows, once all are done.
    """

    rows: tuple[StringTableRow, ...]
    refused: dict[str, str]
    now: str
    done: int
    total: int
    seconds: float = field(compare=False)
    choice: NestedChoice | None = None

    @property
    def best(self) -> StringTableRow | None:
        """Row of the highest one-vs-rest accuracy. The best of many rows is optimistic: it was chosen on the folds."""
        return max(self.rows, key=lambda row: row.judgement.one_vs_rest.mean, default=None)

    def verdict(self, measure: str = "one_vs_rest") -> Verdict | None:
        """Which row is best, and who is told apart from it: all rows are candidates; None before all are done."""
        if self.done < self.total or len(self.rows) < 2:
            return None
        return judged_verdict(self.by_name, measure)

    @property
    def by_name(self) -> dict[str, Judgement]:
        """Judgements by kernel and power, as a sentence names them."""
        return {named_row(row): row.judgement for row in self.rows}

    def table(self) -> list[dict[str, object]]:
        """Return the rows as they are written to a file; accuracies and floors from 0 to 1."""
        return [_written(row) for row in self.rows]


def named_row(row: StringTableRow) -> str:
    """Kernel, parameters and power, as a sentence names a row."""
    return name_of_row(row.candidate, row.power)


def name_of_row(candidate: Candidate, power: float) -> str:
    """The same before the row is judged."""
    return f"{candidate.title}, power {power:g}"


def _written(row: StringTableRow) -> dict[str, object]:
    """Values of one row; `_from` and `_to` are the ends of an interval over items."""
    made = row.judgement
    return {
        "kernel": type(row.candidate.kernel).title,
        "parameters": row.candidate.setting,
        "power": row.power,
        "repair": "clip" if row.repaired else "none",
        "one_vs_rest": made.one_vs_rest.mean,
        **written_ends(made, "one_vs_rest"),
        "one_vs_rest_sd_repetitions": made.one_vs_rest.sd_repeats,
        "one_vs_rest_sd_folds": made.one_vs_rest.sd_folds,
        "all_negative_floor": 1.0 - 1.0 / len(made.classes),
        "multi_class": made.multi_class.mean,
        **written_ends(made, "multi_class"),
        "multi_class_sd_repetitions": made.multi_class.sd_repeats,
        "majority_floor": made.multi_class.floor,
        "balanced": made.balanced.mean,
        **written_ends(made, "balanced"),
        **written_protocol(made, row.gram_seconds),
    }
