"""New items on a map: read by the names of columns, placed as scikit-learn places them, with honest bars."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA
from sklearn.manifold import LocallyLinearEmbedding

from kernex_core import (
    GramMatrix,
    InvalidInputError,
    KernexError,
    MapConfig,
    NewRows,
    Vectors,
    load_dataset,
    place_new,
    prepare_map,
    read_new_rows,
    read_new_vectors,
    view_map,
)
from kernex_core.studies.map import study as preparing
from kernex_core.studies.map.study import within

X = load_dataset("swiss_roll").samples["points"].X[::4] / 10.0
ITEMS = Vectors(tuple(f"p{k}" for k in range(len(X))), X, ("x", "y", "z"))
NEW = np.array([[0.3, 0.5, -0.9], [1.0, 1.2, 0.4], [30.0, 0.0, 0.0]])
CONFIG = MapConfig(n_neighbors=9, share=0.3)


@pytest.mark.parametrize("method", ["lle", "kernel pca"])
def test_vectors_and_their_kernel_place_new_items_alike_and_as_scikit_learn_does(method):
    config = MapConfig(method=method, n_neighbors=9, share=0.3)
    made = prepare_map(config, ITEMS)
    places = place_new(made, view_map(made), Vectors(("a", "b", "c"), NEW, ITEMS.columns))
    kept = X[made.kept]
    if method == "lle":
        theirs = LocallyLinearEmbedding(n_neighbors=9, eigen_solver="dense").fit(kept)
        own, wanted = theirs.embedding_, theirs.transform(NEW)
        assert list(places.ways) == ["by extrapolation", "in the paper's form", "as by Bengio and others"]
    else:
        theirs = PCA(2).fit(kept)
        own, wanted = theirs.transform(kept), theirs.transform(NEW)
        assert list(places.ways) == ["by their own similarities", "by extrapolation"]
    signs = np.sign((made.made.coordinates[:, :2] * own).sum(axis=0))
    assert_allclose(next(iter(places.ways.values())) * signs, wanted, atol=1e-6)
    distances = np.linalg.norm(NEW[:, None] - kept[None], axis=2)
    np.testing.assert_array_equal(places.nearest, made.kept[distances.argmin(axis=1)])
    between = np.linalg.norm(kept[:, None] - kept[None], axis=2) + np.diag(np.full(len(kept), np.inf))
    assert_allclose(places.far, distances.min(axis=1) / np.median(between.min(axis=1)))
    assert places.far[2] > 20.0
    # by similarities alone
    K = GramMatrix(X @ X.T, ITEMS.ids)
    other = prepare_map(config, K)
    by_kernel = place_new(other, view_map(other), NewRows(("a", "b", "c"), NEW @ X.T, (NEW**2).sum(axis=1)))
    for title, places_of in places.ways.items():
        turned = np.sign((made.made.coordinates[:, :2] * other.made.coordinates[:, :2]).sum(axis=0))
        assert_allclose(by_kernel.ways[title] * turned, places_of, atol=1e-5 * np.abs(places_of).max())
    assert_allclose(by_kernel.far, places.far, rtol=1e-6)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("method", ["lle", "kernel pca"])
def test_rows_of_items_lie_where_the_items_lie_also_of_what_is_no_kernel(normalize, method):
    K = next(iter(load_dataset("indefinite_similarities").kernels.values()))
    made = prepare_map(MapConfig(method=method, share=0.2, n_neighbors=6, normalize=normalize), K)
    view = view_map(made)
    again = made.kept[:3]
    new = NewRows(("a", "b", "c"), K.values[again], np.diag(K.values)[again])
    placed = next(iter(place_new(made, view, new).ways.values()))
    if method == "kernel pca":
        assert_allclose(placed, view.coordinates[again], atol=1e-8)
    else:  # what was clipped of the item is missing in the row's length: near, and nearest to itself
        assert place_new(made, view, new).nearest.tolist() == again.tolist()


def test_nine_in_ten():
    rng = np.random.default_rng(0)
    inside = []
    for _ in range(400):
        errors = rng.normal(size=(30, 1)) ** 3
        inside.append(abs(errors[0, 0]) <= within(errors[1:])[0])
    assert 0.87 < np.mean(inside) < 0.95  # at least 0.9 of exchangeable draws, and not much more
    assert within(np.arange(1.0, 10.0)[:, None]).tolist() == [9.0]
    assert np.isnan(within(np.ones((8, 2)))).all()
    made = prepare_map(CONFIG, ITEMS)
    view = view_map(made, axes=(2, 4))
    errors = np.abs(view.placements[0].coordinates - view.whole[view.held])
    m = len(errors)
    assert (errors <= view.placements[0].within).sum(axis=0).tolist() == [np.ceil(0.9 * (m + 1))] * 2
    assert np.isnan(view_map(prepare_map(MapConfig(share=0.05), ITEMS)).placements[0].within).all()


def test_above_a_size_the_papers_form_is_left_out(monkeypatch):
    monkeypatch.setattr(preparing, "PAPER_LIMIT", 50)
    made = prepare_map(CONFIG, ITEMS)
    assert list(made.placements) == ["by extrapolation", "as by Bengio and others"]
    assert "above 50 kept items it is left out" in made.notes[-1]


TABLE = "id,z,y,x\nfirst,-0.9,0.5,0.3\np7,0.4,1.2,1.0\n"


def test_columns_are_matched_by_name():
    found = read_new_vectors(TABLE.encode(), "new.csv", ITEMS)
    assert found.ids == ("first", "p7 (new)")
    assert_allclose(found.X, NEW[:2])
    one = read_new_vectors(b"x;y;z;w\n0,3;0,5;-0,9;1\n", "one.csv", ITEMS)
    assert_allclose(one.X, NEW[:1])
    assert "w" in one.notes[0].text
    bare = read_new_vectors(b"0.3,0.5,-0.9\n1.0,1.2,0.4\n", "bare.csv", ITEMS)
    assert_allclose(bare.X, NEW[:2])
    assert read_new_vectors(b"id,x,y,z,\na,1,2,3,\n", "trailing.csv", ITEMS).notes == ()
    part = read_new_vectors(b"id,label,x,y,z\nu,red,1,2,3\nv,blue,4,,6\n", "part.csv", ITEMS)
    assert part.ids == ("u",)
    assert part.labels.y.tolist() == ["red"]
    assert "v" in part.notes[0].text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,x,y\na,1,2\n", "no z"),
        ("id,u,v,w,x\na,1,2,3,4\n", "no y, z"),
        ("1,2\n3,4\n", "no x, y, z"),
        ("id,x,y,z\na,,1,2\n", "unknown"),
        ("id,x,y,z\na,1,one,2\n", "text, or a part as id or label, in y"),
        ("id,x,y,z\na,1,2,inf\n", "finite"),
        ("id,x,y,z\n", "row"),
        ("id,x,y,z\na,1,2\n", ""),
        ("id,x,y,z,x\na,1,2,3,4\n", "x more than once"),
        ("x,y,z\n" + "1,2,3\n" * 10_001, "10,001"),
        ("", "empty"),
        ("\x00\x01", ""),
    ],
)
def test_what_cannot_be_placed_is_told_by_name(text, said):
    with pytest.raises(KernexError) as told:
        read_new_vectors(text.encode(), "new.csv", ITEMS)
    assert said in str(told.value)


def test_rows_of_similarities_are_matched_by_id():
    K = GramMatrix(np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 1.0]]), ("a", "b", "c"))
    found = read_new_rows(b"name,c,a,self,b,more\nn1,3,1,9,2,0\na,6,4,8,5,0\n", "rows.csv", K)
    assert found.ids == ("n1", "a (new)")
    assert found.cross.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert found.own.tolist() == [9, 8]
    assert "more" in found.notes[0].text
    even = GramMatrix(np.where(np.eye(3), 1.0, K.values / 9.0), K.ids)
    assert read_new_rows(b"a\tb\tc\nn\t.1\t.2\t.3\n", "rows.tsv", even).own.tolist() == [1.0]
    for text, said in [
        ("name,a,b,c\nn,1,2,3\n", "'self'"),
        ("name,a,b\nn,1,2\n", "none for 1 of them (c)"),
        ("name,a,b,c,self\nn,1,,3,2\n", "'b'"),
        ("name,a,b,c,self\nn,1,2,3\n", "as many entries"),
        ("name,a,b,c,self\n", "one line"),
        ("name,a,b,c,self,b\nn,1,2,3,4,5\n", "b more than once"),
        ("name,a,b,c,self\nn,1,2,3,x\n", "number"),
    ]:
        with pytest.raises(InvalidInputError) as told:
            read_new_rows(text.encode(), "rows.csv", K)
        assert said in str(told.value)
