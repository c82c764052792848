import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons.missing_structures import (
    METRIC,
    TARGET,
    best_without_constraint,
    check_rod,
    ellipse_of_metric,
    hidden_item,
    rod,
)


def of_angles():
    made = {theta: rod(float(theta), 1.0) for theta in (0, 30, 60, 90)}
    return {f"theta_{t}": [each.shear, each.free, each.free_eigenvalue] for t, each in made.items()}


def of_norms():
    best = best_without_constraint(0.0)
    residual = [np.linalg.eigvalsh(np.array(METRIC) - np.diag([q, 0.0])) for q in best]
    norms = [np.linalg.norm(each, p) for each, p in zip(residual, (1, 2, np.inf), strict=True)]
    return {"best_q_p1_p2_pinf": best, "norm_there": norms}


def of_nugget(rho):
    made = hidden_item(rho)
    return {
        "W3": made.weights,
        "T_hat_row3": made.row,
        "unexplained": made.unexplained,
        **{f"lambda_min_scale_{c}": hidden_item(rho, float(c)).eigenvalue for c in ("1", "1.05", "0.9")},
    }


MADE = {
    "7.cut_and_shadow": of_angles,
    "7.certificate": lambda: {f"q_{q}": rod(0.0, float(q)).eigenvalue for q in ("1", "2", "2.5", "3", "4")},
    "7.free_depends_on_norm": of_norms,
    **{f"7.hidden_item_rho{rho}": lambda rho=rho: of_nugget(rho) for rho in (0.1, 0.0, 1.0)},
}


@pytest.mark.parametrize("key", MADE)
def test_numbers_are_those_of_the_specification(key, known):
    expected, found = known[key]["expected"], MADE[key]()
    assert expected.keys() == found.keys()
    for name, value in expected.items():
        assert np.allclose(found[name], value, atol=known[key]["tolerance"]["abs"]), name


def test_every_key_of_the_specification_is_compared(known):
    assert {key for key in known if key.startswith("7.")} == set(MADE)


@pytest.mark.parametrize("theta", [0.0, 25.0, 60.0, 135.0, 180.0])
def test_the_longest_rod_ends_on_the_outline_and_the_free_one_is_its_shadow(theta):
    made, outline = rod(theta, 1.0), ellipse_of_metric().outline(np.linspace(0.0, 2.0 * np.pi, 100_001))
    end = np.sqrt(made.shear) * made.u
    assert end @ np.linalg.inv(METRIC) @ end == pytest.approx(1.0)
    assert (outline @ made.u).max() == pytest.approx(np.sqrt(made.free), abs=1e-6)
    assert rod(theta, made.shear).holds
    assert not rod(theta, made.shear + 1e-6).holds


def test_what_no_rod_fits_into_and_what_is_refused():
    singular = [[1.0, 1.0], [1.0, 1.0]]
    off, along = rod(30.0, 0.0, singular), rod(45.0, 2.0, singular)
    assert off.shear == pytest.approx(0.0, abs=1e-9)
    assert "use the free form" in off.notes[0]
    assert along.shear == pytest.approx(2.0)
    assert along.holds
    with pytest.raises(InvalidInputError, match="angle"):
        rod(181.0, 1.0)
    with pytest.raises(InvalidInputError, match="nugget"):
        hidden_item(0.0, 1.0, [[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]])


@pytest.mark.parametrize("rho", [0.0, 0.1, 1.0])
def test_the_hidden_item_lies_in_the_ellipse_of_the_known_ones_as_large_as_its_own_similarity(rho):
    made = hidden_item(rho)
    pair = made.row[:2]
    assert pair @ np.linalg.inv(TARGET) @ pair == pytest.approx(made.row[2])
    assert made.row[2] < 1.0
    assert [hidden_item(rho, c).holds for c in (0.9, 1.0, 1.05)] == [True, True, False]


def test_the_challenge_is_judged_by_the_certificate():
    assert check_rod(1.224).right
    assert check_rod(1.233).right
    for wrong, word in ((2.366, "leaves"), (1.0, "longer one"), (1.24, "leaves")):
        made = check_rod(wrong)
        assert not made.right
        assert word in made.said
