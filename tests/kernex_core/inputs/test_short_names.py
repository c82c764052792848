"""What a file's content is called before somebody says otherwise."""

import pytest

from kernex_core.inputs.format import named_columns
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


def test_names_of_very_many_columns_are_counted_once():
    class Counted(list):
        def count(self, value):
            raise AssertionError("each name is looked for among all of them")

    names = Counted([*(f"g{k}" for k in range(3_000)), "twice", "twice", " "])
    assert named_columns(names)[-4:] == ("g2999", "3001", "3002", "3003")
