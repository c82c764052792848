"""Kernels that are given with few digits are no kernels by a hair: said, not refused."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernex_core import (
    CrossValidation,
    GramMatrix,
    Labels,
    center,
    cosine_normalize,
    diagnose,
    extrapolate,
    health,
    joint_path,
    joint_regularize,
    judge,
    read_samples,
    repair_psd,
    signed_power,
)
from kernex_core.base.digits import digits_tolerance, few_digits, half_units
from kernex_core.base.errors import NotPositiveSemidefiniteError
from kernex_core.base.validation import check_kernel
from kernex_core.completion.complete import COMPLETIONS, Complete
from kernex_core.gram.combine import Product, WeightedSum
from kernex_core.gram.split import split_inductively
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.studies.completion.study import CompletionConfig, prepare
from kernex_core.studies.evaluation import EvaluationConfig, judged_form
from tests.kernex_core.inputs.dialects import matrix_bytes


def low_rank(n=40, d=3, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, d))
    return X @ X.T


def half_unit(values):
    """Largest half unit of all numbers."""
    return float(half_units(values).max(initial=0.0))


def single(K):
    K = K.astype(np.float32)
    return ((K + K.T) / 2).astype(np.float64)


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        (np.round(low_rank(), 6), 0.5e-6),
        (np.round(low_rank(), 9), 0.5e-9),
        (1000 * np.round(low_rank(), 6), 0.5e-3),
        (single(low_rank()), 2.0**-24 * single(low_rank()).max()),
        (low_rank(), 0.0),
        (np.round(100 * low_rank()), 0.0),  # whole numbers are counted, not rounded
        (np.array([[1.0, 0.5], [0.5, 0.2]]), 0.0),  # one digit says nothing
        (np.zeros((2, 2)), 0.0),
        (np.array([[np.nan, 0.123456], [0.123456, np.nan]]), 0.5e-6),
        (np.array([[1.0, 0.95], [0.95, 0.9]]), 0.0),  # few different numbers may be exact
        (np.round(100 * low_rank()) * 100, 0.5e2),  # whole, but of more digits than are given
    ],
)
def test_half_a_unit_of_the_last_digit(values, unit):
    assert half_units(values).max(initial=0.0) == pytest.approx(unit, rel=1e-9)


@pytest.mark.parametrize("rounded", [lambda K: np.round(K, 6), lambda K: np.round(K, 4), single])
@pytest.mark.parametrize("n", [10, 40, 90])
def test_a_rounded_kernel_is_one_within_its_digits(rounded, n):
    K = rounded(low_rank(n))
    smallest = np.linalg.eigvalsh(K)[0]
    assert (
        -n * half_units(K).max(initial=0.0) <= smallest < -1e-9
    )  # Weyl's bound holds, and the matrix is indefinite
    made = diagnose(K)
    assert made.negative == 0
    assert not made.indefinite
    assert made.digits == pytest.approx(n * half_units(K).max(initial=0.0))
    nearest = check_kernel(K)
    assert np.linalg.eigvalsh(nearest)[0] > -1e-12 * np.abs(K).max() * n
    assert np.abs(nearest - K).max() <= n * half_units(K).max(initial=0.0)
    joint_path(K, K, nugget=0.0).kernel(0.5)
    extrapolate(K, K[:5, :5], range(5))


@pytest.mark.parametrize(
    "K", [[[1, 2], [2, 1]], [[1.0, 0.95], [0.95, 0.9]], [[1.0, 0.123456], [0.123456, 0.0]]]
)
def test_what_digits_do_not_explain_is_refused_as_before(K):
    with pytest.raises(NotPositiveSemidefiniteError):
        joint_path(np.array(K, float), np.eye(2))
    assert diagnose(np.array(K, float)).negative == 1


def test_the_report_says_so():
    K = np.round(low_rank(), 6)
    found = read_samples(matrix_bytes(K, [f"i{k}" for k in range(40)]), "k.csv")
    said = " ".join(note.text for note in health(found).notes)
    assert "positive semidefinite within the digits of the file" in said
    assert "40 × half a unit" in said
    assert health(found).negative_mass == 0.0
    assert "within the digits" in check_judgeable(found.gram, allow_indefinite=True)[0]
    exact = read_samples(matrix_bytes(low_rank(), [f"i{k}" for k in range(40)]), "k.csv")
    assert "within the digits" not in " ".join(note.text for note in health(exact).notes)


def written(K, form):
    """A matrix as a file in this format gives it back."""
    return np.array([[float(form % entry) for entry in row] for row in K])


FORMS = ("%.6e", "%.3e", "%g", "%.5g", "%.4g", "%.6f", "%.2f")


@pytest.mark.parametrize("form", FORMS)
def test_each_number_has_a_last_digit_of_its_own(form):
    exact = low_rank(60, 5) * np.outer(*(2 * (10.0 ** np.linspace(-1, 1, 60),)))
    K = written(exact, form)
    bound = half_units(K)
    assert (np.abs(K - exact) <= bound * (1 + 1e-9) + 1e-300).all()
    assert half_units(K).max(initial=0.0) <= 20 * np.abs(K - exact).max()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_a_kernel_written_in_few_digits_is_one(form, seed):
    K = written(low_rank(60, 5, seed), form)
    assert np.linalg.eigvalsh(K)[0] < -1e-9
    check_kernel(K)
    assert not diagnose(K).indefinite
    assert diagnose(GramMatrix(K)).few_digits == diagnose(K).few_digits == few_digits(half_units(K), K)
    said = check_judgeable(GramMatrix(K))[0]
    assert "within the digits" in said
    assert ("few" in said) == few_digits(half_units(K), K)


@given(
    n=st.integers(12, 25), rank=st.integers(1, 6), figures=st.integers(2, 10), fixed=st.booleans(),
    scale=st.sampled_from([1e-6, 0.3, 1.0, 1e5]), seed=st.integers(0, 10**6),
)  # fmt: skip
def test_any_kernel_in_so_many_digits_is_accepted_and_nothing_that_is_clearly_none(
    n, rank, figures, fixed, scale, seed
):
    exact = low_rank(n, rank, seed)
    K = np.round(exact, figures) if fixed else written(scale * exact, f"%.{figures - 1}e")
    check_kernel(K)
    # pushed below what its digits explain, in the same digits
    size, vectors = np.linalg.eigh(K)
    pushed = K - (3.0 * digits_tolerance(K) + 0.2 * size[-1] + size[0]) * np.outer(
        vectors[:, 0], vectors[:, 0]
    )
    pushed = np.round(pushed, figures) if fixed else written(pushed, f"%.{figures - 1}e")
    pushed = (pushed + pushed.T) / 2 if fixed else np.maximum(pushed, pushed.T)
    assume(np.linalg.eigvalsh(pushed)[0] < -1.5 * digits_tolerance(pushed) - 1e-9 * size[-1])
    with pytest.raises(NotPositiveSemidefiniteError):
        check_kernel(pushed)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("tiny", [5e-324, 3e-318, 1.234567e-310, 2e-308, 7.77e-300])
def test_numbers_at_the_end_of_what_floats_hold_say_nothing_about_digits(tiny):
    K = written(low_rank(), "%.4f")
    right = half_units(K)
    assert right == 0.5e-4
    K[0, 1] = K[1, 0] = tiny
    assert half_units(K) == right
    K = written(low_rank(), "%.3e")
    units = half_units(K)
    K[0, 1] = K[1, 0] = tiny
    found = half_units(K)
    assert found[0, 1] <= units.min()
    found[0, 1] = found[1, 0] = units[0, 1]
    assert np.array_equal(found, units)
    assert half_units(np.array([[tiny, 0.0], [0.0, 3.0 * tiny]])) == 0.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1e296, 1e300, 1e307])
def test_digits_of_numbers_near_the_largest_float_are_found(scale):
    K = low_rank()
    K *= 0.5 / np.abs(K).max()
    for values in (scale * K, written(scale * K, "%.3e")):
        assert np.isfinite(half_units(values)).all()
    assert half_units(written(scale * K, "%.3e")).max() == pytest.approx(0.5e-3 * scale / 10, rel=1e-9)


STEPS = {
    "cosine": cosine_normalize,
    "centre": center,
    "centre, cosine": lambda K: cosine_normalize(center(K)),
    "cosine, centre": lambda K: center(cosine_normalize(K)),
    "power 1": lambda K: cosine_normalize(signed_power(K, 1.0)),
    "sum": lambda K: K.then(WeightedSum(cosine_normalize(K), 0.7)),
    "product": lambda K: K.then(Product(cosine_normalize(K))),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("rounded", [*(lambda K, form=form: written(K, form) for form in FORMS), single])
def test_digits_are_carried_through_steps(step, rounded):
    exact = low_rank(40, 3) * np.outer(*(2 * (np.linspace(0.5, 3, 40),))) + 0.01
    given_, y = GramMatrix(rounded(exact)), ["a", "b"] * 20
    made, right = step(given_), step(GramMatrix(exact))
    assert made.digits < 0.8 * np.abs(np.linalg.eigvalsh(made.values)).max()
    for inductive in (False, True):
        judge(made, y, CrossValidation(folds=2, repeats=1, inductive=inductive))
    assert not diagnose(made).indefinite
    # a sound bound of the smallest eigenvalue
    assert np.linalg.eigvalsh(made.values)[0] >= -made.digits - 1e-9
    assert right.digits == 0.0


def test_a_sum_of_exact_kernels_carries_nothing():
    K = GramMatrix(low_rank())
    assert center(cosine_normalize(K)).digits == 0.0
    assert np.array_equal(
        cosine_normalize(GramMatrix(np.round(low_rank(), 3))).take(range(9)).error_bound.shape, (9, 9)
    )


@pytest.mark.parametrize("step", [cosine_normalize, center, lambda K: K])
def test_what_is_clearly_no_kernel_stays_none_after_a_step(step):
    K = low_rank()
    K[0, 1] = K[1, 0] = 1.5 * np.sqrt(K[0, 0] * K[1, 1])
    with pytest.raises(NotPositiveSemidefiniteError):
        judge(step(GramMatrix(np.round(K, 6))), ["a", "b"] * 20, CrossValidation(folds=2, repeats=1))


def test_a_repair_ends_what_the_digits_explain():
    K = GramMatrix(np.round(low_rank(), 3))
    assert repair_psd(K, "clip").gram.digits == 0.0
    assert cosine_normalize(repair_psd(K, "clip").gram).digits == 0.0


@pytest.mark.parametrize("rounded", [lambda K: np.round(K, 6), single])
def test_evaluate_judges_a_normalised_kernel_of_few_digits_as_it_was_brought(rounded):
    K = cosine_normalize(GramMatrix(rounded(low_rank()), name="k"))
    form = judged_form(EvaluationConfig(), K)
    assert not any(step.name.startswith("clip") for step in form.steps)
    y = Labels(K.ids, np.array(["a", "b"] * 20))
    assert judge(form, y, CrossValidation(folds=2, repeats=1, inductive=False)).state.words == "as brought"


def test_normalised_kernels_of_few_digits_enter_the_joint_kernel_and_a_completion():
    K = cosine_normalize(GramMatrix(np.round(low_rank(), 6)))
    joint_path(K, K, nugget=0.0).kernel(0.5)
    joint_regularize([K, K], [0.5, 0.5], nugget=0.0)
    extrapolate(K, K.take(range(5)), range(5))


@pytest.mark.parametrize("normalise", [lambda K: K, cosine_normalize], ids=["as it is", "normalised"])
@pytest.mark.parametrize("method", [each.name for each in COMPLETIONS])
def test_what_is_completed_is_a_kernel_whatever_digits_it_was_made_of(method, normalise):
    """The digits end at Complete: the nearest kernel is completed, and inside folds it is the nearest one of the fold."""
    given_ = np.round(low_rank(), 3)
    given_[30:] = given_[:, 30:] = np.nan
    target = normalise(GramMatrix(given_))
    source = cosine_normalize(GramMatrix(np.round(low_rank(40, 25, seed=1), 3)))
    assert np.linalg.eigvalsh(target.values[:30, :30])[0] < 0.0
    made = target.then(Complete(source, method=method, lam=0.5, nugget=0.01))
    assert made.digits == 0.0
    assert np.linalg.eigvalsh(made.values)[0] >= -1e-9
    if method in ("extrapolated", "zero-fill"):
        assert np.linalg.norm(made.values[:30, :30] - target.values[:30, :30], 2) <= target.digits
    y, train = ["a", "b"] * 20, np.arange(4, 40)
    judge(made, y, CrossValidation(folds=2, repeats=1))
    if method in ("joint", "extrapolated", "nystroem"):
        part = split_inductively(made, train, np.arange(4)).K_train
        right = target.take(train).then(Complete(source.take(train), method=method, lam=0.5, nugget=0.01))
        np.testing.assert_allclose(part, right.values, atol=1e-10)
    study = CompletionConfig(repair="none", normalize=False, share=None, nugget=0.01)
    shown = prepare(study, source, target)
    np.testing.assert_allclose(shown.kernel(0.5, method).values, made.values, atol=1e-10)


def test_a_part_of_a_matrix_has_the_digits_of_the_whole():
    K = cosine_normalize(GramMatrix(np.round(low_rank(), 2)))
    assert K.take(range(5)).error_bound == pytest.approx(K.error_bound[:5, :5])
    assert K.take(range(3, 20)).take(range(5)).error_bound == pytest.approx(K.error_bound[3:8, 3:8])
    extrapolate(K, K.take(range(5)), range(5))


@pytest.mark.parametrize(("form", "severity"), [("%.6f", "fine"), ("%.2f", "warning"), ("%.4g", "warning")])
def test_few_digits_are_a_warning_in_the_report(form, severity):
    K = written(low_rank(60, 5), form)
    (note,) = [one for one in health(GramMatrix(K)).notes if "within the digits of the file" in one.text]
    assert note.severity == severity
    assert ("digits are few" in note.text) == (severity == "warning")
