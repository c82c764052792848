"""What stands for the pairs of a mostly unknown kernel while it is looked at."""

from __future__ import annotations

from typing import Final

from kernex_core.conditioning.fill import FILLS, FillUnknown
from kernex_core.gram.matrix import GramMatrix
from pages.shared.cached import cached
from pages.shared.declared.settings import of_data
from pages.shared.settings import widgets

LEFT_UNKNOWN: Final = "left unknown"
AT_ONCE: Final = 300
"""Items up to which a kernel opens filled: its eigenvalues come without a wait."""


SETTINGS: Final = (of_data("filled", "Unknown pairs become"),)


def mostly_unknown(K: GramMatrix) -> bool:
    """Whether more than half of the pairs of two items are unknown, as in a table of hits."""
    return K.unknown.between > K.n * (K.n - 1) / 4


def shown_filled(K: GramMatrix, dataset: str) -> GramMatrix:
    """Draw the choice of what unknown pairs become and return the kernel that is looked at."""
    method = widgets.pick(
        "filled", (*FILLS, LEFT_UNKNOWN), default="zero" if K.n <= AT_ONCE else LEFT_UNKNOWN,
        key=f"kernels.filled.{dataset}.{K.name}",
        help="What is looked at, measured, repaired and kept on this page; what was reported stands beside it. Left "
        "unknown: only the largest set of items whose pairs are all known is looked at.",
    )  # fmt: skip
    return K if method == LEFT_UNKNOWN else _filled(K, str(method))


@cached
def _filled(K: GramMatrix, method: str) -> GramMatrix:
    return K.then(FillUnknown(method)).renamed(f"{K.name}, {method}")
