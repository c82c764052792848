"""Digits in six views: kernels, a mask of what each lacks, and classes, from the repository of CVKT's authors.

They are known by the SHA-256 of their bytes at one commit of that repository. Where a file is another one, what is wrong
with it is said by its shape and numbers, if these are wrong already.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.completion.views.methods import REPORTED, hidden_views
from kernex_core.datasets.fetched.download import PublicFile, data_home, is_cached
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.arrays import matlab_arrays
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels

ITEMS, VIEWS = 200, 6
MISSING: Final = 40
"""Percentage of the items that each view lacks; the repository has masks of 10 to 60."""
_HOME: Final = (
    "https://raw.githubusercontent.com/RiikkaHuu/CVKT/63a361b63e96f8c639b66deded75e0618134fe88/data/digits/"
)
_DESCRIPTION: Final = (
    "Real images, lacking on purpose: six kernels of the same 200 handwritten digits (UCI, Multiple features), as Huusari, "
    "Capponi, Villoutreix and Kadri (2019) made them, with their mask: each view lacks about two digits in five."
)


def _kernels(content: bytes) -> FloatArray:
    """(V, n, n) true kernels."""
    K = _array(content, "digits_K_n200.mat", "K", (ITEMS, ITEMS, VIEWS)).transpose(2, 0, 1)
    if not np.isfinite(K).all() or np.abs(K - K.transpose(0, 2, 1)).max() > 1e-9 * np.abs(K).max():
        raise InvalidInputError("The kernels of digits_K_n200.mat are finite and symmetric", "other numbers")
    return (K + K.transpose(0, 2, 1)) / 2.0


def _known(content: bytes) -> BoolArray:
    """(V, n) what each view has."""
    mask = _array(content, _MASK, "MID", (ITEMS, VIEWS)).T
    share = 100.0 * float((mask == 0.0).mean())
    if not np.isin(mask, (0.0, 1.0)).all() or not mask.any(axis=0).all() or abs(share - MISSING) > 5.0:
        raise InvalidInputError(
            f"{_MASK} marks with 0 about {MISSING} % of the items of each view, and each item is in one at least",
            f"{share:.0f} % marked with 0",
        )
    return np.asarray(mask == 1.0)


def _classes(content: bytes) -> FloatArray:
    found = matlab_arrays(content, _LABELS).arrays.get("y", np.zeros(0)).ravel()
    if found.size != ITEMS or not np.isin(found, np.arange(11)).all():
        raise InvalidInputError(
            f"{_LABELS} holds a digit for each of {ITEMS} items", f"{found.size:,} numbers"
        )
    return found


def _array(content: bytes, filename: str, name: str, shape: tuple[int, ...]) -> FloatArray:
    found = matlab_arrays(content, filename)
    if name not in found.arrays or found.arrays[name].shape != shape:
        raise InvalidInputError(
            f"{filename} holds an array {name} of {' × '.join(map(str, shape))} numbers", found.shown
        )
    return found.arrays[name]


def _checked(read: Callable[[bytes], object]) -> Callable[[bytes], str]:
    def digest(content: bytes) -> str:
        read(content)
        return hashlib.sha256(content).hexdigest()

    return digest


def _file(name: str, sha256: str, size: int, read: Callable[[bytes], object]) -> PublicFile:
    return PublicFile(name, _HOME + name, sha256, size, _checked(read))


_MASK: Final = f"digits_MID_missing{MISSING}_n200.mat"
_LABELS: Final = "digits_labels_n200.mat"
KERNELS: Final = _file(
    "digits_K_n200.mat",
    "9411dc7d21dbfd136bfc7a475288b2db6c07c5abdf4740efe512246fd5629402",
    1_920_192,
    _kernels,
)
MASK: Final = _file(_MASK, "3821e1906b973499351e87cfb0300496dc257e1bdb2fa107b62481f9d07f7fa7", 9_784, _known)
CLASSES: Final = _file(
    _LABELS, "1dd386c87d9d6d23b0d6084ce60ba3d4403dea247d92bd47475e84bb0bd6ac8d", 1_784, _classes
)
EXPECTED: Final = REPORTED[MISSING]
"""Errors that are known of completions of these kernels, by way."""


def read_six_views(kernels: bytes, mask: bytes, classes: bytes) -> DataSet:
    """Read the three files.

    Parameters
    ----------
    kernels, mask, classes : bytes

    Returns
    -------
    DataSet
        Kernels "view 1" to "view 6", unknown where the mask says so.

    Raises
    ------
    InvalidInputError
        Other shapes or numbers than these files have.
    """
    ids = tuple(f"d{k:03d}" for k in range(1, ITEMS + 1))
    cut = hidden_views(_kernels(kernels), _known(mask))
    return DataSet(
        name="Digits in six views",
        ids=ids,
        labels=Labels(ids, np.array([f"{y:.0f}" for y in _classes(classes)])),
        kernels={f"view {v}": GramMatrix(K, ids, f"view {v}") for v, K in enumerate(cut, start=1)},
        description=_DESCRIPTION,
    )


def true_six_views(folder: str | Path | None = None) -> FloatArray | None:
    """(V, n, n) kernels without a mask, where their file is on this machine.

    Examples
    --------
    >>> from kernex_core.datasets.fetched.six_views import true_six_views
    >>> true_six_views("nowhere") is None
    True
    """
    return _kernels((data_home(folder) / KERNELS.name).read_bytes()) if is_cached(KERNELS, folder) else None
