"""What if: what is offered, what a cell leads to, what a stop leaves, and what a click on the map does."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import GramMatrix, load_dataset
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Passes
from kernex_core.runtime.progress import last_state
from kernex_core.studies.atlas.axes import Axis
from kernex_core.studies.atlas.completion import completion_atlas
from kernex_core.studies.atlas.field import Field, row_of
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from pages.server import digits, workspace
from pages.server.cache import BoundedCache
from pages.whatif import drawing
from pages.whatif import subject as state

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "whatif/whatif.py"


@pytest.fixture(scope="module")
def pair():
    """Thirty-six items of three classes, and two kernels of them."""
    rng = np.random.default_rng(4)
    y = np.repeat(["a", "b", "c"], 12)
    X = rng.normal(size=(36, 5)) + 1.5 * np.eye(5)[np.searchsorted(np.unique(y), y)]
    Z = X + 0.8 * rng.normal(size=X.shape)
    ids = tuple(f"i{k}" for k in range(36))
    kernels = {name: GramMatrix(V @ V.T, ids, name) for name, V in (("near", X), ("far", Z))}
    return DataSet("pair", ids, Labels(ids, y), kernels=kernels, source="far", target="near")


def metrics(at):
    return {metric.label.partition(" :gray[")[0]: metric.value for metric in at.metric}


def said(at):
    return next(each.value for each in at.markdown if each.value.startswith("**")).replace("\\", "")


def test_it_opens_on_the_hidden_share_and_lam_of_complete(open_page_test, pair):
    at = open_page_test(PATH, pair)
    assert at.selectbox(key="along").value == "λ"
    assert at.selectbox(key="whatif.down.λ").value == "share"
    assert said(at).startswith("**25\u00a0% hidden**: ")
    found = last_state(
        completion_atlas(
            state.CompletionConfig(nugget=pair.defaults.nugget), pair.kernels["far"], pair.kernels["near"], pair.labels,
            state.CrossValidation(C=pair.defaults.C),
        )
    )  # fmt: skip
    row, column = found.down.nearest(0.25), found.across.nearest(0.25)
    assert metrics(at)["Here"] == f"{100 * found.values[row, column]:.1f}\u00a0%"
    at.select_slider(key="whatif.column.complete").set_value("0")
    at.select_slider(key="whatif.row.complete.share").set_value("95").run()
    assert not at.exception
    assert metrics(at)["Here"] == f"{100 * found.values[10, 0]:.1f}\u00a0%"
    assert said(at).startswith("**95\u00a0% hidden**: ")
    assert (at.query_params["column"], at.query_params["row"]) == ("0", "95")


@pytest.mark.parametrize("down", ["nugget", "C", "labels", ""])
def test_whatever_runs_down_is_judged(open_page_test, pair, down):
    at = open_page_test(PATH, pair, query={"down": down or state.ALONE})
    assert not at.error
    assert at.selectbox(key="whatif.down.λ").value == down
    assert set(metrics(at)) == {"Here", "Best", "Chosen inside"}
    rows = [each.key for each in at.select_slider if "row" in each.key]
    assert rows == ([f"whatif.row.complete.{down}"] if down else [])


def test_where_both_are_chosen_the_choice_inside_the_folds_waits_for_a_click(open_page_test, open_tabs, pair):
    at = open_page_test(PATH, pair, query={"down": "nugget"})
    assert metrics(at)["Chosen inside"] == "—"
    at.button(key="whatif.choice.run").click().run()
    assert not at.exception
    assert metrics(at)["Chosen inside"] != "—"


def test_a_cell_leads_to_its_page_set_as_the_cell_is(open_page_test, pair):
    at = open_page_test(PATH, pair, query={"row": "50", "column": "0.75", "nugget": "0.3", "cv_folds": "5"})
    at.button(key="whatif.open").click().run()
    assert not at.exception
    assert [title.value for title in at.title] == ["Complete"]
    told = {name: value for name, value in at.query_params.items() if name != "data"}
    # both kernels are those that Complete begins with
    assert told == {"hidden": "50 %", "lam": "0.75", "nugget": "0.3", "cv_folds": "5"}
    assert at.select_slider(key="hidden").value == "50 %"


def test_what_complete_then_says_is_what_the_cell_said(open_page_test, pair):
    at = open_page_test(PATH, pair, query={"row": "65", "column": "0.1"})
    here = metrics(at)["Here"]
    at.button(key="whatif.open").click().run()
    assert metrics(at)["Joint"] == here


def test_a_cell_of_p_leads_to_power_p_and_one_of_tau_to_networks(open_page_test, pair):
    at = open_page_test(PATH, pair, query={"along": "p", "row": "square root", "column": "0.3"})
    assert not at.error
    at.button(key="whatif.open").click().run()
    assert [title.value for title in at.title] == ["Kernels"]
    assert (at.query_params["scheme"], at.query_params["power"]) == ("square root", "0.3")
    data = load_dataset("karate_club")
    at = open_page_test(PATH, data, query={"row": "not normalised", "column": "3"})
    here = metrics(at)["Here"]
    at.button(key="whatif.open").click().run()
    assert [title.value for title in at.title] == ["Networks"]
    assert (at.query_params["laplacian"], at.query_params["tau"]) == ("unnormalized", "3")
    assert metrics(at)["At τ = 3"] == here


@pytest.mark.parametrize(
    ("down", "row", "told"),
    [
        ("kind", "weighted sum", {"kind": "weighted sum"}),
        ("nugget", "0.3", {"nugget": "0.3"}),
        ("noise", "0", {"kind": "weighted sum"}),
    ],
)
def test_a_cell_of_two_kernels_leads_to_combine_which_says_the_same(open_page_test, pair, down, row, told):
    query = {"along": "w", "down": down, "row": row, "column": "0.3", "first": "near"}
    if down == "noise":
        query["pair_kind"] = "weighted sum"
    at = open_page_test(PATH, pair, query=query)
    assert not at.error
    here = metrics(at)["Here"]
    at.button(key="whatif.open").click().run()
    assert not at.exception
    assert [title.value for title in at.title] == ["Combine"]
    there = {name: value for name, value in at.query_params.items() if name != "data"}
    assert there == {"combine_lam": "0.3", "first": "near", **told}
    config = CombinationConfig(nugget=float(told.get("nugget", pair.defaults.nugget)))
    made = prepare_combination(config, pair.kernels["near"], pair.kernels["far"])
    protocol = state.CrossValidation(C=pair.defaults.C)
    said = last_state(combining(made, pair.labels, protocol, lams=(0.3,)))
    kind = told.get("kind", "joint")
    assert here == f"{100 * said.values(kind, 0.3, 'multi_class').mean():.1f}\u00a0%"
    if kind == "joint":  # whose number stands on top there
        assert here in metrics(at).values()


def test_what_is_offered_follows_from_the_data(open_page_test, pair):
    assert state.fitting(pair) == ["λ", "p", "w"]
    assert state.fitting(load_dataset("karate_club")) == ["p", "τ"]
    one = replace(pair, kernels={"near": pair.kernels["near"]})
    assert state.fitting(one) == ["p"]
    assert not open_page_test(PATH, one).error


def test_a_target_that_is_partly_known_is_hidden_further(open_page_test, pair):
    K = pair.kernels["near"].values.copy()
    K[::6], K[:, ::6] = np.nan, np.nan
    gaps = pair.with_kernel("near", GramMatrix(K, pair.ids, "near"))
    at = open_page_test(PATH, gaps)
    assert not at.error
    at.button(key="whatif.open").click().run()
    assert at.query_params["hidden_more"] == "5 %"


def test_of_a_target_with_single_gaps_a_cell_leads_to_the_completion_that_has_lam(open_page_test, pair):
    K = pair.kernels["near"].values.copy()
    for k in range(0, 30, 3):
        K[k, k + 1] = K[k + 1, k] = np.nan
    gaps = pair.with_kernel("near", GramMatrix(K, pair.ids, "near"))
    at = open_page_test(PATH, gaps, query={"column": "0.75"})
    here = metrics(at)["Here"]
    at.button(key="whatif.open").click().run()
    assert at.query_params["way"] == "whole items"
    assert metrics(at)["Joint"] == here


def test_lam_is_offered_where_another_kernel_is_known_everywhere(open_page_test, pair):
    """Single pairs are completed without any, on the same page: there is no λ then."""
    K = np.where(np.triu(np.ones((36, 36)), 20) + np.triu(np.ones((36, 36)), 20).T > 0, np.nan, 1.0)
    gapped = {name: GramMatrix(K, pair.ids, name) for name in ("one", "two")}
    network = load_dataset("karate_club").select(np.arange(30)).samples["network"]
    labels = Labels(network.ids, np.repeat(["a", "b"], 15))
    cut = {name: GramMatrix(each.values[:30, :30], network.ids, name) for name, each in gapped.items()}
    for names in (["one"], ["one", "two"]):
        data = DataSet(
            "gaps", network.ids, labels, kernels={name: cut[name] for name in names},
            samples={"network": network},
        )  # fmt: skip
        assert state.fitting(data) == ["τ"]
        at = open_page_test(PATH, data)
        assert not at.error
    # a source that is known everywhere is the one that is taken
    both = replace(pair, kernels={**gapped, "far": pair.kernels["far"]}, source="", target="two")
    at = open_page_test(PATH, both)
    assert not at.error
    assert at.selectbox(key="complete.source.pair.two").value == "far"


@pytest.mark.parametrize("tab", ["Compared", "Items", "Choice", "Method"])
@pytest.mark.parametrize("query", [{}, {"down": "C"}, {"down": state.ALONE}, {"along": "p"}])
def test_where_no_row_can_be_judged_the_reason_stands_there_once(open_page_test, pair, tab, query):
    """Two classes of fewer items than there are folds: nothing can be divided."""
    few = replace(pair, labels=Labels(pair.ids, np.array(2 * ["a", "b"] + 32 * [""])))
    at = open_page_test(PATH, few, query={**query, "tab": tab, "cv_folds": "5", "power_folds": "5"})
    assert not at.error
    assert set(metrics(at).values()) == {"—"}
    reasons = [
        each.value
        for each in (*at.markdown, *at.caption)
        if "as many members as there are folds" in each.value
    ]
    assert len(reasons) == 1
    assert not any("not judged yet" in each.value or "follows when" in each.value for each in at.caption)


def test_many_items_wait_for_a_click_which_says_what_it_will_cost(open_page_test):
    X = np.random.default_rng(0).normal(size=(330, 3))
    ids = tuple(f"i{k}" for k in range(330))
    kernels = {name: GramMatrix(X @ X.T, ids, name) for name in ("one", "two")}
    again = DataSet("many", ids, Labels(ids, np.repeat(["a", "b"], 165)), kernels=kernels)
    at = open_page_test(PATH, again)
    assert metrics(at)["Here"] == "—"
    (cost,) = (each.value for each in at.caption if "about" in each.value)
    assert cost.startswith("11 rows of 9 cells, 10 folds each: about ")
    assert at.button(key="whatif.run").label


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "1 s"), (25.67, "26 s"), (99.4, "99 s"), (150.0, "2 min"), (4000.0, "67 min")]
)
def test_what_it_will_cost_is_no_finer_than_a_guess(seconds, said):
    assert digits.duration(seconds) == said


@pytest.mark.alone
def test_what_a_stop_left_is_shown_and_goes_on_with_a_click(open_page_test, pair):
    at = open_page_test(PATH)
    parts = (
        state.CompletionConfig(nugget=pair.defaults.nugget), pair.kernels["far"], pair.kernels["near"], pair.labels,
        state.CrossValidation(C=pair.defaults.C),
    )  # fmt: skip
    states = (each for each in completion_atlas(*parts) if each is not None)
    partial = [next(states) for _ in range(3)][-1]
    space, key = at.session_state["kernex"], state.field_of.key("complete", parts, "share")
    space.cache = space.cache or BoundedCache(100, 10**9)
    space.cache.put(key, partial)
    space.memory["whatif.stopped"] = key
    space.entries[pair.name] = workspace._Entry(pair)
    space.chosen, space.choice_is_stale = pair.name, True
    at.run()
    assert not at.exception
    assert at.button(key="whatif.run").label == "Continue"
    assert any("3 of 11 rows" in each.value for each in at.caption)
    at.button(key="whatif.run").click().run()
    assert "whatif.run" not in [each.key for each in at.button]
    assert metrics(at)["Here"] != "—"


def right(share, n=40):
    """The first of n items are right, in both passes."""
    return np.tile(np.arange(n) < round(share * n), (2, 1)).astype(float)


@pytest.mark.parametrize(
    ("machine", "machines", "star"),
    [
        # a name that another begins with; the same in no two rows: the star is where it is best
        ([0.5, 0.6, 0.7], [0.6, 0.9, 0.8], (1, 4)),
        # the same in every row: in the one that is looked at
        ([0.9, 0.9, 0.9], [0.5, 0.6, 0.7], (2, 3)),
        # a cell of another row
        ([0.1, 0.1, 0.1], [0.1, 0.1, 0.2], (0, 1)),
    ],
)
def test_the_star_is_on_the_best_where_rows_are_choices(machine, machines, star):
    across = Axis("lam", "Weight", (0.0, 1.0), symbol="λ", setting="lam")
    down = Axis("nugget", "Nugget", (0.1, 0.3, 1.0), symbol="ρ", setting="nugget")
    rows = tuple(
        row_of(
            [right(0.3), right(0.4 - 0.1 * k)],
            {"machine": right(machine[k]), "machines": right(machines[k])},
            ("machine",),
            passes=Passes(2, 2),
            groups=None,
            classes=None,
            floor=0.1,
            items=np.arange(40),
        )
        for k in range(3)
    )
    picture = drawing.map_picture(Field(across, down, "accuracy", False, rows), (2, 0))
    *_, drawn = picture.figure.data
    assert (drawn.y[0], drawn.x[0]) == star


def test_a_click_on_a_cell_goes_there_and_one_beside_changes_the_row_alone(monkeypatch):
    shown = {}
    monkeypatch.setattr(workspace, "show_in", shown.__setitem__)
    monkeypatch.setattr(workspace, "remember", lambda key, value: None)
    stops = ("row", tuple("abcdefghijk")), ("column", tuple("012345678"))
    for point, meant in ((16 * 4 + 7, {"row": "e", "column": "7"}), (16 * 2 + 12, {"row": "c"})):
        shown.clear()
        told = {"points": [{"customdata": point}]}
        monkeypatch.setattr(workspace, "told", lambda key, name, told=told: told)
        drawing._clicked("whatif.map", 0, 16, stops)
        assert shown == meant
