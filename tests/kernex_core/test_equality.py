"""Results are equal when they hold the same, NaN and arrays included: over every frozen dataclass of the core."""

import contextlib
import dataclasses
import importlib
import inspect
import math
import pkgutil
import re
import sys
import types
import typing

import numpy as np
import pytest
from scipy import sparse

import kernex_core
from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import EqualByContent, same
from kernex_core.learning.compare import PaperTests
from kernex_core.learning.judgement import Score


def frozen_classes():
    for module in pkgutil.walk_packages(kernex_core.__path__, "kernex_core."):
        for each in vars(importlib.import_module(module.name)).values():
            is_own = isinstance(each, type) and each.__module__ == module.name
            if is_own and dataclasses.is_dataclass(each) and not inspect.isabstract(each):
                yield each


CLASSES = tuple(frozen_classes())
ARRAY = re.compile(
    "numpy.ndarray|NDArray|<class 'numpy.ndarray'>"
)  # NDArray[…] is an alias of its own from NumPy 2.5 on


def hostile(kind, within=()):
    """A new value of an annotated type that Python takes for unlike its copy, or fails to compare; None if there is none."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind is float:
        return float("nan")
    if ARRAY.match(str(kind)):
        return np.array([math.nan, 1.0])
    if kind is sparse.csr_array:
        return sparse.csr_array([[math.nan, 1.0]])
    if origin in (typing.Union, types.UnionType):
        return next((found for part in parts if (found := hostile(part, within)) is not None), None)
    if origin is tuple:
        found = [hostile(part, within) for part in parts if part is not Ellipsis]
        return None if all(each is None for each in found) else tuple(found)
    if isinstance(origin, type) and issubclass(origin, typing.Mapping) and len(parts) == 2:
        inner = np.array([math.nan]) if parts[1] is typing.Any else hostile(parts[1], within)
        return None if inner is None else {"a": inner}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind not in within:
        return filled(kind, within)
    return None


def hints(each):
    """Types of the fields; without those that are imported for the type checker alone, which have tests of their own."""
    found = {}
    for owner in reversed(each.__mro__):
        names = vars(sys.modules[owner.__module__])
        for name, kind in vars(owner).get("__annotations__", {}).items():
            with contextlib.suppress(NameError):
                found[name] = eval(kind, dict(names), dict(vars(owner))) if isinstance(kind, str) else kind
    return {name: found[name] for name in each.__dataclass_fields__ if name in found}


def filled(each, within=()):
    """An instance whose fields hold NaN and arrays wherever their types allow it, past all checks; None if nowhere."""
    found = {name: hostile(kind, (*within, each)) for name, kind in hints(each).items()}
    found = {
        name: value for name, value in found.items() if value is not None and not refused(each, name, value)
    }
    if not found:
        return None
    made = object.__new__(each)
    for field in dataclasses.fields(each):
        object.__setattr__(made, field.name, found.get(field.name))
    return made


def refused(each, name, value):
    """Whether the class itself keeps NaN out of the field: parameters are checked, and their equality is Python's."""
    if (
        ARRAY.search(str(hints(each)[name])) or hints(each)[name] is sparse.csr_array
    ):  # an array of a wrong shape is refused, others are not
        return False
    needed = {field.name: None for field in dataclasses.fields(each) if field.default is dataclasses.MISSING}
    try:
        each(**{**needed, name: value})
    except KernexError:
        return True
    except Exception:
        return False
    return False


@pytest.mark.parametrize("each", CLASSES, ids=lambda each: f"{each.__module__}.{each.__qualname__}")
def test_a_result_with_nan_or_arrays_equals_another_that_holds_the_same(each):
    assert each.__dataclass_params__.frozen
    one, other = filled(each), filled(each)
    if one is not None:
        assert one == other, "declare it @dataclass(frozen=True, eq=False) and derive it from EqualByContent"
        assert hash(one) == hash(other)
        assert one != object()


def test_results_of_every_kind_are_tried():
    tried = {each.__name__ for each in CLASSES if filled(each) is not None}
    assert tried >= {
        "Score",
        "Judgement",
        "Comparison",
        "GramMatrix",
        "Labels",
        "Explanation",
        "SparseTable",
        "SparseVectors",
        "Sweep",
    }


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.nan, 1.0),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0])),
        (np.array([1.0]), np.array([1.0, 1.0])),
        (np.array([1.0]), 1.0),
        (np.array(["a", "b"]), np.array(["a", "c"])),
        ((1.0, np.nan), (1.0, np.nan, np.nan)),
        ([1.0], (1.0,)),
        ({"a": np.nan}, {"b": np.nan}),
        ({"a": np.zeros(2)}, {"a": np.ones(2)}),
        (sparse.csr_array([[0.0, 1.0]]), sparse.csr_array([[1.0, 0.0]])),
        (Score("a", 0.5), Score("a", 0.25)),
        (Score("a", 0.5), Score("b", 0.5)),
        (None, np.nan),
    ],
)
def test_what_differs_is_not_the_same(a, b):
    assert not same(a, b)
    assert not same(b, a)
    assert same(a, a)
    assert same(b, b)


def test_equality_is_that_of_numbers_and_keys_of_dictionaries_agree():
    one = PaperTests(float("nan"), 1, 2, float("nan"), 0.5, 0.5)
    other = dataclasses.replace(one, mcnemar_p=float("nan"))
    assert one == other
    assert {one: "a"}[other] == "a"
    assert one != dataclasses.replace(one, only_first=2)
    assert len({Score("a", float("nan")), Score("a", float("nan"))}) == 1


def test_a_field_that_does_not_count_does_not_count():
    @dataclasses.dataclass(frozen=True, eq=False)
    class Memory(EqualByContent):
        x: float
        seen: dict = dataclasses.field(default_factory=dict, compare=False)

    assert Memory(float("nan"), {"a": 1}) == Memory(float("nan"))
