"""Study of the page Kernels: what a kernel sees, and whether it is one; `treatment` tells what each repair would cost."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import check_size
from kernex_core.conditioning.power import Log1p, SignedPower
from kernex_core.gram.diagnostics import Diagnosis, diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center, CosineNormalize
from kernex_core.gram.spectrum import Decomposition, decomposing, kernel_pca
from kernex_core.inputs.samples import Labels
from kernex_core.runtime.progress import Steps, part

SPECTRUM = 0.85
"""Share of an inspection of many items that its eigenvalues take; neighbours, alignment and map take the rest."""


@dataclass(frozen=True)
class InspectionConfig:
    """What is done to a kernel before it is looked at: an elementwise map, then a normalisation."""

    elements: str = parameter(
        "power",
        label="Map of entries",
        help="Map of every entry: sgn(x) |x|^p, where p = 1 changes nothing, or sgn(x) log(1 + |x|). "
        "Both shrink large diagonals; the result may be indefinite.",
        choices=("power", "log1p"),
    )
    p: float = parameter(
        1.0,
        label="Power",
        symbol="p",
        help="Every entry becomes sgn(x) |x|^p; 1 changes nothing.",
        low=0.0,
        high=1.0,
        open_low=True,
        step=0.05,
    )
    normalize: str = parameter(
        "none",
        label="Normalise",
        help="cosine: every item gets self-similarity 1. centre: the origin moves to the mean of the items, which "
        "looks at all of them.",
        choices=("none", "cosine", "centre"),
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class Inspection(ReadOnlyArrays):
    """A conditioned kernel and what it is like.

    Attributes
    ----------
    gram : GramMatrix
        Conditioned, not repaired; unknown entries are NaN.
    diagnosis : Diagnosis
        Of its known block.
    coordinates : (n, 2) float
        Kernel principal components of the known block; NaN for items outside it. An indefinite similarity has a map
        of its positive part only.
    share : (2,) float
        Eigenvalue of each over the sum of absolute eigenvalues (centred), 0 to 1.
    decomposition : Decomposition
        Of the known block: diagnosis, map and every repair rest on this one.
    """

    config: InspectionConfig
    gram: GramMatrix
    diagnosis: Diagnosis
    coordinates: FloatArray
    share: FloatArray
    decomposition: Decomposition = field(repr=False)


def condition(config: InspectionConfig, K: GramMatrix) -> GramMatrix:
    """Apply the elementwise map and the normalisation; each becomes a recorded step.

    Raises
    ------
    InvalidInputError
        Cosine normalisation of a negative self-similarity, or centring with unknown entries.
    """
    if config.elements == "log1p":
        K = K.then(Log1p())
    elif config.p != 1.0:
        K = K.then(SignedPower(float(config.p)))
    if config.normalize == "cosine":
        return K.then(CosineNormalize())
    if config.normalize == "none":
        return K
    if not K.unknown.complete:
        raise InvalidInputError(
            "Centring needs the mean of all similarities",
            f"{K.unknown.unknown_pairs:,} unknown pairs",
            "Choose cosine or none, or complete the kernel first on the page Complete",
        )
    return K.then(Center())


def inspecting(config: InspectionConfig, gram: GramMatrix, labels: Labels | None = None) -> Steps[Inspection]:
    """Describe a conditioned kernel, in steps of a fraction of a second.

    Everything is about the block of items whose pairs are all known.

    Parameters
    ----------
    config : InspectionConfig
        What the kernel was conditioned by.
    gram : GramMatrix
        Made by `condition`; unknown entries are NaN.
    labels : Labels, optional
        For alignment and the nearest neighbour.

    Raises
    ------
    InvalidInputError
        Nothing known.
    """
    known = np.flatnonzero(gram.known)
    made = yield from part(decomposing(known_block(gram)), 0.0, SPECTRUM)
    # what follows the last eigenvalue takes its time too
    yield SPECTRUM
    diagnosis = diagnose(gram, None if labels is None else labels.y, eigenvalues=made.eigenvalues)
    yield (1.0 + SPECTRUM) / 2.0
    coordinates = np.full((gram.n, 2), np.nan)
    q = min(2, known.size)
    components = kernel_pca(gram, q, decomposition=made)
    # one item has one component: the other coordinate is 0
    coordinates[known] = np.pad(components.coordinates, ((0, 0), (0, 2 - q)))
    return Inspection(config, gram, diagnosis, coordinates, np.pad(components.share, (0, 2 - q)), made)


def known_block(K: GramMatrix) -> FloatArray:
    """Similarities (k, k) of the items whose pairs are all known.

    Raises
    ------
    InvalidInputError
        There is none, or an entry is too large to be squared.
    """
    if not K.known.any():
        raise InvalidInputError("At least one item has to be known", "none")
    check_size(K.values, K.name)
    return K.values if K.known.all() else K.values[np.ix_(K.known, K.known)]
