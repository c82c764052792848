"""Ids that are written otherwise in the file of labels."""

import pytest

from kernex_core import join_labels, read_labels
from kernex_core.base.errors import InvalidInputError

LOOSE = {
    "name of an entry": (("sp|P1|A_HUMAN", "sp|P2|B_HUMAN"), ("A_HUMAN", "B_HUMAN"), "data base"),
    "accession": (("sp|P1|A_HUMAN", "sp|P2|B_HUMAN"), ("P1", "P2"), "data base"),
    "the other way round": (("A_HUMAN", "P2"), ("sp|P1|A_HUMAN", "sp|P2|B_HUMAN"), "data base"),
    "case": (("1ABC_A", "2XYZ_B"), ("1abc_A", "2xyz_b"), "upper and lower case"),
    "path": (
        ("/data/x/a.pdb", "/data/x/b.pdb"),
        ("a", "b"),
        "a path (/data/x/) and the ending of a file (.pdb)",
    ),
    "path of another system": (("C:\\data\\a", "C:\\data\\b"), ("a", "b"), "a path"),
    "version and case": (("NP_1.1", "NP_2.1"), ("np_1", "np_2"), "a version"),
}


@pytest.mark.parametrize("name", LOOSE)
def test_other_ways_of_writing_are_matched_when_asked(name):
    items, others, difference = LOOSE[name]
    labels = read_labels(f"id,class\n{others[0]},x\n{others[1]},y\n".encode(), "l.csv")
    with pytest.raises(InvalidInputError) as caught:
        join_labels(items, labels)
    assert difference in str(caught.value)
    joined = join_labels(items, labels, loosely=True)
    assert joined.labels.y.tolist() == ["x", "y"]
    assert any(difference in note.text for note in joined.notes)


def test_what_is_not_clear_is_not_matched():
    labels = read_labels(b"id,class\nAB,x\nab,y\nc,x\n", "l.csv")
    joined = join_labels(("Ab", "c"), labels, loosely=True)
    assert joined.without_label == ("Ab",)
    exact = join_labels(("ab", "AB", "c"), labels, loosely=True)
    assert exact.labels.y.tolist() == ["y", "x", "x"]
