"""Parameters as data: one description that validates in the core and draws the widget on the page."""

from __future__ import annotations

import dataclasses
import math
import reprlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


_KEY = "kernex"


@dataclass(frozen=True, eq=False)
class Parameter(EqualByContent):
    """Description of one field of a kernel, a step, a format's options or a study's configuration.

    Attributes
    ----------
    help : str
        One sentence on what the parameter does, shown beside its widget.
    label, symbol : str
        Plain name for the widget, and the symbol of the papers as TeX (without dollar signs).
    low, high : float or None
        Range; `open_low`, `open_high` exclude the end itself.
    step, unit : float or None, str
        Step of the widget and unit shown beside it.
    choices, names : tuple
        The allowed values, where they are few, and what the widget calls them if not by their value.
    accepts : tuple of type
        Types whose instances are allowed besides the choices (an uploaded substitution matrix).
    optional : bool
        None is allowed and means "chosen from the data"; `auto` says how, in words.
    stops : tuple of float
        Values, rising, at which the widget stops where they are evenly spaced on no scale; their ends are `low` and `high`.
    logarithmic, fine : bool
        The widget moves on a logarithmic scale, with 3 stops a decade, or with 24.
    hidden : bool
        Belongs to the object but is no widget (arrays, operands).
    """

    help: str
    label: str = ""
    symbol: str = ""
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False
    step: float | None = None
    unit: str = ""
    choices: tuple[object, ...] = ()
    names: tuple[str, ...] = ()
    accepts: tuple[type, ...] = ()
    optional: bool = False
    auto: str = ""
    stops: tuple[float, ...] = ()
    logarithmic: bool = False
    fine: bool = False
    hidden: bool = False

    def check(self, name: str, value: object) -> None:
        """Raise InvalidInputError unless `value` is allowed."""
        if value is None and self.optional:
            return
        title = self.label or name
        if self.accepts and isinstance(value, self.accepts):
            return
        if self.choices:
            check_choice(title, value, self.choices)
            return
        if self.low is None and self.high is None:
            return
        check_range(title, value, self.low, self.high, open_low=self.open_low, open_high=self.open_high)


def parameter(default: object = dataclasses.MISSING, **description: Any) -> Any:
    """Dataclass field that carries a `Parameter`; its keywords are those of `Parameter`."""
    metadata = {_KEY: Parameter(**description)}
    return dataclasses.field(default=default, metadata=metadata)


def parameters(owner: DataclassInstance | type[DataclassInstance]) -> Mapping[str, Parameter]:
    """All described fields of a dataclass or of its instance, in order of declaration."""
    found = {f.name: f.metadata[_KEY] for f in dataclasses.fields(owner) if _KEY in f.metadata}
    return MappingProxyType(found)


def check_parameters(instance: DataclassInstance) -> None:
    """Validate every described field of a dataclass instance; called from its `__post_init__`.

    Raises
    ------
    InvalidInputError
        Naming the parameter, its range and the value.
    """
    for field in dataclasses.fields(instance):
        if _KEY in field.metadata:
            _check_type(field, getattr(instance, field.name))
            field.metadata[_KEY].check(field.name, getattr(instance, field.name))


def _check_type(field: dataclasses.Field[object], value: object) -> None:
    declared = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
    if declared in ("int", "int | None") and value is not None:
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise InvalidInputError(f"{field.name} has to be a whole number", repr(value))
    elif declared in ("bool",) and not isinstance(value, bool | np.bool_):
        raise InvalidInputError(f"{field.name} has to be True or False", repr(value))
    elif declared == "float" or (declared == "float | None" and value is not None):
        described = field.metadata[_KEY]
        if described.low is None and described.high is None and not described.choices:
            check_range(described.label or field.name, value)  # any number, but a finite one


def check_choice(name: str, value: object, choices: Sequence[object]) -> None:
    """Refuse what is not one of a few values, arrays and other things that compare with none of them included.

    Raises
    ------
    InvalidInputError
        Listing the choices.
    """
    # an array compares entry by entry, and is not hashable
    if not isinstance(value, Hashable) or value not in choices:
        raise InvalidInputError(
            f"{name} has to be one of {', '.join(map(str, choices))}", reprlib.repr(value)
        )


def check_range(
    name: str,
    value: object,
    low: float | None = None,
    high: float | None = None,
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> float:
    """Return `value` as a float if it is a finite number in the range.

    Raises
    ------
    InvalidInputError
        If it is not a number, not finite, or outside.
    """
    wanted = f"{name} has to be a number{_interval(low, high, open_low, open_high)}"
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise InvalidInputError(wanted, reprlib.repr(value))
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond 1.8e308
        number = math.inf
    below = low is not None and (number <= low if open_low else number < low)
    above = high is not None and (number >= high if open_high else number > high)
    if not math.isfinite(number) or below or above:
        raise InvalidInputError(wanted, reprlib.repr(value))
    return number


def _interval(low: float | None, high: float | None, open_low: bool, open_high: bool) -> str:
    bounds = []
    if low is not None:
        bounds.append(f"{'above' if open_low else 'at least'} {low:g}")
    if high is not None:
        bounds.append(f"{'below' if open_high else 'at most'} {high:g}")
    return " " + " and ".join(bounds) if bounds else ""


# What the repetitions of an experiment draw from: every pair of a seed and a repetition has numbers of its own.
#
# Were repetition r seeded with seed + r, seeds 0 and 1 would share all repetitions but two, and whoever changes the
# seed to see how much a result varies would see a part of it.


def repetition_seed(seed: int, repetition: int) -> int:
    """Whole number below 2^32 for generators that are seeded with one, such as scikit-learn's."""
    return int(_sequence(seed, repetition).generate_state(1)[0])


def repetition_rng(seed: int, repetition: int) -> np.random.Generator:
    """Generator of a repetition."""
    return np.random.default_rng(_sequence(seed, repetition))


def _sequence(seed: int, repetition: int) -> np.random.SeedSequence:
    return np.random.SeedSequence([seed, repetition])


def check_seed(seed: object) -> int:
    """Return the seed if it is a whole number of at least 0.

    Raises
    ------
    InvalidInputError
        Otherwise, with the value.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidInputError("The seed has to be a whole number of at least 0", repr(seed))
    return int(seed)
