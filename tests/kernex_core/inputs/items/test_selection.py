import pytest

from kernex_core import InvalidInputError, Labels, Selection

IDS = tuple("abcdefg")
LABELS = Labels(IDS, ["c.1.8", "c.1.8", "c.1.9", "", "c.2.1", "c.1.8", "c.2.1"])


@pytest.mark.parametrize(
    ("selection", "kept"),
    [
        (Selection(), "abcdefg"),
        (Selection(classes=("c.1.8", "c.1.9")), "abcf"),
        (Selection(min_class_size=2), "abefg"),
        (Selection(min_class_size=3), "abf"),
        (Selection(label_pattern="c.1.*"), "abcf"),
        (Selection(label_pattern="c.?.1"), "eg"),
        (Selection(label_pattern="c.[12].[19]"), "ceg"),
        (Selection(ids=("g", "a", "zz")), "ag"),
        (Selection(ids=("a", "b", "e", "d"), min_class_size=2), "ab"),
        (Selection(label_pattern="c.1.*", min_class_size=2), "abf"),
    ],
)
def test_what_is_kept(selection, kept):
    at = selection.apply(IDS, LABELS)
    assert "".join(IDS[k] for k in at) == kept


@pytest.mark.parametrize(
    ("selection", "sentence"),
    [
        (Selection(classes=("x",)), "no item is in x; classes are c.1.8"),
        (Selection(min_class_size=9), "largest of 3 classes has 3 items, fewer than 9"),
        (Selection(label_pattern="d.*"), "no label fits"),
        (Selection(ids=("zz",)), "no item has an id among zz"),
        (Selection(ids=()), "at least one item"),
    ],
)
def test_nothing_left(selection, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        selection.apply(IDS, LABELS)


def test_labels_are_needed_only_where_they_matter():
    assert Selection(ids=("b",)).apply(IDS).tolist() == [1]
    with pytest.raises(InvalidInputError, match="needs labels"):
        Selection(min_class_size=2).apply(IDS)


def test_parameters_are_checked():
    with pytest.raises(InvalidInputError, match="at least 1"):
        Selection(min_class_size=0)
    with pytest.raises(InvalidInputError, match="200 characters"):
        Selection(label_pattern="*a" * 101)


def test_a_pattern_cannot_run_away():
    labels = Labels(("p",), ["a" * 5_000])
    with pytest.raises(InvalidInputError):
        Selection(label_pattern="*a" * 60 + "b").apply(("p",), labels)


def test_a_selection_is_a_value():
    assert Selection(classes=("a",)) == Selection(classes=("a",))
    assert len({Selection(), Selection()}) == 1
