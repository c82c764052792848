"""The nugget ρ and the weight λ: one description of each, for every step and study that has them."""

from __future__ import annotations

from kernex_core.extrapolation.approximation import CONSTRAINTS
from kernex_core.parameters import check_range, parameter
from kernex_core.validation import LARGEST_ENTRY


def nugget_parameter(default: float = 0.1, **changed: object) -> float:
    """Field for ρ, which is added to the diagonal of both kernels."""
    described: dict[str, object] = {
        "label": "Nugget",
        "symbol": r"\rho",
        "help": "Added to the diagonal of both kernels after normalisation. It keeps them invertible and damps noise.",
        "low": 0.0,
        "high": 10.0,
        "step": 0.05,
    }
    made: float = parameter(default, **described | changed)
    return made


def lam_parameter(default: float = 0.25, **changed: object) -> float:
    """Field for λ, which weights the source's inverse."""
    described: dict[str, object] = {
        "label": "Weight of the source",
        "symbol": r"\lambda",
        "help": "Weight of the source's inverse; 1 − λ weights the target's. Small λ trusts the target.",
        "low": 0.0,
        "high": 1.0,
        "step": 0.01,
    }
    made: float = parameter(default, **described | changed)
    return made


def constraint_parameter(default: str = "shear", **changed: object) -> str:
    """Field for the constraint under which the source is rebuilt from the known items."""
    described: dict[str, object] = {
        "label": "Constraint on the source",
        "help": "shear: the source rebuilt from the known items never exceeds the source (Lemma 1). "
        "free: it may, and is closest in Frobenius norm only.",
        "choices": CONSTRAINTS,
    }
    made: str = parameter(default, **described | changed)
    return made


def check_nugget(nugget: float) -> float:
    """Return ρ as a float.

    Raises
    ------
    InvalidInputError
        Unless it is at least 0 and leaves the matrix within the range that is computed with.
    """
    return check_range("The nugget ρ", nugget, 0.0, LARGEST_ENTRY)
