from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.kernels.sequences import local_alignment as local_alignment_numba
from kernex_core.kernels.sequences.letters import Costs, pack
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix, substitution_matrix
from tests.oracles import string_tables
from tests.oracles.string_pairs import alignment_kernel

AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"
LONG_S = "MKVLAAGIVGLCAKAYLEHHHWWPQRSTND" * 4
LONG_T = (
    "VLAAGIVCAKAYLEHHHWPQRSTNDEEEFGGSMKVLAAGIVCAKAYLEHHHWPQRSTNDEEEFGGS"
    "MKVLAAGIVCAKAYLEHHHWPQRSTNDEEEFGGSMKVLAAGIVCAKAYLEHHHWPQRSTNDEEEF"
)
LOG_K = {0.1: 108.46957802015363, 0.5: 229.62387886744014, 1: 453.9985368932021, 5: 2257.77258994791,
         20: 9022.77258872224}  # fmt: skip

proteins = st.text("ACDWK", max_size=5)


def blosum62(a: str, b: str) -> float:
    matrix = substitution_matrix("BLOSUM62")
    return matrix.scores[matrix.letters.index(a)][matrix.letters.index(b)]


def log_sums(module: Any, strings: list[str], beta: float, form: int) -> Any:
    matrix = substitution_matrix("BLOSUM62")
    p = pack(strings, matrix.letters)
    out, meter = np.zeros(1), np.zeros(2, dtype=np.int64)
    module.alignment_pairs(
        p, p, np.array([[0, 1]]), Costs(beta * matrix.array, 11 * beta, beta, form), out, meter
    )
    return float(out[0])


@pytest.mark.parametrize(
    ("s", "t", "options", "expected"),
    [
        ("", "AW", {}, 1.0),
        ("A", "A", {}, 8.38905609893065),
        ("AWCA", "AACA", {"beta": 0.1, "gap_open": 2}, 94.81760049843086),
        ("ACDE", "AE", {}, 34.561081057863795),
    ],
)
def test_known_values(s: str, t: str, options: dict[str, Any], expected: float) -> None:
    assert LocalAlignment(**options).cross([s], [t])[0, 0] == pytest.approx(expected, rel=1e-12)
    log = LocalAlignment(**options, log=True)
    assert log.cross([s], [t])[0, 0] == pytest.approx(math.log(expected) / log.beta, rel=1e-12)


@pytest.mark.parametrize("beta", LOG_K)
def test_long_strings_at_every_beta(beta: float) -> None:
    value = LocalAlignment(beta=beta, log=True).gram([LONG_S, LONG_T])[0, 1]
    assert value * beta == pytest.approx(LOG_K[beta], rel=1e-12)


@given(
    s=proteins, t=proteins, beta=st.sampled_from([0.05, 0.5, 3.0]),
    gaps=st.sampled_from([(11.0, 1.0), (2.0, 1.0), (0.5, 0.0), (1.0, 3.0)]),
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_equals_the_sum_over_all_sets_of_pairs(
    s: str, t: str, beta: float, gaps: tuple[float, float]
) -> None:
    expected = alignment_kernel(s, t, blosum62, beta, *gaps)
    assert LocalAlignment(beta, *gaps).cross([s], [t])[0, 0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("beta", [0.1, 0.5, 2.0, 10.0, 15.4])
def test_all_forms_of_the_recursion_agree(beta: float) -> None:
    strings = [LONG_S * 2, LONG_T]
    scaled = log_sums(local_alignment_numba, strings, beta, 1)
    assert log_sums(local_alignment_numba, strings, beta, 0) == pytest.approx(scaled, rel=1e-13)
    assert log_sums(local_alignment_numba, strings, beta, 2) == pytest.approx(scaled, rel=1e-13)
    assert log_sums(string_tables, strings, beta, 0) == pytest.approx(scaled, rel=1e-13)
    assert log_sums(string_tables, strings, beta, 2) == pytest.approx(scaled, rel=1e-13)


def test_swapped_domains_keep_both_alignments() -> None:
    # one exponent a row of the table would lose the second domain
    rng = np.random.default_rng(3)
    first, second = ("".join(rng.choice(list(AMINO_ACIDS), 600)) for _ in range(2))
    value = LocalAlignment(beta=0.9, log=True).gram([first + second, second + first])[0, 1]
    alone = LocalAlignment(beta=0.9, log=True).gram([first, second])
    assert value >= max(alone[0, 0], alone[1, 1])
    assert log_sums(local_alignment_numba, [first + second, second + first], 0.9, 2) / 0.9 == pytest.approx(
        value
    )


@given(
    s=st.text(AMINO_ACIDS, max_size=40), t=st.text(AMINO_ACIDS, max_size=40),
    beta=st.sampled_from([0.05, 0.5, 5, 40]),
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lies_between_smith_waterman_and_the_number_of_alignments(s: str, t: str, beta: float) -> None:
    kernel = LocalAlignment(beta=beta, log=True)
    excess = float(kernel.cross([s], [t])[0, 0]) - math.fsum(
        column.contribution for column in kernel.explain(s, t).alignment
    )
    bound = (math.lgamma(len(s) + len(t) + 1) - math.lgamma(len(s) + 1) - math.lgamma(len(t) + 1)) / beta
    assert -1e-9 <= excess <= bound + 1e-9


@pytest.mark.parametrize("log", [True, False])
def test_cross_is_the_block_of_gram_and_order_does_not_matter(log: bool) -> None:
    strings = [LONG_S[:40], LONG_T[:50], "", "WWCC", LONG_S[10:70]]
    kernel = LocalAlignment(beta=0.2, log=log)
    whole = kernel.gram(strings)
    assert kernel.cross(strings[:3], strings[1:]) == pytest.approx(whole[:3, 1:], rel=1e-12)
    assert kernel.cross(strings, strings) == pytest.approx(whole.T, rel=1e-12)
    assert whole[2] == pytest.approx([0.0] * 5 if log else [1.0] * 5)


def test_k_beyond_float64_is_an_error_that_names_the_logarithm() -> None:
    with pytest.raises(InvalidInputError, match=r"log K = .* between sequences 2 and 2.*log=True"):
        LocalAlignment(beta=5.0).gram(["A", LONG_S])
    assert np.isfinite(LocalAlignment(beta=1000.0, log=True).gram([LONG_S, LONG_T])).all()


def test_the_check_of_letters_finds_the_kernel_that_is_none() -> None:
    kernel = LocalAlignment(beta=0.1)
    letters = list(AMINO_ACIDS + "BZX")
    assert np.linalg.eigvalsh(kernel.gram(letters))[0] == pytest.approx(-0.02131993711330459, abs=1e-9)
    check = kernel.is_kernel(letters)
    assert not check.positive_semidefinite
    assert check.smallest_eigenvalue < 0
    assert "similarity" in check.reason
    assert check.letters == AMINO_ACIDS + "BZX"


@pytest.mark.parametrize("matrix", ["BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "GONNET1992"])
@pytest.mark.parametrize("beta", [0.01, 0.1, 0.5, 3.0])
def test_the_twenty_amino_acids_are_a_kernel_at_any_beta(matrix: str, beta: float) -> None:
    assert LocalAlignment(beta=beta, matrix=matrix).is_kernel([AMINO_ACIDS]).positive_semidefinite


@pytest.mark.parametrize(
    ("matrix", "beta"), [("PAM250", 0.1), ("DAYHOFF", 0.5), ("JONES", 0.5), ("RISLER", 0.5)]
)
def test_other_matrices_are_not(matrix: str, beta: float) -> None:
    assert not LocalAlignment(beta=beta, matrix=matrix).is_kernel([AMINO_ACIDS]).positive_semidefinite


def test_the_logarithm_is_a_similarity_and_says_so() -> None:
    check = LocalAlignment(log=True).is_kernel(["ACD"])
    assert not check.positive_semidefinite
    assert "log K / β is a similarity" in check.reason
    assert LocalAlignment().is_kernel(["", ""]).positive_semidefinite


@given(st.lists(st.text(AMINO_ACIDS, max_size=6), min_size=1, max_size=6))
def test_on_the_twenty_amino_acids_it_is_positive_semidefinite(strings: list[str]) -> None:
    K = LocalAlignment(beta=0.2).gram(strings)
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * np.abs(K).max()


def test_letters_that_the_matrix_has_not_are_replaced_and_said() -> None:
    kernel = LocalAlignment()
    K = kernel.cross(["aU-OJ.b", "A1"], ["ACKXB", "AX"])
    assert K[0, 0] == pytest.approx(kernel.gram(["ACKXB"])[0, 0], rel=1e-14)
    assert K[1, 1] == pytest.approx(kernel.gram(["AX"])[0, 0], rel=1e-14)
    remark = kernel.remarks(["aU-OJ.b", "A1"])[0]
    assert remark == (
        "Letters that BLOSUM62 has not: '-' left out (1), '.' left out (1), 1 as X (1), J as X (1), O as K (1), "
        "U as C (1)."
    )


def test_rna_is_read_as_dna_by_a_nucleotide_matrix() -> None:
    kernel = LocalAlignment(matrix="NUC.4.4")
    assert (kernel.gram(["ACGU"]) == kernel.gram(["ACGT"])).all()


def test_a_letter_that_nothing_stands_for_is_refused() -> None:
    matrix = SubstitutionMatrix("ab", ((1.0, -1.0), (-1.0, 1.0)))
    assert LocalAlignment(matrix=matrix).gram(["ab"])[0, 0] > 1
    with pytest.raises(InvalidInputError, match="'c' at position 3 of sequence 2"):
        LocalAlignment(matrix=matrix).gram(["ab", "abc"])


def test_a_large_diagonal_is_announced() -> None:
    assert any("close to the identity" in said for said in LocalAlignment().remarks(["ACD"]))
    assert not any("identity" in said for said in LocalAlignment(beta=0.05).remarks(["ACD"]))
    assert not any("identity" in said for said in LocalAlignment(log=True).remarks(["ACD"]))


@pytest.mark.parametrize(
    "options",
    [
        {"beta": 0.0},
        {"beta": math.nan},
        {"gap_open": -1},
        {"gap_extend": math.inf},
        {"matrix": "BLOSUM63"},
        {"log": 1},
    ],
)
def test_parameters_outside_their_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        LocalAlignment(**options)
