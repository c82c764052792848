"""Results that are kept come and go while a page runs: others compute them, or need the room. No page reads one twice."""

import random

import pytest

from pages.server import cached
from pages.server.navigation import PAGES


@pytest.fixture
def restless(monkeypatch):
    """Call it with a seed: from then on a result that is kept is not there every other time that somebody looks."""

    def begin(seed):
        rng, peek = random.Random(seed), cached.Asked.peek

        def sometimes(asked):
            return peek(asked) if rng.random() < 0.5 else None

        monkeypatch.setattr(cached.Asked, "peek", sometimes)

    return begin


@pytest.mark.parametrize("path", [entry.path for entry in PAGES])
def test_no_page_rests_on_a_result_that_was_there_a_moment_ago(
    open_page_test, open_tabs, small_dataset, path, restless
):
    complete = small_dataset.with_kernel("target", small_dataset.kernels["source"].renamed("target"))
    at = open_page_test(path, complete)
    restless(0)
    for _ in range(3):
        at.run()
        assert not at.exception
