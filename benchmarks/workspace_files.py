"""Seconds and bytes of saving a workspace and of opening it again, bit for bit.

    python -m benchmarks.workspace_files

Kernels of 1,000 items with all their digits, which no packing makes smaller; integer scores, of which a
seventh is left.
"""

from __future__ import annotations

import time

import numpy as np

from kernex_core import DataSet, GramMatrix, OpenData, Workspace, read_workspace, write_workspace
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.normalize import CosineNormalize

ITEMS = 1_000
SMALL = {"ITEMS": 20}
"""What a test sets them to."""


def ids() -> tuple[str, ...]:
    return tuple(f"item {k}" for k in range(ITEMS))


def kernel(seed: int, *, whole: bool = False) -> GramMatrix:
    X = np.random.default_rng(seed).normal(size=(ITEMS, 30))
    K = X @ X.T + 30.0 * np.eye(ITEMS)
    return GramMatrix(np.round(10.0 * K) if whole else K, ids(), f"kernel {seed}")


def workspaces() -> dict[str, Workspace]:
    plain = OpenData(DataSet("plain", ids(), kernels={"K": kernel(0)}))
    scores = OpenData(DataSet("scores", ids(), kernels={"K": kernel(1, whole=True)}))
    kept = {f"kept {k}": kernel(2 + k).then(CosineNormalize()).then(Clip()) for k in range(5)}
    third = OpenData(DataSet("third", ids(), kernels={"K": kernel(9)}), kept)
    return {
        "one kernel": Workspace((plain,)),
        "one kernel of whole numbers": Workspace((scores,)),
        "three data sets, five kernels of two steps": Workspace((plain, scores, third)),
    }


def main() -> None:
    for name, workspace in workspaces().items():
        start = time.perf_counter()
        data = write_workspace(workspace)
        saved = time.perf_counter()
        opened = read_workspace(data)
        done = time.perf_counter()
        same = [
            a.dataset.digest == b.dataset.digest for a, b in zip(workspace.data, opened.data, strict=True)
        ]
        print(
            f"{name}: {len(data) / 1e6:.1f} MB, saved in {saved - start:.2f} s, opened in {done - saved:.2f} s, "
            f"{'the same' if all(same) else 'ANOTHER'}"
        )


if __name__ == "__main__":
    main()
