"""Whatever stands in the address: the page opens with its defaults, and the nonsense leaves the address."""

import pytest

from tests.pages.shared.test_controls import DEFAULTS, result, run

NONSENSE = (
    "nan",
    "inf",
    "-inf",
    "1e400",
    "-1e400",
    "-1",
    "1" + 400 * "0",
    "1" + 5000 * "0",
    "many",
    "",
    "0x10",
    "½",
)
BOUND = {
    "complete/complete.py": ("seed", "nugget", "lam", "hidden", "constraint", "repair"),
    "combine/combine.py": ("nugget", "lam", "repair"),
    "kernels/kernels.py": ("kernel", "sort"),
    "diagonals/diagonals.py": ("kernel",),
}
nonsense = pytest.mark.parametrize("text", NONSENSE, ids=lambda text: text[:8] + str(len(text)))


def emptied(text):
    """Names of the segmented controls, which take an empty text for no choice and leave it; the default holds then."""
    return {"folds", "constraint", "repair"} if text == "" else set()


@nonsense
def test_every_kind_of_widget_ignores_it(text):
    names = ["lam", "hidden", "nugget", "seed", "folds", "matrix", "sigma", "C", "log"]
    at = run(dict.fromkeys(names, text), bind=names)
    assert result(at) == DEFAULTS
    assert set(at.query_params) - emptied(text) == set()


@nonsense
@pytest.mark.parametrize("path", BOUND)
def test_every_page_opens_with_its_defaults(open_page_test, complete_pair, path, text):
    at = open_page_test(path, complete_pair, dict.fromkeys(BOUND[path], text))
    assert not at.exception
    assert not at.error
    assert set(BOUND[path]) & set(at.query_params) - emptied(text) == set()


def test_a_whole_number_from_the_address_is_one():
    at = run({"seed": "7"}, bind=["seed"])
    assert "seed=7," in result(at)
    at.number_input(key="seed").set_value(12.0).run()
    assert "seed=12," in result(at)


@pytest.fixture
def complete_pair(small_dataset):
    source = small_dataset.kernels["source"]
    return small_dataset.with_kernel("target", source.renamed("target"))
