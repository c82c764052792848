"""Who is best of everything on one picture, and who is told apart from it."""

from itertools import combinations

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.chance.interval import Passes, interval_of
from kernex_core.learning.chance.paired import holm, paired
from kernex_core.learning.chance.verdict import verdict_of, verdict_sentence

PASSES = Passes(5, 2)


def rows(rng, **shares):
    """Right and wrong of two passes over 80 items; items have a difficulty that candidates share."""
    difficulty = rng.random((2, 80))
    return {
        name: (difficulty + 0.05 * rng.normal(size=(2, 80)) < p).astype(float) for name, p in shares.items()
    }


def test_order_values_and_p_after_holm_over_all_pairs(rng):
    values = rows(rng, joint=0.9, alone=0.88, zero=0.5, mean=0.6)
    made = verdict_of(values, PASSES, plain=["zero", "mean"])
    means = {name: each.mean() for name, each in values.items()}
    assert [each.name for each in made.candidates] == sorted(means, key=lambda name: -means[name])
    pairs = list(combinations(values, 2))
    corrected = dict(
        zip(pairs, holm([paired(values[a], values[b], PASSES).p for a, b in pairs]), strict=True)
    )
    best = made.best.name
    for each in made.candidates:
        assert each.value == pytest.approx(means[each.name])
        assert each.interval == interval_of(values[each.name], PASSES)
        assert each.behind == pytest.approx(means[best] - means[each.name])
        expected = corrected.get((best, each.name), corrected.get((each.name, best), 1.0))
        assert each.p == pytest.approx(expected)
        assert each.plain == (each.name in ("zero", "mean"))
        assert made.of(each.name) is each
    assert made.best_plain.name == "mean"
    assert not made.plain_does
    assert {each.name for each in made.worse} == {"zero", "mean"}


def test_a_plain_baseline_that_is_not_told_apart_is_said_first_and_not_called_as_good(rng):
    values = rows(rng, Joint=0.7, Zero=0.69)
    values["Joint"][:, :3], values["Zero"][:, :3] = 1.0, 0.0
    made = verdict_of(values, PASSES, plain=["Zero"])
    assert made.plain_does
    assert made.best.name == "Joint"
    said = verdict_sentence(made, gain="completing gains nothing")
    assert said.startswith("Zero ")
    assert "is not told apart from the best, Joint" in said
    # not to be told apart is no proof of being equal
    assert "nothing" not in said
    assert "as well" not in said
    ahead = verdict_of({"Joint": values["Joint"] * 0.0, "Zero": values["Zero"]}, PASSES, plain=["Zero"])
    assert ahead.best.name == "Zero"
    said = verdict_sentence(ahead, gain="completing gains nothing")
    assert said.startswith("Zero does best here")
    assert said.endswith("completing gains nothing.")


def test_a_third_that_is_ahead_wins_over_two(rng):
    values = rows(rng, joint=0.66, extrapolated=0.6, zero=0.9)
    made = verdict_of(values, PASSES, plain=["zero"])
    assert made.best.name == "zero"
    assert not any(each.name == "zero" for each in made.as_good)


def test_of_errors_the_smallest_is_best(rng):
    values = {"a": 1.0 + 0.1 * rng.random((2, 30)), "b": 2.0 + 0.1 * rng.random((2, 30))}
    made = verdict_of(values, PASSES, scale="error", smaller=True)
    assert made.best.name == "a"
    assert made.of("b").behind == pytest.approx(values["b"].mean() - values["a"].mean())


def test_every_number_of_the_sentence_is_a_candidate_of_that_name(rng):
    values = rows(rng, Joint=0.95, Source=0.93, Zero=0.4)
    made = verdict_of(values, PASSES, plain=["Zero"])
    said = verdict_sentence(made).replace("\u00a0", " ")
    for name in ("Joint", "Source", "Zero"):
        assert f"{name} {100 * values[name].mean():.1f} %" in said


@pytest.mark.parametrize(
    ("shares", "plain"), [((0.9, 0.4), []), ((0.9, 0.4), ["zero-fill"]), ((0.9, 0.88), ["other"])]
)
def test_a_sentence_begins_with_a_capital_and_a_typed_name_stays_as_it_is(rng, shares, plain):
    names = {"zero-fill": shares[0], "other": shares[1]}
    made = verdict_of(rows(rng, **names), PASSES, plain=plain)
    free = verdict_sentence(made)
    first = next(name for name in names if free.startswith(name.capitalize()))
    assert verdict_sentence(made, typed=[first]) == f"The kernel {first}{free[len(first) :]}"


def test_a_symbol_has_no_capital_and_what_is_typed_with_one_needs_no_words(rng):
    assert verdict_sentence(verdict_of(rows(rng, **{"τ = 5": 0.9}), PASSES)).startswith("τ = 5 ")
    assert verdict_sentence(verdict_of(rows(rng, Blosum=0.9), PASSES), typed=["Blosum"]).startswith("Blosum ")


def test_what_cannot_be_compared_is_refused(rng):
    values = rows(rng, a=0.5, b=0.6)
    with pytest.raises(InvalidInputError, match="at least one"):
        verdict_of({}, PASSES)
    with pytest.raises(InvalidInputError, match="among the candidates"):
        verdict_of(values, PASSES, plain=["c"])
    with pytest.raises(InvalidInputError, match="same items"):
        verdict_of({**values, "c": np.ones((2, 7))}, PASSES)
    with pytest.raises(InvalidInputError, match="expected"):
        verdict_of(values, PASSES).of("c")
    assert "nothing to compare" in verdict_sentence(verdict_of({"a": values["a"]}, PASSES))


@pytest.mark.parametrize("times", [60, pytest.param(300, marks=pytest.mark.science)])
def test_the_best_of_ten_equal_ones_is_seldom_told_apart(times):
    """Ten candidates that are right of each item with the same probability: p of all pairs is corrected for."""
    rng = np.random.default_rng(0)
    told = 0
    for _ in range(times):
        right = {f"k{i}": (rng.random(60) < 0.7).astype(float) for i in range(10)}
        told += bool(verdict_of(right, Passes(1, 1)).worse)
    assert told <= 0.05 * times + 3 * np.sqrt(times * 0.05 * 0.95)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("p = 0.5", "p = 0.5 "),
        ("p \\= 0\\.5", "p \\= 0\\.5 "),
        ("τ = 5", "τ = 5 "),
        ("mean-fill", "Mean-fill "),
        ("a way", "A way "),
    ],
)
def test_a_symbol_stays_small_where_it_begins_the_sentence(name, said):
    made = verdict_of({name: [1.0] * 38 + [0.0] * 2}, Passes(2, 1))
    assert verdict_sentence(made).startswith(said)
