import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem

from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.approximation import approximate
from kernex_core.completion.baselines import mean_fill, nystroem, zero_fill
from kernex_core.completion.extrapolate import extrapolate
from kernex_core.completion.hide import Hide, hidden_items
from kernex_core.gram.matrix import GramMatrix
from tests.oracles.joint import random_kernel

S = np.array([0, 2, 3, 6, 7])


@pytest.fixture
def kernels(rng):
    return random_kernel(rng, 9), random_kernel(rng, 9)


def test_it_is_the_definition_and_exact_on_the_known_items(kernels):
    K, T = kernels
    made = extrapolate(K, T[np.ix_(S, S)], S)
    A = K[np.ix_(S, S)] + 0.1 * np.eye(5)
    Phi = K[S].copy()
    Phi[np.arange(5), S] += 0.1
    W = np.linalg.inv(A) @ Phi
    np.testing.assert_allclose(made.T_hat, W.T @ T[np.ix_(S, S)] @ W, atol=1e-12)
    assert np.array_equal(made.T_hat[np.ix_(S, S)], T[np.ix_(S, S)])
    assert np.array_equal(made.T_hat, made.T_hat.T)
    np.testing.assert_allclose(Phi.T @ made.Q @ Phi, made.T_hat, atol=1e-10)


def test_mask_and_positions_are_the_same(kernels):
    K, T = kernels
    mask = np.isin(np.arange(9), S)
    one, two = extrapolate(K, T[np.ix_(S, S)], S), extrapolate(K, T[np.ix_(S, S)], mask)
    np.testing.assert_array_equal(one.T_hat, two.T_hat)


def test_trust_is_the_nystroem_residual_and_the_certificate_that_of_lemma_1(kernels):
    K, T = kernels
    made = extrapolate(K, T[np.ix_(S, S)], S)
    K1 = K + 0.1 * np.eye(9)
    lemma = approximate(K1, K1[S])
    expected = (np.diag(K1) - np.diag(lemma.K_Q)) / np.diag(K1)
    np.testing.assert_allclose(made.unexplained, expected, atol=1e-10)
    assert np.array_equal(made.unexplained[S], np.zeros(5))
    assert made.certificate_holds
    assert made.shear_eigenvalue == pytest.approx(lemma.shear_eigenvalue, abs=1e-12)
    assert made.trace_share == pytest.approx(lemma.trace_share)


def test_the_free_source_breaks_the_shear_constraint_and_the_certificate_says_so(kernels):
    K, T = kernels
    made = extrapolate(K, T[np.ix_(S, S)], S, constraint="free")
    K1 = K + 0.1 * np.eye(9)
    free = approximate(K1, K1[S], constraint="free")
    assert not made.certificate_holds
    assert made.shear_eigenvalue == pytest.approx(free.shear_eigenvalue, abs=1e-10)
    np.testing.assert_array_equal(made.T_hat, extrapolate(K, T[np.ix_(S, S)], S).T_hat)


def test_new_items_get_the_row_they_would_have_had(kernels):
    K, T = kernels
    inside = extrapolate(K, T[np.ix_(S, S)], S)
    unknown = np.setdiff1d(np.arange(9), S)
    np.testing.assert_allclose(inside.weights_of(K[np.ix_(unknown, S)]), inside.W[:, unknown], atol=1e-12)
    with pytest.raises(InvalidInputError, match="5 known"):
        inside.weights_of(K[:2])


def test_permuting_the_items_permutes_the_result(rng, kernels):
    K, T = kernels
    p = rng.permutation(9)
    known = np.isin(p, S)
    at = p[known]
    moved = extrapolate(K[np.ix_(p, p)], T[np.ix_(at, at)], known)
    np.testing.assert_allclose(
        moved.T_hat, extrapolate(K, T[np.ix_(S, S)], S).T_hat[np.ix_(p, p)], atol=1e-12
    )


def test_everything_known_changes_nothing(kernels):
    K, T = kernels
    made = extrapolate(K, T, np.ones(9, dtype=bool))
    np.testing.assert_array_equal(made.T_hat, (T + T.T) / 2)
    assert made.unexplained.max() == 0.0


def test_a_singular_source_needs_the_nugget(rng, kernels):
    K, T = random_kernel(rng, 9, rank=2), kernels[1]
    with pytest.raises(InvalidInputError, match="nugget above 0"):
        extrapolate(K, T[np.ix_(S, S)], S, nugget=0.0)
    assert np.isfinite(extrapolate(K, T[np.ix_(S, S)], S).T_hat).all()


@pytest.mark.parametrize("wrong", [{"nugget": -0.1}, {"nugget": np.nan}, {"constraint": "sheer"}])
def test_parameters_are_checked(kernels, wrong):
    with pytest.raises(InvalidInputError):
        extrapolate(kernels[0], kernels[1][np.ix_(S, S)], S, **wrong)


def test_the_target_has_to_fit_the_known_items(kernels):
    with pytest.raises(InvalidInputError, match="5 known items"):
        extrapolate(kernels[0], kernels[1], S)


class TestBaselines:
    def test_zero_and_mean_fill_by_hand(self):
        T = np.array([[1.0, 0.4], [0.4, 3.0]])
        np.testing.assert_array_equal(zero_fill(T, [0, 2], 3), [[1, 0, 0.4], [0, 2, 0], [0.4, 0, 3]])
        np.testing.assert_allclose(mean_fill(T, [0, 2], 3), [[1, 0.4, 0.4], [0.4, 2, 0.4], [0.4, 0.4, 3]])

    def test_mean_fill_that_is_indefinite_is_clipped(self):
        T = np.array([[1.0, 0, 0.9], [0, 1, 0.9], [0.9, 0.9, 1.8]])
        made = mean_fill(T, [0, 1, 2], 6)
        assert np.linalg.eigvalsh(made)[0] > -1e-12

    @pytest.mark.parametrize("known", [2, 5, 9, 10])
    def test_mean_fill_clips_the_whole_matrix(self, rng, known):
        K, S = random_kernel(rng, 10) + 0.5, np.sort(rng.permutation(10)[:known])
        T = K[np.ix_(S, S)]
        filled = np.full((10, 10), (T.sum() - np.trace(T)) / (known * (known - 1)))
        np.fill_diagonal(filled, np.diag(T).mean())
        filled[np.ix_(S, S)] = T
        w, U = np.linalg.eigh(filled)
        np.testing.assert_allclose(mean_fill(T, S, 10), (U * np.maximum(w, 0.0)) @ U.T, atol=1e-12)

    def test_nystroem_is_scikit_learns(self, rng):
        K = random_kernel(rng, 9)
        made = extrapolate(K, np.eye(5), S, nugget=0.0)
        reference = Nystroem(kernel="precomputed", n_components=5)
        np.testing.assert_allclose(
            nystroem(made, K), K[:, S] @ np.linalg.inv(K[np.ix_(S, S)]) @ K[S], atol=1e-10
        )
        assert reference.n_components == 5

    def test_one_known_item(self):
        np.testing.assert_array_equal(mean_fill([[2.0]], [1], 2), [[2, 0], [0, 2]])


class TestHide:
    def test_rows_and_columns_become_unknown(self):
        K = GramMatrix(np.eye(4)).then(Hide((1, 3)))
        assert K.known.tolist() == [True, False, True, False]

    def test_a_selection_renumbers(self):
        K = GramMatrix(np.eye(5)).then(Hide((1, 3))).take([3, 0, 4])
        assert K.known.tolist() == [False, True, True]

    def test_draws_are_nested_seeded_and_leave_two(self):
        known = np.ones(40, dtype=bool)
        known[:5] = False
        sizes, last = [], set()
        for share in (0.0, 0.1, 0.5, 0.95):
            hidden = set(hidden_items(known, share, rng=np.random.default_rng(3)).tolist())
            assert last <= hidden
            assert not hidden & set(range(5))
            sizes.append(len(hidden))
            last = hidden
        assert sizes == [0, 4, 18, 33]
        assert hidden_items(known, 0.5, rng=np.random.default_rng(4)).tolist() != sorted(last)

    @pytest.mark.parametrize("n", range(2, 12))
    def test_two_items_stay_known_however_few_there_are(self, n):
        # from 11 items on 95 % leave two without being told to
        left = n - hidden_items(np.ones(n, dtype=bool), 0.95, rng=np.random.default_rng(n)).size
        assert left == max(2, n - round(0.95 * n))

    @pytest.mark.parametrize("share", [-0.1, 1.0, np.nan])
    def test_share_is_checked(self, share):
        with pytest.raises(InvalidInputError):
            hidden_items(np.ones(4, dtype=bool), share, rng=np.random.default_rng(0))
