"""What the highest of several judged kernels is worth, where they stand as they were judged.

choice_of_kernels({"clip": K, "flip": L}, labels, validation, key="repair", of="the repair")
"""

from __future__ import annotations

from collections.abc import Mapping

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.evaluation import choosing_among
from pages.shared.cached import cached
from pages.shared.panels.optimism import choice_row
from pages.shared.panels.staged import Staged


@cached(public=True)
def chosen(kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation) -> NestedChoice:
    """Return the choice among all kernels; the page keeps partial ones under the same key."""
    return list(choosing_among(kernels, labels, validation))[-1]


def choice_of_kernels(
    kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation, *, key: str, of: str
) -> None:
    """Draw the button, or what it found; nothing where there is no choice.

    Parameters
    ----------
    kernels : mapping of str to GramMatrix
        As they were judged.
    labels : Labels
        Of the same items.
    validation : CrossValidation
        As they were judged by.
    key : str
    of : str
        What is chosen, as in "the choice of the repair".
    """
    if len(kernels) < 2:
        return
    choice_row(
        Staged(chosen, choosing_among, (kernels, labels, validation)), key=key, of=of,
        cost=f"{len(kernels)} kernels, each judged inside every training fold too: this starts with a click.",
    )  # fmt: skip
