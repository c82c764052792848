"""Every structure of the process that several visitors touch: listed in docs/threads.md, and hammered from many threads."""

import ast
import gc
import re
import sys
import threading
import weakref
from collections import deque
from functools import partial

import numpy as np
import pytest

from kernex_core.base import digests
from kernex_core.base.digests import digest
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.upload import Upload
from kernex_core.runtime import executors as threads
from kernex_core.runtime import scheduler
from kernex_core.studies.combination import Partial
from pages.server import cache as origin
from pages.server import cache as running
from pages.server.cache import BoundedCache, Budget
from pages.server.token import Tries
from pages.server.visitors import keep, limits
from pages.server.visitors import store as identity
from pages.server.visitors.contents import Contents, Entry, Workspace
from pages.server.visitors.store import EMPTY, Store
from pages.ui.classroom import Pool
from tests.conftest import REPOSITORY
from tests.patience import IN_VAIN, PATIENCE

THREADS, ROUNDS = 8, 600
TABLE = (REPOSITORY / "docs" / "threads.md").read_text("utf-8")


def hammer(move, rounds=ROUNDS):
    """Call `move(thread, turn)` from threads that change places as often as they can; none may fail, or wait forever."""
    failures, start, pause = [], threading.Barrier(THREADS), sys.getswitchinterval()

    def moving(number):
        try:
            start.wait(PATIENCE)
            for turn in range(rounds):
                move(number, turn)
        except BaseException as error:
            failures.append(error)

    sys.setswitchinterval(1e-6)
    try:
        made = [threading.Thread(target=moving, args=(number,), daemon=True) for number in range(THREADS)]
        for thread in made:
            thread.start()
        for thread in made:
            thread.join(PATIENCE)
    finally:
        sys.setswitchinterval(pause)
    assert not any(thread.is_alive() for thread in made)
    assert failures == []


def test_results_of_visitors_who_come_while_others_make_room():
    budget = Budget(lambda: 40_000)
    shared, here = BoundedCache(16, 20_000, budget), deque(maxlen=50)

    def move(number, turn):
        own = BoundedCache(4, 10_000, budget)  # a new visitor's, gone some moves later
        here.append(own)
        assert own.get_or_compute("x", lambda: np.zeros(100))[0] == 0.0
        assert shared.get_or_compute(f"{turn % 20}", lambda: turn % 20) == turn % 20
        assert budget.bytes >= 0
        shared.trim("1", 2, 10**9)
        budget.allow(turn)
        if turn % 50 == 0:
            shared.clear()

    hammer(move, 1_500)
    assert not shared._computing
    assert budget.bytes <= budget.limit
    shared.clear()
    assert shared.bytes == 0


def _cached():
    budget = Budget(lambda: 1_000)
    store = BoundedCache(4, 1_000, budget)
    yield from ((budget.lock, partial(budget.join, store)), (budget.lock, partial(budget.allow, 1)))
    yield from ((budget.lock, partial(store.put, "x", 1)), (budget.lock, partial(store.trim, "x", 1, 1)))
    yield budget.lock, store.clear
    space, tries, pool, other = Workspace("one"), Tries(), Pool(), Store()
    yield from (
        (space.lock, partial(space.attach, Sight())),
        (space.lock, space.empty),
        (space.lock, space.close),
    )
    yield from ((tries._lock, partial(tries.count, "x")), (tries._lock, partial(tries.are_too_many, "x")))
    yield from (
        (pool._lock, partial(pool.bet, "x", "y", "z", "a")),
        (pool._lock, partial(pool.bets, "x", "y")),
    )
    yield from ((other._lock, partial(other.of, "x")), (other._lock, other.settle))
    yield from ((running._runs_lock, lambda: list(running.in_turn("held", lambda: None, lambda: iter([])))),)
    yield origin._lock, partial(origin.public, np.zeros(1))


def test_whoever_changes_something_waits_for_its_lock():
    for lock, change in _cached():
        thread = threading.Thread(target=change, daemon=True)
        with lock:
            thread.start()
            thread.join(IN_VAIN / 20)
            assert thread.is_alive(), change
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_marks_of_demos_while_values_come_and_go():
    gc.collect()
    here = len(origin._marked)

    def move(number, turn):
        values = [np.zeros(2) for _ in range(5)]
        origin.public(values)
        assert origin.is_public(values)
        assert not origin.is_public([np.zeros(2)])

    hammer(move, 3_000)
    assert len(origin._marked) == here


def test_studies_that_many_ask_for_are_run_once_at_a_time():
    class Whole(Partial):
        done, total = 3, 3

    inside, most = [], []

    def study():
        inside.append(1)
        most.append(len(inside))
        yield Whole()
        inside.pop()

    def move(number, turn):
        assert [state.done for state in running.in_turn(f"hammered {turn}", lambda: None, study)][-1] == 3

    hammer(move, 40)
    assert max(most) <= THREADS
    assert not [key for key in running._runs if key.startswith("hammered")]


def data(name, size=3):
    return DataSet(name, tuple(map(str, range(size))))


def test_workspaces_that_are_used_changed_and_let_go(monkeypatch):
    monkeypatch.setenv(limits.VISITORS, "5")
    store = Store()

    def move(number, turn):
        space = store.of(f"{turn % 12}")
        space.attach(Sight())
        with space.lock:
            before = space.contents
            if not space.gone:
                space.contents = space.contents.with_entry("mine", Entry(data("mine")))
        store.changed(space, before)
        if turn % 10 == number:
            store.forget(space)
        assert store.size >= 0
        len(store)

    hammer(move)
    store.of("a last one")  # two that came at once have each left the other's
    # those that were emptied take nobody's place: how many of them there are is chance
    assert sum(not space.contents.is_empty for space in store._spaces.values()) <= 5
    assert len(store) <= 5 + EMPTY * 5 + 1


class Sight:
    """What a tab has in sight."""

    def __init__(self):
        self.seen, self.memory = Contents(), {}


def test_a_workspace_that_tabs_come_to_while_it_is_emptied():
    space, tabs = Workspace("one"), weakref.WeakSet()

    def move(number, turn):
        sight = Sight()
        tabs.add(sight) if number == 0 else None
        space.attach(sight)
        space.empty()
        assert sight.memory == {}

    hammer(move)
    assert space.emptied == THREADS * ROUNDS


def test_workspaces_on_disk_that_are_noted_read_and_forgotten(tmp_path, monkeypatch):
    monkeypatch.setenv(limits.KEEP, str(tmp_path))
    monkeypatch.setattr(keep, "SOON", 0.0)
    full = Contents({"mine": Entry(data("mine"))}, {}, "mine")

    def move(number, turn):
        keeper, visitor = keep.keeping(), f"{turn % 6}"
        keeper.note(visitor, Contents(), full)
        assert set(keeper.read(visitor).entries) <= {"mine"}
        keeper.is_used(visitor)
        if turn % 5 == number % 5:
            keeper.forget(visitor)
        if number == 0 and turn % 10 == 0:
            keeper.clean()

    hammer(move, 40)
    keep.keeping().finish()
    assert len(keep._keepers) >= 1
    assert not [path.name for path in tmp_path.iterdir() if path.suffix in (".part", ".damaged")]


def test_keys_of_cookies_that_are_made_by_many_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv(limits.KEEP, str(tmp_path))
    cookies = set()

    def move(number, turn):
        cookie = identity.new_cookie()
        assert identity.visitor_of(cookie)
        cookies.add(cookie)

    hammer(move, 50)
    assert len(cookies) == 50 * THREADS


def test_bets_of_a_class_are_all_counted():
    pool = Pool()

    def move(number, turn):
        pool.bet(f"class-{turn % 3}", "lesson", f"{number}.{turn}", "a")
        pool.bets("class-0", "lesson")
        pool.bet(f"other-{turn}-{number}", "lesson", "x", "b")

    hammer(move, 60)
    assert sum(pool.bets(f"class-{k}", "lesson").get("a", 0) for k in range(3)) <= 60 * THREADS
    assert len(pool._classes) <= 200


def test_wrong_tokens_of_many_addresses():
    tries = Tries()

    def move(number, turn):
        tries.count(f"{number}.{turn % 7}")
        tries.are_too_many(f"{number}.{turn % 7}")

    hammer(move, 3_000)
    assert all(tries.are_too_many(f"{number}.0") for number in range(THREADS))


def test_the_pool_of_threads_and_its_queue():
    def move(number, turn):
        assert threads.in_order(lambda k: k * k, range(4)) == [0, 1, 4, 9]
        assert [part for part in threads.one_a_turn(iter("ab")) if part is not None] == ["a", "b"]

    hammer(move, 15)
    assert not scheduler._round_robin._waiting
    assert scheduler._round_robin._running == 0


def test_digests_of_settings_while_the_notes_are_thrown_away(monkeypatch):
    monkeypatch.setattr(digests, "_MOST_SETTINGS", 5)
    expected = [digest({"setting": k}) for k in range(20)]

    def move(number, turn):
        assert digest({"setting": turn % 20}) == expected[turn % 20]

    hammer(move, 3_000)


def test_a_file_that_two_tabs_read_while_one_lets_go_of_it():
    file = Upload("mine.csv", b",a,b\na,1,0\nb,0,1\n")

    def move(number, turn):
        assert file.text.startswith(",a,b")
        assert len(file.sha256) == 64
        file.forget()

    hammer(move, 3_000)


def in_table(place, name):
    """Whether a row says both."""
    return any(f"`{place}`" in row and f"`{name}`" in row for row in TABLE.splitlines())


STATE = re.compile(r"(threading\.(R?Lock|Condition|local)|weakref\.|OrderedDict|ThreadPoolExecutor|deque)\b")


def shared_state(path):
    """Names of a module that hold what several threads change: locks, stores of its own, results that are kept for good."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body:
        value, target = (
            getattr(node, "value", None),
            getattr(node, "target", None) or (getattr(node, "targets", None) or [None])[0],
        )
        if (
            isinstance(node, ast.Assign | ast.AnnAssign)
            and value is not None
            and isinstance(target, ast.Name)
        ):
            made, kind = (
                ast.unparse(value),
                ast.unparse(getattr(node, "annotation", None) or ast.Constant("")),
            )
            mutable = made in ("{}", "[]", "set()") and "Final" not in kind
            if mutable or STATE.search(made) or made in WITH_LOCKS:
                yield target.id
    for node in ast.walk(tree):
        yield from node.names if isinstance(node, ast.Global) else ()
        for mark in getattr(node, "decorator_list", ()):
            if re.fullmatch(r"(functools\.)?(lru_)?cache(\(.*\))?", ast.unparse(mark)):
                yield node.name


WITH_LOCKS = (
    "Budget(limits.cache_bytes)",
    "BoundedCache(SHARED_ENTRIES, SHARED_BYTES, _budget)",
    "Store()",
    "Tries()",
    "Pool()",
    "_RoundRobin()",
    "_OneBlasThread()",
)
"""What is made of a class of ours that several threads use."""


@pytest.mark.parametrize("folder", ["pages", "kernex_core"])
def test_every_structure_of_the_process_is_in_the_table(folder):
    found = {
        (path.relative_to(REPOSITORY).as_posix(), name)
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
        for name in shared_state(path)
    }
    assert found
    assert [each for each in sorted(found) if not in_table(*each)] == []


def test_every_class_that_has_a_lock_is_in_the_table():
    found = {
        (path.relative_to(REPOSITORY).as_posix(), node.name)
        for folder in ("pages", "kernex_core")
        for path in (REPOSITORY / folder).rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and re.search(r"threading\.(R?Lock|Condition)", ast.unparse(node))
    }
    assert {"Store", "Workspace", "Pool"} <= {name for _, name in found}
    assert [each for each in sorted(found) if not in_table(*each)] == []


def test_what_the_table_names_is_there():
    for place in set(re.findall(r"`((?:pages|kernex_core)/[\w/]+\.py)`", TABLE)):
        assert (REPOSITORY / place).exists(), place
