"""GraphML, GML and Pajek made edges: looked over before anything reads them, nothing in them evaluated."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.validation import is_number
from kernex_core.inputs.names import distinct
from kernex_core.inputs.networks.edges import EDGE_LIMIT, Edges, check_network_size
from kernex_core.inputs.samples import Note
from kernex_core.inputs.upload import Upload, decode

# GraphML and GML made edges: looked over before networkx reads them, nothing in them evaluated.

MARKUP_LIMIT = 50_000_000
"""Bytes of a GraphML or GML file; both are wordy, and their readers slow."""
MOST_WORDS = 400_000
"""Of a GML file: each takes its reader some microseconds, and repeated labels make it begin anew."""
MOST_ELEMENTS = 1_000_000
"""Of a GraphML or GEXF file, of whatever kind: networkx takes some microseconds and 700 bytes for each."""
DEPTH = 50
"""Elements inside elements; GraphML needs five."""

TYPES = ("boolean", "int", "long", "float", "double", "string")
"""Of attributes in GraphML."""
_FIRST_NODE = re.compile(r"<(\w+:)?node\b")
_KEY = re.compile(r"<(?:\w+:)?key\b([^>]*)")
_WHOLE = re.compile(r"[+-]?\d+")
_ATTRIBUTE = re.compile(r"""([\w.]+)\s*=\s*["']([^"']*)""")


class _Refused(Exception):
    """Raised inside the parser, whose own errors are not mistaken for it."""


def graphml(upload: Upload, limit: int) -> tuple[Any, int, tuple[str, ...]]:
    """The first graph of a GraphML file as a networkx graph, how many there are, and nodes that edges alone name.

    Raises
    ------
    InvalidInputError
        No GraphML, a document type or entities (by which XML can grow without bound or read other files), or damaged.
    TooLargeError
        Longer, deeper or larger than the limits.
    """
    text = _checked(upload)
    counts, declared = _scan(text, upload.filename, limit)
    check_network_size(counts["node"], counts["edge"], limit, upload.filename)
    if not counts["graph"]:
        raise InvalidInputError(
            "A GraphML file holds a graph", f"none in {upload.filename}", "Write it again, or leave it out"
        )
    import networkx  # slow to import

    try:
        # keys of yEd and yFiles stay without a name or a type
        known = all(key.get("attr.type") in TYPES and "attr.name" in key for key in _keys(text))
        try:
            graph = networkx.parse_graphml(text if known else _with_fitting_keys(text))
        except (KeyError, ValueError):  # a value that is not of the type which its attribute says it has
            graph = networkx.parse_graphml(_with_fitting_keys(text))
    except Exception as error:  # whatever its many converters raise on what they do not know
        raise _unreadable(upload.filename, "GraphML", error) from None
    return graph, counts["graph"], tuple(node for node in map(str, graph.nodes) if node not in declared)


def _keys(text: str) -> list[dict[str, str]]:
    """What the <key> elements say, which stand before all nodes."""
    head = text[: found.start()] if (found := _FIRST_NODE.search(text)) else text
    return [dict(_ATTRIBUTE.findall(key)) for key in _KEY.findall(head)]


def _with_fitting_keys(text: str) -> str:
    """GraphML whose attributes all have a name, and a type that networkx knows and that fits what is said of them.

    Elsewhere (yEd, yFiles) attributes have other types. One is a number where all that is said of it are numbers, and text
    otherwise.
    """
    from xml.etree import ElementTree  # _scan has let nothing pass by which XML can grow

    root = ElementTree.fromstring(text.encode("utf-8", "replace"), ElementTree.XMLParser(encoding="utf-8"))
    said: dict[str, set[str]] = {}
    for each in root.iter():
        if _tag(each.tag) == "data" and not len(each):  # pictures of yEd have elements in them
            said.setdefault(each.get("key", ""), set()).add((each.text or "").strip())
    for key in (each for each in root.iter() if _tag(each.tag) == "key"):
        values = said.get(key.get("id", ""), set()) | {(each.text or "").strip() for each in key}
        key.attrib.setdefault("attr.name", key.get("id", ""))
        key.set("attr.type", _fitting(key.get("attr.type", ""), values - {""}))
    return ElementTree.tostring(root, encoding="unicode")


def _fitting(said: str, values: set[str]) -> str:
    """The type that an attribute says it has, or the one that its values have where that is none."""
    if said == "string" or (said == "boolean" and values <= {"true", "false", "True", "False", "0", "1"}):
        return said
    if said in ("int", "long") and all(map(_WHOLE.fullmatch, values)):
        return said
    return "double" if values and all(map(is_number, values)) else "string"


def _tag(name: str) -> str:
    return name.rpartition("}")[2]


def gexf(upload: Upload, limit: int) -> tuple[Any, tuple[str, ...]]:
    """The graph of a GEXF file as a networkx graph, and nodes that edges alone name.

    Raises
    ------
    InvalidInputError, TooLargeError
        See `graphml`.
    """
    text = _checked(upload)
    counts, declared = _scan(text, upload.filename, limit, "GEXF")
    check_network_size(counts["node"], counts["edge"], limit, upload.filename)
    import networkx

    try:
        graph = networkx.read_gexf(io.BytesIO(text.encode("utf-8", "replace")))
    except Exception as error:  # whatever its many converters raise on what they do not know
        raise _unreadable(upload.filename, "GEXF", error) from None
    return graph, tuple(node for node in map(str, graph.nodes) if node not in declared)


def undeclared_note(names: Sequence[str], where: str = "") -> list[Note]:
    """Say that edges name nodes that the file does not declare."""
    if not names:
        return []
    return [
        Note(
            f"Nodes that edges name and no <node> declares: {len(names):,}, {names[0]} the first{where}.",
            "Each is a node without attributes.",
            "If an id is misspelt, mend the file.",
            "warning",
        )
    ]


def gml(upload: Upload, limit: int, called_by: Sequence[str] = ("label", "id")) -> Any:
    """The graph of a GML file as a networkx graph, its nodes called by the first of these that tells them apart.

    Raises
    ------
    InvalidInputError, TooLargeError
        See `graphml`.
    """
    text = _checked(upload)
    nodes, edges = (len(re.findall(rf"\b{word}\s*\[", text)) for word in ("node", "edge"))
    check_network_size(nodes, edges, limit, upload.filename)
    if (words := len(text.split())) > MOST_WORDS:
        raise TooLargeError(
            f"GML is read up to {MOST_WORDS:,} words, some 30,000 nodes with their edges",
            f"{words:,} in {upload.filename}",
            "Bring a list of edges, two ids a line, or GraphML",
        )
    import networkx

    several = re.sub(r"\bgraph\s*\[", "graph [ multigraph 1 ", text, count=1)
    last: Exception | None = None
    # nodes are called by their labels; where these repeat or are missing, by their numbers
    for written in (text, several):
        for label in called_by:
            try:
                return networkx.parse_gml(written.split("\n"), label=label)
            except (Exception, RecursionError) as error:
                last = last if last is not None and "duplicated" in str(last) else error
    raise _unreadable(upload.filename, "GML", last)


def _unreadable(filename: str, what: str, error: Exception | None) -> InvalidInputError:
    return InvalidInputError(
        f"{filename} has to be a whole {what} file",
        f"{type(error).__name__}: {str(error).strip()[:200]}",
        f"Write it again with networkx.write_{what.lower()}, or as a list of edges",
    )


def _checked(upload: Upload) -> str:
    if len(upload.data) > MARKUP_LIMIT:
        raise TooLargeError(
            f"Networks in GraphML and GML are read up to {MARKUP_LIMIT / 1e6:.0f} MB",
            f"{len(upload.data) / 1e6:,.0f} MB in {upload.filename}",
            "Bring a list of edges: two ids a line",
        )
    return decode(upload.data)[0]


def _scan(text: str, filename: str, limit: int, what: str = "GraphML") -> tuple[Counter[str], set[str]]:
    """Count elements and collect ids of nodes by a first pass that refuses what can make XML dangerous.

    Nodes that edges alone name count, too.
    """
    from xml.parsers import expat

    counts, declared, named, depth, elements = Counter[str](), set[str](), set[str](), 0, 0

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal depth, elements
        depth += 1
        elements += 1
        counts[kind := name.rpartition(":")[2]] += 1
        if kind == "node":
            declared.add(attributes.get("id", ""))
            named.add(attributes.get("id", ""))
        elif kind == "edge":
            named.update((attributes.get("source", ""), attributes.get("target", "")))
        if len(named) > limit or elements > MOST_ELEMENTS:
            raise TooLargeError(
                f"At most {limit:,} nodes, and {MOST_ELEMENTS:,} elements in all, are read",
                f"more in {filename}",
                "Bring the part of the network that the question is about",
            )
        if depth > DEPTH:
            raise _Refused(f"elements more than {DEPTH} deep")

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*found: object) -> None:
        raise _Refused("a document type or entities, which can grow without bound or read other files")

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except (expat.ExpatError, ValueError) as error:
        raise _unreadable(filename, what, error) from None
    except _Refused as error:
        raise InvalidInputError(
            f"A {what} file holds nodes and edges and nothing else",
            f"{error} in {filename}",
            "Leave that out",
        ) from None
    return counts, declared


def attribute_of(values: Sequence[object]) -> np.ndarray | None:
    """(n,) float of an attribute of the nodes if all that is known is a number; else None."""
    numbers = [np.nan if value is None else value for value in values]
    if all(value is None for value in values) or not all(isinstance(value, int | float) for value in numbers):
        return None
    return np.array(numbers, dtype=np.float64)


# Pajek's networks (.net): vertices with labels, and edges, arcs, lists or a matrix of them, in any number of sections.
#
# networkx merges vertices of the same label, ends at the second section of edges, and drops a weight that is no number:
# each would change the network without a word, so that the file is read here.

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
