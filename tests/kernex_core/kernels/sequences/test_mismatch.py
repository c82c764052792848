import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import InvalidInputError, Mismatch, Sequences, Spectrum, TooLargeError
from kernex_core.kernels.sequences.mismatch import common_kmers
from tests.oracles import kmer_kernels as oracle
from tests.oracles.vectors import load


def expected(strings, k, m, letters):
    return np.array([[oracle.mismatch(s, t, k, m, letters) for t in strings] for s in strings], dtype=float)


@given(
    st.lists(st.text("ABCx", max_size=9), min_size=1, max_size=4),
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from(["A", "AB", "ABC", "ABCD"]),
)
def test_values_are_those_of_enumerating_all_kmers(strings, k, m, letters):
    m = min(m, k)
    upper = [string.upper() for string in strings]
    assert np.array_equal(Mismatch(k, m, letters).gram(strings), expected(upper, k, m, letters))


def test_vectors_of_the_specification():
    for name, case in load().items():
        given_inputs = case.get("inputs", {})
        if given_inputs.get("kernel") == "Mismatch" and "alphabet" in given_inputs:
            kernel = Mismatch(given_inputs["k"], given_inputs["m"], given_inputs["alphabet"])
            assert kernel.cross([given_inputs["x"]], [given_inputs["y"]])[0, 0] == case["expected"], name


def test_value_depends_on_the_size_of_the_alphabet():
    case = load()["mismatch depends on the alphabet size"]
    got = [Mismatch(2, 1, letters).gram(["AC"])[0, 0] for letters in case["inputs"]["alphabets"]]
    assert got == case["expected"] == [3, 7, 39]


def test_intersection_counts_of_the_specification():
    case = load()["mismatch intersection counts I(k=5,m=1..2,d,A=20)"]
    assert [[common_kmers(5, m, d, 20) for d in range(6)] for m in (1, 2)] == case["expected"]


def test_no_mismatch_is_the_spectrum_kernel(rng):
    strings = ["".join(rng.choice(list("ACGTN"), 60)) for _ in range(8)]
    assert np.array_equal(Mismatch(4, 0, "dna").gram(strings), Spectrum(4, "dna").gram(strings))


def test_every_letter_may_mismatch():
    assert Mismatch(2, 2, "ACGT").gram(["ACG"])[0, 0] == 16 * 2**2


@pytest.mark.parametrize(
    ("strings", "alphabet"),
    [
        (["ACGT", "GATTACA"], "dna"),
        (["ACGTN", "acgtacgtacgt"], "dna"),
        (["ACDEFW", "AC"], "protein"),
        (["MKXX-*", "acdefghik"], "protein"),
        (["AC", "to be"], " ACbeot"),
    ],
)
def test_the_alphabet_of_plain_strings_is_guessed_and_kept(strings, alphabet):
    kernel = Mismatch(k=2, m=1).resolved(strings)
    assert kernel.alphabet == alphabet
    assert np.array_equal(Mismatch(k=2, m=1).gram(strings), kernel.gram(strings))
    assert kernel.resolved(["something else"]).alphabet == alphabet


def test_the_declared_kind_comes_before_a_guess():
    data = Sequences(("a", "b"), ("AC", "ACG"), "protein")
    assert Mismatch(2, 1).similarities(data).values[0, 0] == 39.0
    assert Mismatch(2, 1, "dna").similarities(data).values[0, 0] == 7.0


def test_cross_is_the_block_of_gram(rng):
    strings = ["".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWYX"), 40)) for _ in range(9)]
    kernel = Mismatch(4, 1).resolved(strings)
    K = kernel.gram(strings)
    assert np.array_equal(kernel.cross(strings[:4], strings[4:]), K[:4, 4:])
    assert np.array_equal(Mismatch(4, 1).cross(strings[:4], strings[4:]), K[:4, 4:])


def test_skipped_windows_and_short_strings_are_reported():
    said = " ".join(Mismatch(2, 1, "dna").remarks(["ACNGT", "A", "NN"]))
    assert "4 letters ACGT" in said
    assert "1 of 3 sequences are shorter than 2" in said
    assert "3 windows of 2 letters in 2 of 3 sequences" in said


def test_progress_ends_at_one_and_can_cancel():
    shares = []
    Mismatch(3, 1, "protein").gram(["ACGT"], progress=shares.append)
    assert len(shares) == 1 + 3 + 3
    assert shares[-1] == 1.0

    def cancel(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Mismatch(3, 1, "dna").gram(["ACGT"], progress=cancel)


def test_whole_numbers_that_float64_cannot_hold_are_refused():
    with pytest.raises(TooLargeError, match="2\\^53"):
        Mismatch(14, 3, "protein").gram(["ACDEFGHIKLMNPQ" * 5000])


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda: Mismatch(3, 4), InvalidInputError),
        (lambda: Mismatch(3, -1), InvalidInputError),
        (lambda: Mismatch(0, 0), InvalidInputError),
        (lambda: Mismatch(3, 1, "AAC"), InvalidInputError),
        (lambda: Mismatch(40, 5), TooLargeError),
    ],
)
def test_wrong_parameters_are_refused(wrong, error):
    with pytest.raises(error):
        wrong()
