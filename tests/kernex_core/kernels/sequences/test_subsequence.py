from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.kernels.sequences import subsequence as subsequence_numba
from kernex_core.kernels.sequences.letters import pack
from kernex_core.kernels.sequences.subsequence import Subsequence, power
from tests.oracles import string_tables
from tests.oracles.string_pairs import subsequence_kernel

FIGURE = ["qqbqqnshrtktfhhaahhh", "abajahnaajjjiiittt", "sdolncqniflmmprioog", "reaqhcoigealgjdsdgs"]

words = st.text("abc", max_size=9)


def engine_sums(module: Any, s: str, t: str, length: int, decay: float) -> Any:
    a, b = pack([s]), pack([t])
    out, meter = np.zeros((1, 2)), np.zeros(2, dtype=np.int64)
    pair = np.zeros((1, 2), dtype=np.int64)
    module.subsequence_pairs(a, b, pair, length, decay, out, meter)
    return out[0]


@pytest.mark.parametrize(
    ("s", "t", "length", "decay", "expected"),
    [
        ("cat", "car", 2, 0.25, 1 / 256),
        ("cat", "cat", 2, 0.25, 33 / 4096),
        ("aaaa", "aaa", 2, 0.5, 85 / 128),
        ("abab", "ba", 2, 0.5, 1 / 16),
    ],
)
def test_known_values(s: str, t: str, length: int, decay: float, expected: float) -> None:
    assert Subsequence(length, decay).gram([s, t])[0, 1] == pytest.approx(expected, rel=1e-14)


def test_matrix_of_four_strings() -> None:
    K = Subsequence(3, 0.25).gram(FIGURE)
    assert K.max() == pytest.approx(0.008337727711114806, rel=1e-12)
    assert K[0] / K.max() == pytest.approx(
        [0.8583630771509677, 0.019959987442662593, 2.8361279074361143e-06, 2.9493120369031346e-07], rel=1e-12
    )


@given(s=words, t=words, length=st.integers(1, 5), decay=st.sampled_from([0.1, 0.25, 0.7, 1.0]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_equals_enumeration_of_index_tuples(s: str, t: str, length: int, decay: float) -> None:
    expected = float(subsequence_kernel(s, t, length, decay))
    assert Subsequence(length, decay).cross([s], [t])[0, 0] == pytest.approx(expected, rel=1e-13, abs=0)


@given(strings=st.lists(st.text("ab", max_size=8), min_size=1, max_size=6), length=st.integers(1, 3))
def test_is_symmetric_and_positive_semidefinite(strings: list[str], length: int) -> None:
    K = Subsequence(length, 0.5).gram(strings)
    assert (K == K.T).all()
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * max(1.0, np.abs(K).max())


def test_cross_is_the_block_of_gram() -> None:
    kernel = Subsequence(3, 0.3)
    whole = kernel.gram(FIGURE)
    assert kernel.cross(FIGURE[:3], FIGURE[2:]) == pytest.approx(whole[:3, 2:], rel=1e-12)


def test_permuting_the_strings_permutes_the_matrix() -> None:
    kernel, order = Subsequence(2, 0.4), [2, 0, 3, 1]
    permuted = kernel.gram([FIGURE[i] for i in order])
    assert permuted == pytest.approx(kernel.gram(FIGURE)[np.ix_(order, order)], rel=1e-12)


def test_strings_shorter_than_the_length_are_similar_to_nothing() -> None:
    kernel = Subsequence(3)
    assert kernel.gram(["", "ab", "abc"]).tolist() == [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, kernel.gram(["abc"])[0, 0]],
    ]
    assert kernel.remarks(["", "ab", "abc"]) == (
        "2 of 3 sequences are shorter than 3 letters: similarity 0 to all.",
    )


def test_one_distinct_letter_counts_binomials_at_decay_one() -> None:
    assert Subsequence(3, 1.0).gram(["a" * 10, "a" * 7])[0, 1] == math.comb(10, 3) * math.comb(7, 3)


def test_letters_outside_the_alphabet_match_nothing() -> None:
    kernel = Subsequence(2, 0.5, alphabet="dna")
    assert kernel.gram(["ANC", "anc", "NN"]).tolist() == [[1 / 64, 1 / 64, 0], [1 / 64, 1 / 64, 0], [0, 0, 0]]
    assert "4 letters outside ACGT match nothing" in kernel.remarks(["ANC", "anc", "NN"])[-1]
    assert Subsequence(2, 0.5).gram(["NN"])[0, 0] == 1 / 16


@pytest.mark.parametrize(
    ("kernel", "strings", "size"),
    [
        (Subsequence(300, 0.25), ["abc" * 100], "1e-361"),
        (Subsequence(150, 1.0), ["a" * 720], r"1e\+3"),
        (Subsequence(2, 1e-300), ["axb", "ayb"], "between"),
        (
            Subsequence(2, 0.25),
            ["a" + "x" * 1000 + "b", "a" + "y" * 1000 + "b"],
            "1e-1207 between sequences 1 and 2",
        ),
    ],
)
def test_a_value_beyond_float64_is_an_error_and_never_zero_or_infinite(
    kernel: Subsequence, strings: list[str], size: str
) -> None:
    with pytest.raises(InvalidInputError, match=size):
        kernel.gram(strings)


def test_overflow_by_a_thousand_letters_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match=r"1e\+432"):
        Subsequence(200, 1.0).gram(["a" * 1000])


def test_sums_beyond_float64_whose_product_fits_are_right() -> None:
    # the sum of decay ** gaps is about 1e+314, the kernel about 1e+272
    value = Subsequence(300, 0.85).gram(["a" * 600])[0, 0]
    assert value == pytest.approx(_one_letter(600, 300, 0.85), rel=1e-11)


def _one_letter(n: int, length: int, decay: float) -> float:
    lam = Fraction(decay)
    weight = sum(
        (n - span + 1) * math.comb(span - 2, length - 2) * lam**span for span in range(length, n + 1)
    )
    return float(weight * weight)


def test_a_tiny_decay_leaves_zeros_zero() -> None:
    assert Subsequence(2, 1e-300).cross(["axb"], ["bya"])[0, 0] == 0.0


def test_underflow_of_one_pair_spares_none_of_its_terms() -> None:
    # the occurrence with 1000 gaps is lost beside the one without gaps, and rightly so
    assert Subsequence(2, 0.25).cross(["ab" + "x" * 1000 + "b"], ["ab"])[0, 0] == pytest.approx(
        1 / 256, rel=1e-15
    )


@pytest.mark.parametrize(("length", "decay"), [(1, 0.5), (2, 1.0), (4, 0.25), (30, 0.9)])
def test_scaled_sums_equal_plain_ones(length: int, decay: float) -> None:
    s, t = pack(["abcabdbcb" * 6]).codes, pack(["acbbdabc" * 7]).codes
    meter = np.zeros(2, dtype=np.int64)
    mantissa, exponent = subsequence_numba.scaled_sum(s, t, length, decay, meter)
    plain = subsequence_numba.plain_sum(s, t, length, decay, meter)
    assert mantissa * 2.0 ** (256 * exponent) == pytest.approx(plain, rel=1e-12)
    assert math.exp(string_tables.log_sum(s, t, length, decay, meter)) == pytest.approx(plain, rel=1e-11)


def test_long_strings_have_the_sums_of_the_oracle() -> None:
    rng = np.random.default_rng(1)
    s, t = ("".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), n)) for n in (180, 230))
    for length, decay in ((3, 0.25), (10, 0.6), (40, 0.9)):
        a = engine_sums(subsequence_numba, s, t, length, decay)
        b = engine_sums(string_tables, s, t, length, decay)
        assert a[0] * 2.0 ** (256 * a[1]) == pytest.approx(b[0] * 2.0 ** (256 * b[1]), rel=1e-11)


@pytest.mark.parametrize(("base", "exponent"), [(0.25, 6), (0.3, 700), (1.0, 40), (1e-200, 10)])
def test_power_is_right_beyond_float64(base: float, exponent: int) -> None:
    mantissa, shift = power(base, exponent)
    assert 0.5 <= mantissa < 1.0
    assert math.log(mantissa) + shift * math.log(2) == pytest.approx(
        exponent * math.log(base), rel=1e-13, abs=1e-13
    )


@pytest.mark.parametrize(
    ("length", "decay"), [(0, 0.5), (3, 0.0), (3, 1.1), (3, math.nan), (2.5, 0.5), (3, -0.2)]
)
def test_parameters_outside_their_range_are_refused(length: Any, decay: float) -> None:
    with pytest.raises(InvalidInputError):
        Subsequence(length, decay)


def test_too_much_work_is_refused_with_an_estimate() -> None:
    with pytest.raises(TooLargeError, match=r"about [\d,]+ hours"):
        Subsequence().gram(["ACGT" * 25_000] * 300)


@pytest.mark.parametrize("strings", ["abc", ["abc", 3], []])
def test_what_is_no_list_of_strings_is_refused(strings: Any) -> None:
    with pytest.raises(InvalidInputError):
        Subsequence().gram(strings)
