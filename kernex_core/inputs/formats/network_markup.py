"""Networks in GraphML, GML, GEXF and Pajek: nodes with attributes, edges with weights."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import is_number
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.names import distinct, listed
from kernex_core.inputs.networks.edges import WEIGHTS, Edges, NetworkOptions, network_of
from kernex_core.inputs.networks.markup import (
    SIGNATURE,
    attribute_of,
    gexf,
    gml,
    graphml,
    pajek,
    undeclared_note,
)
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.options import Answer, Question
from kernex_core.inputs.samples import Labels, Note, Vectors
from kernex_core.inputs.upload import Upload, decode

_LABELS = re.compile(
    r"(class|group|faction|club|community|block|category|label|type|modularity.class)$", re.IGNORECASE
)
_NUMBERED = re.compile(r"[nN]?\d+$")
_NAMES = ("name", "label", "id")


@dataclass(frozen=True)
class MarkupOptions(NetworkOptions):
    """How a GraphML or GML file is read."""

    weight_attribute: str = parameter(
        "weight",
        help="Attribute of the edges that is their weight; where an edge has none, and if it is empty, edges count 1.",
        label="Weights",
    )
    label_attribute: str = parameter(
        "",
        help="Attribute of the nodes that names their class; empty: found by its name.",
        label="Label",
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload is GraphML, by its first element."""
    if upload.is_zip or b"graphml" not in upload.data[:4000].replace(b"\0", b"").lower():
        return 0.0
    head = decode(upload.data[:8000])[0]
    return 0.98 if re.search(r"<(\w+:)?graphml\b", head, re.IGNORECASE) else 0.0


def sniff_gml(upload: Upload) -> float:
    """Confidence that an upload is GML, by how it begins."""
    if not upload.is_text:
        return 0.0
    head = upload.text[:4000].lstrip()
    return 0.98 if re.match(r"(#.*\n|\s|Creator.*\n|Version.*\n)*graph\s*\[", head, re.IGNORECASE) else 0.0


def sniff_gexf(upload: Upload) -> float:
    """Confidence that an upload is GEXF, by its first element."""
    if upload.is_zip or b"gexf" not in upload.data[:4000].replace(b"\0", b"").lower():
        return 0.0
    head = decode(upload.data[:8000])[0]
    return 0.98 if re.search(r"<(\w+:)?gexf\b", head, re.IGNORECASE) else 0.0


def sniff_pajek(upload: Upload) -> float:
    """Confidence that an upload is a Pajek file, by how it begins."""
    return 0.98 if upload.is_text and SIGNATURE.match(upload.text[:20_000]) else 0.0


def suggest_pajek(upload: Upload) -> Suggestion:
    """Nothing to choose beforehand: the third number of an edge is its weight."""
    return Suggestion(NetworkOptions())


def suggest(upload: Upload) -> Suggestion:
    """Weights from the attribute called so, and a class from an attribute of the nodes that is called like one."""
    return Suggestion(MarkupOptions())


def read(upload: Upload, options: MarkupOptions) -> Network:
    """Read GraphML.

    Raises
    ------
    InvalidInputError
        No GraphML, a document type or entities in it, damaged, or a weight that is no number.
    TooLargeError
        Longer or larger than the limits, before networkx reads it.
    """
    graph, count, undeclared = graphml(upload, options.limit)
    notes = tuple(undeclared_note(undeclared))
    if count > 1:
        notes = (Note(f"The file holds {count:,} graphs.", "The first is read.", "", "warning"), *notes)
    return _network(graph, upload, options, notes)


def read_gml(upload: Upload, options: MarkupOptions) -> Network:
    """Read GML; see `read`."""
    return _network(gml(upload, options.limit), upload, options, ())


def read_gexf(upload: Upload, options: MarkupOptions) -> Network:
    """Read GEXF; see `read`."""
    graph, undeclared = gexf(upload, options.limit)
    return _network(graph, upload, options, tuple(undeclared_note(undeclared)))


def read_pajek(upload: Upload, options: NetworkOptions) -> Network:
    """Read Pajek; see `pajek`."""
    return network_of(pajek(upload, options.limit), upload, options)


def _network(graph: Any, upload: Upload, options: MarkupOptions, notes: tuple[Note, ...]) -> Network:
    nodes: list[Any] = list(graph.nodes)
    facts: list[Mapping[str, object]] = [graph.nodes[node] for node in nodes]
    keys = list(dict.fromkeys(key for each in facts for key in each))
    columns = {key: [each.get(key) for each in facts] for key in keys}
    ids, called = _ids([str(node) for node in nodes], columns)
    place = {node: k for k, node in enumerate(nodes)}
    ends = [(place[a], place[b]) for a, b in graph.edges()]
    weights, weighed = _weights(graph, ids, place, options.weight_attribute, upload.filename)
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    said = (*notes, *called, *weighed)
    edges = Edges(ids, pairs[:, 0], pairs[:, 1], weights, bool(graph.is_directed()), said)
    label = _label(columns, options.label_attribute, upload.filename)
    made = network_of(edges, upload, options, attributes=_attributes(ids, columns, label))
    return made if label is None else _labelled(made, label, columns[label])


def _ids(
    names: Sequence[str], columns: Mapping[str, Sequence[object]]
) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Ids of the nodes: their names, where the ids are mere numbers and all names differ."""
    if all(_NUMBERED.match(name) for name in names):
        for key in _NAMES:
            given = columns.get(key, ())
            said = [value for value in given if isinstance(value, str) and value.strip()]
            if given and len(said) == len(given) and len(set(said)) == len(names):
                note = Note(
                    f"Nodes are numbered; the attribute {key!r} names them.",
                    "It is read as the ids.",
                    "",
                    "fine",
                )
                return tuple(said), (note,)
    ids, notes = distinct(names)
    return ids, tuple(notes)


def _weights(
    graph: Any, ids: Sequence[str], place: Mapping[Any, int], key: str, filename: str
) -> tuple[FloatArray | None, tuple[Note, ...]]:
    key, notes = _weight_attribute(graph, key, filename)
    given = [data.get(key) for _, _, data in graph.edges(data=True)] if key else []
    without = sum(value is None for value in given)
    if without == len(given):
        return None, notes
    weights = np.ones(len(given))
    for k, ((a, b), value) in enumerate(zip(graph.edges(), given, strict=True)):
        if value is None:
            continue
        try:
            weights[k] = float(value)
        except (TypeError, ValueError, OverflowError):
            raise InvalidInputError(
                "Every weight has to be a number",
                f"{str(value)[:40]!r} between {ids[place[a]]!r} and {ids[place[b]]!r} in {filename}",
                "Choose another attribute, or none",
            ) from None
    note = Note(f"Edges without the attribute {key!r}: {without:,}.", "They count 1.", "", "warning")
    return weights, (*notes, note) if without else notes


_NO_WEIGHT = ("id", "key", "label", "start", "end", "year", "time", "timestamp", "date")


def _weight_attribute(graph: Any, key: str, filename: str) -> tuple[str, tuple[Note, ...]]:
    """The attribute that is the weight: where none is called so, one that is called like one, or the only number."""
    if key != "weight" or any(key in data for _, _, data in graph.edges(data=True)):
        return key, ()
    kinds: dict[str, bool] = {}
    for _, _, data in graph.edges(data=True):
        for name, value in data.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            kinds[name] = kinds.get(name, True) and number
    numbers = [name for name, number in kinds.items() if number and name.lower() not in _NO_WEIGHT]
    called = [name for wanted in WEIGHTS for name in numbers if name.lower() == wanted]
    if not numbers and not _label_is_number(graph):
        return key, ()
    if not called and len(numbers) != 1:
        text = "Several attributes of the edges are numbers, and none is called weight"
        if not numbers:  # drawn beside the edges: numbers of lines, or how strong they are
            numbers, text = (
                ["label"],
                "The labels of the edges are numbers, and no attribute is called weight",
            )
        first = next(data for _, _, data in graph.edges(data=True) if numbers[0] in data)
        answers = (
            *(Answer(name, str(first.get(name, "")).strip()) for name in numbers[:8]),
            Answer("", "every edge counts 1"),
        )
        raise Question(
            "weight_attribute", text, f"an edge with {numbers[0]} {str(first[numbers[0]]).strip()}", answers
        ).refusal(filename)
    taken = (called or numbers)[0]
    return taken, (
        Note(
            f"No attribute of the edges is called weight; {taken!r} is a number.",
            "It is the weight.",
            "Choose another.",
        ),
    )


def _label_is_number(graph: Any) -> bool:
    said = [data["label"] for _, _, data in graph.edges(data=True) if "label" in data]
    return bool(said) and all(is_number(str(each)) for each in said)


def _label(columns: Mapping[str, Sequence[object]], wanted: str, filename: str) -> str | None:
    """Attribute that names the class: the one that is asked for, else one that is called so and repeats."""
    if wanted:
        if wanted not in columns:
            raise InvalidInputError(
                "The label has to be an attribute of the nodes",
                f"{wanted!r}; they have {listed(list(columns), 12) or 'none'} in {filename}",
            )
        return wanted
    for key, values in columns.items():
        known = {str(value) for value in values if value is not None}
        if _LABELS.search(key) and 1 < len(known) <= len(values) / 2:
            return key
    return None


def _attributes(
    ids: tuple[str, ...], columns: Mapping[str, Sequence[object]], label: str | None
) -> Vectors | None:
    found = {
        key: made for key, v in columns.items() if key != label and (made := attribute_of(v)) is not None
    }
    if not found or not np.isfinite(np.array([*found.values()])).any():
        return None
    return Vectors(ids, np.column_stack([*found.values()]), tuple(found))


def _labelled(made: Network, key: str, values: Sequence[object]) -> Network:
    y = np.array(["" if value is None else str(value).strip() for value in values], dtype=np.str_)
    recipe = made.recipe and part(made.recipe, "labels")
    labels = Labels(made.ids, y, recipe=recipe)
    note = Note(
        f"The attribute {key!r} of the nodes names {len(labels.classes)} classes.",
        "It is read as the labels.",
        "Choose another attribute.",
        "fine",
    )
    return replace(made, labels=labels, notes=(*made.notes, note))


GRAPHML = Format(
    "graphml",
    "Network (GraphML)",
    "network",
    ("graphml", "xml"),
    sniff,
    suggest,
    read,
    MarkupOptions,
    by_signature=True,
)
GML = Format(
    "gml",
    "Network (GML)",
    "network",
    ("gml",),
    sniff_gml,
    suggest,
    read_gml,
    MarkupOptions,
    by_signature=True,
)
GEXF = Format(
    "gexf",
    "Network (GEXF of Gephi)",
    "network",
    ("gexf",),
    sniff_gexf,
    suggest,
    read_gexf,
    MarkupOptions,
    by_signature=True,
)
PAJEK = Format(
    "pajek",
    "Network (Pajek)",
    "network",
    ("net", "paj"),
    sniff_pajek,
    suggest_pajek,
    read_pajek,
    NetworkOptions,
    by_signature=True,
)
