from dataclasses import dataclass

import numpy as np
import pytest

from kernex_core import GramMatrix, Spectrum
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.provenance import Call, File, call, found_in, method, part, write_script


def run(script, **scope):
    """Names of a script after it ran, whose functions are those of `scope`."""
    ours = "\n".join(line for line in script.splitlines() if not line.startswith("from kernex_core"))
    exec(ours, scope)
    return scope


def test_each_distinct_call_is_written_once():
    data = call("data", "load")
    a, b = part(data, "labels", name="a"), method("b", data, "take")
    script = write_script([call("sum", "add", a, b)], heading="Kernex", prints=["$0"])
    assert script.count("load()") == 1
    assert "sum = add(a, b)" in script
    assert script.rstrip().endswith("print(sum)")
    assert [line for line in script.splitlines() if "import" in line] == ["from kernex_core import add, load"]


def test_names_that_clash_or_are_no_names_are_made_so():
    parts = [call("class", "f", i) for i in range(2)] + [
        call("3 Di!", "g"),
        call("λ", "h"),
        call("f", "h", 1),
    ]
    scope = run(
        write_script([call("all", "f", *parts)], heading="x"),
        f=lambda *a: a, g=lambda: "g", h=lambda *a: f"h{a}",
    )  # fmt: skip
    assert scope["all"] == ((0,), (1,), "g", "h()", "h(1,)")
    assert callable(scope["f"])


@pytest.mark.parametrize(
    "value",
    [0.1, 1e-300, 3, True, None, "a'b$0\n", b"x", (1,), (), (0.5, ("x", None)), {"a$1": 2, "b'": (3,)}],
    ids=repr,
)
def test_plain_values_come_back_as_they_were(value):
    found = run(write_script([call("v", "f", value)], heading="x"), f=lambda x: x)["v"]
    assert found == value
    assert type(found) is type(value)


def test_mappings_come_back_with_their_calls_in_their_order():
    named = {"b $1'": call("left", "f", 1), "a": call("right", "f", 2)}
    found = run(write_script([call("v", "f", {**named, "none": {}})], heading="x"), f=lambda x: x)["v"]
    assert list(found.items()) == [("b $1'", 1), ("a", 2), ("none", {})]


def test_what_has_a_call_of_its_own_is_replaced_by_it_and_written_nowhere_else():
    K = GramMatrix(np.eye(2), ("a", "b"), "K", call("K", "load"))
    made = call("v", "f", K, (K, [K]), {"k": K}, WithKernel(K))
    assert made.arguments[:3] == (K.recipe, (K.recipe, [K.recipe]), {"k": K.recipe})
    assert [each.function for each in made.calls()] == ["load", "f"]
    assert found_in(made.arguments, Spectrum) == []
    assert len(found_in((Spectrum(2), {"k": (Spectrum(3),)}), Spectrum)) == 2


def test_calls_are_equal_by_what_is_called_and_by_name():
    one = call("v", "f", np.array([1.0, np.nan]), x=(1, "a"))
    assert one == call("v", "f", np.array([1.0, np.nan]), x=(1, "a"))
    assert hash(one) == hash(call("v", "f", np.array([1.0, np.nan]), x=(1, "a")))
    others = [
        call("v", "g", np.array([1.0, np.nan]), x=(1, "a")), call("v", "f", np.array([1.0, 2.0]), x=(1, "a")),
        call("v", "f", np.array([1.0, np.nan]), x=(1, "b")), call("v", "f", np.array([1.0, np.nan]), y=(1, "a")),
        part(one, "labels"), method("v", one, "f"), Call("v", "f", one.arguments, one.keywords, ("labels",)),
    ]  # fmt: skip
    assert len({each.digest for each in (one, *others)}) == len(others) + 1
    assert one != call("w", "f", np.array([1.0, np.nan]), x=(1, "a"))


def test_a_graph_of_shared_calls_is_walked_once():
    made = call("v", "f")
    for _ in range(200):
        made = call("v", "f", made, made)
    assert len(list(made.calls())) == 201
    assert write_script([made], heading="x").count("f(") == 201


def test_files_that_are_read_and_data_that_are_fetched_stand_on_top():
    read = call("a", "read_samples", File("a.csv"), "a.csv")
    script = write_script([call("v", "f", read, Call("b", "fetch", fetches=("colon",)))], heading="x")
    assert "# It reads from the folder in which it is started: a.csv" in script
    assert "fetches them: colon" in script
    assert "a = read_samples(Path('a.csv').read_bytes(), 'a.csv')" in script
    assert read.reads == ("a.csv",)


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
    scope = run(write_script([call("v", "f", array)], heading="x"), f=lambda x: x)
    np.testing.assert_array_equal(scope["v"], array)
    assert scope["v"].dtype.kind == array.dtype.kind
    assert np.array_equal(np.signbit(scope["v"]), np.signbit(array)) if array.dtype.kind == "f" else True


@dataclass(frozen=True)
class WithKernel:
    K: GramMatrix


def test_only_our_own_objects_have_source():
    for foreign in (WithKernel(GramMatrix(np.eye(2))), object()):
        with pytest.raises(TypeError, match=r"no source|no digest"):
            write_script([call("v", "f", foreign)], heading="x")
    script = write_script([call("v", "f", CosineNormalize(), Spectrum(2))], heading="x")
    assert "v = f(CosineNormalize(), Spectrum(k=2))" in script
    assert "from kernex_core import CosineNormalize, Spectrum, f" in script
