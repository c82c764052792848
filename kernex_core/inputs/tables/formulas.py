"""Fields that a spreadsheet would run, kept from running in the files that people take away, and read back as they were.

A spreadsheet that splits lines at semicolons or tabs makes several fields of one that holds these: each is looked at.
"""

from __future__ import annotations

import re

_RUN = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20].+", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_SPLITS = re.compile(r"([;\t])")


def as_text(field: str) -> str:
    """Return a field with an apostrophe before whatever in it a spreadsheet would take for a formula.

    Numbers with a sign stay, and so does a sign alone, which is how people write classes. What has its
    apostrophes before a sign already gets one more, so that `from_text` gives every field back.
    """
    first, *others = _SPLITS.split(field)
    start = "'" if _runs(first) or _runs(field) else ""
    return "".join([start, first, *(f"'{part}" if _runs(part) else part for part in others)])


def from_text(field: str) -> str:
    """Return a field as it was before `as_text`."""
    first, *others = _SPLITS.split(field)
    rest = "".join(part[1:] if part.startswith("'") and _runs(part[1:]) else part for part in others)
    guarded = first.startswith("'") and (_runs(first[1:]) or _runs(first[1:] + rest))
    return (first[1:] if guarded else first) + rest


def _runs(part: str) -> bool:
    return bool(_RUN.fullmatch(part)) and not _NUMBER.fullmatch(part)
