"""Hinge-loss multiple kernel learning beside a general convex solver, its certificate and the vectors."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.mkl.learn import MklConfig, mkl, mkl_path
from kernex_core.learning.mkl.losses import best_bias
from kernex_core.learning.mkl.minimise import METHODS


def gaussian(X, width=1.0):
    return np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2.0 * width**2))


@pytest.fixture
def world(rng):
    """Kernels of single features, two of which say something, and classes."""
    y = np.where(np.arange(40) % 2, 1.0, -1.0)
    X = rng.normal(size=(40, 5))
    X[:, 0] += y
    X[:, 1] += 0.6 * y
    return [gaussian(X[:, [j]], 1.5) for j in range(5)], y


def outside(kernels, y, C):
    """min over (d, t) of the saddle problem as one convex programme: max 1'a − t, t >= ½ (ya)'K_m(ya), by SLSQP."""
    n = len(y)
    Q = [np.outer(y, y) * K for K in kernels]
    slopes = np.append(-np.ones(n), 1.0)
    made = minimize(
        lambda v: v[n] - v[:n].sum(), np.append(np.full(n, min(C, 1.0) / 4), 1.0), jac=lambda v: slopes,
        bounds=[(0.0, C)] * n + [(0.0, None)], method="SLSQP", options={"ftol": 1e-13, "maxiter": 1000},
        constraints=[
            {"type": "eq", "fun": lambda v: v[:n] @ y, "jac": lambda v: np.append(y, 0.0)},
            {
                "type": "ineq",
                "fun": lambda v: np.array([v[n] - v[:n] @ q @ v[:n] / 2.0 for q in Q]),
                "jac": lambda v: np.array([np.append(-q @ v[:n], 1.0) for q in Q]),
            },
        ],
    )  # fmt: skip
    a, t = made.x[:n], made.x[n]
    assert made.status in (0, 8)  # the end, or as near to it as the digits of numbers tell
    assert abs(a @ y) < 1e-8
    assert max(a @ q @ a / 2.0 for q in Q) < t + 1e-7
    return -made.fun


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
def test_an_outside_convex_solver_finds_the_same_objective(world, C, method):
    kernels, y = world
    made = mkl(kernels, y, C=C, tolerance=1e-5, method=method)
    assert made.objective == pytest.approx(outside(kernels, y, C), rel=1e-4)
    assert made.converged
    assert made.gap <= 1e-5


def test_the_vectors(shared):
    vectors = json.loads((shared / "vectors" / "more.json").read_text(encoding="utf-8"))
    hinge = [one for one in vectors if one["name"].startswith("MKL hinge")]
    assert len(hinge) == 2
    for vector in hinge:
        given_, wanted = vector["inputs"], vector["expected"]
        made = mkl([np.array(K) for K in given_["kernels"]], given_["y"], C=given_["C"], tolerance=1e-6)
        assert made.objective == pytest.approx(wanted["J"], abs=vector["tolerance"])
        np.testing.assert_allclose(made.weights, wanted["weights"], atol=1e-4)
    square = next(one for one in vectors if one["name"] == "MKL square loss, 3 kernels")
    given_, wanted = square["inputs"], square["expected"]
    made = mkl(
        [np.array(K) for K in given_["kernels"]],
        given_["y"],
        C=1 / (12 * given_["lam"]),
        loss="square",
        tolerance=1e-10,
    )
    assert made.lam == pytest.approx(given_["lam"])
    assert made.objective == pytest.approx(wanted["J"], rel=1e-8)
    np.testing.assert_allclose(made.weights, wanted["weights"], atol=1e-4)


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_the_gap_is_what_it_says_and_machine_and_weights_belong_together(world, C):
    kernels, y = world
    fine = mkl(kernels, y, C=C, tolerance=1e-6)
    made = mkl(kernels, y, C=C)
    assert made.gap <= 1e-3
    assert (made.objective - fine.objective) / fine.objective <= made.gap + 1e-6
    assert made.weights.min() >= 0.0
    assert made.weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(made.kernel, np.tensordot(made.weights, np.array(kernels), 1), atol=1e-12)
    theirs = SVC(kernel="precomputed", C=C, tol=1e-8).fit(made.kernel, y)
    decided = made.parts(kernels).sum(axis=0)[:, 0] + made.bias[0]
    np.testing.assert_allclose(decided, theirs.decision_function(made.kernel), atol=1e-3)
    # primal and dual written out
    beta = made.coefficients[0]
    q = np.array([beta @ K @ beta for K in kernels])
    primal = made.weights @ q / 2 + C * np.maximum(0, 1 - y * decided).sum()
    bound = np.abs(beta).sum() - q.max() / 2
    assert (primal - bound) / primal == pytest.approx(made.gap, abs=1e-5)
    assert made.path[-1].tolist() == [made.objective, made.gap]
    assert made.course.shape == (len(made.path), 5)


def test_one_kernel_is_a_support_vector_machine(world):
    kernels, y = world
    made = mkl(kernels[:1], y, C=2.0)
    beta = np.zeros(40)
    theirs = SVC(kernel="precomputed", C=2.0, tol=1e-9).fit(kernels[0], y)
    beta[theirs.support_] = theirs.dual_coef_[0]
    assert made.weights.tolist() == [1.0]
    assert made.objective == pytest.approx(np.abs(beta).sum() - beta @ kernels[0] @ beta / 2, rel=1e-5)
    assert made.solves <= 2


def test_of_twins_only_the_sum_is_certain_and_the_order_of_kernels_does_not_matter(world):
    kernels, y = world
    alone = mkl(kernels, y, C=1.0, tolerance=1e-5)
    twins = mkl([kernels[0], *kernels], y, C=1.0, tolerance=1e-5)
    assert twins.objective == pytest.approx(alone.objective, rel=2e-5)
    assert twins.weights[0] + twins.weights[1] == pytest.approx(alone.weights[0], abs=0.02)
    back = mkl(kernels[::-1], y, C=1.0, tolerance=1e-5)
    np.testing.assert_allclose(back.weights[::-1], alone.weights, atol=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_a_noise_kernel_of_full_rank_gets_nothing_at_a_small_cost(seed):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(100) % 2, 1.0, -1.0)
    X = rng.normal(size=(100, 3)) + y[:, None]
    Z = rng.normal(size=(100, 100))
    kernels = {"signal": gaussian(X, 2.0), "noise": Z @ Z.T / 100}
    made = mkl(kernels, y, C=0.05, normalize="mean")
    assert made.weights[1] < 0.02
    assert made.names == ("signal", "noise")


def test_a_sharp_objective_comes_to_its_end(rng):
    """Narrow kernels at a small cost: nearly all coefficients at C, and weights along which gradients zigzag."""
    y = np.where(rng.random(120) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(120, 6))
    X[:, :3] += np.outer(y, [1.0, 0.6, 0.4])
    kernels = [gaussian(X[:, [j]], width) for width in (0.25, 0.5, 1.0, 2.0, 4.0) for j in range(6)]
    made = mkl(kernels, y, C=0.1)
    assert made.converged
    assert made.solves < 200
    assert np.all(np.diff(np.minimum.accumulate(made.path[:, 0])) <= 0.0)


def test_several_classes_share_their_weights(rng):
    codes = np.arange(45) % 3
    X = rng.normal(size=(45, 4))
    X[:, 0] += 2.0 * (codes == 0)
    X[:, 1] += 2.0 * (codes == 1)
    kernels = [gaussian(X[:, [j]]) for j in range(4)]
    made = mkl(kernels, np.array(["a", "b", "c"])[codes], C=1.0, tolerance=1e-5)
    assert made.classes == ("a", "b", "c")
    assert made.coefficients.shape == (3, 45)

    def total(d):
        K = np.tensordot(d, np.array(kernels), 1)
        value = 0.0
        for c in range(3):
            machine = SVC(kernel="precomputed", C=1.0, tol=1e-9).fit(K, codes == c)
            beta = machine.dual_coef_[0]
            at = machine.support_
            value += np.abs(beta).sum() - beta @ K[np.ix_(at, at)] @ beta / 2
        return value

    assert total(made.weights) == pytest.approx(made.objective, rel=1e-5)
    for other in rng.dirichlet(np.ones(4), 20):
        assert total(other) >= made.objective * (1 - 1e-5)
    decided = made.parts(kernels).sum(axis=0) + made.bias
    assert (decided.argmax(axis=1) == codes).mean() > 0.7


def test_normalisation_is_recorded_and_takes_scale_away(world):
    kernels, y = world
    grown = [1000.0 * kernels[0], *kernels[1:]]
    for how in ("mean", "centred", "cosine"):
        one, other = mkl(kernels, y, normalize=how), mkl(grown, y, normalize=how)
        np.testing.assert_allclose(one.weights, other.weights, atol=1e-6)
        assert other.config.normalize == how
        assert other.notes == ()
    assert mkl(grown, y, normalize="mean").units.tolist() == [1000.0, 1.0, 1.0, 1.0, 1.0]
    assert "Normalise them" in mkl(grown, y).notes[0]


def test_a_path_starts_from_the_weights_before(world):
    kernels, y = world
    path = list(mkl_path(kernels, y, (0.1, 1.0, 10.0), MklConfig(normalize="mean")))
    assert [made.config.C for made in path] == [0.1, 1.0, 10.0]
    for made in path:
        assert made.converged
        assert made.objective == pytest.approx(mkl(kernels, y, C=made.config.C).objective, rel=2e-3)
    np.testing.assert_array_equal(path[1].course[0], path[0].weights)


def test_what_does_not_come_to_its_end_is_told(world, monkeypatch):
    kernels, y = world
    monkeypatch.setattr("kernex_core.learning.mkl.learn.MOST_STEPS", 1)
    made = mkl(kernels, y, C=10.0, tolerance=1e-9)
    assert not made.converged
    assert "weights are not exact" in made.notes[-1]


@given(st.lists(st.floats(-5, 5), min_size=4, max_size=12), st.data())
def test_the_best_bias_is_best(f, data):
    f = np.array(f)
    y = np.where(np.arange(f.size) < data.draw(st.integers(1, f.size - 1)), 1.0, -1.0)

    def loss(b):
        return np.maximum(0.0, 1.0 - y * (f + b)).sum()

    assert loss(best_bias(y, f)) <= min(loss(b) for b in y - f) + 1e-9


def test_a_kernel_that_says_nothing_has_a_gap_of_zero():
    y = ["a"] * 3 + ["b"] * 5
    made = mkl([np.zeros((8, 8)), np.ones((8, 8))], y, C=2.0)
    assert made.converged
    assert made.objective == pytest.approx(
        2.0 * 2 * 3
    )  # every item of the smaller class costs 2, or of the larger


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"kernels": []}, "At least one kernel"),
        ({"kernels": np.eye(4)[0, 0]}, "Several kernels"),
        ({"kernels": [np.eye(4), np.eye(3)]}, "same items"),
        ({"y": ["a"] * 4}, "two classes"),
        ({"y": ["a", "b", "", "a"]}, "without a label"),
        ({"y": ["a", "b"]}, "one label an item"),
        ({"C": 0.0}, "C has to be"),
        ({"loss": "log"}, "loss"),
        ({"method": "luck"}, "method"),
        ({"normalize": "yes"}, "normalisation"),
        ({"kernels": [np.zeros((4, 4))], "normalize": "mean"}, "self-similarities above 0"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    with pytest.raises(InvalidInputError, match=words):
        mkl(**{"kernels": [np.eye(4)], "y": ["a", "b", "a", "b"], **wrong})


def test_what_is_no_kernel_is_named():
    with pytest.raises(NotPositiveSemidefiniteError, match="bad"):
        mkl({"good": np.eye(4), "bad": -np.eye(4)}, ["a", "b", "a", "b"])
    named = [GramMatrix(np.eye(4), name="one"), GramMatrix(2 * np.eye(4), name="two")]
    assert mkl(named, ["a", "b", "a", "b"]).names == ("one", "two")
    assert mkl([*named, np.eye(4)], ["a", "b", "a", "b"]).names == ("K1", "K2", "K3")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("C", [0.02, 0.3, 10.0])
def test_a_class_in_the_middle_of_the_others_is_bounded_too(C, method):
    """One kernel says nothing about it, so that its function is constant: the gap still falls, whatever the way down."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], 9)
    X = rng.normal(size=(27, 3))
    X[:, 0] += 2.0 * y
    kernels = [X @ X.T / 3.0, np.outer(X[:, 0], X[:, 0]), gaussian(X[:, 1:])]
    made = mkl(kernels, y, C=C, tolerance=1e-4, method=method)
    assert made.converged
    wanted = mkl(kernels, y, C=C, tolerance=1e-6)
    assert made.objective == pytest.approx(wanted.objective, rel=2e-4)
    # the dual is feasible and its value is that of independent machines
    total = 0.0
    for c, beta in enumerate(made.coefficients):
        sign = np.where(y == c, 1.0, -1.0)
        assert abs(beta.sum()) < 1e-9
        assert (beta * sign).min() >= 0.0
        assert (beta * sign).max() <= C * (1.0 + 1e-12)
        theirs = SVC(kernel="precomputed", C=C, tol=1e-9).fit(made.kernel, sign)
        own = np.zeros(27)
        own[theirs.support_] = theirs.dual_coef_[0]
        total += np.abs(own).sum() - own @ made.kernel @ own / 2.0
    assert made.objective == pytest.approx(total, rel=1e-6)


def test_the_names_of_two_classes_only_turn_the_sign(rng):
    """Where several offsets are as good as each other, the middle is taken, which has no favourite among the classes."""
    X = rng.normal(size=(24, 3))
    y = np.arange(24) % 2
    kernels = [np.outer(X[:, j], X[:, j]) for j in range(3)]
    for C in (1e-3, 1.0):
        one, other = mkl(kernels, y, C=C), mkl(kernels, 1 - y, C=C)
        assert other.bias[0] == pytest.approx(-one.bias[0], abs=1e-5)
        theirs = SVC(kernel="precomputed", C=C, tol=1e-9).fit(one.kernel, y)
        assert one.bias[0] == pytest.approx(theirs.intercept_[0], abs=1e-4) or C < 1.0
