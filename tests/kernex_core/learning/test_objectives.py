"""What is minimised is never below 0 and no gap is negative, whatever the magnitude of kernels and of C."""

import numpy as np
import pytest

from kernex_core import (
    InvalidInputError,
    KernelStack,
    kernel_logistic,
    kernel_ridge,
    mkl,
    mkl_path,
    square_loss_mkl,
)
from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.mkl.learn import LOSSES, MklConfig
from kernex_core.learning.mkl.losses import HingeObjective, SquareObjective

SCALES = (1e-140, 1e-20, 1e-5, 1.0, 1e5, 1e8, 1e14, 1e20, 1e140)
COSTS = (1e-6, 1.0, 1e6)
N = 12


def world(seed, scale, rank=2):
    """Kernels of few directions, which no function of theirs tells the classes apart by, and two or three classes."""
    rng = np.random.default_rng(seed)
    features = [rng.normal(size=(N, rank)) for _ in range(2)]
    return scale * np.array([X @ X.T for X in features]), np.arange(N) % (2 + seed % 2), rng.normal(size=N)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_hinge_objective_lies_between_its_bounds_where_a_machine_does_not_converge(scale, seed):
    """At 1e20 and C = 1 it was negative: the dual of a machine that stopped early is shrunk until it is a bound."""
    stack, codes, _ = world(seed, scale)
    for C in COSTS:
        objective = HingeObjective(KernelStack(stack), Targets(codes, 2 + seed % 2), C)
        for weights in ([0.5, 0.5], [1.0, 0.0], [0.2, 0.8]):
            at = objective.look(np.array(weights))
            # the constant function pays at most C for every item of the smaller sides, twice
            assert 0.0 < at.value <= 2.0 * C * N * (1 + seed % 2) * (1.0 + 1e-9)
            assert 0.0 <= at.gap <= 1.0
            assert (at.gradient <= 0.0).all()
            assert (np.abs(at.dual) <= C * (1.0 + 1e-9)).all()


@pytest.mark.parametrize("scale", SCALES)
def test_the_square_objective_is_between_0_and_that_of_no_function(scale):
    stack, codes, y = world(0, scale)
    for lam in (1e-6 * scale, scale, 1e6 * scale):
        for targets in (y, Targets(codes, 2).columns):
            at = SquareObjective(KernelStack(stack), targets, lam).look(np.array([0.4, 0.6]))
            assert 0.0 < at.value <= float(np.vdot(targets, targets)) / N * (1.0 + 1e-9)
            assert at.gap >= 0.0


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", ["projected gradient", "SimpleMKL"])
@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e6, 1e20, 1e140])
def test_weights_are_learned_of_separable_classes_at_every_magnitude(loss, method, scale):
    """From 1e6 on the hinge loss ended with a gap of 1: a margin missed by rounding cost C."""
    rng = np.random.default_rng(3)
    signal, noise = (
        rng.normal(size=(N, 2)) + 4.0 * np.where(np.arange(N) % 2, 1.0, -1.0)[:, None],
        rng.normal(size=(N, 9)),
    )
    y = np.array(["a", "b"])[np.arange(N) % 2]
    kernels = [scale * signal @ signal.T, scale * noise @ noise.T]
    if loss == "square" and scale > 1e15:
        with pytest.raises(InvalidInputError, match=r"λ no smaller than their rounding.*larger λ"):
            mkl(kernels, y, loss=loss, method=method)
        return
    made = mkl(kernels, y, loss=loss, method=method)
    assert made.objective > 0.0
    assert 0.0 <= made.gap <= made.config.tolerance
    assert made.converged
    assert (made.path >= 0.0).all()
    assert (made.weights >= 0.0).all()


@pytest.mark.parametrize("normalize", ["none", "mean", "cosine", "centred"])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_path_of_costs_has_no_negative_objective_and_rises_with_the_cost(normalize, loss):
    stack, codes, _ = world(1, 1.0)
    kernels = [K + 0.1 * np.eye(N) for K in stack]
    path = list(mkl_path(kernels, codes, (0.01, 0.1, 1.0), MklConfig(loss=loss, normalize=normalize)))
    assert all(made.objective > 0.0 <= made.gap for made in path)
    if loss == "hinge":
        values = [made.objective for made in path]
        assert values == sorted(values)


@pytest.mark.parametrize("scale", SCALES[:-1])
def test_errors_and_objectives_of_the_other_learners_are_not_negative(scale):
    stack, codes, y = world(0, scale)
    K = stack[0] + 0.1 * scale * np.eye(N)
    for lam in (1e-8 * scale, scale, 1e4 * scale):
        ridge = kernel_ridge(K, y, lam, intercept=True)
        assert float(ridge.objective) >= 0.0
        assert float(ridge.loo_error) >= 0.0
        assert 0.0 <= float(ridge.effective) <= N * (1.0 + 1e-9)
        weights = square_loss_mkl(KernelStack(stack), y, lam, most_steps=20)
        assert weights.objective >= 0.0 <= weights.gap
        logistic = kernel_logistic(K, np.array(["a", "b"])[codes], lam)
        assert 0.0 <= logistic.objective <= np.log(2.0) * (1.0 + 1e-9)
