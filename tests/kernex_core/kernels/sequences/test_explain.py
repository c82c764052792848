from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.gram.graph import Graph
from kernex_core.kernels.catalogue import KERNELS as KERNELS_OF_ALL_KINDS
from kernex_core.kernels.explanation import (
    AlignedColumn,
    AlignmentEnd,
    Explanation,
    SharedKmer,
    SharedSubsequence,
)
from kernex_core.kernels.sequences import shared_parts as shared_kmers
from kernex_core.kernels.sequences import shared_parts as shared_subsequences
from kernex_core.kernels.sequences.explain import explain_pair
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.mismatch import Mismatch, common_kmers
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.sequences.substitution import substitution_matrix
from tests.oracles.string_pairs import alignment_score, alignments, best_alignment_score, subsequence_weights

S = "MKVLAAGIVGLCAKAYLEHHHWWPQRSTND"
T = "VLAAGIVCAKAYLEHHHWPQRSTNDEEEFGGS"
GRAPHS = (Graph(2, [(0, 1)]), Graph(3, [(0, 1), (1, 2)]))
KERNELS = [
    Spectrum(k=2),
    Spectrum(k=3, alphabet="protein"),
    Mismatch(k=3, m=1, alphabet="protein"),
    Mismatch(k=2, m=0, alphabet="protein"),
    Subsequence(length=1),
    Subsequence(length=3, decay=0.25),
    Subsequence(length=4, decay=1.0, alphabet="protein"),
    SmithWaterman(),
    SmithWaterman(gap_open=4, gap_extend=1),
    LocalAlignment(beta=0.1),
    LocalAlignment(beta=0.5, log=True),
]


def blosum62(a: str, b: str) -> float:
    matrix = substitution_matrix("BLOSUM62")
    return matrix.scores[matrix.letters.index(a)][matrix.letters.index(b)]


def pairs_of(columns: tuple[AlignedColumn, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (c.position_s, c.position_t) for c in columns if c.position_s is not None and c.position_t is not None
    )


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize(("s", "t"), [(S, T), (T, T), ("", S), ("WW", "CC"), ("A", "A")])
@pytest.mark.parametrize("top", [1, 5, 10_000])
def test_parts_and_rest_sum_to_the_similarity(kernel: Any, s: str, t: str, top: int) -> None:
    found = kernel.explain(s, t, top)
    similarity = float(kernel.cross([s], [t])[0, 0])
    assert found.total == pytest.approx(similarity, rel=1e-12, abs=1e-12)
    assert found.sum_of_parts == pytest.approx(similarity, rel=1e-12, abs=1e-12)
    assert found.rest >= -1e-9 * max(1.0, abs(similarity))


@pytest.mark.parametrize(
    "kernel", [k for k in KERNELS if isinstance(k, Spectrum | Mismatch | Subsequence)], ids=repr
)
def test_with_all_parts_nothing_is_left(kernel: Any) -> None:
    s, t = S[:14], T[:12]
    found = kernel.explain(s, t, 100_000)
    assert found.rest == pytest.approx(0.0, abs=1e-12 * max(1.0, found.total))
    contributions = [part.contribution for part in found.parts]
    assert contributions == pytest.approx(sorted(contributions, reverse=True))


def test_shared_kmers_say_where_they_are() -> None:
    found = Spectrum(k=3).explain("ABCABCD", "ABCD")
    assert found.total == 3.0
    assert found.n_parts == 2
    assert found.parts == (
        SharedKmer("ABC", "ABC", 0, (0, 3), (0,), 1, 2.0),
        SharedKmer("BCD", "BCD", 0, (4,), (1,), 1, 1.0),
    )


def test_similar_kmers_contribute_the_features_that_both_have() -> None:
    found = Mismatch(k=3, m=1, alphabet="ACGT").explain("ACGT", "AGGT", 100)
    assert found.total == 10.0
    parts = [part for part in found.parts if isinstance(part, SharedKmer)]
    assert {(p.kmer_s, p.kmer_t): (p.mismatches, p.common_features) for p in parts} == {
        ("ACG", "AGG"): (1, 4),
        ("CGT", "GGT"): (1, 4),
        ("CGT", "AGG"): (2, 2),
    }


def test_common_kmers_by_enumeration() -> None:
    assert [[common_kmers(5, m, d, 20) for d in range(6)] for m in (1, 2)] == [
        [96, 20, 2, 0, 0, 0], [3706, 1540, 514, 114, 6, 0],
    ]  # fmt: skip
    for letters, m, d in itertools.product(("A", "AC", "ACG"), (0, 1, 2, 3), (0, 1, 2, 3)):
        if len(letters) == 1 and d:
            continue
        u, v = "AAA", "C" * d + "A" * (3 - d)
        every = ("".join(w) for w in itertools.product(letters, repeat=3))
        near = sum(all(sum(a != b for a, b in zip(w, x, strict=True)) <= m for x in (u, v)) for w in every)
        assert common_kmers(3, m, d, len(letters)) == near


def test_too_many_kmers_to_compare_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_kmers, "PAIR_LIMIT", 10)
    with pytest.raises(TooLargeError, match="pairs of distinct k-mers"):
        Mismatch(k=3, m=1, alphabet="protein").explain(S, T)


words = st.text("abc", min_size=1, max_size=9)


@given(
    s=words, t=words, length=st.integers(1, 4), decay=st.sampled_from([0.3, 0.5, 1.0]), top=st.integers(1, 6)
)
def test_top_subsequences_are_the_heaviest_of_all(
    s: str, t: str, length: int, decay: float, top: int
) -> None:
    a, b = subsequence_weights(s, length, decay), subsequence_weights(t, length, decay)
    expected = sorted((float(a[u] * b[u]) for u in a.keys() & b.keys()), reverse=True)[:top]
    found = Subsequence(length, decay).explain(s, t, top)
    assert [part.contribution for part in found.parts] == pytest.approx(expected, rel=1e-12)
    for part in found.parts:
        assert isinstance(part, SharedSubsequence)
        assert (part.weight_s, part.weight_t) == pytest.approx(
            (float(a[part.word]), float(b[part.word])), rel=1e-12
        )


def test_a_subsequence_says_where_it_is_tightest() -> None:
    found = Subsequence(2, 0.5).explain("axxbab", "ab", 20)
    assert found.parts == (
        SharedSubsequence("ab", 0.25 + 2**-4 + 2**-6, 0.25, 3, 1, (4, 5), (0, 1), 0.08203125),
    )
    first = Subsequence(2, 0.5).explain("axxb", "ab", 20).parts[0]
    assert isinstance(first, SharedSubsequence)
    assert (first.positions_s, first.gaps_s, first.gaps_t) == ((0, 3), 2, 0)


def test_a_search_that_is_cut_short_leaves_the_rest_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_subsequences, "EXPANSION_LIMIT", 3)
    found = Subsequence(3).explain(S, T, 1000)
    assert len(found.parts) < 1000
    assert found.sum_of_parts == pytest.approx(found.total, rel=1e-12)
    monkeypatch.setattr(shared_subsequences, "TABLE_LIMIT", 100)
    with pytest.raises(TooLargeError):
        Subsequence(3).explain(S, T, 5)


@given(
    s=st.text("ACDWK", max_size=5), t=st.text("ACDWK", max_size=5),
    gaps=st.sampled_from([(11, 1), (2, 1), (1, 1)]),
)  # fmt: skip
def test_the_drawn_alignment_is_a_best_one(s: str, t: str, gaps: tuple[int, int]) -> None:
    found = SmithWaterman(*gaps).explain(s, t)
    assert found.total == best_alignment_score(s, t, blosum62, *gaps)
    assert alignment_score(pairs_of(found.alignment), s, t, blosum62, *gaps) == found.total


def test_columns_of_an_alignment_with_gaps() -> None:
    found = SmithWaterman(gap_open=5, gap_extend=2).explain("WWWWKKWWWW", "WWWWWWWW")
    assert [(c.letter_s, c.letter_t, c.contribution) for c in found.alignment] == [
        *[("W", "W", 11.0)] * 4, ("K", "-", -5.0), ("K", "-", -2.0), *[("W", "W", 11.0)] * 4,
    ]  # fmt: skip
    assert found.alignment[4].position_s == 4
    assert found.alignment[4].position_t is None
    assert found.alignment[6].position_t == 4


def test_positions_count_the_letters_as_given() -> None:
    found = SmithWaterman().explain("--w-Wu", "WWC")
    assert [c.position_s for c in found.alignment] == [2, 4, 5]
    assert found.total == 31.0


@given(s=st.text("ACDW", max_size=4), t=st.text("ACDW", max_size=4), beta=st.sampled_from([0.1, 0.6]))
def test_ends_and_probabilities_of_pairs_by_enumeration(s: str, t: str, beta: float) -> None:
    kernel = LocalAlignment(beta=beta, gap_open=2, gap_extend=1)
    found = kernel.explain(s, t, 100)
    weights = {a: math.exp(beta * alignment_score(a, s, t, blosum62, 2, 1)) for a in alignments(s, t)}
    total = math.fsum(weights.values())
    assert found.rest == pytest.approx(1.0, abs=1e-12 * total)
    assert found.n_parts == len(s) * len(t) == len(found.parts)
    for part in found.parts:
        assert isinstance(part, AlignmentEnd)
        pair = (part.position_s, part.position_t)
        assert part.contribution == pytest.approx(
            math.fsum(w for a, w in weights.items() if a and a[-1] == pair)
        )
        assert part.probability == pytest.approx(
            math.fsum(w for a, w in weights.items() if pair in a) / total
        )
    assert found.expected_pairs == pytest.approx(
        math.fsum(len(a) * w for a, w in weights.items()) / total, abs=1e-12
    )


def test_the_logarithm_is_the_best_alignment_and_what_the_others_add() -> None:
    kernel = LocalAlignment(beta=0.5, log=True)
    found = kernel.explain(S, T)
    best = SmithWaterman().explain(S, T)
    assert found.parts == found.alignment
    assert pairs_of(found.alignment) == pairs_of(best.alignment)
    assert found.total - found.rest == pytest.approx(best.total)
    sure = [c.probability for c in found.alignment if c.probability is not None]
    assert max(sure) <= 1.0 + 1e-9
    assert max(sure) > 0.99


@pytest.mark.parametrize("kernel", KERNELS_OF_ALL_KINDS, ids=lambda kernel: kernel.__name__)
def test_every_kernel_explains_itself_or_says_that_it_does_not(kernel: Any) -> None:
    if kernel.data_kind == "sequences":
        made = kernel.suggested().explain(S, T)
        assert made.discrepancy < 1e-12
        assert made.apart
        assert explain_pair(kernel.suggested(), S, T) == made
    elif kernel.data_kind == "graphs":
        assert kernel().explain(*GRAPHS).discrepancy < 1e-12
    else:
        with pytest.raises(InvalidInputError, match="part by part"):
            kernel().explain(np.ones(2), np.ones(2))


def test_what_cannot_be_explained_is_said() -> None:
    with pytest.raises(InvalidInputError):
        Spectrum().explain(S, T, 0)
    with pytest.raises(TooLargeError, match="drawn up to"):
        SmithWaterman().explain("A" * 5000, "A" * 5000)


def test_the_sum_of_an_explanation_is_exact() -> None:
    parts = tuple(SharedKmer("A", "A", 0, (0,), (0,), 1, x) for x in (1e16, 1.0, -1e16))
    assert Explanation(1.5, parts, 0.5, "rest").sum_of_parts == 1.5
    assert np.isclose(Spectrum(k=1).explain("AB", "AB").sum_of_parts, 2.0)


@pytest.mark.parametrize("weights", [None, (1.0, 0.5, 0.25), (0.0, 0.0, 2.0)])
@pytest.mark.parametrize("top", [1, 1000])
def test_a_sum_over_k_by_its_lengths_and_by_its_kmers(weights: Any, top: int) -> None:
    kernel = SpectrumSum(k=3, weights=weights)
    found = kernel.explain(S, T, top)
    assert found.sum_of_parts == pytest.approx(float(kernel.cross([S], [T])[0, 0]), rel=1e-12)
    used = (1.0,) * 3 if weights is None else weights
    expected = [w * float(Spectrum(k).cross([S], [T])[0, 0]) for k, w in enumerate(used, 1)]
    assert [length.contribution for length in found.by_length] == pytest.approx(expected, rel=1e-12)
    assert math.fsum(length.contribution for length in found.by_length) == pytest.approx(found.total)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_a_wrong_similarity_is_noticed(kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = type(kernel).cross
    monkeypatch.setattr(type(kernel), "cross", lambda *a, **k: 1.001 * right(*a, **k))
    found = kernel.explain(S, T, 3)
    assert found.discrepancy > 9e-4
    monkeypatch.undo()
    assert kernel.explain(S, T, 3).discrepancy < 1e-12
