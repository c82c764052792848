"""Accuracy of profiles on a network against the parameter, beside the plain kernel on the same folds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.conditioning.network_features import (
    FittedFeatures,
    PreparedFeatures,
    at_nodes,
    features_kernel,
    on_spectrum,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.learning.chance.interval import Interval, Passes
from kernex_core.learning.chance.paired import Paired, paired
from kernex_core.learning.chance.tried import NestedChoice, Tried, choice_among, same_in_all, tried_in_folds
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import Comparison, compare, judged_verdict
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.machine import FINE_TOLERANCE, TOLERANCE, UNSCALED, code_labels, fit_one_vs_rest
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.networks.study import JudgedKernels, along_of, value_name

PLAIN: Final = "plain kernel"
"""What the profiles without the network are called in a verdict."""


@dataclass(frozen=True, eq=False)
class Claim(EqualByContent):
    """What may be said of a parameter that was chosen inside every training fold, beside the plain kernel.

    Attributes
    ----------
    chosen, plain : float
        Mean accuracies on the same folds.
    paired : Paired
        The chosen less the plain.
    """

    chosen: float
    plain: float
    paired: Paired

    @property
    def difference(self) -> float:
        """The chosen less the plain."""
        return self.paired.difference

    @property
    def interval(self) -> Interval:
        """Of the difference, for other data sets of this size."""
        return self.paired.interval


@dataclass(frozen=True, eq=False)
class FeatureSweep(JudgedKernels, ReadOnlyArrays):
    """Accuracies that are known so far, all on the same folds, every column scaled by the training items alone.

    Attributes
    ----------
    plain : Judgement
        x'x' of the same profiles.
    kernels : tuple of NetworkKernel
    judged : tuple of Judgement
    compared : tuple of Comparison
        Each with the plain kernel: without a correction for how many were looked at.
    nested : NestedChoice or None
        The choice among those that are done, made again inside every training fold.
    claim : Claim or None
        That choice beside the plain kernel.
    failed : tuple of (NetworkKernel, str)
    done, total : int
        The plain kernel counts.
    seconds : float
    """

    plain: Judgement
    kernels: tuple[NetworkKernel, ...]
    judged: tuple[Judgement, ...]
    compared: tuple[Comparison, ...]
    nested: NestedChoice | None
    claim: Claim | None
    failed: tuple[tuple[NetworkKernel, str], ...]
    done: int
    total: int
    seconds: float = field(compare=False)

    def verdict(self, names: Sequence[str] = ()) -> Verdict | None:
        """Which is best: every value, and the plain kernel as the baseline; None before all are done."""
        if self.done < self.total or not self.judged:
            return None
        return judged_verdict({PLAIN: self.plain, **self.by_name(names)}, plain=[PLAIN])


def sweeping_features(
    prepared: PreparedFeatures,
    kernels: Sequence[NetworkKernel],
    labels: Labels,
    validation: CrossValidation,
) -> Iterator[FeatureSweep]:
    """Judge the plain kernel and then one kernel after another; a state each.

    Parameters
    ----------
    prepared : PreparedFeatures
    kernels : sequence of NetworkKernel
        Of the Laplacian that was decomposed.
    labels : Labels
        Of the items; "" = in no fold.
    validation : CrossValidation
        Folds, repetitions, seed and C. It is inductive whatever it says.

    Raises
    ------
    InvalidInputError
        No kernel, fewer than two classes, or labels of other items.
    """
    started = time.perf_counter()
    if not kernels:
        raise InvalidInputError("A sweep needs at least one kernel", "none")
    validation = replace(validation, inductive=True)
    base = features_kernel(prepared)
    how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=(base,))
    plain_tried, tried = tried_alone(base, how), []
    made = FeatureSweep(
        judge(base, labels, validation, copies=how.copies), (), (), (), None, None, (), 1, len(kernels) + 1,
        time.perf_counter() - started,
    )  # fmt: skip
    yield made
    for kernel in kernels:
        try:
            K = features_kernel(prepared, kernel)
        except InvalidInputError as error:  # one value may be beyond its bound where the others are not
            made = replace(made, failed=(*made.failed, (kernel, str(error))))
        else:
            one = judge(K, labels, validation, copies=how.copies)
            tried.append(tried_alone(K, how))
            made = replace(
                made, kernels=(*made.kernels, kernel), judged=(*made.judged, one),
                compared=(*made.compared, compare(one, made.plain)),
            )  # fmt: skip
            spent = time.perf_counter() - started
            names = tuple(map(value_name, made.kernels))
            along = along_of(made.kernels)
            nested = choice_among(names, tried, how, "multi_class", len(kernels), spent, along=along)
            made = replace(made, nested=nested, claim=claim_of(nested, plain_tried, how))
        made = replace(made, done=made.done + 1, seconds=time.perf_counter() - started)
        yield made


def claim_of(nested: NestedChoice, plain: Tried, how: Judging) -> Claim:
    """A nested choice beside a kernel that nothing was chosen for, item by item."""
    labelled = np.flatnonzero(how.coded.codes >= 0)
    beside = plain.items[:, labelled]
    return Claim(
        nested.mean,
        float(beside.mean()),
        paired(
            nested.by_item,
            beside,
            Passes(nested.n_folds, len(beside)),
            groups=None if how.groups is None else how.groups[labelled],
        ),
    )


def tried_alone(K: GramMatrix, how: Judging) -> Tried:
    """A kernel with nothing to choose, in every fold."""
    return tried_in_folds(same_in_all(partial(split_inductively, K)), how, "multi_class", TOLERANCE)


# The weights that a classifier gives to the nodes: how smooth they are on the network, and what they agree with.


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
