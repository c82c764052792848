"""Both strands of DNA: counted apart on the string and on its other strand."""

import numpy as np
import pytest

from kernex_core import InvalidInputError, Mismatch, Sequences, Spectrum, SpectrumSum
from kernex_core.kernels.sequences.string_kernel import reverse_complement
from tests.oracles import kmer_kernels as oracle

DNA = ["ACGTTGCA", "AACCGGTTA", "TTTACG", "GATTACANNGATC", "AC", "cgtaa"]
KERNELS = [Spectrum(2, strands="both"), SpectrumSum(3, strands="both"), Mismatch(3, 1, strands="both")]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda each: each.title)


def other(s):
    return "".join(
        {"A": "T", "C": "G", "G": "C", "T": "A"}.get(letter, letter) for letter in reversed(s.upper())
    )


def one_strand(kernel, s, t):
    if isinstance(kernel, Mismatch):
        return oracle.mismatch(s, t, kernel.k, kernel.m, "ACGT")
    lengths = range(1, kernel.k + 1) if isinstance(kernel, SpectrumSum) else (kernel.k,)
    return sum(oracle.spectrum(s, t, k, "ACGT") for k in lengths)


@every_kernel
def test_half_of_all_that_the_strands_of_one_share_with_those_of_the_other(kernel):
    expected = [
        [
            sum(one_strand(kernel, a, b) for a in (s.upper(), other(s)) for b in (t.upper(), other(t))) / 2
            for t in DNA
        ]
        for s in DNA
    ]
    found = kernel.gram(DNA)
    assert found.tolist() == expected
    assert kernel.cross(DNA[:2], DNA[2:]).tolist() == found[:2, 2:].tolist()
    assert np.linalg.eigvalsh(found)[0] > -1e-9


@every_kernel
def test_a_string_read_from_the_other_side_is_the_same(kernel):
    turned = [reverse_complement(s) if place % 2 else s for place, s in enumerate(DNA)]
    assert kernel.gram(turned).tolist() == kernel.gram(DNA).tolist()
    assert reverse_complement("AACGN") == other("AACGN") == "NCGTT"


@pytest.mark.parametrize("kernel", KERNELS[:2], ids=lambda each: each.title)
def test_features_multiply_to_the_kernel(kernel):
    counts = kernel.features(DNA).counts
    assert (counts @ counts.T).toarray() == pytest.approx(kernel.gram(DNA), rel=1e-12)


@every_kernel
def test_other_letters_are_refused(kernel):
    with pytest.raises(InvalidInputError, match="DNA"):
        kernel.gram(["ACDEFGHIKL"])
    with pytest.raises(InvalidInputError, match="DNA"):
        type(kernel)(3, alphabet="protein", strands="both")
    with pytest.raises(InvalidInputError, match="DNA"):
        kernel.of(Sequences(("a", "b"), ("ACD", "EFG"), "protein"))
    with pytest.raises(InvalidInputError, match="one strand"):
        kernel.explain("ACGT", "ACGT")
