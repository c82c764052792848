"""Tables of nodes: columns of numbers and labels by name, whatever stands between them."""

import numpy as np
import pytest

from kernex_core import InvalidInputError, join_nodes, read_labels, read_nodes, read_samples
from kernex_core.inputs.nodes import nearly_number_columns, number_columns
from kernex_core.inputs.upload import open_upload

TABLE = b"kind;name;size;note;load\nx;a;1,5;long;3\ny;b;;short;4\nx;c;2,5;;NA\ny;a;1,5;long;7\n"


def test_numbers_and_labels_are_found_by_the_names_of_their_columns():
    assert number_columns(open_upload(TABLE, "n.csv")) == ("size", "load")
    made = read_nodes(TABLE, "n.csv", id_column="name", label_column="kind", columns=("load", "size"))
    assert made.ids == ("a", "b", "c")
    assert made.columns == ("load", "size")
    # two lines of a differ in one column: that number is unknown, and the label
    assert np.array_equal(made.X, [[np.nan, 1.5], [4, np.nan], [np.nan, 2.5]], equal_nan=True)
    assert dict(zip(made.labels.ids, made.labels.y, strict=True)) == {"a": "", "b": "y", "c": "x"}
    assert "different numbers" in made.notes[0].text
    assert read_nodes(TABLE, "n.csv", id_column="name", columns=("size",)).labels is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"id_column": "name"}, "At least one column of numbers"),
        ({"id_column": "name", "columns": ("note",)}, "has to be a number"),
        ({"id_column": "who", "columns": ("size",)}, "name or the number of a column"),
        ({"id_column": "note", "columns": ("size",)}, "needs an id"),
    ],
)
def test_what_is_refused(asked, said):
    with pytest.raises(InvalidInputError, match=said):
        read_nodes(TABLE, "n.csv", **asked)
    with pytest.raises(InvalidInputError, match="finite"):
        read_nodes(b"id,x\na,1\nb,inf\n", "n.csv", id_column="id", columns=("x",))


def test_labels_that_come_later_leave_the_attributes_of_a_network():
    network = read_samples(b"source,target\na,b\nb,c\n", "e.csv")
    nodes = read_nodes(TABLE, "n.csv", id_column="name", columns=("size",))
    first = join_nodes(network, nodes).network
    assert first.labels is None
    later = join_nodes(first, read_labels(b"id,label\nc,u\nb,v\nd,u\n", "l.csv")).network
    assert later.ids == ("a", "b", "c", "d")
    assert np.array_equal(later.attributes.X.ravel(), [1.5, np.nan, 2.5, np.nan], equal_nan=True)
    again = join_nodes(later, nodes, new_nodes="ignore").network
    assert again.labels.y.tolist() == ["", "v", "u", "u"]


def test_a_column_of_numbers_with_one_text_is_told_with_the_line():
    upload = open_upload(b"id,kind,size\na,x,3\nb,y,-\nc,x,oops\nd,x,5\ne,x,n\n", "n.csv")
    assert number_columns(upload) == ()
    assert [note.text for note in nearly_number_columns(upload)] == []  # as many texts as numbers
    upload = open_upload(b"id,kind,size\na,x,3\nb,y,-\nc,x,oops\nd,x,5\n", "n.csv")
    (note,) = nearly_number_columns(upload)
    assert note.text == "The column size holds numbers, but 'oops' in line 4."
