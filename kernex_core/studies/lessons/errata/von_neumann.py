"""The von Neumann kernel of a path of six nodes, below its bound and beyond, where a solver still returns numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.kernels.networks.spectrum import NetworkSpectrum, decompose_network
from kernex_core.kernels.networks.walks import VonNeumann
from kernex_core.parameters import check_range
from kernex_core.studies.lessons.check import Check
from kernex_core.studies.lessons.heat_and_walks.heat import PATH

LAMS: Final = tuple(round(0.4 + 0.001 * k, 3) for k in range(601))
NEAR: Final = 0.001


@dataclass(frozen=True, eq=False)
class Solved(ReadOnlyArrays):
    """(I − λB)⁻¹, as a solver returns it.

    Attributes
    ----------
    lam : float
    k11 : float
        Similarity of the end of the path to itself.
    eigenvalues : (6,) float
        Rising; a kernel has none below 0.
    bound : float
        1/ρ(B), which λ has to stay below.
    accepted : bool
        Whether the core makes a kernel of it.
    """

    lam: float
    k11: float
    eigenvalues: FloatArray
    bound: float
    accepted: bool

    @property
    def smallest(self) -> float:
        """The least eigenvalue."""
        return float(self.eigenvalues[0])


def path_spectrum() -> NetworkSpectrum:
    """The path, decomposed."""
    return decompose_network(PATH.adjacency, "adjacency")


def solved(lam: float) -> Solved:
    """Solve the system at any λ, and ask the core whether that is a kernel.

    Raises
    ------
    InvalidInputError
        λ outside 0 to 1, or at which the system is singular.

    Examples
    --------
    >>> from kernex_core.studies.lessons.errata.von_neumann import solved
    >>> made = solved(0.7)
    >>> round(made.k11, 3), round(made.smallest, 3), made.accepted
    (1.887, -3.826, False)
    """
    check_range("λ", lam, 0.0, 1.0)
    spectrum, kernel = path_spectrum(), VonNeumann(lam)
    system = np.eye(spectrum.n) - lam * np.asarray(PATH.adjacency)
    eigenvalues = np.linalg.eigvalsh(system)
    if np.abs(eigenvalues).min() < 1e-12:
        raise InvalidInputError("At its bound the system is singular: there is no inverse", f"λ = {lam:g}")
    try:
        kernel.on(spectrum)
        accepted = True
    except InvalidInputError:
        accepted = False
    K = np.linalg.inv(system)
    return Solved(lam, float(K[0, 0]), np.sort(1.0 / eigenvalues), kernel.bound_on(spectrum), accepted)


def failing_from() -> float:
    """1/ρ: the least λ at which there is no kernel."""
    return VonNeumann().bound_on(path_spectrum())


def bound_check(lam: float) -> Check:
    """Whether λ is the least one that fails, up to 0.001."""
    made = solved(lam)
    right = abs(lam - made.bound) <= NEAR + 1e-9
    if right:
        said = f"The bound is 1/ρ = {made.bound:.5f}: from there on the series of walks has no sum."
    elif made.accepted:
        said = f"At λ = {lam:g} every eigenvalue is above 0: it is a kernel."
    else:
        said = (
            f"At λ = {lam:g} it fails: the least eigenvalue is {made.smallest:.2f}, though k₁₁ = {made.k11:.2f} may look "
            "fine. A smaller λ fails, too."
        )
    return Check(right, made.smallest, said.replace("-", "−"))
