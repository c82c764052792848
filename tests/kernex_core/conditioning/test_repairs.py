import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning import repairs as catalogue
from kernex_core.conditioning.repairs import REPAIRS, SpectralRepair, repair_psd, repair_step, repaired
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively, split_transductively
from tests.oracles.joint import random_kernel

METHODS = [repair.method for repair in REPAIRS]
PATH = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])


def indefinite(rng, n=12):
    A = rng.normal(size=(n, n))
    return (A + A.T) / 2


def test_clip_of_a_path_is_the_vector():
    r = np.sqrt(2) / 4
    np.testing.assert_allclose(
        repair_psd(PATH, "clip").gram, [[r, 0.5, r], [0.5, 2 * r, 0.5], [r, 0.5, r]], atol=1e-15
    )


@pytest.mark.parametrize("method", METHODS)
def test_the_result_is_a_kernel_by_its_definition(rng, method):
    K = indefinite(rng)
    w, U = np.linalg.eigh(K)
    f = {"clip": np.maximum(w, 0), "flip": abs(w), "shift": w - w[0], "square": w**2}[method]
    made = repair_psd(K, method)
    np.testing.assert_allclose(made.gram, U @ np.diag(f) @ U.T, atol=1e-12)
    assert np.linalg.eigvalsh(made.gram)[0] > -1e-12
    assert np.array_equal(made.gram, made.gram.T)


@pytest.mark.parametrize("method", METHODS)
def test_the_report_is_about_the_matrix_that_came(rng, method):
    K = indefinite(rng)
    w = np.linalg.eigvalsh(K)
    made = repair_psd(K, method)
    assert made.min_eigenvalue == pytest.approx(w[0])
    assert made.negative_mass == pytest.approx(-w[w < 0].sum() / abs(w).sum())
    assert made.negative == (w < 0).sum()
    assert made.distance == pytest.approx(np.linalg.norm(made.gram - K))
    assert made.rank == np.linalg.matrix_rank(made.gram, tol=1e-9)


@pytest.mark.parametrize("method", ["clip", "flip", "shift"])
def test_a_kernel_is_left_exactly_as_it_is(rng, method):
    K = random_kernel(rng, 9)
    made = repair_psd(K, method)
    assert np.array_equal(made.gram, K)
    assert made.distance == 0.0


@pytest.mark.parametrize("indefinite_is", [None, False])
@pytest.mark.parametrize("method", METHODS)
def test_a_repair_that_is_not_needed_is_no_step(rng, method, indefinite_is):
    K = GramMatrix(random_kernel(rng, 9))
    made = repaired(K, method, indefinite=indefinite_is, known_block_only=True)
    if method == "square":
        assert [step.method for step in made.steps] == ["square"]
    else:
        assert made is K


@pytest.mark.parametrize("indefinite_is", [None, True])
@pytest.mark.parametrize("method", METHODS)
def test_a_repair_that_is_needed_is_the_step_alone(rng, method, indefinite_is):
    K = GramMatrix(indefinite(rng))
    made, wanted = repaired(K, method, indefinite=indefinite_is), K.then(repair_step(method))
    assert made.steps == wanted.steps
    np.testing.assert_array_equal(made.values, wanted.values)


@pytest.mark.parametrize("indefinite_is", [None, False])
def test_pairs_outside_the_known_block_leave_on_request(rng, indefinite_is):
    values = random_kernel(rng, 9)
    values[0, 1] = values[1, 0] = np.nan
    K = GramMatrix(values)
    assert repaired(K, "clip", indefinite=indefinite_is) is K
    made = repaired(K, "clip", indefinite=indefinite_is, known_block_only=True)
    np.testing.assert_array_equal(made.values, K.then(repair_step("clip")).values)
    assert np.isnan(made.values).sum() == 2 * 9 - 1
    assert [step.method for step in made.steps] == ["clip"]


def test_what_is_known_to_be_a_kernel_is_not_decomposed(rng, monkeypatch):
    K = GramMatrix(random_kernel(rng, 9))
    monkeypatch.delattr(SpectralRepair, "fit")
    assert repaired(K, "flip", indefinite=False) is K
    with pytest.raises(InvalidInputError, match="clip, flip, shift, square"):
        repaired(K, "clap", indefinite=False)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("make", [random_kernel, indefinite])
@pytest.mark.parametrize("known_block_only", [False, True])
def test_a_look_before_the_eigenvalues_changes_nothing(rng, monkeypatch, method, make, known_block_only):
    values = make(rng, 9)
    values[0, 1] = values[1, 0] = np.nan
    K = GramMatrix(values)
    first = repaired(K, method, known_block_only=known_block_only)
    monkeypatch.setattr(catalogue, "AT_ONCE", 0)
    second = repaired(K, method, known_block_only=known_block_only)
    np.testing.assert_array_equal(first.values, second.values)
    assert first.steps == second.steps
    assert (first is K) is (second is K)


@pytest.mark.parametrize("method", METHODS)
def test_unknown_rows_stay_unknown_and_do_not_touch_the_known_block(rng, method):
    K = indefinite(rng)
    block = K[:8, :8].copy()
    K[8:, :] = K[:, 8:] = np.nan
    made = repair_psd(GramMatrix(K), method).gram
    np.testing.assert_allclose(made.values[:8, :8], repair_psd(block, method).gram, atol=1e-13)
    assert np.isnan(made.values[8:]).all()


@pytest.mark.parametrize("method", METHODS)
def test_fitted_on_some_rows_it_is_the_same_on_them_as_alone(rng, method):
    K = GramMatrix(indefinite(rng)).then(repair_step(method))
    train, test = np.arange(9), np.arange(9, 12)
    split = split_inductively(K, train, test)
    alone = repair_psd(K.base.values[:9, :9], method).gram
    np.testing.assert_allclose(split.K_train, alone, atol=1e-12)
    # together with any one new item the result has to be a kernel again
    for row, own in zip(split.K_cross, split.diag_test, strict=True):
        whole = np.block([[split.K_train, row[:, None]], [row[None, :], np.array([[own]])]])
        if method in ("flip", "square"):
            assert (
                np.linalg.eigvalsh(whole)[0] > -1e-9 * abs(whole).max()
                or own < row @ np.linalg.pinv(alone) @ row
            )


@pytest.mark.parametrize("method", METHODS)
def test_a_fitted_item_that_comes_as_a_new_one_comes_out_as_in_the_block(rng, method):
    values = indefinite(rng)
    fitted = repair_step(method).fit(values)
    crossed, block = fitted.apply_cross(values[:4], np.diag(values)[:4]), fitted.apply(values)
    np.testing.assert_allclose(crossed.diag, np.diag(block)[:4], atol=1e-10)
    # a shift raises an item's similarity to itself, not that of a new item to its copy among the fitted
    row = block - (block - values if method == "shift" else 0.0)
    np.testing.assert_allclose(crossed.values, row[:4], atol=1e-10)


def test_test_items_change_a_transductive_repair_and_not_an_inductive_one(rng):
    values = indefinite(rng)
    other = values.copy()
    other[9:, 9:] = random_kernel(rng, 3)
    train, test = np.arange(9), np.arange(9, 12)
    one, two = (GramMatrix(v).then(repair_step("clip")) for v in (values, other))
    np.testing.assert_array_equal(
        split_inductively(one, train, test).K_cross, split_inductively(two, train, test).K_cross
    )
    assert not np.allclose(
        split_transductively(one, train, test).K_cross, split_transductively(two, train, test).K_cross
    )


def test_nonsense_is_refused(rng):
    with pytest.raises(InvalidInputError, match="clip, flip, shift, square"):
        repair_psd(PATH, "clap")
    with pytest.raises(InvalidInputError, match="known"):
        repair_psd(np.full((3, 3), np.nan))


@pytest.mark.parametrize("method", ["clip", "flip"])
def test_an_eigenvalue_near_zero_does_not_inflate_the_self_similarity_of_a_new_item(method):
    values = np.diag([1.0, 1.0, -1e-6])
    crossed = repair_step(method).fit(values).apply_cross(np.array([[0.2, 0.1, 0.3]]), np.array([1.0]))
    assert 1.0 <= crossed.diag[0] <= 1.0 + 2e-6
