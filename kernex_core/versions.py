"""Which Kernex this is, and on what it computes: files and reports name both."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Final

KERNEX_VERSION: Final = "0.1.0"
"""The version in pyproject.toml; the app also runs from a folder that nobody has installed."""
COMPUTES_WITH: Final = ("numpy", "scipy", "scikit-learn", "numba")


def versions() -> dict[str, str]:
    """Versions of Kernex, of Python, and of what the numbers are computed with.

    Examples
    --------
    >>> from kernex_core.versions import versions
    >>> sorted(versions())
    ['kernex', 'numba', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    return {
        "kernex": KERNEX_VERSION,
        "python": platform.python_version(),
        **{name: _installed(name) for name in COMPUTES_WITH},
    }


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
