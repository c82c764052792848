import numpy as np
import pytest
from scipy.optimize import brentq

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons.joint_ellipses import (
    bounded,
    check_bound,
    implied,
    joint_areas,
    joint_ellipses,
    joint_outlines,
    joint_term_on_boundary,
    slack_from,
)


def of_angle(degrees):
    found = {}
    for lam in ("0", "0.25", "0.5", "0.75", "1"):
        made = joint_ellipses(float(lam), degrees)
        Q = made.joint.Q
        areas = [made.joint.area / np.pi, made.added.area / np.pi]
        found[f"lam_{lam}"] = [Q[0, 0], Q[0, 1], Q[1, 1], *areas]
    return found


def bound_for(lam):
    """The c2 with which c1 = 1 implies a weight λ."""
    return brentq(lambda c2: bounded(1.0, c2).lam - lam, 0.05, 20.0, xtol=1e-10)


def of_bounds():
    found = {"c2_for_lambda_0.25": bound_for(0.25), "c2_for_lambda_0.75": bound_for(0.75)}
    for name in ("1_1", "1_0.5", "1_0.25", "1_2", "2_1", "20_1", "1_0.3333"):
        c1, c2 = (1.0 / 3.0 if part == "0.3333" else float(part) for part in name.split("_"))
        made = bounded(c1, c2)
        found[f"c_{name}"] = [*made.beta, *made.w, made.lam]
    return found


MADE = {
    **{f"8.ellipses_{degrees}": lambda degrees=degrees: of_angle(degrees) for degrees in (90, 60, 30)},
    "8.crossing_points": lambda: {"x": joint_ellipses(0.5).crossing[0]},
    "8.multipliers": of_bounds,
    "8.lemma6": lambda: {"range_of_wQw_on_boundary": joint_term_on_boundary(0.5, 1.0)},
}


@pytest.mark.parametrize("key", MADE)
def test_numbers_are_those_of_the_specification(key, known):
    expected, found = known[key]["expected"], MADE[key]()
    assert expected.keys() == found.keys()
    for name, value in expected.items():
        assert np.allclose(found[name], value, atol=known[key]["tolerance"]["abs"]), name


def test_every_key_of_the_specification_is_compared(known):
    assert {key for key in known if key.startswith("8.")} == set(MADE)


def radius(ellipse, ring):
    return 1.0 / np.sqrt(np.einsum("ij,jk,ik->i", ring, np.linalg.inv(ellipse.Q), ring))


@pytest.mark.parametrize("degrees", [0.0, 20.0, 90.0])
@pytest.mark.parametrize("lam", [0.0, 0.3, 1.0])
def test_the_joint_ellipse_holds_the_intersection_stays_in_the_union_and_goes_through_the_crossing_points(
    lam, degrees
):
    made = joint_ellipses(lam, degrees)
    t = np.linspace(0.0, 2.0 * np.pi, 361)
    ring = np.column_stack([np.cos(t), np.sin(t)])
    first, second, joint = (radius(each, ring) for each in (made.first, made.second, made.joint))
    assert (joint >= np.minimum(first, second) - 1e-9).all()
    assert (joint <= np.maximum(first, second) + 1e-9).all()
    assert np.allclose(1.0 / joint**2, lam / first**2 + (1.0 - lam) / second**2)
    assert len(made.crossing) == (4 if degrees else 0)
    if degrees:
        own = np.linalg.norm(made.crossing, axis=1)
        assert np.allclose(radius(made.joint, made.crossing / own[:, None]), own)


@pytest.mark.parametrize("degrees", [30.0, 90.0])
@pytest.mark.parametrize(("lam", "c"), [(0.2, 1.0), (0.5, 0.5), (0.9, 2.0)])
def test_the_joint_term_on_the_boundary_has_the_range_that_a_walk_along_it_finds(lam, c, degrees):
    made = joint_ellipses(lam, degrees)
    t = np.linspace(0.0, 2.0 * np.pi, 20_001)
    ring = np.column_stack([np.cos(t), np.sin(t)])
    w = ring * np.sqrt(2.0 * c) * np.minimum(radius(made.first, ring), radius(made.second, ring))[:, None]
    term = np.einsum("ij,jk,ik->i", w, np.linalg.inv(made.joint.Q), w)
    assert np.allclose([term.min(), term.max()], joint_term_on_boundary(lam, c, degrees), atol=1e-3)


def test_where_no_weight_is_defined_a_sentence_says_so():
    slack, same = bounded(20.0, 20.0), bounded(1.0, 1.0, 0.0)
    assert not slack.defined
    assert "No constraint binds" in slack.said
    assert not same.defined
    assert "the same" in same.said
    assert slack.w.tolist() == [2.0, 2.0]
    assert "Only constraint 2" in bounded(20.0, 1.0).said
    with pytest.raises(InvalidInputError, match="c2"):
        bounded(1.0, 0.0)


def test_the_challenge_is_judged_by_the_multipliers():
    assert check_bound(0.302).right
    assert check_bound(0.31).right  # λ .2542
    for wrong in (1.0 / 3.0, 1.0):
        made = check_bound(wrong)
        assert not made.right
        assert f"{made.value:.3f}" in made.said


def test_what_is_drawn_while_the_weight_moves_are_the_joint_ellipses():
    for lam, outline in zip((0.0, 0.3, 1.0), joint_outlines([0.0, 0.3, 1.0], 40.0), strict=True):
        Q = joint_ellipses(lam, 40.0).joint.Q
        assert np.allclose(np.einsum("ij,jk,ik->i", outline, np.linalg.inv(Q), outline), 1.0)


def test_implied_weights_are_those_of_the_fits_and_end_where_nothing_binds():
    c = [0.1, 1.0, 8.4, 8.6]
    found = implied(c)
    direct = [[bounded(c1, c2).lam for c1 in c] for c2 in c]
    np.testing.assert_allclose(found, direct, atol=1e-7)
    slack = np.array(c) > slack_from()
    np.testing.assert_array_equal(np.isnan(found), np.outer(slack, slack))


def test_areas_over_the_weights_are_those_of_the_ellipses():
    made = joint_ellipses(0.3, 50.0)
    expected = [[made.joint.area / np.pi], [made.added.area / np.pi]]
    np.testing.assert_allclose(joint_areas([0.3], 50.0), expected, rtol=1e-12)
