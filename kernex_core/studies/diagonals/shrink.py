"""Study of the page Power p: shrink a diagonal that dominates, look at what changed, judge every p.

`shrink` answers a move of p; all p are judged in `strength_sweep.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_parameters, parameter
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import ElementMap, SignedLog, SignedPower, SpectralMap
from kernex_core.conditioning.schemes import SCHEMES, EmpiricalScheme, Scheme, scheme_named
from kernex_core.gram.diagnostics import Diagnosis, diagnose, dominance_ratio
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import PAIR
from kernex_core.gram.spectrum import Decomposition, decompose
from kernex_core.gram.step import Step
from kernex_core.inputs.graphs.graph_set import equal_items
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.vectors.dot_product import Polynomial
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import labels_of
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.diagonals.judging import Losses, svm_losses

# MAPS: the maps φ of single similarities that the page Power p offers, each with the values that it judges.


@dataclass(frozen=True, eq=False)
class MapChoice(EqualByContent):
    """One map φ with one number that says how strongly it shrinks.

    Attributes
    ----------
    name : str
        What pages call it.
    strength : str
        Field of `DiagonalConfig` that holds the number; also its name in words.
    make : callable
        From the number to φ.
    grid : tuple of float
        Numbers that a sweep judges.
    symbol, words : str
        The number in the name of a kernel, and in a sentence (Markdown).
    axis : str
        Title of an axis of the number.
    logarithmic : bool
        That axis shows its logarithm.
    summary : str
        What φ is, in one line.
    tex : str
        TeX of φ(x), with a place for the number.
    """

    name: str
    strength: str
    make: Callable[[float], ElementMap]
    grid: tuple[float, ...]
    symbol: str
    words: str
    axis: str
    summary: str
    tex: str
    logarithmic: bool = False


POWER = MapChoice(
    "power", "p", SignedPower, (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1), symbol="p", words="*p*",
    axis="power p of every entry", summary="sgn(x) |x|^p.", tex="|x|^{{{:g}}}",
)  # fmt: skip
LOG = MapChoice(
    "log", "scale", SignedLog, (1.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e8), symbol="log, scale", words="the scale",
    axis="log₁₀ of the scale", summary="sgn(x) log(1 + s|x|), s = scale / mean diagonal.",
    tex=r"\log(1 + {:g}\,|x|)", logarithmic=True,
)  # fmt: skip

MAPS: tuple[MapChoice, ...] = (
    POWER,
    LOG,
)


def map_named(name: str) -> MapChoice:
    """Map of that name.

    Raises
    ------
    InvalidInputError
        Listing the names that there are.
    """
    check_choice("The map φ", name, [choice.name for choice in MAPS])
    return next(choice for choice in MAPS if choice.name == name)


MEAN_DIAGONAL, LARGEST = "mean diagonal", "largest size"


@dataclass(frozen=True)
class DiagonalConfig:
    """How a large diagonal is shrunk: a map φ of entries inside a scheme that leaves a kernel."""

    scheme: str = parameter(
        EmpiricalScheme.name,
        label="Scheme",
        help=" ".join(f"{scheme.name}: {scheme.summary}" for scheme in SCHEMES),
        choices=tuple(scheme.name for scheme in SCHEMES),
    )
    phi: str = parameter(
        POWER.name,
        label="Map φ",
        help=" ".join(f"{choice.name}: {choice.summary}" for choice in MAPS),
        choices=tuple(choice.name for choice in MAPS),
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
    def way(self) -> Scheme:
        """The scheme itself."""
        return scheme_named(self.scheme)

    @property
    def map(self) -> MapChoice:
        """The choice of φ itself."""
        return map_named(self.phi)

    @property
    def element_map(self) -> ElementMap:
        """The map φ."""
        return self.map.make(self.strength)

    @property
    def strength(self) -> float:
        """p, or the scale of the logarithm."""
        return float(getattr(self, self.map.strength))

    @property
    def grid(self) -> tuple[float, ...]:
        """Strengths that a sweep judges."""
        return self.map.grid

    @property
    def steps(self) -> tuple[Step, ...]:
        """What is done to a kernel, in order."""
        return self.way.steps(self.element_map)

    def at(self, strength: float) -> DiagonalConfig:
        """Return the same with another p, or another scale."""
        return DiagonalConfig(**{**vars(self), self.map.strength: strength})


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
        The diagnosis of `describe`: half of the work, and the same for every p.
    """
    made = shrunk_kernel(config, K)
    (first, one), (second, other) = in_units(K.values), in_units(made.values)
    y = None if labels is None else labels.y
    return Shrunk(made, (first, second), (one, other), before or diagnose(first, y), diagnose(second, y))


@dataclass(frozen=True, eq=False)
class Described(ReadOnlyArrays):
    """A kernel before any map, in the units that `shrink` shows it in.

    Attributes
    ----------
    diagnosis : Diagnosis
    known : (k,) int
        Positions of the items whose pairs are all known.
    block : (k, k) float
        Their similarities.
    decomposition : Decomposition
        Of the block.
    """

    diagnosis: Diagnosis
    known: IntArray
    block: FloatArray
    decomposition: Decomposition


def describe(K: GramMatrix, labels: Labels | None = None) -> Described:
    """Return what a kernel is like, in the units that `shrink` shows it in.

    Raises
    ------
    InvalidInputError
        Nothing known.
    """
    known = np.flatnonzero(K.known)
    if not known.size:
        raise InvalidInputError("At least one item has to be known", "none")
    values, _ = in_units(K.values)
    block = values[np.ix_(known, known)]
    made = decompose(block)
    diagnosis = diagnose(values, None if labels is None else labels.y, eigenvalues=made.eigenvalues)
    return Described(diagnosis, known, block, made)


def in_units(K: FloatArray) -> tuple[FloatArray, str]:
    """Return `K` over its mean known diagonal, or over its largest known size where that mean is not above 0."""
    diagonal = np.diag(K)
    known = diagonal[~np.isnan(diagonal)]
    mean = float(known.mean()) if known.size else 0.0
    if mean > 0.0:
        return K / mean, MEAN_DIAGONAL
    largest = float(np.abs(np.nan_to_num(K)).max(initial=0.0))
    return (K / largest if largest > 0.0 else K), LARGEST


def coarse_first(grid: Sequence[float]) -> tuple[float, ...]:
    """Both ends and what lies halfway between those that are there, so that a part of the grid shows the whole curve."""
    order, gaps = [0, len(grid) - 1], [(0, len(grid) - 1)]
    for low, high in gaps:  # which grows
        middle = (low + high + 1) // 2
        if low < middle < high:
            order.append(middle)
            gaps += [(low, middle), (middle, high)]
    return tuple(grid[at] for at in dict.fromkeys(order) if at >= 0)


# φ of the entries of a kernel beside φ of its eigenvalues: what the page Power p draws on the spectrum.


@dataclass(frozen=True, eq=False)
class Calculus(ReadOnlyArrays):
    """One map φ used in two ways, of the known block in the units of `in_units`.

    Attributes
    ----------
    before : Diagnosis
        K.
    entries : Diagnosis
        φ of every entry: other eigenvectors, and in general negative eigenvalues.
    eigenvalues : Diagnosis
        U φ(λ) U': the same eigenvectors, in the same order.
    """

    before: Diagnosis
    entries: Diagnosis
    eigenvalues: Diagnosis

    @property
    def graph(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(k,) eigenvalues of K above rounding, ascending; φ of them; eigenvalues of φ of the entries by rank."""
        before = self.before.eigenvalues
        kept = before > before.size * np.finfo(np.float64).eps * np.abs(before).max()
        return (
            before[kept][::-1],
            self.eigenvalues.eigenvalues[kept][::-1],
            self.entries.eigenvalues[kept][::-1],
        )


def functional_calculus(phi: ElementMap, K: GramMatrix, labels: Labels | None = None) -> Calculus:
    """Apply φ to the entries and to the eigenvalues of the same kernel.

    Parameters
    ----------
    phi : ElementMap
        It does not fall, so that eigenvalues keep their order.
    K : GramMatrix
        Unknown items are left out.

    Raises
    ------
    InvalidInputError
        Nothing known.
    NotPositiveSemidefiniteError
        A similarity that is no kernel; the message names the repair.
    """
    known = np.flatnonzero(K.known)
    if known.size == 0:
        raise InvalidInputError("At least one item has to be known", "none")
    block, _ = in_units(K.values[np.ix_(known, known)])
    y = None if labels is None else labels.y[known]
    made = decompose(block)
    spectral = SpectralMap(phi).fitted(np.ones(known.size, dtype=np.bool_), made)
    return Calculus(
        diagnose(block, y, eigenvalues=made.eigenvalues),
        diagnose(phi.fit(block).apply(block), y),
        diagnose(spectral.apply(block), y, eigenvalues=spectral.repaired),
    )


# Studies of the page Power p. Scripts that were downloaded before this was a folder import from it.


# Where large diagonals come from: kernels that count coincidences of ever more parts, with and without a power of them.
#
# Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, sections 2, 5.

DEGREES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)
LENGTHS = (1, 2, 3, 4, 5, 6)
FROM_ZERO, AROUND_ZERO = "[0, 1]", "[−1, 1]"
SPECTRUM_KERNEL, SUBSEQUENCES = "spectrum kernel", "subsequence kernel"
DECAY = 0.25


@dataclass(frozen=True, eq=False)
class Growth(ReadOnlyArrays):
    """One family of kernels along its parameter.

    Attributes
    ----------
    name : str
    settings : (s,) int
        Degree, or number of letters.
    dominance : (s,) float
        Mean diagonal over mean absolute similarity of two items; inf where all of those are 0.
    plain, mapped : tuple of Losses
        Balanced loss of the SVM on the kernel as it is, and on its empirical map of all points with |x|^p; the same
        folds throughout.
    """

    name: str
    settings: FloatArray
    dominance: FloatArray
    plain: tuple[Losses, ...]
    mapped: tuple[Losses, ...]


def polynomials_of_pixels(
    images: Vectors, labels: Labels, p: float, validation: CrossValidation
) -> tuple[Growth, Growth]:
    """Homogeneous polynomial kernels (x'x' / d)^degree of images with brightness in [0, 1], then in [−1, 1].

    Raises
    ------
    InvalidInputError
        Brightness outside [0, 1], p out of range, or fewer than two classes.
    """
    X = np.asarray(images.values, dtype=np.float64)
    if X.size == 0 or X.min() < 0.0 or X.max() > 1.0:
        raise InvalidInputError(
            "Brightness has to lie in 0 to 1", f"{X.min():g} to {X.max():g}" if X.size else "none"
        )

    def kernels(pixels: FloatArray) -> Iterable[tuple[int, GramMatrix]]:
        # over the number of pixels: a scale that no SVM of this study sees, but that keeps powers in range
        scaled = pixels / np.sqrt(pixels.shape[1])
        for degree in DEGREES:
            yield degree, GramMatrix(Polynomial(degree, 0.0).gram(scaled), images.ids, seen=PAIR)

    equal = equal_items(images)
    return (
        _growth(FROM_ZERO, kernels(X), labels, p, validation, equal),
        _growth(AROUND_ZERO, kernels(2.0 * X - 1.0), labels, p, validation, equal),
    )


def kernels_of_strings(
    strings: Sequences, labels: Labels, p: float, validation: CrossValidation, *, subsequences: bool = True
) -> tuple[Growth, ...]:
    """Kernels that count common words of k letters, and common subsequences of as many letters.

    Parameters
    ----------
    subsequences : bool
        Also the subsequence kernel (decay 1/4), which takes longer on long strings.

    Raises
    ------
    InvalidInputError
        A p out of range, or fewer than two classes.
    """
    spectrum = ((k, Spectrum(k).similarities(strings)) for k in LENGTHS)
    equal = equal_items(strings)
    made = [_growth(SPECTRUM_KERNEL, spectrum, labels, p, validation, equal)]
    if subsequences:
        gapped = ((length, Subsequence(length, DECAY).similarities(strings)) for length in LENGTHS)
        made.append(_growth(SUBSEQUENCES, gapped, labels, p, validation, equal))
    return tuple(made)


def _growth(
    name: str,
    kernels: Iterable[tuple[int, GramMatrix]],
    labels: Labels,
    p: float,
    validation: CrossValidation,
    equal: IntArray | None,
) -> Growth:
    step = EmpiricalMap(SignedPower(p))
    how: Judging | None = None
    settings, dominance, plain, mapped = [], [], [], []
    for setting, K in kernels:
        if how is None:  # one division for all lengths: copies are equal strings
            labels_of(labels, K, named=True)
            how = Judging.of(labels, Protocol(validation), equal=equal)
        settings.append(float(setting))
        dominance.append(dominance_ratio(K.values))
        plain.append(svm_losses(K, how))
        mapped.append(svm_losses(K.then(step), how))
    return Growth(name, np.array(settings), np.array(dominance), tuple(plain), tuple(mapped))
