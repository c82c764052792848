"""A map as a question: nothing is computed before the bet, which is counted in the class and judged by the verdict."""

import numpy as np
import pytest

from kernex_core import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.runtime.progress import last_state
from kernex_core.studies.atlas.completion import completion_atlas
from pages.ui.classroom import POOL
from pages.whatif import subject as state

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "whatif/whatif.py"
BETS = "whatif.bet.complete.share.3"
"""At 25 % hidden."""


@pytest.fixture(scope="module")
def pair():
    """Thirty items of three classes; the source knows nothing of them."""
    rng = np.random.default_rng(4)
    y = np.repeat(["a", "b", "c"], 10)
    X = rng.normal(size=(30, 5)) + 3.0 * np.eye(5)[np.searchsorted(np.unique(y), y)]
    ids = tuple(f"i{k}" for k in range(30))
    kernels = {
        name: GramMatrix(V @ V.T, ids, name) for name, V in (("near", X), ("far", rng.normal(size=(30, 5))))
    }
    return DataSet("pair", ids, Labels(ids, y), kernels=kernels, source="far", target="near")


def field(pair):
    config = state.CompletionConfig(nugget=pair.defaults.nugget)
    protocol = state.CrossValidation(C=pair.defaults.C)
    near, far = pair.kernels["near"], pair.kernels["far"]
    return last_state(completion_atlas(config, far, near, pair.labels, protocol))


def texts(at):
    return [each.value.replace("\\", "") for each in at.markdown]


def test_it_asks_before_anything_is_judged_and_counts_the_bet(open_page_test, pair):
    at = open_page_test(PATH, pair, query={"ask": "true", "class": "map-1"})
    assert any("Which λ is best at 25\u00a0% hidden?" in text for text in texts(at))
    assert {metric.value for metric in at.metric} == {"—"}
    assert not at.tabs
    at.select_slider(key="whatif.column.complete").set_value("1").run()
    assert "λ = 1" in at.button(key="whatif.bet.take").label.replace("\\", "")
    at.button(key="whatif.bet.take").click().run()
    assert not at.exception
    assert at.query_params["bet"] == "3.8"
    assert POOL.bets("map-1", BETS) == {"3.8": 1}
    at.run()
    found = field(pair)
    (told,) = (text for text in texts(at) if "Your bet" in text)
    assert f"{100 * found.values[3, 8]:.1f}\u00a0%" in told
    assert found.candidate(3, 8).told_apart
    assert "worse than the best" in told
    at.button(key="whatif.bet.again").click().run()
    assert "bet" not in at.query_params


def test_a_bet_is_right_where_its_cell_is_not_told_apart_from_the_best(open_page_test, pair):
    found = field(pair)
    for visitor, column in enumerate((8, 8, 0)):
        POOL.bet("map-2", BETS, str(visitor), f"3.{column}")
    POOL.bet("map-2", BETS, "made up", "99.99")
    POOL.bet("map-2", BETS, "made up, too", "Ada Lovelace")
    at = open_page_test(PATH, pair, query={"ask": "true", "class": "map-2", "bet": "3.0", "tab": "Bet"})
    at.run()
    (table,) = (text for text in texts(at) if text.startswith("| Answer | Bets |"))
    rows = table.splitlines()[2:]
    assert len(rows) == 2
    assert [("✓" in row) for row in rows] == [bool(found.as_good[3, k]) for k in (8, 0)] == [False, True]
    assert not any("Ada" in text for text in texts(at))


def test_another_row_is_another_question_and_whoever_only_looks_is_not_counted(open_page_test, pair):
    at = open_page_test(PATH, pair, query={"ask": "true", "class": "map-3", "bet": "3.0", "row": "50"})
    assert any("best at 50\u00a0% hidden?" in text for text in texts(at))
    at.button(key="whatif.bet.show").click().run()
    assert at.query_params["bet"] == "-"
    assert POOL.bets("map-3", BETS.replace(".3", ".5")) == {}
    assert {metric.value for metric in at.metric} != {"—"}


def test_where_both_are_chosen_the_whole_map_is_one_question(open_page_test, pair):
    at = open_page_test(PATH, pair, query={"ask": "true", "class": "map-4", "down": "nugget"})
    assert any("Which λ and ρ are best?" in text for text in texts(at))
    at.button(key="whatif.bet.take").click().run()
    assert list(POOL.bets("map-4", "whatif.bet.complete.nugget")) == ["2.3"]
    assert "λ = 0.25, ρ = 0.1" in " ".join(texts(at))
