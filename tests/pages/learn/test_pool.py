"""Bets of classes: everybody once, gone after two hours, bounded, and no names."""

import threading

import pytest

from kernex_core.base.errors import InvalidInputError, TooLargeError
from pages.ui.classroom import (
    LIFETIME,
    LONGEST_BET,
    LONGEST_CODE,
    MOST_ADDRESSES,
    MOST_CLASSES,
    MOST_CODES,
    MOST_VISITORS,
    WINDOW,
    Codes,
    Pool,
    checked_code,
    new_code,
)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pool(clock):
    return Pool(clock)


def test_everybody_is_counted_once_with_their_last_bet(pool):
    for visitor, bet in (("ada", "a"), ("bob", "b"), ("ada", "b"), ("ada", "b")):
        pool.bet("plum-1", "heat", visitor, bet)
    assert pool.bets("plum-1", "heat") == {"b": 2}


def test_classes_and_lessons_are_apart(pool):
    pool.bet("plum-1", "heat", "ada", "a")
    assert pool.bets("plum-2", "heat") == {}
    assert pool.bets("plum-1", "ridge") == {}


def test_a_code_is_the_same_in_any_case(pool):
    pool.bet(" Plum-1", "heat", "ada", "a")
    assert pool.bets("PLUM-1 ", "heat") == {"a": 1}


def test_bets_are_gone_two_hours_after_the_last(pool, clock):
    pool.bet("plum-1", "heat", "ada", "a")
    clock.now = LIFETIME - 1.0
    pool.bet("plum-1", "heat", "bob", "a")
    clock.now = 2.0 * LIFETIME - 2.0
    assert pool.bets("plum-1", "heat") == {"a": 2}
    clock.now = 2.0 * LIFETIME
    assert pool.bets("plum-1", "heat") == {}
    assert not pool._classes  # and not only hidden


def test_no_visitor_is_named_in_memory(pool):
    pool.bet("plum-1", "heat", "ada-lovelace", "a")
    assert "ada" not in repr(pool._classes)


def test_the_memory_is_bounded(pool):
    for number in range(MOST_CLASSES + 5):
        pool.bet(f"class-{number}", "heat", "ada", "a")
    assert len(pool._classes) == MOST_CLASSES
    assert pool.bets("class-0", "heat") == {}
    assert pool.bets(f"class-{MOST_CLASSES + 4}", "heat") == {"a": 1}


def test_a_full_class_takes_nobody_more_but_lets_who_is_in_change(pool):
    for number in range(MOST_VISITORS):
        pool.bet("plum-1", "heat", str(number), "a")
    with pytest.raises(TooLargeError, match="Open another class"):
        pool.bet("plum-1", "heat", "late", "a")
    pool.bet("plum-1", "heat", "0", "b")
    assert pool.bets("plum-1", "heat") == {"a": MOST_VISITORS - 1, "b": 1}


@pytest.mark.parametrize("bet", ["", "x" * (LONGEST_BET + 1)])
def test_what_is_no_bet_is_refused(pool, bet):
    with pytest.raises(InvalidInputError, match="bet"):
        pool.bet("plum-1", "heat", "ada", bet)
    assert pool.bets("plum-1", "heat") == {}


@pytest.mark.parametrize("code", ["", " ", "a b", "plüm", "<b>", "x" * (LONGEST_CODE + 1), "a/b", "½"])
def test_what_is_no_code_is_refused(code):
    with pytest.raises(InvalidInputError, match="code of a class"):
        checked_code(code)


def test_a_new_code_is_one():
    codes = {new_code() for _ in range(50)}
    assert len(codes) > 45
    assert all(checked_code(code) == code for code in codes)


def test_a_class_that_bets_at_once_is_counted_whole(pool):
    start = threading.Barrier(30)

    def bet(number):
        start.wait()
        pool.bet("plum-1", "heat", str(number), "ab"[number % 2])

    threads = [threading.Thread(target=bet, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pool.bets("plum-1", "heat") == {"a": 15, "b": 15}


def test_who_tries_many_codes_finds_none_of_another_class(clock):
    codes = Codes(clock)
    given = [codes.may_try("10.0.0.9", f"plum-{number}") for number in range(MOST_CODES + 20)]
    assert given == [True] * MOST_CODES + [False] * 20
    assert codes.may_try("10.0.0.9", "plum-3")  # a class that was open goes on
    assert codes.may_try("10.0.0.8", "plum-77")  # and so do others
    clock.now = WINDOW - 1.0
    assert codes.may_try("10.0.0.9", "plum-3")
    clock.now = WINDOW + 1.0
    assert codes.may_try("10.0.0.9", "plum-99")


def test_a_class_behind_one_address_tries_one_code(clock):
    codes = Codes(clock)
    assert all(codes.may_try("10.0.0.9", "plum-1") for _ in range(100 * MOST_CODES))


def test_codes_of_a_crowd_of_addresses_are_forgotten(clock):
    codes = Codes(clock)
    for number in range(MOST_ADDRESSES + 10):
        codes.may_try(str(number), "plum-1")
    assert len(codes._tried) == MOST_ADDRESSES
