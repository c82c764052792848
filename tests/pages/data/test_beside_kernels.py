"""Files that stand beside kernels: masks, labels and new items in files of their own make one data set."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from kernex_core import InvalidInputError, read_samples
from kernex_core.inputs.new_items import read_new_rows
from kernex_core.studies.data import assemble, beside_kernels, dataset_script, with_mask
from pages.ui.files import new_items_key
from tests.pages.data.test_bringing_files import shown

N, M = 12, 5


def saved(kind, **arrays):
    out = io.BytesIO()
    if kind == "mat":
        savemat(out, arrays)
    elif kind == "npz":
        np.savez(out, **arrays)
    else:
        np.save(out, *arrays.values())
    return out.getvalue()


@pytest.fixture
def X(rng):
    return rng.normal(size=(N + M, 4))


def bring(open_page_test, **files):
    at = open_page_test("data/data.py")
    for name, data in files.items():
        at.file_uploader[0].upload(name.replace("__", "."), data).run()
    assert not at.exception
    return at


def add(at):
    at.button(key="data.add").click().run()
    assert not at.exception
    assert not at.error
    state = at.session_state["kernex"]
    return state.entries[state.chosen].dataset


def choose(at, ending, value):
    next(each for each in at.get("button_group") if each.key.endswith(ending)).set_value(value).run()


@pytest.mark.parametrize("views", [1, 3])
def test_kernels_a_mask_and_labels_in_three_files_are_one_data_set(open_page_test, X, views):
    K = np.stack([X[:N] @ X[:N].T + k for k in range(views)], axis=2)
    mask = np.ones((N, views))
    mask[[2, 7], 0], mask[4, views - 1] = 0.0, 0.0
    at = bring(
        open_page_test,
        K__mat=saved("mat", K=K if views > 1 else K[:, :, 0]),
        MID__mat=saved("mat", MID=mask),
        y__mat=saved("mat", y=(np.arange(N) % 2)[:, None]),
    )
    choose(at, ".position", "order")
    data = add(at)
    assert (data.n, len(data.kernels), len(data.samples), data.labels.classes) == (
        N,
        views,
        0,
        (("0", 6), ("1", 6)),
    )
    for k, kernel in enumerate(data.kernels.values()):
        hidden = mask[:, k] == 0.0
        expected = K[:, :, k].copy()
        expected[hidden], expected[:, hidden] = np.nan, np.nan
        np.testing.assert_allclose(kernel.values, expected)


def test_a_mask_can_be_vectors_all_the_same(open_page_test, X):
    at = bring(
        open_page_test, K__mat=saved("mat", K=X[:N] @ X[:N].T), mask__mat=saved("mat", mask=np.eye(N)[:, :2])
    )
    next(each for each in at.toggle if each.key.endswith(".mask")).set_value(False).run()
    data = add(at)
    assert list(data.samples) == ["mask"]
    assert not np.isnan(next(iter(data.kernels.values())).values).any()


@pytest.mark.parametrize("name", ["mask.npy", "K_mask.npy", "m.npz", "there.npy"])
def test_a_plain_list_of_which_items_there_are_is_a_mask(open_page_test, X, name):
    """By its name; without one a list of yes and no is asked about, as labels may be it, too."""
    known = np.arange(N) % 5 > 0
    data = saved("npz", mask=known) if name.endswith("npz") else saved("npy", x=known)
    at = bring(open_page_test, K__npy=saved("npy", K=X[:N] @ X[:N].T), **{name.replace(".", "__"): data})
    if name == "there.npy":
        assert not [each for each in at.button if each.key == "data.add"]
        choose(at, ".position", "mask")
    made = add(at)
    (kernel,) = made.kernels.values()
    np.testing.assert_array_equal(np.isnan(kernel.values), ~(known[:, None] & known[None]))
    assert made.labels is None


def test_the_script_of_a_masked_kernel_hides_the_same(X):
    K = read_samples(saved("mat", K=X[:N] @ X[:N].T), "K.mat")
    mask = read_samples(saved("mat", mask=(np.arange(N) > 2).astype(float)[None]), "mask.mat", kind="vectors")
    assert beside_kernels({"K": K, "mask": mask}) == {"mask": ("mask", True)}
    made, note = with_mask({"K": K}, mask)
    assert "3 rows" in note.text
    assert "Hide" in dataset_script(assemble(made, name="x").data)
    with pytest.raises(InvalidInputError, match="one row an item"):
        with_mask({"K": K.take(np.arange(5))}, mask)


@pytest.mark.parametrize("kind", ["npy", "mat"])
def test_rows_of_new_items_in_a_file_of_their_own_wait_on_the_map(open_page_test, X, kind):
    K, cross = X[:N] @ X[:N].T, X[N:] @ X[:N].T
    at = bring(
        open_page_test, **{f"K__{kind}": saved(kind, K=K), f"K_test__{kind}": saved(kind, K_test=cross)}
    )
    data = add(at)
    (name,) = data.kernels
    assert not data.samples
    file = at.session_state["kernex"].seen.settings[f"{new_items_key(data.name, name)}.kept"]
    assert file.filename == f"K_test.{kind}"
    new = read_new_rows(file, file.filename, _even(data.kernels[name]))
    np.testing.assert_allclose(new.cross, cross)
    assert new.ids == tuple(f"new {k + 1}" for k in range(M))


def _even(K):
    """The same ids with self-similarities that are all alike: new items have them, too."""
    return type(K)(np.eye(K.n), K.ids, K.name)


def test_rows_that_only_their_shape_tells_are_asked_about(open_page_test, X):
    K, other = X[:N] @ X[:N].T, X[N:] @ X[:N].T
    at = bring(open_page_test, K__npy=saved("npy", K=K), other__npy=saved("npy", other=other))
    assert not [each for each in at.button if each.key == "data.add"]
    assert "asked above" in shown(at)
    choose(at, ".rows", "vectors")
    assert list(add(at).samples) == ["other"]


def test_a_table_whose_columns_are_the_items_is_one_of_new_items(X):
    ids = [f"p{k}" for k in range(N)]
    K = read_samples(pd.DataFrame(X[:N] @ X[:N].T, ids, ids).to_csv().encode(), "K.csv")
    rows = pd.DataFrame(X[N:] @ X[:N].T, [f"q{k}" for k in range(M)], ids).to_csv().encode()
    assert beside_kernels({"K": K, "rows": read_samples(rows, "rows.csv", kind="vectors")}) == {
        "rows": ("new", True)
    }


@pytest.mark.parametrize("kind", ["npz", "mat"])
def test_new_items_in_the_file_of_their_kernel_wait_on_the_map(open_page_test, X, kind):
    K, cross = X[:N] @ X[:N].T, X[N:] @ X[:N].T
    np.fill_diagonal(K, 9.0)
    arrays = {
        "K_train": K,
        "K_test": cross,
        "y": np.arange(N) % 2 if kind == "npz" else (np.arange(N) % 2)[:, None],
    }
    at = bring(open_page_test, **{f"data__{kind}": saved(kind, **arrays)})
    assert "K_test (5 × 12)" in shown(at)
    data = add(at)
    (name,) = data.kernels
    file = at.session_state["kernex"].seen.settings[f"{new_items_key(data.name, name)}.kept"]
    new = read_new_rows(file, file.filename, data.kernels[name])
    np.testing.assert_allclose(new.cross, cross)
    np.testing.assert_allclose(new.own, 9.0)
