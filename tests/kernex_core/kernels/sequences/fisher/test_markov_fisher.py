import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.sequences import markov_fisher
from kernex_core.kernels.sequences.markov_fisher import FITTED, WEAKNESS, MarkovFisher, fit_markov_chain
from kernex_core.learning.leakage import evaluation_mode
from tests.oracles import markov_fisher as oracle

WORDS = ("ABAB", "ABB", "AAXB", "", "B", "xx")
DATA = Sequences(("a", "b", "c"), ("ACDEFGHIK", "ACDEACDE", "MNPQRSTVW"), "protein")


@pytest.mark.parametrize("information", ["none", "diagonal"])
@given(
    strings=st.lists(st.text("ABCx", max_size=9), min_size=1, max_size=6), pseudo=st.sampled_from([0.3, 1.0])
)
def test_similarities_and_their_parts_are_those_of_the_formula(information, strings, pseudo):
    kernel = MarkovFisher(pseudo, information, "ABC")
    expected = oracle.fisher([s.upper() for s in strings], "ABC", pseudo, information)
    assert kernel.gram(strings) == pytest.approx(np.array(expected), rel=1e-10, abs=1e-10)
    fitted = kernel.resolved(strings)
    made = fitted.explain(strings[0], strings[-1], 2)
    assert made.sum_of_parts == pytest.approx(expected[0][-1], rel=1e-10, abs=1e-10)


def test_blocks_of_rows_make_the_same_matrix(monkeypatch):
    strings = ["ABAB", "ABB", "AAB", "BBB", "BA", "AB", "A"]
    whole = MarkovFisher(alphabet="AB").gram(strings)
    monkeypatch.setattr(markov_fisher, "BLOCK", 3)
    K = MarkovFisher(alphabet="AB").gram(strings)
    assert pytest.approx(whole, abs=1e-14) == K
    assert np.array_equal(K, K.T)


def test_strings_that_the_chain_cannot_read_are_similar_to_nothing_and_told():
    kernel = MarkovFisher(alphabet="AB")
    K = kernel.gram(WORDS)
    assert not K[3].any()
    assert not K[5].any()
    said = kernel.remarks(WORDS)
    assert said[:2] == (WEAKNESS, FITTED)
    assert said[2:] == (
        "3 letters in 2 of 6 sequences are not among AB and are skipped.",
        "2 of 6 sequences have no known letter: similarity 0 to all.",
    )
    assert not MarkovFisher(alphabet="dna").gram(["", "LLL"]).any()  # nothing to fit: all steps are as likely
    assert "single sequence" in " ".join(kernel.remarks(["ABA"]))


@pytest.mark.parametrize("kernel", [MarkovFisher(), MarkovFisher().of(DATA)], ids=["open", "fitted to them"])
def test_accuracies_are_transductive_and_the_script_fits_the_chain_again(kernel):
    K = kernel.similarities(DATA)
    assert evaluation_mode(K, inductive=True) == "transductive"
    script = write_script([K.recipe], heading="Made by a test")
    assert "MarkovFisher(alphabet='protein').similarities" in script
    assert "chain" not in script.split("MarkovFisher(")[-1]


def test_a_chain_of_other_strings_stays_and_is_written_out():
    chain = fit_markov_chain(["ACAC", "DDEE"], "protein")
    kernel = MarkovFisher(chain=chain)
    K = kernel.similarities(DATA)
    assert evaluation_mode(K, inductive=True) == "inductive"
    assert K.values == pytest.approx(chain.gram(DATA.strings, "none"), abs=1e-15)
    names = {}
    exec(write_script([dataclasses.replace(K.recipe, name="K")], heading="Made by a test"), names)
    assert np.array_equal(names["k"].values, K.values)


def test_what_does_not_fit_is_refused():
    chain = fit_markov_chain(["AB"], "AB")
    with pytest.raises(InvalidInputError, match="that of the chain, AB"):
        MarkovFisher(alphabet="dna", chain=chain)
    with pytest.raises(InvalidInputError, match="MarkovChain"):
        MarkovFisher(chain=3)
    with pytest.raises(InvalidInputError, match="Pseudo-count"):
        MarkovFisher(0.0)
    with pytest.raises(InvalidInputError, match="Information"):
        MarkovFisher(information="whole")
    letters = "".join(chr(0x4E00 + i) for i in range(5000))
    with pytest.raises(TooLargeError, match="every pair of letters"):
        MarkovFisher().gram([letters])
