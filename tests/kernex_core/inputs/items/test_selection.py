import numpy as np
import pytest

from kernex_core import InvalidInputError, Labels, Selection, read_labels, read_samples
from kernex_core.inputs.samples import Sequences
from kernex_core.studies.data import assemble, dataset_script

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


MANY = tuple(f"i{k}" for k in range(600))
UNEVEN = Labels(MANY, np.repeat(["a", "b", "c", ""], [300, 200, 7, 93]))


@pytest.mark.parametrize("seed", [0, 1])
def test_a_random_part_is_drawn_by_the_seed_alone(seed):
    drawn = Selection(size=50, seed=seed).apply(MANY, UNEVEN)
    assert drawn.size == 50
    assert (np.diff(drawn) > 0).all()
    np.testing.assert_array_equal(drawn, Selection(size=50, seed=seed).apply(MANY))
    wanted = np.sort(np.random.default_rng(seed).choice(600, 50, replace=False))
    np.testing.assert_array_equal(drawn, wanted)
    assert np.intersect1d(drawn, Selection(size=50, seed=seed + 1).apply(MANY)).size < 25


def test_every_item_is_as_likely():
    counts = np.zeros(40)
    for seed in range(400):
        counts[Selection(size=10, seed=seed).apply(MANY[:40])] += 1
    # 100 expected, standard deviation 8.7
    assert 60 < counts.min() <= counts.max() < 140


@pytest.mark.parametrize("size", [1, 13, 100, 506, 507])
def test_of_a_stratified_part_every_class_keeps_its_share_within_one_item(size):
    at = Selection(size=size, stratified=True, seed=3).apply(MANY, UNEVEN)
    assert at.size == size
    for name, whole in UNEVEN.classes:
        assert abs((UNEVEN.y[at] == name).sum() - size * whole / 507) < 1.0
    assert not (UNEVEN.y[at] == "").any()


def test_a_part_is_drawn_from_what_satisfies_the_rest_and_is_all_of_it_where_that_is_less():
    spec = Selection(classes=("c",), size=5, seed=1)
    assert set(UNEVEN.y[spec.apply(MANY, UNEVEN)]) == {"c"}
    assert Selection(classes=("c",), size=100).apply(MANY, UNEVEN).size == 7


def test_a_stratified_part_needs_labels():
    with pytest.raises(InvalidInputError, match="needs labels"):
        Selection(size=5, stratified=True).apply(MANY)


@pytest.mark.parametrize("stratified", [False, True])
def test_the_script_of_a_part_says_how_it_was_drawn_and_draws_it_again(
    tmp_path, monkeypatch, capsys, stratified
):
    fasta = "".join(f">{name}\nACDEFGHIKL\n" for name in MANY).encode()
    table = ("id,label\n" + "".join(f"{i},{y}\n" for i, y in zip(MANY, UNEVEN.y, strict=True))).encode()
    made = assemble({"s": read_samples(fasta, "s.fasta")}, read_labels(table, "l.csv")).data
    part = made.select(Selection(size=40, stratified=stratified, seed=2).items(made))
    script = dataset_script(part)
    assert "Selection(size=40" in script
    assert script.count("i1") < 5 * 600, "positions are not listed"
    assert "np.array" not in script
    (tmp_path / "s.fasta").write_bytes(fasta)
    (tmp_path / "l.csv").write_bytes(table)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(script, names)
    found = [
        value for value in names.values() if isinstance(value, Labels | Sequences) and len(value.ids) == 40
    ]
    assert {type(value) for value in found} == {Labels, Sequences}
    assert all(value.ids == part.ids for value in found)
