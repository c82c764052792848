import gc
import gzip
import weakref

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.upload import Upload
from pages.server import cache as origin
from pages.server.cache import MISSING, BoundedCache, Budget
from pages.server.visitors import limits
from pages.server.visitors.contents import Contents, Entry
from pages.server.visitors.store import EMPTY, STARTED, Store

SIDE = 2_500  # 50 MB a matrix; nothing is written into it, so that it takes no memory
IDS = tuple(map(str, range(SIDE)))


@pytest.fixture
def store(clock):
    return Store(clock)


def data(name="mine", size=3):
    K = np.zeros((size, size))
    K.flags.writeable = False
    made = object.__new__(GramMatrix)  # without looking through 50 MB of zeros
    made.__dict__.update(values=K, ids=IDS[:size], name=name)
    return DataSet(name, IDS[:size], kernels={name: made})


def bring(store, visitor, dataset):
    space = store.of(visitor)
    space.contents = space.contents.with_entry(dataset.name, Entry(dataset))
    store.settle()
    return space


def test_a_visitor_comes_back_to_the_same_workspace(store):
    assert store.of("one") is store.of("one")
    assert store.of("one") is not store.of("two")


def test_thirty_visitors_with_50_mb_each_stay_within_the_limit(store, monkeypatch):
    monkeypatch.setenv(limits.WORKSPACES, "1000")
    alive = weakref.WeakSet()
    for number in range(30):
        dataset = data(size=SIDE)
        alive.add(dataset)
        bring(store, str(number), dataset)
        del dataset
        assert sum(each.kernels["mine"].values.nbytes for each in alive) <= 1_000_000_000
        store.of("0")  # used all the time
    assert store.size <= 1_000_000_000
    assert store.of("0").contents.entries
    assert store.of("29").contents.entries
    assert "unused for the longest time" in store.of("1").notice
    assert not store.of("1").contents.entries


def test_results_of_thirty_visitors_stay_within_the_limit_of_the_process():
    budget = Budget(lambda: 2_000_000_000)
    alive, caches = weakref.WeakSet(), [BoundedCache(128, 1_000_000_000, budget) for _ in range(30)]

    class Result:
        def __init__(self):
            self.values = np.zeros((SIDE, SIDE))

    for turn in range(3):
        for number, cache in enumerate(caches):
            result = Result()
            alive.add(result)
            cache.put(f"{turn}", result)
            del result
            assert sum(each.values.nbytes for each in alive) <= 2_000_000_000
            if number:
                assert caches[0].get(f"{turn}") is not MISSING  # looked at again and again
    assert len(alive) == 39
    assert budget.bytes == pytest.approx(39 * 8 * SIDE**2, rel=1e-3)
    caches.clear()
    del cache
    gc.collect()
    assert budget.bytes == 0  # whose workspace is gone has no results either


def test_whoever_has_not_been_here_for_longest_leaves_first_and_passers_by_before_anybody(store, monkeypatch):
    monkeypatch.setenv(limits.VISITORS, "3")
    for visitor in ("one", "two"):
        bring(store, visitor, data())
    demo = origin.public(data("demo"))
    for number in range(20):
        bring(store, f"passing {number}", demo)
    assert len(store) == 3
    assert store.of("one").contents.entries
    assert store.of("two").contents.entries
    bring(store, "three", data())
    bring(store, "four", data())
    assert not store.of("one").contents.entries
    assert store.of("passing 0").notice == ""  # nothing of theirs was lost


def test_an_empty_workspace_takes_no_place_and_evicts_nobody(store, monkeypatch):
    monkeypatch.setenv(limits.VISITORS, "3")
    for visitor in ("one", "two", "three"):
        bring(store, visitor, data())
    for number in range(1_000):  # programs that take no cookie are somebody new each time
        store.of(f"passing {number}")
    assert len(store) < 3 * (EMPTY + 1) + 2
    assert all(store.of(visitor).contents.entries for visitor in ("one", "two", "three"))
    bring(store, "passing 0", data())
    assert sum(not space.contents.is_empty for space in store._spaces.values()) == 3


def test_a_crowd_of_files_that_nobody_uses_costs_their_sender_and_nobody_else(store, monkeypatch):
    monkeypatch.setenv(limits.WORKSPACES, "120")
    for visitor in ("one", "two"):
        bring(store, visitor, data(size=SIDE))
    sender = store.of("sender")
    for number in range(10):
        files = (*sender.contents.settings.get("data.files", ()), Upload(f"{number}.bin", bytes(5_000_000)))
        before, sender.contents = sender.contents, sender.contents.with_setting("data.files", files)
        store.changed(sender, before)
        assert store.size <= 120_000_000
    assert store.of("one").contents.entries
    assert store.of("two").contents.entries
    assert "waited" in sender.notice
    assert not sender.gone


def test_what_waits_counts_as_it_came_and_unpacked():
    packed = gzip.compress(b"a,b\n" * 100_000)
    file = Upload("x.csv.gz", packed)
    assert Contents({}, {"data.files": (file,)}).size >= len(packed)
    _ = file.data
    assert Contents({}, {"kept": file}).size_of_files == len(packed) + 400_000
    assert Contents({}, {"kept": file, "other": 1}).without_files().settings == {"other": 1}


def test_a_reason_that_was_not_read_is_told_the_next_time(store, monkeypatch):
    store.tell("one", STARTED)
    monkeypatch.setenv(limits.IDLE, "1")
    assert store.of("one").notice == STARTED
    store._clock.now += 3_700
    store.of("two")
    assert store.of("one").notice == STARTED


def test_an_unused_workspace_is_let_go_after_some_hours_and_its_visitor_is_told(store, clock, monkeypatch):
    monkeypatch.setenv(limits.IDLE, "2")
    space = bring(store, "one", data())
    space.results = BoundedCache(4, 1_000)
    space.results.put("x", 1)
    clock.now += 2 * 3600 + 1
    store.settle()
    assert space.gone
    assert len(space.results) == 0
    assert not space.contents.entries
    assert "2 hours" in store.of("one").notice
    assert store.of("two").notice == ""


def test_demos_cost_nothing_and_are_not_missed():
    demo = origin.public(data())
    assert Entry(demo).size < 1_000
    assert not Contents({"demo": Entry(demo)}).is_own
    assert Contents({"demo": Entry(demo, {"K": demo.kernels["mine"]})}).is_own
    assert Contents({}, {"data.files": ("a file",)}).is_own


@pytest.mark.parametrize("given", ["x", "-1", "0", "2.5", "٣", "9" * 5_000])
@pytest.mark.parametrize(
    ("name", "limit"),
    [(limits.CACHE, limits.cache_bytes), (limits.WORKSPACES, limits.workspace_bytes),
     (limits.VISITORS, limits.most_visitors), (limits.IDLE, limits.idle_hours)],
)  # fmt: skip
def test_a_setting_that_cannot_be_is_refused_in_a_sentence(monkeypatch, name, limit, given):
    monkeypatch.setenv(name, given)
    with pytest.raises(InvalidInputError, match=name):
        limit()
