from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.studies.sequences.classifier import (
    ClassConfig,
    explain_class,
    has_kmer_weights,
    train_on_kmers,
)

KERNELS = [
    Spectrum(k=1),
    Spectrum(k=3),
    SpectrumSum(k=3),
    SpectrumSum(k=2, weights=(0.25, 3.0)),
    Mismatch(k=3, m=1),
    Mismatch(k=4, m=2),
    Mismatch(k=2, m=0),
]
CONFIGS = [ClassConfig(normalize="none"), ClassConfig(normalize="cosine"), ClassConfig(C=0.01)]


def data(n: int = 24) -> tuple[Sequences, Labels]:
    """Three classes that differ in their letters, a sequence with foreign letters, a short one, and two unlabelled."""
    rng = np.random.default_rng(7)
    shares = {"a": (4, 1, 1, 1), "b": (1, 4, 1, 1), "c": (1, 1, 3, 3)}
    y = np.array(["a", "b", "a", "c"] * (n // 4))
    strings = [
        "".join(rng.choice(list("ACGT"), rng.integers(20, 40), p=np.array(shares[c]) / sum(shares[c])))
        for c in y
    ]
    strings[3], strings[5] = strings[3][:9] + "NNryk" + strings[3][9:], "A"
    y[-2:] = ""
    ids = tuple(f"s{i}" for i in range(n))
    return Sequences(ids, tuple(strings), "dna"), Labels(ids, y)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("config", CONFIGS, ids=repr)
def test_windows_and_intercept_sum_to_the_decision_value(kernel: Any, config: ClassConfig) -> None:
    samples, labels = data()
    classifier = train_on_kmers(kernel, samples, labels, config)
    for string in (*samples.strings, "", "AC", "acgtnacgt", "TTTTTTTTTT"):
        decisions = classifier.decide(string)
        for c, name in enumerate(classifier.classes):
            made = explain_class(classifier, string, name)
            assert made.sum_of_windows + made.intercept == pytest.approx(decisions[c], rel=1e-9, abs=1e-9)
            assert made.along.sum() == pytest.approx(made.sum_of_windows, rel=1e-9, abs=1e-9)
            parts = made.evidence()["contribution"].sum()
            assert parts == pytest.approx(made.sum_of_windows, rel=1e-9, abs=1e-9)
            assert made.discrepancy < 1e-9
            assert made.along.shape == (len(string),)


@pytest.mark.parametrize("kernel", KERNELS[1:5], ids=repr)
@pytest.mark.parametrize("normalize", ["none", "cosine"])
def test_decides_as_the_classifier_of_the_other_pages(kernel: Any, normalize: str) -> None:
    samples, labels = data()
    config = ClassConfig(normalize=normalize)
    K = kernel.similarities(samples)
    expected = predict_unlabelled(cosine_normalize(K) if normalize == "cosine" else K, labels, C=config.C)
    for given in (None, K):
        classifier = train_on_kmers(kernel, samples, labels, config, K=given)
        assert classifier.classes == expected.classes
        made = [classifier.decide(samples.strings[i]) for i in expected.items]
        np.testing.assert_allclose(made, expected.decisions, rtol=1e-9, atol=1e-9)


def test_a_wrong_decision_value_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    samples, labels = data()
    classifier = train_on_kmers(Spectrum(k=2), samples, labels, ClassConfig())
    right = type(classifier).decide
    monkeypatch.setattr(type(classifier), "decide", lambda *a: right(*a) + 0.01)
    assert explain_class(classifier, samples.strings[0], "a").discrepancy > 1e-3


def test_a_sequence_can_be_left_out() -> None:
    samples, labels = data()
    without = train_on_kmers(Spectrum(k=2), samples, labels, ClassConfig(), without="s0")
    assert "s0" not in without.ids
    assert len(without.ids) == 21
    rest = np.arange(1, 24)
    fewer = train_on_kmers(Spectrum(k=2), samples.take(rest), labels.take(rest), ClassConfig())
    np.testing.assert_array_equal(without.decide(samples.strings[0]), fewer.decide(samples.strings[0]))


def test_the_heaviest_kmers_of_both_signs() -> None:
    samples, labels = data()
    classifier = train_on_kmers(SpectrumSum(k=2), samples, labels, ClassConfig())
    made = explain_class(classifier, samples.strings[0], "a")
    for here in (False, True):
        for positive in (False, True):
            found = made.heaviest(5, positive=positive, here=here)
            by = [each.contribution if here else each.weight for each in found]
            every = made.evidence()["contribution" if here else "weight"].tolist()
            of_sign = [value for value in every if value and (value > 0) is positive]
            assert len(of_sign) >= 3
            assert by == sorted(of_sign, reverse=positive)[:5]
    listed = made.evidence()
    counted = dict(zip(listed["kmer"].tolist(), listed["occurrences"].tolist(), strict=True))
    assert counted["A"] == samples.strings[0].count("A")


def test_occurrences_of_mismatch_features_are_windows_nearby() -> None:
    samples, labels = data()
    made = explain_class(
        train_on_kmers(Mismatch(k=3, m=1), samples, labels, ClassConfig()), samples.strings[0], "a"
    )
    x = samples.strings[0]
    found = made.evidence()
    for kmer, occurrences in list(zip(found["kmer"].tolist(), found["occurrences"].tolist(), strict=True))[
        ::7
    ]:
        near = [sum(a != b for a, b in zip(x[i : i + 3], kmer, strict=True)) <= 1 for i in range(len(x) - 2)]
        assert occurrences == sum(near)


def test_a_class_that_is_not_there_is_refused() -> None:
    samples, labels = data()
    y = labels.y.copy()
    y[0] = "d"
    only = Labels(labels.ids, y)
    classifier = train_on_kmers(Spectrum(k=2), samples, only, ClassConfig(), without="s0")
    with pytest.raises(InvalidInputError, match="knows 'a', 'b', 'c'"):
        explain_class(classifier, samples.strings[0], "d")


@pytest.mark.parametrize(
    ("y", "without", "found"),
    [
        ([""] * 4, "", "no labels"),
        (["a"] * 4, "", "only class 'a'"),
        (["a", "a", "b", ""], "s2", "'s2' left out"),
    ],
)
def test_too_few_classes_are_refused(y: list[str], without: str, found: str) -> None:
    ids = tuple(f"s{i}" for i in range(4))
    samples = Sequences(ids, ("ACGT", "CCGT", "TTTT", "ACAC"), "dna")
    with pytest.raises(InvalidInputError, match=found):
        train_on_kmers(Spectrum(k=2), samples, Labels(ids, np.array(y)), ClassConfig(), without=without)


def test_sequences_without_kmers_are_refused() -> None:
    samples = Sequences(("s0", "s1"), ("AC", "GT"), "dna")
    labels = Labels(samples.ids, np.array(["a", "b"]))
    with pytest.raises(InvalidInputError, match="3 known letters"):
        train_on_kmers(Spectrum(k=3), samples, labels, ClassConfig())


def test_labels_and_matrix_have_to_be_of_the_same_items() -> None:
    samples, labels = data()
    other = dataclasses.replace(labels, ids=tuple(f"t{i}" for i in range(24)))
    with pytest.raises(InvalidInputError, match="Labels and sequences"):
        train_on_kmers(Spectrum(), samples, other, ClassConfig())
    K = Spectrum().similarities(samples.take(np.arange(5)))
    with pytest.raises(InvalidInputError, match="The matrix and sequences"):
        train_on_kmers(Spectrum(), samples, labels, ClassConfig(), K=K)


def test_other_kernels_have_no_kmers() -> None:
    samples, labels = data()
    assert not has_kmer_weights(Subsequence())
    assert all(map(has_kmer_weights, KERNELS))
    with pytest.raises(InvalidInputError, match="spectrum kernel, a sum of them, or a mismatch"):
        train_on_kmers(Subsequence(), samples, labels, ClassConfig())  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [{"C": 0.0}, {"C": float("nan")}, {"normalize": "centre"}])
def test_nonsense_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        ClassConfig(**values)
