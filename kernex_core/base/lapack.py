"""Factors, solutions and eigenvalues by LAPACK, without holding the interpreter: the routines that SciPy calls, to the bit.

SciPy's own functions keep the lock of the interpreter until they end, some seconds for a few thousand items, in which
nobody else's page answers. The same routines are reached by their addresses (`scipy.linalg.cython_lapack`), and a call of an
address lets the lock go. Matrices are symmetric or lower triangular, and stay as they are where a function does not say
that it overwrites them.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from kernex_core.base.frozen import FloatArray

Argument = str | int | np.ndarray


def factor(K: FloatArray) -> FloatArray | None:
    """L (n, n), lower triangular, with K = L L'; None where K is not positive definite (dpotrf)."""
    L = np.array(K, order="F")
    if _call("dpotrf", "L", len(L), L, len(L)):
        return None
    for k in range(len(L)):
        L[:k, k] = 0.0
    return L


def is_definite(K: FloatArray) -> bool:
    """Whether `factor` finds one; K, by columns, is overwritten."""
    return not _call("dpotrf", "L", len(K), K, len(K))


def solved(L: FloatArray, B: FloatArray) -> FloatArray:
    """(L L')⁻¹ B for B (n, q) or (n,) (dpotrs)."""
    X = np.array(B, order="F")
    _call("dpotrs", "L", len(L), X.size // len(L), L, len(L), X, len(X))
    return X


def solve(K: FloatArray, B: FloatArray) -> FloatArray:
    """K⁻¹ B for B (n, q) or (n,) by the factor of K.

    Raises
    ------
    LinAlgError
        K is not positive definite.
    """
    L = factor(K)
    if L is None:
        raise LinAlgError("the matrix is not positive definite")
    return solved(L, B)


def forward(L: FloatArray, B: FloatArray) -> FloatArray:
    """L⁻¹ B for B (n, q) (dtrtrs)."""
    X = np.array(B, order="F")
    _call("dtrtrs", "L", "N", "N", len(L), X.shape[1], L, len(L), X, len(X))
    return X


def eigh(K: FloatArray, *, spent: bool = False) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues (n,), ascending, and vectors (n, n) in the columns, by divide and conquer (dsyevd).

    Where K is `spent`, and exactly symmetric, the vectors take its room.

    Raises
    ------
    LinAlgError
        They are not found.
    """
    n, vectors = len(K), np.asfortranarray(K.T) if spent else np.array(K, order="F")
    values = np.empty(n)
    _found(_with_room("dsyevd", "V", "L", n, vectors, n, values))
    return values, vectors


def eigvalsh(K: FloatArray) -> FloatArray:
    """Eigenvalues (n,), ascending (dsytrd, dsterf).

    Raises
    ------
    LinAlgError
        They are not found.
    """
    return eigenvalues_of(*reduced(np.array(K, order="F"))[1:3])


def reduced(A: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Tridiagonal form of the lower triangle of A (n, n), by columns, which is overwritten (dsytrd).

    Returns
    -------
    A : (n, n) float
        Its reflections, below the diagonal.
    diagonal, beside, factors : (n,), (n − 1,) and (n − 1,) float
    """
    n = len(A)
    d, e, tau = np.empty(n), np.empty(max(n - 1, 0)), np.empty(max(n - 1, 0))
    _with_room("dsytrd", "L", n, A, n, d, e, tau)
    return A, d, e, tau


def eigenvalues_of(diagonal: FloatArray, beside: FloatArray) -> FloatArray:
    """Eigenvalues (n,), ascending, of a tridiagonal matrix (dsterf).

    Raises
    ------
    LinAlgError
        They are not found.
    """
    values = np.array(diagonal)
    _found(_call("dsterf", len(values), values, np.array(beside)))
    return values


def vectors_of(diagonal: FloatArray, beside: FloatArray) -> FloatArray:
    """Eigenvectors (n, n) of a tridiagonal matrix in the columns, by ascending eigenvalue (dstevd).

    Raises
    ------
    LinAlgError
        They are not found.
    """
    n = len(diagonal)
    vectors = np.empty((n, n), order="F")
    _found(_with_room("dstevd", "V", n, np.array(diagonal), np.array(beside), vectors, n))
    return vectors


def _found(failed: int) -> None:
    if failed:
        raise LinAlgError("the eigenvalues were not found")


WITH_INTEGERS = ("dsyevd", "dstevd")
"""Routines that ask for integers to work in, too."""


def _with_room(name: str, *arguments: Argument) -> int:
    """Ask how much room the routine works best in, and call it with that."""
    kinds = (np.float64, np.int32) if name in WITH_INTEGERS else (np.float64,)
    rooms: list[np.ndarray] = [np.empty(1, dtype=kind) for kind in kinds]
    _call(name, *arguments, *(each for room in rooms for each in (room, -1)))
    rooms = [np.empty(max(1, int(room[0])), dtype=room.dtype) for room in rooms]
    return _call(name, *arguments, *(each for room in rooms for each in (room, room.size)))


def _call(name: str, *arguments: Argument) -> int:
    """Call a routine, whose last argument is what it says of its success: 0, or where it failed."""
    said = ctypes.c_int(0)
    _routine(name)(*map(_pointer, arguments), ctypes.byref(said))
    return said.value


def _pointer(argument: Argument) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data_as(ctypes.c_void_p)
    return (
        ctypes.c_char_p(argument.encode())
        if isinstance(argument, str)
        else ctypes.byref(ctypes.c_int(argument))
    )


@cache
def _routine(name: str) -> Any:
    from scipy.linalg import cython_lapack

    capsule = vars(cython_lapack)["__pyx_capi__"][name]
    kind, address = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    kind.restype, kind.argtypes = ctypes.c_char_p, [ctypes.py_object]
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.CFUNCTYPE(None)(address(capsule, kind(capsule)))
