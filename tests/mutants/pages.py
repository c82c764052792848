"""Mutations of the pages: a number in the cell of another, bars upside down, curves that change names."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

PAGES: tuple[Mutant, ...] = ()
