"""Sparse vectors from the box to a judgement, without a table of their zeros anywhere."""

import numpy as np
import pytest
from scipy import sparse

from kernex_core import Tanimoto
from kernex_core.inputs.samples import SparseVectors, Vectors
from kernex_core.workspace.file import read_workspace, write_workspace
from kernex_core.workspace.workspace import OpenData, Workspace
from tests.pages.conftest import switch
from tests.pages.data.test_bringing_files import added, bring, shown, widget

N, D = 40, 300_000


def molecules():
    """Fingerprints of two kinds, as bits that are there."""
    rng = np.random.default_rng(0)
    rows = []
    for k in range(N):
        common = np.arange(1, 9) + 20 * (k % 2)
        rows.append(sorted({*common[rng.random(8) < 0.8].tolist(), *rng.integers(1_000, D, 60).tolist(), D}))
    return "".join(
        f"{'+1' if k % 2 else '-1'} {' '.join(f'{j}:1' for j in row)} # m{k}\n" for k, row in enumerate(rows)
    ).encode()


@pytest.fixture
def no_zeros(monkeypatch):
    """Writes out no sparse rows at all."""

    def refuse(self, *args, **named):
        assert self.shape[0] * self.shape[1] < D, "zeros are written out"
        return whole(self, *args, **named)

    whole = sparse.csr_array.toarray
    monkeypatch.setattr(sparse.csr_array, "toarray", refuse)


@pytest.mark.usefixtures("no_zeros")
def test_sparse_vectors_are_brought_compared_and_judged(open_page_test):
    at = bring(open_page_test, "molecules.svm", molecules())
    assert "40 items × 300,000 features, 0.02 % not zero" in shown(at)
    assert "only these are held" in shown(at)
    data = added(at)
    (samples,) = data.samples.values()
    assert isinstance(samples, SparseVectors)
    assert data.ids[:2] == ("m0", "m1")
    assert data.labels.classes == (("-1", 20), ("1", 20))
    switch(at, "kernels/kernels.py").run()
    assert not at.exception
    widget(at, "selectbox", "build.kind.vectors").set_value(Tanimoto).run()
    assert not at.exception
    assert not at.error
    assert "40 items × 300,000 features" in shown(at)
    widget(at, "button", "keep").click().run()
    assert not at.exception
    state = at.session_state["kernex"]
    (K,) = state.entries[state.chosen].kernels.values()
    assert np.array_equal(np.diag(K.values), np.ones(N))
    assert K.values[0, 2::2].mean() > K.values[0, 1::2].mean()
    switch(at, "evaluate/evaluate.py").run()
    assert not at.exception
    assert not at.error


@pytest.mark.usefixtures("no_zeros")
def test_a_workspace_keeps_sparse_vectors_bit_by_bit(open_page_test):
    data = added(bring(open_page_test, "molecules.svm", molecules()))
    kernel = Tanimoto().similarities(data.samples["molecules"], name="bits")
    (back,) = read_workspace(write_workspace(Workspace((OpenData(data, {"bits": kernel}),)))).data
    again = back.dataset
    assert again.samples["molecules"] == data.samples["molecules"]
    assert again.digest == data.digest


def test_zeros_are_written_on_demand(open_page_test):
    text = b"".join(b"%d %d:1 %d:2\n" % (k % 2, k + 1, k + 7) for k in range(12))
    at = bring(open_page_test, "x.svm", text)
    widget(at, "button_group", "svmlight.zeros").set_value("left out").run()
    assert "12 items × 18 features, 11.1 % not zero" in shown(at)
    widget(at, "button_group", "svmlight.zeros").set_value("written").run()
    assert isinstance(added(at).samples["x"], Vectors)
