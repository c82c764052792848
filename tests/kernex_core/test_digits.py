"""Kernels that are given with few digits are no kernels by a hair: said, not refused."""

import numpy as np
import pytest

from kernex_core import diagnose, extrapolate, health, joint_path, read_samples
from kernex_core.digits import half_unit
from kernex_core.errors import NotPositiveSemidefiniteError
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.validation import check_kernel
from tests.kernex_core.inputs.dialects import matrix_bytes


def low_rank(n=40, d=3, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, d))
    return X @ X.T


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
    ],
)
def test_half_a_unit_of_the_last_digit(values, unit):
    assert half_unit(values) == pytest.approx(unit, rel=1e-9)


@pytest.mark.parametrize("rounded", [lambda K: np.round(K, 6), lambda K: np.round(K, 4), single])
@pytest.mark.parametrize("n", [10, 40, 90])
def test_a_rounded_kernel_is_one_within_its_digits(rounded, n):
    K = rounded(low_rank(n))
    smallest = np.linalg.eigvalsh(K)[0]
    assert -n * half_unit(K) <= smallest < -1e-9  # Weyl's bound holds, and the matrix is indefinite
    made = diagnose(K)
    assert made.negative == 0
    assert not made.indefinite
    assert made.digits == pytest.approx(n * half_unit(K))
    nearest = check_kernel(K)
    assert np.linalg.eigvalsh(nearest)[0] > -1e-12 * np.abs(K).max() * n
    assert np.abs(nearest - K).max() <= n * half_unit(K)
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
