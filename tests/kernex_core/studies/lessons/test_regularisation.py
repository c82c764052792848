import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons.regularisation import (
    BETS,
    MARGINS,
    NUMBERS,
    RIDGE,
    X,
    Y,
    best_strength,
    check_bet,
    check_challenge,
    coefficient_paths,
    coefficients_at,
    decomposition,
    draw,
    hard_margin,
    left_out_choices,
    levels,
    many_curves,
    noisy_curve,
    slopes,
)


def test_coefficients(known):
    vector, made = known["2.ridge"], coefficient_paths()
    np.testing.assert_array_equal(X, vector["inputs"]["X"])
    np.testing.assert_array_equal(Y, vector["inputs"]["y"])
    expected = vector["expected"]
    for name in ("lam_0", "lam_0.1", "lam_1", "lam_10"):
        found = coefficients_at(float(name.removeprefix("lam_")))
        np.testing.assert_allclose(found, expected[name], rtol=1e-4)
    for name in ("crosses_at", "peaks_at", "peak"):
        wanted = {"crosses_at": "beta2_zero_at", "peaks_at": "beta2_peak_at", "peak": "beta2_peak"}[name]
        assert getattr(made, name) == pytest.approx(expected[wanted], rel=1e-4)
    assert made.correlation == pytest.approx(expected["corr_x1_x2"])
    np.testing.assert_array_equal(made.unpenalised, coefficients_at(0.0))


def test_dual_and_primal_agree():
    path = coefficient_paths().path
    np.testing.assert_allclose(path.dual @ X, path.primal, atol=1e-9)


@pytest.mark.parametrize("lam", [0.82, 5 / 6, 0.85])
def test_the_challenge_is_met_within_its_tolerance(lam):
    assert check_challenge(lam).right


@pytest.mark.parametrize("lam", [0.0224, 0.8, 0.87, 5.0])
def test_the_challenge_is_missed_elsewhere(lam):
    assert not check_challenge(lam).right


def test_the_bet():
    assert [bet for bet in BETS if check_bet(bet).right] == ["crosses"]


def test_bias_and_variance(known):
    expected = known["2.bias_variance"]["expected"]
    lams = [0.0001, 0.01, 0.1, 1.0]
    made = decomposition(np.array(lams))
    for k, lam in enumerate(lams):
        found = made.squared_bias[k], made.variance[k], made.effective[k]
        np.testing.assert_allclose(found, expected[f"lam_{lam:g}"], rtol=1e-4)
    best = best_strength()
    assert best.lam == pytest.approx(expected["best_lam"], rel=1e-4)
    assert best.error == pytest.approx(expected["best_sum"], rel=1e-4)
    assert best.equal_at == pytest.approx(expected["equal_at"], rel=1e-4)


def test_two_hundred_curves_scatter_as_they_should():
    made = many_curves(0.1)
    assert made.fits.shape == (200, 101)
    np.testing.assert_allclose(made.fits.std(axis=0, ddof=1), made.sd, rtol=0.2)
    np.testing.assert_allclose(made.fits.mean(axis=0), made.mean, atol=4.0 * made.sd.max() / np.sqrt(200))
    one = noisy_curve(0.1, 7)
    np.testing.assert_allclose(made.fits[7], one.fit, atol=1e-9)
    np.testing.assert_array_equal(one.y, draw(7))


def test_leave_one_out(known):
    expected, made = known["2.loo_choice"]["expected"], left_out_choices()
    np.testing.assert_allclose(made[:3], [expected[f"seed_{k}"] for k in range(3)], rtol=1e-3)
    found = np.median(made), np.quantile(made, 0.1), np.quantile(made, 0.9)
    np.testing.assert_allclose(found, [expected[name] for name in ("median", "q10", "q90")], rtol=1e-3)
    assert noisy_curve(0.1, 1).chosen == made[1]
    with pytest.raises(InvalidInputError, match="at most 199"):
        draw(200)


def test_slopes(known):
    expected = known["2.losses_slope"]["expected"]
    for each in slopes():
        name = each.loss.name.lower().replace(" ", "_")
        assert each.slope == pytest.approx(expected[name], abs=2e-4)
        assert each.without_far == pytest.approx(expected[f"{name}_without_8"], abs=2e-4)
        # the loss itself, not its slopes, minimised by other code
        other = minimize_scalar(
            lambda w, loss=each.loss: loss.value(MARGINS * w).mean() + RIDGE * w * w, tol=1e-12
        )
        assert each.slope == pytest.approx(other.x, abs=1e-6)
    given_away = {each.loss.name: 1.0 - each.slope / each.without_far for each in slopes()}
    assert given_away.pop("Square") == pytest.approx(
        2.0 / 3.0, abs=0.03
    )  # what the page says of the item that is too right
    assert max(given_away.values()) <= 1.0 / 6.0 + 1e-6


def test_levels(known):
    expected, made = known["2.losses_level"]["expected"], levels()
    wanted = [
        np.broadcast_to(expected[name], 2) for name in ("square", "absolute", "eps_1", "huber_1", "huber_2")
    ]
    np.testing.assert_allclose([(low, high) for _, low, high in made], wanted, atol=1e-6)
    for loss, low, high in made:
        at = loss.value(NUMBERS - (low + high) / 2.0).sum()
        assert at <= min(loss.value(NUMBERS - t).sum() for t in np.linspace(-1, 15, 321)) + 1e-9


def test_the_hard_margin_is_reached(known):
    expected = known["2.hard_margin"]["expected"]
    made = hard_margin(np.array([0.1, 0.25, 0.5, 100.0]))
    np.testing.assert_allclose(
        made.w, [expected[f"w_C{C}"] for C in ("0.1", "0.25", "0.5", "100")], atol=2e-4
    )
    assert made.from_C == pytest.approx(expected["hard_from_C"], abs=2e-4)
    assert made.lam == pytest.approx(expected["lambda_there"], abs=2e-4)
