import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import InvalidInputError, Sequences, Spectrum, SpectrumSum, TooLargeError
from kernex_core.kernels import counts
from kernex_core.kernels.sequences import spectrum as kmers
from tests.oracles import kmer_kernels as oracle
from tests.oracles.vectors import load

STRINGS = ["ABCABCD", "ABCD", "", "AB", "ABCABCD", "DDDDDDD", "ABXCD", "abcabcd", "ßABCΩ", "A" * 40]
ANY_STRINGS = st.lists(st.text("ABCx-é", max_size=12), min_size=1, max_size=5)


def expected(strings, others, k, letters=None):
    return np.array([[oracle.spectrum(s, t, k, letters) for t in others] for s in strings], dtype=float)


@given(ANY_STRINGS, st.integers(1, 5))
def test_values_are_those_of_counting(strings, k):
    assert np.array_equal(Spectrum(k).gram(strings), expected(strings, strings, k))


@pytest.mark.parametrize("k", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("dense", [0, 10**9])
def test_dense_and_sparse_counts_agree(k, dense, monkeypatch):
    monkeypatch.setattr(kmers, "DENSE_COLUMNS", dense if k <= 3 else 0)
    assert np.array_equal(Spectrum(k).gram(STRINGS), expected(STRINGS, STRINGS, k))


def test_vectors_of_the_specification():
    spectrum = load()["spectrum_k3"]
    got = [Spectrum(k=3).gram(pair)[0, 1] for pair in spectrum["input"]["pairs"]]
    assert got == spectrum["expected"]


@pytest.mark.parametrize("k", [13, 25, 50])
def test_long_kmers_over_many_letters_do_not_overflow(k, rng):
    base = "".join(chr(200 + letter) for letter in rng.integers(0, 300, 120))
    strings = [base, base[10:], base[:30] + base[31:], base[::-1]]
    assert np.array_equal(Spectrum(k).gram(strings), expected(strings, strings, k))


def test_cross_is_the_block_of_gram():
    K = Spectrum(2).gram(STRINGS)
    assert np.array_equal(Spectrum(2).cross(STRINGS[:3], STRINGS[3:]), K[:3, 3:])
    assert np.array_equal(Spectrum(2).cross(["QQQ"], STRINGS), np.zeros((1, len(STRINGS))))


def test_blocks_of_rows_make_no_difference(monkeypatch):
    monkeypatch.setattr(counts, "_ROWS", 3)
    monkeypatch.setattr(kmers, "DENSE_COLUMNS", 0)
    shares = []
    assert np.array_equal(Spectrum(3).gram(STRINGS, progress=shares.append), expected(STRINGS, STRINGS, 3))
    assert len(shares) == 4
    assert shares[-1] == 1.0


def test_features_multiply_to_the_kernel():
    features = Spectrum(3).features(STRINGS)
    assert np.array_equal((features.counts @ features.counts.T).toarray(), Spectrum(3).gram(STRINGS))
    for row, string in enumerate(STRINGS):
        for u, count in zip(features.kmers, features.counts[[row]].toarray()[0], strict=True):
            assert count == oracle.windows(string, 3).count(u)


def test_windows_with_a_letter_outside_the_alphabet_are_skipped_and_counted():
    kernel = Spectrum(k=2, alphabet="ABCD")
    strings = ["ABXCD", "abcd", "XXX", "CD"]
    upper = [string.upper() for string in strings]
    assert np.array_equal(kernel.gram(strings), expected(upper, upper, 2, "ABCD"))
    features = kernel.features(strings)
    assert features.skipped.tolist() == [2, 0, 2, 0]
    assert features.kmers == ("AB", "BC", "CD")
    assert "4 windows of 2 letters in 2 of 4 sequences" in " ".join(kernel.remarks(strings))


def test_an_alphabet_with_lower_case_letters_keeps_case():
    assert Spectrum(k=1, alphabet="aA").gram(["aA", "AA"]).tolist() == [[2.0, 2.0], [2.0, 4.0]]
    assert Spectrum(k=1, alphabet="A").gram(["aA", "AA"]).tolist() == [[4.0, 4.0], [4.0, 4.0]]


def test_the_declared_kind_sets_the_alphabet():
    data = Sequences(("a", "b"), ("ACGNACG", "acgtt"), "dna")
    K = Spectrum(k=3).similarities(data)
    assert np.array_equal(K.values, Spectrum(k=3, alphabet="dna").gram(data.strings))
    assert np.array_equal(Spectrum(3, alphabet="ACGTN").similarities(data).values, [[7, 2], [2, 3]])
    text = Sequences(("a", "b"), ("to be", "To be"), "text")
    assert Spectrum(k=2).similarities(text).values.tolist() == [[4.0, 3.0], [3.0, 4.0]]


def test_short_strings_have_similarity_zero_and_are_reported():
    assert (Spectrum(4).gram(["ABC", "ABCD"])[0] == 0.0).all()
    assert "1 of 2 sequences are shorter than 4" in Spectrum(4).remarks(["ABC", "ABCD"])[0]
    assert Spectrum(3).remarks(["ABC", "ABCD"]) == ()
    assert Spectrum(3).gram(["", ""]).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_one_distinct_letter_in_a_very_long_string():
    length = 100_000
    assert Spectrum(3).gram(["A" * length])[0, 0] == (length - 2) ** 2


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_sum_is_the_sum(k):
    weights = tuple(0.5 * (j + 1) for j in range(k))
    expected_sum = sum(w * Spectrum(j).gram(STRINGS) for j, w in enumerate(weights, 1))
    kernel = SpectrumSum(k, weights=weights)
    assert kernel.gram(STRINGS) == pytest.approx(expected_sum, rel=1e-14)
    assert kernel.cross(STRINGS[:4], STRINGS[4:]) == pytest.approx(expected_sum[:4, 4:], rel=1e-14)
    features = kernel.features(STRINGS)
    assert (features.counts @ features.counts.T).toarray() == pytest.approx(expected_sum, rel=1e-12)
    assert len(features.kmers) == features.counts.shape[1]


def test_the_sum_weighs_lengths_equally_by_default():
    assert np.array_equal(SpectrumSum(3).gram(STRINGS), SpectrumSum(3, weights=(1, 1, 1)).gram(STRINGS))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Spectrum(0), lambda: Spectrum(51), lambda: Spectrum(2.0), lambda: Spectrum(alphabet=""),
        lambda: Spectrum(alphabet="ABA"), lambda: SpectrumSum(2, weights=(1.0,)),
        lambda: SpectrumSum(2, weights=(1.0, -1.0)),
    ],
)  # fmt: skip
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        wrong()


@pytest.mark.parametrize("wrong", ["ABC", [], ["A", None], ["A", 3]])
def test_what_is_no_list_of_strings_is_refused(wrong):
    with pytest.raises(InvalidInputError, match="string"):
        Spectrum().gram(wrong)


def test_limits_are_stated_before_anything_is_computed():
    with pytest.raises(TooLargeError, match=r"100,001 letters in sequence 2"):
        Spectrum().gram(["A", "A" * 100_001])
    with pytest.raises(TooLargeError, match="'long'"):
        Spectrum().similarities(Sequences(("long",), ("A" * 100_001,)))
    with pytest.raises(TooLargeError, match="10,001 items"):
        Spectrum().gram(["A"] * 10_001)
