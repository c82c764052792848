"""What stands in a square of numbers: triangles of zeros, numbers that mean "too far", and sparse files."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import read_samples
from kernex_core.base.errors import InvalidInputError


@given(st.integers(2, 7), st.floats(1e-6, 1e6), st.booleans(), st.integers(0, 2**32 - 1))
def test_a_triangle_of_nearly_zeros_is_mirrored(n, scale, lower, seed):
    rng = np.random.default_rng(seed)
    K = rng.uniform(0.1, 1.0, (n, n)) * scale
    K = np.tril(K, -1) + np.tril(K, -1).T + np.eye(n) * scale
    written = np.tril(K) if lower else np.triu(K)
    noise = rng.choice([0.0, 1e-17, -1e-16], (n, n)) * scale
    written = np.where(written == 0.0, noise, written)
    stream = io.BytesIO()
    np.save(stream, written)
    found = read_samples(stream.getvalue(), "k.npy")
    np.testing.assert_array_equal(found.gram.values, K)
    assert any("mirrored" in note.action for note in found.notes)


@pytest.mark.parametrize("far", ["9999", "999", "99999"])
def test_distances_far_beyond_all_others_are_told(far):
    text = f",a,b,c\na,0,2,{far}\nb,2,0,4\nc,{far},4,0\n".encode()
    for options in ({}, {"meaning": "distance"}):
        found = read_samples(text, "d.csv", **options)
        assert any(far in note.text and "at most 4" in note.text for note in found.notes)
    near = read_samples(f",a,b,c\na,0,900,{far}\nb,900,0,{far}\nc,{far},{far},0\n".encode(), "d.csv")
    assert any("at most 900" in note.text for note in near.notes) == (float(far) > 9000)


def market(entries, n=3, symmetry="symmetric"):
    lines = "".join(f"{i} {j} {v}\n" for i, j, v in entries)
    return f"%%MatrixMarket matrix coordinate real {symmetry}\n{n} {n} {len(entries)}\n{lines}".encode()


OWN = [(1, 1, 1), (2, 2, 1), (3, 3, 1)]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (market([*OWN, (2, 1, 0.5), (3, 1, 0.7), (3, 2, 0.9)]), "similarity"),
        (market([*OWN, (3, 1, 0.7)]), "similarity"),
        (market([*OWN, (2, 1, -0.2)]), "similarity"),
        (market([*OWN[:2], (2, 1, -0.2)]), "similarity"),
        (market([*OWN, *((i, j, 0.5) for i in (1, 2, 3) for j in (1, 2, 3) if i != j)], symmetry="general"), "similarity"),
        (market([(2, 1, 0.5), (3, 1, 0.7)]), "network"),
        (market([(1, 1, 1), (2, 1, 0.5), (3, 1, 0.7)]), "network"),
        (market([(2, 1, -0.5), (3, 1, 0.7)]), "network"),
    ],
)  # fmt: skip
def test_a_sparse_file_with_a_whole_diagonal_holds_similarities(data, kind):
    found = read_samples(data, "m.mtx")
    assert found.kind == kind
    other = {"similarity": "network", "network": "similarity"}[kind]
    near = (
        {"meaning": "similarity"} if other == "similarity" else {}
    )  # zeros that are not listed tell nothing
    for made in (found, read_samples(data, "m.mtx", other, **near)):
        assert any("similarities or a network" in note.text and note.choice for note in made.notes)
    if kind == "similarity":
        np.testing.assert_array_equal(np.diag(found.gram.values)[:2], [1, 1])


def test_arrays_that_are_not_square_are_all_named():
    stream = io.BytesIO()
    np.savez(stream, train=np.ones((3, 4)), test=np.zeros((2, 4)))
    with pytest.raises(InvalidInputError, match=r"(?s)train \(3 × 4\), test \(2 × 4\)"):
        read_samples(stream.getvalue(), "v.npz", "similarity")
    for kind in (None, "vectors"):  # rows of an array are vectors
        vectors = read_samples(stream.getvalue(), "v.npz", kind)
        assert vectors.X.shape == (3, 4)
        assert any("test" in note.text and "train is taken" in note.action for note in vectors.notes)
