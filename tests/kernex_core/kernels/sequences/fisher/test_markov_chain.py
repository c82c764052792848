import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.kernels.sequences.markov_fisher import fit_markov_chain

STRINGS = st.lists(st.text("ABCx", max_size=12), min_size=1, max_size=6)


def as_text(numbers, letters="ABCD"):
    return "".join(letters[i] for i in numbers)


def log_likelihood(string, initial, steps):
    """Of logits, by a loop; ? is no letter of ABCD."""
    initial = initial - np.log(np.exp(initial).sum())
    steps = steps - np.log(np.exp(steps).sum(axis=1, keepdims=True))
    at = ["ABCD".find(letter) for letter in string]
    total = initial[at[0]] if at and at[0] >= 0 else 0.0
    return total + sum(steps[a, b] for a, b in itertools.pairwise(at) if a >= 0 and b >= 0)


@pytest.mark.parametrize("string", ["ABCDDBACB", "A", "", "?BA?CDDDA"])
def test_scores_are_the_slopes_of_the_log_likelihood_in_the_logits(string):
    chain, h = fit_markov_chain(["ABBCDA", "DDBAC", "CCA"], "ABCD"), 1e-5
    logits = np.concatenate([np.log(chain.initial), np.log(chain.transitions).ravel()])

    def value(moved):
        return log_likelihood(string, moved[:4], moved[4:].reshape(4, 4))

    slopes = [(value(logits + h * e) - value(logits - h * e)) / (2 * h) for e in np.eye(20)]
    assert chain.scores([string])[0] == pytest.approx(slopes, abs=1e-9)
    assert chain.log_likelihoods([string])[0] == pytest.approx(value(logits), abs=1e-12)


def test_vectors_of_the_specification(shared):
    given_ = json.loads((shared / "vectors/network_inference.json").read_text())["markov_chain"]
    chain = fit_markov_chain(
        [as_text(x) for x in given_["fit_on"]], "ABCD", pseudo_count=given_["pseudo_count"]
    )
    (U,) = chain.scores([as_text(given_["x"])])
    assert U[:4] == pytest.approx(given_["initial_score"], abs=1e-10)
    assert U[4:].reshape(4, 4) == pytest.approx(np.array(given_["transition_score"]), abs=1e-10)


def test_kernel_of_the_vectors(shared):
    cases = json.loads((shared / "vectors/more.json").read_text())
    (case,) = (c for c in cases if c["name"] == "Fisher kernel of a first-order Markov chain")
    strings, expected = [as_text(x) for x in case["inputs"]["sequences"]], case["expected"]
    per_cell = case["inputs"]["pseudocount_total_per_row"] / case["inputs"]["letters"]
    chain = fit_markov_chain(strings, "AB", pseudo_count=per_cell)
    assert chain.initial == pytest.approx(expected["initial"], abs=1e-12)
    assert chain.transitions == pytest.approx(np.array(expected["transition"]), abs=1e-12)
    assert chain.scores(strings) == pytest.approx(np.array(expected["scores"]), abs=1e-12)
    assert chain.information == pytest.approx(expected["information_diagonal"], abs=1e-12)
    assert chain.gram(strings) == pytest.approx(np.array(expected["K"]), rel=1e-12)


@pytest.mark.parametrize("information", ["diagonal", "none"])
@given(strings=STRINGS, others=STRINGS)
def test_kernel_is_one_on_fitted_and_on_new_strings(information, strings, others):
    chain = fit_markov_chain([*strings, "AB"], "ABC")
    K = chain.gram(strings + others, information)
    assert np.array_equal(K, K.T)
    assert np.linalg.eigvalsh(K)[0] >= -1e-10 * max(1.0, np.abs(K).max())
    n = len(strings)
    assert chain.cross(strings, others, information) == pytest.approx(K[:n, n:], rel=1e-10, abs=1e-10)
    again = fit_markov_chain(["AB", *strings[::-1]], "ABC")
    assert again == chain


def test_what_is_unknown_is_skipped_and_told():
    chain = fit_markov_chain(["ABAB", "aXb"], "AB")
    assert np.array_equal(chain.scores(["AXB"]), chain.scores(["axx"]))
    assert chain.remarks(["AXB", "", "XX", "AB"]) == (
        "3 letters in 2 of 4 sequences are not among AB and are skipped.",
        "2 of 4 sequences have no known letter: similarity 0 to all.",
    )
    assert chain.remarks(["ab"]) == ()
    assert not chain.gram(["", "AB"])[0].any()
    assert not chain.gram(["", "AB"], "none")[0].any()


def test_entries_without_information_are_dropped():
    chain = fit_markov_chain(["A", "B"], "AB")  # no step at all: only first letters vary
    assert not chain.information[2:].any()
    assert chain.gram(["A", "B"]) == pytest.approx(np.array([[2.0, -2.0], [-2.0, 2.0]]))
    assert np.isfinite(chain.gram(["ABAB", "BA"])).all()


def test_what_cannot_be_fitted_is_refused():
    with pytest.raises(InvalidInputError, match="none of them"):
        fit_markov_chain(["xx", ""], "AB")
    with pytest.raises(InvalidInputError, match="pseudo-count"):
        fit_markov_chain(["AB"], "AB", pseudo_count=0.0)
    with pytest.raises(InvalidInputError, match="information"):
        fit_markov_chain(["AB"], "AB").gram(["AB"], "whole")
