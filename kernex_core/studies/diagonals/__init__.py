"""Studies of the page Power p. Scripts that were downloaded before this was a folder import from it."""

from kernex_core.studies.diagonals.shrink import DiagonalConfig, shrunk_kernel

__all__ = ["DiagonalConfig", "shrunk_kernel"]
