"""Kernels of the same items, each lacking some, completed together."""

import json
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import (
    VIEW_COMPLETIONS,
    Gaussian,
    GramMatrix,
    InvalidInputError,
    NotPositiveSemidefiniteError,
    complete_views,
    drawn_views,
    hidden_views,
    view_completion,
    view_errors,
)
from kernex_core.base.errors import TooLargeError
from kernex_core.completion.views import problem
from kernex_core.completion.views.complete import (
    FAST,
    ByPrecisions,
    Chosen,
    _line,
    _warnings,
    alignments,
    weights_of,
)
from kernex_core.completion.views.problem import Swept, as_views, lifted, sweeping
from kernex_core.runtime.progress import finished
from tests.oracles.views import completed

IDS = tuple(f"i{k}" for k in range(30))


@pytest.fixture(scope="module")
def world():
    """(truth (3, 30, 30), known (3, 30)): three noisy looks at the same points, in three units."""
    rng = np.random.default_rng(5)
    Z = rng.normal(size=(30, 3))
    looks = [Z + 0.2 * rng.normal(size=Z.shape) for _ in range(3)]
    truth = np.array([s * Gaussian(sigma=1.5).gram(X) for s, X in zip((1.0, 7.0, 0.01), looks, strict=True)])
    return truth, drawn_views(30, 3, 0.3, 0)


def named(matrices, ids=IDS):
    return {f"v{k}": GramMatrix(K, ids[: len(K)]) for k, K in enumerate(matrices)}


@pytest.fixture(scope="module")
def found(world):
    truth, known = world
    return complete_views(named(hidden_views(truth, known)))


def test_the_vectors(shared, monkeypatch):
    monkeypatch.setattr(problem, "_check_reach", lambda *_: None)  # one of them shares two items alone
    for case in json.loads((shared / "vectors/views.json").read_text())["cases"]:
        known = np.array(case["known"], bool)
        kernels = named(hidden_views(np.array(case["K_true"]), known))
        views = as_views(kernels)
        swept = finished(sweeping(views, 1.0, tolerance=0.0))
        A = alignments(views)
        assert swept.objective == pytest.approx(case["J"], abs=1e-8)
        assert np.allclose(swept.T[0], case["T_view0_after_12"], atol=1e-8)
        assert np.allclose(A, case["alignment"], atol=1e-8)
        W = weights_of(FAST[0], views, 0, swept, A)
        assert np.allclose(W, case["W_view0_first_candidate"], atol=1e-7)
        assert np.allclose(
            weights_of(ByPrecisions(0.1), views, 0, None, A), case["W_poe_view0_rho0p1"], atol=1e-6
        )
        made = complete_views(kernels, tolerance=0.0)
        for Q, expected in zip(made.kernels.values(), case["Q"], strict=False):
            assert np.allclose(Q, expected, atol=1e-7)
        expected = np.array(case["residual_share"], dtype=float)
        assert np.allclose(made.unexplained[~known], expected[~known], atol=1e-7)


def test_known_similarities_stay_bit_for_bit_and_the_certificate_holds(world, found):
    truth, known = world
    for K, Q, has in zip(truth, found.kernels.values(), known, strict=True):
        assert np.array_equal(Q[np.ix_(has, has)], K[np.ix_(has, has)])
        assert np.array_equal(Q, Q.T)
        assert np.linalg.eigvalsh(Q)[0] >= -30 * np.finfo(float).eps * np.linalg.norm(Q, 2) * 4
        assert np.diag(Q) == pytest.approx(np.diag(K))  # a constant diagonal goes on
    assert found.certificate_holds
    assert (np.diff(found.objective) <= 0.0).all()
    assert (found.trust[known] == 1.0).all()
    assert (found.unexplained[~known] > 0.0).all()


def test_the_objective_is_the_one_of_the_paper_and_each_step_its_minimum(world):
    truth, known = world
    views = as_views(named(hidden_views(truth, known)))
    swept = finished(sweeping(views, 0.0, tolerance=1e-12, most=300))

    def J(T):
        mean = sum(T) / 3 + 0.02 * np.eye(30)
        rest = 0.0
        for own, has in zip(T, known, strict=True):
            inverse = np.linalg.inv(own[np.ix_(has, has)])
            R = own[np.ix_(~has, ~has)] - own[np.ix_(~has, has)] @ inverse @ own[np.ix_(has, ~has)]
            rest += np.linalg.slogdet(R)[1]
        return 3 * np.linalg.slogdet(mean)[1] - rest

    assert J(swept.T) == pytest.approx(swept.objective[-1], rel=1e-9)
    rng = np.random.default_rng(1)
    for v in range(3):  # no symmetric change of what is unknown in one view goes down
        E = rng.normal(size=(30, 30))
        E = E + E.T
        E[np.ix_(known[v], known[v])] = 0.0
        for step in (1e-4, -1e-4):
            moved = [T + step * E if u == v else T for u, T in enumerate(swept.T)]
            assert J(moved) > swept.objective[-1] - 1e-9


@pytest.mark.parametrize("way", VIEW_COMPLETIONS, ids=lambda way: way.name)
def test_what_stands_in_the_rows_of_unknown_items_is_never_read(way, world):
    truth, known = world
    noise = np.random.default_rng(2).normal(size=truth.shape)
    noisy = truth.copy()
    for K, has, E in zip(noisy, known, noise, strict=True):
        K[~has] = E[~has]
        K[:, ~has] = E[~has].T
        K[~has, ~has] = np.nan  # an item that is not known with itself is not known
    made, again = (
        finished(way.completing(named(kernels)))
        for kernels in (hidden_views(truth, known), [(K + K.T) / 2 for K in noisy])
    )
    for name, Q in made.items():
        assert np.array_equal(again[name], Q)


@pytest.mark.parametrize("mode", ["fast", "tuned"])
def test_both_modes_are_what_their_definition_says(mode, world):
    truth, known = world
    made = complete_views(named(hidden_views(truth, known)), mode=mode).kernels
    for Q, expected in zip(made.values(), completed(truth, known, tuned=mode == "tuned"), strict=True):
        # what two precisions leave open is ridged by 1e-8, which carries rounding on
        assert pytest.approx(expected, abs=1e-7 * np.abs(expected).max()) == Q


def test_order_of_items_does_not_matter(world, found):
    truth, known = world
    order = np.random.default_rng(3).permutation(30)
    again = complete_views(named(hidden_views(truth[:, order][:, :, order], known[:, order])))
    for name, Q in found.kernels.items():
        assert again.kernels[name] == pytest.approx(Q[np.ix_(order, order)], rel=1e-9, abs=1e-11)


def test_units_of_a_view_do_not_matter(world, found):
    truth, known = world
    again = complete_views(named(hidden_views(truth * np.array([2.0, 1.0, 1e6])[:, None, None], known)))
    for factor, (name, Q) in zip((2.0, 1.0, 1e6), found.kernels.items(), strict=True):
        assert again.kernels[name] == pytest.approx(factor * Q, rel=1e-8)


def test_tuned_repeats_itself_and_says_what_error_to_expect(world):
    truth, known = world
    kernels = named(hidden_views(truth, known))
    a, b = (complete_views(kernels, mode="tuned") for _ in range(2))
    for name, Q in a.kernels.items():
        assert np.array_equal(Q, b.kernels[name])
    assert np.isnan(a.expected_error[known]).all()
    assert (a.expected_error[~known] >= 0.0).all()
    actual = [
        np.linalg.norm(Q[np.ix_(~has, has)] - K[np.ix_(~has, has)], axis=1)
        / np.linalg.norm(K[np.ix_(~has, has)], axis=1)
        for K, Q, has in zip(truth, a.kernels.values(), known, strict=True)
    ]
    assert 0.5 < a.expected_error[~known].mean() / np.concatenate(actual).mean() < 2.0


@pytest.mark.parametrize("way", VIEW_COMPLETIONS, ids=lambda way: way.name)
def test_every_way_gives_kernels(way, world):
    truth, known = world
    made = finished(way.completing(named(hidden_views(truth, known))))
    assert list(made) == ["v0", "v1", "v2"]
    for K, Q, has in zip(truth, made.values(), known, strict=True):
        assert np.linalg.eigvalsh(Q)[0] >= -1e-12 * np.trace(Q)
        if way.name != "mean":  # which is clipped
            assert np.array_equal(Q[np.ix_(has, has)], K[np.ix_(has, has)])


def test_the_joint_ways_are_nearer_to_the_truth_than_the_plain_ones(world):
    truth, known = world
    kernels = named(hidden_views(truth, known))

    def error(name):
        made = finished(view_completion(name).completing(kernels))
        return np.mean(
            [
                view_errors(K, Q, has).relative_error
                for K, Q, has in zip(truth, made.values(), known, strict=True)
            ]
        )

    fast = error("fast")
    assert fast < error("single") < error("mean") < error("zero")


def test_errors_by_hand():
    K, Q = np.array([[1.0, 0.5], [0.5, 1.0]]), np.eye(2)
    found = view_errors(K, Q, [True, False])
    assert found.alignment_error == pytest.approx(1 - 2 / np.sqrt(2.5 * 2))
    assert found.relative_error == pytest.approx(0.5 / np.sqrt(1.25))
    assert np.isnan(view_errors(K, Q, [True, True]).relative_error)


@pytest.mark.parametrize(("count", "share"), [(2, 0.5), (3, 0.6), (5, 0.75), (4, 0.0)])
def test_drawn_views_lose_what_is_asked_and_no_item(count, share):
    known = drawn_views(40, count, share, 7)
    assert ((~known).sum(axis=1) == round(share * 40)).all()
    assert known.any(axis=0).all()
    with pytest.raises(InvalidInputError, match="can lose at most"):
        drawn_views(40, count, 1 - 0.5 / count, 0)


def test_a_complete_view_is_a_source_and_stays(world):
    truth, known = world
    whole = known.copy()
    whole[1] = True
    found = complete_views(named(hidden_views(truth, whole)))
    assert np.array_equal(found.kernels["v1"], truth[1])
    assert (found.unexplained[1] == 0.0).all()


def refused(kernels):
    with pytest.raises((InvalidInputError, NotPositiveSemidefiniteError)) as error:
        complete_views(kernels)
    return str(error.value)


def test_what_cannot_be_completed_is_refused_by_name(world):
    truth, known = world
    assert "at least two kernels" in refused(named(truth[:1]))
    nowhere = known.copy()
    nowhere[:, 4] = False
    assert "'i4' in none" in refused(named(hidden_views(truth, nowhere)))
    few = known.copy()
    few[2] = False
    few[2, :2] = True
    few[0] = True
    assert "2 in 'v2'" in refused(named(hidden_views(truth, few)))
    halves = np.zeros((2, 30), bool)
    halves[0, :16], halves[1, 14:] = True, True
    assert "'v1' shares fewer" in refused(named(hidden_views(truth[:2], halves)))
    pair = np.array(truth)
    pair[0, 2, 3] = pair[0, 3, 2] = np.nan
    assert "no similarity of 'i2' and 'i3' in 'v0'" in refused(named(pair))
    indefinite = np.array(truth)
    indefinite[1, 0, 1] = indefinite[1, 1, 0] = 50.0
    assert "The known part of 'v1'" in refused(named(indefinite))
    others = named(truth) | {"v9": GramMatrix(truth[0], tuple(reversed(IDS)))}
    assert "other items in 'v9'" in refused(others)
    assert "nothing but 0" in refused(named([truth[0], np.zeros((30, 30))]))


def test_little_in_common_is_warned_of_and_singular_views_are_fine():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    K = X @ X.T  # rank 2
    known = np.ones((3, 60), bool)
    known[0, 30:], known[1, :27] = False, False
    found = complete_views(named(hidden_views(np.array([K, K, K]), known), tuple(f"i{k}" for k in range(60))))
    assert found.certificate_holds
    assert any("'v0' and 'v1' share 3 of 60" in said for said in found.warnings)


def test_a_last_sweep_that_moved_little_is_small_print_and_one_that_moved_much_a_warning(found):
    for gap, little in ((1.2e-3, True), (0.9e-2, True), (1e-2, False), (0.3, False)):
        moved = {"objective": np.arange(13.0)[::-1], "gap": gap, "converged": False}
        ended = Swept((), **moved)
        views = replace(found, **moved, warnings=_warnings(as_views(found_kernels(found)), ended))
        assert bool(views.last_move) == little
        assert any("12 sweeps" in said for said in views.warnings) != little
    assert "by 0.12 % in the last of 12 sweeps" in replace(found, **(moved | {"gap": 1.2e-3})).last_move
    assert replace(found, gap=5e-4, converged=True).last_move == ""


def found_kernels(found):
    return {name: GramMatrix(Q, found.ids) for name, Q in found.kernels.items()}


def test_tuned_above_a_thousand_items_has_to_be_asked_for():
    big = GramMatrix(np.eye(1001))
    with pytest.raises(TooLargeError, match="1,001 items"):
        complete_views({"a": big, "b": big}, mode="tuned")


def test_lift_sees_distances_alone():
    X = np.random.default_rng(0).normal(size=(6, 2))
    moved = X + 3.0
    assert np.allclose(lifted(X @ X.T, 1.0), lifted(moved @ moved.T, 1.0))
    assert np.allclose(lifted(X @ X.T, 2.0), Gaussian(sigma=np.sqrt(0.5)).gram(X))


def test_no_item_is_promised_a_smaller_error_than_any_that_was_hidden():
    """The line through errors of hidden items falls below 0 where others explain more than of any of them."""
    x = np.linspace(0.3, 0.9, 12)
    y = 0.8 * x - 0.2
    chosen = Chosen((FAST,), _line(x, y)[None])
    found = chosen.expected(np.array([[0.0, 0.04, 0.49, 1.0]]), np.array([[False, False, False, True]]))
    assert found[0, :3] == pytest.approx([y.min(), y.min(), 0.8 * 0.7 - 0.2])
    assert np.isnan(found[0, 3])
