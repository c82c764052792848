"""Kernels of MATLAB files: one, or several as an array of three dimensions, with a mask and classes beside them."""

import io

import numpy as np
import pytest
from scipy.io import savemat

from kernex_core import read_samples
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.gram.provenance import write_script
from kernex_core.studies.data import assemble


def saved(**variables):
    file = io.BytesIO()
    savemat(file, variables)
    return file.getvalue()


@pytest.fixture
def views(rng):
    X = rng.normal(size=(5, 5, 3))
    return X + X.transpose(1, 0, 2)


def test_an_array_of_three_dimensions_is_several_kernels_of_the_same_items(views, tmp_path, monkeypatch):
    known = np.array([[1, 1, 0, 1, 1], [0, 1, 1, 1, 1], [1, 1, 1, 1, 1]], bool)
    data = saved(K=views, MID=known.T.astype(float), y=np.array([[1, 2, 1, 2, np.nan]]))
    made = read_samples(data, "six.mat")
    assert [each.gram.name for each in (made, *made.others)] == ["six 1", "six 2", "six 3"]
    for v, each in enumerate((made, *made.others)):
        assert np.array_equal(each.gram.known, known[v])
        block = np.ix_(known[v], known[v])
        assert np.array_equal(each.gram.values[block], views[:, :, v][block])
        assert each.labels.y.tolist() == ["1", "2", "1", "2", ""]
        again = read_samples(data, "six.mat", view=v + 1)
        assert again.others == ()
        assert again.gram.digest == each.gram.digest
    assert any("MID marks 2 rows with 0" in note.text for note in made.notes)
    assert made.take([0, 2]).others[1].ids == ("1", "3")
    # the script of what they become reads the same
    together = assemble({f"k {v}": each for v, each in enumerate((made, *made.others), 1)}, name="six")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "six.mat").write_bytes(data)
    for K in together.data.kernels.values():
        namespace = {}
        exec(write_script([K.recipe], heading="test"), namespace)
        assert any(getattr(value, "digest", "") == K.digest for value in namespace.values())


def test_one_square_variable_is_found_and_others_can_be_chosen(views):
    data = saved(other=views[:, :, 1], K=views[:, :, 0], wide=np.ones((2, 5)), mask=np.eye(5))
    assert np.array_equal(read_samples(data, "a.mat").gram.values, views[:, :, 0])
    assert read_samples(data, "a.mat").gram.name == "a"
    assert np.array_equal(read_samples(data, "a.mat", key="other").gram.values, views[:, :, 1])


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (saved(MID=np.ones((5, 3))), {}, r"holds MID \(5 × 3\)"),
        (saved(K=np.eye(3)), {"key": "L"}, r"'L'; it holds K \(3 × 3\)"),
        (saved(K=np.ones((3, 3, 2))), {"view": 3}, "2 kernels; asked for: 3. Ask for one of 1 to 2"),
        (saved(K=np.ones((2, 2, 101))), {}, "101 kernels. Save a part of K"),
        (saved(K=np.eye(3)) + saved(K=np.ones((3, 3)))[128:], {}, "two variables are named 'K'"),
        (saved(K=np.full((3, 3), 1e308)), {}, r"all 9 entries are unknown \(Entries that are 1e\+308.*another unit"),
        (saved(K=np.array([[np.inf, 1.0], [1.0, 1.0]])), {}, "finite"),
        (saved(K=np.ones((1, 1))), {}, "at least two"),
        (b"MATLAB 7.3 MAT-file, HDF5 schema".ljust(600, b"\0"), {}, "-v7"),
    ],
)  # fmt: skip
def test_what_holds_no_kernels_is_refused_with_what_it_holds(data, options, said):
    with pytest.raises(InvalidInputError, match=said):
        read_samples(data, "a.mat", format="matlab", **options)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("MID", np.ones((5, 2)), "5 × 3 numbers 0 and 1, items by kernels, and is 5 × 2."),
        ("mask", 2.0 * np.ones((5, 3)), "5 × 3 numbers 0 and 1"),
        ("known", np.array(["yes", [1.0]], dtype=object), "and is a cell array."),
        ("y", np.arange(6.0), "one number for each of the 5 items, and is 1 × 6."),
        ("labels", np.eye(5), "one number for each of the 5 items, and is 5 × 5."),
        ("classes", "ababa", "and is text."),
    ],
)
def test_a_mask_or_classes_that_do_not_fit_are_told(views, name, value, said):
    made = read_samples(saved(K=views, **{name: value}), "a.mat")
    (note,) = made.notes
    assert note.severity == "warning"
    assert note.text.startswith(f"{name} is left out")
    assert said in note.text
    assert made.labels is None
    assert made.gram.known.all()


def test_a_mask_and_classes_that_fit_are_not_doubted_for_others_beside_them(views):
    made = read_samples(
        saved(K=views, MID=np.ones((5, 3)), known=np.ones(2), y=np.ones(5), labels="a"), "a.mat"
    )
    assert made.notes == ()
    assert made.labels is not None


def test_two_numbers_never_become_one_class(views):
    y = [2.0, 0.5, 12345678901.0, 12345678902.0, 1.0 / 3.0]
    made = read_samples(saved(K=views, y=np.array(y)), "a.mat")
    assert made.labels.y.tolist() == ["2", "0.5", "12345678901", "12345678902", "0.3333333333333333"]


def test_more_items_than_the_limit_are_refused(views):
    with pytest.raises(TooLargeError):
        read_samples(saved(K=views), "a.mat", limit=4)
