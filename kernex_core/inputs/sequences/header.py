"""Ids and labels out of FASTA headers by a pattern such as "{id}|{label}|*": one pass, no regular expressions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.errors import InvalidInputError

HEADER_LIMIT = 10_000
"""Characters of a header that are looked at."""
PRESETS: tuple[tuple[str, str, int | None], ...] = (
    ("SCOP superfamily (c.1.8)", "{id} {label}", 3),
    ("SCOP family (c.1.8.3)", "{id} {label}", 4),
    ("SCOP fold (c.1)", "{id} {label}", 2),
    ("Second word", "{id} {label}", None),
    ("Between bars: id|label", "{id}|{label}", None),
    ("After the last = : id class=label", "{id} *={label}", None),
)
"""Title, pattern and number of levels of the label that is kept."""
_FIELD = re.compile(r"(\{id\}|\{label\}|\{group\}|\*)")
# one to four short numbers: cannot backtrack
_SCCS = re.compile(r"[a-l]\.\d{1,4}\.\d{1,4}(\.\d{1,4})?$")


@dataclass(frozen=True)
class HeaderPattern:
    """A pattern for headers: text that stands there literally, and {id}, {label}, {group} or * for what varies.

    A field ends where the pattern's next literal text begins; the last field ends at the next white space. White space
    of any length counts as one blank.

    Attributes
    ----------
    pattern : str

    Raises
    ------
    InvalidInputError
        No {label}, a field twice, or two fields without anything between them.
    """

    pattern: str

    def __post_init__(self) -> None:
        pieces = self._pieces
        fields = [piece for piece in pieces if _FIELD.fullmatch(piece)]
        named = [field for field in fields if field != "*"]
        touching = any(_FIELD.fullmatch(a) and _FIELD.fullmatch(b) for a, b in itertools.pairwise(pieces))
        if "{label}" not in fields or len(set(named)) != len(named) or touching:
            raise InvalidInputError(
                "A header pattern has {label}, perhaps {id}, {group} and *, each once with something between them",
                repr(self.pattern),
                'For example "{id} {label}" or "{id}|{label}|*"',
            )

    @property
    def _pieces(self) -> list[str]:
        return [piece for piece in _FIELD.split(" ".join(self.pattern[:500].split())) if piece]

    def match(self, header: str) -> dict[str, str] | None:
        """Return the fields "id", "label" and "group" of a header, or None if it does not fit."""
        rest = " ".join(header[:HEADER_LIMIT].split())
        found: dict[str, str] = {}
        pieces = self._pieces
        for place, piece in enumerate(pieces):
            if not _FIELD.fullmatch(piece):
                if not rest.startswith(piece):
                    return None
                rest = rest[len(piece) :]
                continue
            after = pieces[place + 1] if place + 1 < len(pieces) else " "
            value, separator, _ = rest.partition(after)
            if not separator and place + 1 < len(pieces):
                return None
            rest = rest[len(value) :]
            if piece != "*":
                found[piece[1:-1]] = value
        return found if found.get("label") else None


def suggest_header(headers: Sequence[str]) -> tuple[str, int | None] | None:
    """Pattern and levels if the headers carry SCOP classes as their second word, as in "d3taob_ c.1.1.0"."""
    words = [header[:HEADER_LIMIT].split(maxsplit=2) for header in headers[:200]]
    fitting = sum(len(w) > 1 and _SCCS.match(w[1]) is not None for w in words)
    return ("{id} {label}", 3) if words and fitting >= 0.9 * len(words) else None


def first_levels(label: str, levels: int | None) -> str:
    """Keep the first levels of a label with dots: c.1.8.3 to three levels is c.1.8."""
    return label if levels is None else ".".join(label.split(".")[:levels])
