"""What a matrix of a file of the first format has seen: it said that of parameters alone, the rest is in its recipe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Later, Recipe
from kernex_core.gram.seen import BROUGHT, ITEMS, PAIR, Seen, seen_of
from kernex_core.kernels.catalogue import KERNELS

_SIMILARITIES: Final = re.compile(r"\$\d+\.similarities\(.*|(\w+)\(.*\)\.similarities\(.*", re.DOTALL)
_DEPENDS: Final = {kernel.__name__: kernel.depends for kernel in KERNELS}


def with_seen(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a GramMatrix of the first format as this one has them.

    A kernel that Kernex computed is known by its recipe, and so is a part of a matrix; of all else nobody knows.
    """
    if "set_by_items" not in given:
        return dict(given)
    fields = dict(given)
    by_items = fields.pop("set_by_items") is True
    base = fields.get("_base")
    seen = base.seen if isinstance(base, GramMatrix) else _seen_by(fields.get("origin"))
    return {**fields, "seen": seen | ITEMS if by_items else seen}


def _seen_by(origin: object) -> Seen:
    if isinstance(origin, Later):
        parts = _matrices((origin.owner, origin.arguments))
        return seen_of(*parts) if parts else BROUGHT
    if not isinstance(origin, Recipe):
        return BROUGHT
    if origin.expression.startswith("nothing_known("):
        return PAIR
    found = _SIMILARITIES.fullmatch(origin.expression)
    depends = _DEPENDS.get(found[1] or _called(origin)) if found else None
    return {"network": ITEMS, "pair": PAIR}.get(depends or "", BROUGHT)


def _called(origin: Recipe) -> str:
    return origin.needs[0].expression.partition("(")[0] if origin.needs else ""


def _matrices(value: object) -> list[GramMatrix]:
    if isinstance(value, tuple):
        return [K for item in value for K in _matrices(item)]
    return [value] if isinstance(value, GramMatrix) else []
