"""The lowest loss on the chart of the page Power p, chosen again inside every training fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.grid_end import Along
from kernex_core.learning.chance.nested_choice import NestedChoice, choosing_candidate
from kernex_core.learning.chance.tried import Candidate, same_in_all
from kernex_core.learning.engine import cut_of
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.parameters import parameters
from kernex_core.studies.diagonals.judging import SVM_TOLERANCE
from kernex_core.studies.diagonals.shrink import DiagonalConfig


def choosing_strength(
    config: DiagonalConfig, K: GramMatrix, labels: Labels, protocol: Protocol, strengths: Sequence[float]
) -> Iterator[NestedChoice]:
    """Let every training fold choose p, by the balanced accuracy of the support vector machine; one p a step.

    Parameters
    ----------
    config, K, labels, protocol
        As in `studies.diagonals.sweep.sweeping`.
    strengths : sequence of float
        Values that were judged there.
    """
    how = Judging.of(labels, protocol, K=K)

    def candidates() -> Iterator[tuple[str, Candidate]]:
        for strength in strengths:
            steps = config.at(strength).steps
            yield (
                f"{config.map.strength} = {strength:g}",
                same_in_all(cut_of(K, inductive=how.inductive, further=steps)),
            )

    described = parameters(config)[config.map.strength]
    along = Along(config.map.strength, tuple(strengths), described.low, described.high)
    return choosing_candidate(
        candidates(), len(strengths), how, measure="balanced", tolerance=SVM_TOLERANCE, along=along
    )
