"""Gene expression data whose file holds numbers only: names and classes are given to it here."""

from __future__ import annotations

import hashlib
import re

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.samples import Labels, Vectors


def expression_data(
    name: str, X: FloatArray, first: str, classes: tuple[str, str], description: str
) -> DataSet:
    """Data set of samples s01, s02, ... by genes g0001, g0002, ..., with the protocol of the papers.

    Parameters
    ----------
    name : str
    X : (n, d) float
        NaN = unknown.
    first : str
        One digit a sample, "1" where it is of the first class.
    classes : (str, str)
    description : str
    """
    ids = tuple(f"s{number:02d}" for number in range(1, X.shape[0] + 1))
    genes = tuple(f"g{number:04d}" for number in range(1, X.shape[1] + 1))
    labels = np.array([classes[0] if flag == "1" else classes[1] for flag in first])
    return DataSet(
        name=name,
        ids=ids,
        labels=Labels(ids, labels),
        samples={"genes": Vectors(ids, X, genes)},
        description=description,
        defaults=Defaults(C=1e6, folds=10, repeats=10),
    )


# Colon samples of Alon et al. 1999: the public matrix of intensities as vectors, with the classes of its samples.

GENES, SAMPLES = 2000, 62
_TUMOUR = "10101010101010101010101011111111111111011001111010011001111010"
"""The samples of the matrix in order, 1 = tumour; its file holds no labels."""
_DESCRIPTION = (
    "Real: 62 samples of colon, 40 of tumours and 22 normal, raw intensities of 2000 genes on an oligonucleotide array "
    "(Alon et al. 1999)."
)


def _matrix(content: bytes) -> FloatArray:
    """Genes by samples."""
    try:
        numbers = np.array(content.split(), dtype=np.float64)
    except ValueError as error:
        raise InvalidInputError("I2000.txt has to hold numbers", str(error)) from None
    if numbers.size != GENES * SAMPLES:
        raise InvalidInputError(
            f"I2000.txt has to hold {GENES} rows of {SAMPLES} numbers", f"{numbers.size:,} numbers"
        )
    return numbers.reshape(GENES, SAMPLES)


def colon_digest(content: bytes) -> str:
    """SHA-256 of the numbers to eight significant digits, which is how they were published, gene after gene."""
    written = " ".join(f"{number:.7e}" for number in _matrix(content).ravel().tolist())
    return hashlib.sha256(written.encode()).hexdigest()


def read_colon(content: bytes) -> DataSet:
    """Read I2000.txt: one line a gene, one column a sample.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    DataSet
        Samples "genes", labels "tumour" and "normal".

    Raises
    ------
    InvalidInputError
        Something else than 2000 × 62 numbers.
    """
    return expression_data("Colon", _matrix(content).T, _TUMOUR, ("tumour", "normal"), _DESCRIPTION)


# Lymphoma samples of Alizadeh et al. 2000: the public matrix of log ratios, with its unknown entries, as vectors.
#
# The file holds no labels. Which 62 of its samples are malignant is known from a later data set (Dettling; Weston and
# others) whose samples were matched to it by their values; the paper on almost orthogonal patterns counts 61.

LYMPHOMA_GENES, LYMPHOMA_SAMPLES = 4026, 96
UNKNOWN = 999
_NUMBER = re.compile(rb"-?\d+")
_MALIGNANT = (
    "001111111000111111110101111111111111111111111110000000000000000000000011111111110000111111111111"
)
_LYMPHOMA = (
    "Real: 96 samples of lymphoma and other blood cells, log ratios × 100 of 4026 genes, 5 % of them unknown (Alizadeh et "
    "al. 2000; the matrix of Cheng and Church). 62 samples are malignant."
)


def _lymphoma_matrix(content: bytes) -> FloatArray:
    """Genes by samples; columns may touch where a number is negative."""
    numbers = np.array(_NUMBER.findall(content), dtype=np.int64)
    if numbers.size != LYMPHOMA_GENES * LYMPHOMA_SAMPLES:
        raise InvalidInputError(
            f"lymphoma.matrix has to hold {LYMPHOMA_GENES} rows of {LYMPHOMA_SAMPLES} numbers",
            f"{numbers.size:,} numbers",
        )
    return numbers.reshape(LYMPHOMA_GENES, LYMPHOMA_SAMPLES).astype(np.float64)


def lymphoma_digest(content: bytes) -> str:
    """SHA-256 of the numbers, whatever stands between them: int16, little-endian, gene after gene."""
    return hashlib.sha256(_lymphoma_matrix(content).astype("<i2").tobytes()).hexdigest()


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
    X = _lymphoma_matrix(content).T
    filled = np.where(X == UNKNOWN, np.nan, X)
    return expression_data("Lymphoma", filled, _MALIGNANT, ("malignant", "other"), _LYMPHOMA)
