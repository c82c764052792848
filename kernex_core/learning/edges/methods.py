"""How pairs of genes are scored, one class each. Every one is fitted on training genes and their edges alone.

Vert and Kanehisa, NIPS 2003 (kernel canonical projection); Vert and Yamanishi, NIPS 2005 (metric learning); Kato, Tsuda
and Asai, Bioinformatics 2005; Bleakley, Biau and Vert, Bioinformatics 2007 (local models); two-step ridge:
Stock, Pahikkala, Airola, De Baets and Waegeman, 2018.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar, Final, Literal, Self

import numpy as np
import scipy
from scipy.linalg import cho_factor, cho_solve, eigh, svd

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.learning.edges.genes import KernelSide, NetworkSide
from kernex_core.learning.mkl.minimise import At, descending
from kernex_core.learning.smo import solve

FEATURES: Final = (2, 3, 5, 10, 20)
"""Numbers of features that are tried inside folds."""


@dataclass(frozen=True)
class EdgeMethod(abc.ABC):
    """Base of the methods: a frozen dataclass whose fields are its parameters.

    Class attributes
    ----------------
    name, title, about, formula : str
    between_new : bool
        Whether pairs of two new genes get a score.
    tried : mapping of str to tuple
        Values of the parameters that are tried where they are chosen inside folds, usual ones among them.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    formula: ClassVar[str]
    between_new: ClassVar[bool] = True
    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {}

    def __post_init__(self) -> None:
        check_parameters(self)

    @abc.abstractmethod
    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """(n, n) scores of pairs, larger = rather an edge; NaN where the method says nothing, and of a gene with itself.

        Of two training genes where no gene is new; what it says of them otherwise is compared with nothing.
        """

    def variants(self, kernel: KernelSide, network: NetworkSide) -> Iterator[tuple[Self, FloatArray]]:
        """Every setting of the parameters that is tried inside folds, with its scores; what they share is done once."""
        for values in product(*self.tried.values()):
            made = replace(self, **dict(zip(self.tried, values, strict=True)))
            yield made, made.scores(kernel, network)


@dataclass(frozen=True)
class Direct(EdgeMethod):
    """K itself: no network is learned from."""

    name: ClassVar[str] = "direct"
    title: ClassVar[str] = "Direct"
    about: ClassVar[str] = "Similar nodes are joined. Nothing is learned from the known edges."
    formula: ClassVar[str] = r"s(x, y) = K(x, y)"

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        return kernel.K


def _features_parameter(default: int) -> int:
    made: int = parameter(
        default, label="Features", symbol="L", help="Directions that nodes are compared in; at most the rank.",
        low=1, high=500, step=1,
    )  # fmt: skip
    return made


@dataclass(frozen=True)
class Spectral(EdgeMethod):
    """Inner product of the first components."""

    features: int = _features_parameter(3)

    name: ClassVar[str] = "spectral"
    title: ClassVar[str] = "Components"
    about: ClassVar[str] = (
        "Nodes alike in the first kernel components are joined. Nothing is learned from known edges."
    )
    formula: ClassVar[str] = r"s(x, y) = \sum_{l \le L} f_l(x) f_l(y)"
    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {"features": FEATURES}

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        f = kernel.projected[:, : self.features] / np.sqrt(kernel.d[: self.features])
        return np.asarray(f @ f.T)


@dataclass(frozen=True)
class CanonicalProjection(EdgeMethod):
    """Kernel canonical correlation of genes and network."""

    tau: float = parameter(
        10.0, label="Diffusion", symbol=r"\tau", help="How far heat spreads on the known network.",
        low=0.0, high=1e3, open_low=True, logarithmic=True,
    )  # fmt: skip
    ridge: float = parameter(
        1.0, label="Ridge of the kernel", symbol=r"\delta_1", help="Holds directions back, in units of the mean diagonal.",
        low=1e-6, high=1e6, logarithmic=True,
    )  # fmt: skip
    network_ridge: float = parameter(
        0.1, label="Ridge of the network", symbol=r"\delta_2", help="The same on the network's side.",
        low=1e-6, high=1e6, logarithmic=True,
    )  # fmt: skip
    features: int = _features_parameter(3)

    name: ClassVar[str] = "kcca"
    title: ClassVar[str] = "Kernel canonical projection"
    about: ClassVar[str] = (
        "Directions along which nodes change as they do on the network; nodes near each other in them are joined."
    )
    formula: ClassVar[str] = (
        r"\max_{a, b} \frac{a' K_1 K_2 b}"
        r"{\sqrt{a'(K_1^2 + \delta_1 K_1) a \; b'(K_2^2 + \delta_2 K_2) b}}, \quad s = \cos(f(x), f(y))"
    )
    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {
        "tau": (1.0, 3.0, 10.0), "ridge": (0.01, 0.1, 1.0, 10.0), "features": FEATURES
    }  # fmt: skip

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        return _cosines(self._features(kernel, network)[:, : self.features])

    def variants(self, kernel: KernelSide, network: NetworkSide) -> Iterator[tuple[Self, FloatArray]]:
        """See EdgeMethod."""
        for tau, ridge in product(self.tried["tau"], self.tried["ridge"]):
            f = replace(self, tau=tau, ridge=ridge)._features(kernel, network)
            for number in FEATURES:
                yield replace(self, tau=tau, ridge=ridge, features=number), _cosines(f[:, :number])

    def _features(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        P = self._directions(kernel, network)[0]
        return np.asarray((kernel.projected / np.sqrt(kernel.d * (kernel.d + self.ridge))) @ P)

    def _directions(self, kernel: KernelSide, network: NetworkSide) -> tuple[FloatArray, FloatArray]:
        d2, U2, level = network.spectrum(self.tau)
        own = np.sqrt(kernel.d / (kernel.d + self.ridge))
        other = np.sqrt(d2 / (d2 + self.network_ridge * level))
        P, rho, _ = svd(own[:, None] * (kernel.U.T @ U2) * other[None, :], full_matrices=False)
        return P, rho


@dataclass(frozen=True)
class MetricLearning(EdgeMethod):
    """Directions along which joined genes are near each other."""

    lam: float = parameter(
        1.0, label="Smoothness", symbol=r"\lambda", help="Holds the directions back.",
        low=1e-6, high=1e6, logarithmic=True,
    )  # fmt: skip
    features: int = _features_parameter(3)

    name: ClassVar[str] = "metric"
    title: ClassVar[str] = "Metric learning"
    about: ClassVar[str] = (
        "Directions along which joined nodes lie close; nodes near each other in them are joined."
    )
    formula: ClassVar[str] = (
        r"\min_f \frac{\sum_{i \sim j} (f_i - f_j)^2 + \lambda |f|^2}{\sum_i f_i^2}, \quad s = -|f(x) - f(y)|^2"
    )
    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {"lam": (0.1, 1.0, 10.0), "features": FEATURES}

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        return _nearness(self._features(kernel, network)[:, : self.features])

    def variants(self, kernel: KernelSide, network: NetworkSide) -> Iterator[tuple[Self, FloatArray]]:
        """See EdgeMethod."""
        for lam in self.tried["lam"]:
            f = replace(self, lam=lam)._features(kernel, network)
            for number in FEATURES:
                yield replace(self, lam=lam, features=number), _nearness(f[:, :number])

    def _features(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        return np.asarray((kernel.projected / kernel.d) @ self._solved(kernel, network)[1])

    def _solved(self, kernel: KernelSide, network: NetworkSide) -> tuple[FloatArray, FloatArray]:
        L = np.diag(network.A.sum(axis=0)) - network.A
        mu, c = eigh(kernel.U.T @ L @ kernel.U + self.lam * np.diag(1.0 / kernel.d))
        return mu, c


@dataclass(frozen=True)
class TwoStepRidge(EdgeMethod):
    """Ridge regression of the adjacency from both sides."""

    lam: float = parameter(
        10.0, label="Ridge", symbol=r"\lambda", help="In units of the mean diagonal.",
        low=1e-6, high=1e6, logarithmic=True,
    )  # fmt: skip

    name: ClassVar[str] = "two_step"
    title: ClassVar[str] = "Two-step ridge"
    about: ClassVar[str] = (
        "Ridge regression of who is joined to whom, for one node of a pair, then for the other; finds unlike partners too."
    )
    formula: ClassVar[str] = r"S = P A P', \quad P = K_{\cdot T} (K_{TT} + \lambda I)^{-1}"
    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {"lam": (0.1, 1.0, 10.0, 100.0)}

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        P = (kernel.projected / (kernel.d + self.lam)) @ kernel.U.T
        S = P @ network.A @ P.T
        return np.asarray((S + S.T) / 2.0)


def _cosines(f: FloatArray) -> FloatArray:
    sizes = np.linalg.norm(f, axis=1, keepdims=True)
    unit = np.divide(f, sizes, out=np.zeros_like(f), where=sizes > 0.0)
    return np.asarray(unit @ unit.T)


def _nearness(f: FloatArray) -> FloatArray:
    own = (f * f).sum(axis=1)
    S = np.minimum(2.0 * f @ f.T - own[:, None] - own[None, :], 0.0)
    return np.asarray((S + S.T) / 2.0)


# A support vector machine in which edges and pairs without one weigh the same, however few edges there are.

ITERATIONS: Final = 100_000
"""Of each machine: on a kernel with many equal rows the solver need not end."""
TOLERANCE: Final = 1e-4
"""Largest violation of the optimality conditions, in units of the margin."""
_AT_BOUND: Final = 1e-8
"""Share of the cost of an item within which its coefficient is at a bound."""


@dataclass(frozen=True, eq=False)
class BalancedMachine(ReadOnlyArrays):
    """A decision function f(x) = Σ_i beta_i k(x, x_i) + offset.

    Attributes
    ----------
    beta : (m,) float
        Above 0 for edges, below 0 for pairs without one.
    offset : float
        The middle of its interval where no support vector is free.
    """

    beta: FloatArray
    offset: float


def balanced_machine(K: FloatArray, joined: BoolArray, C: float) -> BalancedMachine:
    """Fit a C-SVM on K (m, m) with class weights m / (2 m_c); `joined` (m,) has both values."""
    edges, size = int(joined.sum()), joined.size
    edge, other = C * size / (2.0 * edges), C * size / (2.0 * (size - edges))
    beta, offset = _solved(K, joined, edge, other)
    middle = _middle(K, joined, beta, np.abs(beta) / np.where(joined, edge, other))
    return BalancedMachine(beta, offset if middle is None else middle)


def _solved(K: FloatArray, joined: BoolArray, edge: float, other: float) -> tuple[FloatArray, float]:
    """Coefficients and offset with these costs; thousands of small machines, of which LIBSVM's checks take most."""
    y, beta, work = np.where(joined, 1.0, -1.0), np.zeros(joined.size), np.empty(joined.size)
    values, ridge = np.require(K, requirements=["C", "W"]), np.zeros(joined.size)
    offset, *_ = solve(values, y, ridge, edge, other, TOLERANCE, ITERATIONS, beta, work)
    return beta, float(offset)


def _middle(K: FloatArray, joined: BoolArray, beta: FloatArray, share: FloatArray) -> float | None:
    """Return the middle of the offsets that are as good as each other, or None where a support vector is free.

    With a small cost all coefficients are at a bound: those of both classes add up to the same. LIBSVM then takes one that
    misses its bound by rounding for free, and the offset from it: which one depends on the order of the items.
    """
    used = share >= 1.0 - _AT_BOUND
    if (~used & (share > _AT_BOUND)).any():
        return None
    margins = np.where(joined, 1.0, -1.0) - K @ beta
    above = margins[used != joined]  # the offset is at least these, and at most the others
    below = margins[used == joined]
    return float(above.max() + below.min()) / 2.0


PARTS: Final = 5
"""Into which the other genes of a known gene are divided, where two known genes are scored."""


@dataclass(frozen=True)
class LocalModels(EdgeMethod):
    """One support vector machine a known gene.

    A pair of two known genes is scored where no gene is new: each of both genes scores the other by a machine that was not
    trained on their pair, nor on a fifth of its pairs with it, and the score is the mean of both (as by Bleakley, Biau and
    Vert for two machines that score one pair). A machine that was trained on a pair says back what it was told.
    """

    C: float = parameter(
        1.0, label="C", symbol="C", help="Cost of an edge on the wrong side; both classes weigh the same.",
        low=1e-6, high=1e6, logarithmic=True,
    )  # fmt: skip

    name: ClassVar[str] = "local"
    title: ClassVar[str] = "Local models"
    about: ClassVar[str] = (
        "For each known node a machine (C-SVM) learns which nodes are joined to it. Two new nodes get no score; two known "
        "ones the mean of both, each by a machine that left their pair out, with a fifth of its pairs."
    )
    formula: ClassVar[str] = r"s(i, x) = f_i(x), \quad f_i \text{ learned from row } i \text{ of } A"
    between_new: ClassVar[bool] = False
    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {"C": (0.1, 1.0, 10.0)}

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        return self._between_known(kernel, network) if kernel.test.size == 0 else self._new(kernel, network)

    def _new(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        S, places = np.full(kernel.K.shape, np.nan), np.arange(kernel.train.size)
        for row, gene in enumerate(kernel.train.tolist()):
            values = self._of_one(kernel, network.A[row] > 0.0, np.delete(places, row), kernel.test)
            S[gene, kernel.test], S[kernel.test, gene] = values, values
        return S

    def _between_known(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        S, places = np.full(kernel.K.shape, np.nan), np.arange(kernel.train.size)
        for row, gene in enumerate(kernel.train.tolist()):
            others = np.random.default_rng(3000 + row).permutation(np.delete(places, row))
            for part in range(min(PARTS, others.size)):
                asked = others[part::PARTS]
                learned = np.setdiff1d(others, asked)
                S[gene, kernel.train[asked]] = self._of_one(
                    kernel, network.A[row] > 0.0, learned, kernel.train[asked]
                )
        return np.asarray((S + S.T) / 2.0)

    def _of_one(
        self, kernel: KernelSide, joined: BoolArray, learned: IntArray, asked: IntArray
    ) -> FloatArray:
        """Decision values of genes by the machine of one gene, trained on the pairs with others at places `learned`."""
        y, genes = joined[learned], kernel.train[learned]
        edges, size = int(y.sum()), y.size
        if edges in (0, size):
            return np.full(asked.size, 1.0 if edges else -1.0)
        machine = balanced_machine(kernel.K[np.ix_(genes, genes)], y, self.C)
        return np.asarray(kernel.K[np.ix_(asked, genes)] @ machine.beta + machine.offset)


# One support vector machine on pairs of genes, by a kernel between pairs.
#
# Ben-Hur and Noble, Kernel methods for predicting protein-protein interactions, Bioinformatics 2005 (products); Vert,
# Qiu and Noble, A new pairwise kernel for biological network inference with support vector machines, BMC Bioinformatics
# 2007.

MOST: Final = 3_000
"""Pairs that are learned from: their kernel takes 72 MB."""


@dataclass(frozen=True)
class PairwiseMachine(EdgeMethod):
    """One support vector machine on pairs."""

    pairs: str = parameter(
        "differences", label="Kernel of pairs", choices=("differences", "products"),
        help="Differences: two pairs are alike where their genes differ in like ways. Products: where the genes of one are "
        "like those of the other, in either order.",
    )  # fmt: skip
    C: float = parameter(
        1.0,
        label="C",
        symbol="C",
        help="Cost of a pair on the wrong side; both classes weigh the same.",
        low=1e-6,
        high=1e6,
        logarithmic=True,
    )
    negatives: int = parameter(
        4, label="Pairs without an edge", help="Drawn by the seed, so many an edge.", low=1, high=50, step=1
    )
    seed: int = parameter(
        0, label="Seed", help="Of the pairs without an edge.", low=0, high=2**31 - 1, step=1
    )

    name: ClassVar[str] = "pairwise"
    title: ClassVar[str] = "Pairwise machine"
    about: ClassVar[str] = (
        "One machine (C-SVM) tells pairs with an edge from some drawn without one, by a kernel between pairs."
    )
    formula: ClassVar[str] = (
        r"k\big((a, b), (c, d)\big) = (K_{ac} - K_{ad} - K_{bc} + K_{bd})^2 "
        r"\quad\text{or}\quad K_{ac} K_{bd} + K_{ad} K_{bc}"
    )

    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {"C": (0.1, 1.0, 10.0)}

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        a, b, joined = self._learned_from(network.A)
        if joined.all():  # every pair is an edge
            return np.ones(kernel.K.shape)
        left, right = kernel.K[kernel.train[a]], kernel.K[kernel.train[b]]
        # a score is a quadratic form: Σ β k(p, (x, y)) needs one product of (n, P) by (P, n) for all pairs at once
        own = kernel.train
        found = balanced_machine(self._kernel(left[:, own], right[:, own], a, b), joined, self.C)
        beta, offset = found.beta, found.offset
        if self.pairs == "products":
            S = left.T @ (beta[:, None] * right)
            return np.asarray(S + S.T + offset)
        D = left - right
        squares = beta @ (D * D)
        S = squares[:, None] + squares[None, :] - 2.0 * D.T @ (beta[:, None] * D)
        return np.asarray((S + S.T) / 2.0 + offset)

    def _kernel(self, left: FloatArray, right: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
        if self.pairs == "products":
            return np.asarray(left[:, a] * right[:, b] + left[:, b] * right[:, a])
        D = left - right
        return np.asarray((D[:, a] - D[:, b]) ** 2)

    def _learned_from(self, A: FloatArray) -> tuple[IntArray, IntArray, BoolArray]:
        """Ends of the pairs, as rows of A, and whether they are joined: all edges, or as many as there is room for."""
        rows, columns = np.triu_indices(A.shape[0], 1)
        joined = A[rows, columns] > 0.0
        rng = np.random.default_rng(self.seed)
        edges, others = (rng.permutation(np.flatnonzero(which)) for which in (joined, ~joined))
        edges = edges[: max(MOST // (1 + self.negatives), 1)]
        chosen = np.concatenate([edges, others[: self.negatives * edges.size]])
        return rows[chosen], columns[chosen], joined[chosen]


# EDGE_METHODS: how pairs of genes are scored, one line each.

EDGE_METHODS: Final[tuple[type[EdgeMethod], ...]] = (
    CanonicalProjection,
    MetricLearning,
    TwoStepRidge,
    LocalModels,
    PairwiseMachine,
    Spectral,
    Direct,
)


# Weights of several kernels of genes, learned from edges among training genes: by alignment or multiple kernel learning.

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
