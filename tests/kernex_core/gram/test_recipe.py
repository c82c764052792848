from dataclasses import dataclass

import numpy as np
import pytest

from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.recipe import Recipe, call, code_of, method, write_script


def test_each_distinct_recipe_is_written_once():
    data = Recipe("data", "load()")
    a, b = method("a", data, "left"), method("b", data, "right")
    script = write_script([call("sum", "add", a, b)], heading="Kernex", prints=["$0"])
    assert script.count("load()") == 1
    assert "sum = add(a, b)" in script
    assert script.rstrip().endswith("print(sum)")


def test_names_that_clash_or_are_no_names_are_made_so():
    parts = [Recipe("class", f"f({i})") for i in range(2)] + [Recipe("3 Di!", "g()"), Recipe("λ", "h()")]
    script = write_script([call("all", "f", *parts)], heading="x")
    scope = {"f": lambda *a: a, "g": lambda: "g", "h": lambda: "h"}
    exec(script, scope)
    assert scope["all"] == ((0,), (1,), "g", "h")


@pytest.mark.parametrize(
    "value",
    [0.1, 1e-300, 3, True, None, "a'b$0\n", b"x", (1,), (), (0.5, ("x", None)), {"a$1": 2, "b'": (3,)}],
    ids=repr,
)
def test_plain_values_come_back_as_they_were(value):
    scope = {"f": lambda x: x}
    exec(write_script([call("v", "f", value)], heading="x"), scope)
    assert scope["v"] == value
    assert type(scope["v"]) is type(value)


def test_mappings_come_back_with_their_recipes_in_their_order():
    named = {"b $1'": Recipe("left", "f(1)"), "a": Recipe("right", "f(2)")}
    scope = {"f": lambda x: x}
    exec(write_script([call("v", "f", {**named, "none": {}})], heading="x"), scope)
    assert list(scope["v"].items()) == [("b $1'", 1), ("a", 2), ("none", {})]


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.0, np.nan, 1 / 3, np.inf, -np.inf, -0.0, 5e-324]),
        np.array([[1, 1 / 3]], dtype=np.float32),
        np.random.default_rng(0).normal(size=(40, 3)) ** 9,
        np.zeros((0,)),
        np.array([[True], [False]]),
        np.arange(2000),
        np.array(["a b", ""]),
    ],
    ids=["nan", "single", "real", "empty", "bool", "long", "text"],
)
def test_arrays_come_back_as_they_were(array):
    scope = {"f": lambda x: x}
    exec(write_script([call("v", "f", array)], heading="x"), scope)
    np.testing.assert_array_equal(scope["v"], array)
    assert scope["v"].dtype.kind == array.dtype.kind
    assert np.array_equal(np.signbit(scope["v"]), np.signbit(array)) if array.dtype.kind == "f" else True


def test_only_our_own_objects_have_source():
    @dataclass
    class Foreign:
        x: int = 0

    with pytest.raises(TypeError):
        code_of(Foreign())
    with pytest.raises(TypeError):
        code_of(object())
    assert code_of(CosineNormalize()).code == "CosineNormalize()"
