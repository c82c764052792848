"""How pairs of genes are scored, one class each. Every one is fitted on training genes and their edges alone.

Vert and Kanehisa, NIPS 2003 (kernel canonical projection); Vert and Yamanishi, NIPS 2005 (metric learning); Kato, Tsuda
and Asai, Bioinformatics 2005; Bleakley, Biau and Vert, Bioinformatics 2007 (local models); two-step ridge:
Stock, Pahikkala, Airola, De Baets and Waegeman, 2018.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar, Final, Self

import numpy as np
from scipy.linalg import eigh, svd

from kernex_core.frozen import FloatArray
from kernex_core.learning.edges.genes import KernelSide, NetworkSide
from kernex_core.parameters import check_parameters, parameter

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
