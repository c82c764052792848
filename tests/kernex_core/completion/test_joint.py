import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.completion.complete import COMPLETIONS, Complete, joint_kernel
from kernex_core.completion.extrapolate import extrapolate
from kernex_core.completion.hide import Hide
from kernex_core.completion.joint import joint_features, joint_path, joint_regularize
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.provenance import write_script
from kernex_core.gram.split import split_inductively
from tests.oracles.joint import joint_by_inverses, random_kernel
from tests.oracles.vectors import load, number

S = np.array([0, 2, 3, 6, 7])


@given(st.integers(0, 10**6), st.integers(2, 14), st.floats(0.01, 0.99))
def test_the_joint_kernel_is_its_definition_with_inverses(seed, m, lam):
    rng = np.random.default_rng(seed)
    K, T = random_kernel(rng, m), random_kernel(rng, m, rank=max(1, m // 2))
    known = np.sort(rng.choice(m, size=rng.integers(1, m + 1), replace=False))
    expected = joint_by_inverses(K, T[np.ix_(known, known)], known, lam, 0.1)
    by_positions = joint_kernel(K, T[np.ix_(known, known)], known, lam)
    by_mask = joint_kernel(K, T[np.ix_(known, known)], np.isin(np.arange(m), known), lam)
    np.testing.assert_allclose(by_positions, expected, atol=1e-9)
    np.testing.assert_array_equal(by_mask, by_positions)
    assert np.array_equal(by_positions, by_positions.T)


def test_on_the_known_items_it_is_j(rng):
    K, T = random_kernel(rng, 9), random_kernel(rng, 5)
    made = extrapolate(K, T, S)
    J = joint_path(K[np.ix_(S, S)], T).kernel(0.3)
    np.testing.assert_allclose(made.path().kernel(0.3)[np.ix_(S, S)], J, atol=1e-14)


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12), st.floats(0.0, 1.0))
def test_eigenvalues_of_a_path_are_those_of_its_kernel(seed, s, m, lam):
    rng = np.random.default_rng(seed)
    ranks = rng.integers(1, s + 1, size=2)
    path = joint_path(*(random_kernel(rng, s, rank) for rank in ranks), nugget=float(rng.choice([0.0, 0.1])))
    path = path.mapped(rng.normal(size=(s, m)))
    got, expected = path.eigenvalues(lam), np.linalg.eigvalsh(path.kernel(lam))[::-1]
    np.testing.assert_allclose(got, expected, atol=1e-13 * m * max(abs(expected).max(), 1e-300))
    assert got.shape == (m,)
    assert (np.diff(got) <= 0.0).all()


@pytest.mark.parametrize(
    ("name", "residual"), [("joint_kernel_lam_1/10", False), ("joint_kernel_full_residual_lam_1/10", True)]
)
def test_vectors(name, residual):
    vector = load()[name]
    inputs = vector["inputs"]
    got = joint_kernel(
        number(inputs["K_seq"]), number(inputs["T"]), inputs["S"], 0.1, nugget=0.0, residual=residual
    )
    np.testing.assert_allclose(got, number(vector["expected"]), atol=1e-12)


def test_three_kernels_vector():
    vector = load()["three_kernel_joint"]
    got = joint_regularize(list(number(vector["inputs"]["Q"])), number(vector["inputs"]["beta"]), nugget=0.0)
    np.testing.assert_allclose(got, number(vector["expected"]), atol=1e-12)


@pytest.mark.parametrize("lam", [0.0, 1e-12, 1.0, 1.0 - 1e-12])
def test_with_a_nugget_the_ends_of_the_path_are_the_kernels(rng, lam):
    A, T = random_kernel(rng, 7, 3), random_kernel(rng, 7, 4)
    end = T if lam < 0.5 else A
    np.testing.assert_allclose(joint_path(A, T).kernel(lam), end + 0.1 * np.eye(7), atol=1e-10)


def test_without_a_nugget_it_is_the_weighted_parallel_sum(rng):
    A, T = random_kernel(rng, 8, 5), random_kernel(rng, 8, 6)
    path = joint_path(A, T, nugget=0.0)
    for lam in (0.2, 0.5, 0.8):
        expected = A @ np.linalg.pinv((1 - lam) * A + lam * T, rcond=1e-11) @ T
        np.testing.assert_allclose(path.kernel(lam), expected, atol=1e-8)
        assert np.linalg.matrix_rank(path.kernel(lam), tol=1e-8) == 3


def test_without_a_nugget_the_limit_is_the_short(rng):
    A, T = random_kernel(rng, 6, 3), random_kernel(rng, 6)
    path = joint_path(A, T, nugget=0.0)
    np.testing.assert_allclose(path.kernel(0.0), path.kernel(1e-7), atol=1e-5)
    U = np.linalg.eigh(A)[1][:, ::-1]
    rotated = U.T @ T @ U
    short = rotated[:3, :3] - rotated[:3, 3:] @ np.linalg.inv(rotated[3:, 3:]) @ rotated[3:, :3]
    np.testing.assert_allclose(path.kernel(0.0), U[:, :3] @ short @ U[:, :3].T, atol=1e-10)


def test_trace_and_diagonal_without_the_matrix(rng):
    path = joint_path(random_kernel(rng, 8), random_kernel(rng, 8)).mapped(rng.normal(size=(8, 11)))
    for lam in (0.0, 0.4, 1.0):
        np.testing.assert_allclose(path.diagonal(lam), np.diag(path.kernel(lam)), atol=1e-12)
        assert path.trace(lam) == pytest.approx(np.trace(path.kernel(lam)))


@pytest.mark.parametrize(("depth", "small_together"), [(12, False), (5, True), (7, True), (12, True)])
def test_condition_1e12_keeps_eight_digits(rng, depth, small_together):
    n = 20
    basis = np.linalg.qr(rng.normal(size=(n, n)))[0]
    A = basis @ np.diag(np.logspace(0, -depth, n)) @ basis.T
    # what is small in both is small in their sum, whose root is then another one
    other = basis if small_together else np.linalg.qr(rng.normal(size=(n, n)))[0]
    T = other @ np.diag(np.logspace(0, -depth, n) * rng.uniform(0.5, 1.0, n)) @ other.T
    A, T = (A + A.T) / 2, (T + T.T) / 2
    import mpmath

    with mpmath.workdps(60):
        a, t = mpmath.matrix(A.tolist()), mpmath.matrix(T.tolist())
        exact = (a**-1 * mpmath.mpf("0.3") + t**-1 * mpmath.mpf("0.7")) ** -1
        expected = np.array([[float(exact[i, j]) for j in range(n)] for i in range(n)])
    got = joint_path(A, T, nugget=0.0).kernel(0.3)
    assert abs(got - expected).max() <= 1e-8 * abs(expected).max()


@pytest.mark.parametrize("seed", range(6))
def test_a_singular_sum_has_the_joint_kernel_of_its_range(seed):
    """Rounding decides whether a triangular root of a singular sum is found: the kernel may not depend on it."""
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(8, 7))
    B[-1] = B[0]
    first, second = rng.uniform(0.2, 1.0, 7), rng.uniform(0.2, 1.0, 7)
    path = joint_path(B * first @ B.T, B * second @ B.T, nugget=0.0)
    for lam in (0.0, 0.3, 1.0):
        expected = B / (lam / first + (1.0 - lam) / second) @ B.T
        np.testing.assert_allclose(path.kernel(lam), expected, atol=1e-12 * abs(expected).max())


@pytest.mark.parametrize("lam", [-0.01, 1.01, np.nan])
def test_lam_is_checked(rng, lam):
    with pytest.raises(InvalidInputError, match="λ"):
        joint_path(np.eye(3), np.eye(3)).kernel(lam)


def test_indefinite_kernels_are_refused():
    with pytest.raises(NotPositiveSemidefiniteError, match="first"):
        joint_path(np.diag([1.0, -1.0]), np.diag([1.0, 3.0]))
    # the nugget does not hide a small one
    with pytest.raises(NotPositiveSemidefiniteError, match="second"):
        joint_path(np.eye(2), np.diag([1.0, -0.05]))
    with pytest.raises(NotPositiveSemidefiniteError, match="target"):
        joint_kernel(np.eye(3), [[1.0, 2.0], [2.0, 1.0]], [0, 1], 0.5)
    with pytest.raises(NotPositiveSemidefiniteError, match="source"):
        joint_kernel(np.diag([1.0, -0.05, 1.0]), np.eye(2), [0, 2], 0.5)


def test_the_residual_needs_lam_above_zero(rng):
    K, T = random_kernel(rng, 9), random_kernel(rng, 5)
    with pytest.raises(InvalidInputError, match="residual"):
        joint_kernel(K, T, S, 0.0, residual=True)
    lam, A1 = 0.4, K[np.ix_(S, S)] + 0.1 * np.eye(5)
    K1, T1 = K + 0.1 * np.eye(9), T + 0.1 * np.eye(5)
    expected = (K1 - K1[:, S] @ np.linalg.inv(A1 + lam / (1 - lam) * T1) @ K1[S]) / lam
    np.testing.assert_allclose(joint_kernel(K, T, S, lam, residual=True), expected, atol=1e-10)


class TestManyKernels:
    def test_any_number_is_the_definition(self, rng):
        kernels, beta = [random_kernel(rng, 6) for _ in range(4)], np.array([0.1, 0.2, 0.3, 0.4])
        inverse = sum(b * np.linalg.inv(K + 0.1 * np.eye(6)) for b, K in zip(beta, kernels, strict=True))
        np.testing.assert_allclose(joint_regularize(kernels, beta), np.linalg.inv(inverse), atol=1e-10)

    def test_weight_zero_leaves_a_kernel_out(self, rng):
        kernels = [random_kernel(rng, 6) for _ in range(3)]
        np.testing.assert_allclose(
            joint_regularize(kernels, [0.5, 0.0, 0.5]), joint_regularize(kernels[::2], [0.5, 0.5])
        )
        np.testing.assert_allclose(joint_regularize(kernels[:1], [1.0]), kernels[0] + 0.1 * np.eye(6))

    @pytest.mark.parametrize("weights", [[0.5, 0.6], [1.5, -0.5], [1.0], [np.nan, 1.0]])
    def test_weights_off_the_simplex_are_refused(self, rng, weights):
        with pytest.raises(InvalidInputError, match=r"[Ww]eight"):
            joint_regularize([np.eye(3), np.eye(3)], weights)

    def test_on_common_features_it_joins_the_metrics(self, rng):
        kernels, Phi = [random_kernel(rng, 8) for _ in range(2)], rng.normal(size=(3, 8))
        made = joint_features(kernels, [0.3, 0.7], Phi)
        metrics = [np.linalg.inv(Phi @ np.linalg.inv(K + 0.1 * np.eye(8)) @ Phi.T) for K in kernels]
        expected = np.linalg.inv(0.3 * np.linalg.inv(metrics[0]) + 0.7 * np.linalg.inv(metrics[1]))
        np.testing.assert_allclose(made.Q, expected, atol=1e-10)
        np.testing.assert_allclose(made.extend(Phi[:, :2]), made.gram[:2], atol=1e-10)
        np.testing.assert_array_equal(joint_regularize(kernels, [0.3, 0.7], feature_map=Phi).Q, made.Q)


class TestStep:
    def kernels(self, rng, n=9):
        return GramMatrix(random_kernel(rng, n), name="source"), GramMatrix(
            random_kernel(rng, n, cosine=False), name="target"
        )

    @pytest.mark.parametrize("method", [each.name for each in COMPLETIONS])
    def test_the_chain_is_the_function_and_its_script_computes_it(self, rng, method):
        K, T = self.kernels(rng)
        made = T.then(Hide((1, 4))).then(CosineNormalize()).then(Complete(K, method=method, lam=0.3))
        assert not np.isnan(made.values).any()
        scope: dict = {}
        exec(write_script([made.recipe], heading="x"), scope)
        again = [v for v in scope.values() if isinstance(v, GramMatrix)][-1]
        np.testing.assert_array_equal(again.values, made.values)
        if method == "joint":
            at = [0, 2, 3, 5, 6, 7, 8]
            truth = CosineNormalize()(T.values[np.ix_(at, at)])
            np.testing.assert_allclose(made.values, joint_kernel(K, truth, at, 0.3), atol=1e-13)

    @pytest.mark.parametrize("method", ["joint", "extrapolated", "nystroem"])
    @pytest.mark.parametrize("residual", [False, True])
    def test_new_items_get_what_they_would_have_had_inside(self, rng, method, residual):
        K, T = self.kernels(rng)
        step = Complete(K, method=method, lam=0.3, residual=residual and method == "joint")
        chain = T.then(Hide((1, 4, 8))).then(CosineNormalize()).then(step)
        train, test = np.array([0, 1, 2, 3, 5, 6, 7]), np.array([4, 8])
        split = split_inductively(chain, train, test)
        np.testing.assert_allclose(split.K_train, chain.values[np.ix_(train, train)], atol=1e-12)
        np.testing.assert_allclose(split.K_cross, chain.values[np.ix_(test, train)], atol=1e-12)
        np.testing.assert_allclose(split.diag_test, np.diag(chain.values)[test], atol=1e-12)

    def test_a_selection_cuts_the_source_too(self, rng):
        K, T = self.kernels(rng)
        cut = T.then(Hide((1,))).then(Complete(K)).take([0, 1, 5, 7])
        afresh = T.take([0, 1, 5, 7]).then(Hide((1,))).then(Complete(K.take([0, 1, 5, 7])))
        np.testing.assert_array_equal(cut.values, afresh.values)

    def test_other_items_are_refused(self, rng):
        K, T = self.kernels(rng)
        with pytest.raises(InvalidInputError, match="same items"):
            T.then(Complete(K.take([0, 1, 2])))

    def test_nothing_known_is_refused(self, rng):
        K, T = self.kernels(rng)
        with pytest.raises(InvalidInputError, match="at least one item"):
            T.then(Hide(tuple(range(9)))).then(Complete(K))


def test_known_path_and_completed_path_agree_on_s(rng):
    made = extrapolate(random_kernel(rng, 9), random_kernel(rng, 5), S, constraint="free")
    np.testing.assert_allclose(
        made.path().kernel(0.6)[np.ix_(S, S)], made.known_path().kernel(0.6), atol=1e-13
    )


@pytest.mark.parametrize("small", [1e-12, 1e-14, 1e-30, 1e-320])
def test_a_tiny_weight_does_not_make_the_joint_kernel_vanish(rng, small):
    first, second = random_kernel(rng, 20), random_kernel(rng, 20)
    got = joint_regularize([first, second], [1.0 - small, small])
    np.testing.assert_allclose(got, first + 0.1 * np.eye(20), atol=1e-9)


def test_without_a_nugget_weight_zero_is_the_limit_of_small_weights(rng):
    first, second = random_kernel(rng, 6, 3), random_kernel(rng, 6)
    limit = joint_regularize([first, second], [0.0, 1.0], nugget=0.0)
    near = joint_regularize([first, second], [1e-7, 1.0 - 1e-7], nugget=0.0)
    np.testing.assert_allclose(limit, near, atol=1e-5)
    assert np.linalg.matrix_rank(limit, tol=1e-8) == 3
