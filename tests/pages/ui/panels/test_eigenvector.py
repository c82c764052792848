"""The panel of one eigenvector."""

import math
from decimal import Decimal

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.spectrum import decompose, eigenvector
from kernex_core.inputs.dataset import DataSet
from pages.server.digits import number
from pages.ui.figures.chart import Items
from pages.ui.panels.inspection import MOST, both, eigenvector_picture, said, table, thin


def entries_by_item(figure, n):
    """Entry and place that are drawn for each item."""
    made = np.full((n, 2), np.nan)
    for trace in figure.data:
        if trace.customdata is not None:
            made[list(trace.customdata)] = np.column_stack((trace.x, trace.y))
    return made


def test_entries_stand_in_the_order_of_the_matrix_and_unknown_items_are_left_out(rng):
    A = rng.normal(size=(5, 5))
    K = A + A.T
    found = eigenvector(decompose(K), K, 5)
    items = Items(list("abcdef"), ["x", "y", "x", "y", None, "x"], [5, 3, 1, 0, 2, 4])
    known = np.array([0, 1, 2, 3, 5])  # e is not
    made = entries_by_item(eigenvector_picture(found, items, known).figure, 6)
    v = np.linalg.eigh(K)[1][:, 0]
    np.testing.assert_allclose(made[known, 1], v * np.sign(v @ found.entries), atol=1e-12)
    assert made[:, 0].tolist()[:4] == [4.0, 3.0, 5.0, 2.0]
    assert np.isnan(made[4]).all()
    rows = table(found, items, known)
    assert rows["id"].tolist() == list("fdbace")
    np.testing.assert_array_equal(rows["entry"].to_numpy()[:5], made[[5, 3, 1, 0, 2], 1])


@pytest.mark.parametrize("n", [MOST, MOST + 1, 3 * MOST + 7])
def test_of_many_items_the_largest_entry_among_neighbours_is_drawn(rng, n):
    place, entries = rng.permutation(n) + 1.0, rng.normal(size=n)
    points = np.column_stack((place, entries))
    step = thin(points, [5])
    drawn = np.isfinite(points[:, 0])
    assert step == -(-n // MOST)
    assert drawn[5]
    assert drawn.sum() <= MOST + 1
    by_place = np.abs(entries[np.argsort(place)])
    wanted = {float(by_place[at : at + step].max()) for at in range(0, n, step)}
    assert wanted <= set(np.abs(points[drawn, 1]).tolist())


def test_what_is_rounding_beside_the_other_sum_is_written_as_nothing(rng):
    K = 1e5 * np.ones((6, 6)) + 1e-9 * np.diag(np.arange(6.0))
    found = eigenvector(decompose(K), K, 1)
    assert both(found) == (number(found.within), "0")


@pytest.mark.parametrize("scale", [1e-3, 0.7, 13.0, 1.4e3, 2.3e4, 1e6])
def test_the_sums_differ_by_the_eigenvalue_as_it_is_written(rng, scale):
    A = rng.normal(size=(9, 9))
    K = scale * (A + A.T)
    for rank in (1, 2, 8, 9):
        found = eigenvector(decompose(K), K, rank)
        within, across, value = (
            Decimal(text.replace("−", "-").replace(",", ""))
            for text in (*both(found), number(found.eigenvalue))
        )
        assert within - across == value
        assert abs(float(within) - found.within) <= 1.01 * 10.0 ** (
            math.floor(math.log10(abs(found.eigenvalue))) - 2
        )


def test_it_says_which_items_are_set_against_which():
    K = np.array([[1.0, 0.2, 2.0], [0.2, 1.0, 0.1], [2.0, 0.1, 1.0]])
    made = decompose(K)
    words = said(eigenvector(made, K, 3), ["one", "two", "three"], negative=True)
    assert "**one** (above 0) against **three**, **two** (below 0)" in words
    assert "sum to 2.01, within them (each item with itself, too) to 1.01" in words
    assert "no inner product allows" in words
    assert "no items against others" in said(eigenvector(made, K, 1), ["one", "two", "three"], negative=False)
    assert "say nothing" in said(
        eigenvector(decompose(np.eye(3)), np.eye(3), 1), ["a", "b", "c"], negative=False
    )


@pytest.mark.parametrize("where", ["kernels/kernels.py", "kernels/power/power.py"])
def test_it_begins_with_the_most_negative_eigenvalue_and_any_rank_can_be_asked_for(
    open_page_test, open_tabs, rng, where
):
    A = rng.normal(size=(12, 12))
    K = A + A.T + 4.0 * np.eye(12)
    K[3], K[:, 3] = np.nan, np.nan
    ids = tuple(f"i{k}" for k in range(12))
    at = open_page_test(where, DataSet("two", ids, kernels={"noisy": GramMatrix(K, ids, "noisy")}))
    (box,) = [each for each in at.number_input if each.label == "Rank"]
    assert box.value == 11
    values = np.linalg.eigvalsh(np.delete(np.delete(K, 3, 0), 3, 1))
    unit = 1.0 if where == "kernels/kernels.py" else np.nanmean(np.diag(K))
    assert any(f"no. 11 of 11, eigenvalue {number(values[0] / unit)}" in each.value for each in at.markdown)
    box.set_value(2).run()
    assert not at.exception
    assert any(f"no. 2 of 11, eigenvalue {number(values[-2] / unit)}" in each.value for each in at.markdown)


def test_of_a_kernel_whose_largest_eigenvector_has_one_sign_the_second_is_shown(
    open_page_test, open_tabs, rng
):
    X = rng.uniform(0.5, 1.0, size=(12, 3))
    ids = tuple(f"i{k}" for k in range(12))
    at = open_page_test(
        "kernels/kernels.py", DataSet("one", ids, kernels={"K": GramMatrix(X @ X.T, ids, "K")})
    )
    (box,) = [each for each in at.number_input if each.label == "Rank"]
    assert box.value == 2
