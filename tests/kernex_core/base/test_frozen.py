import pickle
from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest

from kernex_core.base import digests
from kernex_core.base.digests import digest
from kernex_core.base.frozen import ReadOnlyArrays, read_only


@dataclass(frozen=True, eq=False)
class Result(ReadOnlyArrays):
    values: np.ndarray
    parts: tuple
    named: dict


@dataclass(frozen=True)
class Inner:
    p: float


@dataclass(frozen=True)
class OtherInner:
    p: float


@dataclass(frozen=True)
class Outer:
    inner: object
    size: int = 3


def made():
    return Result(np.arange(4.0), (np.ones(2), "x"), {"a": np.zeros(3)})


@pytest.mark.parametrize("restored", [False, True], ids=["fresh", "unpickled"])
def test_every_array_is_read_only_also_after_unpickling(restored):
    result = pickle.loads(pickle.dumps(made())) if restored else made()
    for array in (result.values, result.parts[0], result.named["a"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(FrozenInstanceError):
        result.values = np.ones(1)


def test_freezing_leaves_the_callers_array_alone():
    mine = np.arange(3.0)
    result = Result(mine, (), {})
    mine[0] = 99.0
    assert result.values[0] == 0.0


def test_a_read_only_view_of_a_writable_array_is_copied():
    mine = np.arange(3.0)
    view = mine[:]
    view.flags.writeable = False
    kept = read_only(view)
    mine[0] = 99.0
    assert kept[0] == 0.0


def test_an_array_that_nobody_can_write_to_is_not_copied():
    mine = np.arange(3.0)
    mine.flags.writeable = False
    assert read_only(mine) is mine


def test_digest_sees_one_entry_of_a_large_matrix():
    a = np.zeros((800, 800))
    b = a.copy()
    b[413, 77] = 1e-300
    assert digest(a) != digest(b)


def test_digest_tells_shape_dtype_type_and_nesting_apart():
    base = np.arange(6.0)
    different = [
        digest(base),
        digest(base.reshape(2, 3)),
        digest(base.reshape(3, 2)),
        digest(base.astype(np.float32)),
        digest(base.view(np.int64)),
        digest("1"),
        digest(1),
        digest(1.0),
        digest(True),
        digest(None),
        digest(b"1"),
        digest(("a", "b")),
        digest(["a", "b"]),
        digest(("ab",)),
        digest(Outer(Inner(0.5))),
        digest(Outer(OtherInner(0.5))),
        digest(Outer(Inner(0.25))),
        digest(Inner(0.5)),
        digest(np.nan),
    ]
    assert len(set(different)) == len(different)


def test_digest_does_not_depend_on_memory_layout():
    a = np.arange(12.0).reshape(3, 4)
    assert digest(a) == digest(np.asfortranarray(a)) == digest(a[:, :])


def test_digest_refuses_what_it_cannot_see():
    with pytest.raises(TypeError):
        digest(object())
    with pytest.raises(TypeError):
        digest(np.array([object()], dtype=object))


def test_settings_that_are_asked_for_again_have_the_digest_that_they_had():
    @dataclass(frozen=True)
    class Setting:
        value: object
        other: object = None

    values = (1, 1.0, True, "1", "True", 0.0, -0.0, float("nan"), None, "None", b"1", (1,), np.float64(1))
    first = [digest(Setting(value)) for value in values]
    assert len(set(first)) == len(values)
    assert [digest(Setting(value)) for value in values] == first
    assert {digest(Setting(None, value)) for value in values}.isdisjoint(set(first) - {digest(Setting(None))})
    for k in range(2 * digests._MOST_SETTINGS):
        digest(Setting(k))
    assert len(digests._written) <= digests._MOST_SETTINGS
