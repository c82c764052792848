import numpy as np
import pytest

from kernex_core import (
    AllSubsets,
    Anova,
    Cosine,
    Gaussian,
    InvalidInputError,
    Laplace,
    Linear,
    Matern,
    Minimum,
    MinMax,
    Polynomial,
    RationalQuadratic,
    Sinc,
    Tanimoto,
    TooLargeError,
    Vectors,
)
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.vectors import vector_kernel
from kernex_core.kernels.vectors.distance import median_distance
from tests.oracles import vector_kernels as oracle
from tests.oracles.vectors import load

CASES = [
    (Linear(), oracle.linear, {}),
    (Polynomial(degree=3, constant=0.5), oracle.polynomial, {"degree": 3, "constant": 0.5}),
    (Polynomial(degree=2, constant=0.0), oracle.polynomial, {"degree": 2, "constant": 0.0}),
    (Gaussian(sigma=0.7), oracle.gaussian, {"sigma": 0.7}),
    (Laplace(gamma=0.3), oracle.laplace, {"gamma": 0.3}),
    (Minimum(), oracle.minimum, {}),
    (Sinc(omega=2.5), oracle.sinc, {"omega": 2.5}),
    (AllSubsets(), oracle.all_subsets, {}),
    (Anova(degree=3), oracle.anova, {"degree": 3}),
    (Cosine(), oracle.cosine, {}),
    (Tanimoto(), oracle.tanimoto, {}),
    (MinMax(), oracle.minmax, {}),
    *((Matern(sigma=0.7, nu=nu), oracle.matern, {"sigma": 0.7, "nu": nu}) for nu in (0.5, 1.5, 2.5)),
    (RationalQuadratic(sigma=0.7, alpha=0.4), oracle.rational_quadratic, {"sigma": 0.7, "alpha": 0.4}),
]


@pytest.fixture
def X(rng):
    X = rng.gamma(1.0, size=(9, 4))
    X[3] = X[1]  # a pair at distance 0
    X[5, 2] = X[6, 2]
    return X


def suited(kernel, X):
    """The items as this kernel takes them: Tanimoto asks which features an item has, and one has none."""
    return (X > 1.0).astype(float) if isinstance(kernel, Tanimoto) else X


@pytest.mark.parametrize(("kernel", "pair", "parameters"), CASES, ids=lambda case: getattr(case, "title", ""))
def test_values_are_those_of_the_formula(kernel, pair, parameters, X):
    X = suited(kernel, X)
    assert kernel.gram(X) == pytest.approx(np.array(oracle.gram(pair, X, **parameters)), rel=1e-12, abs=1e-14)


def test_every_vector_kernel_has_an_oracle():
    assert {type(kernel) for kernel, *_ in CASES} == set(kernels_for("vectors"))


@pytest.mark.parametrize(("kernel", "pair", "parameters"), CASES, ids=lambda case: getattr(case, "title", ""))
def test_blocks_of_rows_make_no_difference(kernel, pair, parameters, X, monkeypatch):
    X = suited(kernel, X)
    whole = kernel.gram(X)
    monkeypatch.setattr(vector_kernel, "_BLOCK_ENTRIES", 2 * len(X))
    seen = []
    assert kernel.gram(X, progress=seen.append) == pytest.approx(whole, rel=1e-13)
    assert len(seen) == 5
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_vectors_of_the_specification():
    known = load()
    anova = known["ANOVA all degrees"]
    x, y = [anova["inputs"][name] for name in "xy"]
    got = [Anova(degree=d).cross([x], [y])[0, 0] for d in anova["inputs"]["degree"]]
    assert got == anova["expected"]
    misprint = known["ANOVA with the printed boundary K[r+1,r]=1 (wrong)"]
    x, y = [misprint["inputs"][name] for name in "xy"]
    assert [Anova(degree=d).cross([x], [y])[0, 0] for d in (1, 2)] == misprint["expected"]["right"]
    subsets = known["all-subsets"]
    assert AllSubsets().cross([subsets["inputs"]["x"]], [subsets["inputs"]["y"]])[0, 0] == subsets["expected"]
    poly = known["polynomial (x'y+c)^d"]
    kernel = Polynomial(degree=poly["inputs"]["degree"], constant=poly["inputs"]["constant"])
    assert kernel.cross([poly["inputs"]["x"]], [poly["inputs"]["y"]])[0, 0] == pytest.approx(poly["expected"])


def test_fourth_degree_polynomial_of_the_specification():
    poly = load()["poly4"]
    got = Polynomial(degree=4, constant=1.0).cross([poly["input"]["h"]], [poly["input"]["g"]])
    assert got[0, 0] == pytest.approx(poly["expected"], rel=1e-12)


def test_all_subsets_is_the_sum_of_anova_over_all_degrees(X):
    weights = (1.0,) * (X.shape[1] + 1)
    assert AllSubsets().gram(X) == pytest.approx(Anova(degree=X.shape[1], weights=weights).gram(X), rel=1e-12)


def test_weighted_anova_sums_its_degrees(X):
    expected = 0.5 * Anova(degree=0).gram(X) + 2.0 * Anova(degree=2).gram(X)
    assert Anova(degree=2, weights=(0.5, 0, 2)).gram(X) == pytest.approx(expected, rel=1e-12)


def test_degree_zero_is_one_and_degree_above_the_dimension_is_zero(X):
    assert (Anova(degree=0).gram(X) == 1.0).all()
    assert (Anova(degree=5).gram(X) == 0.0).all()


@pytest.mark.parametrize("weights", [(1.0,), (1.0, -1.0, 0.0), (1.0, float("nan"), 0.0)])
def test_anova_refuses_wrong_weights(weights):
    with pytest.raises(InvalidInputError, match="weight"):
        Anova(degree=2, weights=weights)


def test_sigma_is_the_median_distance(X):
    kernel = Gaussian().resolved(X)
    assert kernel.sigma == pytest.approx(oracle.median_distance(X))
    assert Gaussian().gram(X) == pytest.approx(kernel.gram(X), rel=1e-15)


def test_median_distance_of_mostly_equal_items_is_that_of_the_others():
    assert median_distance(np.array([[0.0], [0.0], [0.0], [0.0], [3.0]])) == 3.0
    assert median_distance(np.zeros((4, 2))) == 1.0
    assert median_distance(np.zeros((1, 2))) == 1.0


def test_resolved_keeps_a_given_sigma(X):
    assert Gaussian(sigma=2.0).resolved(X).sigma == 2.0


def test_a_resolved_kernel_sees_nothing_of_new_items(X):
    kernel = Gaussian().resolved(X[:5])
    assert kernel.cross(X[5:], X[:5]) == pytest.approx(
        Gaussian(sigma=kernel.sigma).gram(X)[5:, :5], rel=1e-14
    )


def test_an_open_sigma_is_set_from_both_sides(X):
    assert Gaussian().cross(X[:4], X[4:]) == pytest.approx(Gaussian().gram(X)[:4, 4:], rel=1e-14)


@pytest.mark.parametrize("scale", [1e-180, 1e180])
def test_gaussian_at_extreme_scales(scale, X):
    assert Gaussian(sigma=scale).gram(X * scale) == pytest.approx(Gaussian(sigma=1.0).gram(X), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_cosine_at_extreme_scales(scale, X):
    assert Cosine().gram(X * scale) == pytest.approx(Cosine().gram(X), rel=1e-12)


def test_zero_vector_has_cosine_zero_and_is_reported(X):
    X[2] = 0.0
    K = Cosine().gram(X)
    assert (K[2] == 0.0).all()
    assert "row 3" in Cosine().remarks(X)[0]
    assert Cosine().remarks(X[3:]) == ()


@pytest.mark.parametrize("kernel", [AllSubsets(), Polynomial(degree=50), Anova(degree=3), Linear()])
def test_overflow_is_an_error_with_the_remedy(kernel):
    X = np.full((3, 400), 1e160)
    with pytest.raises(InvalidInputError, match=r"beyond it in row 1\..*Standardise"):
        kernel.gram(X)


def test_all_subsets_of_many_columns_overflows_with_the_remedy():
    with pytest.raises(InvalidInputError, match="Standardise"):
        AllSubsets().gram(np.full((2, 2000), 1.0))


def test_sinc_of_many_columns_is_refused_before_it_underflows():
    with pytest.raises(InvalidInputError, match="fewer columns"):
        Sinc(omega=1.0).gram(np.zeros((2, 1000)))
    assert Sinc(omega=np.pi).gram(np.zeros((2, 1000))) == pytest.approx(np.ones((2, 2)))


def test_minimum_refuses_negative_entries_by_row_and_column(X):
    X[4, 1] = -0.25
    with pytest.raises(InvalidInputError, match=r"-0\.25 in row 5, column 2"):
        Minimum().gram(X)
    with pytest.raises(InvalidInputError, match=r"row 'e', column 2"):
        Minimum().similarities(Vectors(tuple("abcdefghi"), X))


@pytest.mark.parametrize("kernel", [kernel for kernel, *_ in CASES], ids=lambda kernel: kernel.title)
def test_unknown_entries_are_refused_with_the_remedy(kernel, X):
    X = suited(kernel, X)
    X[6, 3] = np.nan
    with pytest.raises(InvalidInputError, match=r"unknown entry in row 7, column 4 \(1 such.*fill"):
        kernel.gram(X)
    with pytest.raises(InvalidInputError, match=r"row 'g', column 4"):
        kernel.similarities(Vectors(tuple("abcdefghi"), X))
    with pytest.raises(InvalidInputError, match="infinite entry"):
        kernel.cross(np.full((1, 4), np.inf), X[:2])


@pytest.mark.parametrize(
    "wrong", [[1.0, 2.0], [["a"]], np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 2, 2))]
)
def test_what_is_no_table_of_numbers_is_refused(wrong):
    with pytest.raises(InvalidInputError, match="numbers"):
        Linear().gram(wrong)


def test_different_columns_are_refused():
    with pytest.raises(InvalidInputError, match="3 and 2 columns"):
        Linear().cross(np.ones((2, 3)), np.ones((2, 2)))


def test_too_many_rows_are_refused_with_their_memory():
    with pytest.raises(TooLargeError, match=r"10,001 items.*0\.8 GB|10,001 items.*800\.2 MB"):
        Linear().gram(np.zeros((10_001, 1)))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Gaussian(sigma=0.0), lambda: Gaussian(sigma=-1.0), lambda: Gaussian(sigma=float("inf")),
        lambda: Laplace(gamma=0.0), lambda: Sinc(omega=0.0), lambda: Polynomial(degree=0),
        lambda: Polynomial(degree=2.5), lambda: Polynomial(constant=-1.0), lambda: Anova(degree=-1),
        lambda: Laplace(gamma="1"), lambda: Polynomial(degree=True),
    ],
)  # fmt: skip
def test_parameters_outside_their_range_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        wrong()
