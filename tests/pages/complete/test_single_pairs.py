"""The page Complete where single pairs are unknown."""

import dataclasses

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from pages.complete.pairs import results
from pages.ui import chosen
from tests.pages.matrices import head

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "complete/complete.py"


def gapped(n=36, share=0.2, source=True, labels=True):
    """Items in three classes; a target of which single pairs are unknown, and a source beside it."""
    rng = np.random.default_rng(5)
    ids = tuple(f"item{i}" for i in range(n))
    Z = np.repeat(2.0 * rng.standard_normal((3, 5)), n // 3, axis=0) + rng.standard_normal((n, 5))
    hidden = np.triu(rng.random((n, n)) < share, 1)
    kernels = {"measured": GramMatrix(np.where(hidden | hidden.T, np.nan, Z @ Z.T), ids, "measured")}
    if source:
        X = Z + 0.5 * rng.standard_normal(Z.shape)
        kernels["cheap"] = GramMatrix(X @ X.T, ids, "cheap")
    y = Labels(ids, np.repeat(["a", "b", "c"], n // 3)) if labels else None
    return DataSet("gapped", ids, y, kernels=kernels)


def titles(at):
    return [panel["title"] for panel in head(at, "complete.pairs.maps")["panels"]]


def values(at):
    return {m.label.partition(" :gray[")[0]: m.value for m in at.metric}


def verdict(at):
    return next(each.value for each in at.markdown if "pair" in each.value and each.value.startswith("**"))


def test_single_gaps_are_completed_as_such_and_scored(open_page_test):
    at = open_page_test(PATH, gapped())
    assert not at.error
    assert titles(at) == ["Known", "Completed", "Uncertainty", "Error"]
    assert "finish keep" in head(at, "complete.pairs.maps")["settings"]
    found = values(at)
    assert 0.0 < float(found["Error"]) < 0.3
    assert found["Within intervals"].endswith("%")
    assert found["Accuracy"].endswith("%")
    assert "hidden pairs" in verdict(at)
    at.button(key="complete.keep").click().run()
    (kept,) = at.session_state["kernex"].entries["gapped"].kernels.values()
    assert not np.isnan(kept.values).any()


def test_as_uploaded_nothing_is_hidden_and_every_known_value_stays(open_page_test):
    data = gapped()
    at = open_page_test(PATH, data, {"hidden_pairs": "as uploaded", "normalize": "false"})
    assert titles(at) == ["Known", "Completed", "Uncertainty"]
    assert values(at)["Unknown pairs"] == f"{data.kernels['measured'].unknown.unknown_pairs:,}"
    at.button(key="complete.keep").click().run()
    (kept,) = at.session_state["kernex"].entries["gapped"].kernels.values()
    given = data.kernels["measured"].values
    there = ~np.isnan(given)
    moved = np.sqrt(np.mean((kept.values - given)[there] ** 2))
    assert moved < 0.05 * np.sqrt(np.mean(given[there] ** 2))


@pytest.mark.parametrize("labels", [True, False])
def test_one_matrix_alone_needs_no_source(open_page_test, labels):
    at = open_page_test(PATH, gapped(source=False, labels=labels))
    assert not at.error
    assert titles(at) == ["Known", "Completed", "Uncertainty", "Error"]
    assert ("Accuracy" in values(at)) == labels


def test_the_switch_takes_it_back_and_makes_it_of_whole_matrices(open_page_test):
    at = open_page_test(PATH, gapped(), {"way": "whole items"})
    assert [panel["title"] for panel in head(at, "complete.maps")["panels"]][:2] == ["Known", "Extrapolated"]
    at.selectbox(key="complete.way").set_value("single pairs").run()
    assert not at.exception
    assert titles(at) == ["Known", "Completed", "Uncertainty", "Error"]
    data = gapped(share=0.0)
    whole = open_page_test(PATH, dataclasses.replace(data, target="measured", source="cheap"))
    assert head(whole, "complete.maps")["panels"]
    again = open_page_test(PATH, data, {"way": "single pairs"})
    assert titles(again) == ["Known", "Completed", "Uncertainty", "Error"]


def test_an_item_without_any_known_pair_is_placed_by_the_source_and_this_is_said(open_page_test):
    data = gapped()
    values = data.kernels["measured"].values.copy()
    values[4], values[:, 4] = np.nan, np.nan
    values[4, 4] = 5.0
    measured = GramMatrix(values, data.ids, "measured")
    at = open_page_test(
        PATH, dataclasses.replace(data, kernels={**data.kernels, "measured": measured}), {"tab": "Method"}
    )
    assert not at.error
    assert any("Of 1 item no pair is known: the source alone places" in each.value for each in at.caption)
    assert "single pairs" in " ".join(each.value for each in at.markdown)


@pytest.mark.parametrize("tab", ["Predicted", "Plain ways", "What next", "Pair", "Method"])
def test_every_tab(open_page_test, tab):
    at = open_page_test(PATH, gapped(), {"tab": tab})
    assert not at.error
    if tab == "What next":
        at.segmented_control(key="complete.pairs.purpose").set_value("find hits").run()
        assert not at.exception


def test_a_pair_says_its_value_and_what_it_rests_on(open_page_test, monkeypatch):
    data = gapped()
    i, j = np.argwhere(np.triu(np.isnan(data.kernels["measured"].values), 1))[0].tolist()
    monkeypatch.setattr(chosen, "pair", lambda ids: (i, j))
    at = open_page_test(PATH, data, {"tab": "Pair"})
    said = [each.value for each in at.markdown if each.value.startswith("Predicted **")]
    assert len(said) == 1
    assert "±" in said[0]
    assert any("known pair" in str(table.value.columns.tolist()) for table in at.table)


@pytest.mark.no_cover
def test_the_script_makes_the_kernel_that_is_shown(open_page_test):
    from kernex_core.learning.folds import CrossValidation
    from kernex_core.runtime.progress import finished
    from kernex_core.studies.completion.pairs import PairsConfig, studying_pairs
    from pages.complete.pairs.results import script
    from pages.complete.pairs.subject import PairsChoice, PairsSubject

    data, config, validation = gapped(), PairsConfig(), CrossValidation()
    target, source = data.kernels["measured"], data.kernels["cheap"]
    made = finished(studying_pairs(config, target, source, data.judgeable, validation))
    subject = PairsSubject(data, PairsChoice(source, target, config, validation, "class"))
    scope: dict = {}
    exec(script(subject, made), scope)
    kernels = [each for each in scope.values() if isinstance(each, GramMatrix)]
    assert any(np.array_equal(K.values, made.completed.gram.values) for K in kernels)
    assert scope["judged"].multi_class.mean == made.scores[0].judgement.multi_class.mean


def hits():
    """The same, of which only what is high is reported."""
    data = gapped(share=0.0)
    K = data.kernels["measured"].values
    low = np.quantile(K[np.triu_indices(len(K), 1)], 0.7) > K
    np.fill_diagonal(low, False)
    reported = GramMatrix(np.where(low, np.nan, K), data.ids, "measured")
    defaults = dataclasses.replace(data.defaults, unreported=True)
    return dataclasses.replace(data, kernels={**data.kernels, "measured": reported}, defaults=defaults)


@pytest.mark.parametrize("tab", ["What next", "Plain ways", "Pair"])
def test_what_a_search_did_not_report_is_ranked_and_has_two_numbers(open_page_test, monkeypatch, tab):
    data = hits()
    i, j = np.argwhere(np.triu(np.isnan(data.kernels["measured"].values), 1))[0].tolist()
    monkeypatch.setattr(chosen, "pair", lambda ids: (i, j))
    at = open_page_test(PATH, data, {"tab": tab})
    assert not at.error
    assert titles(at) == ["Known", "Completed", "If reported", "Error"]
    assert 0.5 < float(values(at)["Hits found"]) <= 1.0
    assert "hidden hits told from what never was reported" in verdict(at)
    # hits are finished in one way: what is set of it is not said
    assert "finish" not in head(at, "complete.pairs.maps")["settings"]
    tables = " ".join(str(table.value.columns.tolist()) for table in at.table)
    if tab == "What next":
        assert "score if reported" in tables
    elif tab == "Plain ways":
        assert "found (AUC)" in tables
    else:
        assert any("if it had been reported; taking absence for low" in each.value for each in at.markdown)
    at.segmented_control(key="complete.pairs.gapped.absence").set_value("unknown at random").run()
    assert titles(at) == ["Known", "Completed", "Uncertainty", "Error"]


def captions(at):
    return " ".join(each.value for each in at.caption)


@pytest.mark.parametrize("hidden", ["10 %", "50 %", "as uploaded"])
def test_what_too_few_pairs_cannot_say_is_not_waited_for(open_page_test, hidden):
    data = gapped(n=6)
    at = open_page_test(PATH, data, {"hidden_pairs": hidden})
    assert not at.error
    assert "…" not in values(at).values()
    assert values(at)["Expected error" if hidden == "as uploaded" else "Within intervals"] == "—"
    assert "being computed" not in captions(at)
    panel = next(each for each in head(at, "complete.pairs.maps")["panels"] if each["title"] == "Uncertainty")
    assert "being computed" not in str(panel)
    assert ("So few pairs say little" in verdict(at)) == (hidden != "as uploaded")


def test_all_similarities_the_same_are_found_without_error(open_page_test):
    data = gapped(n=24)
    same = np.where(np.isnan(data.kernels["measured"].values), np.nan, 0.5 + 0.5 * np.eye(24))
    at = open_page_test(
        PATH, dataclasses.replace(data, kernels={"measured": GramMatrix(same, data.ids, "measured")})
    )
    assert "found with no error, as by the best plain way" in verdict(at)
    assert "unknown;" not in verdict(at)
    assert values(at)["Error"] == "0"


@pytest.mark.parametrize("own", [0.0, -1.0, np.nan])
def test_self_similarities_that_no_kernel_has_are_said_and_do_no_harm(open_page_test, own):
    data = gapped()
    K = data.kernels["measured"].values.copy()
    np.fill_diagonal(K, own)
    at = open_page_test(
        PATH,
        dataclasses.replace(
            data, kernels={**data.kernels, "measured": GramMatrix(-np.abs(K), data.ids, "measured")}
        ),
        {"tab": "Method"},
    )
    assert not at.error
    assert "Of 36 items the self-similarity is" in captions(at)
    assert "is left out" in captions(at)


def test_without_a_source_nothing_is_said_to_be_placed_by_one_and_no_switch_does_nothing(open_page_test):
    data = gapped(source=False)
    K = data.kernels["measured"].values.copy()
    K[4], K[:, 4], K[4, 4] = np.nan, np.nan, 5.0
    alone = dataclasses.replace(data, kernels={"measured": GramMatrix(K, data.ids, "measured")})
    at = open_page_test(PATH, alone, {"tab": "Method", "way": "whole items"})
    assert "without a source nothing places them" in captions(at)
    assert "the source alone" not in captions(at)
    assert "takes it back" not in captions(at)
    assert at.selectbox(key="complete.way.alone").disabled
    assert "way" not in at.query_params


def test_the_similarity_of_an_item_to_itself_that_is_unknown_is_not_called_known(open_page_test, monkeypatch):
    data = gapped()
    K = data.kernels["measured"].values.copy()
    K[3, 3] = np.nan
    half = dataclasses.replace(
        data, kernels={**data.kernels, "measured": GramMatrix(K, data.ids, "measured")}
    )
    for pair, said in (((3, 3), "no self-similarity is fitted"), ((4, 4), "This value is known")):
        monkeypatch.setattr(chosen, "pair", lambda ids, pair=pair: pair)
        assert said in captions(open_page_test(PATH, half, {"tab": "Pair"}))


def test_of_a_matrix_without_gaps_unreported_pairs_have_no_score_of_their_own(open_page_test):
    whole = gapped(share=0.0)
    at = open_page_test(
        PATH,
        dataclasses.replace(whole, target="measured"),
        {"way": "single pairs", "absence": "unreported"},
    )
    assert "unknown" not in values(at).values()
    assert "Within intervals" in values(at)


@pytest.mark.parametrize("absence", ["unknown at random", "unreported"])
def test_what_is_hatched_is_unknown_in_every_picture_of_the_matrix(open_page_test, monkeypatch, absence):
    """A known pair has no uncertainty, and its score if it had been reported is what it has."""
    drawn = []
    given = results.panels
    monkeypatch.setattr(results, "panels", lambda made: drawn.append((made, given(made))) or given(made))
    open_page_test(PATH, gapped(), {"absence": absence})
    made, shown = drawn[-1]
    known = ~np.isnan(made.seen.values)
    for panel in shown[1:3]:
        assert np.isfinite(panel.values).all()
    third = shown[2].values
    expected = made.seen.values if absence == "unreported" else np.zeros_like(third)
    np.testing.assert_array_equal(third[known], expected[known])


@pytest.mark.parametrize("hidden", ["10 %", "as uploaded"])
@pytest.mark.parametrize("classes", ["aabb", "aabbcc", "aabbccddeeffgghhiijjkkll"])
def test_classes_that_cannot_be_divided_leave_the_completion_as_it_is(open_page_test, classes, hidden):
    data = gapped(n=24)
    y = np.array([*classes, *[""] * (24 - len(classes))])
    at = open_page_test(
        PATH,
        dataclasses.replace(data, labels=Labels(data.ids, y)),
        {"tab": "Plain ways", "hidden_pairs": hidden, "cv_folds": "5"},
    )
    assert not at.error
    assert values(at)["Accuracy"] == "—"
    assert "Classes are not judged" in verdict(at)
    assert "…" not in values(at).values()


@pytest.mark.parametrize("hidden", ["10 %", "as uploaded"])
@pytest.mark.parametrize("source", [True, False])
@pytest.mark.parametrize("reported", [2, 3, 4])
def test_a_few_hits_are_completed_too(open_page_test, source, reported, hidden):
    data = gapped(n=12, source=source, labels=False)
    K = np.full((12, 12), np.nan)
    np.fill_diagonal(K, 1.0)
    for k in range(reported):
        K[k, k + 1] = K[k + 1, k] = 0.5 + 0.1 * k
    hits = GramMatrix(K, data.ids, "measured")
    at = open_page_test(
        PATH,
        dataclasses.replace(data, kernels={**data.kernels, "measured": hits}, target="measured"),
        {"absence": "unreported", "way": "single pairs", "hidden_pairs": hidden, "tab": "What next"},
    )
    assert not at.error
    assert "unknown" not in values(at).values()


@pytest.mark.parametrize("selves", [(), (0,)], ids=["none with itself", "one with itself"])
def test_one_known_pair_is_too_little_for_whole_items_and_no_error(open_page_test, selves):
    data = gapped()
    values = np.full((36, 36), np.nan)
    values[0, 1] = values[1, 0] = 0.5
    for i in selves:
        values[i, i] = 1.0
    target = GramMatrix(values, data.ids, "measured")
    data = dataclasses.replace(data, kernels={**data.kernels, "measured": target}, target="measured")
    at = open_page_test(PATH, data, {"way": "whole items"})
    assert not at.error
    assert any("Single pairs can be completed all the same" in each.value for each in at.markdown)


@pytest.mark.parametrize("shift", [0.0, -100.0])
def test_similarities_below_zero_are_said_to_be_beyond_the_model(open_page_test, shift):
    data = gapped()
    target = data.kernels["measured"]
    lower = target.values + shift * (1.0 - np.eye(36))
    data = dataclasses.replace(
        data, kernels={**data.kernels, "measured": GramMatrix(lower, data.ids, "measured")}
    )
    said = any("add a constant" in each.value for each in open_page_test(PATH, data).markdown)
    assert said is (shift < 0.0)
