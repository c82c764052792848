"""How kernels are judged, as one value: the protocol that somebody chooses, and the folds and classes that it comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, joined
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.copies import Copies, found_copies
from kernex_core.learning.folds import CrossValidation, Fold, folds_keeping, kept_together
from kernex_core.learning.machine import SYMMETRIC, TOLERANCE, Coded, Machine, Margin, code_labels, labels_of

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Components:
    """Kernel principal components: how many, and whether of the centred kernel."""

    number: int = parameter(
        15, label="Kernel components", help="Leading principal components that the third classifier sees; the paper has 15.",
        low=1, high=500, step=1,
    )  # fmt: skip
    centred: bool = parameter(
        False,
        label="Centre the components",
        help="Of the kernel after centring. The published numbers fit components of the kernel as it is.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


PAPER_COMPONENTS = Components()


@dataclass(frozen=True)
class Protocol:
    """How every kernel is judged: what is compared under one protocol differs in nothing else.

    Attributes
    ----------
    validation : CrossValidation
        Folds, repetitions, seed and C. With `inductive` every step is fitted on the training items of each fold.
    margin : Margin
        Of every support vector machine; the pages Evaluate, Combine and Complete have `UNSCALED`.
    components : Components
        What a machine on kernel principal components sees; only studies that have one ask.
    """

    validation: CrossValidation
    margin: Margin = SYMMETRIC
    components: Components = PAPER_COMPONENTS

    def machine(self, *, tolerance: float = TOLERANCE, checked: bool = True) -> Machine:
        """The machine that is trained on every fold."""
        return Machine(self.validation.C, self.margin, tolerance, checked)


@dataclass(frozen=True, eq=False)
class Judging(EqualByContent):
    """A protocol on given items: their classes and the folds that every kernel of them is judged on.

    Attributes
    ----------
    protocol : Protocol
    coded : Coded
    folds : tuple of Fold
    groups : (n,) str or None
        Groups and copies that folds keep together; items without one have a name of their own.
    copies : Copies or None
        Items that are copies of one another; None where a study draws folds of its own.
    """

    protocol: Protocol
    coded: Coded
    folds: tuple[Fold, ...]
    groups: NDArray[np.str_] | None = None
    copies: Copies | None = None

    @classmethod
    def of(
        cls,
        labels: Labels,
        protocol: Protocol,
        *,
        K: GramMatrix | None = None,
        groups: NDArray[np.str_] | None = None,
        kernels: Sequence[GramMatrix | FloatArray] = (),
        equal: IntArray | None = None,
    ) -> Judging:
        """Number the classes and divide the items.

        Parameters
        ----------
        labels : Labels
            "" = in no fold.
        protocol : Protocol
        K : GramMatrix, optional
            Labels about other items than its own are refused. Its items are looked at for copies.
        groups : (n,) str, optional
            From the labels by default.
        kernels : sequence of (n, n)
            All that are judged on these folds: copies are those of any of them.
        equal : (n,) int, optional
            Place of the first item that each one equals in the data, where these are at hand (`equal_items`).

        Raises
        ------
        InvalidInputError
            Fewer than two classes, other items, or whatever `make_folds` refuses.
        """
        coded = code_labels(labels.y if K is None else labels_of(labels, K, named=True))
        grouping = labels.groups if groups is None else groups
        known = [each for each in (labels.copies, equal) if each is not None]
        looked_at = [each.values if isinstance(each, GramMatrix) else each for each in kernels]
        copies = found_copies(
            [*looked_at, *([] if K is None else [K.values])], coded.codes, protocol.validation, groups=grouping,
            known=joined(*known) if known else None,
        )  # fmt: skip
        return cls.keeping(protocol, coded, grouping, copies)

    @classmethod
    def keeping(
        cls, protocol: Protocol, coded: Coded, groups: NDArray[np.str_] | None, copies: Copies
    ) -> Judging:
        """Divide items whose copies are known."""
        together = kept_together(protocol.validation, groups, copies.units if copies.kept else None)
        return cls(
            protocol, coded, folds_keeping(coded.codes, protocol.validation, together), together, copies
        )

    @classmethod
    def given(
        cls,
        coded: Coded,
        folds: Sequence[Fold],
        *,
        C: float,
        inductive: bool = False,
        margin: Margin = SYMMETRIC,
        components: Components = PAPER_COMPONENTS,
    ) -> Judging:
        """For studies that draw folds of their own: of the validation only C and `inductive` mean anything."""
        validation = CrossValidation(C=C, inductive=inductive)
        return cls(Protocol(validation, margin, components), coded, tuple(folds))

    @property
    def inductive(self) -> bool:
        """Whether steps are fitted on the training items of each fold."""
        return self.protocol.validation.inductive

    @property
    def repetitions(self) -> tuple[Judging, ...]:
        """The same with the folds of one repetition each."""
        count = self.folds[-1].repeat + 1
        return tuple(
            replace(self, folds=tuple(fold for fold in self.folds if fold.repeat == r)) for r in range(count)
        )


def also_in_parts(function: F) -> F:
    """Let `function(config, K, labels, protocol)` be called with validation, margin and components one by one, too.

    Scripts that were downloaded before they were one value do so, by position or by name.
    """

    @wraps(function)
    def either(
        config: object,
        K: GramMatrix,
        labels: Labels,
        protocol: Protocol | CrossValidation | None = None,
        margin: Margin = SYMMETRIC,
        components: Components = PAPER_COMPONENTS,
        *,
        validation: CrossValidation | None = None,
        **others: object,
    ) -> object:
        given = validation if protocol is None else protocol
        if isinstance(given, CrossValidation):
            given = Protocol(given, margin, components)
        if not isinstance(given, Protocol):
            raise InvalidInputError("The protocol has to be a Protocol(...)", type(given).__name__)
        return function(config, K, labels, given, **others)

    return cast(F, either)
