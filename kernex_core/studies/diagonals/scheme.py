"""Study of the page Large diagonals: shrink a diagonal that dominates, look at what changed, judge every p.

`shrink` answers a move of p; all p are judged in `studies.diagonal_sweep`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.empirical_map import EmpiricalMap, StandardisedMap
from kernex_core.conditioning.power import ElementMap, SignedLog, SignedPower
from kernex_core.conditioning.spectral_map import SpectralMap
from kernex_core.conditioning.square_root import SquareRootMap
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.diagnostics import Diagnosis, diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import Step
from kernex_core.inputs.samples import Labels
from kernex_core.parameters import check_parameters, parameter

EMPIRICAL_MAP, SQUARE_ROOT, CLIPPED = "empirical map", "square root", "clip"
SPECTRUM, STANDARDISED = "eigenvalues", "standardised map"
POWER, LOG = "power", "log"
MEAN_DIAGONAL, LARGEST = "mean diagonal", "largest size"
POWERS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
SCALES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e8)


@dataclass(frozen=True)
class DiagonalConfig:
    """How a large diagonal is shrunk: a map φ of entries inside a scheme that leaves a kernel."""

    scheme: str = parameter(
        EMPIRICAL_MAP,
        label="Scheme",
        help="empirical map: φ of the rows of similarities are features. square root: φ of the matrix root, squared. "
        "clip: φ of the kernel itself, negative eigenvalues cut. eigenvalues: φ of these instead of the entries. "
        "standardised map: features of the empirical map, each to mean 0 and variance 1.",
        choices=(EMPIRICAL_MAP, SQUARE_ROOT, CLIPPED, SPECTRUM, STANDARDISED),
    )
    phi: str = parameter(
        POWER,
        label="Map φ",
        help="power: sgn(x) |x|^p. log: sgn(x) log(1 + s|x|), s = scale / mean diagonal.",
        choices=(POWER, LOG),
    )
    p: float = parameter(
        0.5, label="Power", symbol="p", help="Power of every entry; 1 leaves entries as they are.",
        low=0.0, high=1.0, open_low=True, step=0.05,
    )  # fmt: skip
    scale: float = parameter(
        100.0, label="Scale", help="The mean self-similarity becomes log(1 + scale): the larger, the smaller the "
        "diagonal against the rest.", low=1.0, high=1e8, logarithmic=True,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def element_map(self) -> ElementMap:
        """The map φ."""
        return SignedPower(self.p) if self.phi == POWER else SignedLog(self.scale)

    @property
    def strength(self) -> float:
        """p, or the scale of the logarithm."""
        return self.p if self.phi == POWER else self.scale

    @property
    def grid(self) -> tuple[float, ...]:
        """Strengths that a sweep judges."""
        return POWERS if self.phi == POWER else SCALES

    @property
    def steps(self) -> tuple[Step, ...]:
        """What is done to a kernel, in order."""
        if self.scheme == EMPIRICAL_MAP:
            return (EmpiricalMap(self.element_map),)
        if self.scheme == STANDARDISED:
            return (StandardisedMap(self.element_map),)
        if self.scheme == SQUARE_ROOT:
            return (SquareRootMap(self.element_map),)
        if self.scheme == SPECTRUM:
            return (SpectralMap(self.element_map),)
        return (self.element_map, Clip())

    def at(self, strength: float) -> DiagonalConfig:
        """Return the same with another p, or another scale."""
        return replace(self, p=strength) if self.phi == POWER else replace(self, scale=strength)


@dataclass(frozen=True, eq=False)
class Shrunk(ReadOnlyArrays):
    """A kernel before and after.

    Attributes
    ----------
    gram : GramMatrix
        After, with the record of its steps.
    shown : tuple of two (n, n) float
        Before and after, each divided by its unit, so that they share a scale.
    units : tuple of two str
        MEAN_DIAGONAL, or LARGEST where the mean known diagonal is not above 0.
    before, after : Diagnosis
        Of those two.
    """

    gram: GramMatrix
    shown: tuple[FloatArray, FloatArray]
    units: tuple[str, str]
    before: Diagnosis
    after: Diagnosis

    @property
    def empty(self) -> bool:
        """Nothing but zeros: no item is like any other, nor like itself."""
        return not np.nan_to_num(self.shown[0]).any()


def shrunk_kernel(config: DiagonalConfig, K: GramMatrix) -> GramMatrix:
    """Apply the scheme to all items and record it.

    Raises
    ------
    NotPositiveSemidefiniteError
        The square root, or the spectrum, of an indefinite similarity; the message names the repair.
    """
    for step in config.steps:
        K = K.then(step)
    return K


def shrink(
    config: DiagonalConfig, K: GramMatrix, labels: Labels | None = None, *, before: Diagnosis | None = None
) -> Shrunk:
    """Return the kernel before and after, and what each is like.

    Parameters
    ----------
    before : Diagnosis, optional
        What `describe` says about K: half of the work, and the same for every p.
    """
    made = shrunk_kernel(config, K)
    (first, one), (second, other) = in_units(K.values), in_units(made.values)
    y = None if labels is None else labels.y
    return Shrunk(made, (first, second), (one, other), before or diagnose(first, y), diagnose(second, y))


def describe(K: GramMatrix, labels: Labels | None = None) -> Diagnosis:
    """Return what a kernel is like, in the units that `shrink` shows it in."""
    return diagnose(in_units(K.values)[0], None if labels is None else labels.y)


def in_units(K: FloatArray) -> tuple[FloatArray, str]:
    """Return `K` over its mean known diagonal, or over its largest known size where that mean is not above 0."""
    diagonal = np.diag(K)
    known = diagonal[~np.isnan(diagonal)]
    mean = float(known.mean()) if known.size else 0.0
    if mean > 0.0:
        return K / mean, MEAN_DIAGONAL
    largest = float(np.abs(np.nan_to_num(K)).max(initial=0.0))
    return (K / largest if largest > 0.0 else K), LARGEST
