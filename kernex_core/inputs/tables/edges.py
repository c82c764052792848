"""Lists of edges: two columns of ids without a number, as networks are written."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from kernex_core.inputs.tables.columns import called_id, header_names
from kernex_core.inputs.tables.table import UNKNOWN, Table

LOOKED_AT = 3_000
FEWEST = 10
"""Lines from which on it tells something that none is there twice."""


def is_edge_list(table: Table) -> bool:
    """Whether a table holds pairs of the same items and nothing else.

    Two columns without a title for ids or labels, most rows with an id that occurs in both columns, and an item that is
    paired with several others: a label is one for each item. Or every item once at either end, as along a path: no class
    would be there once, and be an item.
    """
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    if len(rows) < 2 or any(len(fields) != 2 for fields in rows):
        return False
    if header_names(rows[0]) and not all(map(called_id, rows[0])):
        return False
    pairs = [(a.strip(), b.strip()) for a, b in rows]
    if any({a.lower(), b.lower()} & UNKNOWN for a, b in pairs) or table.is_number(pairs[0][1]):
        return False
    sources, targets = {a for a, _ in pairs}, {b for _, b in pairs}
    shared = sum(a in targets or b in sources for a, b in pairs) / len(pairs)
    path = len(sources) == len(targets) == len(pairs) and not any(a == b for a, b in pairs)
    return shared > 0.5 and (len(sources) < len(pairs) or path) and not _are_clusters(pairs)


def is_cluster_table(table: Table) -> bool:
    """Whether a table holds clusters as MMseqs2 writes them: representative and member, each member once.

    The representative is a member of its own cluster: it stands beside itself, too.
    """
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    if len(rows) < 2 or any(len(fields) != 2 for fields in rows):
        return False
    return _are_clusters([(a.strip(), b.strip()) for a, b in rows])


def _are_clusters(pairs: Sequence[tuple[str, str]]) -> bool:
    alone = {a for a, b in pairs if a == b}
    once = len({b for _, b in pairs}) == len(pairs)
    return once and len(alone) < len(pairs) and {a for a, _ in pairs} == alone


def joins_numbers(table: Table) -> bool:
    """Whether pairs of whole numbers, most of which occur in both columns, are rather edges than points on a grid.

    No number stands beside itself and no line is there twice: of as many points some would.
    """
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    pairs = [tuple(field.strip() for field in fields) for fields in rows]
    told = len(pairs) >= FEWEST and len(set(pairs)) == len(pairs)
    return told and is_list_of_numbers(table) and all(pair[0] != pair[1] for pair in pairs)


def is_list_of_numbers(table: Table) -> bool:
    """Whether a table holds pairs of whole numbers, most of which occur in both columns: edges, or points on a grid."""
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    if len(rows) < 2 or any(len(fields) != 2 for fields in rows):
        return False
    pairs = [(a.strip(), b.strip()) for a, b in rows]
    if not all(a.isdecimal() and b.isdecimal() for a, b in pairs):
        return False
    sources, targets = {a for a, _ in pairs}, {b for _, b in pairs}
    return 2 * sum(a in targets or b in sources for a, b in pairs) > len(pairs)
