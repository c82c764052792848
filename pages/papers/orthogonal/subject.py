"""What the page is about in this run: a table of the paper, on which data and with which settings; its kept results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from kernex_core.base.errors import KernexError, NotPositiveSemidefiniteError
from kernex_core.inputs.samples import Labels
from kernex_core.studies.papers.catalogue import tables_of
from kernex_core.studies.papers.orthogonal.families import FamilyTable
from kernex_core.studies.papers.orthogonal.power_table import PowerTable, two_classes
from kernex_core.studies.papers.paper_table import Origin, PaperTable
from pages.papers.orthogonal.brought import Brought
from pages.shared.cached import CachedFunction, cached

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Found = PowerTable | FamilyTable
TABLES: Final = {paper.number: paper for paper in tables_of("orthogonal")}


class AskedTable(NamedTuple):
    """What is to be measured: a table of the paper, its configuration, what was brought, and whether it is the paper's."""

    paper: PaperTable
    config: DataclassInstance
    brought: Brought
    origin: Origin

    @property
    def args(self) -> tuple[object, ...]:
        """Return what the study takes."""
        return (self.config, *self.brought.data)

    @property
    def steps(self) -> str:
        """Return what a run does one after another, in words."""
        paper = self.paper
        if paper.steps:
            return paper.steps
        repeats = int(getattr(self.config, paper.asked[0][0]))
        what = paper.repeats.several if repeats > 1 else paper.repeats.each
        return f"rows ({repeats} {what}, {len(paper.rows)} rows each)"

    def settings(self) -> dict[str, object]:
        """Return settings, the data's name and its classes, for files."""
        made: dict[str, object] = asdict(self.config)
        if self.paper.data.kind in ("vectors", "kernel"):
            labels, positive = cast(tuple[Labels, tuple[str, ...]], self.brought.data[1:3])
            second, first = two_classes(labels, positive).classes
            made |= {"data": self.brought.name, "classes": f"{first} against {second}"}
        return made


def steps(number: int, *args: object, done: Found | None = None) -> Iterator[Found]:
    """Return the study's partial results, from the start or from what is done."""
    return cast(Iterator[Found], TABLES[number].study(*args, done=done))


@cached(shared=True)
def generated(number: int, *args: object) -> Found:
    """Return the whole table on data that Kernex draws: the same for every visitor."""
    return list(steps(number, *args))[-1]


@cached
def begun(number: int, *args: object) -> Found:
    """Return the whole table; the page keeps a visitor's partial one under this key."""
    return list(steps(number, *args))[-1]


@cached
def refused(number: int, *args: object) -> tuple[str, str, str] | None:
    """Return what the study finds wrong with data or settings, before a button offers to measure them."""
    try:
        TABLES[number].study(*args)
    except NotPositiveSemidefiniteError as error:
        return error.expected, error.found, "Repair it on the page Kernels and keep the repaired kernel"
    except KernexError as error:
        return error.expected, error.found, error.remedy
    return None


@cached
def origin(number: int, *data: object, **known: object) -> Origin:
    """Return whether these are the paper's data and classes."""
    return TABLES[number].data.origin(*data, **known)


def shared(paper: PaperTable) -> CachedFunction[..., Found] | None:
    """Return where whole tables are kept for everybody: only those on data that nobody brought."""
    return generated if paper.data.kind == "generated" else None
