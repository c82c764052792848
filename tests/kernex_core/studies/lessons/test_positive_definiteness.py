import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons.positive_definiteness import (
    SHARE_OF_CUBE,
    band,
    check_largest,
    determinant,
    dual_growth,
    edited,
    elliptope,
    entry_interval,
    repairs_of,
    share_of_square,
    three_items,
    trained,
    two_unknown,
)

INDEFINITE = (0.9, 0.9, 0.1)


def of_indefinite():
    made, repairs = three_items(*INDEFINITE), repairs_of(three_items(*INDEFINITE).K)
    found = {
        "eigenvalues": made.eigenvalues,
        "eigenvector_of_smallest": made.pattern,
        "negative_mass": made.negative_mass,
        "clip_diagonal": np.diag(repairs[0].K),
    }
    for each in repairs:
        found[f"{each.method}_distance"] = each.distance
        found[f"{each.method}_r12"], found[f"{each.method}_r13"] = each.K[0, 1], each.K[0, 2]
    return found


def of_intervals():
    made = {
        name: three_items(*map(float, name.split(",")), 0.0)
        for name in ("0.9,0.9", "0.6,-0.5", "0.5,0.5", "0,0", "1,0.3")
    }
    return {name: [each.low, each.middle, each.high, each.largest_det] for name, each in made.items()}


def of_machines():
    made = trained(band(4), [-1, 1, 1, -1], 10.0)
    assert [each.beta.round(6).tolist() for each in made] == [[-9, 10, 0, -1], [-1, 0, 10, -9]]
    return {"objective_A": made[0].dual, "objective_B": made[1].dual}


def of_growth():
    return dict(zip(("C_1", "C_10", "C_100"), dual_growth(band(3), [-1, 1, -1], [1, 10, 100]), strict=True))


MADE = {
    "3.indefinite": of_indefinite,
    "3.interval": of_intervals,
    "3.svm_unbounded": of_growth,
    "3.svm_two_answers": of_machines,
    "3.elliptope": lambda: {
        "half_axes_0.9": two_unknown(0.9).half_axes,
        "area_over_square_0.9": share_of_square(0.9),
        "area_over_square_0": share_of_square(0.0),
        "volume_share_three_unknown": SHARE_OF_CUBE,
    },
    "3.through_item_2": lambda: {
        f"rho_{rho}": three_items(*INDEFINITE, nugget=float(rho)).through for rho in ("0", "0.1")
    },
}


@pytest.mark.parametrize("key", MADE)
def test_numbers_are_those_of_the_specification(key, known):
    expected, found = known[key]["expected"], MADE[key]()
    assert expected.keys() == found.keys()
    for name, value in expected.items():
        assert np.allclose(found[name], value, rtol=1e-9, atol=1e-5), name


def test_every_key_of_the_specification_is_compared(known):
    assert {key for key in known if key.startswith("3.")} == set(MADE)


@pytest.mark.parametrize("given", [(0.9, 0.9, 0.62), (0.6, -0.5, 0.3), (1.0, 0.3, 0.3), (-1.0, 0.5, 0.0)])
def test_inside_the_interval_and_nowhere_else_the_determinant_and_the_eigenvalues_allow_a_kernel(given):
    made = three_items(*given)
    assert np.isclose(made.det, np.linalg.det(made.K), atol=1e-12)
    assert made.fits == (made.low - 1e-9 <= given[2] <= made.high + 1e-9)
    assert np.isfinite([made.through, made.middle, made.largest_det]).all()


def test_one_point_is_left_where_two_items_are_the_same_and_beyond_one_is_refused():
    made = three_items(1.0, 0.3, 0.3)
    assert made.low == made.high == 0.3
    with pytest.raises(InvalidInputError, match="r13"):
        three_items(0.9, 0.9, 1.2)


def test_the_challenge_is_judged_by_the_matrix():
    assert check_largest(0.3928).right
    assert check_largest(0.389).right
    for wrong, word in ((1.0, "do not fit"), (-0.3, "a larger one fits"), (0.41, "do not fit")):
        made = check_largest(wrong)
        assert not made.right
        assert word in made.said


def test_the_ellipse_and_the_body_are_where_the_determinant_is_zero(rng):
    t = np.linspace(0.0, 2.0 * np.pi, 50)
    r13, r23 = two_unknown(0.4).outline(t).T
    assert np.abs(determinant(0.4, r23, r13)).max() < 1e-12
    x, y, z = elliptope(21)
    assert np.abs(determinant(x, y, z)).max() < 1e-12
    # its inside, counted: 200,000 points of the cube, standard error .0011
    cube = rng.uniform(-1.0, 1.0, (3, 200_000))
    assert np.mean(determinant(*cube) >= 0.0) == pytest.approx(SHARE_OF_CUBE, abs=0.005)


def test_a_kernel_gives_one_machine_whatever_the_start():
    K = band(6) * 0.4 + 0.6 * np.eye(6)
    made = edited(K)
    assert not made.diagnosis.indefinite
    assert made.repairs == ()
    assert len(trained(K, [1, -1, 1, -1, 1, -1], 10.0)) == 1


@pytest.mark.parametrize("n", range(3, 7))
def test_the_editor_says_of_every_size_what_is_wrong_with_the_band(n):
    made = edited(band(n))
    assert made.diagnosis.indefinite
    assert np.isclose(made.pattern @ made.K @ made.pattern, made.eigenvalues[0])
    assert [np.linalg.eigvalsh(each.K)[0] > -1e-12 for each in made.repairs] == [True] * 4


def test_an_entry_has_an_interval_where_the_others_fit():
    K = band(4) * 0.4 + 0.6 * np.eye(4)
    low, high = entry_interval(K, 0, 3)
    for value, fits in ((low + 1e-6, True), (high - 1e-6, True), (low - 1e-3, False), (high + 1e-3, False)):
        K[0, 3] = K[3, 0] = value
        assert (np.linalg.eigvalsh(K)[0] >= 0.0) == fits
    assert entry_interval(band(4), 0, 3) is None


@pytest.mark.parametrize(
    ("K", "said"),
    [
        (np.eye(2), "3 to 6"),
        (np.eye(7), "3 to 6"),
        (2.0 * np.eye(3), "itself by 1"),
        (band(3) + np.array([[0, 0, 2], [0, 0, 0], [2, 0, 0]]), "between"),
    ],
)
def test_what_the_editor_refuses(K, said):
    with pytest.raises(InvalidInputError, match=said):
        edited(K)
    with pytest.raises(InvalidInputError, match="both occur"):
        trained(band(3), [1, 1, 1], 1.0)


@pytest.mark.parametrize("C", [1.0, 10.0])
def test_the_dual_of_a_machine_that_says_the_same_of_every_item(C):
    """K β is the same for all items, so the solver gives no weights, but training ends at this β."""
    K = np.array([[1.0, 0.6, 0.1], [0.6, 1.0, 0.9], [0.1, 0.9, 1.0]])
    beta = C * np.array([-1.0, 3.0, -2.0]) / 3.0
    assert np.ptp(K @ beta) == pytest.approx(0.0, abs=1e-12)
    (made,) = trained(K, [-1.0, 1.0, -1.0], C)
    assert made.dual == pytest.approx(np.abs(beta).sum() - beta @ K @ beta / 2.0)
    assert np.array_equal(dual_growth(K, [-1.0, 1.0, -1.0], [C]), [made.dual])
