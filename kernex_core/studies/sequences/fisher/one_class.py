"""One class against all others in one fold: profile, scores, kernels, machines, areas."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.kernels.sequences.fisher.fit_profile import ProfileFit, fitting
from kernex_core.kernels.sequences.fisher.markov_chain import fit_markov_chain
from kernex_core.kernels.sequences.fisher.scores import direction
from kernex_core.learning.folds import Fold
from kernex_core.learning.machine import PAPER_ASYMMETRY
from kernex_core.learning.scores import auc
from kernex_core.learning.svm import HARD_MARGIN, fit_one_vs_rest
from kernex_core.studies.sequences.fisher.table import FisherConfig, FisherTable

CHUNK = 50
"""Sequences that are read between two states."""
FEWEST = 2
"""Training members from which a profile is fitted."""


class Task(NamedTuple):
    """One class in one fold."""

    strings: tuple[str, ...]
    alphabet: str
    member: BoolArray
    fold: Fold

    @property
    def positives(self) -> list[str]:
        """Members among the training items."""
        return [self.strings[i] for i in self.fold.train if self.member[i]]

    @property
    def possible(self) -> bool:
        """Whether there is something to learn, and something to judge."""
        train, test = self.member[self.fold.train], self.member[self.fold.test]
        return bool(train.sum() >= FEWEST and not train.all() and test.any() and not test.all())


def judged(
    config: FisherConfig, task: Task, spectrum: FloatArray, state: FisherTable
) -> Generator[FisherTable, None, FloatArray]:
    """States while one class is judged in one fold, `state` each time; returns an area a method."""
    for made in fitting(task.positives, task.alphabet, ProfileFit(steps=config.rounds)):
        profile = made[0]
        yield state
    log_odds, scores = np.zeros(len(task.strings)), np.zeros((len(task.strings), profile.emissions.size))
    for begin in range(0, len(task.strings), CHUNK):
        part = slice(begin, begin + CHUNK)
        log_odds[part], scores[part] = profile.read(task.strings[part])
        yield state
    U = direction(scores)
    found = [_area(task, _decisions(task, spectrum)), _area(task, log_odds[task.fold.test])]
    found.append(_area(task, _decisions(task, U @ U.T)))
    if config.others:
        weighed = direction(_weighed(scores, task.fold.train))
        found += [_area(task, _decisions(task, K)) for K in (weighed @ weighed.T, _gaussian(scores, task))]
    return np.array(found + (_chain(task) if config.chain else []))


def _decisions(task: Task, K: FloatArray) -> FloatArray:
    """(n_test,) decision values of a hard-margin machine of the paper."""
    train, test = task.fold.train, task.fold.test
    machine = fit_one_vs_rest(
        K[np.ix_(train, train)], task.member[train].astype(np.int64), 2,
        C=HARD_MARGIN, asymmetry=PAPER_ASYMMETRY, checked=True,
    )  # fmt: skip
    return np.asarray(machine.decide(K[np.ix_(test, train)])[:, 1])


def _area(task: Task, decisions: FloatArray) -> float:
    return auc(task.member[task.fold.test], decisions)


def _weighed(scores: FloatArray, train: IntArray) -> FloatArray:
    """Scores over the roots of the diagonal information of the training items; entries without any are dropped."""
    information = (scores[train] ** 2).mean(axis=0)
    known = information > np.finfo(np.float64).eps
    return np.asarray(scores / np.sqrt(np.where(known, information, np.inf)))


def _gaussian(scores: FloatArray, task: Task) -> FloatArray:
    """exp(−d²/(2σ²)), σ the median distance of a training member to the nearest other training item that is none."""
    lengths = (scores**2).sum(axis=1)
    squared = np.maximum(lengths[:, None] + lengths - 2.0 * (scores @ scores.T), 0.0)
    train = task.fold.train
    own, others = train[task.member[train]], train[~task.member[train]]
    sigma = float(np.median(np.sqrt(squared[np.ix_(own, others)].min(axis=1)))) or 1.0
    return np.asarray(np.exp(-squared / (2.0 * sigma**2)))


def _chain(task: Task) -> list[float]:
    """Log-odds of the chain of the members over that of all training items, and its Fisher kernel."""
    chain = fit_markov_chain(task.positives, task.alphabet)
    everyone = fit_markov_chain([task.strings[i] for i in task.fold.train], task.alphabet)
    tested = [task.strings[i] for i in task.fold.test]
    odds = chain.log_likelihoods(tested) - everyone.log_likelihoods(tested)
    U = direction(_weighed(chain.scores(task.strings), task.fold.train))
    return [_area(task, odds), _area(task, _decisions(task, U @ U.T))]
