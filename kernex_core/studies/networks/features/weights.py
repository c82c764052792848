"""The weights that a classifier gives to the nodes: how smooth they are on the network, and what they agree with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.conditioning.network_features import FittedFeatures, on_spectrum
from kernex_core.conditioning.projected_features import PreparedFeatures, at_nodes
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.learning.coded import code_labels
from kernex_core.learning.svm import FINE_TOLERANCE, fit_one_vs_rest


@dataclass(frozen=True, eq=False)
class NodeWeights(ReadOnlyArrays):
    """Weights of a linear classifier on the nodes, trained on all labelled items: for looking, not for judging.

    Attributes
    ----------
    kernel : NetworkKernel or None
        None: the plain kernel.
    of : str
        The class that a positive weight speaks for.
    beta : (N,) float
        β = K_G X'α / m: the decision value is x'β + b for columns scaled as in training; 0 at nodes that the plain kernel
        knows nothing of.
    bias : float
    roughness : float
        β'Lβ / β'β, between 0 and the largest eigenvalue of L: 0 where weights follow the network, NaN where all are 0.
    decisions : (n,) float
        x'β + b of every item, labelled or not.
    """

    kernel: NetworkKernel | None
    of: str
    beta: FloatArray
    bias: float
    roughness: float
    decisions: FloatArray


def node_weights(
    prepared: PreparedFeatures,
    kernel: NetworkKernel | None,
    labels: Labels,
    *,
    C: float = 1.0,
    of: str = "",
) -> NodeWeights:
    """Train a C-SVM on all labelled items and lay its weights on the nodes.

    Parameters
    ----------
    prepared : PreparedFeatures
    kernel : NetworkKernel or None
        None: the plain kernel.
    labels : Labels
    C : float
        Above 0, for the kernel divided by its mean self-similarity.
    of : str
        One class against all others; "" = the largest.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, no such class, or whatever `on_spectrum` refuses.
    """
    coded = code_labels(labels.y)
    name = of or coded.classes[0]
    if name not in coded.classes:
        raise InvalidInputError(f"Weights speak for one of {', '.join(coded.classes)}", repr(of))
    items = np.flatnonzero(coded.codes >= 0)
    made, profiles = on_spectrum(kernel, prepared), prepared.scaled_by(items)
    fitted = FittedFeatures(made, profiles, items)
    K = fitted.apply(np.empty((0, 0)))
    machine = fit_one_vs_rest(
        K, coded.codes[items], len(coded.classes), C=C, tolerance=FINE_TOLERANCE, checked=True
    )
    c = coded.classes.index(name)
    alpha, bias = machine.coefficients[c] / fitted.unit, float(machine.bias[c])
    spectral = profiles.Z[items].T @ alpha
    if made is not None:
        spectral = made.weights(profiles.eigenvalues) * spectral
        beta = at_nodes(prepared.spectrum, spectral, prepared.matched.at)
    else:
        beta = np.zeros(prepared.spectrum.n)
        beta[prepared.matched.at] = profiles.X[items].T @ alpha
    norm = float(spectral @ spectral)
    roughness = float((profiles.eigenvalues * spectral) @ spectral) / norm if norm > 0.0 else float("nan")
    decisions = profiles.X @ beta[prepared.matched.at] + bias
    return NodeWeights(kernel, name, beta, bias, roughness, decisions)
