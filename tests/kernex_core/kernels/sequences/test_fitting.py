"""Letters are aligned by a matrix of their own kind, and what does not fit is said."""

import numpy as np
import pytest

from kernex_core import LocalAlignment, Sequences, SmithWaterman, read_samples
from kernex_core.gram.provenance import write_script
from kernex_core.kernels.sequences.string_kernel import fitting_matrix

DNA = ("ACGTACGTAC", "ACGTTCGTAC")
PROTEIN = ("ACDEFGHIKLMNPQRSTVWY", "ACDEFGHIKLMWPQRSTVWY")
THREE_DI = ("DVVVLLVVLVVLQVPADPVLCVRYAYEYEYEPVVLVVVVVD", "DVVVLLVVLVVLQVPADPVLCVRYAYEYEYEPVVLVVVVVP")


def samples(strings, kind):
    return Sequences(tuple("ab"), strings, kind)


@pytest.mark.parametrize(
    ("strings", "kind", "name"),
    [
        (DNA, "dna", "NUC.4.4"), (("acgu",), "dna", "NUC.4.4"), (DNA, "", "NUC.4.4"), (PROTEIN, "", "BLOSUM62"),
        (PROTEIN, "protein", "BLOSUM62"), (DNA, "protein", "BLOSUM62"),
        (THREE_DI, "structure", "3DI"), (THREE_DI, "", "BLOSUM62"), (("aB1", "b2"), "structure", "BLOSUM62"),
        (("aB1",), "text", "BLOSUM62"),
    ],
)  # fmt: skip
def test_the_matrix_of_a_kind(strings, kind, name):
    assert fitting_matrix(strings, kind) == name


@pytest.mark.parametrize("kernel", [SmithWaterman(), LocalAlignment(beta=0.1)])
@pytest.mark.parametrize(
    ("strings", "kind", "name"),
    [(DNA, "dna", "NUC.4.4"), (PROTEIN, "protein", "BLOSUM62"), (THREE_DI, "structure", "3DI")],
)
def test_a_kernel_without_a_named_matrix_takes_it(kernel, strings, kind, name):
    data = samples(strings, kind)
    named = type(kernel)(**{**vars(kernel), "matrix": name})
    assert kernel.of(data) == named
    np.testing.assert_array_equal(kernel.similarities(data).values, named.gram(strings))
    assert f"matrix={name!r}" in write_script([kernel.similarities(data).recipe], heading="x")
    np.testing.assert_array_equal(kernel.of(data).cross(strings, strings), named.cross(strings, strings))


def test_dna_that_is_read_scores_five_a_letter():
    read = read_samples(b">s1\nACGTACGTAC\n>s2\nACGTTCGTAC\n", "s.fa")
    assert SmithWaterman().similarities(read).values[0, 0] == 50


@pytest.mark.parametrize(
    ("strings", "kind", "matrix", "said"),
    [
        (DNA, "dna", "BLOSUM62", "nucleotides, but BLOSUM62 scores amino acids"),
        (DNA, "dna", "PAM250", "choose NUC.4.4"),
        (THREE_DI, "structure", "BLOSUM62", "choose 3DI"),
        (PROTEIN, "protein", "3DI", "choose BLOSUM62"),
        (("aBcD", "bCdE"), "text", "BLOSUM62", "upload a matrix"),
        (DNA, "dna", "NUC.4.4", ""),
        (PROTEIN, "protein", "PAM250", ""),
        (THREE_DI, "structure", "3DI", ""),
    ],
)
def test_letters_and_matrix_that_do_not_fit_are_named(strings, kind, matrix, said):
    found = SmithWaterman(matrix=matrix).remarks_on(samples(strings, kind))
    assert (said in " ".join(found)) if said else not found
    assert len(found) == len(set(found))


def test_strings_alone_are_named_where_they_can_only_be_nucleotides():
    assert "nucleotides" in SmithWaterman(matrix="BLOSUM62").remarks(DNA)[0]
    assert SmithWaterman().remarks(DNA) == ()  # they are aligned by NUC.4.4
    assert SmithWaterman().remarks(["ACGT"]) == ()


def test_an_unknown_nucleotide_may_be_written_as_x():
    assert (
        SmithWaterman().similarities(samples(("ACGX", "ACGN"), "dna")).values[0, 1]
        == SmithWaterman(matrix="NUC.4.4").gram(["ACGN", "ACGN"])[0, 1]
    )


@pytest.mark.parametrize("kernel", [SmithWaterman(), LocalAlignment(beta=0.1)])
@pytest.mark.parametrize(
    ("strings", "name"), [(DNA, "NUC.4.4"), (PROTEIN, "BLOSUM62"), (("ACGT", "ACGA"), "BLOSUM62")]
)
def test_a_plain_list_is_aligned_as_what_its_letters_can_only_be(kernel, strings, name):
    named = type(kernel)(**{**vars(kernel), "matrix": name})
    np.testing.assert_array_equal(kernel.gram(strings), named.gram(strings))
    np.testing.assert_array_equal(
        kernel.cross(strings[:1], strings[1:]), named.cross(strings[:1], strings[1:])
    )
    assert kernel.explain(*strings).total == named.explain(*strings).total
    assert kernel.operations(strings) == named.operations(strings)


def test_a_plain_list_of_dna_scores_five_a_letter():
    assert SmithWaterman().gram(DNA)[0, 0] == 50
    assert SmithWaterman().explain(*DNA).total == SmithWaterman().gram(DNA)[0, 1]
