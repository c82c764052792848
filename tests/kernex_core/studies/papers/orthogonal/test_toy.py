import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.papers.orthogonal.toy import TOY_CODES, TOY_X, toy_lesson
from tests.oracles.vectors import load


def test_the_patterns_are_those_of_the_paper():
    vector = load()["toy_hard_margin"]["input"]
    np.testing.assert_array_equal(TOY_X, vector["X"])
    np.testing.assert_array_equal(2 * TOY_CODES - 1, vector["y"])


def test_the_plain_margin_learns_coordinates_by_heart():
    expected = load()["toy_hard_margin"]["expected"]
    made = toy_lesson()
    np.testing.assert_allclose(made.response, expected["w"], atol=1e-6)
    np.testing.assert_allclose(made.coefficients, expected["a"], atol=1e-6)
    assert made.bias == pytest.approx(expected["b"], abs=1e-6)
    assert abs(made.response[0]) < 0.4 * abs(made.response[3])


@pytest.mark.parametrize("p", [1.0, 0.5])
def test_the_map_finds_the_shared_feature(p):
    vector = load()[f"toy_empirical_p{p}"]
    made, expected = toy_lesson(p), vector["expected"]
    np.testing.assert_array_equal(TOY_X @ TOY_X.T, vector["input"]["K"])
    E = np.abs(TOY_X @ TOY_X.T) ** p
    # the vector gives the weights of the empirical features
    np.testing.assert_allclose(E.T @ made.coefficients, expected["a_emp"], atol=1e-5)
    assert made.bias == pytest.approx(expected["b"], abs=1e-5)
    assert made.decisions[0] == pytest.approx(expected["f_e1"], abs=1e-5)


@pytest.mark.parametrize(("p", "f"), [(None, 0.020), (1.0, 0.0008), (0.5, 0.130), (0.2, 0.514), (0.1, 0.743)])
def test_the_decision_on_feature_1_is_the_published_one(p, f):
    assert toy_lesson(p).decisions[0] == pytest.approx(f, abs=6e-4)


def test_all_training_patterns_are_right_and_a_pattern_without_any_is_negative():
    made = toy_lesson(0.1)
    assert made.response[1] == pytest.approx(0.0, abs=1e-9)
    assert made.bias < 0


@pytest.mark.parametrize("p", [0.0, 2.0])
def test_p_out_of_range_is_refused(p):
    with pytest.raises(InvalidInputError, match="p has to be"):
        toy_lesson(p)
