import threading
from dataclasses import dataclass

import numpy as np
import pytest

from kernex_core.base.frozen import ReadOnlyArrays, read_only
from pages.server import cached as module
from pages.server import workspace
from pages.server.cache import MISSING, BoundedCache, size_in_bytes
from pages.server.cached import cached
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def sessions(monkeypatch):
    """Two sessions; `sessions.switch()` goes to the other one."""

    class Sessions:
        stores: tuple[dict, dict] = ({}, {})
        number = 0

        def cache(self, make):
            return self.stores[self.number].setdefault("cache", make())

        def switch(self):
            self.number = 1 - self.number

    fresh = Sessions()
    fresh.stores = ({}, {})
    monkeypatch.setattr(workspace, "session_cache", fresh.cache)
    monkeypatch.setattr(module, "_shared", BoundedCache(4, 10_000_000))
    return fresh


@dataclass(frozen=True)
class Inner:
    value: float = 1.0


@dataclass(frozen=True)
class Config:
    inner: Inner = Inner()
    name: str = "x"


@dataclass(frozen=True)
class OtherConfig:
    inner: Inner = Inner()
    name: str = "x"


@dataclass(frozen=True, eq=False)
class Result(ReadOnlyArrays):
    K: np.ndarray
    parts: tuple[np.ndarray, ...] = ()


def counted(**options):
    calls = []

    def total(K, config=None, scale=1.0):
        calls.append(1)
        return float(np.sum(K)) * scale

    return (cached(**options)(total) if options else cached(total)), calls


def test_large_arrays_that_differ_in_one_entry_give_two_results():
    # st.cache_data samples arrays of this size, and would return the first result twice
    total, calls = counted()
    A = np.zeros((800, 800))
    for position in [(0, 0), (399, 401), (799, 799), (123, 456)]:
        B = A.copy()
        B[position] = 1.0
        assert total(A) == 0.0
        assert total(B) == 1.0
    assert len(calls) == 5


def test_nested_dataclasses_that_differ_inside_give_two_results():
    total, calls = counted()
    A = np.ones((2, 2))
    total(A, Config(Inner(1.0)))
    total(A, Config(Inner(2.0)))
    total(A, OtherConfig(Inner(1.0)))
    assert len(calls) == 3
    total(A, Config(Inner(2.0)))
    assert len(calls) == 3


def test_shape_and_type_belong_to_the_key():
    total, calls = counted()
    for A in (np.zeros((2, 3)), np.zeros((3, 2)), np.zeros(6), np.zeros(6, dtype=np.int64)):
        total(A)
    assert len(calls) == 4


def test_positional_keyword_and_default_arguments_share_an_entry():
    total, calls = counted()
    A = np.ones((2, 2))
    assert total(A) == total(K=A) == total(A, None, 1.0) == total(A, scale=1.0)
    assert len(calls) == 1


def test_functions_of_the_same_name_in_other_places_do_not_meet():
    def make(value):
        def inner(x):
            return value

        inner.__qualname__ = f"inner{value}"
        return cached(inner)

    assert (make(1)(0), make(2)(0)) == (1, 2)


def test_the_same_object_comes_back_without_a_copy_and_read_only():
    @cached
    def build(n):
        made = np.arange(float(n))
        return {"whole": made, "half": made[:2], "result": Result(np.eye(n), (np.ones(2),))}

    first, second = build(4), build(4)
    assert first is second
    for array in (first["whole"], first["half"], first["result"].K, first["result"].parts[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7.0
    assert not first["half"].base.flags.writeable


def test_what_has_no_digest_is_refused():
    total, _ = counted()
    with pytest.raises(TypeError, match="digest"):
        total(np.random.default_rng(0))


def test_a_session_does_not_see_the_results_of_another(sessions):
    total, calls = counted()
    total(np.ones(3))
    sessions.switch()
    assert total.peek(np.ones(3)) is None
    total(np.ones(3))
    assert len(calls) == 2


def test_shared_results_are_computed_once_for_all_sessions(sessions):
    total, calls = counted(shared=True)
    total(np.ones(3))
    sessions.switch()
    total(np.ones(3))
    assert len(calls) == 1


def test_a_call_that_is_asked_often_sees_what_is_kept_meanwhile_in_its_own_session(sessions):
    total, _ = counted()
    X = np.ones(4)
    asked = total.asked(X)
    assert asked.key == total.key(X)
    assert asked.peek() is None
    total.keep(42.0, X)
    sessions.switch()
    assert total.peek(X) is None
    assert asked.peek() == 42.0


def test_peek_and_keep():
    total, calls = counted()
    assert total.peek(np.ones(3)) is None
    assert total.keep(42.0, np.ones(3)) == 42.0
    assert total.peek(np.ones(3)) == total(np.ones(3)) == 42.0
    assert calls == []


def test_an_exception_keeps_nothing():
    attempts = []

    @cached
    def fails_once(x):
        attempts.append(x)
        if len(attempts) == 1:
            raise RuntimeError("once")
        return x

    with pytest.raises(RuntimeError):
        fails_once(1)
    assert fails_once(1) == 1


def test_none_is_a_result():
    calls = []

    @cached
    def nothing(x):
        calls.append(x)

    nothing(1)
    nothing(1)
    assert len(calls) == 1


def test_entries_are_bounded_and_the_least_recently_used_leaves():
    cache = BoundedCache(2, 10_000)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, MISSING, 3)
    assert len(cache) == 2


def test_bytes_are_bounded():
    cache = BoundedCache(100, 3 * 8_000 + 1_000)
    for number in range(5):
        cache.put(str(number), np.zeros(1_000))
    assert len(cache) == 3
    assert cache.bytes <= cache.max_bytes
    cache.put("too large", np.zeros(10_000))
    assert cache.get("too large") is MISSING
    assert cache.get("4") is not MISSING


def test_size_counts_shared_parts_once_and_follows_views_dataclasses_and_containers():
    A = np.zeros(1_000)
    assert size_in_bytes(A) == 8_000
    assert size_in_bytes(A[:10]) == 8_000
    assert size_in_bytes((A, A[5:], [A])) < 8_000 + 1_000
    assert size_in_bytes(Result(read_only(A), (np.zeros(500), np.zeros(500)))) >= 16_000
    assert size_in_bytes({"x": "ä" * 1_000}) >= 1_000


def test_threads_that_ask_for_the_same_compute_it_once():
    cache, calls, gate = BoundedCache(4, 1_000_000), [], threading.Event()

    def slow():
        gate.wait(PATIENCE)
        calls.append(1)
        return 7

    results = []
    threads = [
        threading.Thread(target=lambda: results.append(cache.get_or_compute("k", slow))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert results == [7] * 4
    assert len(calls) == 1


def test_of_what_a_slider_runs_through_the_newest_results_stay_and_others_are_not_pushed_out(sessions):
    calls = []

    @cached
    def other(x):
        calls.append(("other", x))
        return x

    @cached(newest=2)
    def at(x):
        calls.append(("at", x))
        return 10 * x

    assert other(1) == 1
    assert [at(x) for x in range(5)] == [0, 10, 20, 30, 40]
    assert (at.peek(2), at.peek(3), at.peek(4)) == (None, 30, 40)
    assert at(3) == 30  # used again, so that it is newer than 4
    assert at.keep(70, 7) == 70
    assert (at.peek(3), at.peek(4), at.peek(7)) == (30, None, 70)
    assert other(1) == 1
    assert calls == [("other", 1), *(("at", x) for x in range(5))]


def test_a_run_of_a_page_computes_nothing_twice_whatever_room_there_is(monkeypatch, sessions):
    monkeypatch.setattr(module, "_session_store", lambda: sessions.cache(lambda: BoundedCache(4, 100)))
    monkeypatch.setattr(module, "get_script_run_ctx", lambda **_: object())
    calls = []

    @cached
    def large(number):
        calls.append(number)
        return np.full(1_000, number)

    def run():
        for _ in range(3):
            for number in range(5):
                assert large(number)[0] == number
                assert large.peek(number) is not None

    for times in (1, 2):  # what one run has in use is gone with it
        thread = threading.Thread(target=run)
        thread.start()
        thread.join(PATIENCE)
        assert len(calls) == 5 * times


def test_what_a_run_has_in_use_is_bounded_and_nothing_is_held_outside_of_one(monkeypatch, sessions):
    monkeypatch.setattr(module, "_session_store", lambda: sessions.cache(lambda: BoundedCache(4, 100)))
    large = cached(lambda number: np.full(1_000, number))
    large(0)
    assert large.peek(0) is None
    monkeypatch.setattr(module, "get_script_run_ctx", lambda **_: object())
    monkeypatch.setattr(module, "_in_use", module._InUse())
    for number in range(2 * module.HELD):
        large(number)
    assert [large.peek(number) is not None for number in range(2 * module.HELD)] == [False] * module.HELD + [
        True
    ] * module.HELD
    monkeypatch.setattr(module, "HELD_BYTES", 10)
    large(-1)
    assert large.peek(-1) is not None
    assert large.peek(2 * module.HELD - 1) is None
    sessions.switch()  # nor does another session see any of it
    assert large.peek(-1) is None
