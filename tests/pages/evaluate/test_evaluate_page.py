import base64
import contextlib
import dataclasses
import io
import json
from itertools import combinations

import numpy as np
import pytest

from kernex_core.completion.joint import weighted_sum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.compare import compare_all, judged_verdict
from kernex_core.learning.differences import classes_differ
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source
from kernex_core.studies.evaluation import EvaluationConfig, choosing_kernel, evaluating, judged_form
from pages.evaluate import classes, difference
from pages.evaluate.classes import script
from pages.evaluate.settings import MEASURES
from pages.server.digits import p_value, percent
from pages.ui.panels.verdicts import pair_rows
from tests.oracles.joint import random_kernel

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "evaluate/evaluate.py"
KINDS = (("a", 1), ("b", 2), ("c", 3))


@pytest.fixture
def dataset(small_dataset, rng):
    noise = GramMatrix(random_kernel(rng, 30), small_dataset.ids, "noise")
    return dataclasses.replace(small_dataset.with_kernel("noise", noise), name="judged")


def test_kernels_are_judged_side_by_side_and_the_better_one_wins(open_page_test, dataset):
    at = open_page_test(PATH, dataset)
    at.run()
    assert not at.error
    table = at.table[0].value
    accuracy = dict(zip(table["kernel"], table["multi-class, %"], strict=True))
    assert set(accuracy) == {"source", "noise"}
    source, noise = (float(accuracy[name].split()[0].strip("*")) for name in ("source", "noise"))
    assert source > noise
    said = at.title[0].help
    assert "partly unknown: target" in said
    assert "Complete together" in said


def tab(at, name):
    """Open what one asks second."""
    at.session_state["evaluate.tab"] = name
    at.run()
    assert not at.exception


def compared(open_page_test, dataset, reference=None):
    """Texts and tables of the page with the comparison open."""
    at = open_page_test(PATH, dataset)
    at.session_state["evaluate.tab"] = "Pairs"
    if reference is not None:
        at.session_state["evaluate.reference"] = reference
    at.run()
    assert not at.exception
    return at


def comparison_table(at):
    (found,) = [t.value for t in at.table if "kernels" in t.value]
    return found


@pytest.fixture
def three(dataset, rng):
    other = GramMatrix(random_kernel(rng, 30), dataset.ids, "another")
    return dataset.with_kernel("another", other)


@pytest.mark.usefixtures("open_panels")
def test_all_pairs_are_compared_unless_a_reference_was_fixed(open_page_test, three):
    at = compared(open_page_test, three)
    box = at.selectbox(key="evaluate.reference")
    assert (box.value, len(box.options)) == ("all pairs", 4)
    assert len(comparison_table(at)["kernels"]) == 3
    assert "corrected for 3 pairs (Holm)" in " ".join(c.value for c in at.caption)
    assert any(button.label == "Comparison as CSV" for button in at.get("download_button"))
    # what the file has of every pair
    x = np.random.default_rng(0).normal(size=(30, 3))
    judged = {name: judge(x[:, :k] @ x[:, :k].T, three.labels, CrossValidation(folds=5)) for name, k in KINDS}
    rows, pairs = pair_rows(compare_all(judged)), compare_all(judged)
    assert [(row["first"], row["second"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row, pair in zip(rows, pairs, strict=True):
        one = pair.comparison.paired
        assert (row["p"], row["p_holm"], row["told_apart"]) == (one.p, pair.p, pair.told_apart)
        assert (row["difference"], row["difference_from"], row["difference_to"]) == (
            one.difference, one.interval.low, one.interval.high,
        )  # fmt: skip
        assert (row["first_better"], row["second_better"]) == (one.first_better, one.second_better)


@pytest.mark.usefixtures("open_panels")
def test_the_winner_is_no_reference_without_a_word(open_page_test, three):
    for reference, warned in (("source", True), ("noise", False)):
        at = compared(open_page_test, three, reference)
        assert len(comparison_table(at)["kernels"]) == 2
        assert any("take all pairs" in m.value for m in at.markdown) is warned


def test_unlabelled_items_are_predicted(open_page_test, dataset):
    y = dataset.labels.y.copy()
    y[[3, 17]] = ""
    at = open_page_test(PATH, dataset.with_labels(Labels(dataset.ids, y)))
    tab(at, "Predicted")
    assert any("2 unlabelled items" in each.value for each in at.markdown)
    assert sorted(at.dataframe[0].value["id"]) == ["item17", "item3"]


def test_an_indefinite_kernel_without_repair_is_told_and_the_others_go_on(open_page_test, dataset, rng):
    noise = rng.normal(size=(30, 30))
    bad = GramMatrix(noise + noise.T + np.diag(np.full(30, 3.0)), dataset.ids, "bad")
    at = open_page_test(PATH, dataset.with_kernel("bad", bad))
    at.segmented_control(key="evaluate.repair").set_value("none").run()
    at.run()
    assert not at.exception
    shown = " ".join(text.value for text in at.markdown)
    assert "bad was not judged" in shown
    assert "source" in list(at.table[0].value["kernel"])


@pytest.mark.parametrize("labels", ["none", "one class"])
def test_without_two_classes_there_is_a_sentence(open_page_test, dataset, labels):
    given = None if labels == "none" else Labels(dataset.ids, np.full(30, "a"))
    at = open_page_test(PATH, dataset.with_labels(given))
    assert not at.error
    found = "no labels" if labels == "none" else "one class"
    assert any(f"at least two classes; these data have {found}" in each.value for each in at.markdown)


def test_leave_one_out_says_what_it_costs_before_it_starts(open_page_test, dataset):
    at = open_page_test(PATH, dataset)
    at.segmented_control(key="evaluate.judged.folds").set_value(0).run()
    assert not at.exception
    assert any("2 kernels × 30 folds × 3 classes = 180" in caption.value for caption in at.caption)
    at.button(key="evaluate.run").click().run()
    assert "source" in list(at.table[0].value["kernel"])


def test_a_kept_completion_says_that_its_hidden_items_are_fixed(open_page_test, dataset):
    config, noise = CompletionConfig(share=0.2), dataset.kernels["noise"]
    joint = prepare(config, prepare_source(config, noise), dataset.kernels["source"]).kernel(0.3)
    at = open_page_test(PATH, dataset.with_kernel("joint", joint))
    at.multiselect(key="evaluate.kernels.judged").set_value(["joint"]).run()
    at.run()
    assert any(
        "(6 hidden items)" in caption.value and "another number" in caption.value for caption in at.caption
    )


def test_the_highest_is_told_as_too_good_and_the_choice_is_made_again_on_request(open_page_test, three):
    at = open_page_test(PATH, three)
    tab(at, "Method")
    (said,) = [
        caption.value for caption in at.caption if "Highest multi-class accuracy of these 3" in caption.value
    ]
    assert "too optimistic, because it was chosen on the same folds that it is reported on" in said
    at.button(key="evaluate.choose").click().run()
    assert not at.exception
    (said,) = [caption.value for caption in at.caption if "each choosing among" in caption.value]
    assert "each choosing among 3 by 5 folds of its training items" in said
    (picked,) = [each.value for each in at.markdown if "was chosen most often" in each.value]
    at.button(key="evaluate.choose.use").click().run()
    assert not at.exception
    assert f"**{at.selectbox(key='evaluate.detail.judged').value}**" in picked.replace("\\", "")


def test_what_saw_the_labels_of_test_items_takes_no_part_in_the_choice(open_page_test, three):
    y = three.labels.y
    ideal = GramMatrix((y[:, None] == y).astype(float), three.ids, "ideal")
    learned = weighted_sum([ideal, three.kernels["noise"]], [1.0, 0.0], from_labels=True)
    with_leak = three.with_kernel("learned", learned)
    at = open_page_test(PATH, with_leak)
    tab(at, "Method")
    said = [caption.value for caption in at.caption]
    (highest,) = [each for each in said if "Highest multi-class accuracy of these 4: learned" in each]
    assert "It is a leak besides" in highest
    assert "Left out of the choice" in highest
    assert "saw the labels of items that they are tested on: learned." in highest
    (fixed,) = [each for each in said if "Inductive changes nothing" in each]
    assert "from the labels of all items: learned." in fixed
    assert "the page Many kernels, under Accuracy" in fixed
    at.button(key="evaluate.choose").click().run()
    (made,) = [c.value for c in at.caption if "each choosing among" in c.value]
    assert "each choosing among 3 by" in made
    (picked,) = [each.value for each in at.markdown if "was chosen most often" in each.value]
    assert "learned" not in picked
    # with one honest kernel left there is nothing to choose
    at.multiselect(key="evaluate.kernels.judged").set_value(["source", "learned"]).run()
    assert "evaluate.choose" not in {button.key for button in at.button}


def test_of_two_classes_both_accuracies_have_one_floor(open_page_test, dataset):
    y = np.where(dataset.labels.y == "a", "a", "rest")
    at = open_page_test(PATH, dataset.with_labels(Labels(dataset.ids, y)))
    tab(at, "All measures")
    shown = at.table[1].value
    assert {*shown["floors, %"]} == {":gray[66.7, 50.0]"}
    # the same question asked twice is one column, and said to be
    assert "one-vs-rest, %" not in shown
    assert "multi-class, %" in shown
    assert any("With two classes one-vs-rest accuracy is the same number." in c.value for c in at.caption)


def test_a_number_at_its_floor_says_so_beside_it(open_page_test, dataset):
    nothing = GramMatrix(np.eye(30), dataset.ids, "nothing")
    at = open_page_test(PATH, dataset.with_kernel("nothing", nothing))
    tab(at, "All measures")
    shown = at.table[1].value
    row = list(shown["kernel"]).index("nothing")
    made = judge(nothing, dataset.labels, CrossValidation(C=dataset.defaults.C))
    for name, score in {"multi-class": made.multi_class, "balanced": made.balanced}.items():
        flagged = "its floor" in shown[f"{name}, %"][row]
        assert flagged == (score.mean <= score.floor + 1e-9), name
    assert "its floor" in " ".join(shown["multi-class, %"]) + " ".join(shown["one-vs-rest, %"])


@pytest.mark.parametrize(
    ("shown", "field", "measure"),
    [("one-vs-rest", "one_vs_rest", "one_vs_rest"), ("balanced", "balanced", "recall")],
)
def test_highest_and_choice_follow_the_measure_that_is_shown(open_page_test, three, shown, field, measure):
    at = open_page_test(PATH, three)
    at.selectbox(key="evaluate.measure").set_value(shown).run()
    tab(at, "Method")
    kernels = {name: K for name, K in three.kernels.items() if K.unknown.complete}
    protocol = CrossValidation(C=three.defaults.C)
    judged = {
        name: judge(judged_form(EvaluationConfig(), K), three.labels, protocol) for name, K in kernels.items()
    }
    best = max(judged, key=lambda name: getattr(judged[name], field).mean)
    value = percent(getattr(judged[best], field).mean, 1)
    (said,) = [
        caption.value for caption in at.caption if f"Highest {shown} accuracy of these 3" in caption.value
    ]
    assert f"{best} with {value}, which is too optimistic" in said
    assert "the choice by Matthews correlation or ROC area is not made again" in said
    at.button(key="evaluate.choose").click().run()
    *_, made = choosing_kernel(EvaluationConfig(), kernels, three.labels, protocol, measure=measure)
    (said,) = [each.value for each in at.markdown if "was chosen most often" in each.value]
    assert f"worth **{percent(made.mean, 1)}**" in said
    assert f"reads {value}" in said


def test_of_one_kernel_nothing_is_chosen(open_page_test, dataset):
    one = dataclasses.replace(dataset, kernels=dict(list(dataset.kernels.items())[:1]))
    at = open_page_test(PATH, one)
    tab(at, "Method")
    assert not any("Highest" in caption.value for caption in at.caption)
    assert "evaluate.choose" not in {button.key for button in at.button}


def judged_by(dataset, field):
    """The verdict on all its kernels."""
    protocol = CrossValidation(C=dataset.defaults.C)
    kernels = {name: K for name, K in dataset.kernels.items() if K.unknown.complete}
    return judged_verdict(
        {
            name: judge(judged_form(EvaluationConfig(), K), dataset.labels, protocol)
            for name, K in kernels.items()
        },
        field,
    )


def test_chart_and_table_are_in_one_order_and_nothing_is_left_to_run(open_page_test, three):
    at = open_page_test(PATH, three)
    for measure in ("multi-class", "balanced"):
        at.selectbox(key="evaluate.measure").set_value(measure).run()
        table = at.table[0].value
        judged = judged_by(three, MEASURES[measure])
        for name, said in zip(table["kernel"], table["beside the best"], strict=True):
            each = judged.of(name)
            if each is judged.best:
                assert said == "**best**"
            else:
                assert said.startswith("worse" if each.told_apart else "not\u00a0told")
                assert f"p\u00a0{p_value(each.p)}" in said
        (chart,) = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
        bold = [judged.of(name) is judged.best or not judged.of(name).told_apart for name in table["kernel"]]
        assert chart["layout"]["yaxis"]["ticktext"] == [
            f"<b>{name}</b>" if tied else name for name, tied in zip(table["kernel"], bold, strict=True)
        ]
        assert {"floor, %", "mode"}.isdisjoint(table)  # what is true of every row stands above
        means = [float(cell.split()[0].strip("*")) for cell in table[f"{measure}, %"]]
        assert means == sorted(means, reverse=True)
        low, high = chart["layout"]["xaxis"]["range"]
        lowest = min(100.0 / 3.0, *(x - e for x, e in _lower_ends(chart["data"][0])))
        assert lowest - 1.0 < low <= lowest < high
    assert all(str(title).strip() for title in table.columns)
    assert "evaluate.run" not in {button.key for button in at.button}


def _lower_ends(trace):
    values, below = (
        np.frombuffer(base64.b64decode(part["bdata"]))
        for part in (trace["x"], trace["error_x"]["arrayminus"])
    )
    return zip(values, below, strict=True)


def test_the_script_prints_every_measure_of_the_table(three):
    K, protocol = three.kernels["source"], CrossValidation(C=three.defaults.C)
    *_, found = evaluating(EvaluationConfig(), {"source": K}, three.labels, protocol)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(found), {})
    made = judge(judged_form(EvaluationConfig(), K), three.labels, protocol)
    for score in (made.multi_class, made.one_vs_rest, made.balanced, made.matthews, made.auc):
        assert str(score) in printed.getvalue()
    for measure in ("multi_class", "one_vs_rest", "balanced"):
        assert str(made.interval(measure)) in printed.getvalue()


def test_the_script_finds_the_p_against_chance_that_the_page_shows(open_page_test, monkeypatch):
    rng, y = np.random.default_rng(4), np.repeat(["a", "b"], 6)
    ids = tuple(f"i{i}" for i in range(12))
    X = rng.normal(size=(12, 3)) + 1.5 * (y == "a")[:, None]
    kernels = {
        name: GramMatrix(np.asarray(part @ part.T), ids, name)
        for name, part in {"X": X, "its first": X[:, :1]}.items()
    }
    written, keep_row = [], classes.keep_row

    def kept(result, **given):
        written.append((result.script.build(), given_chance[-1] if given_chance else None))
        keep_row(result, **given)

    given_chance, chance = [], classes.known_chance

    def asked(*args, **given):
        given_chance.append(chance(*args, **given))
        return given_chance[-1]

    monkeypatch.setattr(classes, "keep_row", kept)
    monkeypatch.setattr(classes, "known_chance", asked)
    of = call("labels", "Labels", ids, y)
    labels = Labels(ids, y, recipe=of)
    at = open_page_test(PATH, DataSet("twelve", ids, labels, kernels=kernels))
    at.slider(key="evaluate.twelve.repeats").set_value(1).run()
    at.button(key="evaluate.chance.run").click().run()
    assert not at.exception, [error.message for error in at.exception]
    source, against = written[-1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(source, {})
    said = str({name: against.p(name) for name in kernels})
    assert printed.getvalue().splitlines()[-1] == f"p against chance {said}"


def test_whether_classes_differ_is_asked_of_each_kernel_and_of_pairs_of_classes(open_page_test, dataset):
    at = open_page_test(PATH, dataset)
    tab(at, "Difference")
    shown = next(each.value for each in at.table if "between classes, %" in each.value)
    assert shown["kernel"][0] == "source"  # most lies between the classes there
    said = next(each.value for each in at.markdown if each.value.startswith("Classes differ in "))
    assert "source (" in said
    assert "No difference is seen in noise." in said
    of_pairs = [each.value for each in at.table if "MMD²" in each.value]
    assert [len(each) for each in of_pairs] == [len(list(combinations(dataset.labels.classes, 2)))]
    code = difference.script(
        {name: dataset.kernels[name] for name in ("source", "noise")}, dataset.labels, "source"
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    found = classes_differ(dataset.kernels["source"], dataset.labels)
    assert f"{found.share} {found.F} {found.p} {found.spread_p}" in printed.getvalue()
