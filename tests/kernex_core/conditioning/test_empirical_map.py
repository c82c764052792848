import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.validation import psd_tolerance
from kernex_core.conditioning.empirical_map import EmpiricalMap, StandardisedMap, empirical_map
from kernex_core.conditioning.power import Log1p, SignedLog, SignedPower
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively, split_transductively
from tests.oracles.vectors import load

MAPS = (SignedPower(0.3), SignedLog(100.0), Log1p())


def naive(K, basis, phi):
    """E E' by loops over the definition."""
    n = len(K)
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            G[i, j] = sum(phi(K[i, b]) * phi(K[j, b]) for b in basis)
    return G


def similarity(rng, n=12):
    """Indefinite, with exact zeros, negative entries, a zero diagonal entry and tiny values."""
    A = rng.normal(size=(n, n)) * 10.0 ** rng.integers(-9, 1, size=(n, n))
    A[rng.random((n, n)) < 0.2] = 0.0
    K = A + A.T + np.diag(np.full(n, 50.0))
    K[3, 3] = 0.0
    return K


def test_the_worked_example():
    vector = load()["empirical_map"]
    given = vector["input"]
    K = np.array(given["K"])
    np.testing.assert_allclose(empirical_map(K, given["p"]), vector["expected"]["gram"], atol=1e-12)
    crossed = (
        EmpiricalMap(SignedPower(0.5)).fit(K).apply_cross(np.array([given["k_test"]], float), np.ones(1))
    )
    np.testing.assert_allclose(crossed.values[0], vector["expected"]["test_row"], atol=1e-12)
    assert crossed.diag[0] == pytest.approx(1 + 9 + 4)


def test_it_is_the_definition(rng):
    K = similarity(rng)
    got = empirical_map(K, 0.3, basis=[0, 2, 5])
    np.testing.assert_allclose(
        got, naive(K, [0, 2, 5], lambda x: np.sign(x) * abs(x) ** 0.3), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("phi", MAPS)
def test_it_is_positive_semidefinite_whatever_goes_in(phi, rng):
    G = empirical_map(similarity(rng), phi=phi)
    eigenvalues = np.linalg.eigvalsh(G)
    assert np.isfinite(G).all()
    assert eigenvalues[0] >= -psd_tolerance(len(G), eigenvalues[-1])


def test_a_mask_and_positions_are_the_same_basis(rng):
    K = similarity(rng)
    mask = np.zeros(12, dtype=bool)
    mask[[1, 4]] = True
    np.testing.assert_array_equal(empirical_map(K, 0.5, mask), empirical_map(K, 0.5, [4, 1]))


@pytest.mark.parametrize("c", [1e-6, 7.0])
def test_a_scale_of_the_kernel_becomes_its_power(c, rng):
    K = similarity(rng)
    np.testing.assert_allclose(
        empirical_map(c * K, 0.3), c**0.6 * empirical_map(K, 0.3), rtol=1e-9, atol=1e-12
    )


def test_tiny_similarities_do_not_vanish():
    K = np.array([[1.0, 4e-19], [4e-19, 1.0]])
    assert empirical_map(K, 0.1)[0, 1] == pytest.approx(2 * 4e-19**0.1, rel=1e-12)


def test_a_matrix_of_zeros_stays_one():
    np.testing.assert_array_equal(empirical_map(np.zeros((3, 3)), 0.1), np.zeros((3, 3)))


@pytest.mark.parametrize("phi", MAPS)
def test_an_inductive_run_never_looks_at_similarities_among_test_items(phi, rng):
    K = similarity(rng)
    train, test = np.arange(7), np.arange(7, 12)
    noise = rng.normal(size=(5, 5))
    other = K.copy()
    other[7:, 7:] = noise + noise.T
    made = [split_inductively(GramMatrix(X).then(EmpiricalMap(phi)), train, test) for X in (K, other)]
    np.testing.assert_array_equal(made[0].K_train, made[1].K_train)
    np.testing.assert_array_equal(made[0].K_cross, made[1].K_cross)
    np.testing.assert_array_equal(made[0].diag_test, made[1].diag_test)
    whole = [split_transductively(GramMatrix(X).then(EmpiricalMap(phi)), train, test) for X in (K, other)]
    assert not np.allclose(whole[0].K_cross, whole[1].K_cross)


def test_an_inductive_run_does_not_care_for_the_order_of_test_items(rng):
    gram = GramMatrix(similarity(rng)).then(EmpiricalMap(SignedPower(0.4)))
    train, test = np.arange(7), np.arange(7, 12)
    order = rng.permutation(5)
    plain, permuted = (split_inductively(gram, train, at) for at in (test, test[order]))
    np.testing.assert_array_equal(plain.K_train, permuted.K_train)
    np.testing.assert_allclose(plain.K_cross[order], permuted.K_cross, rtol=1e-13)


def test_a_basis_follows_its_items_into_a_selection(rng):
    K = GramMatrix(similarity(rng)).then(EmpiricalMap(SignedPower(0.5), (2, 5)))
    cut = K.take([5, 0, 2])
    assert cut.steps[-1].basis == (0, 2)
    np.testing.assert_allclose(cut.values, K.values[np.ix_([5, 0, 2], [5, 0, 2])], rtol=1e-12)
    with pytest.raises(InvalidInputError, match="item of the basis"):
        K.take([0, 1])


def test_a_fold_uses_the_part_of_the_basis_that_it_has(rng):
    K = similarity(rng)
    train, test = np.array([5, 0, 7]), np.array([1])
    got = split_inductively(GramMatrix(K).then(EmpiricalMap(SignedPower(1.0), (2, 5))), train, test)
    np.testing.assert_allclose(got.K_cross[0], K[1, 5] * K[train, 5])


def test_unknown_items_stay_unknown(rng):
    K = similarity(rng, 6)
    K[2, :] = K[:, 2] = np.nan
    got = empirical_map(K, 0.5)
    rest = [0, 1, 3, 4, 5]
    assert np.isnan(got[2]).all()
    np.testing.assert_allclose(got[np.ix_(rest, rest)], empirical_map(K[np.ix_(rest, rest)], 0.5))


def test_the_script_of_a_mapped_kernel_computes_it_again(rng):
    from kernex_core.gram.provenance import write_script

    K = empirical_map(GramMatrix(similarity(rng, 4), name="S"), phi=SignedLog(30.0), basis=[0, 1])
    names = {}
    exec(write_script([K.recipe], heading="h"), names)
    np.testing.assert_array_equal(names["s_2"].values, K.values)


@pytest.mark.parametrize("p", [0.0, -1.0, 1.01, float("nan")])
def test_p_out_of_range_is_refused(p):
    with pytest.raises(InvalidInputError, match="p has to be"):
        empirical_map(np.eye(2), p)


@pytest.mark.parametrize("basis", [[], [5], np.array([True, False])])
def test_a_basis_that_is_not_there_is_refused(basis):
    with pytest.raises(InvalidInputError):
        empirical_map(np.eye(3), 0.5, basis)


def test_what_cannot_be_mapped_is_refused():
    with pytest.raises(InvalidInputError, match="at least one item"):
        empirical_map(np.full((2, 2), np.nan), 0.5)
    with pytest.raises(InvalidInputError, match="map of entries"):
        EmpiricalMap(phi=0.5)


@pytest.mark.parametrize("size", [1e160, 1e300])
def test_similarities_whose_squares_overflow_are_refused_in_words(size):
    with pytest.raises(InvalidInputError, match="mean diagonal first"):
        EmpiricalMap(SignedPower(1.0))(GramMatrix(size * np.eye(4)))


@pytest.mark.parametrize("phi", MAPS)
@pytest.mark.parametrize("basis", [None, (1, 4, 7)])
def test_standardised_features_are_those_of_scikit_learn(phi, basis, rng):
    from sklearn.preprocessing import StandardScaler

    K = similarity(rng)
    columns = slice(None) if basis is None else list(basis)
    E = phi.fit(K).apply(K)[:, columns]
    Z = StandardScaler().fit_transform(E)
    np.testing.assert_allclose(StandardisedMap(phi, basis)(K), Z @ Z.T, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("size", [1.0, 1e-200, 1e200])
def test_standardised_features_know_no_scale(size, rng):
    K = similarity(rng)
    wanted = StandardisedMap(SignedPower(1.0))(K)
    np.testing.assert_allclose(StandardisedMap(SignedPower(1.0))(size * K), wanted, rtol=1e-9, atol=1e-9)


def test_a_new_item_is_standardised_by_the_fitted_ones(rng):
    from sklearn.preprocessing import StandardScaler

    K = similarity(rng)
    train, test = np.arange(8), np.arange(8, 12)
    got = split_inductively(GramMatrix(K).then(StandardisedMap(SignedPower(0.5))), train, test)
    E = SignedPower(0.5).fit(K).apply(K)[:, :8]
    scaler = StandardScaler().fit(E[:8])
    Z, new = scaler.transform(E[:8]), scaler.transform(E[8:])
    np.testing.assert_allclose(got.K_train, Z @ Z.T, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(got.K_cross, new @ Z.T, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(got.diag_test, (new**2).sum(axis=1), rtol=1e-7)


def test_features_that_are_the_same_everywhere_are_nothing():
    K = np.full((4, 4), 0.3)
    np.testing.assert_array_equal(StandardisedMap(SignedPower(0.5))(K), 0.0)
    K = GramMatrix(np.array([[2.0, np.nan, 1.0], [np.nan, np.nan, np.nan], [1.0, np.nan, 4.0]]))
    made = K.then(StandardisedMap(SignedPower(1.0)))
    assert np.isnan(made.values[1]).all()
    assert np.isfinite(made.values[np.ix_([0, 2], [0, 2])]).all()


def test_the_basis_of_the_standardised_map_follows_its_items():
    step = StandardisedMap(SignedPower(0.5), (0, 2)).take(np.array([2, 1]))
    assert step == StandardisedMap(SignedPower(0.5), (0,))


def test_an_asymmetric_array_is_refused():
    with pytest.raises(InvalidInputError, match="symmetric"):
        empirical_map(np.array([[1.0, 2.0], [3.0, 4.0]]))
