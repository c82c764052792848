"""What has to be said with numbers wherever they stand: the end of a grid that was chosen, copies that were kept together.

    remarks("evaluate", {"spectrum": judgement, "mismatch": other})      of judged kernels, by their names
    remarks("kernels.accuracy", {"": judgement})                         of the only one
    remarks_of_choice("complete.choice", nested)                         of a choice that was made inside the folds
    remarks_of_copies("combine", kernels, labels, validation)            of studies that have no judgement
    controls(start, key, only=["folds", *copies_field(labels, kernels)]) the switch, where there are copies

On the page a line each; the same sentences stand under the page's figure and beside the numbers of its report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

import numpy as np

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.copies import Copies, copies_of, equal_in
from kernex_core.learning.folds import CrossValidation
from pages.shared.cached import cached
from pages.shared.messages import findings
from pages.shared.shown import registry


@cached(public=True)
def there_are_copies(labels: Labels, kernels: tuple[GramMatrix, ...]) -> bool:
    """Whether items are equal in the data, or in a kernel as it is or with all items of length 1."""
    if labels.copies is not None:
        return True
    for K in kernels:
        own = np.sqrt(np.maximum(np.diag(K.values), 0.0))
        lengths = np.where(own > 0.0, own, 1.0)
        alone = np.arange(K.n)
        if not np.array_equal(equal_in(K.values / lengths[:, None] / lengths), alone):
            return True
    return False


def copies_field(labels: Labels, kernels: Iterable[GramMatrix]) -> list[str]:
    """Return the field of the protocol that keeps copies together or apart; none where there are no copies."""
    return ["copies"] if there_are_copies(labels, tuple(kernels)) else []


def copies_among(dataset: DataSet) -> list[str]:
    """Return the same for all kernels of a data set that are known everywhere."""
    labels = dataset.judgeable
    known = [K for K in dataset.kernels.values() if K.unknown.complete]
    return [] if labels is None else copies_field(labels, known)


@cached(public=True)
def _copies_said(
    kernels: tuple[GramMatrix, ...], labels: Labels, validation: CrossValidation
) -> tuple[str, ...]:
    return copies_of(kernels, labels, validation).remarks


def remarks_of_copies(
    key: str, kernels: Iterable[GramMatrix], labels: Labels | None, validation: CrossValidation
) -> None:
    """Draw and note what has to be said of copies beside the numbers of kernels that were judged on the same folds."""
    said = () if labels is None else _copies_said(tuple(kernels), labels, validation)
    _say(key, said)


def copies_said(key: str, copies: Copies | None) -> None:
    """Draw and note the same of copies that a study has found itself."""
    _say(key, () if copies is None else copies.remarks)


def _say(key: str, said: tuple[str, ...]) -> None:
    registry.remark(f"{key}.copies", said)
    findings(said)


class Remarked(Protocol):
    """A judgement of classes or of numbers."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """A sentence each."""


def remarks(key: str, judged: Mapping[str, Remarked]) -> None:
    """Draw what has to be said of judged kernels, and note it for figure and report; `key` tells the place apart."""
    said_once = remarks_words(judged)
    registry.remark(key, said_once)
    findings(said_once)


def remarks_words(judged: Mapping[str, Remarked]) -> tuple[str, ...]:
    """Return the sentences; what holds of all kernels is said once, what holds of some with their names."""
    by_sentence: dict[str, list[str]] = {}
    for name, made in judged.items():
        for sentence in made.remarks:
            by_sentence.setdefault(sentence, []).append(name)
    return tuple(
        sentence if len(names) == len(judged) else f"{', '.join(names)}: {sentence}"
        for sentence, names in by_sentence.items()
    )


def choice_remarks(found: NestedChoice) -> tuple[str, ...]:
    """Return the ends of grids that a choice inside the folds picked most often."""
    return tuple(end.words for end in found.grid_ends)


def remarks_of_choice(key: str, found: NestedChoice) -> None:
    """Note for figure and report what a choice has to say; the words of the choice hold it on the page."""
    registry.remark(key, choice_remarks(found))
