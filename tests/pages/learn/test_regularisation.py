"""One walk through the lesson on regularisation; its numbers are tested with the core, here they are compared with it."""

import numpy as np
import pytest

from kernex_core.studies.lessons.regularisation import coefficients_at, hard_margin, many_curves, noisy_curve
from pages.learn.regularisation import LOSSES
from tests.pages.learn.walk import Walk


def test_walk():
    walk = Walk("regularisation")
    walk.bet("rises")
    right, because = walk.verdict()
    assert not right
    assert "every coefficient" in because
    primal, dual = walk.readings().values()
    assert primal == dual
    assert [float(each.replace("−", "-")) for each in primal.split(",")] == pytest.approx(
        coefficients_at(0.1), abs=6e-5
    )
    assert not walk.check()[0]
    walk.set(lam=0.82)
    assert walk.check()[0]
    page = walk.carry()
    assert not page.warning or all("default value" not in each.value for each in page.warning)
    assert page.session_state["kernelridge_lam"] == 1.0


def test_bias_and_variance_and_what_leave_one_out_chooses():
    walk = Walk("regularisation", bet="-", step_r="Bias and variance")
    walk.set(seed=2)
    shown, exact = walk.readings(), many_curves(0.1, 1)
    assert float(shown["bias²"]) == pytest.approx(exact.squared_bias, rel=5e-3)
    assert float(shown["variance"]) == pytest.approx(exact.variance, rel=5e-3)
    assert float(shown["leave-one-out chooses λ ="]) == pytest.approx(noisy_curve(0.1, 2).chosen, rel=5e-3)


def test_every_loss_has_its_solution_and_the_margin_its_slope():
    walk = Walk("regularisation", bet="-", step_r="Losses")
    seen = {}
    for loss in LOSSES:
        walk.set(loss=loss)
        seen[loss] = tuple(walk.readings().values())
    assert seen["Square of a margin"] == ("0.165", "0.457")
    assert seen["ε-insensitive, ε = 1 of a residual"] == ("all of 2 to 3",)
    hard = Walk("regularisation", bet="-", step_r="Hard margin", r_C="1")
    shown, core = hard.readings(), hard_margin(np.array([1.0]))
    assert float(shown["w"]) == pytest.approx(core.w[0], abs=5e-3)
    assert shown["short of it, Σξ"] == "0.000"
