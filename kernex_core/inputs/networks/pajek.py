"""Pajek's networks (.net): vertices with labels, and edges, arcs, lists or a matrix of them, in any number of sections.

networkx merges vertices of the same label, ends at the second section of edges, and drops a weight that is no number:
each would change the network without a word, so that the file is read here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.names import distinct
from kernex_core.inputs.networks.edges import EDGE_LIMIT, Edges, check_network_size
from kernex_core.inputs.upload import Upload

SIGNATURE: Final = re.compile(r"(\s|%[^\n]*\n|\*network[^\n]*\n)*\*vertices\s+\d", re.IGNORECASE)
_SECTION: Final = re.compile(r"\*(\w+)", re.IGNORECASE)
_WORD: Final = re.compile(r'"([^"]*)"|(\S+)')
_PAIRS: Final = ("edges", "arcs")
_LISTS: Final = ("edgeslist", "arcslist")
_REMEDY: Final = "Save it again in Pajek, or bring it as GraphML or as a list of edges"


class _Found:
    """What is read of a file so far."""

    def __init__(self) -> None:
        self.n = 0
        self.names: dict[int, str] = {}
        self.ends: list[tuple[int, int]] = []
        self.weights: list[float] = []
        self.directed = False
        self.row = 0


def pajek(upload: Upload, limit: int) -> Edges:
    """Vertices and edges of a Pajek file.

    Raises
    ------
    InvalidInputError
        Damaged, of two modes, or a section that is not known; the line is named.
    TooLargeError
        More vertices or edges than the limits, before room for them is taken.
    """
    found, section = _Found(), ""
    for number, line in enumerate(upload.text.split("\n"), 1):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        head = _SECTION.match(text)
        if head is not None:
            section = head[1].lower()
            _begin(found, section, text, number, upload.filename, limit)
            continue
        try:
            _line(found, section, _words(text))
        except ValueError:
            raise _odd(f"{text[:60]!r} in line {number}", upload.filename) from None
        if len(found.ends) > EDGE_LIMIT:
            check_network_size(found.n, len(found.ends), limit, upload.filename)
    ids, notes = distinct([found.names.get(k, str(k)) for k in range(1, found.n + 1)])
    pairs = np.array(found.ends, dtype=np.int64).reshape(-1, 2) - 1
    return Edges(ids, pairs[:, 0], pairs[:, 1], np.array(found.weights), found.directed, tuple(notes))


def _begin(found: _Found, section: str, text: str, number: int, filename: str, limit: int) -> None:
    """What a line that begins with * says."""
    if section == "vertices":
        sizes = text.split()[1:]
        if (
            found.n
            or not 1 <= len(sizes) <= 2
            or not all(size.isdecimal() and len(size) < 12 for size in sizes)
        ):
            raise _odd(f"{text[:60]!r} in line {number}", filename)
        if len(sizes) == 2:
            raise InvalidInputError(
                "A Pajek file of one kind of vertices is read",
                f"a network of two modes ({text[:60]!r}) in line {number} of {filename}",
                "Make it one of one mode in Pajek (Network, 2-mode network, 2-mode to 1-mode)",
            )
        found.n = int(sizes[0])
        check_network_size(found.n, 0, limit, filename)
    elif section in ("arcs", "arcslist", "matrix"):
        found.directed = found.directed or section != "matrix"
    elif section not in ("network", *_PAIRS, *_LISTS):
        raise _odd(f"a section {text[:40]!r} in line {number}", filename)


def _line(found: _Found, section: str, words: Sequence[str]) -> None:
    """One line of a section; ValueError if it is not one of it."""
    if section == "vertices":
        at = _vertex(words[0], found.n)
        if at in found.names:
            raise ValueError(at)
        if len(words) > 1:
            found.names[at] = words[1]
    elif section in _PAIRS:
        found.ends.append((_vertex(words[0], found.n), _vertex(words[1] if len(words) > 1 else "", found.n)))
        found.weights.append(float(words[2]) if len(words) > 2 else 1.0)
    elif section in _LISTS:
        first = _vertex(words[0], found.n)
        found.ends += [(first, _vertex(word, found.n)) for word in words[1:]]
        found.weights += [1.0] * (len(words) - 1)
    elif section == "matrix":
        found.row += 1
        values = [float(word) for word in words]
        if len(values) != found.n or found.row > found.n:
            raise ValueError(found.row)
        joined = [(k, value) for k, value in enumerate(values, 1) if value != 0.0]
        found.ends += [(found.row, k) for k, _ in joined]
        found.weights += [value for _, value in joined]
    else:
        raise ValueError(section)


def _vertex(word: str, n: int) -> int:
    if not word.isdecimal() or len(word) > 12 or not 1 <= int(word) <= n:
        raise ValueError(word)
    return int(word)


def _words(text: str) -> list[str]:
    return [found[1] if found[1] is not None else found[2] for found in _WORD.finditer(text)]


def _odd(found: str, filename: str) -> InvalidInputError:
    return InvalidInputError(
        "A Pajek file has numbered vertices, and below them edges or arcs between their numbers",
        f"{found} of {filename}",
        _REMEDY,
    )
