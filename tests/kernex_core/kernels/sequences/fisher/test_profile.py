import json
from itertools import product

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.kernels.sequences import profile as module
from kernex_core.kernels.sequences.profile import STEPS, ProfileFit, ProfileHMM, fit_profile, fitting

FAMILY = ["ACDEFGHIKLMNP", "ACDEFGHKLMNP", "WWACDEYGHIKLMNP", "ACDEFGHIKLMVVNP", "CDEFGXHIKLMN"]


def random_profile(rng, K=3, q=4):
    t = np.hstack([rng.dirichlet(np.ones(n), K - 1) for n in (3, 2, 2)])
    return ProfileHMM(
        "ABCD"[:q], rng.dirichlet(np.ones(q), K), rng.dirichlet(np.full(q, 5.0)), rng.dirichlet(np.ones(2)), t
    )


def log_forward(profile, x, logits=None):
    """Log-odds by a recursion in log space that is written state by state, nothing divided."""
    e = profile.emissions if logits is None else np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    e, t = (
        np.log(e / profile.background),
        [dict(zip(STEPS, np.log(row), strict=True)) for row in profile.transitions],
    )
    K, L, loop = len(e), len(x), len(x) / (len(x) + 2)
    none, leave, stay = -np.inf, np.log(2 / (L + 2)), np.log(loop)
    plus = np.logaddexp
    M, I, D = ({} for _ in range(3))  # noqa: E741
    C = {}
    for i in range(L + 1):
        for k in range(K):
            start = np.log(profile.begin) + leave
            if k == 0:
                M[i, k] = none if i == 0 else e[k, x[i - 1]] + start[0] + (i - 1) * stay
                D[i, k] = start[1] + i * stay
            else:
                came = none
                if i:
                    ways = (M[i - 1, k - 1] + t[k - 1]["MM"], I[i - 1, k - 1] + t[k - 1]["IM"],
                            D[i - 1, k - 1] + t[k - 1]["DM"])  # fmt: skip
                    came = np.logaddexp.reduce(ways) + e[k, x[i - 1]]
                M[i, k] = came
                D[i, k] = plus(M[i, k - 1] + t[k - 1]["MD"], D[i, k - 1] + t[k - 1]["DD"])
            I[i, k] = none
            if i and k < K - 1:
                I[i, k] = plus(M[i - 1, k] + t[k]["MI"], I[i - 1, k] + t[k]["II"])
        C[i] = plus(plus(M[i, K - 1], D[i, K - 1]), C[i - 1] + stay if i else none)
    return C[L] + leave - L * stay


def paths(profile, x):
    """Sum over all paths of K = 3 places, one by one: probabilities over the background's, and letters that M_k emits."""
    K, L, loop = len(profile.emissions), len(x), len(x) / (len(x) + 2)
    odds = profile.emissions / profile.background
    whole, emitted = 0.0, np.zeros(profile.emissions.shape)
    for states in product("MD", repeat=K):
        for begin, *inserts in product(range(L + 1), repeat=K):
            p, i, used = loop**begin * (1 - loop) * profile.begin["MD".index(states[0])], begin, []
            for k, state in enumerate(states):
                if state == "M":
                    if i >= L:
                        p = 0.0
                        break
                    p *= odds[k, x[i]]
                    used.append((k, x[i]))
                    i += 1
                if k < K - 1:
                    t, n = dict(zip(STEPS, profile.transitions[k], strict=True)), inserts[k]
                    after = states[k + 1]
                    if n == 0:
                        p *= t[state + after]
                    elif state == "M" and after == "M":
                        p *= t["MI"] * t["II"] ** (n - 1) * t["IM"]
                    else:
                        p = 0.0
                    i += n
            if p and i <= L:
                p *= loop ** (L - i) * (1 - loop)
                whole += p
                for at in used:
                    emitted[at] += p
    return whole / loop**L, emitted / whole


def text(x):
    return "".join("ABCD"[a] for a in x)


def test_vectors_of_the_specification(shared):
    case = json.loads((shared / "vectors/network_inference.json").read_text())["profile_hmm"]
    begin, t = case["begin"], case["transitions"]
    profile = ProfileHMM(
        "ABCD", np.array(case["match_emissions"]), np.array(case["background"]),
        np.array([begin["M1"], begin["D1"]]), np.tile([t[step] for step in STEPS], (2, 1)),
    )  # fmt: skip
    (log_odds,), (U,) = profile.read([text(case["x"])])
    assert log_odds == pytest.approx(case["log_odds"], abs=1e-12)
    assert U.reshape(3, 4) == pytest.approx(np.array(case["score"]), abs=1e-10)
    assert profile.expect([text(case["x"])]).emitted == pytest.approx(
        np.array(case["expected_match_counts"]), abs=1e-10
    )


def test_sums_are_those_over_all_paths(rng):
    profile = random_profile(rng)
    for x in (rng.integers(0, 4, 5), rng.integers(0, 4, 2)):
        whole, emitted = paths(profile, x)
        assert profile.log_odds([text(x)])[0] == pytest.approx(np.log(whole), abs=1e-13)
        assert profile.expect([text(x)]).emitted == pytest.approx(emitted, abs=1e-13)


@pytest.mark.parametrize("length", [1, 9])
def test_scores_are_the_slopes_of_the_log_likelihood_in_the_logits(length, rng):
    profile, h = random_profile(rng, K=4), 1e-5
    x, logits = rng.integers(0, 4, length), np.log(profile.emissions)
    slopes = np.zeros((4, 4))
    for at in np.ndindex(4, 4):
        step = np.zeros((4, 4))
        step[at] = h
        slopes[at] = (log_forward(profile, x, logits + step) - log_forward(profile, x, logits - step)) / (
            2 * h
        )
    (log_odds,), (U,) = profile.read([text(x)])
    assert log_odds == pytest.approx(log_forward(profile, x), abs=1e-12)
    assert U.reshape(4, 4) == pytest.approx(slopes, abs=1e-9)


def test_what_leaves_a_state_is_what_came(rng):
    profile = random_profile(rng, K=6)
    expected = profile.expect([text(rng.integers(0, 4, n)) for n in (0, 1, 4, 12)])
    matched, inserted, deleted = (expected.taken[:, at] for at in (slice(0, 3), slice(3, 5), slice(5, 7)))
    assert matched.sum(axis=1) == pytest.approx(expected.emitted[:-1].sum(axis=1), abs=1e-12)
    assert expected.begun.sum() == pytest.approx(4.0, abs=1e-12)
    assert inserted[:, 0] == pytest.approx(matched[:, 1], abs=1e-12)
    # each of the four strings goes through each place once
    assert (matched.sum(axis=1) + deleted.sum(axis=1)) == pytest.approx(4.0, abs=1e-12)


@pytest.mark.no_cover
def test_long_strings_and_letters_that_cannot_be_emitted_overflow_nowhere(rng):
    K = 40
    emissions = np.full((K, 4), 1 / 3)
    emissions[np.arange(K), rng.integers(0, 4, K)] = 0.0
    t = np.tile([0.97, 0.015, 0.015, 0.5, 0.5, 0.5, 0.5], (K - 1, 1))
    profile = ProfileHMM("ABCD", emissions, np.full(4, 0.25), np.array([0.9, 0.1]), t)
    x = rng.integers(0, 4, 1500)
    (log_odds,), (U,) = profile.read([text(x)])
    with np.errstate(divide="ignore"):
        assert log_odds == pytest.approx(log_forward(profile, x), abs=1e-9)
    assert np.isfinite(U).all()


def test_the_posterior_never_falls():
    config = ProfileFit(steps=12, emission_prior=2.0, transition_prior=5.0)
    posterior = [value for _, value in fitting(FAMILY, config=config)]
    assert len(posterior) == 13
    assert np.diff(posterior).min() >= -1e-9
    assert posterior[-1] > posterior[0] + 1.0


def test_a_profile_knows_its_family_again():
    profile = fit_profile(FAMILY[:4])
    inside, outside, jumbled = profile.log_odds([FAMILY[4], "YYVVSSTTRRQQ", FAMILY[0][::-1]])
    assert inside > 5.0
    assert max(outside, jumbled) < 0.0
    assert profile.emissions.sum(axis=1) == pytest.approx(1.0)
    letters = "".join(profile.letters[a] for a in profile.emissions.argmax(axis=1))
    assert letters == "ACDEFGHIKLMNP"


def test_letters_that_are_no_amino_acids_start_from_their_own(rng):
    start, _ = next(fitting(["ACGT", "ACGA"], "dna"))
    assert (start.emissions.argmax(axis=1) == [0, 1, 2, 3]).all()
    assert start.emissions.min() > 0.0


def test_one_place_and_an_empty_string():
    profile = fit_profile(["A", "A", ""])
    assert profile.transitions.shape == (0, 7)
    log_odds, U = profile.read(["", "A", "X"])
    assert np.isfinite(log_odds).all()
    assert log_odds[0] == log_odds[2]
    assert not U[0].any()


def test_what_cannot_be_fitted_is_refused(monkeypatch):
    with pytest.raises(InvalidInputError, match="none of them"):
        fit_profile(["", "XX"])
    with pytest.raises(InvalidInputError, match="background"):
        ProfileHMM("AB", np.ones((2, 2)) / 2, np.ones(3) / 3, np.ones(2) / 2, np.ones((1, 7)))
    monkeypatch.setattr(module, "CELL_LIMIT", 20)
    with pytest.raises(TooLargeError, match="places"):
        fit_profile(["ACDEF", "ACDEF"]).log_odds(["ACDEFGHIKL"])
