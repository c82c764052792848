import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons.smoothness import (
    BETS,
    FREQUENCIES,
    START,
    SmoothChoice,
    check_bet,
    check_challenge,
    curve_points,
    smooth_curve,
)

CHOICES = {
    "min": lambda _: SmoothChoice(),
    "gauss": lambda value: SmoothChoice("Gaussian", sigma=value),
    "laplace": lambda value: SmoothChoice("Laplace", gamma=value),
    "sinc": lambda value: SmoothChoice("Sinc", omega=value),
}


def test_curves(known):
    seen = 0
    for key, vector in known.items():
        if not key.startswith("4.") or "ratio" not in vector["expected"]:
            continue
        name, value = key.removeprefix("4.").split("_")[:2]
        expected = vector["expected"]
        made = smooth_curve(
            curve_points(**{k: vector["inputs"][k] for k in "xy"}), CHOICES[name](float(value))
        )
        assert made.squared_norm == pytest.approx(expected["norm2"], rel=1e-4), key
        assert made.ratio == pytest.approx(expected["ratio"], rel=1e-4), key
        if "pair" in expected:
            assert made.pair == pytest.approx(expected["pair"]), key
        seen += 1
    assert seen == 11


def test_the_band(known):
    vector, made = known["4.min_posterior"], smooth_curve(START, SmoothChoice())
    at = [round(200 * t) for t in vector["inputs"]["t"]]
    np.testing.assert_allclose(made.mean[at], vector["expected"]["mean"], atol=1e-6)
    np.testing.assert_allclose(made.sd[at] ** 2, vector["expected"]["variance"], atol=1e-6)


def test_densities(known):
    expected = known["4.spectral_densities"]["expected"]
    at = int(np.flatnonzero(FREQUENCIES == 3.0)[0])
    gauss, laplace, sinc = (
        smooth_curve(START, SmoothChoice(name)).density for name in ("Gaussian", "Laplace", "Sinc")
    )
    assert gauss[at] == pytest.approx(expected["gauss_s0.2_w3"], abs=1e-6)
    assert laplace[at] == pytest.approx(expected["laplace_exp_g5_w3"], abs=1e-6)
    assert sinc[np.abs(FREQUENCIES) <= 10].tolist() == [1.0] * 41
    assert sinc.sum() == 41


@pytest.mark.parametrize("y", [(0.5, 0.2, 0.9), (0.5, 1.0, 0.5), (0.2, 0.5, 0.8)])
def test_the_bars_are_the_roughness_of_the_curve(y):
    made = smooth_curve(curve_points((0.2, 0.5, 0.8), y), SmoothChoice())
    assert made.pieces.sum() == pytest.approx(made.squared_norm)
    # ∫f'² of the curve that is drawn
    assert (np.diff(made.mean) ** 2).sum() * 200 == pytest.approx(made.squared_norm)


@pytest.mark.parametrize(
    ("y", "right"),
    [((0.5, 0.2, 0.9), False), ((0.5, 1.0, 0.5), False), ((0.2, 0.5, 0.8), True), ((0.0, 0.5, 0.5), True)],
)
def test_the_challenge(y, right):
    made = smooth_curve(curve_points((0.2, 0.5, 0.8), y), SmoothChoice())
    assert check_challenge(made, SmoothChoice()).right == right


def test_any_one_ramp_reaches_the_bound_with_this_kernel_alone():
    ramp = curve_points((0.35,), (1.7,))
    assert check_challenge(smooth_curve(ramp, SmoothChoice()), SmoothChoice()).right
    other = SmoothChoice("Laplace")
    assert "minimum kernel" in check_challenge(smooth_curve(ramp, other), other).said


def test_the_bet():
    assert [bet for bet in BETS if check_bet(bet).right] == ["pieces"]


def test_zero_has_no_ratio():
    made = smooth_curve(curve_points((0.2, 0.5), (0.0, 0.0)), SmoothChoice())
    assert made.pair is None
    assert made.ratio is None
    assert "not defined" in made.notes[0]
    assert not check_challenge(made, SmoothChoice()).right


def test_two_values_at_one_place_need_a_nugget():
    made = smooth_curve(curve_points((0.2, 0.2, 0.5), (0.0, 0.5, 1.0)), SmoothChoice())
    assert made.nugget > 0
    assert made.mean[40] == pytest.approx(0.25, abs=1e-3)
    # as if there were one point between them
    between = smooth_curve(curve_points((0.2, 0.5), (0.25, 1.0)), SmoothChoice())
    assert made.squared_norm == pytest.approx(between.squared_norm, rel=1e-4)
    assert "same x" in made.notes[0]


def test_points_that_are_the_same_to_the_computer_need_a_nugget():
    jagged = curve_points(np.linspace(0, 1, 12), np.arange(12) % 2)
    made = smooth_curve(jagged, SmoothChoice("Gaussian", sigma=1.0))
    assert made.nugget > 0
    assert "condition above 1e12" in made.notes[0]
    for each in (made.mean, made.sd, made.squared_norm, made.ratio):
        assert np.isfinite(each).all()
    assert smooth_curve(jagged, SmoothChoice("Gaussian", sigma=0.05)).nugget == 0.0


def test_where_the_minimum_kernel_is_zero():
    through = smooth_curve(curve_points((0.0, 0.5), (0.0, 1.0)), SmoothChoice())
    assert not through.notes
    assert through.squared_norm == pytest.approx(2.0)
    beside = smooth_curve(curve_points((0.0, 0.5), (0.3, 1.0)), SmoothChoice())
    assert "0 at x = 0" in beside.notes[0]
    alone = smooth_curve(curve_points((0.0,), (0.3,)), SmoothChoice())
    assert alone.ratio is None
    assert not alone.mean.any()


@pytest.mark.parametrize(
    ("x", "y"),
    [((-0.1, 0.5), (0.0, 1.0)), ((1.1,), (0.0,)), ((), ()), ((0.1,) * 13, (0.0,) * 13), ((0.5,), (np.nan,))],
)
def test_other_points_are_refused(x, y):
    with pytest.raises(InvalidInputError):
        curve_points(x, y)
