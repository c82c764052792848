"""The kernel of profiles on a network as a step: columns are scaled anew by the training items of every fold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.imputed_kernel import nothing_known
from kernex_core.conditioning.projected_features import PreparedFeatures, Profiles
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.kernels.networks.network_kernel import NetworkKernel


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
    >>> from kernex_core.inputs.items.matched_features import match_features
    >>> from kernex_core.conditioning.projected_features import prepare_features
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
