"""Kernex: kernels on incomplete, heterogeneous data.

The public names of the core; each is documented where it is defined.
"""

from kernex_core.errors import (
    InvalidInputError,
    KernexError,
    KernexWarning,
    NotConvergedError,
    NotPositiveSemidefiniteError,
    TooLargeError,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.join import LabelJoin, join_labels
from kernex_core.inputs.labels import read_labels
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels, Note, Sequences, Similarity, Vectors

__all__ = [
    "DataSet",
    "GramMatrix",
    "InvalidInputError",
    "KernexError",
    "KernexWarning",
    "LabelJoin",
    "Labels",
    "NotConvergedError",
    "NotPositiveSemidefiniteError",
    "Note",
    "Sequences",
    "Similarity",
    "TooLargeError",
    "Vectors",
    "join_labels",
    "read_labels",
    "read_samples",
]
