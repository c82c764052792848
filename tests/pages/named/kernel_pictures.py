"""What pages show of one kernel: its spectrum, an eigenvector, a map of its items."""

from __future__ import annotations

import numpy as np

from kernex_core.gram.spectrum import LEAST, kernel_pca
from tests.pages.named.compared import near
from tests.pages.named.drawn import lines_of


def first_of(K):
    """The largest eigenvector; where all of its entries have one sign, the next one, which sets items against others."""
    vectors = np.linalg.eigh(K)[1]
    largest = vectors[:, -1] * np.sign(vectors[:, -1].sum())
    return vectors[:, -2] if largest.min() >= -LEAST else vectors[:, -1]


def eigenvector_file(kernel):
    """File of the eigenvector that is shown first, ids in the order drawn; its sign is free."""

    def compare(seen, label):
        frame, v = seen.frame(label), first_of(kernel(seen))
        at = positions(frame["id"])
        near(np.abs(frame["entry"]), np.abs(v[at]), label)
        near(frame["place"], np.arange(1, len(at) + 1), label)

    return compare


def eigenvector_points(kernel):
    """Points of the same eigenvector: classes are traces of their own."""

    def compare(seen, picture):
        v = first_of(kernel(seen))
        shown = np.sort(np.concatenate([np.abs(np.asarray(trace.y, float)) for trace in picture.figure.data]))
        near(shown, np.sort(np.abs(v)), "eigenvector")

    return compare


def positions(ids):
    """Places of items that are called item0, item1, ..."""
    return np.array([int(str(name).removeprefix("item")) for name in ids])


def spectra(**kernels):
    """Lines of eigenvalues by rank, by name: those above 0."""

    def compare(seen, picture):
        shown = lines_of(picture)
        assert shown.keys() == {name.replace("_", " ") for name in kernels}
        for name, kernel in kernels.items():
            values = np.linalg.eigvalsh(kernel(seen))[::-1]
            rows = shown[name.replace("_", " ")]
            np.testing.assert_allclose(rows[:, 1], values[: len(rows)], rtol=1e-6, atol=1e-9, err_msg=name)
            assert values[len(rows) :].max(initial=0.0) < 1e-6 * values[0], f"{name} has further eigenvalues"

    return compare


def components(kernel):
    """Map of the items by the first two components; signs are free."""

    def compare(seen, picture):
        meant = kernel_pca(kernel(seen), 2).coordinates
        shown = np.vstack(
            [np.column_stack([trace.x, trace.y]).astype(float) for trace in picture.figure.data]
        )
        near(np.sort(np.abs(shown), axis=0), np.sort(np.abs(meant), axis=0), "map")

    return compare
