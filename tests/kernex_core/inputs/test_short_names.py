"""What a file's content is called before somebody says otherwise."""

import pytest

from kernex_core.inputs.names import short_name


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("c1_smith_waterman_blosum62.tsv.gz", "c1 SW BLOSUM62"), ("c1-sw-3di.csv", "c1 SW 3Di"),
        ("needleman-wunsch_PAM250_matrix.csv", "NW PAM250"), ("mine.csv", "mine"), ("kernel.csv", "kernel"),
        ("Barrels 2024.fasta", "Barrels 2024"), (".csv", ".csv"), ("___.csv", "data"), ("d1a0ca_.pdb", "d1a0ca"),
        ("TP53 sequences.fa", "TP53 sequences"), ("swiss.fa", "swiss"),
    ],
)  # fmt: skip
def test_words_are_kept_and_methods_shortened(filename, name):
    assert short_name(filename) == name
