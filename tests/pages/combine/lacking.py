"""Kernels that lack items, and what tests of pages on several kernels read."""

from __future__ import annotations

import numpy as np

from kernex_core import GramMatrix, Labels
from kernex_core.inputs.items.align import align


def lacking(rng, n=24, count=3, gone=5):
    """Kernels on parts of the same items in two classes, aligned by id; one item is in none of them."""
    ids = [f"i{k:02d}" for k in range(n)]
    X = rng.normal(size=(n, 4)) + 1.2 * (np.arange(n) % 2)[:, None]
    parts = {}
    for v in range(count):
        has = [k for k in range(n - 1) if not v * gone <= k < (v + 1) * gone]
        Z = X[has] + 0.3 * rng.normal(size=(len(has), 4))
        K = np.exp(-((Z[:, None] - Z) ** 2).sum(axis=2) / 8.0) * (v + 1.0)
        parts[f"k{v}"] = GramMatrix(K, tuple(ids[k] for k in has))
    labels = Labels(tuple(ids), np.array(["a", "b"])[np.arange(n) % 2])
    return align(parts, labels, name="lacking", how="union").data


def text(at):
    return " ".join(block.value for block in (*at.caption, *at.markdown))


def kept(at, name):
    return at.session_state["kernex"].entries[name].kernels
