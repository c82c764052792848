"""Nodes hidden again and again: what placing them by their attributes is worth, with its spread."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.networks.later import Origin
from kernex_core.studies.networks.new_nodes import NewNodes, NewNodesConfig, place_nodes
from kernex_core.studies.networks.placed_nodes import PlacedNodes

WAYS = ("placed", "baseline", "true")


@dataclass(frozen=True, eq=False)
class Placing(ReadOnlyArrays):
    """Repetitions that are done, each with its own hidden nodes.

    Attributes
    ----------
    first : NewNodes
        Of the first repetition.
    error, alignment, accuracy : (done, 3) float
        By attributes, by the mean row, by the node's own row of the kernel (WAYS).
    training, trace : (done,) float
        Training error and share of the trace that is kept.
    other : (done,) float
        Training error with the bias row put in, or left out where it is in.
    floor : (done,) float
    done, total : int
    seconds : float
    """

    first: NewNodes
    error: FloatArray
    alignment: FloatArray
    accuracy: FloatArray
    training: FloatArray
    other: FloatArray
    trace: FloatArray
    floor: FloatArray
    done: int
    total: int
    seconds: float = field(compare=False)


def placing_nodes(
    config: NewNodesConfig,
    K: GramMatrix,
    attributes: Vectors,
    labels: Labels | None = None,
    hidden: ArrayLike | None = None,
    origin: Origin | None = None,
) -> Iterator[Placing]:
    """Place hidden nodes by their attributes; a state a repetition, one where the nodes to hide are given.

    Parameters
    ----------
    config, K, attributes, labels, hidden, origin
        As in `place_nodes`.

    Examples
    --------
    >>> from kernex_core import NewNodesConfig, load_dataset
    >>> from kernex_core.studies.networks.placing import placing_nodes
    >>> data = load_dataset("blocks")
    >>> K, network = data.kernels["diffusion"], data.samples["network"]
    >>> *_, found = placing_nodes(NewNodesConfig(), K, network.attributes, data.labels)
    >>> found.done, bool((found.error[:, 0] < found.error[:, 1]).all())
    (5, True)
    """
    started = time.perf_counter()
    total = config.repeats if hidden is None else 1
    first: NewNodes | None = None
    rows: list[tuple[float, ...]] = []
    for repetition in range(total):
        one = place_nodes(config, K, attributes, labels, hidden=hidden, repetition=repetition, origin=origin)
        first = first or one  # of the others numbers alone: each holds a matrix
        rows.append(_numbers(one))
        yield _state(first, np.array(rows), total, time.perf_counter() - started)


def _numbers(one: NewNodes) -> tuple[float, ...]:
    ways: list[PlacedNodes] = [getattr(one, way) for way in WAYS]
    extended = one.extended
    return (
        *(way.error for way in ways),
        *(way.alignment for way in ways),
        *(way.accuracy for way in ways),
        extended.training_error,
        one.other_error,
        extended.approximation.trace_share,
        one.floor,
    )


def _state(first: NewNodes, rows: FloatArray, total: int, seconds: float) -> Placing:
    error, alignment, accuracy, rest = np.split(rows, (3, 6, 9), axis=1)
    training, other, trace, floor = (rest[:, column].copy() for column in range(4))
    return Placing(
        first, error, alignment, accuracy, training, other, trace, floor, len(rows), total, seconds
    )
