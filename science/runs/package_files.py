"""What becomes of the data files that packages ship with their code and tests, each read as the page Data reads it.

Every file of the packages that are installed here, and of folders in KERNEX_FILES (unpacked wheels of others: scikit-bio,
Orange, igraph): what it is taken for, what is asked, or why it is refused. Nothing but a sentence may come of any of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kernex_core.base.errors import KernexError
from kernex_core.inputs.upload import Upload
from pages.server.readers.tasks import look
from science.table import Row

TITLE = "Data files of other packages: read, asked about, or refused in a sentence."
PACKAGES: tuple[str, ...] = (
    "sklearn",
    "scipy",
    "networkx",
    "pandas",
    "Bio",
    "plotly",
    "statsmodels",
    "skbio",
    "Orange",
    "igraph",
)
MOST = 3_000_000
"""Bytes of a file that is looked at."""
CODE = frozenset(
    f".{ending}"
    for ending in (
        *(
            "py",
            "pyi",
            "pyc",
            "pyx",
            "pxd",
            "so",
            "c",
            "h",
            "cpp",
            "js",
            "wasm",
            "html",
            "css",
            "svg",
            "png",
            "gif",
            "jpg",
        ),
        *("ico", "md", "rst", "map", "ui", "ows", "woff2"),
    )
)
SMALL = {"PACKAGES": ("networkx", "plotly")}
"""What a test sets them to."""


def rows(map_: Callable[..., Iterable[Any]]) -> Iterator[Row]:
    """Outcomes by package; that an exception other than a refusal comes is held to be so for none."""
    for name, folder in folders():
        files = [path for path in sorted(folder.rglob("*")) if path.is_file() and wanted(path)]
        outcomes = list(map_(outcome, files))
        for path, line in zip(files, outcomes, strict=True):
            print(f"  {path.relative_to(folder.parent)}: {line}")
        counts = Counter(line.split(":")[0] for line in outcomes)
        said = ", ".join(f"{counts[what]} {what}" for what in ("read", "asked", "refused"))
        yield Row(f"{name}: {said}; anything else", counts["error"], 0.0)


def folders() -> Iterator[tuple[str, Path]]:
    """Packages that are here, and folders that are named."""
    for name in PACKAGES:
        found = find_spec(name)
        if found is not None and found.origin is not None:
            yield name, Path(found.origin).parent
    for given in filter(None, os.environ.get("KERNEX_FILES", "").split(os.pathsep)):
        yield from ((path.name, path) for path in sorted(Path(given).iterdir()) if path.is_dir())


def wanted(path: Path) -> bool:
    """Whether a file may hold data."""
    return path.suffix not in CODE and 0 < path.stat().st_size <= MOST and "dist-info" not in str(path)


def outcome(path: Path) -> str:
    """What comes of a file, in a line."""
    try:
        found = look(Upload(path.name, path.read_bytes()))
    except KernexError as error:
        return f"refused: {error}"
    except Exception as error:
        return f"error: {type(error).__name__}: {error}"
    if found.read.result is not None:
        return f"read: as {found.way}, {len(found.read.result.ids):,} items"
    asked = next((each for each in found.read.questions if not each.decided), None)
    if asked is not None:
        return f"asked: {asked.text}"
    return f"refused: {found.read.refusal.error if found.read.refusal else ''}"
