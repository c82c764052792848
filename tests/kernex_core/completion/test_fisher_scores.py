"""Fisher-score maps: each family against its own density, and what is fitted where."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from kernex_core import InvalidInputError, fisher_map
from kernex_core.completion.fisher_scores import FAMILIES


def drawn(family, rng, n=40):
    if family.startswith("gaussian"):
        return rng.normal(2.0, 3.0, size=(n, 3))
    if family == "bernoulli":
        return (rng.random((n, 3)) < [0.2, 0.5, 0.8]).astype(float)
    if family == "poisson":
        return rng.poisson([1.0, 4.0, 9.0], size=(n, 3)).astype(float)
    return np.array(
        [rng.multinomial(int(total), [0.2, 0.3, 0.5]) for total in rng.integers(5, 40, n)], dtype=float
    )


def log_density(family, x, theta):
    """log p(x; θ) in natural parameters, by the textbook."""
    if family == "gaussian":
        return float(stats.norm.logpdf(x, theta, 1.0).sum())
    if family == "gaussian2":
        first, second = np.split(theta, 2)
        variance = -0.5 / second
        return float(stats.norm.logpdf(x, first * variance, np.sqrt(variance)).sum())
    if family == "bernoulli":
        return float(stats.bernoulli.logpmf(x, 1 / (1 + np.exp(-theta))).sum())
    if family == "poisson":
        return float(stats.poisson.logpmf(x, np.exp(theta)).sum())
    p = np.exp(theta) / np.exp(theta).sum()
    return float(stats.multinomial.logpmf(x, int(x.sum()), p))


def fitted_theta(family, X):
    mean = X.mean(axis=0)
    return {
        "gaussian": lambda: mean,
        "gaussian2": lambda: np.concatenate([mean / X.var(axis=0), -0.5 / X.var(axis=0)]),
        "bernoulli": lambda: np.log(mean / (1 - mean)),
        "poisson": lambda: np.log(mean),
        "multinomial": lambda: np.log(X.sum(axis=0) / X.sum()),
    }[family]()


@pytest.mark.parametrize("family", [each.name for each in FAMILIES])
def test_scores_are_the_negative_gradient_of_the_log_density(rng, family):
    X = drawn(family, rng)
    made, theta = fisher_map(X, family, bias=False), fitted_theta(family, X)
    phi = made.apply(X)
    scores = []
    for x in X:
        gradient = []
        for j in range(theta.size):
            step = np.zeros(theta.size)
            step[j] = 1e-5
            gradient.append(
                (log_density(family, x, theta + step) - log_density(family, x, theta - step)) / 2e-5
            )
        scores.append(-np.array(gradient))
    scores = np.array(scores)
    assert_allclose(phi * scores.std(axis=0)[:, None], scores.T, atol=2e-4 * np.abs(scores).max())
    assert_allclose(phi.mean(axis=1), 0.0, atol=1e-10)
    assert_allclose(phi.std(axis=1), 1.0)


def test_mean_and_deviation_are_those_of_the_fitted_items(rng):
    X, new = rng.normal(size=(30, 2)), 5.0 + rng.normal(size=(8, 2))
    phi = fisher_map(X).apply(new)
    assert phi.shape == (3, 8)
    assert_allclose(phi[:2], -(new - X.mean(axis=0)).T / X.std(axis=0)[:, None])
    assert_allclose(phi[2], 1.0)


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e9])
def test_a_feature_without_variance_is_zero_and_told(rng, constant):
    X = np.column_stack([rng.normal(size=7), np.full(7, constant)])
    made = fisher_map(X)
    assert made.sd[1] == 0.0
    assert "1 of 2 features do not vary" in made.notes[0]
    assert made.apply(np.array([[0.0, constant + 3.0]]))[1].tolist() == [0.0]
    assert fisher_map(X[:, :1]).notes == ()


@pytest.mark.parametrize(
    ("family", "X", "said"),
    [
        ("bernoulli", [[0.0, 2.0]], "zeros and ones"),
        ("poisson", [[0.0, -1.0]], "row 1, column 2"),
        ("multinomial", [[0.5, 1.0]], "row 1, column 1"),
        ("gaussian", [[np.nan, 1.0]], "finite"),
        ("gamma", [[1.0, 1.0]], "family"),
        ("gaussian", np.empty((0, 2)), "at least one item"),
    ],
)
def test_what_a_family_cannot_describe(family, X, said):
    with pytest.raises(InvalidInputError, match=said):
        fisher_map(np.array(X), family)


def test_other_columns_are_refused(rng):
    with pytest.raises(InvalidInputError, match="2 columns"):
        fisher_map(rng.normal(size=(5, 2))).apply(rng.normal(size=(5, 3)))
