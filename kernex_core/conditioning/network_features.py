"""The kernel of profiles on a network as a step: columns are scaled anew by the training items of every fold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import units_of_columns
from kernex_core.conditioning.impute import nothing_known
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.inputs.items.match import MatchedFeatures
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import (
    NetworkSpectrum,
    Operator,
    decompose_network,
    decomposing_network,
)
from kernex_core.runtime.progress import Steps, finished

# Profiles on a network: decomposed once, then every parameter of every kernel is a product of the projected profiles.

Scaling = Literal["centred", "standardised"]
SCALINGS: tuple[Scaling, ...] = ("centred", "standardised")
KEPT_BYTES = 48_000_000
"""Projections of so many bytes are kept for the other values of the parameter."""


@dataclass(frozen=True, eq=False)
class Profiles(ReadOnlyArrays):
    """All items after the columns were scaled by some of them.

    Attributes
    ----------
    X : (n, p) float
        What the plain kernel sees.
    Z : (n, N) float
        The same in the basis of the network's eigenvectors: x'K_G x' = z' diag(f) z'.
    eigenvalues : (N,) float
        Of the Laplacian, in the order of Z.
    """

    X: FloatArray
    Z: FloatArray
    eigenvalues: FloatArray

    def similarities(self, kernel: NetworkKernel | None, rows: IntArray, columns: IntArray) -> FloatArray:
        """x'K_G x' between items; of no kernel the plain x'x'."""
        if kernel is None:
            return np.asarray(self.X[rows] @ self.X[columns].T)
        return np.asarray((self.Z[rows] * kernel.weights(self.eigenvalues)) @ self.Z[columns].T)

    def own(self, kernel: NetworkKernel | None, items: IntArray) -> FloatArray:
        """(k,) similarities of items to themselves."""
        if kernel is None:
            return np.asarray((self.X[items] ** 2).sum(axis=1))
        return np.asarray((self.Z[items] ** 2) @ kernel.weights(self.eigenvalues))


@dataclass(frozen=True, eq=False)
class PreparedFeatures(ReadOnlyArrays):
    """Profiles on their network, which is decomposed once.

    Attributes
    ----------
    matched : MatchedFeatures
    operator : {"normalized", "unnormalized"}
        Which Laplacian of the network.
    scaling : {"centred", "standardised"}
        Columns less their mean over the training items, or also divided by their standard deviation (n − 1); unknown
        entries become the mean.
    """

    matched: MatchedFeatures
    operator: Operator = "normalized"
    scaling: Scaling = "centred"

    def __post_init__(self) -> None:
        check_choice("The Laplacian", self.operator, ("normalized", "unnormalized"))
        check_choice("The scaling", self.scaling, SCALINGS)
        super().__post_init__()

    @cached_property
    def spectrum(self) -> NetworkSpectrum:
        """The decomposition; `preparing_features` makes it in steps."""
        return decompose_network(self.matched.network.adjacency, self.operator)

    @cached_property
    def digest(self) -> str:
        """That of the matched profiles, of the matrix that is decomposed, and of the scaling."""
        return digest(self.matched.digest, self.operator, self.scaling)

    @cached_property
    def _known(self) -> dict[bytes, Profiles]:
        return {}

    def take(self, items: ArrayLike) -> PreparedFeatures:
        """Select items; the network is not decomposed again."""
        return _with_spectrum(replace(self, matched=self.matched.take(items)), self.spectrum)

    def scaled_by(self, items: IntArray) -> Profiles:
        """All items, the columns scaled by these."""
        key = np.asarray(items, dtype=np.int64).tobytes()
        found = self._known.get(key)
        if found is None:
            found = self._scaled(items)
            if (len(self._known) + 1) * (found.X.nbytes + found.Z.nbytes) <= KEPT_BYTES:
                self._known[key] = found
        return found

    def _scaled(self, items: IntArray) -> Profiles:
        X = scaled_columns(self.matched.vectors.X, items, self.scaling)
        raw = self._centred_once
        if raw is None:
            return Profiles(X, *projected(self.spectrum, X, self.matched.at))
        # to take off another mean is the same before and after the projection, and there it costs no product
        return Profiles(X, raw.Z - raw.Z[items].mean(axis=0), raw.eigenvalues)

    @cached_property
    def _centred_once(self) -> Profiles | None:
        """Profiles centred by all items; None where a mean is not all that a fold changes."""
        X = self.matched.vectors.X
        if self.scaling != "centred" or np.isnan(X).any():
            return None
        centred = X - X.mean(axis=0)
        return Profiles(centred, *projected(self.spectrum, centred, self.matched.at))


def prepare_features(
    matched: MatchedFeatures, operator: Operator = "normalized", scaling: Scaling = "centred"
) -> PreparedFeatures:
    """Decompose the network once, for every value of every kernel; `preparing_features` to its end."""
    return finished(preparing_features(matched, operator, scaling))


def preparing_features(
    matched: MatchedFeatures, operator: Operator = "normalized", scaling: Scaling = "centred"
) -> Steps[PreparedFeatures]:
    """Decompose the network, in steps of a fraction of a second.

    Parameters
    ----------
    matched : MatchedFeatures
    operator : {"normalized", "unnormalized"}
        Which Laplacian: `kernel.operator`.
    scaling : {"centred", "standardised"}

    Raises
    ------
    InvalidInputError
        Negative weights of edges.
    TooLargeError
        More nodes than are decomposed.
    """
    made = PreparedFeatures(matched, operator, scaling)
    spectrum = yield from decomposing_network(matched.network.adjacency, operator)
    return _with_spectrum(made, spectrum)


def _with_spectrum(prepared: PreparedFeatures, spectrum: NetworkSpectrum) -> PreparedFeatures:
    vars(prepared)["spectrum"] = spectrum  # where cached_property keeps it
    return prepared


def scaled_columns(X: FloatArray, items: IntArray, scaling: Scaling) -> FloatArray:
    """X (n, p) less the column means over the items, unknown entries 0; standardised also over their standard deviation.

    A column that is the same in all of the items has no standard deviation to be divided by: it becomes 0. So does
    one that none of them knows.
    """
    seen = X[items]
    known = ~np.isnan(seen)
    counts = known.sum(axis=0)
    mean = np.where(known, seen, 0.0).sum(axis=0) / np.maximum(counts, 1)
    made = np.where(np.isnan(X), 0.0, X - mean)
    spread = np.where(known, seen - mean, 0.0)
    made[:, counts == 0] = 0.0
    if scaling == "centred":
        return np.asarray(made)
    varies = np.abs(spread).max(axis=0, initial=0.0) > 1e-12 * np.abs(mean)
    units = units_of_columns(spread)
    sd = units * np.sqrt(((spread / units) ** 2).sum(axis=0) / np.maximum(counts - 1, 1))
    return np.asarray(np.where(varies, made / np.where(varies, sd, 1.0), 0.0))


def projected(spectrum: NetworkSpectrum, X: FloatArray, at: IntArray) -> tuple[FloatArray, FloatArray]:
    """(n, N) columns at their nodes, 0 at the others, times the eigenvectors; and the eigenvalues (N,) in their order."""
    column = np.full(spectrum.n, -1)
    column[at] = np.arange(at.size)
    parts, values = [], []
    for block in spectrum.blocks:
        here = np.flatnonzero(column[block.nodes] >= 0)
        parts.append(X[:, column[block.nodes[here]]] @ block.vectors[here])
        values.append(block.eigenvalues)
    alone = spectrum.isolated[column[spectrum.isolated] >= 0]
    parts.append(X[:, column[alone]])
    values.append(np.zeros(alone.size))
    return np.hstack(parts), np.concatenate(values)


def at_nodes(spectrum: NetworkSpectrum, c: FloatArray, at: IntArray) -> FloatArray:
    """(N,) values at the nodes of coefficients c in the order of `projected`."""
    made, start = np.zeros(spectrum.n), 0
    for block in spectrum.blocks:
        made[block.nodes] = block.vectors @ c[start : start + block.nodes.size]
        start += block.nodes.size
    made[np.intersect1d(spectrum.isolated, at)] = c[start:]
    return made


@dataclass(frozen=True)
class FeaturesOnNetwork(Step):
    """k(x, x') = x'K_G x' / m, m the mean self-similarity of the items that it is fitted on.

    It holds the profiles, so it stands first, on a matrix that is unknown everywhere (see `features_kernel`).
    """

    name: ClassVar[str] = "features on a network"
    sees: ClassVar[Sees] = Sees("fitted")
    prepared: PreparedFeatures
    kernel: NetworkKernel | None = None

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedFeatures:
        """See Step.

        Raises
        ------
        InvalidInputError
            Another number of items than profiles, or a kernel that does not exist on this network.
        """
        n = self.prepared.matched.vectors.n
        at = np.arange(K_train.shape[0]) if items is None else np.asarray(items)
        if items is None and at.size != n:
            raise InvalidInputError(
                f"The matrix has to be about the {n} profiles of this step", f"{at.size} items"
            )
        return FittedFeatures(on_spectrum(self.kernel, self.prepared), self.prepared.scaled_by(at), at)

    def take(self, items: IntArray) -> FeaturesOnNetwork:
        """See Step: the profiles follow their items."""
        return replace(self, prepared=self.prepared.take(items))


class FittedFeatures(FittedStep):
    """The kernel of scaled profiles.

    Parameters
    ----------
    kernel : NetworkKernel or None
    profiles : Profiles
        Of all items, scaled by the fitted ones.
    fitted : (n,) int
    """

    def __init__(self, kernel: NetworkKernel | None, profiles: Profiles, fitted: IntArray) -> None:
        self.kernel, self.profiles, self.fitted = kernel, profiles, fitted
        mean = float(profiles.own(kernel, fitted).mean())
        self.unit = mean if mean > 0.0 else 1.0

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        made = self.profiles.similarities(self.kernel, self.fitted, self.fitted) / self.unit
        return np.asarray((made + made.T) / 2.0)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep; the positions of the new items are needed to find their profiles."""
        if items is None:
            raise InvalidInputError(
                "New items of a kernel of profiles have to be items of its data set", "no positions"
            )
        new = np.asarray(items)
        values = self.profiles.similarities(self.kernel, new, self.fitted) / self.unit
        return CrossBlock(values, self.profiles.own(self.kernel, new) / self.unit)


def on_spectrum(kernel: NetworkKernel | None, prepared: PreparedFeatures) -> NetworkKernel | None:
    """The kernel with every parameter set from the network.

    Raises
    ------
    InvalidInputError
        A kernel of another matrix than the one that was decomposed, or one that does not exist on this network.
    """
    if kernel is None:
        return None
    if kernel.operator != prepared.operator:
        raise InvalidInputError(
            f"This kernel needs the decomposition of {kernel.operator!r}",
            f"that of {prepared.operator!r}",
            "Use prepare_features(matched, kernel.operator)",
        )
    return kernel.resolved_on(prepared.spectrum)


def features_kernel(
    prepared: PreparedFeatures, kernel: NetworkKernel | None = None, *, name: str = ""
) -> GramMatrix:
    """Kernel of profiles on a network, x'K_G x', divided by its mean self-similarity; of no kernel the plain x'x'.

    Inside an inductive evaluation the columns are scaled anew by the training items of every fold, so that no tested
    profile has a part in the kernel between others.

    Parameters
    ----------
    prepared : PreparedFeatures
    kernel : NetworkKernel, optional
        Of the Laplacian that was decomposed.
    name : str

    Returns
    -------
    GramMatrix
        Of all items, with `FeaturesOnNetwork` as its first step.

    Raises
    ------
    InvalidInputError
        See `on_spectrum`.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Diffusion, Network, Vectors
    >>> from kernex_core.inputs.items.match import match_features
    >>> from kernex_core.conditioning.network_features import prepare_features
    >>> network = Network(("g", "h"), np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> profiles = Vectors(("s", "t"), np.array([[1.0, 0.0], [-1.0, 0.0]]), ("g", "h"))
    >>> prepared = prepare_features(match_features(profiles, network))
    >>> features_kernel(prepared, Diffusion(tau=1.0)).values.round(6).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    title = name or ("plain" if kernel is None else f"{kernel.title.lower()} of features")
    matched = prepared.matched
    start = nothing_known(matched.vectors.ids, title, set_by_items=matched.varied)
    return start.then(FeaturesOnNetwork(prepared, kernel))
