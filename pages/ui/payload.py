"""Bytes of matrices for the browser: lower triangles under a digest, as many digits as fit.

A carrier is u32 length, JSON of that length, padding to a multiple of 8, numbers (little endian). Up to `FULL` items the
numbers are float32, right to four digits; up to 576 items 16-bit codes over the values' own range, right to three; above,
the means of blocks in the order of the picture, as 8-bit codes, and a window of at most 512 items in full when asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.combine import JointPath
from kernex_core.gram.order import Dendrogram
from pages.ui.figures.theme import ClassStyle

FULL: Final = 300
LARGEST: Final = 576
BLOCKS: Final = 512
FRAME: Final = 256
"""Side of a frame that is drawn while a thumb moves: eleven of them take 0.4 MB."""
SMALL: Final = 1e-9
TOP: Final = {"u1": 250, "u2": 65535}
Kind = Literal["f4", "u2", "u1"]
Number = np.float32 | np.uint16 | np.uint8
TYPES: Final[Mapping[str, type[Number]]] = {"f4": np.float32, "u2": np.uint16, "u1": np.uint8}


@dataclass(frozen=True)
class Carrier:
    """Bytes that the browser keeps under a digest."""

    digest: str
    data: bytes


def packed(head: Mapping[str, object], numbers: NDArray[Number] | None = None) -> Carrier:
    """Carrier of a head and its numbers; the digest tells it from all others."""
    code = digest(json.dumps(head, sort_keys=True), numbers if numbers is not None else 0)[:24]
    text = json.dumps({**head, "digest": code}, separators=(",", ":"), ensure_ascii=False).encode()
    body = b"" if numbers is None else numbers.astype(numbers.dtype.newbyteorder("<"), copy=False).tobytes()
    padding = bytes(-(4 + len(text)) % 8)
    return Carrier(code, len(text).to_bytes(4, "little") + text + padding + body)


def coded(values: FloatArray, kind: Kind) -> tuple[NDArray[Number], dict[str, object]]:
    """Numbers of a kind, and what tells values from them; NaN becomes 0, or stays.

    Values beyond the range of 32-bit numbers become 16-bit codes, whose ends have 64.
    """
    if kind == "f4" and not _fits_32_bit(values):
        kind = "u2"
    if kind == "f4":
        return values.astype(np.float32), {"kind": kind, "low": 0.0, "high": 0.0, "digits": 4}
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    high = high if high > low else low + (abs(low) or 1.0)
    codes = np.zeros(values.shape, TYPES[kind])
    finite = np.isfinite(values)
    # halves first: the range of numbers near the largest of all has none itself
    share = (values[finite] / 2 - low / 2) / (high / 2 - low / 2) * (TOP[kind] - 1)
    codes[finite] = np.rint(share).astype(codes.dtype) + codes.dtype.type(1)
    digits = 3 if kind == "u2" else 2
    return codes, {"kind": kind, "low": low, "high": high, "digits": digits}


def _fits_32_bit(values: FloatArray) -> bool:
    size = np.abs(values[np.isfinite(values)])
    largest = float(size.max()) if size.size else 0.0
    return largest == 0.0 or 1e-30 < largest < float(np.finfo(np.float32).max)


def matrix(values: FloatArray, order: IntArray) -> Carrier:
    """Carrier of a symmetric matrix (n, n), NaN = unknown.

    Raises
    ------
    InvalidInputError
        Not square, or an order of other items.
    """
    n = len(values)
    if values.shape != (n, n) or not np.array_equal(np.sort(order), np.arange(n)):
        raise InvalidInputError(
            "A picture shows a square matrix in an order of all its items", f"{values.shape}"
        )
    if n > LARGEST:
        return _triangle(block_means(values, BLOCKS, order), n, "u1", ordered=True)
    return _triangle(values, n, "f4" if n <= FULL else "u2", ordered=False)


def _triangle(values: FloatArray, n: int, kind: Kind, *, ordered: bool) -> Carrier:
    numbers, says = coded(values[np.tril_indices(len(values))], kind)
    return packed({"n": n, "size": len(values), "ordered": ordered, **says}, numbers)


def window(values: FloatArray, order: IntArray, corner: Sequence[int]) -> Carrier:
    """Carrier of rows r0 to r1 and columns c0 to c1 of the picture, in full; at most 512 by 512."""
    r0, r1, c0, c1 = inside(corner, len(order))
    cut = values[np.ix_(order[r0:r1], order[c0:c1])]
    numbers, says = coded(cut.ravel(), "f4" if cut.size <= FULL * FULL else "u2")
    return packed(
        {"n": len(order), "size": len(order), "ordered": True, "window": [r0, r1, c0, c1], **says}, numbers
    )


def inside(corner: Sequence[int], n: int) -> tuple[int, int, int, int]:
    """Return a window that the browser asked for, cut to what there is.

    Raises
    ------
    InvalidInputError
        Not four whole numbers, empty, or of more than 512 items a side.
    """
    if len(corner) != 4 or not all(isinstance(edge, int) for edge in corner):
        raise InvalidInputError("A window is four whole numbers", repr(corner)[:80])
    r0, r1, c0, c1 = (min(max(edge, 0), n) for edge in corner)
    if not (0 < r1 - r0 <= BLOCKS and 0 < c1 - c0 <= BLOCKS):
        raise InvalidInputError(
            f"A window has between 1 and {BLOCKS} rows and columns", f"{r1 - r0} by {c1 - c0}"
        )
    return r0, r1, c0, c1


def block_means(values: FloatArray, most: int, order: IntArray | None = None) -> FloatArray:
    """Means (most, most) over blocks of a matrix in an order; NaN only where all entries of a block are unknown."""
    edges, order = _edges(len(values), most), np.arange(len(values)) if order is None else order
    rows = values[order]
    sums = _block_sums(rows, edges, order)
    sizes = np.diff([*edges, len(values)])
    if np.isfinite(sums).all():  # what is unknown anywhere is in a sum
        return np.asarray(sums / np.outer(sizes, sizes))
    known = np.isfinite(rows)
    sums = _block_sums(np.where(known, rows, 0.0), edges, order)
    counts = _block_sums(known.astype(np.float64), edges, order)
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))


def _block_sums(rows: FloatArray, edges: IntArray, order: IntArray) -> FloatArray:
    """Sums over blocks of a matrix whose rows are in the order; its columns follow once there are fewer rows."""
    return np.asarray(np.add.reduceat(np.add.reduceat(rows, edges, 0)[:, order], edges, 1))


def row_means(F: FloatArray, most: int) -> FloatArray:
    """Means (most, r) over blocks of rows of F (n, r): with them F D F' is the block means of the whole F D F'."""
    edges = _edges(len(F), most)
    return np.asarray(np.add.reduceat(F, edges, 0) / np.diff([*edges, len(F)])[:, None])


def _edges(n: int, most: int) -> IntArray:
    """First row of each block, (most,)."""
    return np.asarray(np.floor(np.arange(most) * (n / most)), dtype=np.int64)


def frames(matrices: Sequence[FloatArray], lams: Sequence[float], n: int) -> Carrier:
    """Carrier of one matrix at several values of a parameter, as 8-bit codes over the range of each.

    Of n items: whole, or the means of fewer blocks in the order of the picture.
    """
    size = len(matrices[0])
    made = [_companded(K) for K in matrices]
    head = {
        "n": n, "size": size, "ordered": size < n, "lams": [float(lam) for lam in lams], "kind": "u1", "digits": 1,
        "low": 0.0, "high": 0.0, "codings": [coding for _, coding in made],
    }  # fmt: skip
    return packed(head, np.concatenate([codes for codes, _ in made]))


def _companded(K: FloatArray) -> tuple[NDArray[np.uint8], tuple[float, float, float, float]]:
    """Codes 1 to 250 of a lower triangle, 0 of NaN, and (low, high, size, power) that tell the numbers from them.

    Equal steps of u = sign(v) |v / size|^(1 / power), from `low` to `high`. The power leaves half of the steps to what is
    below the 98.5th percentile off the diagonal, where the colours of the picture end: a diagonal far above does not take
    them.
    """
    values = K[np.tril_indices(len(K))]
    known, beside = np.isfinite(values), np.abs(K[np.tril_indices(len(K), -1)])
    codes, found = np.zeros(values.shape, np.uint8), values[known]
    sizes = np.abs(found)
    if not sizes.size:
        return codes, (0.0, 1.0, 1.0, 1.0)
    size, beside = float(sizes.max()) or 1.0, beside[np.isfinite(beside)]
    usual = float(np.percentile(beside, 98.5)) if beside.size else 0.0
    power = float(np.clip(np.log2(size / max(usual, SMALL * size)), 1.0, 6.0))
    u = np.sign(found) * (sizes / size) ** (1.0 / power)
    low, high = float(u.min()), float(u.max())
    high = high if high > low else low + 1.0
    codes[known] = np.rint((u - low) * ((TOP["u1"] - 1) / (high - low))).astype(np.uint8) + np.uint8(1)
    return codes, (low, high, size, power)


def factor(path: JointPath) -> Carrier:
    """Carrier of the factor of a path of joint kernels, from which the browser has the kernel at every λ."""
    numbers = np.concatenate([path.a, path.b, path.F.ravel()]).astype(np.float32)
    n, s = path.F.shape
    says = {"kind": "f4", "low": 0.0, "high": 0.0, "digits": 4, "sizes": [path.size_A, path.size_T]}
    return packed({"n": n, "size": n, "ordered": False, "s": s, **says}, numbers)


def spectrum(vectors: FloatArray, weights: FloatArray) -> Carrier:
    """Carrier of U (n, s) and of f (m, s): the kernel is U diag(f) U' at each of m values of its parameter."""
    (n, s), m = vectors.shape, len(weights)
    says = {"kind": "f4", "low": 0.0, "high": 0.0, "digits": 4, "s": s, "m": m}
    numbers = np.concatenate([weights.ravel(), vectors.ravel()]).astype(np.float32)
    return packed({"n": n, "size": n, "ordered": False, **says}, numbers)


@dataclass(frozen=True)
class PanelItems:
    """What all panels share: ids, classes and order.

    Attributes
    ----------
    ids : sequence of str
    classes : sequence of str or None, or None
        Class of each item, None = unlabelled.
    names : sequence of str
        All classes, in the order of the key.
    styles : sequence of ClassStyle
        Of the key; where there are fewer than classes, the last is that of all others.
    order : (n,) int
        Items in the order of the picture.
    tree : Dendrogram, optional
        Whose leaves are in this order.
    """

    ids: Sequence[str]
    classes: Sequence[str | None] | None
    names: Sequence[str]
    styles: Sequence[ClassStyle]
    order: IntArray
    tree: Dendrogram | None = None

    def carrier(self) -> Carrier:
        """Carrier of all of it."""
        place = {name: k for k, name in enumerate(self.names)}
        classes = (
            [-1] * len(self.ids) if self.classes is None else [place.get(c or "", -1) for c in self.classes]
        )
        head: dict[str, object] = {
            "kind": "items", "ids": list(self.ids), "classes": classes, "names": list(self.names),
            "key": [[style.name, style.colour, style.marker] for style in self.styles], "order": self.order.tolist(),
        }  # fmt: skip
        if self.tree is not None and self.tree.heights.size:
            merges, heights = self.tree.merges.tolist(), self.tree.heights.tolist()
            head["tree"] = [[a, b, float(f"{h:.7g}")] for (a, b), h in zip(merges, heights, strict=True)]
        return packed(head)
