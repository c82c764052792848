"""One pool for the process: as many threads as the machine and the setting allow, whoever asks and however often."""

import multiprocessing
import os
import threading
import time

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

from kernex_core.base.errors import InvalidInputError
from kernex_core.runtime import executors as threads
from kernex_core.runtime.executors import in_order, spread_in_steps, submit, thread_count
from tests.patience import PATIENCE


@pytest.fixture
def cores(monkeypatch):
    """A machine of so many cores."""

    def have(count):
        monkeypatch.delenv("KERNEX_THREADS", raising=False)
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(count)), raising=False)

    return have


@pytest.mark.parametrize(
    ("machine", "setting", "count"),
    [(1, None, 1), (6, None, 6), (64, "", 64), (6, "2", 2), (6, " 3 ", 3), (2, "16", 2)],
)
def test_the_number_follows_the_machine_and_is_bounded_by_the_setting(
    cores, monkeypatch, machine, setting, count
):
    cores(machine)
    if setting is not None:
        monkeypatch.setenv("KERNEX_THREADS", setting)
    assert thread_count() == count


@pytest.mark.parametrize("setting", ["0", "-1", "two", "1.5", "²"])
def test_a_setting_that_is_no_number_of_threads_gets_a_sentence(monkeypatch, setting):
    monkeypatch.setenv("KERNEX_THREADS", setting)
    with pytest.raises(InvalidInputError, match="KERNEX_THREADS has to be a whole number") as told:
        in_order(abs, [1, 2])
    assert repr(setting) in str(told.value)
    assert "one a core" in str(told.value)


class Meter:
    """How many threads are in `work` at once, and which."""

    def __init__(self):
        self.lock, self.now, self.most, self.names = threading.Lock(), 0, 0, set()

    def work(self, item):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.names.add(threading.current_thread().name)
        time.sleep(0.005)
        with self.lock:
            self.now -= 1
        return 10 * item


@pytest.mark.parametrize("count", [1, 3])
def test_many_visitors_have_the_threads_of_one(cores, count):
    cores(count)
    meter, found = Meter(), {}

    def visit(name):
        found[name] = in_order(meter.work, range(12))

    visitors = [threading.Thread(target=visit, args=(name,)) for name in range(6)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(PATIENCE)
    assert found == {name: [10 * i for i in range(12)] for name in range(6)}
    assert meter.most <= count
    assert len(meter.names) <= count


def test_no_more_than_a_few_pieces_are_begun_ahead(cores):
    cores(2)
    begun = []
    pieces = spread_in_steps(begun.append, range(1000))
    next(pieces)
    pieces.close()
    assert len(begun) <= 2 * 2 + 2


def test_pieces_come_while_nothing_is_done_and_end_with_everything(cores, monkeypatch):
    cores(2)
    monkeypatch.setattr(threads, "PULSE", 0.02)
    gate = threading.Event()
    pieces = spread_in_steps(lambda item: gate.wait(PATIENCE) and item, [1, 2, 3])
    assert next(pieces) == []
    assert next(pieces) == []
    gate.set()
    assert [item for piece in pieces for item in piece] == [1, 2, 3]
    assert list(spread_in_steps(abs, [])) == []


def test_the_first_failure_stops_the_rest(cores):
    cores(2)
    begun = []

    def work(item):
        begun.append(item)
        if item == 3:
            raise ZeroDivisionError
        return item

    with pytest.raises(ZeroDivisionError):
        in_order(work, range(1000))
    assert len(begun) < 20


def test_work_inside_the_pool_may_spread_more_work(cores):
    cores(1)
    assert in_order(lambda i: sum(in_order(abs, range(i + 2))), range(5)) == [1, 3, 6, 10, 15]

    def failing():
        return submit(divmod, 1, 0).exception()

    assert isinstance(submit(failing).result(PATIENCE), ZeroDivisionError)


def blas_threads():
    return {lib["num_threads"] for lib in ThreadpoolController().info() if lib["user_api"] == "blas"}


def test_meanwhile_a_blas_has_one_thread_and_then_what_it_had():
    np.eye(2) @ np.eye(2)
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        inside = in_order(lambda _: blas_threads(), range(3))
        one = spread_in_steps(lambda _: blas_threads(), range(2))
        other = spread_in_steps(lambda _: blas_threads(), range(200))
        seen = [next(one), next(other)]
        list(one)  # the first one out leaves the other with one thread
        assert blas_threads() == {1}
        other.close()
        assert blas_threads() == before
    assert {frozenset(found) for found in [*inside, *seen[0], *seen[1]]} == {frozenset({1})}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this machine")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_process_has_a_pool_of_its_own():
    assert in_order(abs, [-1, -2]) == [1, 2]
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=lambda: answers.put(in_order(abs, [-3, -4])))
    child.start()
    assert answers.get(timeout=PATIENCE) == [3, 4]
    child.join(PATIENCE)
