"""What the page tests share: without it each of them computes what another has, and the whole takes twice as long."""

import pytest

from pages.server.cached import cached

pytestmark = pytest.mark.usefixtures("kept_results")
ASKED = []


@cached
def twice(number: int) -> int:
    ASKED.append(number)
    return 2 * number


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_one_test_has_computed_is_there_for_the_next(time):
    assert twice(21) == 42
    assert ASKED == [21]


def test_where_something_is_patched_everything_is_computed(monkeypatch):
    monkeypatch.setattr(__name__ + ".ASKED", asked := [])
    assert twice(21) == 42
    assert asked == [21]
