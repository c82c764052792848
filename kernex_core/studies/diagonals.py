"""Study of the page Large diagonals: shrink a diagonal that dominates, look at what changed, judge every p.

`shrink` answers a move of p; all p are judged in `studies.diagonal_sweep`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import ElementMap, SignedLog, SignedPower
from kernex_core.conditioning.spectral_map import SpectralMap
from kernex_core.conditioning.square_root import SquareRootMap
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.diagnostics import Diagnosis, diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.parameters import check_parameters, parameter

EMPIRICAL_MAP, SQUARE_ROOT, CLIPPED, SPECTRUM = "empirical map", "square root", "clip", "eigenvalues"
POWER, LOG = "power", "log"
POWERS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
SCALES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e8)


@dataclass(frozen=True)
class DiagonalConfig:
    """How a large diagonal is shrunk: a map φ of entries inside a scheme that leaves a kernel."""

    scheme: str = parameter(
        EMPIRICAL_MAP,
        label="Scheme",
        help="empirical map: φ of the rows of similarities are features. square root: φ of the matrix root, squared. "
        "clip: φ of the kernel itself, negative eigenvalues cut. eigenvalues: φ of these instead of the entries.",
        choices=(EMPIRICAL_MAP, SQUARE_ROOT, CLIPPED, SPECTRUM),
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
        Before and after, each divided by its mean known diagonal, so that they share a scale.
    before, after : Diagnosis
        Of those two.
    """

    gram: GramMatrix
    shown: tuple[FloatArray, FloatArray]
    before: Diagnosis
    after: Diagnosis


def shrunk_kernel(config: DiagonalConfig, K: GramMatrix) -> GramMatrix:
    """Apply the scheme to all items and record it.

    Raises
    ------
    NotPositiveSemidefiniteError
        The square root, or the spectrum, of an indefinite similarity; the message names the repair.
    """
    if config.scheme == EMPIRICAL_MAP:
        return K.then(EmpiricalMap(config.element_map))
    if config.scheme == SQUARE_ROOT:
        return K.then(SquareRootMap(config.element_map))
    if config.scheme == SPECTRUM:
        return K.then(SpectralMap(config.element_map))
    return K.then(config.element_map).then(Clip())


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
    shown = (unit_diagonal(K.values), unit_diagonal(made.values))
    y = None if labels is None else labels.y
    return Shrunk(made, shown, before or diagnose(shown[0], y), diagnose(shown[1], y))


def describe(K: GramMatrix, labels: Labels | None = None) -> Diagnosis:
    """Return what a kernel is like, in units of its mean diagonal."""
    return diagnose(unit_diagonal(K.values), None if labels is None else labels.y)


def unit_diagonal(K: FloatArray) -> FloatArray:
    """`K` over its mean known diagonal; as it is where that mean is not above 0."""
    known = np.diag(K)[~np.isnan(np.diag(K))]
    mean = float(known.mean()) if known.size else 0.0
    return K / mean if mean > 0.0 else K
