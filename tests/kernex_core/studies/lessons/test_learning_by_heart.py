import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons import learning_by_heart as lesson
from kernex_core.studies.papers.orthogonal.toy import TOY_X


@pytest.fixture(scope="module")
def expected(known):
    return known["6.toy"]["expected"]


def test_the_kernel_as_it_is(expected):
    made = lesson.memory()
    np.testing.assert_allclose(made.response, expected["w"], atol=1e-5)
    assert made.bias == pytest.approx(expected["b"], abs=1e-5)
    assert made.shared == pytest.approx(expected["f_e1_plain"], abs=1e-5)
    assert made.cosine == pytest.approx(expected["cos12_plain"], abs=1e-8)
    assert lesson.right_bet() == 1


@pytest.mark.parametrize("p", [1.0, 0.8, 0.5, 0.3, 0.2, 0.1])
def test_powers(expected, p):
    made = lesson.memory(p)
    assert [made.shared, made.bias, made.cosine] == pytest.approx(expected[f"p{p:g}"], abs=1e-5)


def test_directions_have_the_cosines_and_lean_from_the_axes_only_where_a_feature_is_shared():
    last = 0.0
    for made in (lesson.memory(p) for p in (1.0, 0.5, 0.1)):
        np.testing.assert_allclose(made.directions @ made.directions.T, made.cosines, atol=1e-12)
        np.testing.assert_array_equal(made.directions[3:], np.eye(6)[3:])
        assert made.directions[0, 1] > last
        last = made.directions[0, 1]
    # without a machine: |K|^p of items 1 and 2, squared by the map
    E = np.abs(TOY_X @ TOY_X.T) ** 0.1
    assert made.cosine == pytest.approx(E[0] @ E[1] / np.linalg.norm(E[0]) / np.linalg.norm(E[1]), rel=1e-12)


def test_challenge(expected):
    assert lesson.largest_power() == pytest.approx(expected["p_where_f_e1_is_0.5"], abs=1e-5)
    assert [lesson.check(p).right for p in (0.205, 0.21, 0.5, 1.0, 0.1)] == [True, True, False, False, False]
    assert "but so it is at a larger p" in lesson.check(0.1).said
    assert lesson.check(0.5).value == pytest.approx(expected["p0.5"][0], abs=1e-5)


def test_what_the_slider_offers_falls_as_p_rises():
    made = [lesson.memory(p) for p in lesson.POWERS]
    assert len(made) == 197
    assert np.all(np.diff([each.shared for each in made]) < 0)


def test_power_0_is_refused():
    with pytest.raises(InvalidInputError, match="p has to be"):
        lesson.memory(0.0)
