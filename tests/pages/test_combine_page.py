import dataclasses

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix

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
    assert any("the same folds for every kernel" in text.value for text in at.markdown)


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
