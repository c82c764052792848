"""Subsets of coordinates as routes through the lattice of the ANOVA kernel (Jordan, Examples of kernels I)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.frozen import EqualByContent
from kernex_core.kernels.vectors.subsets import subset_lattice
from kernex_core.kernels.worked import Cell, WorkedTables
from kernex_core.parameters import check_range

X, Y = (1.0, 2.0, 3.0), (2.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Subset(EqualByContent):
    """One route through the lattice.

    Attributes
    ----------
    columns : tuple of int
        Coordinates that are multiplied, from 0.
    cells : tuple of (table, row, column)
        Where it goes, from K[0, 0] on.
    product : float
        Of x and y over these coordinates.
    """

    columns: tuple[int, ...]
    cells: tuple[Cell, ...]
    product: float


@dataclass(frozen=True, eq=False)
class Lattice(EqualByContent):
    """All subsets of s coordinates of x and y.

    Attributes
    ----------
    degree : int
        s.
    right, printed : WorkedTables
        The table as it is, and with the boundary that the notes print.
    subsets : tuple of Subset
        Their products sum to K_s(x, y); none where s is larger than the number of coordinates.
    """

    degree: int
    right: WorkedTables
    printed: WorkedTables
    subsets: tuple[Subset, ...]

    @property
    def value(self) -> float:
        """K_s(x, y): the last column of row s."""
        return float(self.right.values[0, self.degree, -1]) if self.subsets else 0.0


def lattice(degree: int, x: Sequence[float] = X, y: Sequence[float] = Y) -> Lattice:
    """Every subset of `degree` coordinates, and the table that adds them up without listing them.

    Raises
    ------
    InvalidInputError
        A degree below 0, or vectors of different lengths.

    Examples
    --------
    >>> made = lattice(2)
    >>> made.value, [(each.columns, each.product) for each in made.subsets]
    (16.0, [((1, 2), 6.0), ((0, 2), 6.0), ((0, 1), 4.0)])
    """
    most = max(int(check_range("s", degree, 0)), len(x))
    right, printed = (subset_lattice(x, y, most, printed=each) for each in (False, True))
    return Lattice(int(degree), right, printed, tuple(map(_subset, right.routes((0, int(degree), len(x))))))


def _subset(route: tuple[tuple[Cell, ...], float]) -> Subset:
    cells, product = route
    rows = [row for _, row, _ in cells]
    columns = tuple(r for r in range(len(rows) - 1) if rows[r + 1] > rows[r])
    return Subset(columns, cells, product)
