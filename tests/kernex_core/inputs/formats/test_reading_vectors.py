import numpy as np
import pytest

from kernex_core import InvalidInputError, TooLargeError, Vectors, read_samples
from kernex_core.inputs.formats import vectors as vectors_module

TABLE = b"name,height,width,species\nflower 1,1.5,2,setosa\n007,0.5,1,setosa\nf.3,NA,4,virginica\n"


def test_ids_numbers_and_labels():
    found = read_samples(TABLE, "v.csv")
    assert isinstance(found, Vectors)
    assert found.ids == ("flower 1", "007", "f.3")
    assert found.columns == ("height", "width")
    np.testing.assert_array_equal(found.X, [[1.5, 2], [0.5, 1], [np.nan, 4]])
    assert found.labels.y.tolist() == ["setosa", "setosa", "virginica"]
    assert found.labels.recipe.part == ("labels",)
    notes = " ".join(note.text for note in found.notes)
    assert "'species'" in notes
    assert "1 of 6 values are unknown" in notes
    assert "f.3" in notes


@pytest.mark.parametrize("separator", ["\t", ";", " "])
def test_separators(separator):
    data = TABLE.replace(b"flower 1", b"f1").replace(b",", separator.encode())
    np.testing.assert_array_equal(read_samples(data, "v.txt").X, read_samples(TABLE, "v.csv").X)


def test_bare_numbers():
    found = read_samples(b"1,2.5\n3,4\n5,6\n7,8\n", "v.csv")
    assert found.ids == ("1", "2", "3", "4")
    assert found.columns == ("column 1", "column 2")
    assert found.labels is None


def test_columns_by_choice():
    data = b"id,a,b,grade\n1,2,3,0\n2,4,5,1\n3,6,7,0\n"
    assert read_samples(data, "v.csv").columns == ("a", "b", "grade")
    found = read_samples(data, "v.csv", label_column="grade", skip="a")
    assert found.columns == ("b",)
    assert found.ids == ("1", "2", "3")
    assert found.labels.y.tolist() == ["0", "1", "0"]
    assert read_samples(data, "v.csv", id_column="3").ids == ("3", "5", "7")
    with pytest.raises(InvalidInputError, match=r"'color'.*grade"):
        read_samples(data, "v.csv", "vectors", label_column="color")


def test_y_beside_x_is_a_coordinate_and_alone_a_label():
    assert read_samples(b"x,y\n1,2\n3,4\n5,7\n", "v.csv").columns == ("x", "y")
    assert read_samples(b"a,b,y\n1,2,0\n3,4,1\n5,7,0\n", "v.csv").labels.y.tolist() == ["0", "1", "0"]


def test_other_text_is_left_out_with_a_note():
    data = b"id,a,b,c,class,town\np,1,2,3,x,Rome\nq,3,4,5,y,Rome\n"
    found = read_samples(data, "v.csv", "vectors")
    assert found.columns == ("a", "b", "c")
    assert any("town" in note.text and "left out" in note.action for note in found.notes)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (TABLE.replace(b"0.5", b"0.5,9"), "5 in line 3"),
        (TABLE.replace(b"0.5", b"inf"), "item '007', column 'height'"),
        (b"a,b\n1,2\n", "1 row and"),
        (b"a,b\nNA,NA\nNA,NA\n", "without any number"),
        (b"a,b\n" + b"1,2\n" * 70 + b"oops,3\n", "'oops' in line 72"),
    ],
)
def test_refused(data, sentence):
    options = {"id_column": "name"} if b"name" in data else {}
    with pytest.raises(InvalidInputError, match=sentence):
        read_samples(data, "v.csv", "vectors", **options)


@pytest.mark.parametrize("end", [b"\t\n", b" \n\n", b"\n\t \n"])
def test_blank_lines_at_the_end_are_no_items(end):
    assert read_samples(TABLE + end, "v.csv").ids == ("flower 1", "007", "f.3")


def test_too_many_values(monkeypatch):
    monkeypatch.setattr(vectors_module, "VALUE_LIMIT", 5)
    with pytest.raises(TooLargeError, match="3 rows of 2 columns"):
        read_samples(TABLE, "v.csv")


def test_real_expression_data(shared):
    path = shared / "data" / "colon" / "colon_62x2000.csv.gz"
    found = read_samples(path.read_bytes(), path.name)
    assert found.X.shape == (62, 2000)
    assert found.labels.classes == (("tumour", 40), ("normal", 22))
    path = shared / "data" / "lymphoma" / "lymphoma_96x4026.csv.gz"
    found = read_samples(path.read_bytes(), path.name, skip="class_code,dettling62")
    assert found.X.shape == (96, 4026)
    assert np.isnan(found.X).sum() == 19_667
    assert len(found.labels.classes) == 9


def test_one_number_an_item_may_be_what_is_to_be_predicted_and_that_is_said():
    made = read_samples(b"id,dose\n" + b"".join(b"s%d,%.2f\n" % (k, 0.37 * k) for k in range(9)), "dose.csv")
    assert made.X.shape == (9, 1)
    assert any("one number an item" in note.text and "labels" in note.choice for note in made.notes)
    two = read_samples(
        b"id,dose,age\n" + b"".join(b"s%d,%.2f,%.2f\n" % (k, 0.37 * k, 2.1 * k) for k in range(9)), "x.csv"
    )
    assert not any("one number an item" in note.text for note in two.notes)
