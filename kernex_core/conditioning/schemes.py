"""Scheme: a map φ of single similarities inside a construction that leaves a kernel. SCHEMES: one line a scheme."""

from __future__ import annotations

import abc
from typing import ClassVar

from kernex_core.base.parameters import check_choice
from kernex_core.conditioning.empirical_map import EmpiricalMap, StandardisedMap
from kernex_core.conditioning.power import ElementMap, SpectralMap, SquareRootMap
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.step import Step


class Scheme(abc.ABC):
    """Base of the schemes: what is done with a map φ so that the result is positive semidefinite.

    Class attributes
    ----------------
    name : str
        What pages call it; it stands in addresses and in downloaded scripts.
    formula : str
        TeX.
    summary : str
        One sentence, shown beside the choice.
    source : str
        Where it is defined.
    takes_indefinite : bool
        A similarity that is no kernel can go in; otherwise it is refused, and the message names the repair.
    takes_new_items : bool
        Fitted on training items it has values for others; otherwise it can only be judged transductively.
    keeps_kernels : bool
        With φ(x) = x a kernel comes out as it went in; otherwise as another one (its square, say).
    repairs : bool
        Its last step is a repair, without which the entries are φ of those before.
    """

    name: ClassVar[str]
    formula: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str] = "Schoelkopf et al. 2002, section 3"
    takes_indefinite: ClassVar[bool] = True
    takes_new_items: ClassVar[bool] = True
    keeps_kernels: ClassVar[bool] = False
    repairs: ClassVar[bool] = False

    @abc.abstractmethod
    def steps(self, phi: ElementMap) -> tuple[Step, ...]:
        """Return what is done to a kernel, in order."""


class EmpiricalScheme(Scheme):
    """Rows of similarities, mapped by φ, are features; see EmpiricalMap."""

    name: ClassVar[str] = "empirical map"
    formula: ClassVar[str] = r"\varphi(K)\,\varphi(K)^\top"
    summary: ClassVar[str] = "φ of the rows of similarities are features."

    def steps(self, phi: ElementMap) -> tuple[Step, ...]:
        """See Scheme."""
        return (EmpiricalMap(phi),)


class SquareRootScheme(Scheme):
    """φ of the matrix root, squared; see SquareRootMap."""

    name: ClassVar[str] = "square root"
    formula: ClassVar[str] = r"\varphi(\sqrt K)^2"
    summary: ClassVar[str] = "φ of the matrix root, squared."
    takes_indefinite: ClassVar[bool] = False
    takes_new_items: ClassVar[bool] = False
    keeps_kernels: ClassVar[bool] = True

    def steps(self, phi: ElementMap) -> tuple[Step, ...]:
        """See Scheme."""
        return (SquareRootMap(phi),)


class ClipScheme(Scheme):
    """φ of the kernel itself, and the nearest kernel to that; see Clip."""

    name: ClassVar[str] = "clip"
    formula: ClassVar[str] = r"\sum_{\lambda_i > 0} \lambda_i u_i u_i^\top \text{ of } \varphi(K)"
    summary: ClassVar[str] = "φ of the kernel itself, negative eigenvalues cut."
    source: ClassVar[str] = "Schoelkopf et al. 2002, section 3, for φ; Higham 1988 for the repair"
    keeps_kernels: ClassVar[bool] = True
    repairs: ClassVar[bool] = True

    def steps(self, phi: ElementMap) -> tuple[Step, ...]:
        """See Scheme."""
        return (phi, Clip())


class EigenvalueScheme(Scheme):
    """φ of the eigenvalues; see SpectralMap."""

    name: ClassVar[str] = "eigenvalues"
    formula: ClassVar[str] = r"\sum_i \varphi(\lambda_i)\, u_i u_i^\top"
    summary: ClassVar[str] = "φ of these instead of the entries."
    takes_indefinite: ClassVar[bool] = False
    keeps_kernels: ClassVar[bool] = True

    def steps(self, phi: ElementMap) -> tuple[Step, ...]:
        """See Scheme."""
        return (SpectralMap(phi),)


class StandardisedScheme(Scheme):
    """Features of the empirical map, each to mean 0 and variance 1; see StandardisedMap."""

    name: ClassVar[str] = "standardised map"
    formula: ClassVar[str] = r"Z Z^\top,\; Z = \text{columns of } \varphi(K) \text{ to mean 0 and variance 1}"
    summary: ClassVar[str] = "features of the empirical map, each to mean 0 and variance 1."

    def steps(self, phi: ElementMap) -> tuple[Step, ...]:
        """See Scheme."""
        return (StandardisedMap(phi),)


SCHEMES: tuple[Scheme, ...] = (
    EmpiricalScheme(),
    SquareRootScheme(),
    ClipScheme(),
    EigenvalueScheme(),
    StandardisedScheme(),
)


def scheme_named(name: str) -> Scheme:
    """Scheme of that name.

    Raises
    ------
    InvalidInputError
        Listing the names that there are.
    """
    check_choice("The scheme", name, [scheme.name for scheme in SCHEMES])
    return next(scheme for scheme in SCHEMES if scheme.name == name)
