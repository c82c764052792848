import dataclasses

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
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
