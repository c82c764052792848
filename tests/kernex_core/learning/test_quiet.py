import threading
import warnings

import numpy as np
import pytest

from kernex_core.learning import svm
from kernex_core.learning.quiet import quiet


def test_only_the_category_is_ignored_and_only_inside():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with quiet(UserWarning):
            warnings.warn("ignored", UserWarning, stacklevel=1)
            with pytest.raises(RuntimeWarning):
                warnings.warn("told", RuntimeWarning, stacklevel=1)
        with pytest.raises(UserWarning):
            warnings.warn("told", UserWarning, stacklevel=1)


def test_filters_of_two_threads_do_not_mix():
    before = list(warnings.filters)
    inside, leave, second_inside = threading.Event(), threading.Event(), threading.Event()

    def first():
        with quiet(UserWarning):
            inside.set()
            leave.wait(10)

    def second():
        with quiet(RuntimeWarning):
            second_inside.set()

    one, two = threading.Thread(target=first), threading.Thread(target=second)
    one.start()
    assert inside.wait(10)
    two.start()
    assert not second_inside.wait(0.1)
    leave.set()
    one.join(10)
    two.join(10)
    assert second_inside.is_set()
    assert list(warnings.filters) == before


def test_an_exception_leaves_the_lock_and_the_filters():
    before = list(warnings.filters)
    for _ in range(2):  # a lock that was kept would stop the second one
        with pytest.raises(ZeroDivisionError), quiet(UserWarning):
            _ = 1 / 0
    assert list(warnings.filters) == before


def test_fits_without_numba_that_end_early_are_counted_and_leave_the_filters(monkeypatch, rng):
    monkeypatch.setattr(svm, "compiled", lambda: False)
    X = rng.standard_normal((40, 3))
    codes = np.tile([0, 1], 20)
    found = []

    def fit():
        found.append(svm.fit_one_vs_rest(X @ X.T, codes, 2, C=1e6, max_iter=3, checked=True).not_converged)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        threads = [threading.Thread(target=fit) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        after = list(warnings.filters)
    assert found == [1, 1, 1, 1]
    assert after == before
