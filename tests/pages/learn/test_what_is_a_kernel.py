"""One walk through the lesson on kernels; its numbers are tested with the core, here they are compared with it."""

import numpy as np
import pytest

from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Polynomial
from kernex_core.studies.lessons.what_is_a_kernel import RINGS, PlaneChoice, feature_plane, plane_machine
from pages.learn.stage import Sight, contour, edges_of_box, plane_in_box
from pages.learn.what_is_a_kernel import placed, read, written
from tests.pages.learn.walk import Walk, widget


def test_walk():
    walk = Walk("what_is_a_kernel")
    walk.bet("none")
    right, because = walk.verdict()
    assert not right
    assert "14 of 24" in because
    made = plane_machine(RINGS, PlaneChoice())
    shown = walk.readings()
    assert shown["support vectors"] == f"{made.support.size} of 24, {made.at_cost.size} at α = C"
    assert float(shown["margin 1/‖f‖"]) == pytest.approx(made.margin, abs=5e-5)
    assert not walk.check()[0]
    walk.set(kernel="Polynomial")
    assert walk.readings()["support vectors"].startswith("4 of 24, ")
    assert walk.check()[0]
    page = walk.carry()
    assert page.sidebar.selectbox(key="data").value == "Rings of the lesson"
    assert page.selectbox(key="build.kind.vectors").value is Polynomial
    assert page.session_state["build.Polynomial.points.degree"] == 2


def test_a_width_of_the_lesson_is_carried():
    walk = Walk("what_is_a_kernel", bet="-", wiak_kernel="Gaussian")
    walk.set(sigma=min(map(float, widget(walk.at, "wiak_sigma").options), key=lambda stop: abs(stop - 0.53)))
    page = walk.carry()
    assert page.selectbox(key="build.kind.vectors").value is Gaussian
    assert page.session_state["build.Gaussian.points.sigma"] == pytest.approx(0.53, abs=0.03)


def test_what_is_left_out_moves_the_boundary_only_where_it_has_a_stem():
    stems = np.flatnonzero(plane_machine(RINGS, PlaneChoice()).weights)
    without = np.setdiff1d(np.arange(24), stems)[:2]
    assert (
        Walk("what_is_a_kernel", bet="-", wiak_left="_".join(map(str, without))).readings()["f moved by"]
        == "nothing"
    )
    walk = Walk("what_is_a_kernel", bet="-", wiak_left=str(stems[0]))
    assert float(walk.readings()["f moved by"]) > 0.06
    right, said = walk.check()
    assert not right
    assert "take back" in said


@pytest.mark.parametrize("own", ["0,0,-", "0,0,-_1,1,-", "9,nan,+"])
def test_own_points_of_one_class_are_drawn_without_a_boundary(own):
    walk = Walk("what_is_a_kernel", bet="-", wiak_points="Own", wiak_own=own)
    assert walk.readings() == {}
    assert not walk.check()[0]


def test_own_points_travel_in_the_address():
    points = placed(placed((), 0.123, 7.0, "-"), -1.0, 0.5, "+")
    assert points == ((0.12, 2.4, -1), (-1.0, 0.5, 1))
    assert read(written(points)) == points
    assert read("x_1,2_1,2,3_nan,1,+") == ()


def test_contours_lie_on_their_level_and_closed_ones_close():
    x = np.linspace(-2.0, 2.0, 81)
    a, b = contour(x[None, :] ** 2 + x[:, None] ** 2, x, x, 1.0)
    assert np.hypot(a[:-1], b[:-1]) == pytest.approx(1.0, abs=1e-3)
    assert np.isnan([a[-1], b[-1]]).all()
    assert (a[0], b[0]) == (a[-2], b[-2])
    saddle, _ = contour(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.arange(2.0), np.arange(2.0), 0.0)
    assert np.isnan(saddle).sum() == 2
    assert contour(np.zeros((3, 3)), np.arange(3.0), np.arange(3.0), 1.0)[0].size == 0


def test_the_plane_of_features_is_the_one_of_the_core_inside_its_box():
    made = feature_plane(RINGS, 10.0)
    corners = plane_in_box(made.w, -made.bias, [0.0, 0.0, -3.0], [3.0, 3.0, 3.0])
    assert len(corners) == 4
    assert corners @ made.w == pytest.approx(-made.bias)
    assert len(plane_in_box(made.w, 1e3, [0, 0, 0], [1, 1, 1])) == 0
    assert (
        np.linalg.norm(
            edges_of_box([0, 0, 0], [1, 1, 1])[:, 1] - edges_of_box([0, 0, 0], [1, 1, 1])[:, 0], axis=1
        ).sum()
        == 12
    )
    assert Sight(90.0, 0.0).project(np.eye(3)).round(12).tolist() == [[0, -1, 0], [0, 0, 1]]
