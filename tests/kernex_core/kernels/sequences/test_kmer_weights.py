from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.kernels.sequences import kmer_weights as module
from kernex_core.kernels.sequences.kmer_weights import kmer_tables, kmer_weights
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence

STRINGS = ["ACGTACGGTNAC", "ACGGTTGCACG", "TTTTTTA", "GATTACAGATTACA", "AC"]
NEW = ["GATTACC", "acgtNNacgt", "A", "", "CCCCCCC"]
ALPHA = np.array([0.5, -0.3, 0.2, -1.4, 3.0])


@pytest.mark.parametrize(
    "kernel",
    [
        Spectrum(k=2),
        Spectrum(k=3, alphabet="dna"),
        Spectrum(k=1, alphabet="protein"),
        Mismatch(k=3, m=0, alphabet="dna"),
        Mismatch(k=3, m=1, alphabet="dna"),
        Mismatch(k=3, m=2, alphabet="dna"),
        Mismatch(k=2, m=1, alphabet="protein"),
        Mismatch(k=3, m=1),
    ],
    ids=repr,
)
def test_weights_sum_to_the_decision_value(kernel: Any) -> None:
    learned = kmer_weights(kernel, STRINGS, ALPHA)
    resolved = kernel.resolved(STRINGS)
    for string, expected in zip(
        [*STRINGS, *NEW], resolved.cross([*STRINGS, *NEW], STRINGS) @ ALPHA, strict=True
    ):
        assert learned.decision(string, intercept=0.25) == pytest.approx(expected + 0.25, abs=1e-10)
        assert learned.along(string).sum() == pytest.approx(expected, abs=1e-10)
        assert learned.along(string).shape == (len(string),)


def test_weights_sum_to_the_decision_value_of_a_support_vector_machine() -> None:
    from sklearn.svm import SVC

    rng = np.random.default_rng(4)
    strings = ["".join(rng.choice(list("ACGT"), 40)) for _ in range(30)]
    y = np.array([string.count("AC") > 2 for string in strings])
    kernel = Mismatch(k=4, m=1, alphabet="dna")
    machine = SVC(kernel="precomputed").fit(kernel.gram(strings[:20]), y[:20])
    alpha = np.zeros(20)
    alpha[machine.support_] = machine.dual_coef_[0]
    learned = kmer_weights(kernel, strings[:20], alpha)
    values = [learned.decision(string, float(machine.intercept_[0])) for string in strings[20:]]
    expected = machine.decision_function(kernel.cross(strings[20:], strings[:20]))
    assert values == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_weights_of_mismatch_features_by_enumeration() -> None:
    learned = kmer_weights(Mismatch(k=2, m=1, alphabet="ACG"), ["ACG", "GG"], [1.0, -2.0])
    windows = [("AC", 1.0), ("CG", 1.0), ("GG", -2.0)]
    for letters in itertools.product("ACG", repeat=2):
        u = "".join(letters)
        expected = sum(a for w, a in windows if sum(x != y for x, y in zip(u, w, strict=True)) <= 1)
        found = dict(zip(learned.kmers.tolist(), learned.weights.tolist(), strict=True))
        assert found.get(u, 0.0) == pytest.approx(expected)


def test_the_heaviest_come_first() -> None:
    learned = kmer_weights(Spectrum(k=2), ["ABAB", "CD"], [1.0, -3.0])
    assert learned.heaviest(2) == (("CD", -3.0), ("AB", 2.0))
    assert learned.windows("ABCD").tolist() == [2.0, 0.0, -3.0]
    assert not learned.weights.flags.writeable


def test_nothing_learned_is_nothing() -> None:
    learned = kmer_weights(Mismatch(k=3, m=1, alphabet="dna"), ["ACGT", "AC"], [0.0, 1.0])
    assert learned.heaviest() == ()
    assert learned.decision("ACGT", 0.5) == 0.5


@pytest.mark.parametrize("alpha", [[1.0], [1.0, np.nan], [[1.0, 2.0]]])
def test_coefficients_have_to_fit_the_strings(alpha: Any) -> None:
    with pytest.raises(InvalidInputError, match="one finite coefficient"):
        kmer_weights(Spectrum(), ["ABC", "ABD"], alpha)


def test_other_kernels_have_no_kmers() -> None:
    with pytest.raises(InvalidInputError, match="spectrum or mismatch"):
        kmer_weights(Subsequence(), ["ABC"], [1.0])  # type: ignore[arg-type]


def test_too_many_features_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEATURE_LIMIT", 50)
    with pytest.raises(TooLargeError, match="distinct k-mers"):
        kmer_weights(Mismatch(k=3, m=1, alphabet="protein"), ["ACDEFG"], [1.0])


def test_a_table_of_all_kmers_and_sorted_text_give_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    for alphabet in ("dna", "TGCA", "TACGN"):
        kernel = Mismatch(k=4, m=2, alphabet=alphabet)
        by_table = kmer_weights(kernel, STRINGS, ALPHA)
        monkeypatch.setattr(module, "TABLE_CODES", 1)
        by_text = kmer_weights(kernel, STRINGS, ALPHA)
        monkeypatch.undo()
        assert by_table.kmers.tolist() == by_text.kmers.tolist() == sorted(by_text.kmers.tolist())
        np.testing.assert_allclose(by_table.weights, by_text.weights, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "kernel",
    [Spectrum(k=2), SpectrumSum(k=3), SpectrumSum(k=2, weights=(0.0, 2.5)), Mismatch(k=3, m=1)],
    ids=repr,
)
def test_tables_of_all_lengths_sum_to_the_decision_value(kernel: Any) -> None:
    kernel = kernel.resolved(STRINGS)
    tables = kmer_tables(kernel, STRINGS, ALPHA)
    for string, expected in zip(NEW, kernel.cross(NEW, STRINGS) @ ALPHA, strict=True):
        assert sum(table.decision(string) for table in tables) == pytest.approx(expected, abs=1e-10)
        counted = sum(float(table.weights @ table.occurrences(string)) for table in tables)
        assert counted == pytest.approx(expected, abs=1e-10)
