"""Small examples whose values were computed by other code, by name: tests/data/vectors.json."""

import json
from fractions import Fraction
from functools import cache

import numpy as np

from tests.conftest import REPOSITORY


@cache
def load():
    """Name -> example, with what is given and what is expected."""
    listed = json.loads((REPOSITORY / "tests" / "data" / "vectors.json").read_text(encoding="utf-8"))
    return {each["name"]: each for each in listed}


def number(value):
    """Nested lists of numbers or of fractions as text -> float array."""
    return _float(value)


def _float(value):
    if isinstance(value, list):
        return np.array([_float(v) for v in value])
    return float(Fraction(value)) if isinstance(value, str) else float(value)
