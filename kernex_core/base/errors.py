"""What can go wrong, said so that a person can act on it: expected, found, remedy."""

from __future__ import annotations


class KernexError(Exception):
    """Base of all errors that are meant for the user's eyes.

    Parameters
    ----------
    expected : str
        What was expected, as a sentence ("A similarity matrix has as many rows as columns.").
    found : str, optional
        What was found instead, with row, column or id where there is one.
    remedy : str, optional
        What the user can do about it.
    """

    def __init__(self, expected: str, found: str = "", remedy: str = "") -> None:
        super().__init__(expected, found, remedy)
        self.expected = expected
        self.found = found
        self.remedy = remedy

    def __str__(self) -> str:
        parts = [self.expected, f"Found: {self.found}" if self.found else "", self.remedy]
        return " ".join(_sentence(part) for part in parts if part)


class InvalidInputError(KernexError):
    """An argument or an uploaded file is not what it has to be."""


class NotPositiveSemidefiniteError(KernexError):
    """A matrix that has to be a kernel has a materially negative eigenvalue."""


class TooLargeError(KernexError):
    """The computation would need more memory or time than its stated limit."""


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else text + "."
