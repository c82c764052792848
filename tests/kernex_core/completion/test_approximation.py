import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.completion.approximation import approximate
from tests.oracles.joint import random_kernel
from tests.oracles.vectors import load, number

K3 = np.array([[2.0, 1, 0], [1, 2, 1], [0, 1, 2]])
PHI = np.array([[1.0, 0, 0], [0, 1, 2]])


@pytest.mark.parametrize(
    ("name", "constraint"),
    [
        ("lemma1_generic", "shear"),
        ("unconstrained_frobenius", "free"),
        ("singular_K_short_zero", "shear"),
        ("n_gt_m_min_norm_Q", "shear"),
    ],
)
def test_vectors(name, constraint):
    vector = load()[name]
    made = approximate(number(vector["inputs"]["K"]), number(vector["inputs"]["Phi"]), constraint=constraint)
    np.testing.assert_allclose(made.Q, number(vector["expected"]), atol=1e-12)


def test_reduced_set_is_the_nystroem_inverse_and_free_is_larger():
    vectors = load()
    shear = approximate(K3, K3[[0, 1]]).Q
    np.testing.assert_allclose(
        shear, number(vectors["reduced_set_lemma1_equals_Kss_inv"]["expected"]), atol=1e-12
    )
    gap = approximate(K3, K3[[0, 1]], constraint="free").Q - shear
    np.testing.assert_allclose(
        gap, number(vectors["reduced_set_unconstrained_minus_Kss_inv"]["expected"]), atol=1e-12
    )


@pytest.mark.parametrize("m", [6, 30])
@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("rank", [None, 3])
def test_certificate_and_the_definition(rng, m, n, rank):
    K, Phi = random_kernel(rng, m, rank), rng.normal(size=(n, m))
    made = approximate(K, Phi)
    assert made.certificate_holds
    assert np.linalg.eigvalsh(made.Q)[0] >= -1e-10 * max(1.0, abs(made.Q).max())
    np.testing.assert_allclose(made.K_Q, Phi.T @ made.Q @ Phi, atol=1e-9)
    if rank is None:
        np.testing.assert_allclose(made.Q, np.linalg.inv(Phi @ np.linalg.inv(K) @ Phi.T), atol=1e-9)
    residual = np.linalg.eigvalsh(K - made.K_Q)
    assert made.shear_eigenvalue == pytest.approx(residual[0], abs=1e-13)
    assert made.residual_norms[1.0] == pytest.approx(abs(residual).sum())
    assert made.residual_norms[np.inf] == pytest.approx(abs(residual).max())


def test_both_ways_to_compute_agree_where_both_apply(rng, monkeypatch):
    K, Phi = random_kernel(rng, 30), rng.normal(size=(4, 30))
    fast = approximate(K, Phi)
    monkeypatch.setattr("kernex_core.completion.approximation.CONDITION_LIMIT", 0.0)
    slow = approximate(K, Phi)
    np.testing.assert_allclose(fast.Q, slow.Q, atol=1e-10)


def test_it_is_the_largest_feasible_metric(rng):
    K, Phi = random_kernel(rng, 10), rng.normal(size=(3, 10))
    best = approximate(K, Phi)
    for _ in range(20):
        B = rng.normal(size=(3, 3))
        direction = B @ B.T
        # any feasible step away from the optimum has to point down
        other = best.Q + 1e-3 * (direction - 2 * rng.random() * np.eye(3))
        if np.linalg.eigvalsh(K - Phi.T @ other @ Phi)[0] >= 0:
            assert np.linalg.eigvalsh(best.Q - other)[0] >= -1e-9


def test_square_and_wide_features_fit_exactly(rng):
    for n in (6, 9):
        K = random_kernel(rng, 6)
        made = approximate(K, rng.normal(size=(n, 6)))
        np.testing.assert_allclose(made.K_Q, K, atol=1e-10)
        assert any("exact" in note for note in made.notes)


def test_dependent_features_say_that_q_is_not_unique(rng):
    Phi = rng.normal(size=(2, 8))
    made = approximate(random_kernel(rng, 8), np.vstack([Phi, Phi[0] - Phi[1]]))
    assert made.rank == 2
    assert any("rank 2 of 3" in note for note in made.notes)


def test_a_singular_kernel_of_low_rank_leaves_nothing_and_says_so(rng):
    K = random_kernel(rng, 8, rank=3)
    made = approximate(K, rng.normal(size=(2, 8)))
    assert abs(made.K_Q).max() < 1e-9
    assert any("use the free form" in note for note in made.notes)


def test_p_infinity_returns_the_loewner_largest():
    made = approximate(np.diag([2.0, 1, 5]), np.eye(3)[:2])
    np.testing.assert_allclose(made.Q, np.diag([2.0, 1.0]), atol=1e-12)
    assert made.residual_norms[np.inf] == pytest.approx(5.0)


def test_free_minimises_the_frobenius_norm(rng):
    K, Phi = random_kernel(rng, 7), rng.normal(size=(2, 7))
    best = approximate(K, Phi, constraint="free")
    for _ in range(20):
        D = rng.normal(size=(2, 2)) * 1e-3
        assert np.linalg.norm(K - Phi.T @ (best.Q + D + D.T) @ Phi) >= best.residual_norms[2.0] - 1e-12


def test_free_depends_on_p_and_is_the_one_for_p_2_while_shear_is_the_same_for_all():
    vector = load()["free_min_Q_by_p (1,2,inf)"]
    K, Phi = number(vector["inputs"]["K"]), number(vector["inputs"]["Phi"])
    free = approximate(K, Phi, constraint="free")
    assert free.Q[0, 0] == pytest.approx(vector["expected"][1])
    assert free.residual_norms[2.0] == pytest.approx(vector["objectives"][1])
    assert approximate(K, Phi).Q[0, 0] == pytest.approx(2.0)


def test_an_indefinite_kernel_is_refused_with_the_repair(rng):
    with pytest.raises(NotPositiveSemidefiniteError, match="repair_psd"):
        approximate(np.diag([1.0, -0.1, 1.0]), PHI)


@pytest.mark.parametrize(
    ("Phi", "word"), [(np.ones((2, 4)), "column"), (np.zeros((2, 3)), "zeros"), ([[np.nan] * 3], "finite")]
)
def test_features_that_do_not_fit(Phi, word):
    with pytest.raises(InvalidInputError, match=word):
        approximate(K3, Phi)


@pytest.mark.slow
@pytest.mark.parametrize("p", [1, 2, np.inf])
def test_the_optimum_of_a_semidefinite_program(rng, p):
    import cvxpy  # two seconds that only this test should cost

    K, Phi = random_kernel(rng, 6), rng.normal(size=(2, 6))
    Q = cvxpy.Variable((2, 2), PSD=True)
    residual = K - Phi.T @ Q @ Phi
    norm = {1: cvxpy.normNuc, 2: lambda X: cvxpy.norm(X, "fro"), np.inf: cvxpy.sigma_max}[p](residual)
    problem = cvxpy.Problem(cvxpy.Minimize(norm), [residual >> 0])
    problem.solve(solver="CLARABEL")
    assert approximate(K, Phi).residual_norms[float(p)] == pytest.approx(problem.value, abs=1e-5)


def test_a_zero_kernel_is_approximated_by_zero():
    made = approximate(np.zeros((3, 3)), PHI)
    np.testing.assert_array_equal(made.K_Q, np.zeros((3, 3)))
    assert made.certificate_holds
