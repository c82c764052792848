"""Study of the page Many kernels: what is judged beside each other, and the choice among it made again inside the folds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.nested_choice import NestedChoice, choosing_candidate
from kernex_core.learning.chance.tried import Candidate, same_in_all
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.mkl.judging import deciding_classes
from kernex_core.learning.mkl.together import Together, cut_together
from kernex_core.learning.mkl.weightings import (
    ByAlignment,
    EqualWeights,
    GivenWeights,
    LearnedWeights,
    Weighting,
)
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.many_kernels import ManyConfig

SUM = "sum"
ALONE = " alone"


def learns_nothing(name: str) -> bool:
    """Whether a way is a plain baseline: a kernel alone, or the sum in which all weigh alike.

    Examples
    --------
    >>> from kernex_core.studies.many_ways import learns_nothing
    >>> learns_nothing("a alone"), learns_nothing("sum"), learns_nothing("MKL")
    (True, True, False)
    """
    return name == SUM or name.endswith(ALONE)


class Way(NamedTuple):
    """Kernels that are taken, by name, and how they become one inside a fold."""

    names: tuple[str, ...]
    together: Together


def ways_together(
    names: tuple[str, ...], config: ManyConfig, hand: tuple[float, ...] = (), *, choose_C: bool = False
) -> dict[str, Way]:
    """Each kernel alone, weighted sums, the joint kernel and the product, by what they are called.

    Parameters
    ----------
    names : tuple of str
    config : ManyConfig
        Scale, C and loss of learned weights, nugget; a joint kernel with weights from labels is one more.
    hand : (M,), optional
        Weights by hand: a sum of its own where they are not equal, and those of the joint kernel.
    choose_C : bool
        C of learned weights is chosen inside the folds.

    Examples
    --------
    >>> from kernex_core.studies.many_kernels import ManyConfig
    >>> from kernex_core.studies.many_ways import ways_together
    >>> list(ways_together(("a", "b"), ManyConfig()))
    ['a alone', 'b alone', 'sum', 'alignment', 'MKL', 'joint', 'product']
    """
    equal = (1.0 / len(names),) * len(names)
    given = hand if hand and not np.allclose(hand, equal) else ()
    learned = LearnedWeights(C=config.C, loss=config.loss, choose_C=choose_C)

    def way(weighting: Weighting, kind: str = "weighted sum") -> Way:
        return Way(names, Together(weighting, config.normalize, kind=kind, nugget=config.nugget))

    made = {f"{name}{ALONE}": Way((name,), Together(EqualWeights(), config.normalize)) for name in names}
    made[SUM] = way(EqualWeights())
    if given:
        made["weights by hand"] = way(GivenWeights(given))
    made["alignment"], made["MKL"] = way(ByAlignment()), way(learned)
    made["joint"] = way(GivenWeights(given) if given else EqualWeights(), "joint")
    if config.kind == "joint" and config.weigh in ("alignment", "MKL"):
        made[f"joint, {config.weigh}"] = way(learned if config.weigh == "MKL" else ByAlignment(), "joint")
    made["product"] = way(EqualWeights(), "product")
    return made


def choosing_together(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...] = (),
    refused: tuple[str, ...] = (),
) -> Iterator[NestedChoice]:
    """Let every training fold choose among all that is judged; a state a way.

    Parameters
    ----------
    kernels, labels, validation, config, hand
        See `judging_together`.
    refused : tuple of str
        Ways that could not be judged, and are left out.
    """
    how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=list(kernels.values()))
    deciding = deciding_classes(how, SupportVectors(validation.C), how.groups)
    ways = ways_together(tuple(kernels), config, hand, choose_C=validation.choose_C)
    ways = {name: way for name, way in ways.items() if name not in refused}

    def candidates() -> Iterator[tuple[str, Candidate]]:
        for name, way in ways.items():
            taken = [kernels[each] for each in way.names]
            cut = cut_together(taken, way.together, deciding, inductive=validation.inductive)
            yield name, same_in_all(cut)

    return choosing_candidate(candidates(), len(ways), how)
