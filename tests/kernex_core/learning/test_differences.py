"""Whether classes differ: PERMANOVA and dispersion as scikit-bio has them, MMD written out, p where classes are the same."""

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import holm
from kernex_core.learning.differences import classes_differ, mean_distances, pairs_differ
from tests.kernex_core.learning.test_relations import linear, points


def labelled(K, y, groups=None):
    return Labels(K.ids, np.asarray(y), None if groups is None else np.asarray(groups))


THREE = np.repeat(["a", "b", "c"], 8)


def test_permanova_and_dispersion_are_those_of_scikit_bio():
    K = linear(points()[0])
    found = classes_differ(K, labelled(K, THREE), permutations=4999)
    # skbio.stats.distance 0.7.4 of the distances: permanova, permdisp(test="centroid"); p with 9,999 permutations
    assert pytest.approx(1.6627259180033915, rel=1e-12) == found.F
    assert found.spread_F == pytest.approx(15.857809787819695, rel=1e-9)
    assert found.p == pytest.approx(0.1634, abs=4 * np.sqrt(0.16 * 0.84 / 4999))
    assert found.spread_p <= 0.002
    assert found.counts.tolist() == [8, 8, 8]


def test_the_share_of_the_scatter_is_that_of_sums_of_squared_distances():
    X = points()[0]
    K = linear(X)
    found = classes_differ(K, labelled(K, THREE), permutations=1)
    means = {name: X[name == THREE].mean(axis=0) for name in "abc"}
    inside = sum(((X[name == THREE] - means[name]) ** 2).sum() for name in "abc")
    assert found.share == pytest.approx(1.0 - inside / ((X - X.mean(axis=0)) ** 2).sum(), rel=1e-12)
    spreads = [np.linalg.norm(X[name == THREE] - means[name], axis=1).mean() for name in "abc"]
    np.testing.assert_allclose(found.spreads, np.array(spreads) * np.sqrt(8 / 7))


def test_mmd_is_what_it_is_written_out_and_p_is_that_of_permanova_for_two_classes():
    X = points()[0][:16]
    K, y = linear(X), np.repeat(["a", "b"], [6, 10])
    (pair,) = pairs_differ(K, labelled(K, y), permutations=999)
    sums = {(s, t): 0.0 for s in "ab" for t in "ab"}
    for i in range(16):
        for j in range(16):
            if i != j:
                sums[y[i], y[j]] += float(X[i] @ X[j])
    written = sums["a", "a"] / (6 * 5) + sums["b", "b"] / (10 * 9) - 2.0 * sums["a", "b"] / (6 * 10)
    assert pair.mmd2 == pytest.approx(written, rel=1e-10)
    inside = sum(((X[y == name] - X[y == name].mean(axis=0)) ** 2).sum() for name in "ab")
    assert pair.effect == pytest.approx(np.sqrt(max(written, 0.0) / (inside / 14)), rel=1e-10)
    # of items of one length the scatter between two classes is a growing function of MMD: one p
    unit = X / np.linalg.norm(X, axis=1)[:, None]
    K = linear(unit)
    balanced = labelled(K, np.repeat(["a", "b"], 8))
    assert pairs_differ(K, balanced, permutations=199)[0].p == classes_differ(K, balanced, permutations=199).p


def test_pairs_are_corrected_for_all_of_them():
    X = points()[0] + np.repeat([[0.0], [0.0], [2.0]], 8, axis=0)
    K = linear(X)
    found = pairs_differ(K, labelled(K, THREE), permutations=199)
    assert [(each.first, each.second) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [each.p_holm for each in found] == list(holm([each.p for each in found]))
    assert found[1].p_holm < 0.05 < found[0].p_holm
    first = pairs_differ(K.take(np.arange(16)), labelled(K, THREE).take(np.arange(16)), permutations=199)[0]
    assert (first.p, first.mmd2) == (found[0].p, pytest.approx(found[0].mmd2))


def test_many_samples_at_once_are_what_they_are_one_by_one():
    X = points()[0]
    rows = np.random.default_rng(1).integers(0, 2, size=(7, 24))
    rows[:, :2], rows[:, 2:4] = 0, 1
    for found, row in zip(mean_distances(X @ X.T, rows), rows, strict=True):
        a, b = X[row == 0], X[row == 1]
        unbiased = (np.sum((a.sum(0)) ** 2) - (a**2).sum()) / (len(a) * (len(a) - 1))
        unbiased += (np.sum((b.sum(0)) ** 2) - (b**2).sum()) / (len(b) * (len(b) - 1))
        assert found == pytest.approx(unbiased - 2.0 * a.mean(0) @ b.mean(0), rel=1e-9)


@pytest.mark.parametrize("what", ["alone", "families", "mixed"])
def test_classes_that_are_the_same_differ_no_more_often_than_p_says(what):
    """Items by themselves, families of one class and of any size, and groups in which both classes are."""
    worlds, below, spread = 150, np.zeros(2), 0
    for seed in range(worlds):
        rng = np.random.default_rng([seed, 8])
        if what == "alone":
            of, y = np.arange(20), np.repeat(["a", "b"], [12, 8])
        elif what == "families":
            of = np.repeat(np.arange(10), [5, 4, 4, 3, 2, 1, 1, 1, 1, 1])
            y = np.repeat(["a", "b"], 5)[of]
        else:
            of, y = np.repeat(np.arange(5), 4), np.tile(["a", "a", "b", "b"], 5)
        X = rng.normal(size=(of.max() + 1, 3))[of] + 0.3 * rng.normal(size=(of.size, 3))
        K = linear(X)
        labels = labelled(K, y, None if what == "alone" else [f"g{k}" for k in of])
        made = classes_differ(K, labels, permutations=19, seed=seed)
        below += [made.p <= 0.1, pairs_differ(K, labels, permutations=19, seed=seed)[0].p <= 0.1]
        spread += made.spread_p <= 0.1
    limit = 0.1 * worlds + 3 * np.sqrt(worlds * 0.09)
    assert (below <= limit).all()
    assert spread <= limit


def test_families_are_one_item_each_and_a_class_of_one_is_left_out_and_named():
    X = points()[0]
    of = np.repeat(np.arange(24), 1 + np.arange(24) % 3)
    repeated = linear(X[of])
    once = linear(X)
    many = classes_differ(repeated, labelled(repeated, THREE[of], [f"g{k:02}" for k in of]), permutations=49)
    few = classes_differ(once, labelled(once, THREE), permutations=49)
    assert (many.share, many.spread_F) == (pytest.approx(few.share), pytest.approx(few.spread_F))
    assert many.counts.tolist() == [8, 8, 8]
    copies = classes_differ(
        repeated, labelled(repeated, THREE[of]), permutations=49
    )  # nobody says what is a copy
    assert copies.share == pytest.approx(few.share)
    y = np.append(THREE[:23], "d")
    left = classes_differ(once, labelled(once, y), permutations=1)
    assert (left.classes, left.left_out) == (("a", "b", "c"), ("d",))
    assert classes_differ(once, labelled(once, np.append(THREE[:23], "")), permutations=1).share == left.share


def test_what_cannot_be_compared_is_refused_in_a_sentence():
    K = linear(points()[0])
    gaps = K.values.copy()
    gaps[2, 5] = gaps[5, 2] = np.nan
    flat = GramMatrix(np.ones((24, 24)), name="flat")
    for kernel, y, said in (
        (GramMatrix(gaps, name="gapped"), THREE, "2 unknown entries in 'gapped'"),
        (flat, THREE, "all alike in 'flat'"),
        (K, ["a"] * 24, "Two classes"),
        (K, ["a"] * 23 + ["b"], "Two classes"),
    ):
        with pytest.raises(InvalidInputError, match=said):
            classes_differ(kernel, labelled(kernel, y))
    with pytest.raises(InvalidInputError, match="other ids"):
        classes_differ(K, Labels(tuple("abcdefghijklmnopqrstuvwx"), THREE))
    # copies are one item: two points are no classes, however often each was brought
    two = GramMatrix(np.kron(np.eye(2), np.ones((6, 6))))
    with pytest.raises(InvalidInputError, match="Two classes"):
        classes_differ(two, labelled(two, np.repeat(["a", "b"], 6)))
