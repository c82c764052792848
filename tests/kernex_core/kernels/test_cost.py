"""What a matrix costs is said before it is computed: by counting, never by a clock."""

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import TooLargeError
from kernex_core.gram.graph import Graph
from kernex_core.kernels import base as cost
from kernex_core.kernels import pairwise
from kernex_core.kernels.catalogue import KERNELS, kernels_for
from kernex_core.kernels.sequences import spectrum as kmers
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.vectors.dot_product import Anova

PROTEIN = "ACDEFGHIKLMNPQRSTVWY"
ON_STRINGS = [LocalAlignment(log=True) if k is LocalAlignment else k() for k in kernels_for("sequences")]
on_strings = pytest.mark.parametrize("kernel", ON_STRINGS, ids=lambda kernel: type(kernel).__name__)


def proteins(rng, n, length):
    return ["".join(rng.choice(list(PROTEIN), length)) for _ in range(n)]


def families(rng, n, length):
    """Strings that are much like one of four others: many shared k-mers."""
    parents = [np.array(list(s)) for s in proteins(rng, 4, length)]
    return ["".join(np.where(rng.random(length) < 0.1, "A", parents[i % 4])) for i in range(n)]


def counted(strings, k):
    """Windows, k-mers held by a string, and pairs of different strings that share one, by dictionaries."""
    held = Counter()
    for s in strings:
        held.update({s[i : i + k] for i in range(len(s) - k + 1)})
    windows = sum(max(len(s) - k + 1, 0) for s in strings)
    return {
        "window": windows, "held k-mer": sum(held.values()), "shared k-mer": sum(v * (v - 1) for v in held.values())
    }  # fmt: skip


@pytest.mark.parametrize("k", [3, 5])
def test_operations_of_a_spectrum_are_counted_exactly_on_few_strings(rng, k):
    strings = [*families(rng, 30, 80), "", "AC"]
    found = Spectrum(k=k, alphabet="protein").operations(strings)
    assert {kind: found[kind] for kind in ("window", "held k-mer", "shared k-mer")} == counted(strings, k)
    assert found["entry"] == found["sparse entry"] == len(strings) ** 2


@pytest.mark.parametrize("make", [proteins, families])
@pytest.mark.parametrize("k", [3, 6])
def test_what_is_counted_on_a_sample_is_within_a_factor_of_three(rng, monkeypatch, make, k):
    strings = make(rng, 900, 60)
    whole = counted(strings, k)
    monkeypatch.setattr(kmers, "LETTERS", 10_000)
    found = Spectrum(k=k, alphabet="protein").operations(strings)
    for kind, number in whole.items():
        if number > 5_000:  # what hardly occurs is hardly in a sample, and costs nothing
            assert number / 3 < found[kind] < 3 * number, kind


def test_a_dense_table_of_counts_costs_its_size():
    found = Spectrum(k=2, alphabet="dna").operations(["ACGT", "AC", "A"])
    assert found == {"entry": 9.0, "window": 4.0, "dense product": 9.0 * 16}


def test_a_sum_of_lengths_costs_all_of_them_and_mismatches_a_spectrum_for_each_choice_of_places(rng):
    strings = proteins(rng, 12, 40)
    each = [Spectrum(k=k, alphabet="protein").operations(strings)["window"] for k in (1, 2, 3)]
    assert SpectrumSum(k=3, alphabet="protein").operations(strings)["window"] == sum(each)
    masked = Mismatch(k=4, m=1, alphabet="protein").operations(strings)["window"]
    assert masked == (1 + 4 + 6) * 12 * 37


@pytest.mark.parametrize("kernel", [Subsequence(length=4), LocalAlignment(log=True)])
def test_cells_of_tables_are_those_that_the_threads_fill(rng, monkeypatch, kernel):
    monkeypatch.setattr(pairwise, "worker_count", lambda: 1)
    strings = [*proteins(rng, 9, 30), "ACDEF" * 20]
    filled = []

    def work(pairs, meter):
        values = inner(pairs, meter)
        filled.append(int(meter[1]))
        return values

    inner = kernel._work(*kernel._packed(strings, None))
    monkeypatch.setattr(type(kernel), "_work", lambda self, left, right: work)
    kernel.gram(strings)
    (predicted,) = kernel.operations(strings).values()
    assert sum(filled) * kernel._layers / 3 < predicted < 3 * sum(filled) * kernel._layers


def test_threads_share_the_cells_of_many_pairs(monkeypatch):
    monkeypatch.setattr(pairwise, "worker_count", lambda: 4)
    one, many = (SmithWaterman().operations(["ACDE" * 10] * n)["alignment cell"] for n in (2, 2_000))
    assert one == 3 * 40 * 40
    assert many == 2_000 * 2_001 / 2 * 40 * 40 / 4


def test_a_column_of_a_pair_of_vectors_is_one_product_or_what_the_kernel_says():
    X = np.ones((6, 5))
    for kind in kernels_for("vectors"):
        found = kind().operations(X)
        assert found["entry"] == 36
        assert found["number"] == kind().worth() * 36 * 5
    assert Anova(degree=3).worth() == 3 * Anova(degree=1).worth()


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_every_kernel_counts_what_has_a_pace(kernel):
    strings = ["ACDEFGHIKL", "ACDE", "GHIKL"]
    kinds = {"sequences": strings, "vectors": np.ones((4, 3)), "graphs": [Graph(2, [(0, 1)])]}
    samples = kinds.get(kernel.data_kind, 1.0 - np.eye(4))
    found = kernel().operations(samples)
    assert found
    assert set(found) <= set(cost.SECONDS)
    assert kernel().estimate_seconds(samples) == pytest.approx(cost.seconds(found))


@on_strings
def test_nothing_is_computed_and_no_clock_is_asked(kernel, monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError("an estimate computes nothing")

    monkeypatch.setattr(time, "perf_counter", never)
    monkeypatch.setattr(type(kernel), "gram", never)
    assert kernel.estimate_seconds(["ACDEFGHIKL" * 4] * 30) > 0.0


STRINGS = st.lists(st.text("ACDE", max_size=12), min_size=1, max_size=8)


@on_strings
@given(strings=STRINGS, more=STRINGS, longer=st.text("ACDE", max_size=8))
def test_more_strings_and_longer_ones_never_cost_less(kernel, strings, more, longer):
    kernel = kernel.resolved(["ACDEFGHIKL"])  # the letters that a part happens to have set nothing
    before = kernel.estimate_seconds(strings)
    assert kernel.estimate_seconds(strings + more) >= before
    assert kernel.estimate_seconds([strings[0] + longer, *strings[1:]]) >= before


@on_strings
def test_ten_thousand_and_the_longest_strings_are_estimated(kernel):
    assert kernel.estimate_seconds(["ACDEFGHIKL" * 5] * 10_000) > 0.05
    assert kernel.estimate_seconds(["ACDEFGHIKL" * 10_000] * 2) > kernel.estimate_seconds(["ACDEFGHIKL"] * 2)


def test_loops_that_are_not_compiled_take_longer(monkeypatch):
    compiled = cost.seconds({"subsequence cell": 1e9})
    monkeypatch.setattr(cost, "compiled", lambda: False)
    assert cost.seconds({"subsequence cell": 1e9}) > 3.0 * compiled
    assert cost.seconds({"entry": 1e9}) == pytest.approx(2.0)


def test_limits_hold_for_estimates_too():
    with pytest.raises(TooLargeError):
        Spectrum().estimate_seconds(["A"] * 10_001)
