"""Whatever is open, a page that has nothing to show of it says what it would show: never an error, on no page."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from kernex_core import DataSet, GramMatrix, Labels, load_dataset
from kernex_core.datasets.catalogue import DATASETS
from kernex_core.inputs.samples import Sequences, SparseVectors, Vectors
from pages.server.declared import FITS, after_bringing, why_not
from pages.server.navigation import PAGES
from tests.pages.conftest import switch

N = 24
IDS = tuple(f"i{k}" for k in range(N))
SIDES = Labels(IDS, np.array(["a", "b"] * (N // 2)))


def matrix(*gaps, name="K"):
    X = np.random.default_rng(4).normal(size=(N, 3)) + 2.0 * (np.arange(N) % 2)[:, None]
    K = X @ X.T
    K[list(gaps)], K[:, list(gaps)] = np.nan, np.nan
    return GramMatrix(K, IDS, name)


def letters():
    rng = np.random.default_rng(3)
    return tuple("".join(rng.choice(list("ACDE" if k % 2 else "DEFG"), 12)) for k in range(N))


def own():
    """Data that a stranger may bring, by what they are."""
    vectors = Vectors(
        IDS, np.random.default_rng(2).normal(size=(N, 3)) + (np.arange(N) % 2)[:, None], ("x", "y", "z")
    )
    rng = np.random.default_rng(8)
    bits = (rng.random((N, 60)) < 0.2).astype(float)
    bits[:, :2] = SIDES.y[:, None] == np.array(["a", "b"])
    sparse = SparseVectors(IDS, csr_array(bits))
    edges = replace(load_dataset("florentine_families").samples["network"], labels=None, attributes=None)
    sequences = Sequences(IDS, letters())
    two = {"whole": matrix(name="whole"), "lacking": matrix(0, 5, name="lacking")}
    return {
        "a matrix": DataSet("own", IDS, SIDES, kernels={"K": matrix()}),
        "a matrix without labels": DataSet("own", IDS, kernels={"K": matrix()}),
        "a matrix with gaps": DataSet("own", IDS, SIDES, kernels={"K": matrix(0, 5)}),
        "one class": DataSet("own", IDS, Labels(IDS, np.array(["a"] * N)), kernels={"K": matrix()}),
        "two without labels": DataSet("own", IDS, kernels=two),
        "two that lack items": DataSet(
            "own", IDS, SIDES, kernels={"one": matrix(1, 2, name="one"), "other": matrix(0, 5, name="other")}
        ),
        "sequences": DataSet("own", IDS, SIDES, samples={"sequences": sequences}),
        "sequences without labels": DataSet("own", IDS, samples={"sequences": sequences}),
        "vectors": DataSet("own", IDS, SIDES, samples={"vectors": vectors}),
        "vectors without labels": DataSet("own", IDS, samples={"vectors": vectors}),
        "sparse vectors": DataSet("own", IDS, SIDES, samples={"sparse": sparse}),
        "edges": DataSet("own", edges.ids, samples={"edges": edges}),
    }


OWN = own()
DEMOS = {demo.title: demo for demo in DATASETS}


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.url_path)
@pytest.mark.no_cover
def test_nothing_is_red_on_data_that_a_stranger_brings(open_page_test, entry, name):
    at = open_page_test(entry.path, OWN[name])
    assert [error.value for error in at.error] == []
    if why_not(entry.url_path, OWN[name]):
        _is_empty(at, entry)
        step = after_bringing(OWN[name])  # what fits these data instead
        assert any(each.proto.page.endswith(step.address) for each in at.get("page_link")), step


@pytest.mark.parametrize("title", DEMOS)
@pytest.mark.no_cover
def test_a_page_that_a_demo_does_not_fit_offers_those_that_do(open_page_test, title):
    data = DEMOS[title].load(0)
    unfit = [entry for entry in PAGES if why_not(entry.url_path, data)]
    at = open_page_test("start/start.py", data)
    for entry in unfit:
        switch(at, entry.path).run()
        assert not at.exception, entry.path
        assert [error.value for error in at.error] == [], entry.path
        _is_empty(at, entry)


def _is_empty(at, entry):
    fit = FITS[entry.url_path]
    assert fit.shows in " ".join(each.value for each in at.markdown)
    assert {button.label for button in at.button} >= set(fit.demos)
    assert at.get("file_uploader")
    for demo in fit.demos:
        assert why_not(entry.url_path, DEMOS[demo].load(0)) == "", demo
