"""One table of a paper as one value: number, configuration, study, data, printed numbers, wording.

Studies never import this: no measured number passes through what is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from kernex_core.base.frozen import EqualByContent
from kernex_core.studies.combination import Partial

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# A printed number with its printed spread.


@dataclass(frozen=True, eq=False)
class Printed(EqualByContent):
    """A printed mean and its printed ±, both as shares, 0 to 1; NaN where no ± is printed.

    Balanced losses, accuracies, scores and p values are shares everywhere in the core. Percent exist only where text is
    drawn.
    """

    mean: float
    plus_minus: float = float("nan")


Kind = Literal["generated", "vectors", "kernel", "families", "two kernels"]
"""What a study takes after its configuration: nothing; vectors, labels and the classes against the others; a kernel and
the same; a kernel and a table of families; two kernels, labels and a protocol of cross-validation."""
RowName = float | str | None
"""p or a share of items; None is a kernel as it is."""


@dataclass(frozen=True)
class Origin:
    """Whether printed and measured numbers are about the same data, and what to say where they are not.

    Attributes
    ----------
    same : bool
    text : str
        A sentence: what is known, or in what the data differ.
    """

    same: bool
    text: str = ""


def generated() -> Origin:
    """Return that data which are drawn as the paper draws them are the paper's."""
    return Origin(True)


@dataclass(frozen=True)
class Paper:
    """A paper: its key in addresses and keys, its title in mid-sentence, its year, where it was published."""

    key: str
    title: str
    year: int
    source: str


@dataclass(frozen=True)
class Data:
    """What a table is measured on.

    Attributes
    ----------
    kind : str
    text : str
        What is generated, or what to bring.
    name : str
        Of the paper's data, where they are not generated.
    public : str
        Their name in PUBLIC_DATASETS, where they can be fetched.
    origin : callable
        What the study takes after its configuration, and what else is known -> Origin.
    """

    kind: Kind
    text: str
    name: str = ""
    public: str = ""
    origin: Callable[..., Origin] = generated


@dataclass(frozen=True)
class Repeats:
    """What is repeated independently, and what the printed means are over.

    Attributes
    ----------
    each, several : str
        In words: "trial", "trials".
    spread : str
        What the printed ± is over, in words: "trials" or "folds"; "" where none is printed.
    printed : int
        Over how many of them the printed means are.
    sets : str
        What those have in common that share their data, in words: "sets of strings"; "" where none do.
    """

    each: str
    several: str
    spread: str
    printed: int = 1
    sets: str = ""


@dataclass(frozen=True, eq=False)
class BetweenSets(EqualByContent):
    """How much a printed mean would differ if the paper had drawn other data: its standard error, where it has one set.

    Measured by Kernex, each set judged as often as the paper's.

    Attributes
    ----------
    rows : mapping of str to mapping of row to float
        Standard deviation of one set's mean between sets, by column, of every row that is printed.
    over_rows : mapping of str to float
        The same of its mean over the rows with a map, by column.
    text : str
        A sentence that says so.
    """

    rows: Mapping[str, Mapping[RowName, float]]
    over_rows: Mapping[str, float]
    text: str


@dataclass(frozen=True, eq=False)
class Beside(EqualByContent):
    """A number that the paper has beside a table, or a row without p: its name, column, row, and what is printed."""

    name: str
    column: str
    row: RowName
    printed: Printed


@dataclass(frozen=True, eq=False)
class PaperTable(EqualByContent):
    """One table of a paper.

    Attributes
    ----------
    paper : Paper
    number : int
    subject : str
        What it is about, in a few words.
    key, file : str
        What keys of its widgets, and names of its files, begin with.
    config : dataclass
        With the paper's settings, as far as they are known.
    asked : tuple of tuple of str
        Fields of `config` that the page asks for, line by line; where something is repeated, the first says how often.
    study : callable
        Configuration, data -> frozen partial results, the last of which is whole.
    quick : callable
        Configuration, data -> whether it is measured in seconds, so that it may begin by itself.
    data : Data
    rows : tuple
        p, shares, or names.
    printed : mapping of str to tuple of Printed
        By column, one a row.
    repeats : Repeats
    measure : str
        What is measured, in words: a share, 0 to 1.
    note : str
        What else stands beside its title.
    prints : str
        What a script prints of the states $0.
    steps : str
        Steps of a run in words, if they are not its rows.
    beside : tuple of Beside
    between : BetweenSets or None
        Standard errors of what is printed, where they do not follow from what is repeated.
    """

    paper: Paper
    number: int
    subject: str
    key: str
    file: str
    config: DataclassInstance
    asked: tuple[tuple[str, ...], ...]
    study: Callable[..., Iterator[Partial]]
    quick: Callable[..., bool]
    data: Data
    rows: tuple[RowName, ...]
    printed: Mapping[str, tuple[Printed, ...]]
    repeats: Repeats
    measure: str
    prints: str
    note: str = ""
    steps: str = ""
    beside: tuple[Beside, ...] = field(default=())
    between: BetweenSets | None = None

    @property
    def name(self) -> str:
        """Return "orthogonal 1": what tells it from all other tables."""
        return f"{self.paper.key} {self.number}"


# A measured number beside a printed one: how far they are apart, and whether that is more than chance makes of it.


@dataclass(frozen=True, eq=False)
class Difference(EqualByContent):
    """Measured less published.

    Attributes
    ----------
    gap : float
        As a share, −1 to 1.
    se : float
        Standard error of the gap, measured and printed together; NaN where it is not known.
    """

    gap: float
    se: float

    @property
    def limit(self) -> float:
        """Two standard errors, above which a difference is outside."""
        return 2.0 * self.se

    @property
    def within(self) -> bool:
        """Whether it is at most two standard errors; False where they are not known."""
        return abs(self.gap) <= self.limit

    @property
    def outside(self) -> bool:
        """Whether it is above two standard errors; False where they are not known."""
        return abs(self.gap) > self.limit
