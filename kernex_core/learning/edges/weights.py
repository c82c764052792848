"""Weights of several kernels of genes, learned from edges among training genes: by alignment or multiple kernel learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import scipy
from scipy.linalg import cho_factor, cho_solve

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.learning.edges.genes import NetworkSide
from kernex_core.learning.mkl.minimise import At, descending

Weighing = Literal["sum", "alignment", "mkl"]
WEIGHINGS: Final[tuple[Weighing, ...]] = ("sum", "alignment", "mkl")
TAU: Final = 10.0
"""Diffusion of the network that weights are learned from."""
STRENGTH: Final = 10.0
"""t λ: at 1 or less noise keeps a weight, at 100 one kernel takes all."""
GAP: Final = 1e-3
_MOST: Final = 1_000


@dataclass(frozen=True, eq=False)
class KernelWeights(ReadOnlyArrays):
    """Weights on the simplex.

    Attributes
    ----------
    eta : (M,) float
    objective, gap : float
        Of the multiple kernel learning; NaN for weights that nothing was minimised for.
    """

    eta: FloatArray
    objective: float = float("nan")
    gap: float = float("nan")


def learned_weights(
    how: Weighing, kernels: Sequence[FloatArray], network: NetworkSide, *, tau: float = TAU
) -> KernelWeights:
    """Learn weights from the training blocks of kernels.

    Parameters
    ----------
    how : {"sum", "alignment", "mkl"}
        Equal ones; non-negative least squares of the network's diffusion kernel on the kernels; or the minimum of
        λ tr((K_η + t λ I)^-1 G) over the simplex: multiple kernel learning with the square loss and one target a gene.
    kernels : sequence of (t, t)
        Centred, with mean diagonal 1.
    network : NetworkSide
    tau : float
    """
    count = len(kernels)
    equal = np.full(count, 1.0 / count)
    if how == "sum" or count == 1:
        return KernelWeights(equal)
    G = network.diffusion(tau)
    if how == "alignment":
        b, _ = scipy.optimize.nnls(np.stack([K.ravel() for K in kernels], axis=1), G.ravel())
        return KernelWeights(b / b.sum() if b.sum() > 0.0 else equal)
    return _minimised(np.stack(kernels), G / float(np.diag(G).mean()), equal)


def _minimised(kernels: FloatArray, G: FloatArray, start: FloatArray) -> KernelWeights:
    t = G.shape[0]
    lam = STRENGTH / t

    def look(eta: FloatArray) -> At:
        K = np.tensordot(eta, kernels, axes=1) + STRENGTH * np.eye(t)
        inverse = cho_solve(cho_factor(K, lower=True), np.eye(t))
        half = inverse @ G
        q = np.einsum("mij,ij->m", kernels, half @ inverse)
        J = lam * float(np.trace(half))
        return At(J, -lam * q, lam * max(float(q.max() - eta @ q), 0.0) / J if J > 0.0 else 0.0, np.empty(0))

    for step, now in enumerate(descending(look, start)):
        if now.at.gap <= GAP or step >= _MOST:
            break
    return KernelWeights(now.weights, now.at.value, now.at.gap)
