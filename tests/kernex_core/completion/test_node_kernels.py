"""Kernels on vertices with mixed attributes: through landmarks, and as they are."""

import numpy as np
import pytest

from kernex_core import InvalidInputError
from kernex_core.completion.node_kernels import (
    CHOICES,
    COMBINED,
    NodeAttributes,
    NodeColumns,
    attributes_of,
    landmarks,
    node_kernels,
    strip_of,
    suggested_columns,
    unit_rows,
)
from kernex_core.gram.combine import path_of
from kernex_core.gram.graph import Graph

LAMS = (0.1, 0.25, 0.5, 0.75, 0.9)
SIGMA, RHO = 1.3, 0.1


def attributes(rng, n=40):
    counts = rng.poisson(0.7, (n, 3)).astype(float)
    counts[3] = 0.0
    X = rng.normal(size=(n, 2))
    X[7], counts[7] = X[5], counts[5]  # the same vertex again
    return NodeAttributes(X, unit_rows(counts))


def by_loops(of, name):
    """A kernel of COMBINED on all vertices, entry by entry."""
    K = np.zeros((of.n, of.n))
    for i in range(of.n):
        for j in range(of.n):
            gauss = np.exp(-sum((of.continuous[i] - of.continuous[j]) ** 2) / (2 * SIGMA**2))
            linear = sum(of.discrete[i] * of.discrete[j])
            K[i, j] = {
                "Gaussian": gauss, "linear": linear, "sum": (gauss + linear) / 2, "product": gauss * linear,
            }[name]  # fmt: skip
    return K


def normalized(K):
    d = np.sqrt(np.diag(K))
    return K / np.outer(d, d)


def made(rng, count=12):
    of = attributes(rng)
    Z = landmarks(of, count, "sample", rng=rng)
    return of, Z, node_kernels(of, Z, sigma=SIGMA, nugget=RHO)


def carried(of, Z, M):
    """w' M w with w = (k+(Z, Z) + ρI)^-1 k+(Z, x), normalised; by inverses."""
    both = by_loops(of, "sum")
    w = np.linalg.inv(both[np.ix_(Z, Z)] + RHO * np.eye(Z.size)) @ both[Z]
    return normalized(w.T @ M @ w)


@pytest.mark.parametrize("name", COMBINED)
def test_each_kernel_goes_through_the_same_landmarks_weights_and_nugget(name, rng):
    of, Z, kernels = made(rng)
    plain = by_loops(of, name)
    np.testing.assert_allclose(kernels.plain_strip(name)(4, 9), plain[4:9, 4:], atol=1e-14)
    F = kernels.combined(name)
    M = plain[np.ix_(Z, Z)] + RHO * np.eye(Z.size)
    np.testing.assert_allclose(F @ F.T, carried(of, Z, M), atol=1e-10)
    np.testing.assert_array_equal(strip_of(F)(4, 9), F[4:9] @ F[4:].T)


def test_joint_kernel_is_the_harmonic_mean_on_landmarks_and_the_singles_at_both_ends(rng):
    of, Z, kernels = made(rng)
    first, second = (
        by_loops(of, name)[np.ix_(Z, Z)] + RHO * np.eye(Z.size) for name in ("Gaussian", "linear")
    )
    for lam in LAMS:
        J = np.linalg.inv(lam * np.linalg.inv(first) + (1 - lam) * np.linalg.inv(second))
        F = kernels.joint(lam)
        np.testing.assert_allclose(F @ F.T, carried(of, Z, J), atol=1e-10)
    for lam, name in ((0.0, "linear"), (1.0, "Gaussian")):
        joint, alone = kernels.joint(lam), kernels.combined(name)
        np.testing.assert_allclose(joint @ joint.T, alone @ alone.T, atol=1e-8)


def test_vertices_without_discrete_attributes_have_linear_kernel_0_and_no_nan(rng):
    of, _, kernels = made(rng)
    assert np.flatnonzero(of.unset).tolist() == [i for i in range(of.n) if not any(of.discrete[i])]
    assert of.unset[3]
    assert not kernels.plain_strip("linear")(3, 4).any()
    by_landmarks = kernels.combined("linear")  # the page says so: their weights come from both kernels
    assert np.abs(np.delete(by_landmarks @ by_landmarks[3], 3)).max() > 0.1
    for F in (kernels.joint(0.5), kernels.combined("linear"), kernels.combined("product")):
        assert np.isfinite(F).all()
        np.testing.assert_allclose(np.linalg.norm(F, axis=1), 1.0, atol=1e-12)
    assert unit_rows([[3e200, 4e200], [0.0, 0.0], [3e-200, 4e-200]]).round(9).tolist() == [
        [0.6, 0.8],
        [0, 0],
        [0.6, 0.8],
    ]


@pytest.mark.parametrize("choice", CHOICES)
def test_landmarks_differ_and_come_from_the_seed(choice, rng):
    of = attributes(rng)
    assert of.different.size == of.n - 1
    assert 7 not in of.different
    drawn = [landmarks(of, 10, choice, rng=np.random.default_rng(seed)).tolist() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) == 10
    assert set(drawn[0]) <= set(of.different.tolist())
    assert landmarks(of, 200, choice, rng=rng).tolist() == of.different.tolist()


def test_far_landmarks_are_further_apart_than_drawn_ones():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 0.01, (300, 2)), [[9, 9], [-9, 9], [9, -9], [-9, -9]]])
    of = NodeAttributes(X, np.ones((304, 1)))
    far = landmarks(of, 6, "k-means++", rng=rng)
    assert set(range(300, 304)) <= set(far.tolist())


def test_width_is_the_median_distance_of_landmarks_unless_given(rng):
    of = attributes(rng)
    Z = np.arange(5)
    apart = [np.linalg.norm(of.continuous[i] - of.continuous[j]) for i in range(5) for j in range(i)]
    assert node_kernels(of, Z).sigma == pytest.approx(np.median(apart))
    for options in ({"sigma": 0.0}, {"nugget": 0.0}, {"nugget": -1.0}):
        with pytest.raises(InvalidInputError):
            node_kernels(of, Z, **options)
    with pytest.raises(InvalidInputError, match="At least one landmark"):
        node_kernels(of, Z[:0])


def test_columns_are_taken_and_suggested():
    X = np.array([[0.5, 1.0, 2.0, -1.0], [1.5, 0.0, 0.0, 2.0]])
    assert suggested_columns(X) == NodeColumns((0, 3), (1, 2))
    of = attributes_of(
        [Graph(1, node_attributes=X[:1]), Graph(1, node_attributes=X[1:])], NodeColumns((3,), (1, 2))
    )
    assert of.continuous.tolist() == [[-1.0], [2.0]]
    assert of.unset.tolist() == [False, True]


@pytest.mark.parametrize(
    ("graphs", "columns", "said"),
    [
        ([Graph(1)], ((0,), (1,)), "none in 1 of 1 graphs"),
        ([], ((0,), (1,)), "none in 0 of 0 graphs"),
        ([Graph(1, node_attributes=[[1.0, 2.0]]), Graph(0)], ((0,), (1,)), "none in 1 of 2 graphs"),
        ([Graph(1, node_attributes=[[1.0, 2.0]])], ((0,), (2,)), "columns 1 to 2.*column 3"),
        ([Graph(1, node_attributes=[[1.0, 2.0]])], ((), (1,)), "no continuous column"),
        ([Graph(1, node_attributes=[[1.0, 2.0]])], ((0, 1), (1,)), "continuous or discrete"),
    ],
)
def test_what_is_missing_is_said(graphs, columns, said):
    with pytest.raises(InvalidInputError, match=f"(?s){said}"):
        attributes_of(graphs, NodeColumns(*columns))


def test_landmarks_of_enzymes_are_aligned_with_all_vertices(shared):
    """Off the diagonal, 200 landmarks against the joint kernel of 1,000 different vertices: at least .997.

    Most of that is the mean of the kernel, which is high: of what deviates from it .77 to .95 is alike.
    """
    X = np.loadtxt(shared / "data/ENZYMES/ENZYMES_node_attributes.txt", delimiter=",")
    rng = np.random.default_rng(0)
    every = NodeAttributes(X[:, 2:6], unit_rows(X[:, 6:18]))
    chosen = rng.choice(every.different, 1000, replace=False)
    of = NodeAttributes(every.continuous[chosen], every.discrete[chosen])
    K1, K2 = of.gaussian(slice(None), slice(None), 37.0), of.linear(slice(None), slice(None))
    whole = path_of(K1 + RHO * np.eye(of.n), K2 + RHO * np.eye(of.n))
    off = ~np.eye(of.n, dtype=bool)
    for choice in CHOICES:
        kernels = node_kernels(of, landmarks(of, 200, choice, rng=rng), sigma=37.0, nugget=RHO)
        for lam in LAMS:
            F = kernels.joint(lam)
            a, b = (F @ F.T)[off], normalized(whole.kernel(lam))[off]
            assert a @ b / np.sqrt((a @ a) * (b @ b)) >= 0.98
            assert np.corrcoef(a, b)[0, 1] >= 0.7, (choice, lam)
