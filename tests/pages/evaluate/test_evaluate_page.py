import dataclasses

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.study import prepare, prepare_source
from tests.oracles.joint import random_kernel

PATH = "evaluate/evaluate.py"


@pytest.fixture
def dataset(small_dataset, rng):
    noise = GramMatrix(random_kernel(rng, 30), small_dataset.ids, "noise")
    return dataclasses.replace(small_dataset.with_kernel("noise", noise), name="judged")


def test_kernels_are_judged_side_by_side_and_the_better_one_wins(open_page_test, dataset):
    at = open_page_test(PATH, dataset)
    at.run()
    assert not at.error
    table = at.table[0].value
    accuracy = dict(zip(table["kernel"], table["multi-class"], strict=True))
    assert set(accuracy) == {"source", "noise"}
    assert float(accuracy["source"].strip("*").split()[0]) > float(accuracy["noise"].strip("*").split()[0])
    assert any("target" in caption.value and "partly unknown" in caption.value for caption in at.caption)


def test_differences_are_tested(open_page_test, dataset):
    at = open_page_test(PATH, dataset)
    at.session_state["evaluate.compare"] = True
    at.run()
    texts = [caption.value for caption in at.caption]
    assert not at.exception
    assert any("McNemar" in text for text in texts) or at.expander


def test_unlabelled_items_are_predicted(open_page_test, dataset):
    y = dataset.labels.y.copy()
    y[[3, 17]] = ""
    at = open_page_test(PATH, dataset.with_labels(Labels(dataset.ids, y)))
    assert any("2 unlabelled" in panel.label for panel in at.expander)


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
    assert at.error


def test_leave_one_out_says_what_it_costs_before_it_starts(open_page_test, dataset):
    at = open_page_test(PATH, dataset)
    at.segmented_control(key="evaluate.judged.folds").set_value(0).run()
    assert not at.exception
    assert any("2 kernels × 30 folds × 3 classes = 180" in caption.value for caption in at.caption)
    at.button(key="evaluate.run").click().run(timeout=30)
    assert "source" in list(at.table[0].value["kernel"])


def test_a_kept_completion_says_that_its_hidden_items_are_fixed(open_page_test, dataset):
    config, noise = CompletionConfig(share=0.2), dataset.kernels["noise"]
    joint = prepare(config, prepare_source(config, noise), dataset.kernels["source"]).kernel(0.3)
    at = open_page_test(PATH, dataset.with_kernel("joint", joint))
    at.multiselect(key="evaluate.kernels.judged").set_value(["joint"]).run()
    at.run()
    assert any("completed once, with 6 hidden items" in caption.value for caption in at.caption)
