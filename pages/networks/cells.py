"""Numbers under their names, each with a light: what the panels on approximated kernels show in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kernex_core.completion.approximation import Approximation
from pages.shared.figures.theme import number
from pages.shared.glossary.entries import explained
from pages.shared.panels.side_by_side import NUMBER_WIDTH, row_of_numbers
from pages.shared.shown.drawn import measure


@dataclass(frozen=True)
class Cell:
    """A number, what stands under it, and the hint behind its name."""

    name: str
    value: str
    chip: str
    help: str
    light: Literal["gray", "green", "red"] = "gray"


def cells(made: Sequence[Cell], of: str) -> None:
    """Draw the row; `of` is the panel in which it stands: another one of the page may have numbers of the same names."""
    with row_of_numbers():
        for cell in made:
            about = explained(cell.name, cell.help)
            measure(
                cell.name, cell.value, cell.chip, help=about, about=of, color=cell.light, width=NUMBER_WIDTH
            )


def certificate(made: Approximation, of: str = "") -> Cell:
    """Whether K − K_Q is positive semidefinite; `of` says of which of several approximations it is."""
    free = made.constraint == "free"
    about = (
        f"Smallest eigenvalue of K − K_Q{of}. The shear constraint holds from {number(-1.1 * made.delta)} on: nothing "
        "is then claimed that the kernel does not have. The free form makes the error least and gives that up."
    )
    if made.certificate_holds:
        return Cell("Certificate", number(made.shear_eigenvalue), "holds", about, "green")
    chip = "fails, as free allows" if free else "fails"
    return Cell("Certificate", number(made.shear_eigenvalue), chip, about, "gray" if free else "red")
