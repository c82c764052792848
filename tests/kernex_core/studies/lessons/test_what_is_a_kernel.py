import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons.what_is_a_kernel import (
    AXIS,
    MOONS,
    PLANE_SETS,
    RINGS,
    XOR,
    PlaneChoice,
    check_bet,
    check_challenge,
    deletions,
    feature_plane,
    plane_machine,
    plane_points,
)


def test_points(known):
    expected = known["1.data"]["expected"]
    for name, made in PLANE_SETS.items():
        np.testing.assert_array_equal(made.X, expected[name.lower()])
        np.testing.assert_array_equal(made.y, expected[f"{name.lower()}_y"])


@pytest.mark.parametrize(
    "name",
    ["gauss_s1_C10", "gauss_s0.2_C10", "gauss_s1_C1", "poly2_c0_C10", "poly2_c1_C10", "linear_C10"],
)
def test_machines(known, name):
    given, expected = (known[f"1.{name}"][part] for part in ("inputs", "expected"))
    kernel = {"gauss": "Gaussian", "poly": "Polynomial", "linear": "Linear"}[given["kernel"]]
    choice = PlaneChoice(kernel, sigma=given.get("s", 1.0), constant=given.get("c", 0.0), C=float(given["C"]))
    made = plane_machine(RINGS, choice)
    found = {
        "support_vectors": made.support.size, "training_errors": made.errors, "norm": made.norm,
        "margin": made.margin, "bias": made.bias, "at_C": made.at_cost.size,
        "sum_alpha": np.abs(made.weights).sum(),
    }  # fmt: skip
    for key in found.keys() & expected.keys():
        assert found[key] == pytest.approx(expected[key], abs=2e-4), key
    if "sv_index" in expected:
        assert made.support.tolist() == expected["sv_index"]
        gone = deletions(RINGS, choice)
        assert gone.least_of_support == pytest.approx(expected["smallest_move_of_a_sv"], abs=2e-4)
        assert gone.others_stay


def test_at_a_fixed_lambda_a_point_without_a_stem_counts(known):
    choice, expected = PlaneChoice(C=1.0), known["1.fixed_lambda_moves"]["expected"]
    kept, moved = deletions(RINGS, choice), deletions(RINGS, choice, keep_lam=True)
    assert not kept.support[0]
    assert kept.moves[0] < 1e-5
    assert moved.moves[0] == pytest.approx(expected["move"], abs=2e-4)
    assert moved.C_after == pytest.approx(24 / 23)


def test_the_plane_among_features(known):
    expected, made = known["1.plane_in_feature_space"]["expected"], feature_plane(RINGS, 10.0)
    np.testing.assert_allclose(made.w, expected["w"], atol=2e-4)
    assert made.bias == pytest.approx(expected["b"], abs=2e-4)
    values = plane_machine(RINGS, PlaneChoice("Polynomial")).values
    np.testing.assert_allclose(made.Z @ made.w + made.bias, values, atol=1e-9)


@pytest.mark.parametrize("points", [RINGS, MOONS])
def test_the_surface_is_that_of_other_code(points):
    made = plane_machine(points, PlaneChoice(sigma=0.7, C=3.0))
    other = SVC(C=3.0, gamma=1 / (2 * 0.7**2), tol=1e-8).fit(points.X, points.y)
    places = np.ix_([0, 20, 48], [7, 31])
    x1, x2 = np.meshgrid(AXIS[[7, 31]], AXIS[[0, 20, 48]])
    np.testing.assert_allclose(
        made.field[places].ravel(), other.decision_function(np.stack([x1, x2], -1).reshape(-1, 2)), atol=1e-5
    )


def test_the_bet():
    made = deletions(RINGS, PlaneChoice())
    support = plane_machine(RINGS, PlaneChoice()).support
    for place in range(RINGS.n):
        assert check_bet(made, place).right == (place not in support)
    assert not check_bet(made, None).right
    assert check_bet(made, None).value == 14
    # a narrow Gaussian: every point carries a stem
    narrow = deletions(RINGS, PlaneChoice(sigma=0.2))
    assert check_bet(narrow, None).right
    assert not check_bet(narrow, 0).right


@pytest.mark.parametrize(
    ("choice", "right"),
    [
        (PlaneChoice("Polynomial"), True),
        (PlaneChoice("Polynomial", constant=1.0), True),
        (PlaneChoice(), False),
        (PlaneChoice("Linear"), False),
    ],
)
def test_the_challenge(choice, right):
    assert check_challenge(plane_machine(RINGS, choice)).right == right


def test_a_kernel_that_sees_no_difference():
    made = plane_machine(XOR, PlaneChoice("Linear"))
    assert made.margin is None
    assert made.errors == XOR.n
    assert "margin is not defined" in " ".join(made.notes)
    assert np.ptp(made.field) < 1e-6
    assert plane_machine(XOR, PlaneChoice("Polynomial")).errors == 0


def test_points_at_one_place():
    points = plane_points([[0.5, 0.5], [0.5, 0.5], [-1.0, 0.0]], [1, -1, -1])
    made = plane_machine(points, PlaneChoice(C=1e4))
    assert made.errors > 0
    assert "same place" in " ".join(made.notes)


def test_without_a_free_stem_b_is_the_middle():
    """At the optimum y_i f(x_i) <= 1 for all at C, which leaves b an interval."""
    points = plane_points([[0.0, 0.0], [0.3, 0.0], [1.5, 0.0], [2.0, 0.0]], [-1, -1, 1, 1])
    made = plane_machine(points, PlaneChoice(C=0.01))
    assert made.at_cost.size == 4
    inner = made.values - made.bias
    low, high = (points.y - inner)[points.y < 0].max(), (points.y - inner)[points.y > 0].min()
    assert low < high
    assert made.bias == pytest.approx((low + high) / 2, abs=1e-6)
    assert "middle" in " ".join(made.notes)


def test_one_class_is_refused():
    with pytest.raises(InvalidInputError, match="both classes"):
        plane_points([[0.0, 0.0], [1.0, 0.0]], [1, 1])
    two = plane_points([[0.0, 0.0], [1.0, 0.0]], [1, -1])
    with pytest.raises(InvalidInputError, match="both classes"):
        plane_machine(two, PlaneChoice(), left_out=(0,))
    made = deletions(two, PlaneChoice())
    assert made.moves == (None, None)
    assert "one class" in check_bet(made, 1).said


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0.0, 0.0]], [1]),
        ([[0.0, 9.0], [1.0, 0.0]], [1, -1]),
        ([[0.0, np.nan], [1.0, 0.0]], [1, -1]),
        ([[0.0, 1.0], [1.0, 0.0]], [1, 0]),
        ([[0.0], [1.0]], [1, -1]),
        (np.zeros((61, 2)), [1, -1] * 30 + [1]),
    ],
)
def test_other_points_are_refused(X, y):
    with pytest.raises(InvalidInputError):
        plane_points(X, y)
