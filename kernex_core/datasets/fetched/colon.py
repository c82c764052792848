"""Colon samples of Alon et al. 1999: the public matrix of intensities as vectors, with the classes of its samples."""

from __future__ import annotations

import hashlib

import numpy as np

from kernex_core.datasets.fetched.expression import expression_data
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.inputs.dataset import DataSet

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
