"""Whatever stands in the address: widgets take their defaults, and the nonsense leaves it. Pages: test_every_page."""

import pytest

from tests.pages.ui.test_controls import DEFAULTS, result, run

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
nonsense = pytest.mark.parametrize("text", NONSENSE, ids=lambda text: text[:8] + str(len(text)))


@nonsense
def test_every_kind_of_widget_ignores_it(text):
    names = ["lam", "hidden", "nugget", "seed", "folds", "matrix", "sigma", "C", "log"]
    at = run(dict.fromkeys(names, text), named=True)
    assert result(at) == DEFAULTS
    assert set(at.query_params) == set()


def test_a_whole_number_from_the_address_is_one():
    at = run({"seed": "7"}, named=True)
    assert "seed=7," in result(at)
    at.number_input(key="seed").set_value(12.0).run()
    assert "seed=12," in result(at)
