"""What a matrix costs is said before it is computed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kernex_core.errors import TooLargeError
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.sequences import cost
from kernex_core.kernels.sequences.cost import Cost, estimate
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.sequences.subsequence import Subsequence

KERNELS = [LocalAlignment(log=True) if k is LocalAlignment else k() for k in kernels_for("sequences")]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
def test_every_kernel_is_measured_on_a_sample(kernel: AbstractKernel[list[str]]) -> None:
    found = estimate(kernel, ["ACDEFGHIKL" * 4] * 30)
    assert found.seconds > 0.0
    assert found.pairs == 30 * 31 // 2
    assert 0 < found.measured_pairs <= found.pairs
    assert found.bytes == 16 * 30**2


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
def test_ten_thousand_and_the_longest_strings_are_estimated_at_once(
    kernel: AbstractKernel[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples: list[Sequence[str]] = []
    measure = cost._seconds
    monkeypatch.setattr(cost, "_seconds", lambda k, sample: samples.append(sample) or measure(k, sample))
    many = estimate(kernel, ["ACDEFGHIKL" * 5] * 10_000)
    long = estimate(kernel, ["ACDEFGHIKL" * 10_000] * 2)
    # two of each of six sizes at most
    assert 4 <= len(samples) <= 14
    assert max(map(len, samples)) <= 64
    assert max(len(string) for sample in samples for string in sample) <= 1_000
    assert many.pairs == 50_005_000
    assert many.seconds > 0.05
    assert many.measured_pairs <= 64 * 65 // 2
    assert long.seconds > 0.0


def test_a_pair_of_very_long_strings_is_scaled_by_letter_pairs() -> None:
    short, long = (estimate(Subsequence(), ["ACGT" * n] * 2) for n in (250, 25_000))
    assert long.seconds > 100.0 * short.seconds


def test_strings_without_letters_cost_nothing_and_one_string_is_measured() -> None:
    assert estimate(Spectrum(), ["", ""]) == Cost(0.0, 64, 3, 0)
    assert estimate(Spectrum(), ["ACGT"]).measured_pairs == 1


def test_limits_hold_for_estimates_too() -> None:
    with pytest.raises(TooLargeError):
        estimate(Spectrum(), ["A"] * 10_001)


def test_a_cost_reads_as_a_sentence() -> None:
    assert str(Cost(0.25, 10**8, 5050, 10)).startswith("5,050 pairs, about 0.2 s and 100 MB")
    assert "2 minutes" in str(Cost(120.0, 1, 1, 1))
    assert "2.0 hours" in str(Cost(7200.0, 1, 1, 1))
