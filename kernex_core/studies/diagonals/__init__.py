"""Studies of the page Large diagonals. Scripts that were downloaded before this was a folder import from it."""

from kernex_core.studies.diagonals.shrink import DiagonalConfig, shrunk_kernel

__all__ = ["DiagonalConfig", "shrunk_kernel"]
