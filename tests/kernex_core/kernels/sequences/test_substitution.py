import gzip

import numpy as np
import pytest
from Bio.Align import substitution_matrices

from kernex_core import InvalidInputError, SmithWaterman, SubstitutionMatrix, TooLargeError
from kernex_core import read_substitution_matrix as read
from kernex_core.kernels.sequences.substitution import MATRICES, substitution_matrix

SMALL = b"# made by hand\n   A  B\nA  4 -1\nB -1  5\n"


@pytest.mark.parametrize("name", MATRICES)
def test_every_named_matrix_loads_and_is_symmetric(name):
    matrix = substitution_matrix(name)
    assert matrix.name == name
    assert np.array_equal(matrix.array, matrix.array.T)
    assert len(matrix.letters) == len(matrix.scores) >= 15


def test_named_matrices_are_those_of_biopython():
    published = substitution_matrices.load("BLOSUM62")
    matrix = substitution_matrix("BLOSUM62")
    assert all(
        matrix.scores[matrix.letters.index(a)][matrix.letters.index(b)] == published[a, b]
        for a in published.alphabet
        for b in published.alphabet
    )


def test_an_unknown_name_lists_the_names():
    with pytest.raises(InvalidInputError, match="BLOSUM45"):
        substitution_matrix("BLOSUM61")


def test_the_ncbi_form():
    assert read(SMALL, "small.mat") == SubstitutionMatrix("AB", ((4, -1), (-1, 5)), "small.mat")


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(SMALL),
        b"\xef\xbb\xbf" + SMALL.replace(b"\n", b"\r\n"),
        b"A,B\n4,-1\n-1,5",
        b";A;B\nA;4;-1\nB;-1;5",
        b"A B\nB -1 5\nA 4 -1\n",
        b"A B\nA 4\nB -1 5 # a lower triangle\n",
        b"A B\n4\n-1 5\n",
        b'"A" "B"\n"A" 4 -1.0\n"B" -1e0 5\n',
    ],
)
def test_its_variants(data):
    matrix = read(data, "small.mat")
    assert (matrix.letters, matrix.scores) == ("AB", ((4.0, -1.0), (-1.0, 5.0)))


def test_digits_may_be_letters():
    matrix = read(b"0 1\n3 -1\n-1 2\n", "binary.mat")
    assert matrix == SubstitutionMatrix("01", ((3, -1), (-1, 2)), "binary.mat")


def test_foldseek_states_are_renamed_to_the_letters_of_structure_strings(shared):
    name = "foldseek_3di_sub_score.mat"
    data = (shared / "data" / "scop_tim_barrel" / name).read_bytes()
    matrix = read(data, name)
    assert matrix.letters == "ACDEFGHIKLMNPQRSTVWY"
    published = substitution_matrix("3DI")
    at = [published.letters.index(letter) for letter in matrix.letters]
    assert np.array_equal(matrix.array, published.array[np.ix_(at, at)])
    as_it_stands = read(data, name, letters="ABCDEFGHIJKLMNOPQRST")
    assert as_it_stands.scores == matrix.scores


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "line of letters"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "no text"),
        (b"A B\n", "line of letters"),
        (b"A B A\n1 2 3\n1 2 3\n1 2 3", "'A' more than once"),
        (b"0.5 1.5\n1 2\n2 3", "each once"),
        (b"A B\nA 1 2\nB 3 4", "2 in row 'A', column 'B'|3 in row 'B', column 'A'"),
        (b"A B\nA 1 x\nB x 1", "line 2.*'x'"),
        (b"A B\nA 1 nan\nB nan 1", "line 2.*finite"),
        (b"A B\nA 1 inf\nB inf 1", "line 2.*finite"),
        (b"A B\nA 1 1e300\nB 1e300 1", "1,000,000"),
        (b"A B\nA 1 2", "2 lines"),
        (b"A B\nA 1 2\nB 2", "row 'B', has to have 2"),
        (b"A B\nA 1 2\nA 2 1", "each once"),
        (b"A B\nC 1 2\nB 2 1", "line 2.*'C'"),
        (gzip.compress(SMALL)[:-12] + b"spoiled data", "line of letters|intact gzip|line"),
        (b"\x1f\x8bnonsense", "intact gzip"),
        (b"id,seq\n>a\nACDEF\n", "each once"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(data, said):
    with pytest.raises(InvalidInputError, match=said) as caught:
        read(data, "matrix.mat")
    assert len(str(caught.value)) < 600


def test_what_expands_or_is_large_is_refused():
    with pytest.raises(TooLargeError, match="2 MB"):
        read(gzip.compress(b"\n" * 50_000_000), "bomb.mat.gz")
    with pytest.raises(TooLargeError, match="2 MB"):
        read(b" " * 2_000_001, "large.mat")
    letters = " ".join(chr(0x4E00 + i) for i in range(501)).encode()
    with pytest.raises(TooLargeError, match="500 letters"):
        read(letters + b"\n1", "many.mat")


def test_renaming_needs_as_many_letters():
    with pytest.raises(InvalidInputError, match="2 letters"):
        read(SMALL, "small.mat", letters="ABC")


@pytest.mark.parametrize(
    ("letters", "scores"),
    [
        ("", ()),
        ("AA", ((1, 0), (0, 1))),
        ("AB", ((1, 0),)),
        ("AB", ((1, 0), (0,))),
        ("AB", ((1, 2), (3, 1))),
        ("A", ((float("nan"),),)),
    ],
)
def test_matrices_that_are_none_are_refused(letters, scores):
    with pytest.raises(InvalidInputError):
        SubstitutionMatrix(letters, scores)


def test_it_can_be_hashed_and_compared_and_made_from_an_array():
    a = SubstitutionMatrix("AB", np.array([[1, 0], [0, 2]]))
    b = SubstitutionMatrix("AB", ((1.0, 0.0), (0.0, 2.0)))
    assert a == b
    assert hash(SmithWaterman(matrix=a)) == hash(SmithWaterman(matrix=b))
    with pytest.raises(ValueError, match="read-only"):
        a.array[0, 0] = 3.0
