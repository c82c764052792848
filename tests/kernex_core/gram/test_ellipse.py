import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.gram.ellipse import crossing_points, ellipse_of

ANGLES = np.linspace(0.0, 2.0 * np.pi, 61)
factors = st.lists(st.floats(-3.0, 3.0), min_size=4, max_size=4).map(lambda x: np.reshape(x, (2, 2)))


def term(Q, points):
    return np.einsum("ij,jk,ik->i", points, np.linalg.inv(Q), points)


@given(factors)
def test_the_outline_is_where_the_metric_is_one_and_the_area_is_that_of_the_polygon(F):
    Q = F @ F.T + 0.01 * np.eye(2)
    made = ellipse_of(Q)
    points = made.outline(ANGLES)
    assert np.allclose(term(Q, points), 1.0, atol=1e-9)
    x, y = made.outline(np.linspace(0.0, 2.0 * np.pi, 4001)).T
    assert np.isclose(abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2.0, made.area, rtol=1e-5)
    assert np.isclose(np.linalg.norm(points, axis=1).max(), made.half_axes[0], rtol=1e-2)


def test_a_singular_metric_is_a_line_and_an_indefinite_one_has_no_ellipse():
    made = ellipse_of([[1.0, 1.0], [1.0, 1.0]])
    assert np.allclose(made.half_axes, [np.sqrt(2.0), 0.0])
    assert made.area == 0.0
    x, y = made.outline(ANGLES).T
    assert np.allclose(x, y, atol=1e-12)
    assert not ellipse_of(np.zeros((2, 2))).outline(ANGLES).any()
    with pytest.raises(NotPositiveSemidefiniteError):
        ellipse_of([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(InvalidInputError, match="two features"):
        ellipse_of(np.eye(3))


@given(factors, factors)
def test_outlines_cross_where_both_metrics_are_one(F, G):
    first, second = F @ F.T + 0.1 * np.eye(2), G @ G.T + 0.1 * np.eye(2)
    points = crossing_points(first, second)
    if len(points):
        assert np.allclose(term(first, points), 1.0, atol=1e-6)
        assert np.allclose(term(second, points), 1.0, atol=1e-6)
    # one ellipse holds the other, or there is a sign change of the difference between neighbouring crossing points
    t = np.linspace(0.0, 2.0 * np.pi, 721)
    ring = np.column_stack([np.cos(t), np.sin(t)])
    difference = term(first, ring) - term(second, ring)
    if difference.min() < -1e-3 and difference.max() > 1e-3:
        assert len(points) == 4


def test_ellipses_that_are_the_same_or_inside_each_other_do_not_cross_and_some_touch():
    Q = np.array([[2.0, 0.5], [0.5, 1.0]])
    assert crossing_points(Q, Q).shape == (0, 2)
    assert crossing_points(Q, 2.0 * Q).shape == (0, 2)
    assert crossing_points(2.0 * Q, Q).shape == (0, 2)
    assert np.allclose(np.abs(crossing_points(np.diag([4.0, 1.0]), np.diag([9.0, 1.0]))), [[0.0, 1.0]] * 2)
    with pytest.raises(InvalidInputError, match="singular"):
        crossing_points(Q, [[1.0, 1.0], [1.0, 1.0]])
