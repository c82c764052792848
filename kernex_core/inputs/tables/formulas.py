"""Fields that a spreadsheet would run, kept from running in the files that people take away, and read back as they were."""

from __future__ import annotations

import re

_RUN = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20].+", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def as_text(field: str) -> str:
    """Return a field with an apostrophe before it if a spreadsheet would take it for a formula.

    Numbers with a sign stay, and so does a sign alone, which is how people write classes. A field that has its
    apostrophes before a sign already gets one more, so that `from_text` gives every field back.
    """
    return f"'{field}" if _RUN.fullmatch(field) and not _NUMBER.fullmatch(field) else field


def from_text(field: str) -> str:
    """Return a field as it was before `as_text`."""
    return field[1:] if field.startswith("'") and as_text(field) != field else field
