"""An eigendecomposition is the longest that a page waits for: of one matrix there is one."""

import sys
from collections import Counter
from importlib import import_module

import numpy as np
import pytest
import scipy.linalg

from kernex_core.base import lapack
from kernex_core.base.validation import check_psd
from kernex_core.gram.tridiagonal import tridiagonalising
from pages.server.navigation import LESSONS, PAGES
from tests.pages.conftest import switch

DECOMPOSING = (np.linalg.eigh, np.linalg.eigvalsh, scipy.linalg.eigh, scipy.linalg.eigvalsh)
DECOMPOSING += lapack.eigh, lapack.eigvalsh, tridiagonalising


@pytest.fixture
def decomposed(monkeypatch):
    """How often each matrix (its bytes, whatever its scale) is decomposed by anything in Kernex."""
    for each in LESSONS:  # what a lesson knows from the start is computed once a process, and no page's doing
        import_module(f"pages.learn.{each.key}")
    counts = Counter()

    def counted(function):
        def call(K, *args, **kwargs):
            values = np.asarray(K, dtype=np.float64)
            if not args:  # a second matrix makes it another problem
                unit = 2.0 ** np.floor(np.log2(np.abs(values).max() or 1.0))
                counts[values.shape, np.ascontiguousarray(values / unit).tobytes()] += 1
            return function(K, *args, **kwargs)

        return call

    wrapped = {id(function): counted(function) for function in DECOMPOSING}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("kernex_core", "pages") or name in ("numpy.linalg", "scipy.linalg"):
            for attribute, value in list(vars(module).items()):
                if id(value) in wrapped:
                    monkeypatch.setattr(module, attribute, wrapped[id(value)])
    return counts


def indefinite(dataset):
    K = dataset.kernels["source"]
    values = K.values + 3.0 * np.sin(np.add.outer(np.arange(K.n), np.arange(K.n)) ** 2.0)
    return dataset.with_kernel("source", type(K)(values, K.ids, "source"))


@pytest.mark.parametrize("path", [entry.path for entry in PAGES if entry.path != "start/start.py"])
@pytest.mark.parametrize("kind", ["kernels", "indefinite"])
@pytest.mark.no_cover
def test_opening_a_page_decomposes_no_matrix_twice(open_page_test, small_dataset, decomposed, path, kind):
    at = open_page_test("data/data.py", small_dataset if kind == "kernels" else indefinite(small_dataset))
    decomposed.clear()  # the demos of Start are made there
    if path != "data/data.py":
        switch(at, path)
    at.run()
    assert not at.exception
    twice = {shape: count for (shape, _), count in decomposed.items() if count > 1}
    assert not twice


def test_the_counter_counts(decomposed, rng):
    A = rng.normal(size=(6, 6))
    np.linalg.eigvalsh(A + A.T)
    scipy.linalg.eigh(4.0 * (A + A.T))
    assert list(decomposed.values()) == [2]
    with pytest.raises(Exception, match="positive semidefinite"):
        check_psd(np.linalg.eigvalsh(-np.eye(3)))
    assert sum(decomposed.values()) == 3
