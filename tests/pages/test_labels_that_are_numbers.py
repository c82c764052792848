"""Labels that are numbers: a few are classes, which every page says; a measurement is none, and no page fails at it."""

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from pages.server.declared import why_not
from tests.pages.data.test_bringing_files import shown

N = 24
IDS = tuple(f"i{k}" for k in range(N))
PAGES = ("complete/complete.py", "combine/combine.py", "combine/many/many.py")


@pytest.fixture
def data(rng):
    X = rng.normal(size=(N, 4))
    kernels = {f"K{k}": GramMatrix(X[:, k:] @ X[:, k:].T, IDS, f"K{k}") for k in range(2)}

    def of(y):
        return DataSet("d", IDS, labels=Labels(IDS, np.array(y)), kernels=kernels)

    return of


@pytest.mark.parametrize("page", [*PAGES, "whatif/whatif.py"])
def test_a_few_numbers_are_said_to_be_classes(open_page_test, open_tabs, data, page):
    at = open_page_test(page, data([str(k % 3) for k in range(N)]))
    assert "each of the 3 different ones is a class" in shown(at)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("again", [0, 2], ids=["all differ", "two are alike"])
def test_measurements_are_no_classes(open_page_test, data, page, again):
    at = open_page_test(page, data([f"{0.1 * max(k, again):.1f}" for k in range(N)]))
    assert not at.error
    assert "Evaluate predicts them" in shown(at)


def test_only_evaluate_predicts_numbers(open_page_test, data):
    measured = data([f"{0.1 * k:.1f}" for k in range(N)])
    assert "Evaluate predicts them" in why_not("whatif", measured)
    assert not why_not("evaluate", measured)
    assert "predicted" in shown(open_page_test("evaluate/evaluate.py", measured))


def test_words_of_which_no_two_are_alike_are_no_classes(data):
    assert not data([f"w{k}" for k in range(N)]).labels.judgeable
