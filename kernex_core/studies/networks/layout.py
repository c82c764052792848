"""Where the nodes of a network are drawn: every component by itself, the components side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import ArpackError, eigsh

from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.graph import components, degrees
from kernex_core.inputs.networks.network import Network

SMALL = 400
"""Nodes of a component up to which springs alone find places; above it they start from eigenvectors."""
_ITERATIONS, _FEW = 100, 12
_ROWS = 512


@dataclass(frozen=True, eq=False)
class NetworkLayout(ReadOnlyArrays):
    """Places of the nodes.

    Attributes
    ----------
    places : (n, 2) float
        0 to 1 in both directions.
    method : str
        How they were found, in words.
    seed : int
    """

    places: FloatArray
    method: str
    seed: int


def network_layout(network: Network, seed: int = 0) -> NetworkLayout:
    """Find places: springs (Fruchterman and Reingold 1991) in each component, in a large one from two eigenvectors on.

    Parameters
    ----------
    network : Network
    seed : int
        The same seed gives the same places.

    Examples
    --------
    >>> from kernex_core import load_dataset, network_layout
    >>> found = network_layout(load_dataset("karate_club").samples["network"])
    >>> found.places.shape, found.method
    ((34, 2), 'springs, seed 0')
    """
    B = sparse.csr_array(abs(network.adjacency))
    number = components(B)
    sizes = np.bincount(number)
    places = np.zeros((network.n, 2))
    parts = [np.flatnonzero(number == k) for k in np.argsort(-sizes, kind="stable")]
    rng = np.random.default_rng(seed)
    for nodes in parts:
        if nodes.size > 1:
            places[nodes] = _component(sparse.csr_array(B[nodes][:, nodes]), rng)
    _side_by_side(places, parts)
    large = sizes.max() > SMALL
    method = "springs from eigenvectors of the Laplacian on" if large else "springs"
    return NetworkLayout(places, f"{method}, seed {seed}", seed)


def _component(B: sparse.csr_array, rng: np.random.Generator) -> FloatArray:
    """(m, 2) places of one connected component, in the unit square."""
    m = B.shape[0]
    if m == 2:
        return np.array([[0.25, 0.5], [0.75, 0.5]])
    start = rng.uniform(size=(m, 2))
    if m > SMALL:
        start = _spectral(B, rng)
    return _unit(_springs(B, start, _ITERATIONS if m <= SMALL else _FEW))


def _spectral(B: sparse.csr_array, rng: np.random.Generator) -> FloatArray:
    """Ranks of two eigenvectors of the normalised adjacency, behind the first, so that dense parts are not one point."""
    root = sparse.diags_array(1.0 / np.sqrt(degrees(B)))
    try:
        _, vectors = eigsh(
            root @ B @ root, k=3, which="LA", v0=rng.uniform(0.5, 1.5, B.shape[0]), tol=1e-3, maxiter=500
        )
    except ArpackError:  # the eigenvalues lie too close: any start will do
        return rng.uniform(size=(B.shape[0], 2))
    ranks = np.argsort(np.argsort(vectors[:, :2], axis=0), axis=0) / B.shape[0]
    return np.asarray(ranks + rng.uniform(-1e-3, 1e-3, ranks.shape))


def _springs(B: sparse.csr_array, places: FloatArray, iterations: int) -> FloatArray:
    """Nodes repel one another by k²/d; edges pull by d²/k; steps grow shorter."""
    n = B.shape[0]
    pull = sparse.csr_array(
        (np.ones(B.nnz), B.indices, B.indptr), shape=B.shape
    )  # weights draw widths, not places
    k, step = 1.0 / np.sqrt(n), 0.1
    at = places.copy()
    entries = pull.tocoo()
    i, j = entries.coords
    for _ in range(iterations):
        force = _repulsion(at, k)
        along = at[i] - at[j]
        strength = np.hypot(along[:, 0], along[:, 1]) / k
        for axis in (0, 1):
            force[:, axis] -= np.bincount(i, along[:, axis] * strength, minlength=n)
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        at += force / length[:, None] * np.minimum(length, step)[:, None]
        step -= 0.1 / (iterations + 1)
    return at


def _repulsion(at: FloatArray, k: float) -> FloatArray:
    """(n, 2) Σ_j k² (x_i − x_j) / |x_i − x_j|², by products of matrices: Σ w = row sums, Σ w x = a product."""
    n = at.shape[0]
    force = np.empty((n, 2))
    square = (at**2).sum(axis=1)
    for begin in range(0, n, _ROWS):
        own = at[begin : begin + _ROWS]
        d = square[begin : begin + _ROWS, None] + square[None, :] - 2.0 * (own @ at.T)
        np.maximum(d, 1e-6, out=d)
        np.divide(k * k, d, out=d)
        force[begin : begin + _ROWS] = own * d.sum(axis=1)[:, None] - d @ at
    return force


def _unit(places: FloatArray) -> FloatArray:
    """Places moved into the unit square, both directions alike."""
    low, high = places.min(axis=0), places.max(axis=0)
    span = float((high - low).max()) or 1.0
    return np.asarray((places - (low + high) / 2.0) / span + 0.5)


def _side_by_side(places: FloatArray, parts: list[IntArray]) -> None:
    """Put components on shelves, in place, each in a square whose area is that of its nodes; the largest first."""
    sides = np.array([np.sqrt(nodes.size) for nodes in parts])
    if len(parts) == 1:
        return
    width = max(float(sides[0]), float(np.sqrt((sides**2).sum()) * 1.1))
    x = y = shelf = 0.0
    for nodes, side in zip(parts, sides.tolist(), strict=True):
        if x > 0.0 and x + side > width * 1.001:
            x, y, shelf = 0.0, y + shelf, 0.0
        inside = places[nodes] if nodes.size > 1 else np.full((1, 2), 0.5)
        places[nodes] = np.array([x, y]) + side * (0.05 + 0.9 * inside)
        x, shelf = x + side, max(shelf, side)
    places[:] = _unit(places)
