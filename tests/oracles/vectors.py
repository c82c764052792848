"""The vectors of ../shared/vectors, by name."""

import json
from fractions import Fraction

import numpy as np


def load(folder, file="vectors.json"):
    found = {}

    def walk(node):
        if isinstance(node, dict):
            if "name" in node:
                found[node["name"]] = node
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(json.loads((folder / "vectors" / file).read_text(encoding="utf-8")))
    return found


def number(value):
    """Nested lists of numbers or of fractions as text -> float array."""
    return _float(value)


def _float(value):
    if isinstance(value, list):
        return np.array([_float(v) for v in value])
    return float(Fraction(value)) if isinstance(value, str) else float(value)
