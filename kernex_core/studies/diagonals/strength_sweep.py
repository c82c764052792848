"""Losses against p on the same folds: the long part of the page Power p, one p a step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import Paired, holm, paired
from kernex_core.learning.chance.tried import Along, Candidate, NestedChoice, choosing_candidate, same_in_all
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.judgement import NAN
from kernex_core.learning.leakage import Mode, State, evaluation_state
from kernex_core.learning.machine import cut_of, fold_notes
from kernex_core.learning.protocol import Judging, Protocol, also_in_parts
from kernex_core.runtime.progress import Steps, finished, quietly
from kernex_core.studies.diagonals.judging import (
    SVM_TOLERANCE,
    Losses,
    check_trained,
    constant_loss,
    hard_margin_notes,
    judging_all,
    neighbour_losses,
)
from kernex_core.studies.diagonals.shrink import DiagonalConfig, coarse_first, shrunk_kernel

MOST_BETWEEN = 64
"""Values between those of a grid that a sweep remembers."""


@dataclass(frozen=True, eq=False)
class DiagonalSweep(ReadOnlyArrays):
    """Losses that are known so far, all on the same folds.

    Attributes
    ----------
    strengths : tuple of float
        Values of p (or scales) that are done, in order of the grid.
    judged : tuple of dict of str to Losses
        One a strength: "svm", "neighbour" and "components" (SVM on kernel principal components).
    original : dict of str to Losses
        The kernel as it is: the same, of a matrix that is not positive semidefinite "neighbour" alone.
    failed : tuple of (float, str)
        Values that could not be judged, and why.
    notes : tuple of str
        What else there is to know.
    state : State
        What the maps, and the kernel below them, have seen of tested items.
    inductive : bool
        Whether maps were fitted inside every fold.
    n_items, n_classes : int
    n_components : int
        Kernel principal components: as asked for, but no more than items that the fewest are taken from.
    floor : float
        Balanced loss of the best predictor that names the same class for every item, on these folds.
    done, total : int
        Kernels: the one as it is, and one a value.
    seconds : float
    """

    strengths: tuple[float, ...]
    judged: tuple[dict[str, Losses], ...]
    original: dict[str, Losses]
    failed: tuple[tuple[float, str], ...]
    notes: tuple[str, ...]
    state: State
    inductive: bool
    n_items: int
    n_classes: int
    n_components: int
    floor: float
    done: int
    total: int
    seconds: float = field(compare=False)

    @property
    def mode(self) -> Mode:
        """First word of the state."""
        return self.state.mode

    def including(self, strength: float, losses: dict[str, Losses] | None) -> DiagonalSweep:
        """Return the same with a value between those of the grid, in its place; None: it is not judged."""
        if losses is None or strength in self.strengths:
            return self
        if strength in self._between:
            return self._between[strength]
        falling = len(self.strengths) > 1 and self.strengths[0] > self.strengths[-1]
        pairs = [*zip(self.strengths, self.judged, strict=True), (strength, losses)]
        pairs.sort(key=lambda pair: pair[0], reverse=falling)
        strengths, judged = zip(*pairs, strict=True)
        made = replace(self, strengths=strengths, judged=judged)
        if len(self._between) < MOST_BETWEEN:
            self._between[strength] = made
        return made

    @cached_property
    def _between(self) -> dict[float, DiagonalSweep]:
        """What has been asked for: its verdict takes as long as the rest of a move of p."""
        return {}

    def curve(self, classifier: str) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation over repetitions (over folds if there is one), one value a strength."""
        losses = [found[classifier] for found in self.judged]
        sds = [found.sd_repeats if found.by_repeat.size > 1 else found.sd_folds for found in losses]
        return np.array([found.mean for found in losses]), np.array(sds)

    def verdict(self, called: Callable[[str, float | None], str]) -> Verdict | None:
        """Which loss is lowest, and who is told apart from it: every classifier at every value, and as it is as baselines.

        Parameters
        ----------
        called : callable
            Name of a classifier at a value; None: the kernel as it is.

        Returns
        -------
        Verdict or None
            None where nothing is judged yet, or repetitions do not test the same items.
        """
        if self._verdict is None:
            return None
        keys = list(self._shown())
        named = (replace(each, name=called(*keys[int(each.name)])) for each in self._verdict.candidates)
        return Verdict(tuple(named))

    @cached_property
    def _verdict(self) -> Verdict | None:
        """The same, of candidates that are called by their places among all that is shown."""
        shown = self._shown()
        if not self.strengths or not all(losses.missed.size for losses in shown.values()):
            return None
        first = self.original["neighbour"]
        return verdict_of(
            {str(k): losses.by_item for k, losses in enumerate(shown.values())},
            first.passes,
            plain=[str(k) for k, (_, at) in enumerate(shown) if at is None],
            groups=first.groups,
            classes=None if first.one_a_fold else first.codes,
            smaller=True,
        )

    def against_as_it_is(self) -> dict[tuple[str, float], tuple[Paired, float]]:
        """Each loss less that of the same classifier on the kernel as it is, which was fixed before anything was judged.

        With each p after correction for all of them (Holm); empty where repetitions do not test the same items.
        """
        shown = self._shown()
        if not all(losses.missed.size for losses in shown.values()):
            return {}
        keys = [(name, at) for name, at in shown if at is not None and name in self.original]
        found = [
            paired(
                shown[key].by_item, self.original[key[0]].by_item, shown[key].passes, groups=shown[key].groups
            )
            for key in keys
        ]
        corrected = holm([one.p for one in found])
        return {key: (one, p) for key, one, p in zip(keys, found, corrected, strict=True)}

    def _shown(self) -> dict[tuple[str, float | None], Losses]:
        """All that the picture shows, by classifier and value; the kernel as it is first."""
        as_it_is: dict[tuple[str, float | None], Losses] = {
            (name, None): losses for name, losses in self.original.items()
        }
        for strength, judged in zip(self.strengths, self.judged, strict=True):
            as_it_is |= {(name, strength): losses for name, losses in judged.items()}
        return as_it_is

    def reach(self, classifier: str) -> FloatArray:
        """(2, n_strengths) how far its interval goes below and above the mean; NaN where there is none."""
        found = [judged[classifier] for judged in self.judged]
        ends = [
            (NAN, NAN)
            if one.interval is None
            else (one.mean - one.interval.low, one.interval.high - one.mean)
            for one in found
        ]
        return np.array(ends).reshape(-1, 2).T


@also_in_parts
def sweeping(
    config: DiagonalConfig,
    K: GramMatrix,
    labels: Labels,
    protocol: Protocol,
    *,
    done: DiagonalSweep | None = None,
) -> Iterator[DiagonalSweep]:
    """Judge the kernel as it is, then every p of the grid (`coarse_first`), all on the same folds.

    Parameters
    ----------
    config : DiagonalConfig
        Its p and scale do not matter.
    K : GramMatrix
        Known for every pair.
    labels : Labels
        "" = in no fold.
    protocol : Protocol
        With `inductive` the maps are fitted on the training items of each fold. C is in units of the mean training
        diagonal, unless the margin says otherwise; the margin is that of both support vector machines, and components
        are what the second of them sees.
    done : DiagonalSweep, optional
        What an earlier run under the same settings got to; it is not judged again.

    Raises
    ------
    InvalidInputError
        Unknown entries, fewer than two classes, or an inductive square root.
    NotPositiveSemidefiniteError
        The square root of an indefinite similarity.
    """
    for state in sweeping_in_steps(config, K, labels, protocol, done=done):
        if state is not None:
            yield state


def sweeping_in_steps(
    config: DiagonalConfig,
    K: GramMatrix,
    labels: Labels,
    protocol: Protocol,
    *,
    done: DiagonalSweep | None = None,
) -> Iterator[DiagonalSweep | None]:
    """`sweeping`, and None every quarter of a second while a kernel is judged, so that other work gets its turn."""
    started = time.perf_counter()
    how = _prepared(config, K, labels, protocol)
    if done is None:
        done = yield from quietly(_as_it_is(config, K, how))
    earlier = done.seconds
    made = replace(done, seconds=earlier + time.perf_counter() - started)
    yield made
    known = {*made.strengths, *dict(made.failed)}
    for strength in (one for one in coarse_first(config.grid) if one not in known):
        try:
            losses = yield from quietly(_judging(config.at(strength), K, how))
            made = _with(made, strength, losses, config.grid)
        except InvalidInputError as error:
            # one value may be beyond what numbers hold where the others are not
            made = replace(made, failed=(*made.failed, (strength, str(error))))
        made = replace(made, done=made.done + 1, seconds=earlier + time.perf_counter() - started)
        yield made


def _with(
    made: DiagonalSweep, strength: float, losses: dict[str, Losses], grid: Sequence[float]
) -> DiagonalSweep:
    """One value more, in its place on the grid."""
    pairs = [*zip(made.strengths, made.judged, strict=True), (strength, losses)]
    pairs.sort(key=lambda pair: grid.index(pair[0]))
    strengths, judged = zip(*pairs, strict=True)
    return replace(made, strengths=strengths, judged=judged)


def _as_it_is(config: DiagonalConfig, K: GramMatrix, how: Judging) -> Steps[DiagonalSweep]:
    coded, folds, inductive = how.coded, how.folds, how.inductive
    original, notes = yield from _original(K, how)
    notes += fold_notes(coded.classes, coded.codes, how.protocol.validation)
    if original["neighbour"].one_a_fold:
        notes += ("One item a fold: the loss is the share of items that are missed, whatever their class.",)
    fewest = min(fold.train.size for fold in folds) if inductive else K.n
    return DiagonalSweep(
        strengths=(),
        judged=(),
        original=original,
        failed=(),
        notes=notes,
        # maps that are fitted inside the folds see nothing else
        state=evaluation_state(K if inductive else shrunk_kernel(config, K), inductive=inductive),
        inductive=inductive,
        n_items=int(coded.labelled.size),
        n_classes=len(coded.classes),
        n_components=min(how.protocol.components.number, fewest),
        floor=constant_loss(coded.codes, folds),
        done=1,
        total=len(config.grid) + 1,
        seconds=0.0,
    )


@also_in_parts
def losses_at(config: DiagonalConfig, K: GramMatrix, labels: Labels, protocol: Protocol) -> dict[str, Losses]:
    """Losses of all classifiers at the p of `config`, on the folds that `sweeping` uses."""
    return finished(_judging(config, K, _prepared(config, K, labels, protocol)))


def _prepared(config: DiagonalConfig, K: GramMatrix, labels: Labels, protocol: Protocol) -> Judging:
    if not K.unknown.complete:
        raise InvalidInputError(
            "A kernel has to be known everywhere to be judged",
            f"{K.unknown.unknown_pairs:,} unknown pairs",
            "Complete it first, or select the items that are known",
        )
    if protocol.validation.inductive and not config.way.takes_new_items:
        raise InvalidInputError(
            f"The {config.scheme} scheme needs all items at once",
            "an inductive run",
            "Judge it transductively, or use the empirical map",
        )
    return Judging.of(labels, protocol, K=K)


def _judging(config: DiagonalConfig, K: GramMatrix, how: Judging) -> Steps[dict[str, Losses]]:
    if how.inductive:
        # on all items at once the map would look at test items, and might fail because of them
        return judging_all(K, how, further=config.steps)
    return judging_all(shrunk_kernel(config, K), how)


def _original(K: GramMatrix, how: Judging) -> Steps[tuple[dict[str, Losses], tuple[str, ...]]]:
    try:
        check_trained(K, how)
    except NotPositiveSemidefiniteError as error:
        note = f"As it is, this similarity is no kernel and is not judged by an SVM: {error.found}."
        return {"neighbour": neighbour_losses(K, how)}, (note,)
    found = yield from judging_all(K, how)
    against = (("svm", "As it is"), ("components", "As it is, on components"))
    return found, tuple(
        f"{which}: {note}"
        for name, which in against
        for note in hard_margin_notes(found[name], how.protocol.validation.C, how.protocol.margin)
    )


# The lowest loss on the chart of the page Power p, chosen again inside every training fold.


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
