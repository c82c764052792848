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
from kernex_core.inputs.align import Alignment, align, align_with, expand
from kernex_core.inputs.catalogue import FORMATS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.health import HealthReport, health
from kernex_core.inputs.join import LabelJoin, join_labels
from kernex_core.inputs.labels import read_labels
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels, Note, Sequences, Similarity, Vectors
from kernex_core.inputs.selection import Selection

__all__ = [
    "Alignment",
    "DataSet",
    "FORMATS",
    "GramMatrix",
    "HealthReport",
    "InvalidInputError",
    "KernexError",
    "KernexWarning",
    "LabelJoin",
    "Labels",
    "NotConvergedError",
    "NotPositiveSemidefiniteError",
    "Note",
    "Selection",
    "Sequences",
    "Similarity",
    "TooLargeError",
    "Vectors",
    "align",
    "align_with",
    "expand",
    "health",
    "join_labels",
    "read_labels",
    "read_samples",
]
