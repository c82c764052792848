"""Maps beside scikit-learn's: a move of k and of the held-out share, and a map of thousands of items.

Times are processor times of one thread; what is compared was measured in the same run, and is the same map: the largest
difference of coordinates is printed beside it. Kernex makes two maps (of the kept items and of all), places the held-out
items by every way and measures both; scikit-learn fits one and places them one way.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from sklearn.datasets import make_swiss_roll
from sklearn.decomposition import PCA, KernelPCA
from sklearn.manifold import LocallyLinearEmbedding, trustworthiness

from kernex_core import GramMatrix, MapConfig, Vectors, prepare_map, view_map
from kernex_core.base.frozen import FloatArray
from kernex_core.studies.map.study import PreparedMap

T = TypeVar("T")
GOALS = {206: 100.0, 1_000: 1_000.0}
"""Milliseconds of a move, by the number of items."""
NEIGHBORS, SHARES = (6, 7, 9, 12, 20), (0.1, 0.3, 0.4, 0.5, 0.6)
LARGE = (2_000, 5_000)
SMALL = {"GOALS": {40: 100.0}, "NEIGHBORS": (6,), "SHARES": (0.3,), "LARGE": (60,)}
"""What a test sets them to."""


def timed(work: Callable[[], T]) -> tuple[T, float]:
    begin = time.process_time()
    made = work()
    return made, time.process_time() - begin


def points(n: int) -> FloatArray:
    X, _ = make_swiss_roll(n, noise=0.05, random_state=0)
    return np.asarray(X)


def largest_difference(made: PreparedMap, theirs: FloatArray) -> float:
    """Of two coordinates of the kept items, up to sign."""
    ours = made.made.coordinates[:, :2]
    return float(np.abs(ours * np.sign((ours * theirs).sum(axis=0)) - theirs).max() / np.abs(theirs).max())


def a_move(n: int, method: str, what: str, configs: list[MapConfig]) -> None:
    """Medians over the places a slider is moved to."""
    X = points(n)
    source = Vectors(tuple(map(str, range(n))), X)
    ours, theirs, apart = [], [], 0.0
    for config in configs:
        (made, _), used = timed(partial(_shown, config, source))
        fit, other = timed(partial(_theirs, config, X, made))
        ours.append(used)
        theirs.append(other)
        apart = max(apart, largest_difference(made, fit))
    own, sk = 1e3 * float(np.median(ours)), 1e3 * float(np.median(theirs))
    print(
        f"n = {n:,}, {method}, {what}: {own:.0f} ms (goal: below {GOALS[n]:.0f}); scikit-learn {sk:.0f} ms; "
        f"largest difference {apart:.0e} of the map"
    )


def _shown(config: MapConfig, source: Vectors | GramMatrix) -> tuple[PreparedMap, object]:
    made = prepare_map(config, source)
    return made, view_map(made)


def _theirs(config: MapConfig, X: FloatArray, made: PreparedMap) -> FloatArray:
    """What scikit-learn needs for as much of it as it has: one map, held-out items in it, trustworthiness."""
    k = config.n_neighbors
    if config.method == "lle":
        fit = LocallyLinearEmbedding(n_neighbors=k, n_components=2, eigen_solver="dense").fit(X[made.kept])
        inside = fit.embedding_
    else:
        fit = KernelPCA(2).fit(X[made.kept])
        inside = fit.transform(X[made.kept])
    fit.transform(X[made.held])
    trustworthiness(X[made.kept], inside, n_neighbors=k)
    return np.asarray(inside)


def large(n: int) -> None:
    """Kernex checks that no eigenvalue was missed; scikit-learn by its own choice of solver (ARPACK here)."""
    X = points(n)
    source = Vectors(tuple(map(str, range(n))), X)
    config = MapConfig(n_neighbors=10, share=0.0)
    made, own = timed(lambda: prepare_map(config, source))
    _, viewing = timed(lambda: view_map(made))
    fit, theirs = timed(lambda: LocallyLinearEmbedding(n_neighbors=10, n_components=2, random_state=0).fit(X))
    print(
        f"n = {n:,}, one map by LLE: {own:.1f} s, its numbers {viewing:.1f} s; scikit-learn {theirs:.1f} s; largest "
        f"difference {largest_difference(made, fit.embedding_):.0e} of the map"
    )
    flat, own = timed(lambda: prepare_map(MapConfig(method="kernel pca", share=0.0), source))
    fit, theirs = timed(lambda: PCA(2).fit_transform(X))
    print(
        f"n = {n:,}, kernel PCA of vectors: {1e3 * own:.0f} ms; scikit-learn's PCA {1e3 * theirs:.0f} ms; largest "
        f"difference {largest_difference(flat, fit):.0e} of the map"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=5_000, help="most items")
    largest = parser.parse_args().largest
    _theirs(
        MapConfig(), points(60), prepare_map(MapConfig(), Vectors(tuple(map(str, range(60))), points(60)))
    )
    for n in GOALS:
        for method in ("lle", "kernel pca"):
            ks = [MapConfig(method=method, n_neighbors=k) for k in NEIGHBORS]
            a_move(n, method, "a move of k", ks)
            shares = [MapConfig(method=method, share=s) for s in SHARES]
            a_move(n, method, "a move of the held-out share", shares)
    for n in LARGE:
        if n <= largest:
            large(n)


if __name__ == "__main__":
    main()
