"""Sparse rows: the same similarities as with every zero written, and what cannot be is refused in a sentence."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import pairwise_distances

from kernex_core import (
    Cosine,
    Gaussian,
    InvalidInputError,
    Laplace,
    Linear,
    Matern,
    Minimum,
    Polynomial,
    RationalQuadratic,
    SparseVectors,
    Tanimoto,
    TooLargeError,
    Vectors,
    kernels_for,
)
from kernex_core.base import sparse_rows
from kernex_core.base.sparse_rows import MOST_COLUMNS, as_sparse_rows
from kernex_core.gram.provenance import write_script
from kernex_core.kernels.vectors import vector_kernel
from kernex_core.kernels.vectors.distance import median_distance
from tests.oracles import vector_kernels as oracle

KERNELS = [
    Linear(), Polynomial(), Polynomial(degree=2, constant=0.0), Gaussian(), Gaussian(sigma=0.3), Cosine(), Tanimoto(),
    Matern(), RationalQuadratic(),
]  # fmt: skip
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)


def rows(rng, kernel, n=12, d=40):
    """Few entries; a row of zeros, two that are the same, and two that nearly are."""
    X = np.where(rng.random((n, d)) < 0.1, rng.normal(size=(n, d)), 0.0)
    X[:, 0] = 1.0
    X[3], X[5] = 0.0, X[1]
    X[6] = X[2]
    X[6, 0] += 1e-6
    return (X > 0.0).astype(float) if isinstance(kernel, Tanimoto) else X


def test_all_kernels_that_take_sparse_rows_are_tried():
    assert {type(kernel) for kernel in KERNELS} == {
        kind for kind in kernels_for("vectors") if kind.takes_sparse
    }


@every_kernel
def test_sparse_equals_dense(kernel, rng):
    X = rows(rng, kernel)
    found = kernel.gram(sparse.csr_array(X))
    assert found == pytest.approx(kernel.gram(X), rel=1e-12, abs=1e-12)
    assert np.array_equal(found, found.T)


@every_kernel
def test_crosses_of_sparse_and_dense_rows_are_blocks_of_the_whole(kernel, rng):
    X = rows(rng, kernel)
    fixed = kernel.resolved(X)
    K, S = fixed.gram(X), sparse.csr_array(X)
    for A, B in ((S[:5], S[5:]), (X[:5], S[5:]), (S[:5], X[5:])):
        assert fixed.cross(A, B) == pytest.approx(K[:5, 5:], rel=1e-12, abs=1e-12)
        assert kernel.cross(A, B) == pytest.approx(K[:5, 5:], rel=1e-12, abs=1e-12)
    for item in range(len(X)):
        assert fixed.cross(S[[item]], S)[0] == pytest.approx(K[item], rel=1e-12, abs=1e-12)


@every_kernel
def test_blocks_of_sparse_rows_make_no_difference(kernel, rng, monkeypatch):
    X = sparse.csr_array(rows(rng, kernel))
    whole = kernel.gram(X)
    monkeypatch.setattr(vector_kernel, "SPARSE_BLOCK_ENTRIES", 2 * X.shape[0])
    seen = []
    assert np.array_equal(kernel.gram(X, progress=seen.append), whole)
    assert len(seen) == 6
    assert seen == sorted(seen)


@every_kernel
def test_columns_without_an_entry_make_no_difference(kernel, rng):
    X = rows(rng, kernel)
    wide = sparse.csr_array(X)
    wide = sparse.csr_array(
        (wide.data, wide.indices * 200_000, wide.indptr), shape=(len(X), 200_000 * X.shape[1])
    )
    assert kernel.gram(wide) == pytest.approx(kernel.gram(X), rel=1e-12, abs=1e-12)


@every_kernel
def test_what_is_given_stays_as_it_was(kernel):
    untidy = sparse.csr_array(
        (np.array([0.5, 0.5, 1.0, 1.0]), np.array([1, 1, 3, 0]), np.array([0, 2, 4])), shape=(2, 5)
    )  # neither rising nor listed once
    before = [part.copy() for part in (untidy.data, untidy.indices, untidy.indptr)]
    kernel.gram(untidy)
    for part, was in zip((untidy.data, untidy.indices, untidy.indptr), before, strict=True):
        assert np.array_equal(part, was)


@every_kernel
def test_what_is_seen_and_the_script_are_those_of_dense_rows(kernel, rng):
    X = rows(rng, kernel)
    ids = tuple(f"i{k}" for k in range(len(X)))
    made = kernel.similarities(SparseVectors(ids, sparse.csr_array(X)), name="K")
    assert made.has_seen() == kernel.similarities(Vectors(ids, X)).has_seen()
    names = {}
    exec(compile(write_script([made.recipe], heading="Made by a test"), "script", "exec"), names)
    assert np.array_equal(names["k"].values, made.values)


@every_kernel
def test_remarks_and_estimates_are_those_of_the_rows(kernel, rng):
    X = rows(rng, kernel)
    S = sparse.csr_array(X)
    assert kernel.resolved(X).remarks(S) == kernel.resolved(X).remarks(X)
    assert 0.0 < kernel.estimate_seconds(S) < 1.0
    more = sparse.csr_array(np.vstack([X, X]))
    assert kernel.estimate_seconds(more) > kernel.estimate_seconds(S)


def test_a_set_of_the_shape_of_dorothea_is_quick_by_its_estimate():
    rng = np.random.default_rng(0)
    X = sparse.random_array((800, 100_000), density=0.01, rng=rng, format="csr")
    assert Linear().estimate_seconds(X) < 0.5
    assert Gaussian().estimate_seconds(X) < 1.0


def test_the_width_of_sparse_rows_is_the_median_distance(rng):
    X = rows(rng, None)
    assert median_distance(as_sparse_rows(X)) == pytest.approx(oracle.median_distance(X), rel=1e-12)
    assert median_distance(sparse.csr_array(np.ones((3, 2)))) == 1.0


@pytest.mark.parametrize("scale", [1e-180, 1e180])
def test_extreme_scales(scale, rng):
    X = rows(rng, None)
    assert Gaussian(sigma=scale).gram(sparse.csr_array(X * scale)) == pytest.approx(
        Gaussian(sigma=1.0).gram(X), rel=1e-9
    )
    assert Cosine().gram(sparse.csr_array(X * scale)) == pytest.approx(Cosine().gram(X), rel=1e-12, abs=1e-12)


def test_rows_that_are_the_same_are_no_work():
    tracemalloc.start()
    K = Gaussian(sigma=1.0).gram(sparse.csr_array(np.ones((300, 1_000))))
    assert tracemalloc.get_traced_memory()[1] < 40_000_000  # their 45,000 differences would take more
    tracemalloc.stop()
    assert np.array_equal(K, np.ones((300, 300)))


def test_differences_are_taken_in_parts(rng, monkeypatch):
    X = 1e6 + rng.random((9, 5))
    whole = Gaussian(sigma=0.5).gram(sparse.csr_array(X))
    monkeypatch.setattr(sparse_rows, "_DIFFERENCES", 12)
    assert np.array_equal(Gaussian(sigma=0.5).gram(sparse.csr_array(X)), whole)
    assert whole == pytest.approx(Gaussian(sigma=0.5).gram(X), rel=1e-6)


def test_rows_that_are_far_out_and_near_each_other_keep_their_distance():
    X = np.array([[1e6, 0.0, 1e6], [1e6, 1e-3, 1e6], [1e6, 0.0, 1e6 + 1e-3]])
    assert Gaussian(sigma=1e-3).gram(sparse.csr_array(X)) == pytest.approx(
        Gaussian(sigma=1e-3).gram(X), rel=1e-9
    )


def test_other_kernels_take_rows_that_can_be_written_out(rng):
    X = np.abs(rows(rng, None))
    for kernel in (Laplace(), Minimum()):
        assert np.array_equal(kernel.gram(sparse.csr_array(X)), kernel.gram(X))
        assert np.array_equal(kernel.cross(sparse.csr_array(X), X), kernel.cross(X, X))


def test_other_kernels_refuse_what_is_too_much_to_write_out():
    X = sparse.csr_array((np.ones(2), np.array([7, 9_000_000]), np.array([0, 1, 2])), shape=(2, 9_000_001))
    with pytest.raises(
        TooLargeError, match=r"The Laplace kernel needs .* 2 sparse rows of 9,000,001 columns.*Tanimoto"
    ):
        Laplace().gram(X)
    assert Tanimoto().gram(X).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=2, max_size=8))
def test_tanimoto_is_the_coefficient_of_jaccard(bits):
    X = np.array(bits, dtype=float)
    expected = np.array(oracle.gram(oracle.tanimoto, X))
    peer = 1.0 - pairwise_distances(X.astype(bool), metric="jaccard")
    for found in (Tanimoto().gram(X), Tanimoto().gram(sparse.csr_array(X))):
        assert found == pytest.approx(expected, rel=1e-15)
        assert found == pytest.approx(peer, rel=1e-12)
        assert np.linalg.eigvalsh(found).min() > -1e-12


@pytest.mark.parametrize("made", [np.array, sparse.csr_array], ids=["dense", "sparse"])
def test_tanimoto_refuses_what_is_no_bit_by_row_column_and_id(made):
    X = made([[0.0, 1.0, 1.0], [1.0, 2.0, 0.5]])
    with pytest.raises(InvalidInputError, match=r"0 or 1.*2 in row 2, column 2 \(2 such"):
        Tanimoto().gram(X)
    with pytest.raises(InvalidInputError, match=r"2 in row 'b', column 2"):
        Tanimoto().check(X, ("a", "b"))


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (sparse.csr_array([[0.0, np.nan], [1.0, 0.0]]), "unknown entry in row 1, column 2"),
        (sparse.csr_array([[0.0, 1.0], [-np.inf, 0.0]]), "infinite entry in row 2, column 1"),
        (sparse.csr_array([[0.0, 1j]]), "complex"),
        (sparse.csr_array((0, 3)), "rows and columns"),
        (sparse.coo_array(np.ones(3)), "rows and columns"),
    ],
)
def test_what_is_no_sparse_table_of_numbers_is_refused(X, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        Linear().gram(X)


def test_too_many_columns_or_entries_are_refused(monkeypatch):
    with pytest.raises(TooLargeError, match="columns"):
        as_sparse_rows(sparse.csr_array((2, MOST_COLUMNS + 1)))
    monkeypatch.setattr(sparse_rows, "MOST_ENTRIES", 3)
    with pytest.raises(TooLargeError, match="4 entries"):
        as_sparse_rows(sparse.csr_array(np.ones((2, 2))))


def test_different_columns_are_refused():
    with pytest.raises(InvalidInputError, match="3 and 2 columns"):
        Linear().cross(sparse.csr_array(np.ones((2, 3))), np.ones((2, 2)))


# As named samples.


def made(X=((0.0, 2.0, 0.0), (1.0, 3.0, 0.0), (0.0, 0.0, 0.0))):
    return SparseVectors(("a", "b", "c"), sparse.csr_array(np.array(X)))


def test_samples_are_in_one_form_equal_by_content_and_read_only():
    untidy = sparse.csr_array(
        (np.array([1.0, 1.0, 3.0, 0.0, 1.0]), np.array([1, 1, 1, 2, 0]), np.array([0, 2, 5, 5])), shape=(3, 3)
    )
    one, other = made(), SparseVectors(("a", "b", "c"), untidy)
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    assert other.X.nnz == 3
    assert one.share == 3 / 9
    assert untidy.nnz == 5
    assert one != made([[0.0, 2.0, 0.0], [1.0, 3.5, 0.0], [0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="read-only"):
        one.X.data[0] = 7.0


def test_samples_are_taken_and_compared_by_id():
    part = made().take([2, 1])
    assert part.ids == ("c", "b")
    assert part.X.toarray().tolist() == [[0.0, 0.0, 0.0], [1.0, 3.0, 0.0]]
    assert Linear().similarities(made()).values.tolist() == [[4, 6, 0], [6, 10, 0], [0, 0, 0]]
    with pytest.raises(InvalidInputError, match="row 'a', column 2"):
        Tanimoto().similarities(made())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SparseVectors(("a",), sparse.csr_array(np.ones((2, 2)))),
        lambda: SparseVectors(("a", "a"), sparse.csr_array(np.ones((2, 2)))),
        lambda: SparseVectors(("a", "b"), sparse.csr_array(np.ones((2, 2))), ("x",)),
        lambda: SparseVectors(("a", "b"), sparse.csr_array([[1.0], [np.nan]])),
    ],
)
def test_samples_that_do_not_fit_together_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        wrong()
