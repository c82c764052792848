"""What the tables of every kernel of a family have in common: labels, settings, how intervals were made, and files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from pages.shared.controls import controls
from pages.shared.declared.settings import Setting, of
from pages.shared.panels.keep import Offer, Result, keep_row
from pages.shared.shown.remarks import copies_field

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

D = TypeVar("D", bound="DataclassInstance")


def of_table(grid: Any) -> tuple[Setting, ...]:
    """Declare how a table of kernels is made: the protocol, and which kernels there are."""
    about = "table of kernels"
    return *of(CrossValidation, prefix="judged_", about=about), *of(grid, prefix="table_", about=about)


def needed_labels(dataset: DataSet) -> Labels:
    """Return the labels that the kernels are judged by.

    Raises
    ------
    InvalidInputError
        There are none, or one class only.
    """
    labels = dataset.judgeable
    if labels is None:
        raise InvalidInputError(
            "The table of all kernels needs labels of at least two classes",
            f"{'no labels' if dataset.labels is None else 'one class'} in {dataset.name!r}",
            "Bring labels on the page Data",
        )
    return labels


def judging_controls(start: CrossValidation, grid: D, labels: Labels, key: str) -> tuple[CrossValidation, D]:
    """Draw how the kernels are judged, and which there are, one below the other; return both as they are set.

    Parameters
    ----------
    start : CrossValidation
    grid : dataclass
        Configuration of the kernels.
    labels : Labels
        Groups, where there are any, can be kept together.
    key : str
        Of the controls, with the data set's name.
    """
    names = ["folds", "repeats", "C", "seed", *copies_field(labels, ())]
    names += ["grouped"] if labels.groups is not None else []
    validation = controls(start, key, only=names, prefix="judged_")
    return validation, controls(grid, f"{key}.grid", prefix="table_")


def spread_words(judged: Sequence[Judgement], measures: Mapping[str, str]) -> str:
    """Say what `[ ]` and `±` of the rows are.

    How an interval was made depends on how many items a kernel has wrong: where rows differ, it says in how many.

    Parameters
    ----------
    judged : sequence of Judgement
        One a row, all on the same folds.
    measures : dict
        Shown names of the measures by their fields.
    """
    repeated = "; ±: standard deviation over repetitions" if judged[0].n_repeats > 1 else ""
    return _intervals(judged, measures) + repeated


def _intervals(judged: Sequence[Judgement], measures: Mapping[str, str]) -> str:
    of = {
        title: [one for made in judged if (one := made.interval(field))] for field, title in measures.items()
    }
    first = next((one for found in of.values() for one in found), None)
    if first is None:
        return "no interval"
    if len({one.method for found in of.values() for one in found}) == 1:
        return f"[ ]: {first.words}"
    said = [f"{title} {_methods([one.method for one in found])}" for title, found in of.items() if found]
    return f"[ ]: {first.kind} ({'; '.join(said)})"


def _methods(methods: Sequence[str]) -> str:
    counted = Counter(methods)
    if len(counted) == 1:
        return methods[0]
    return ", ".join(f"{method} in {times} of {len(methods)} rows" for method, times in counted.most_common())


def keep_table(name: str, rows: list[dict[str, object]], script: Callable[[], str], key: str) -> None:
    """Draw the row with the table as a file, its script, and its place in the report.

    Parameters
    ----------
    name : str
        Of the files: the data set and the family.
    rows : list of dict
        As they are written.
    script : callable
        Returns Python that judges every kernel again.
    key : str
    """
    result = Result(
        name,
        table=Offer(
            lambda: rows,
            label="Table as CSV",
            help="All measures, spreads, floors, folds, seed, seconds and tag of every row.",
        ),
        script=Offer(script, help="Python that judges every kernel again with kernex_core alone."),
        report=True,
    )
    keep_row(result, key=key)
