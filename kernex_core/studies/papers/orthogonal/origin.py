"""Whether the visitor's data are those of "almost orthogonal patterns": only then do printed numbers judge measured ones.

The expression data of Tables 2 and 5 are known by a digest of their numbers and classes, in whatever order samples and
genes stand. Thrombin (Table 4) cannot be fetched; it is taken for granted where sizes and classes agree.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import KernexError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.coded import Coded
from kernex_core.studies.papers.orthogonal.classes import two_classes
from kernex_core.studies.papers.orthogonal.family_files import Families
from kernex_core.studies.papers.paper_table import Origin

THROMBIN_SIZES, THROMBIN_FEATURES = (42, 1867), 139_351
THROMBIN_SHARE, THROMBIN_DIAGONAL = 0.0068, 1377.9
"""Printed share of features that are not 0, and mean diagonal of the linear kernel: of a binary table the one would make
the other 947.6, so they are not about the same items, and data have to agree with one of them to its digits."""
SCOP_FAMILIES = 54


@dataclass(frozen=True)
class PaperData:
    """Expression data of the paper.

    Attributes
    ----------
    name, classes : str
        In words.
    shape : (int, int)
        Samples and genes.
    numbers, whole : str
        First 16 digits of SHA-256 of the numbers, and of numbers and classes.
    """

    name: str
    classes: str
    shape: tuple[int, int]
    numbers: str
    whole: str


COLON_DATA = PaperData(
    "colon", "40 tumours and 22 normal", (62, 2000), "f0900990253a25fd", "1e2e125525389454"
)
LYMPHOMA_DATA = PaperData(
    "lymphoma", "62 malignant and 34 others", (96, 4026), "db7bf9dbc35654ae", "35381f602d69e51f"
)


def expression_origin(paper: PaperData, X: FloatArray, coded: Coded) -> Origin:
    """Compare vectors X (n, d) and their two classes with what the paper had.

    Parameters
    ----------
    paper : PaperData
    X : (n, d) float
        NaN = unknown.
    coded : Coded
        Two classes; which of them is the first does not matter.
    """
    if X.shape != paper.shape:
        n, d = X.shape
        return Origin(
            False,
            f"These are not the paper's {paper.name} data: {n:,} × {d:,} instead of {paper.shape[0]} × {paper.shape[1]:,}.",
        )
    rows = sample_digests(X)
    if _joined(rows) != paper.numbers:
        return Origin(
            False,
            f"These are not the paper's {paper.name} data, though there are as many: their numbers are others.",
        )
    if paper.whole not in _with_classes(rows, coded.codes):
        sizes = " and ".join(str(int((coded.codes == code).sum())) for code in (1, 0))
        return Origin(
            False,
            f"The {paper.name} data are the paper's, the classes are not: {sizes} samples instead of {paper.classes}.",
        )
    return Origin(True)


def thrombin_origin(
    coded: Coded, diagonal: float, n_features: int | None = None, share: float | None = None
) -> Origin:
    """Compare the sizes of two classes, the mean diagonal of the linear kernel and, where they are known, features.

    Parameters
    ----------
    coded : Coded
    diagonal : float
        Mean of it.
    n_features : int, optional
    share : float, optional
        Of the features that are not 0.
    """
    sizes = tuple(sorted(int((coded.codes == code).sum()) for code in (0, 1)))
    same_size = sizes == THROMBIN_SIZES and n_features in (None, THROMBIN_FEATURES)
    if share is None:
        share = diagonal / THROMBIN_FEATURES
    same_values = abs(diagonal - THROMBIN_DIAGONAL) < 0.1 or abs(share - THROMBIN_SHARE) < 0.00005
    if same_size and same_values:
        return Origin(True, "Taken for thrombin: sizes, classes and the diagonal of the kernel are the same.")
    if same_size:
        return Origin(
            False,
            f"This is not thrombin, though it has its size: mean diagonal {diagonal:,.1f} and {100.0 * share:.3g} % not 0 "
            f"instead of {THROMBIN_DIAGONAL:,} or {100.0 * THROMBIN_SHARE:.2g} %.",
        )
    found = f"{sizes[0]:,} and {sizes[1]:,} items" + (f", {n_features:,} features" if n_features else "")
    return Origin(
        False, f"This is not thrombin: {found} instead of 42 and 1,867 items, {THROMBIN_FEATURES:,} features."
    )


def vectors_origin(paper: PaperData, vectors: Vectors, labels: Labels, positive: tuple[str, ...]) -> Origin:
    """Compare vectors and some classes against the others with what the paper had; see `expression_origin`."""
    coded = _coded(labels, positive)
    return Origin(False) if coded is None else expression_origin(paper, vectors.X, coded)


def kernel_origin(
    K: GramMatrix,
    labels: Labels,
    positive: tuple[str, ...],
    n_features: int | None = None,
    share: float | None = None,
) -> Origin:
    """Compare a kernel and some classes against the others with thrombin; see `thrombin_origin`."""
    coded = _coded(labels, positive)
    if coded is None:
        return Origin(False)
    return thrombin_origin(coded, float(K.values.diagonal().mean()), n_features, share)


def is_scop(families: tuple[str, ...]) -> bool:
    """Whether there are as many families as the paper has: no more can be known of a visitor's sequences."""
    return len(families) == SCOP_FAMILIES


def families_origin(K: GramMatrix, families: Families) -> Origin:
    """Compare the number of families with the paper's: no more can be known of a visitor's sequences."""
    n = len(families.names)
    if n == SCOP_FAMILIES:
        return Origin(True)
    return Origin(False, f"These are not the paper's families: {n} instead of {SCOP_FAMILIES} of SCOP 1.53.")


def _coded(labels: Labels, positive: tuple[str, ...]) -> Coded | None:
    """Two classes, or None: what is wrong with them is said where the table would stand."""
    try:
        return two_classes(labels, positive)
    except KernexError:
        return None


def sample_digests(X: FloatArray) -> list[str]:
    """One digest a sample, of its values to eight significant digits whatever their order; logarithms ×100 or not."""
    sizes = np.abs(X[np.isfinite(X)])
    # log ratios of lymphoma go around as they are and as whole hundredths; intensities are far above
    scaled = np.round(100.0 * X) if sizes.size and sizes.max() < 20.0 else X
    # + 0 makes one of the two zeros
    ordered = np.sort(scaled, axis=1) + 0.0
    return [
        hashlib.sha256(" ".join(f"{v:.7e}" for v in row).encode()).hexdigest() for row in ordered.tolist()
    ]


def _joined(rows: list[str]) -> str:
    return hashlib.sha256(" ".join(sorted(rows)).encode()).hexdigest()[:16]


def _with_classes(rows: list[str], codes: IntArray) -> set[str]:
    return {
        _joined([f"{row} {side}" for row, side in zip(rows, sides.tolist(), strict=True)])
        for sides in (codes, np.where(codes >= 0, 1 - codes, codes))
    }
