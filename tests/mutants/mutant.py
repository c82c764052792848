"""A mutation of the code: one place that is made wrong, and the tests that have to say so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class Stale(Exception):
    """A mutation that the code has no place for any more."""


@dataclass(frozen=True)
class Mutant:
    """A place in the code made wrong.

    Attributes
    ----------
    what : str
        What is wrong then; it names the mutant.
    file : str
        From the repository's folder.
    old : str
        Stands in the file exactly once.
    new : str
    tests : str
        Files of tests, or tests, that have to fail; several are divided by spaces. `-k` and its words may follow.
    """

    what: str
    file: str
    old: str
    new: str
    tests: str

    def planted(self, repository: Path) -> str:
        """Text of the file with the mutation.

        Raises
        ------
        Stale
            If what is to be replaced does not stand in the file exactly once.
        """
        path = repository / self.file
        if not path.is_file():
            raise Stale(f"{self.what}: there is no {self.file}")
        text = path.read_text(encoding="utf-8")
        if (found := text.count(self.old)) != 1:
            raise Stale(
                f"{self.what}: {self.old!r} has to stand in {self.file} once, and does {found} times. "
                f"Write the mutation for the code as it is now"
            )
        return text.replace(self.old, self.new)
