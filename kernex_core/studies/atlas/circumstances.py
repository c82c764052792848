"""Circumstances of an atlas: nobody sets them, and settings are compared at each. What if half the labels were known?

Every circumstance is drawn once from the seed, and a smaller one is a part of a larger: a row differs from the next by what
was added, and by nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import check_range
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.atlas.axes import Axis, Value

LABEL_SHARES: Final = (0.25, 0.4, 0.55, 0.7, 0.85, 1.0)
NOISES: Final = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)
EDGE_SHARES: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)
MOST_CLASSES: Final = 12
"""So many classes are left out in turn: the largest."""
_THINNING, _NOISE, _EDGES = 1, 2, 3


def label_axis(labels: Labels, folds: int) -> Axis:
    """How many labels are known: a learning curve, of which nothing is set on a page.

    Parameters
    ----------
    labels : Labels
        Of shares that leave the same labels, as all do where classes are as small as there are folds, the largest stays.
    folds : int
        So many of each class stay known, see `thinned`.
    """
    least = fewest_known(folds)
    counts = [count for _, count in labels.classes]
    left = {tuple(_kept(share, count, least) for count in counts): share for share in LABEL_SHARES}
    return Axis(
        "labels", "Labels that are known", tuple(left.values()), noun="of the labels", is_choice=False
    )


def class_axis(labels: Labels) -> dict[str, Axis]:
    """Which class is left out, by name; none of labels of two classes, of which one is no problem any more."""
    names = [name for name, _ in labels.classes[:MOST_CLASSES]]
    if len(labels.classes) < 3:
        return {}
    axis = Axis(
        "without",
        "Class left out",
        ("", *names),
        noun="left out",
        names=("no class", *names),
        is_choice=False,
    )
    return {axis.name: axis}


def noise_axis(of: str) -> Axis:
    """How much noise is added to every similarity, see `disturbed`."""
    return Axis("noise", f"Noise added to the {of}", NOISES, noun="noise", is_choice=False)


def edge_axis() -> Axis:
    """Which share of the edges is missing, see `with_fewer_edges`."""
    return Axis("edges", "Edges that are missing", EDGE_SHARES, noun="of the edges missing", is_choice=False)


def judged_at(
    down: Axis, value: Value, labels: Labels, validation: CrossValidation
) -> tuple[Labels, CrossValidation]:
    """Labels and protocol of a row, where the second parameter is one of those that every study has."""
    if isinstance(value, float | int):
        if down.name == "C":
            validation = replace(validation, C=float(value))
        elif down.name == "labels":
            least = fewest_known(validation.folds)
            labels = thinned(labels, float(value), seed=validation.seed, least=least)
    elif down.name == "without" and value:
        labels = without_class(labels, value)
    return labels, validation


def fewest_known(folds: int) -> int:
    """Labels of a class that stay known however few are asked for: one a fold."""
    return max(folds, 2)


def _kept(share: float, count: int, least: int) -> int:
    return max(round(share * count), min(least, count))


def thinned(labels: Labels, share: float, *, seed: int, least: int = 2) -> Labels:
    """Labels of which a share is known: that share of each class, drawn once, so that a smaller one is a part of a larger.

    Parameters
    ----------
    labels : Labels
    share : float
        0 to 1.
    seed : int
    least : int
        So many of each class stay, where it has them: fewer cannot be divided.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Labels
    >>> from kernex_core.studies.atlas.circumstances import thinned
    >>> labels = Labels(tuple("abcdefgh"), np.repeat(["x", "y"], 4))
    >>> [int(thinned(labels, share, seed=0).labelled.sum()) for share in (0.25, 0.75, 1.0)]
    [4, 6, 8]
    """
    share = check_range("The share of labels", share, 0.0, 1.0)
    if len(labels.classes) < 2:
        raise InvalidInputError("Labels of at least two classes are needed", f"{len(labels.classes)} classes")
    rng = np.random.default_rng(np.random.SeedSequence([seed, 0, _THINNING]))
    y = labels.y.copy()
    for name in sorted(name for name, _ in labels.classes):
        at = rng.permutation(np.flatnonzero(labels.y == name))
        y[at[_kept(share, at.size, least) :]] = ""
    return Labels(labels.ids, y, labels.groups, copies=labels.copies)


def without_class(labels: Labels, name: str) -> Labels:
    """Labels in which nobody of that class has one: the others are told apart as if it had never been seen.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Labels
    >>> from kernex_core.studies.atlas.circumstances import without_class
    >>> without_class(Labels(("a", "b", "c"), np.array(["x", "y", "z"])), "y").classes
    (('x', 1), ('z', 1))
    """
    if name not in dict(labels.classes):
        raise InvalidInputError("A class of the labels is left out", repr(name))
    return Labels(labels.ids, np.where(labels.y == name, "", labels.y), labels.groups, copies=labels.copies)


def disturbed(K: GramMatrix, share: float, *, seed: int) -> GramMatrix:
    """Similarities with Gaussian noise on every pair of two items, whose deviation is a share of theirs.

    K + share · s · E, where E is symmetric, standard normal off its diagonal and 0 on it, and s the standard deviation of
    the similarities of different items that are known. The sum need not be a kernel.

    Parameters
    ----------
    K : (n, n) GramMatrix
        What is unknown stays so.
    share : float
        At least 0.
    seed : int

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix
    >>> from kernex_core.studies.atlas.circumstances import disturbed
    >>> noisy = disturbed(GramMatrix([[3.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 3.0]]), 0.5, seed=0)
    >>> noisy.values.diagonal().tolist(), bool(noisy.values[0, 1] == noisy.values[1, 0])
    ([3.0, 3.0, 3.0], True)
    """
    share = check_range("The share of noise", share, 0.0, 100.0)
    if share == 0.0:
        return K
    rng = np.random.default_rng(np.random.SeedSequence([seed, 0, _NOISE]))
    upper = np.triu_indices(K.n, 1)
    E = np.zeros((K.n, K.n))
    E[upper] = rng.standard_normal(upper[0].size)
    E += E.T
    known = K.values[upper]
    return GramMatrix(K.values + share * float(np.nanstd(known)) * E, K.ids, K.name, seen=K.has_seen())


def with_fewer_edges(network: Network, share: float, *, seed: int) -> Network:
    """A network of which a share of the edges is missing, whatever their weights; its nodes stay.

    Parameters
    ----------
    network : Network
    share : float
        0 to 1.
    seed : int

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.atlas.circumstances import with_fewer_edges
    >>> network = load_dataset("karate_club").samples["network"]
    >>> network.n_edges, with_fewer_edges(network, 0.5, seed=0).n_edges
    (78, 39)
    """
    share = check_range("The share of edges", share, 0.0, 1.0)
    upper = sparse.triu(network.adjacency, 1).tocoo()
    rng = np.random.default_rng(np.random.SeedSequence([seed, 0, _EDGES]))
    kept = rng.permutation(upper.nnz)[round(share * upper.nnz) :]
    part = (upper.data[kept], (upper.row[kept], upper.col[kept]))
    half = sparse.csr_array(part, shape=network.adjacency.shape)
    return replace(network, adjacency=sparse.csr_array(half + half.T), recipe=None)
