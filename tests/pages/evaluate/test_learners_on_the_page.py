"""The page Evaluate with other learners than the C-SVM, and with labels that are numbers."""

import contextlib
import dataclasses
import io

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.catalogue import LEARNERS
from kernex_core.learning.learners.logistic import KernelLogistic
from kernex_core.learning.learners.reliability import fold_reliability
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import SupportVectorRegression
from kernex_core.learning.regression.evaluate import compare_numbers, judge_numbers, predict_numbers
from kernex_core.studies.evaluation import EvaluationConfig, evaluating_numbers, judged_form
from pages.evaluate.classes import probabilities_script as reliability_script
from pages.evaluate.evaluate import script, table
from pages.evaluate.side_by_side import pair_rows

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "evaluate/evaluate.py"


@pytest.fixture
def numbered(small_dataset):
    """The same items with a number each: a function that is linear in the source kernel, and noise."""
    rng = np.random.default_rng(3)
    values, vectors = np.linalg.eigh(small_dataset.kernels["source"].values)
    y = 5.0 + vectors[:, -1] * np.sqrt(values[-1]) + 0.2 * rng.normal(size=30)
    labels = Labels(small_dataset.ids, [f"{value:.4f}" for value in y])
    return dataclasses.replace(small_dataset.with_labels(labels), name="numbered")


def own_protocol(dataset):
    return CrossValidation(C=dataset.defaults.C)


def test_another_learner_is_judged_as_the_core_judges_it_and_an_address_opens_it_again(
    open_page_test, small_dataset
):
    at = open_page_test(PATH, small_dataset)
    titles = [each.title for each in LEARNERS if "classes" in each.learns]
    assert at.selectbox(key="classes_learner").options == titles
    assert any("λ = 1/(2nC) = 0.00333 with n = 15 training items" in c.value for c in at.caption)
    at.selectbox(key="classes_learner").set_value(KernelLogistic.title).run()
    at.select_slider(key="kernellogistic_lam").set_value(0.1).run()
    K = judged_form(EvaluationConfig(), small_dataset.kernels["source"])
    made = judge(K, small_dataset.labels, own_protocol(small_dataset), learner=KernelLogistic(0.1))
    shown = f"{100 * made.multi_class.mean:.1f}"
    address = {"classes_learner": KernelLogistic.title, "kernellogistic_lam": "0.1"}
    cold = open_page_test(PATH, small_dataset, address)
    for page in (at, cold):
        page.session_state["evaluate.tab"] = "In detail"
        page.run()
        assert not page.exception
        assert shown in page.table[0].value["multi-class, %"][0]
        captions = [c.value for c in page.caption]
        assert any("C = 1/(2nλ) = 0.333 with n = 15 training items" in c for c in captions)
        assert any("kernel logistic regression, λ = 0.1" in c for c in captions)
    found, printed = fold_reliability(made, made.classes[0]), io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(reliability_script(made, made.classes[0]), {})
    assert str(found.table.predicted) in printed.getvalue()
    assert str(found.table.brier) in printed.getvalue()
    assert any(f"Brier score **{found.table.brier:.3f}** (floor {found.floor:.3f}" in c for c in captions)


@pytest.mark.no_cover
@pytest.mark.parametrize("learner", [each for each in LEARNERS if "classes" in each.learns])
def test_every_learner_of_classes_opens(open_page_test, small_dataset, learner):
    at = open_page_test(PATH, small_dataset, {"classes_learner": learner.title})
    assert at.selectbox(key="classes_learner").value == learner.title
    assert "source" in list(at.table[0].value["kernel"])


def test_numbers_are_predicted_with_their_floor_and_the_table_and_script_say_the_same(
    open_page_test, numbered
):
    at = open_page_test(PATH, numbered)
    assert at.segmented_control(key="target").value == "numbers"
    learners = [each.title for each in LEARNERS if "numbers" in each.learns]
    assert at.selectbox(key="numbers_learner").options == learners
    K, protocol = judged_form(EvaluationConfig(), numbered.kernels["source"]), own_protocol(numbered)
    made = judge_numbers(K, numbered.labels, protocol, learner=KernelRidge())
    (cell,), (floors,) = (at.table[0].value[name] for name in ("RMSE", "floors"))
    assert cell.startswith(f"**{made.rmse.mean:.2f}**")
    assert f"{made.rmse.floor:.2f}" in floors
    assert made.rmse.mean < made.rmse.floor
    low, high = made.interval("spearman").low, made.interval("spearman").high
    assert f"[{low:.3f},\u00a0{high:.3f}]" in at.table[0].value["rank correlation"][0]
    # another learner, and back to classes, on the same page
    at.selectbox(key="numbers_learner").set_value(SupportVectorRegression.title).run()
    other = judge_numbers(K, numbered.labels, protocol, learner=SupportVectorRegression())
    assert at.table[0].value["RMSE"][0].startswith(f"**{other.rmse.mean:.2f}**")
    assert not at.exception
    at.segmented_control(key="target").set_value("classes").run()
    assert not at.exception
    assert any("no class with more than one" in e.value for e in at.error)


def test_two_kernels_of_numbers_are_compared_as_the_core_compares_them(open_page_test, numbered):
    plain = GramMatrix(np.eye(30), numbered.ids, "plain")
    at = open_page_test(PATH, numbered.with_kernel("plain", plain))
    at.session_state["evaluate.tab"] = "Pairs"
    at.run()
    kernels = {"source": numbered.kernels["source"], "plain": plain}
    (pair,) = compare_numbers(
        {
            name: judge_numbers(
                judged_form(EvaluationConfig(), K),
                numbered.labels,
                own_protocol(numbered),
                learner=KernelRidge(),
            )
            for name, K in kernels.items()
        }
    )
    shown = next(table.value for table in at.table if "p of the pair alone" in table.value)
    assert shown["kernels"][0] == "source − plain"
    assert shown["RMSE [95\u00a0%]"][0].startswith(f"**−{-pair.difference:.2f}**")
    assert pair.told_apart
    assert shown["told apart"][0].startswith("yes")
    (row,) = pair_rows([pair])
    assert (row["first"], row["difference"], row["pairs"]) == ("source", pair.difference, 1)
    assert (row["difference_from"], row["p_holm"]) == (pair.interval.low, pair.p)
    assert any(button.label == "Comparison as CSV" for button in at.get("download_button"))
    at.selectbox(key="evaluate.number_reference").set_value("source").run()
    assert any("source is the best of these" in each.value for each in at.markdown)
    assert not at.exception


def test_numbers_of_items_without_one_are_predicted_as_the_core_predicts_them(open_page_test, numbered):
    y = numbered.labels.y.copy()
    y[[2, 17]] = ""
    at = open_page_test(PATH, numbered.with_labels(Labels(numbered.ids, y)))
    at.session_state["evaluate.tab"] = "Predicted"
    at.run()
    K = judged_form(EvaluationConfig(), numbered.kernels["source"])
    made = predict_numbers(K, Labels(numbered.ids, y))
    shown = next(each.value for each in at.dataframe if "predicted number" in each.value)
    assert shown["id"].tolist() == ["item2", "item17"]
    assert list(shown["predicted number"]) == pytest.approx(made.numbers)
    assert any("trained on all 28 items" in each.value for each in at.caption)
    assert not at.exception


def test_script_and_file_of_numbers_say_what_the_core_found(numbered):
    kernels, protocol = {"source": numbered.kernels["source"]}, own_protocol(numbered)
    *_, found = evaluating_numbers(EvaluationConfig(), kernels, numbered.labels, protocol, KernelRidge(0.01))
    made, printed = found.judgements["source"], io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(found), {})
    for score in made.scores:
        assert str(score) in printed.getvalue()
    rows = table(found.judgements)
    assert list(rows["mean"]) == [score.mean for score in made.scores]
    assert set(rows["learner"]) == {"kernel ridge, λ = 0.01"}
    assert rows["interval from"][0] <= made.rmse.mean <= rows["interval to"][0]
