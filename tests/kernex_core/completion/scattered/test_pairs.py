"""Single unknown pairs: the vectors, certificates against other code, invariance, intervals, and what to measure next."""

import json

import numpy as np
import pytest
from scipy.io import loadmat

from kernex_core import GramMatrix, complete_pairs
from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.scattered.factors import (
    PairModel,
    PairProblem,
    begin,
    certificate,
    moments,
    objective,
    solved,
    source_penalty,
    sweep,
    swept,
)
from kernex_core.completion.scattered.finish import completed_exactly
from kernex_core.completion.scattered.uncertainty import gains, inverses, leverage, most_telling, spread_of
from kernex_core.gram.provenance import write_script

CASES = ("v1_scattered_n4", "v2_scattered_n6", "v3_hits_floor_n6", "v6_mean_n6", "v7_no_source_n6")


@pytest.fixture(scope="module")
def vectors(shared):
    return json.loads((shared / "vectors" / "scattered.json").read_text(encoding="utf-8"))


def problem_of(case):
    T = np.array(case["T"], dtype=float)
    known = ~np.isnan(T)
    np.fill_diagonal(known, False)
    W, filled = known.astype(float), np.where(known, T, 0.0)
    if case.get("w0"):
        absent = ~known
        np.fill_diagonal(absent, False)
        W[absent], filled[absent] = case["w0"], case["floor"]
    S = None if case["S"] is None else np.array(case["S"])
    return PairProblem(filled, W, S, case.get("mean_term", False))


def converged(problem, L, lam):
    model = begin(problem, problem.n)
    for factor in (50.0, 15.0, 5.0, 1.5):
        model = swept(problem, model, L, factor * lam, 5, 0.0)
    return swept(problem, model, L, lam, 20_000, 1e-11 / np.sqrt(problem.scale))


@pytest.mark.parametrize("name", CASES)
def test_vectors(vectors, name):
    case = vectors[name]
    problem = problem_of(case)
    L = source_penalty(problem.S, problem.n, np.inf if case["rho"] is None else case["rho"])
    np.testing.assert_allclose(L, case["L"], atol=1e-8)
    model = converged(problem, L, case["lam"])
    off = ~np.eye(problem.n, dtype=bool)
    np.testing.assert_allclose(model.c, case["c"][0], atol=1e-8)
    np.testing.assert_allclose(model.m, case.get("m", [0.0])[0], atol=1e-8)
    np.testing.assert_allclose(objective(problem, model, L), case["objective"][0], atol=1e-10)
    np.testing.assert_allclose(
        model.predict(problem.S)[off], np.array(case["prediction_projected_gradient"])[off], atol=1e-8
    )
    stationarity, smallest, gap = certificate(problem, model, L)
    assert stationarity < 1e-8
    assert smallest > -1e-8
    assert 0.0 <= gap < 1e-8


@pytest.mark.parametrize("absent", [0.0, 0.4])
@pytest.mark.parametrize("unknown", [0.2, 0.8])
@pytest.mark.parametrize("has_source", [True, False])
def test_a_sweep_is_the_least_squares_of_every_row(absent, unknown, has_source):
    rng = np.random.default_rng(3)
    n, k, lam, c, m = 12, 4, 0.3, 0.2 if has_source else 0.0, 0.1
    T, S = (x + x.T for x in rng.standard_normal((2, n, n)))
    W = np.where(np.triu(rng.random((n, n)) < unknown, 1), absent, 1.0)
    W = np.triu(W, 1) + np.triu(W, 1).T
    L = source_penalty(S, n, 0.5) if has_source else np.eye(n)
    U = rng.standard_normal((n, k))
    expected = U.copy()
    for i in range(n):
        A, b = lam * L[i, i] * np.eye(k), np.zeros(k)
        for j in set(range(n)) - {i}:
            base = c * S[i, j] * has_source + m
            A += W[i, j] * np.outer(expected[j], expected[j])
            b += (W[i, j] * (T[i, j] - base)) * expected[j] - lam * L[i, j] * expected[j]
        expected[i] = np.linalg.solve(A, b)
    sweep(U, T, W, S if has_source else np.zeros((0, 0)), c, m, L, lam, absent, not has_source)
    np.testing.assert_allclose(U, expected, atol=1e-10)
    H, g = moments(U, T, W, S if has_source else np.zeros((0, 0)))
    columns = [S * has_source, np.ones((n, n)), U @ U.T]
    np.testing.assert_allclose(H, [[0.5 * np.sum(W * a * b) for a in columns] for b in columns], atol=1e-10)
    np.testing.assert_allclose(g, [0.5 * np.sum(W * a * T) for a in columns], atol=1e-10)


def test_equations_without_a_solution_leave_the_row():
    assert not solved(np.array([[1.0, 2.0], [2.0, 1.0]]), np.ones(2))


def test_factors_that_a_strong_penalty_has_removed_come_back_with_a_weaker_one(vectors):
    problem = problem_of(vectors["v2_scattered_n6"])
    L = np.eye(6)
    gone = swept(problem, begin(problem, 6), L, 1e6, 300, 0.0)
    assert np.abs(gone.U).max() < 1e-12
    again = swept(problem, gone, L, 0.1, 20_000, 1e-11)
    cold = swept(problem, begin(problem, 6), L, 0.1, 20_000, 1e-11)
    np.testing.assert_allclose(objective(problem, again, L), objective(problem, cold, L), rtol=1e-8)


def test_no_row_can_be_moved_to_a_smaller_objective(vectors):
    problem = problem_of(vectors["v6_mean_n6"])
    L = source_penalty(problem.S, problem.n, 1.0)
    model = converged(problem, L, 0.03)
    least = objective(problem, model, L)
    rng = np.random.default_rng(0)
    for size in (1e-2, 1e-4):
        for _ in range(20):
            U = model.U + size * rng.standard_normal(model.U.shape)
            c, m = np.abs([model.c, model.m] + size * rng.standard_normal(2))
            other = PairModel(U, c, m, model.lam, model.rho, 0.0, 0)
            assert objective(problem, other, L) >= least - 1e-12


def test_leverage_and_what_to_measure_next(vectors):
    case = vectors["v4_leverage_from_v2_k2"]
    problem = problem_of(vectors["v2_scattered_n6"])
    U, L = np.array(case["U"]), np.array(vectors["v2_scattered_n6"]["L"])
    C = inverses(problem.W, U, case["lam"], np.diag(L))
    square, trace = leverage(C, U, np.array([case["pair"]]))
    np.testing.assert_allclose(square + case["e"] * trace, case["leverage_formula"], atol=1e-10)
    np.testing.assert_allclose(square + case["e"] * trace, case["leverage_finite_difference"], atol=1e-8)
    pairs = np.argwhere(np.triu(problem.W == 0.0, 1))
    active, g = vectors["v8_active_from_v4"], np.ones(len(pairs))
    scores = {tuple(pair): score for pair, score in zip(pairs.tolist(), gains(C, U, pairs, g), strict=True)}
    for i, j, score in active["scores_before"]:
        np.testing.assert_allclose(scores[i, j], score, atol=1e-10)
    chosen, gained = most_telling(C, U, pairs, g, 2)
    assert pairs[chosen[0]].tolist() == active["measured_first"]
    assert pairs[chosen[1]].tolist() == active["scores_after"][0][:2]
    np.testing.assert_allclose(gained[1], active["scores_after"][0][2], atol=1e-10)


def test_exact_finish(vectors):
    case = vectors["v5_exact_finish_from_v2"]
    T = np.array(vectors["v2_scattered_n6"]["T"], dtype=float)
    model = np.array(case["model"])
    free = np.isnan(T)
    D, reached = completed_exactly(np.where(free, model, T), free, model)
    assert reached
    np.testing.assert_allclose(D, case["completed_newton"], atol=1e-6)
    np.testing.assert_array_equal(D[~free], T[~free])
    # at the minimum the inverses agree on what was free
    np.testing.assert_allclose(np.linalg.inv(D)[free], np.linalg.inv(model)[free], atol=1e-5)


def test_without_a_definite_start_the_smallest_eigenvalue_is_not_far_below_zero():
    K = np.array([[1, 0.99, -0.99, 0.2], [0.99, 1, 0.99, 0.1], [-0.99, 0.99, 1, 0.0], [0.2, 0.1, 0.0, 1]])
    free = np.zeros((4, 4), dtype=bool)
    free[3, :3] = free[:3, 3] = True
    D, reached = completed_exactly(K, free, np.eye(4))
    assert not reached
    np.testing.assert_array_equal(D[:3, :3], K[:3, :3])


@pytest.fixture(scope="module")
def gapped():
    rng = np.random.default_rng(0)
    n = 40
    Z = np.repeat(rng.standard_normal((4, 6)), 10, axis=0) + 0.6 * rng.standard_normal((n, 6))
    other = Z + 0.5 * rng.standard_normal((n, 6))
    T, S = (x @ x.T / np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(x, axis=1)) for x in (Z, other))
    hidden = np.triu(rng.random((n, n)) < 0.4, 1)
    hidden |= hidden.T
    return T, S, hidden


def made(T, S, hidden, **how):
    return complete_pairs(
        GramMatrix(np.where(hidden, np.nan, T)),
        None if S is None else GramMatrix(S),
        strength=0.1,
        rank=6,
        **how,
    )


def test_known_values_stay_and_hidden_ones_are_better_than_their_mean(gapped):
    T, S, hidden = gapped
    found = made(T, S, hidden, rho=1.0)
    np.testing.assert_allclose(found.gram.values[~hidden], T[~hidden], atol=max(1e-12, 4 * found.moved))
    off = ~hidden & ~np.eye(len(T), dtype=bool)
    plain = np.sqrt(np.mean((T[hidden] - T[off].mean()) ** 2))
    ours = np.sqrt(np.mean((T - found.model)[hidden] ** 2))
    assert ours < 0.5 * plain
    low, high = found.interval
    covered = ((low <= T) & (high >= T))[hidden]
    assert 0.8 < covered.mean() < 1.0
    np.testing.assert_array_equal(low[~hidden], found.values[~hidden])
    np.testing.assert_array_equal(high[~hidden], found.values[~hidden])
    np.testing.assert_allclose((low + high)[hidden], 2 * found.model[hidden])
    assert (found.sd[~hidden] == 0.0).all()
    assert (found.sd[hidden] > 0.0).all()
    assert np.linalg.eigvalsh(found.gram.values)[0] > -1e-7


@pytest.mark.parametrize("factor", [1e-4, 1e4])
def test_a_kernel_times_a_number_gives_the_same_times_that(gapped, factor):
    T, S, hidden = gapped
    one, other = made(T, S, hidden, rho=1.0), made(factor * T, S, hidden, rho=1.0)
    np.testing.assert_allclose(other.model, factor * one.model, rtol=1e-6, atol=1e-9 * factor)
    np.testing.assert_allclose(other.sd, factor * one.sd, rtol=1e-5)
    np.testing.assert_allclose(made(T, factor * S, hidden, rho=1.0).model, one.model, rtol=1e-6, atol=1e-9)


def test_the_order_of_the_items_does_not_matter_once_it_has_converged(vectors):
    problem = problem_of(vectors["v2_scattered_n6"])
    order = np.random.default_rng(0).permutation(6)
    turned = PairProblem(*(x[np.ix_(order, order)] for x in (problem.T, problem.W, problem.S)), False)
    one, other = (converged(p, source_penalty(p.S, 6, 0.1), 0.1).predict(p.S) for p in (problem, turned))
    np.testing.assert_allclose(other, one[np.ix_(order, order)], atol=1e-8)


def test_finishes(gapped):
    T, _, hidden = gapped
    smooth = made(T, None, hidden, finish="smooth")
    assert np.linalg.eigvalsh(smooth.gram.values)[0] > -1e-9
    assert smooth.moved > 0.0
    exact = made(T, None, hidden, finish="exact")
    np.testing.assert_allclose(exact.gram.values[~hidden], T[~hidden], atol=1e-12)


def test_an_item_without_a_known_pair_has_its_interval_from_items_that_were_held_back(gapped):
    T, S, hidden = gapped
    hidden = hidden.copy()
    hidden[3], hidden[:, 3] = True, True
    hidden[3, 3] = False
    found = made(T, S, hidden, rho=1.0)
    assert found.unseen == ("4",)
    widths = np.delete(found.half_width[3], 3)
    assert (widths == widths[0]).all()
    assert widths[0] > np.median(found.half_width[hidden])


def test_pairs_to_measure_next_are_unknown_ones_in_falling_order(gapped):
    T, S, hidden = gapped
    found = made(T, S, hidden, rho=1.0)
    for purpose in ("learn", "hits"):
        pairs = found.next_pairs(5, purpose)
        assert len({(p.first, p.second) for p in pairs}) == 5
        assert all(hidden[int(p.first) - 1, int(p.second) - 1] for p in pairs)
    values = [p.value for p in found.next_pairs(5, "hits")]
    assert values == sorted(values, reverse=True)


def test_without_intervals_values_are_the_same_and_a_script_knows(gapped):
    T, S, hidden = gapped
    quick, found = made(T, S, hidden, rho=1.0, intervals=False), made(T, S, hidden, rho=1.0)
    np.testing.assert_array_equal(quick.gram.values, found.gram.values)
    assert np.isnan(quick.half_width[hidden]).all()
    assert "intervals=False" in write_script([quick.gram.recipe], heading="test")


def test_steps_never_fall(gapped):
    T, S, hidden = gapped
    steps = complete_pairs.steps(GramMatrix(np.where(hidden, np.nan, T)), GramMatrix(S), strength=1.0, rank=6)
    shares = list(steps)
    assert shares == sorted(shares)
    assert shares[0] > 0.0
    assert shares[-1] <= 1.0


def test_few_known_pairs_say_no_more_than_they_can():
    K = np.array([[1, 0.8, np.nan], [0.8, 1, 0.7], [np.nan, 0.7, 1]])
    found = complete_pairs(GramMatrix(K))
    assert np.isnan(found.error)
    assert np.isnan(found.sd[0, 2])
    assert 0.0 < found.gram.values[0, 2] < 1.0


def test_it_has_seen_all_items_and_a_script_makes_it_again(gapped):
    T, S, hidden = gapped
    found = made(T, S, hidden, rho=1.0)
    assert found.gram.has_seen().items
    assert not found.gram.has_seen().labels
    names = {}
    exec(write_script([found.gram.recipe], heading="test"), names)
    made_again = [
        value for value in names.values() if isinstance(value, GramMatrix) and value.ids == found.gram.ids
    ]
    assert any(np.array_equal(each.values, found.gram.values) for each in made_again)


@pytest.mark.parametrize(
    ("T", "source", "said"),
    [
        (np.array([[1, np.nan], [np.nan, 1]]), None, "known ones"),
        (np.array([[1, 0.5], [0.5, 1]]), np.array([[1, np.nan], [np.nan, 1]]), "known everywhere"),
        (np.array([[1, 0.5], [0.5, 1]]), np.eye(3), "same items"),
    ],
)
def test_what_cannot_be_completed(T, source, said):
    with pytest.raises(InvalidInputError, match=said):
        complete_pairs(GramMatrix(T), None if source is None else GramMatrix(source))


def test_the_spread_is_larger_where_leverage_is():
    rng = np.random.default_rng(0)
    square = rng.uniform(0.0, 4.0, 4_000)
    x = rng.uniform(0.0, 1.0, 4_000)
    r = 0.1 * np.sqrt(1.0 + square) * rng.standard_normal(4_000)
    spread = spread_of(r, x, square, np.zeros(4_000), 0.6)
    low, high = spread.sd(np.array([0.5, 0.5]), np.array([0.0, 4.0]), np.zeros(2))
    np.testing.assert_allclose([low, high], [0.1, 0.1 * np.sqrt(5.0)], rtol=0.1)
    assert 1.5 < spread.quantile < 1.8  # 1.645 of a normal distribution


LIMITS = {0.1: 0.006, 0.6: 0.014, 0.9: 0.055}


@pytest.mark.science
@pytest.mark.parametrize("share", LIMITS)
def test_digits(shared, share):
    path = shared / "data" / "cvkt_digits" / "digits_K_n200.mat"
    K = next(value for name, value in loadmat(path).items() if not name.startswith("_"))
    T, S = K[:, :, 2], K[:, :, 0]
    hidden = np.triu(np.random.default_rng(0).random(T.shape) < share, 1)
    hidden |= hidden.T
    found = complete_pairs(GramMatrix(np.where(hidden, np.nan, T)), GramMatrix(S))
    assert np.sqrt(np.mean((T - found.model)[hidden] ** 2)) <= LIMITS[share]
    assert 0.87 <= np.mean(np.abs(T - found.model)[hidden] <= found.half_width[hidden]) <= 0.935


def low_rank(n=16):
    rng = np.random.default_rng(8)
    Z = rng.standard_normal((n, 3))
    hidden = np.triu(rng.random((n, n)) < 0.25, 1)
    return np.where(hidden | hidden.T, np.nan, Z @ Z.T)


@pytest.mark.parametrize("finish", ["keep", "smooth", "exact"])
@pytest.mark.parametrize("own", [0.0, -1.0, np.nan, "some"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_whatever_stands_on_the_diagonal_values_come_out(finish, own, sign):
    """Self-similarities of 0, as distances and adjacencies have them, below 0, or none: and all others may be below 0."""
    T = low_rank()
    T = sign * np.abs(T) if sign < 0.0 else T
    np.fill_diagonal(T, np.where(np.arange(len(T)) % 2, np.nan, -2.0) if own == "some" else own)
    found = complete_pairs(GramMatrix(T), finish=finish)
    assert np.isfinite(found.values).all()
    off = ~np.eye(len(T), dtype=bool)
    # no item loses everything it has because its self-similarity says so; where all are below 0, no model is of any use
    assert sign < 0.0 or (np.abs(np.where(off, found.values, 0.0)).max(axis=1) > 0.01).all()
    if finish != "exact":  # which keeps what is known, also where nothing but a kernel could
        size = np.nanmax(np.abs(T))
        assert np.linalg.eigvalsh(found.values)[0] > -1e-7 * size
    elif off.any():
        known = ~np.isnan(T) & off
        np.testing.assert_allclose(found.values[known], T[known])


@pytest.mark.parametrize("size", [1e-300, 1e-120, 1e-90, 1e-6, 1e6, 1e140])
def test_similarities_of_any_size_are_completed_or_refused_with_the_reason(size):
    T = low_rank()
    if size < 1e-100:
        with pytest.raises(InvalidInputError, match="squares can be computed"):
            complete_pairs(GramMatrix(size * T))
        return
    found, one = complete_pairs(GramMatrix(size * T)), complete_pairs(GramMatrix(T))
    np.testing.assert_allclose(found.values, size * one.values, atol=1e-6 * size)
    np.testing.assert_allclose(found.half_width, size * one.half_width, rtol=0.02, atol=1e-6 * size)
