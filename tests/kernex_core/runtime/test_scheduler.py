"""Turns: quick answers before long studies, studies of several visitors in a circle, and nobody in anybody's way."""

import threading

import pytest

from kernex_core.runtime import executors as threads
from kernex_core.runtime import scheduler
from kernex_core.runtime.executors import in_order, submit
from kernex_core.runtime.scheduler import QUICK_IN_A_ROW, FairQueue, is_patient, schedule
from tests.patience import PATIENCE, until


def order_of(*pieces):
    """In which order (asker, patient) pieces are done that are all there at the beginning."""
    queue, done = FairQueue(), []
    for number, (asker, patient) in enumerate(pieces):
        queue.put(lambda name=f"{asker}{number}": done.append(name), asker, patient=patient)
    for _ in pieces:
        queue.take()
    return done


def test_whoever_asks_for_much_does_not_go_before_whoever_asks_for_little():
    asked = [("a", False)] * 4 + [("b", False)] * 2 + [("c", False)]
    assert order_of(*asked) == ["a0", "b4", "c6", "a1", "b5", "a2", "a3"]


def test_quick_answers_go_before_studies_that_were_there_first():
    assert order_of(("a", True), ("a", True), ("b", True), ("c", False), ("a", False)) == [
        "c3", "a4", "a0", "b2", "a1",
    ]  # fmt: skip


def test_a_study_is_not_kept_out_for_ever():
    done = order_of(("study", True), *[("quick", False)] * (2 * QUICK_IN_A_ROW))
    assert done.index("study0") == QUICK_IN_A_ROW


def test_a_quick_piece_finds_a_thread_although_studies_could_have_all(monkeypatch):
    monkeypatch.setattr(threads, "thread_count", lambda: 3)
    monkeypatch.setattr(scheduler, "HOLD", 60.0)
    gate, begun = threading.Event(), threading.Semaphore(0)
    submit(int).result(PATIENCE)  # somebody moves sliders

    def long():
        begun.release()
        return gate.wait(PATIENCE)

    futures = study_of([long] * 3)
    assert begun.acquire(timeout=PATIENCE)
    assert begun.acquire(timeout=PATIENCE)
    assert submit(abs, -1).result(PATIENCE) == 1  # the third thread is left to it
    assert not begun.acquire(blocking=False)
    gate.set()
    assert all(future.result(PATIENCE) for future in futures)


def test_without_quick_pieces_studies_have_all_threads(monkeypatch):
    monkeypatch.setattr(threads, "thread_count", lambda: 3)
    monkeypatch.setattr(scheduler, "HOLD", 0.0)
    together = threading.Barrier(3)
    futures = study_of([lambda: together.wait(PATIENCE)] * 3)
    assert sorted(future.result(PATIENCE) for future in futures) == [0, 1, 2]


def study_of(pieces):
    """Futures of pieces that a long study has put into the pool."""

    def study():
        yield [submit(piece) for piece in pieces]

    (futures,) = schedule(study(), 1)
    return futures


def test_studies_go_on_in_a_circle(monkeypatch):
    """Three studies that all want to go on: none has its second part before all have had their first."""
    monkeypatch.setattr(scheduler, "PULSE", 0.01)
    order, together, first = [], [], threading.Barrier(3)
    inside = threading.Lock()

    def unfinished(name):
        return sum(order.count(other) < 4 for other in "abc" if other != name)

    def study(name):
        for part in range(4):
            together.append(inside.acquire(blocking=False))
            assert is_patient()
            until(lambda: len(scheduler._round_robin._waiting) >= unfinished(name))
            inside.release()
            order.append(name)
            yield part

    def visit(name):
        first.wait(PATIENCE)
        found[name] = [part for part in schedule(study(name), 1) if part is not None]

    found = {}
    visitors = [threading.Thread(target=visit, args=(name,)) for name in "abc"]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(PATIENCE)
    assert found == {name: [0, 1, 2, 3] for name in "abc"}
    assert all(together)  # one place: never two at a time
    rounds = [order[at : at + 3] for at in range(0, 12, 3)]
    assert all(sorted(names) == ["a", "b", "c"] for names in rounds), rounds
    assert not is_patient()


def test_who_waits_says_so_and_who_leaves_is_in_nobodys_way(monkeypatch):
    monkeypatch.setattr(scheduler, "PULSE", 0.01)
    go_on = threading.Event()

    def long():
        go_on.wait(PATIENCE)
        yield "done"

    found = []
    runner = threading.Thread(target=lambda: found.extend(schedule(long(), 1)))
    runner.start()
    until(lambda: scheduler._round_robin._running)
    waiting, closed = schedule(iter("x"), 1), schedule(iter("y"), 1)
    assert [next(closed), next(waiting), next(waiting)] == [None, None, None]
    closed.close()  # a session that ends while it waits
    go_on.set()
    runner.join(PATIENCE)  # neither is one that keeps its place and is not there
    assert not runner.is_alive()
    assert [part for part in waiting if part is not None] == ["x"]
    assert [part for part in found if part is not None] == ["done"]


@pytest.mark.parametrize("end", ["close", "error"])
def test_a_turn_that_ends_in_the_middle_is_free_again(end):
    def failing():
        yield 1
        raise ZeroDivisionError

    parts = schedule(failing(), 1)
    assert next(parts) == 1
    if end == "close":
        parts.close()
    else:
        with pytest.raises(ZeroDivisionError):
            next(parts)
    assert list(schedule(iter((2, 3)), 1)) == [2, 3]
    assert not scheduler._round_robin._running
    assert not scheduler._round_robin._waiting


def test_in_the_pool_a_quick_answer_overtakes_a_study(monkeypatch):
    monkeypatch.setattr(threads, "thread_count", lambda: 1)
    monkeypatch.setattr(threads, "_pools", {})
    gate, done = threading.Event(), []
    submit(gate.wait, PATIENCE)

    def study():
        yield [submit(done.append, f"study {part}") for part in range(3)]

    (futures,) = schedule(study(), 1)
    quick = submit(done.append, "quick")
    gate.set()
    for future in [*futures, quick]:
        future.result(PATIENCE)
    assert done == ["quick", "study 0", "study 1", "study 2"]


def test_what_was_cancelled_is_not_done(monkeypatch):
    monkeypatch.setattr(threads, "thread_count", lambda: 1)
    gate, done = threading.Event(), []
    submit(gate.wait, PATIENCE)
    first, second = submit(done.append, 1), submit(done.append, 2)
    assert first.cancel()
    gate.set()
    second.result(PATIENCE)
    assert done == [2]
    assert in_order(abs, [-1, -2]) == [1, 2]
