"""Data of one visitor: two matrices and labels as files, whose ids say whose they are."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks.load.visitor import Disturbed, Visitor

ITEMS = 206
CLASSES = 5
OTHERS = re.compile(rb"visitor(\d{3})item")


def files(number: int) -> dict[str, bytes]:
    """Source, target and labels of a visitor, as CSV."""
    rng = np.random.default_rng(number)
    ids = [f"visitor{number:03d}item{k:03d}" for k in range(ITEMS)]
    y = np.arange(ITEMS) % CLASSES
    X = rng.normal(size=(ITEMS, 12)) + 1.5 * np.eye(12)[y]
    source, target = X @ X.T, np.exp(-0.05 * np.square(X[:, None, :6] - X[None, :, :6]).sum(axis=2))
    made = {}
    for name, K in (("source", source), ("target", target)):
        text = io.StringIO()
        pd.DataFrame(K, ids, ids).to_csv(text, float_format="%.5g")
        made[f"{name}{number:03d}.csv"] = text.getvalue().encode()
    rows = "".join(f"{item},class{code}\n" for item, code in zip(ids, y, strict=True))
    made[f"labels{number:03d}.csv"] = f"id,label\n{rows}".encode()
    return made


def only_own(number: int) -> Callable[[bytes], None]:
    """Return what looks at every message for ids of other visitors."""

    def watch(raw: bytes) -> None:
        if others := {int(found) for found in OTHERS.findall(raw)} - {number}:
            raise Disturbed(f"visitor {number} sees data of {sorted(others)}")

    return watch


async def bring(visitor: Visitor, number: int) -> None:
    """Upload the files of a visitor and make a data set of them, as the page Data does it."""
    visitor.watch = only_own(number)
    await visitor.open("data")
    await visitor.settled(await visitor.upload(visitor.widget("file_uploader", "Files"), files(number)))
    await visitor.settled(await visitor.press(visitor.widget("button", "Add as new data set")))
