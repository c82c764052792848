"""The slider of a kernel on nodes: which values it runs through, where it ends on this network, which are judged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.kernels.networks.diffusion import Diffusion, RegularizedLaplacian
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.walks import Exponential, VonNeumann
from kernex_core.studies.networks.study import TAUS
from pages.shared.figures.theme import number

DIGITS: Final = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
SHARES: Final = (
    0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999,
)  # fmt: skip
JUDGED_SHARES: Final = (0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99)
"""Of the bound of the von Neumann kernel."""
SYMBOLS: Final = {"tau": "τ", "lam": "λ", "c": "c"}


@dataclass(frozen=True)
class Scale:
    """Values of one kernel's parameter on one network.

    Attributes
    ----------
    name : str
        Of the parameter; "" = the kernel has none.
    options : tuple of float
        Of the slider, rising.
    start : float
    grid : tuple of float
        Those that accuracy is drawn against, a part of the options.
    ends : str
        Why the slider ends where it does; "" = it could go on.
    share_of : float
        Bound whose shares a chart runs over; 0: it runs over the logarithm.
    """

    name: str = ""
    options: tuple[float, ...] = ()
    start: float = math.nan
    grid: tuple[float, ...] = ()
    ends: str = ""
    share_of: float = 0.0

    @property
    def symbol(self) -> str:
        """Letter of the parameter."""
        return SYMBOLS.get(self.name, "")

    def at(self, kernel: NetworkKernel, value: float) -> NetworkKernel:
        """The kernel with a value of the parameter."""
        return replace(kernel, **{self.name: value}) if self.name else kernel

    def words(self, value: float) -> str:
        """ "τ = 5"; "" where there is no parameter."""
        return f"{self.symbol} = {number(value)}" if self.name else ""

    @property
    def axis(self) -> str:
        """Title of the axis of a chart."""
        if self.share_of:
            return f"{self.symbol} as a share of its bound {number(self.share_of)}"
        return f"{self.symbol}, logarithmic"

    def tick(self, value: float) -> str:
        """What stands at a value on the axis."""
        return number(value / self.share_of, 2) if self.share_of else number(value)

    def places(self, values: Sequence[float]) -> FloatArray:
        """Where values stand on a chart; on a logarithmic one 0 is half a decade before the first that is not 0."""
        made = np.array(values, dtype=np.float64)
        if self.share_of:
            return made / self.share_of
        first = min(value for value in (*self.grid, 1.0) if value > 0.0)
        return np.log10(np.where(made > 0.0, np.maximum(made, first / 10**0.5), first / 10**0.5))


def scale_of(kernel: NetworkKernel, bound: float, tau: float = 1.0, asked: float | None = None) -> Scale:
    """Values for a kernel on a network where its parameter ends at `bound`; infinite: nowhere. τ starts at `tau`.

    A τ that was `asked` for, by a lesson or an address, is one of its values, too.
    """
    if isinstance(kernel, Diffusion):
        times = (0.0, *_steps(0.01, 200.0))
        if asked is not None and times[0] <= asked <= times[-1]:
            times = tuple(sorted({*times, asked}))
        return Scale("tau", times, _nearest(times, tau), TAUS)
    if isinstance(kernel, RegularizedLaplacian):
        return Scale("c", _steps(1e-4, 1e3), 1.0, _part(_steps(1e-3, 100.0), (1.0, 3.0)))
    if isinstance(kernel, Exponential):
        top = min(bound, 100.0)
        options = _steps(0.01, top)
        ends = (
            f"at {number(bound)}, for beyond it an entry leaves what is computed with"
            if math.isfinite(bound)
            else ""
        )
        return Scale("lam", options, _nearest(options, 1.0), _part(options, (1.0, 3.0)), ends)
    if isinstance(kernel, VonNeumann):
        bound = bound if math.isfinite(bound) else 1.0
        at = {share: _below(bound * share) for share in SHARES}
        ends = f"below {number(bound)}, one over the largest eigenvalue, for beyond it the series diverges"
        return Scale(
            "lam", tuple(at.values()), at[0.5], tuple(at[share] for share in JUDGED_SHARES), ends, bound
        )
    return Scale()


def _steps(low: float, high: float) -> tuple[float, ...]:
    """Ten values a decade."""
    every = [float(f"{digit}e{decade}") for decade in range(-5, 5) for digit in DIGITS]
    return tuple(value for value in every if low <= value <= high)


def _part(values: Sequence[float], digits: Sequence[float]) -> tuple[float, ...]:
    """Those that begin with these digits."""
    first = {f"{digit:.1f}" for digit in digits}
    return tuple(value for value in values if f"{value:.1e}".split("e")[0] in first)


def _nearest(values: Sequence[float], wanted: float) -> float:
    return min(values, key=lambda value: abs(value - wanted))


def _below(value: float) -> float:
    """Rounded down to four digits."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 3)
    return float(f"{math.floor(value / unit) * unit:.6g}")
