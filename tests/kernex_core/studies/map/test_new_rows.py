"""Sparse vectors as new items: of vectors, and of a kernel that was computed from vectors."""

import io

import numpy as np
import pytest
from scipy import io as files
from scipy import sparse

from kernex_core import Cosine, Gaussian, InvalidInputError, SparseVectors, Tanimoto, read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.new_items import KnownVectors, lists_vectors, new_vectors_of, read_new_vectors
from kernex_core.inputs.upload import open_upload
from kernex_core.studies.map.new_rows import rows_by_kernel, vectors_behind

N, M, D = 9, 4, 30


@pytest.fixture
def X(rng):
    made = (rng.random((N + M, D)) < 0.2).astype(float)
    made[:, 3], made[0, 0] = 1.0, 1.0  # nobody is without any
    made[N:, [0, D - 1]] = 0.0  # what only the known items have
    made[1, D - 1] = 1.0
    return made


def svmlight(X, first):
    return "\n".join(
        "1 " + " ".join(f"{j + first}:{row[j]:g}" for j in np.flatnonzero(row)) for row in X
    ).encode()


def market(X):
    out = io.BytesIO()
    files.mmwrite(out, sparse.coo_array(X))
    return out.getvalue()


def npz(X):
    out = io.BytesIO()
    sparse.save_npz(out, sparse.csr_matrix(X))
    return out.getvalue()


FILES = {
    "x.svm": lambda X: svmlight(X, 1),
    "zero.svm": lambda X: svmlight(X, 0),
    "x.mtx": market,
    "x.npz": npz,
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("zeros", ["left out", "written"])
@pytest.mark.parametrize("kernel", [Tanimoto(), Gaussian(), Cosine()], ids=lambda each: each.title)
def test_new_rows_are_those_of_the_matrix_of_all(X, name, zeros, kernel):
    known = read_samples(FILES[name](X[:N]), name, kind="vectors", zeros=zeros)
    new = read_new_vectors(FILES[name](X[N:]), name, known)
    assert isinstance(new, type(known))
    assert len(set(new.ids) | set(known.ids)) == N + M
    K = kernel.similarities(known).then(CosineNormalize())
    assert vectors_behind(K, [known]) is known
    rows = rows_by_kernel(K, known, new)
    everything = SparseVectors(tuple(map(str, range(N + M))), sparse.csr_array(X))
    whole = kernel.of(known).similarities(everything).then(CosineNormalize()).values
    np.testing.assert_allclose(rows.cross, whole[N:, :N], atol=1e-12)
    np.testing.assert_allclose(rows.own, np.diag(whole)[N:], atol=1e-12)


@pytest.mark.parametrize("name", FILES)
def test_one_new_item_is_enough(X, name):
    known = read_samples(FILES[name](X[:N]), name, kind="vectors", zeros="left out")
    new = read_new_vectors(FILES[name](X[N : N + 1]), name, known)
    np.testing.assert_array_equal(new.X.toarray(), X[N : N + 1])


def test_another_number_of_features_is_refused(X):
    known = KnownVectors.of(read_samples(market(X[:N]), "x.mtx", kind="vectors"))
    for data, name in ((market(X[N:, :-1]), "x.mtx"), (svmlight(np.eye(3, D + 1)[:, ::-1], 1), "x.svm")):
        with pytest.raises(InvalidInputError):
            new_vectors_of(data, name, known)


def test_similarities_are_no_vectors(X):
    """Also where an array of them is sparse: it has a column for each item."""
    assert not lists_vectors(open_upload(npz(X[N:] @ X[:N].T), "x.npz"), D)
    assert lists_vectors(open_upload(npz(X[N:]), "x.npz"), D)


def test_a_matrix_that_was_brought_has_no_vectors_behind_it(X):
    known = read_samples(market(X[:N]), "x.mtx", kind="vectors")
    brought = type(K := Cosine().similarities(known))(K.values, K.ids, "K")
    assert vectors_behind(brought, [known]) is None
    assert vectors_behind(K, [known.take(np.arange(5))]) is None
