import contextlib
import dataclasses
import io

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.combination import (
    CombinationConfig,
    choosing_combination,
    combining,
    prepare_combination,
)
from pages.combine.results import script
from pages.combine.subject import Subject
from pages.shared.figures.theme import ROLES, percent

PATH = "combine/combine.py"


@pytest.fixture
def complete_dataset(small_dataset):
    source = small_dataset.kernels["source"]
    target = GramMatrix(source.values + np.eye(30), source.ids, "target")
    return dataclasses.replace(small_dataset.with_kernel("target", target), name="complete thirty")


def test_all_combinations_are_judged_and_shown(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset)
    assert not at.error
    assert any("Highest here" in caption.value for caption in at.caption)
    (ends,) = [caption.value for caption in at.caption if "ends at each kernel alone" in caption.value]
    first, second = complete_dataset.kernels["source"], complete_dataset.kernels["target"]
    made = prepare_combination(CombinationConfig(), first, second)
    found = list(combining(made, complete_dataset.labels, CrossValidation(), lams=(0.0, 1.0)))[-1]
    for kernel, kind, lam in ((first, "first", 1.0), (second, "second", 0.0)):
        joint, alone = (found.values(k, at, "multi_class").mean() for k, at in (("joint", lam), (kind, 0.0)))
        assert (
            f"{kernel.name} with the nugget {percent(joint, 1)}, without the nugget {percent(alone, 1)}"
            in ends
        )
    assert any("the same folds for every kernel" in text.value for text in at.markdown)
    drawn = " ".join(chart.proto.spec for chart in at.get("plotly_chart"))
    assert ROLES["sum"].colour in drawn
    assert ROLES["extrapolated"].colour not in drawn  # nothing is extrapolated here


def test_a_kept_kernel_is_on_every_page(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset)
    at.segmented_control(key="combine.kind").set_value("product").run()
    at.button(key="combine.keep").click().run()
    assert not at.exception
    kernels = at.session_state["kernex"].entries["complete thirty"].kernels
    assert list(kernels) == ["product of source and target"]
    assert isinstance(kernels["product of source and target"], GramMatrix)


def test_a_partly_known_kernel_is_not_offered(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset)
    assert at.error


def test_without_labels_there_are_pictures_and_a_word_on_why(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset.with_labels(None))
    assert not at.error
    assert any("nothing can be judged" in text.value for text in at.markdown)


@pytest.mark.parametrize("kind", ["joint", "weighted sum", "product"])
def test_the_script_prints_the_accuracy_that_the_page_shows(complete_dataset, kind):
    first, second = complete_dataset.kernels["source"], complete_dataset.kernels["target"]
    labels, validation = complete_dataset.labels, CrossValidation(repeats=3, C=1.0, seed=4)
    made = prepare_combination(CombinationConfig(nugget=0.2), first, second)
    judged = list(combining(made, labels, validation, lams=(0.3,)))[-1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(Subject(complete_dataset, first, second, labels, made, validation), kind, 0.3), {})
    for measure, words in (("multi_class", "multi-class accuracy"), ("one_vs_rest", "one-vs-rest accuracy")):
        shown = judged.values(kind, 0.0 if kind == "product" else 0.3, measure).mean()
        line = next(line for line in printed.getvalue().splitlines() if line.startswith(words))
        assert float(line.split()[-1]) == pytest.approx(shown)


def test_the_choice_is_made_again_on_request(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset)
    assert any("too optimistic, because" in caption.value for caption in at.caption)
    at.button(key="combine.choice.run").click().run()
    assert not at.exception
    made = prepare_combination(CombinationConfig(), *complete_dataset.kernels.values())
    *_, found = choosing_combination(made, complete_dataset.labels, CrossValidation())
    (said,) = [
        caption.value for caption in at.caption if "made again inside every training fold" in caption.value
    ]
    assert f"multi-class accuracy **{percent(found.mean, 1)}**" in said
    assert "choosing among 27" in said


def test_the_highest_of_all_combinations_is_told_also_where_it_is_the_product():
    from types import SimpleNamespace

    from pages.combine.chart import _best

    means = {"joint": 0.6, "weighted sum": 0.7, "product": 0.9}
    found = SimpleNamespace(
        lams=(0.0, 0.5, 1.0), values=lambda kind, lam, field: np.array([means[kind] - 0.1 * lam])
    )
    assert _best(found, "multi_class") == "Highest here: the product with 90.0\u00a0%."
    means["product"] = 0.1
    assert _best(found, "multi_class").startswith("Highest here: weighted sum at λ = 0")


@pytest.mark.parametrize(("asked", "shown"), [("0.3", 0.3), ("7", 0.5), ("much", 0.5)])
def test_an_address_from_when_lam_was_called_as_on_complete_shows_it_still(
    open_page_test, complete_dataset, asked, shown
):
    at = open_page_test(PATH, complete_dataset, {"lam": asked})
    assert at.slider(key="combine_lam").value == shown
    assert "lam" not in at.query_params
    at.slider(key="combine_lam").set_value(0.8).run()
    assert at.slider(key="combine_lam").value == 0.8
