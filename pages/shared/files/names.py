"""Names of files that people take away."""

from __future__ import annotations

import re
from typing import Final

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their extension."""


GREEK: Final = str.maketrans({"λ": "lambda", "τ": "tau", "ρ": "rho", "γ": "gamma", "σ": "sigma", "β": "beta"})
"""Settings that pages call by a Greek letter."""


LONGEST: Final = 110
LONGEST_DATA: Final = 40


def file_stem(name: str) -> str:
    """Return a file name that every system takes: letters, digits, dot, hyphen and underscore."""
    stem = _plain(name)[:LONGEST].rstrip("-.") or "kernex"
    return f"kernex-{stem}" if RESERVED.fullmatch(stem) else stem


def file_name(data: str, page: str, what: str) -> str:
    """Return a file name, without its extension, of the data set's name, the page's, and what it holds.

    What `what` begins with is not said twice.

    Parameters
    ----------
    data : str
        "" where the file is about no data set.
    page : str
    what : str
        With the settings that made it.

    Examples
    --------
    >>> file_name("Protein world", "complete", "complete trust")
    'Protein-world-complete-trust'
    """
    named, rest = _plain(data), _plain(what)
    for said in (named, page):
        rest = _without(rest, said)
    return file_stem("-".join(filter(None, (named[:LONGEST_DATA].rstrip("-."), page, rest))))


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name.translate(GREEK), flags=re.ASCII).strip("-.")


def _without(text: str, start: str) -> str:
    """Text without the words that it starts with."""
    if not start or text.casefold() == start.casefold():
        return "" if start else text
    return text[len(start) + 1 :] if text.casefold().startswith(f"{start}-".casefold()) else text
