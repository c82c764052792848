"""Vectors with unknown entries on the page Kernels."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core.conditioning.impute import ColumnMean
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.dot_product import Linear
from pages.ui.panels import build

PATH = "kernels/kernels.py"


@pytest.fixture
def incomplete():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(20, 6)) + np.repeat([0.0, 2.0], 10)[:, None]
    X[rng.random(X.shape) < 0.1] = np.nan
    ids = tuple(f"v{i}" for i in range(20))
    return DataSet("Incomplete", ids, Labels(ids, np.repeat(["a", "b"], 10)), {"X": Vectors(ids, X)})


def test_a_kernel_is_built_with_a_named_imputation(open_page_test, incomplete):
    at = open_page_test(PATH, incomplete)
    assert not at.error
    assert not at.exception
    assert any("are filled by column mean" in caption.value for caption in at.caption)
    at.segmented_control(key="build.imputation").set_value("k nearest rows").run()
    assert not at.error
    assert any("are filled by k nearest rows" in caption.value for caption in at.caption)
    assert any(each.key == "build.imputation.k nearest rows.k" for each in at.slider)


def test_the_kernel_is_that_of_the_filled_vectors(incomplete):
    vectors = incomplete.samples["X"]
    K = build.imputed._function(Linear(), vectors, ColumnMean(), "K")
    filled = ColumnMean().fit(vectors.X).apply(vectors.X)
    np.testing.assert_allclose(K.values, filled @ filled.T)
    assert build.has_unknown(vectors)
    assert not build.has_unknown(Vectors(vectors.ids, filled))


def test_unknown_entries_are_filled_inside_the_fold_by_default(open_page_test, incomplete):
    K = build.imputed._function(Linear(), incomplete.samples["X"], ColumnMean(), "filled")
    whole = K.base.values.shape  # nothing is known before the step
    assert whole == (20, 20)
    plain = Linear().similarities(Vectors(K.ids, np.nan_to_num(incomplete.samples["X"].X)), name="plain")
    data = replace(incomplete, kernels={"plain": plain, "filled": K})
    at = open_page_test("kernels/power/power.py", data, query={"kernel": "filled"})
    assert not at.exception
    assert at.segmented_control(key="filled_basis").value == "training points"
    assert "inductive" in modes(at)
    at.selectbox(key="kernel").set_value("plain").run()
    assert at.segmented_control(key="basis").value == "all points"
    assert "transductive" in modes(at)
    at = open_page_test("evaluate/evaluate.py", data)
    assert not at.exception
    assert "inductive" in modes(at)
    at = open_page_test(PATH, data, query={"kernel": "filled"})
    assert "inductive" in modes(at)


def modes(at):
    """The tag that stands beside the title."""
    return " ".join(block.value for block in at.markdown if "-badge[" in block.value)


def test_what_would_take_long_waits_for_a_click(open_page_test, incomplete, monkeypatch):
    monkeypatch.setattr(build, "IMPUTED_AT_ONCE", 100.0)
    at = open_page_test(PATH, incomplete)
    at.segmented_control(key="build.imputation").set_value("k nearest rows").run()
    button = next(each for each in at.button if each.key == "build.impute")
    assert button.label == "Compute, about 24 s"
    button.click().run()
    assert not at.error
    at.run()
    assert not any(each.key == "build.impute" for each in at.button)
