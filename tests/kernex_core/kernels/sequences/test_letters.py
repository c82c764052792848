import numpy as np
import pytest

from kernex_core import InvalidInputError
from kernex_core.kernels.sequences.letters import as_strings, encode, guess_alphabet, letters_of, upper


def test_letters_are_numbered_in_the_order_of_the_alphabet():
    encoded = encode(["BA?", "", "ab"], "AB")
    assert encoded.numbers.tolist() == [1, 0, -1, 0, 1]
    assert encoded.starts.tolist() == [0, 3, 3, 5]
    assert (encoded.n, encoded.n_letters, encoded.text) == (3, 2, "BA?AB")


def test_without_an_alphabet_every_letter_counts():
    encoded = encode(["aA😀", "\ud800"], None)
    assert encoded.numbers.tolist() == [1, 0, 3, 2]
    assert encode([""], None).numbers.size == 0


def test_windows_do_not_cross_strings_and_know_their_letters():
    start, owner, whole = encode(["ABA", "B", "A?B"], "AB").windows(2)
    assert start.tolist() == [0, 1, 4, 5]
    assert owner.tolist() == [0, 0, 2, 2]
    assert whole.tolist() == [True, True, False, False]
    assert all(part.size == 0 for part in encode(["A", ""], "AB").windows(2))


def test_upper_case_keeps_positions():
    assert upper("straße ŉ é") == "STRAßE ŉ É"


@pytest.mark.parametrize(
    ("strings", "alphabet"),
    [
        (["ACGTACGTACGTN", "acgt"], "dna"),
        (["ACGUUGCA"], "ACGU"),
        (["ACGTNNN"], "protein"),
        (["NNNNN"], "protein"),
        (["MKVLAX*", "mkv-"], "protein"),
        (["hello, world"], " ,dehlorw"),
        (["0110"], "01"),
    ],
)
def test_guesses(strings, alphabet):
    assert guess_alphabet(strings) == alphabet


def test_named_alphabets():
    assert letters_of("dna") == "ACGT"
    assert len(letters_of("protein")) == 20
    assert letters_of("xyz") == "xyz"


def test_strings_come_back_as_they_were():
    assert as_strings(np.array(["A", "B"])) == ("A", "B")
    with pytest.raises(InvalidInputError, match="sequence 'second'"):
        as_strings(["A", 1], ["first", "second"])
