import gzip
import itertools

import numpy as np
import pytest
from Bio import SeqIO
from Bio.Align import PairwiseAligner, substitution_matrices
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import (
    InvalidInputError,
    Sequences,
    SmithWaterman,
    SubstitutionMatrix,
    TooLargeError,
    read_substitution_matrix,
)
from kernex_core.kernels.sequences import smith_waterman as alignment
from kernex_core.kernels.sequences import smith_waterman as module
from kernex_core.kernels.sequences.letters import encode
from kernex_core.kernels.sequences.smith_waterman import CompiledAligner, VectorAligner, best_aligner
from kernex_core.kernels.sequences.substitution import substitution_matrix
from tests.oracles.smith_waterman import smith_waterman

AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"
AB = SubstitutionMatrix("ABC", ((3, -2, -1), (-2, 4, 0), (-1, 0, 2)), "toy")


def proteins(rng, n, longest):
    return ["".join(rng.choice(list(AMINO_ACIDS), rng.integers(1, longest))) for _ in range(n)]


def table(matrix):
    found = substitution_matrix(matrix)
    return lambda a, b: found.scores[found.letters.index(a)][found.letters.index(b)]


def aligner_of(kind, strings, matrix, gap_open, gap_extend):
    matrix = substitution_matrix(matrix)
    if kind is VectorAligner:
        pytest.importorskip("pyopal")
    return kind(encode(strings, matrix.letters), matrix.array, gap_open, gap_extend)


def all_pairs(kind, strings, matrix, gap_open, gap_extend):
    found = aligner_of(kind, strings, matrix, gap_open, gap_extend)
    return np.array([found.scores(i, 0, len(strings)) for i in range(len(strings))])


@given(
    st.lists(st.text("ABC", max_size=7), min_size=1, max_size=4),
    st.integers(0, 6),
    st.integers(0, 6),
    st.sampled_from([VectorAligner, CompiledAligner]),
)
def test_values_are_those_of_the_recursion(strings, gap_open, gap_extend, kind):
    if kind is VectorAligner:
        gap_extend = min(gap_extend, gap_open)
    expected = [[smith_waterman(s, t, table(AB), gap_open, gap_extend) for t in strings] for s in strings]
    assert all_pairs(kind, strings, AB, gap_open, gap_extend).tolist() == expected
    assert SmithWaterman(gap_open, gap_extend, AB).gram(strings).tolist() == expected


@pytest.mark.parametrize("gaps", [(11, 1), (3, 3), (0, 0), (100, 100)])
@pytest.mark.parametrize("matrix", ["BLOSUM62", "PAM250", "3DI"])
@pytest.mark.no_cover
def test_both_engines_agree_on_long_strings(matrix, gaps, rng):
    strings = [*proteins(rng, 12, 300), "W" * 4000, "W" * 5000, "A"]
    both = [all_pairs(kind, strings, matrix, *gaps) for kind in (VectorAligner, CompiledAligner)]
    assert np.array_equal(*both)


@pytest.mark.parametrize("size", [1, 60, 100])
def test_large_scores_are_exact_in_vector_arithmetic(size, rng):
    scores = rng.integers(-size, size + 1, (5, 5))
    matrix = SubstitutionMatrix("ABCDE", np.triu(scores) + np.triu(scores, 1).T)
    strings = ["".join(rng.choice(list("ABCDE"), 120)) for _ in range(40)]
    for gaps in ((1, 0), (size, size), (size, 1)):
        both = [all_pairs(kind, strings, matrix, *gaps) for kind in (VectorAligner, CompiledAligner)]
        assert np.array_equal(*both)


def test_agrees_with_biopython(rng):
    strings = proteins(rng, 6, 80)
    other = PairwiseAligner(mode="local", open_gap_score=-11, extend_gap_score=-1)
    other.substitution_matrix = substitution_matrices.load("BLOSUM62")
    expected = [[other.score(s, t) for t in strings] for s in strings]
    assert SmithWaterman().gram(strings).tolist() == expected


@pytest.mark.parametrize(
    ("file", "strings", "gaps"),
    [("c1_sw_blosum62_score", "c1_aa", (11, 1)), ("c1_sw_foldseek3di_score", "c1_3di", (10, 1))],
)
@pytest.mark.no_cover
def test_tim_barrels_as_parasail_scored_them(file, strings, gaps, shared):
    folder = shared / "data" / "scop_tim_barrel"
    domains = [str(record.seq) for record in SeqIO.parse(folder / f"{strings}.fasta", "fasta")]
    matrix = "BLOSUM62" if strings == "c1_aa" else "3DI"
    with gzip.open(folder / f"{file}.csv.gz", "rt") as lines:
        next(lines)
        expected = np.array([line.split(",")[1:] for line in lines], dtype=np.float64)
    assert expected.shape == (373, 373)
    assert np.array_equal(SmithWaterman(*gaps, matrix).gram(domains), expected)


def test_renamed_structure_letters_are_those_of_the_published_matrix(shared):
    folder = shared / "data" / "scop_tim_barrel"
    name = "foldseek_3di_sub_score.mat"
    uploaded = read_substitution_matrix((folder / name).read_bytes(), name)
    domains = [str(record.seq) for record in SeqIO.parse(folder / "c1_3di.fasta", "fasta")][:40]
    K = SmithWaterman(10, 1, uploaded).gram(domains)
    assert np.array_equal(K, SmithWaterman(10, 1, "3DI").gram(domains))
    assert K[0, 0] == 1446.0


def test_a_gap_of_g_letters_costs_open_and_g_minus_one_extensions():
    scores = [SmithWaterman(11, 1).cross(["W" * 8 + "A" * g + "W" * 8], ["W" * 16])[0, 0] for g in (1, 2, 5)]
    assert scores == [16 * 11 - 11, 16 * 11 - 12, 16 * 11 - 15]


def test_empty_strings_score_zero():
    K = SmithWaterman().gram(["", "WW", ""])
    assert K.tolist() == [[0, 0, 0], [0, 22, 0], [0, 0, 0]]
    assert SmithWaterman().cross([""], ["WW", ""]).tolist() == [[0, 0]]
    assert SmithWaterman().estimate_seconds(["", ""]) == 0.0


def test_cross_is_the_block_of_gram(rng):
    strings = proteins(rng, 11, 60)
    K = SmithWaterman().gram(strings)
    assert np.array_equal(SmithWaterman().cross(strings[:4], strings[4:]), K[:4, 4:])
    assert np.array_equal(SmithWaterman().cross(strings, strings), K)


def test_threads_and_blocks_make_no_difference(rng, monkeypatch):
    strings = [*proteins(rng, 30, 120), "", "A"]
    K = SmithWaterman().gram(strings)
    monkeypatch.setattr(module, "BLOCK", 3000)
    shares = []
    assert np.array_equal(SmithWaterman().gram(strings, progress=shares.append), K)
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert np.array_equal(SmithWaterman().cross(strings[:9], strings[9:]), K[:9, 9:])


def test_progress_can_cancel(rng, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 3000)
    monkeypatch.setenv("KERNEX_THREADS", "1")
    strings = proteins(rng, 60, 40)
    done = []
    whole = CompiledAligner.scores

    def counted(self, i, begin, end):
        done.append(i)
        return whole(self, i, begin, end)

    monkeypatch.setattr(CompiledAligner, "scores", counted)
    monkeypatch.setattr(alignment, "_VECTOR_LETTERS", 0)

    def cancel(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SmithWaterman().gram(strings, progress=cancel)
    assert 1 <= len(done) < 30


def test_letters_are_read_as_the_rule_says():
    read = SmithWaterman().cross(["cUOJ-.b*?"], ["CCKXBXX"])
    assert read[0, 0] == SmithWaterman().cross(["CCKXB*X"], ["CCKXBXX"])[0, 0]
    said = SmithWaterman().remarks(["cUOJ-.b*?", "UU"])[0]
    for part in ("U as C (3)", "O as K (1)", "J as X (1)", "'-' left out (1)", "? as X (1)"):
        assert part in said
    assert SmithWaterman().remarks(["ACD"]) == ()


def test_a_letter_without_stand_in_is_named_with_its_place():
    with pytest.raises(InvalidInputError, match=r"'Q' at position 3 of sequence 2"):
        SmithWaterman(matrix=AB).gram(["AAA", "ABQ"])
    with pytest.raises(InvalidInputError, match=r"'Q' at position 3 of sequence 'second'"):
        SmithWaterman(matrix=AB).similarities(Sequences(("first", "second"), ("A", "abq"), "structure"))


def test_case_counts_where_the_matrix_has_lower_case_letters():
    matrix = SubstitutionMatrix("Aa", ((2, -1), (-1, 3)))
    assert SmithWaterman(matrix=matrix).gram(["aa", "AA"]).tolist() == [[6, 0], [0, 4]]


def test_alphabets_and_scores_that_vector_arithmetic_cannot_hold(rng):
    letters = "".join(chr(ord("ぁ") + i) for i in range(40))
    matrix = SubstitutionMatrix(letters, np.full((40, 40), -1.25) + 2.5 * np.eye(40))
    strings = ["".join(rng.choice(list(letters), 30)) for _ in range(4)]
    expected = [[smith_waterman(s, t, table(matrix), 2, 1) for t in strings] for s in strings]
    assert SmithWaterman(2, 1, matrix).gram(strings) == pytest.approx(np.array(expected), rel=1e-12)
    big = SubstitutionMatrix("AB", ((200_000, -5), (-5, 1)))
    assert SmithWaterman(matrix=big).gram(["AABA"])[0, 0] == 3 * 200_000 + 1


@pytest.mark.parametrize(
    ("S", "gaps", "vector"),
    [
        (np.eye(26), (11, 1), True),
        (np.eye(27), (11, 1), False),
        (np.eye(3) * 0.5, (11, 1), False),
        (np.eye(3) * 101, (11, 1), False),
        (np.eye(3), (1, 2), False),
        (np.eye(3), (101, 1), False),
    ],
)
def test_the_engine_is_chosen_by_what_it_can_do(S, gaps, vector):
    pytest.importorskip("pyopal")
    encoded = encode(["ABC"], "ABC")
    assert isinstance(best_aligner(encoded, S, *gaps), VectorAligner) is vector


@pytest.mark.parametrize("error", [ImportError, RuntimeError])
def test_without_pyopal_the_compiled_engine_serves(error, monkeypatch, rng):
    strings = proteins(rng, 5, 40)
    expected = SmithWaterman().gram(strings)

    def refuse(*arguments):
        raise error

    monkeypatch.setattr(VectorAligner, "__init__", refuse)
    assert np.array_equal(SmithWaterman().gram(strings), expected)


def test_estimate_is_of_the_order_of_the_time(rng):
    strings = ["".join(rng.choice(list(AMINO_ACIDS), 200)) for _ in range(60)]
    short = SmithWaterman().estimate_seconds(strings[:30])
    assert 0.0 < short < SmithWaterman().estimate_seconds(strings * 8)
    assert SmithWaterman().estimate_seconds(strings) < 60.0


def test_the_longest_strings_cost_more_than_a_second():
    assert SmithWaterman().estimate_seconds(["", "-", "A" * 100_000] * 3) > 1.0


def test_limits_are_stated_before_anything_is_computed(monkeypatch):
    monkeypatch.setattr(alignment.VectorAligner, "__init__", None)
    with pytest.raises(TooLargeError, match="100,001 letters"):
        SmithWaterman().gram(["A" * 100_001])
    with pytest.raises(TooLargeError, match=r"5e\+13 table cells.*hours"):
        SmithWaterman().gram(["A" * 100_000] * 101)
    with pytest.raises(TooLargeError, match="table cells"):
        SmithWaterman().check(["A" * 100_000] * 101)
    with pytest.raises(TooLargeError, match="10,001 items"):
        SmithWaterman().gram(["A"] * 10_001)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SmithWaterman(gap_open=-1), lambda: SmithWaterman(gap_extend=1.5),
        lambda: SmithWaterman(matrix="BLOSUM61"), lambda: SmithWaterman(matrix=None),
    ],
)  # fmt: skip
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        wrong()


def test_it_is_a_similarity_and_no_kernel():
    assert not SmithWaterman.positive_semidefinite
    strings = ["".join(letters) for n in (1, 2, 3) for letters in itertools.product("WA", repeat=n)]
    assert np.linalg.eigvalsh(SmithWaterman().gram(strings)).min() < -3.0
