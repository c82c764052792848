"""Diffusion on a network: decomposed once, then every τ is one scaled product."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, method
from kernex_core.gram.seen import ITEMS
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import (
    NetworkSpectrum,
    Operator,
    check_edge_weights,
    decomposing_network,
)
from kernex_core.learning.chance.tried import (
    Along,
    NestedChoice,
    Tried,
    choice_among,
    same_in_all,
    tried_in_folds,
)
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import NAN, Judgement
from kernex_core.learning.machine import TOLERANCE, UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.runtime.progress import Steps, finished

TAUS: Final = (0.0, 0.1, 0.3, 1.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0, 50.0, 200.0)
"""Values of τ that accuracy is drawn against."""


@dataclass(frozen=True, eq=False)
class PreparedNetwork(ReadOnlyArrays):
    """A network with its decomposition, from which every kernel of the same matrix follows.

    Attributes
    ----------
    network : Network
    spectrum : NetworkSpectrum
    """

    network: Network
    spectrum: NetworkSpectrum

    @property
    def digest(self) -> str:
        """That of the network, and which of its matrices was decomposed."""
        return f"{self.network.digest}-{self.spectrum.operator}"

    def gram(self, kernel: NetworkKernel) -> GramMatrix:
        """A kernel of all nodes with ids and recipe, made from the decomposition.

        Raises
        ------
        InvalidInputError
            A kernel of another matrix of the network, or a parameter beyond its bound.
        """
        made = kernel.resolved_on(self.spectrum)
        name = made.title.lower()
        recipe = method(name, made, "similarities", self.network) if self.network.recipe else None
        return GramMatrix(made.on(self.spectrum), self.network.ids, name, recipe, ITEMS)


@dataclass(frozen=True, eq=False)
class NetworkView(ReadOnlyArrays):
    """What a page shows of one kernel.

    Attributes
    ----------
    kernel : NetworkKernel
        With every parameter set.
    gram : GramMatrix
    eigenvalues : (n,) float
        x of the decomposed matrix, ascending.
    weights : (n,) float
        f(x): e^(−τx) for diffusion.
    node : int
    column : (n,) float
        k(·, node).
    nearest : (n − 1,) int
        The other nodes, the most similar first.
    bound : float
        Where the slider of the parameter ends; infinite: nowhere.
    remarks : tuple of str
    """

    kernel: NetworkKernel
    gram: GramMatrix
    eigenvalues: FloatArray
    weights: FloatArray
    node: int
    column: FloatArray
    nearest: IntArray
    bound: float
    remarks: tuple[str, ...]


def prepare_network(network: Network, operator: Operator = "normalized") -> PreparedNetwork:
    """Decompose a network once, for every value of every kernel of that matrix; `preparing_network` to its end.

    Examples
    --------
    >>> from kernex_core import load_dataset, prepare_network
    >>> prepared = prepare_network(load_dataset("karate_club").samples["network"])
    >>> prepared.spectrum.eigenvalues[:2].round(3).tolist()
    [0.0, 0.11]
    """
    return finished(preparing_network(network, operator))


def preparing_network(network: Network, operator: Operator = "normalized") -> Steps[PreparedNetwork]:
    """Decompose a network, in steps of a fraction of a second.

    Parameters
    ----------
    network : Network
    operator : {"normalized", "unnormalized", "adjacency"}
        What the kernels to come are made of: `kernel.operator`.

    Raises
    ------
    InvalidInputError
        Negative weights under a Laplacian.
    TooLargeError
        More nodes than are decomposed; `chosen_columns` then serves single nodes.

    Examples
    --------
    >>> from kernex_core import load_dataset, preparing_network
    >>> [share <= 1.0 for share in preparing_network(load_dataset("karate_club").samples["network"])]
    [True]
    """
    if operator != "adjacency":
        check_edge_weights(network.adjacency, network.ids)  # where an edge is named by the ids of its nodes
    spectrum = yield from decomposing_network(network.adjacency, operator)
    return PreparedNetwork(network, spectrum)


def view_network(prepared: PreparedNetwork, kernel: NetworkKernel, node: int = 0) -> NetworkView:
    """What a page shows of one kernel: one scaled product.

    Parameters
    ----------
    prepared : PreparedNetwork
    kernel : NetworkKernel
        Of the matrix that was decomposed; Diffusion(tau) for the slider τ.
    node : int
        Whose column is shown.

    Raises
    ------
    InvalidInputError
        No such node, or whatever `PreparedNetwork.gram` refuses.

    Examples
    --------
    >>> from kernex_core import Diffusion, load_dataset, prepare_network, view_network
    >>> prepared = prepare_network(load_dataset("florentine_families").samples["network"])
    >>> found = view_network(prepared, Diffusion(tau=1.0), node=1)
    >>> found.gram.ids[found.node], [found.gram.ids[k] for k in found.nearest[:2]]
    ('Medici', ['Acciaiuoli', 'Salviati'])
    """
    n = prepared.network.n
    if not 0 <= node < n:
        raise InvalidInputError(f"The chosen node has to lie in 0 to {n - 1}", str(node))
    gram = prepared.gram(kernel)
    made = kernel.resolved_on(prepared.spectrum)
    column = gram.values[:, node]
    order = np.argsort(-column, kind="stable")
    eigenvalues = prepared.spectrum.eigenvalues
    return NetworkView(
        made,
        gram,
        eigenvalues,
        made.weights(eigenvalues),
        node,
        column,
        order[order != node],
        made.bound_on(prepared.spectrum),
        made.remarks(prepared.network.adjacency),
    )


def diffusions_of(prepared: PreparedNetwork, taus: tuple[float, ...] = TAUS) -> tuple[Diffusion, ...]:
    """Diffusion kernels of the Laplacian that was decomposed.

    Raises
    ------
    InvalidInputError
        The adjacency matrix was decomposed.

    Examples
    --------
    >>> from kernex_core import diffusions_of, load_dataset, prepare_network
    >>> prepared = prepare_network(load_dataset("karate_club").samples["network"], "unnormalized")
    >>> diffusions_of(prepared, (2.0,))
    (Diffusion(tau=2.0, laplacian='unnormalized'),)
    """
    laplacian = prepared.spectrum.operator
    if laplacian == "adjacency":
        raise InvalidInputError(
            "Diffusion needs a Laplacian", "the adjacency matrix", "Prepare the network anew"
        )
    return tuple(Diffusion(tau, laplacian) for tau in taus)


# Accuracy against τ: every value on the same folds from one decomposition, and the choice among them, judged.

TRANSDUCTIVE = (
    "Transductive: the kernel is made of the whole network, also of nodes that are tested, but never of their labels.",
)


class JudgedKernels:
    """Kernels of one network that were judged on the same folds."""

    kernels: tuple[NetworkKernel, ...]
    judged: tuple[Judgement, ...]

    @property
    def best(self) -> NetworkKernel:
        """The kernel that looks best on the test folds: too optimistic to be reported without `nested`."""
        return self.kernels[int(np.argmax([one.multi_class.mean for one in self.judged]))]

    def by_name(self, names: Sequence[str] = ()) -> dict[str, Judgement]:
        """Judgements by the names of their kernels, by default see `value_name`; those that share one are counted."""
        called = tuple(names) or tuple(map(value_name, self.kernels))
        if len(set(called)) < len(called):  # values that differ in digits which a name does not have
            called = tuple(f"{name}, value {place}" for place, name in enumerate(called, 1))
        return dict(zip(called, self.judged, strict=True))

    def curve(
        self, measure: Literal["multi_class", "auc", "balanced"] = "multi_class"
    ) -> tuple[FloatArray, FloatArray]:
        """(n_done,) means and their standard deviations over repetitions (over folds if there is one)."""
        scores = [getattr(one, measure) for one in self.judged]
        sds = [score.sd_folds if np.isnan(score.sd_repeats) else score.sd_repeats for score in scores]
        return np.array([score.mean for score in scores]), np.array(sds)


@dataclass(frozen=True, eq=False)
class NetworkSweep(JudgedKernels, ReadOnlyArrays):
    """Accuracies that are known so far, all on the same folds.

    Attributes
    ----------
    kernels : tuple of NetworkKernel
        Those that are done, in order.
    judged : tuple of Judgement
        One a kernel, each divided by its mean diagonal.
    nested : NestedChoice or None
        The choice among those that are done, made again inside every training fold.
    failed : tuple of (NetworkKernel, str)
        Kernels that could not be judged, and why.
    notes : tuple of str
    mode : {"transductive"}
    done, total : int
    seconds : float
    """

    kernels: tuple[NetworkKernel, ...]
    judged: tuple[Judgement, ...]
    nested: NestedChoice | None
    failed: tuple[tuple[NetworkKernel, str], ...]
    notes: tuple[str, ...]
    done: int
    total: int
    seconds: float = field(compare=False)
    mode: Literal["transductive"] = "transductive"

    @property
    def floor(self) -> float:
        """Accuracy of always naming the largest class."""
        return self.judged[0].multi_class.floor if self.judged else NAN

    def verdict(self, measure: str = "multi_class", names: Sequence[str] = ()) -> Verdict | None:
        """Which value is best, and who is told apart from it: all are candidates; None before all are done, and of one."""
        if self.done < self.total or len(self.judged) < 2:
            return None
        return judged_verdict(self.by_name(names), measure)

    def reach(self) -> FloatArray:
        """(2, n_done) how far its interval goes below and above the accuracy."""
        ends = []
        for one in self.judged:
            found, mean = one.interval(), one.multi_class.mean
            ends.append((NAN, NAN) if found is None else (mean - found.low, found.high - mean))
        return np.array(ends).reshape(-1, 2).T


def sweeping_network(
    prepared: PreparedNetwork,
    kernels: Sequence[NetworkKernel],
    labels: Labels,
    validation: CrossValidation,
) -> Iterator[NetworkSweep]:
    """Judge one kernel after another; a state a kernel, the choice among them in each.

    Every kernel is divided by its mean self-similarity, so that C means the same at every τ.

    Parameters
    ----------
    prepared : PreparedNetwork
    kernels : sequence of NetworkKernel
        Of the matrix that was decomposed; `diffusions_of(prepared)` for accuracy against τ.
    labels : Labels
        Of the nodes; "" = in no fold.
    validation : CrossValidation
        Folds, repetitions, seed and C. It is transductive whatever it says.

    Raises
    ------
    InvalidInputError
        No kernel, fewer than two classes, or labels of other items.

    Examples
    --------
    >>> from kernex_core import CrossValidation, diffusions_of, load_dataset, prepare_network, sweeping_network
    >>> data = load_dataset("karate_club")
    >>> prepared = prepare_network(data.samples["network"])
    >>> *_, found = sweeping_network(prepared, diffusions_of(prepared, (0.5, 2.0)), data.labels, CrossValidation(C=1.0))
    >>> found.done, found.floor, found.best.tau, found.mode
    (2, 0.5, 2.0, 'transductive')
    """
    started = time.perf_counter()
    if not kernels:
        raise InvalidInputError("A sweep needs at least one kernel", "none")
    validation = replace(validation, inductive=False)
    how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=_first_of(prepared, kernels))
    made = NetworkSweep((), (), None, (), TRANSDUCTIVE, 0, len(kernels), 0.0)
    tried: list[Tried] = []
    for kernel in kernels:
        try:
            K = scaled(prepared.gram(kernel))
        except InvalidInputError as error:  # one value may be beyond its bound where the others are not
            made = replace(made, failed=(*made.failed, (kernel, str(error))))
        else:
            one = judge(K, labels, validation, copies=how.copies)
            candidate = same_in_all(partial(cut_blocks, K.values))
            tried.append(tried_in_folds(candidate, how, "multi_class", TOLERANCE))
            made = replace(made, kernels=(*made.kernels, kernel), judged=(*made.judged, one))
            names = tuple(map(value_name, made.kernels))
            spent = time.perf_counter() - started
            nested = choice_among(
                names, tried, how, "multi_class", len(kernels), spent, along=along_of(made.kernels)
            )
            made = replace(made, nested=nested)
        made = replace(made, done=made.done + 1, seconds=time.perf_counter() - started)
        yield made


def _first_of(prepared: PreparedNetwork, kernels: Sequence[NetworkKernel]) -> tuple[GramMatrix, ...]:
    """The first kernel, in which copies are looked for: all are functions of one matrix with values above 0, and what one
    of them tells apart the others do; at a large τ only their digits do not.
    """
    try:
        return (scaled(prepared.gram(kernels[0])),)
    except InvalidInputError:  # beyond its bound; it is told where it is judged
        return ()


def scaled(K: GramMatrix) -> GramMatrix:
    """A kernel divided by its mean self-similarity."""
    mean = float(np.diag(K.values).mean())
    origin = call(K.name, "scaled", K)
    return GramMatrix(
        K.values / mean if mean > 0.0 else K.values, K.ids, K.name, origin, K.has_seen() | ITEMS
    )


def along_of(kernels: Sequence[NetworkKernel]) -> Along | None:
    """The parameter that kernels of a sweep differ in, by which the end of its grid is told; None where there is none."""
    own = [name for name, value in vars(kernels[0]).items() if isinstance(value, int | float)]
    if not own or any(type(kernel) is not type(kernels[0]) for kernel in kernels):
        return None
    described = parameters(type(kernels[0]))[own[0]]
    letter = {"tau": "τ", "lam": "λ"}.get(own[0], own[0])
    values = tuple(float(getattr(kernel, own[0])) for kernel in kernels)
    return Along(letter, values, described.low, described.high)


def value_name(kernel: NetworkKernel) -> str:
    """What tells a kernel from the others of a sweep: the value of its first parameter that is a number."""
    own = [f"{name} = {value:g}" for name, value in vars(kernel).items() if isinstance(value, int | float)]
    return own[0] if own else kernel.title
