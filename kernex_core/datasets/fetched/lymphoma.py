"""Lymphoma samples of Alizadeh et al. 2000: the public matrix of log ratios, with its unknown entries, as vectors.

The file holds no labels. Which 62 of its samples are malignant is known from a later data set (Dettling; Weston and others)
whose samples were matched to it by their values; the paper on almost orthogonal patterns counts 61.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np

from kernex_core.datasets.fetched.expression import expression_data
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.inputs.dataset import DataSet

GENES, SAMPLES = 4026, 96
UNKNOWN = 999
_NUMBER = re.compile(rb"-?\d+")
_MALIGNANT = (
    "001111111000111111110101111111111111111111111110000000000000000000000011111111110000111111111111"
)
_DESCRIPTION = (
    "Real: 96 samples of lymphoma and other blood cells, log ratios × 100 of 4026 genes, 5 % of them unknown (Alizadeh et "
    "al. 2000; the matrix of Cheng and Church). 62 samples are malignant."
)


def _matrix(content: bytes) -> FloatArray:
    """Genes by samples; columns may touch where a number is negative."""
    numbers = np.array(_NUMBER.findall(content), dtype=np.int64)
    if numbers.size != GENES * SAMPLES:
        raise InvalidInputError(
            f"lymphoma.matrix has to hold {GENES} rows of {SAMPLES} numbers", f"{numbers.size:,} numbers"
        )
    return numbers.reshape(GENES, SAMPLES).astype(np.float64)


def lymphoma_digest(content: bytes) -> str:
    """SHA-256 of the numbers, whatever stands between them: int16, little-endian, gene after gene."""
    return hashlib.sha256(_matrix(content).astype("<i2").tobytes()).hexdigest()


def read_lymphoma(content: bytes) -> DataSet:
    """Read lymphoma.matrix: one line a gene, one column a sample, 999 = unknown.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    DataSet
        Samples "genes" with NaN where unknown, labels "malignant" and "other".

    Raises
    ------
    InvalidInputError
        Another number of values.
    """
    X = _matrix(content).T
    filled = np.where(X == UNKNOWN, np.nan, X)
    return expression_data("Lymphoma", filled, _MALIGNANT, ("malignant", "other"), _DESCRIPTION)
