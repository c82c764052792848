"""Study: SVM-Fisher, one profile HMM a class, fitted inside every fold; beside it what it has to beat.

Jaakkola, Diekhans and Haussler (2000), A discriminative framework for detecting remote protein homologies. A baseline of
the paper on almost orthogonal patterns. Its weakness: every class needs a model of its own in every fold, the machine adds
little to the log-odds of that model (on TIM barrels .93 after .91, mean area under the ROC curve over three folds of one
seed), and scores divided by the diagonal of the information are worse (.86, no better than a spectrum kernel).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.inputs.graphs.graph_set import equal_items
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.letters import ALPHABETS, letters_of
from kernex_core.kernels.sequences.markov_fisher import direction, fit_markov_chain, letter_remarks
from kernex_core.kernels.sequences.profile import ProfileFit, fitting
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.learning.copies import found_copies
from kernex_core.learning.folds import CrossValidation, Fold, folds_keeping, kept_together
from kernex_core.learning.machine import HARD_MARGIN, PAPER_ASYMMETRY, Coded, code_labels, fit_one_vs_rest
from kernex_core.learning.scores import auc

# Settings and table of SVM-Fisher.


@dataclass(frozen=True)
class FisherConfig:
    """What is judged beside the Fisher kernel of raw scores.

    Attributes
    ----------
    others : bool
        Also the diagonal information and a Gaussian of the scores.
    chain : bool
        Also a Markov chain in place of the profile.
    rounds : int
        Of EM, for every profile.
    """

    others: bool = parameter(
        False, label="Other Fisher kernels",
        help="Also scores divided by the diagonal of the information, and a Gaussian of scores as in the first paper on it.",
    )  # fmt: skip
    chain: bool = parameter(
        False,
        label="Markov chain",
        help="Also a first-order Markov chain of the class in place of the profile.",
    )
    rounds: int = parameter(
        8, label="Rounds of EM", help="Of every profile; each takes as long as reading its training members once.",
        low=1, high=50, step=1,
    )  # fmt: skip

    SPECTRUM: ClassVar[str] = "Spectrum 3, SVM"
    ODDS: ClassVar[str] = "Profile, log-odds"
    RAW: ClassVar[str] = "Profile, Fisher, SVM"

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def methods(self) -> tuple[str, ...]:
        """Rows of the table."""
        others = ("Profile, Fisher, diagonal information", "Profile, Fisher, Gaussian") if self.others else ()
        chain = ("Chain, log-odds", "Chain, Fisher, SVM") if self.chain else ()
        return (self.SPECTRUM, self.ODDS, self.RAW, *others, *chain)


@dataclass(frozen=True, eq=False)
class FisherTable(ReadOnlyArrays):
    """Areas under the ROC curve, class against all others, in the folds that are done.

    Attributes
    ----------
    methods, classes : tuple of str
        Classes largest first.
    sizes : (n_classes,) int
    areas : (n_methods, n_classes, n_folds) float
        In the test items of each fold; NaN where it is not done, or has no member or nothing else, or where fewer than two
        members are left to train on.
    done, total : int
        Profiles: folds times classes.
    now : str
        What is being done.
    remarks : tuple of str
        On letters that are skipped.
    """

    methods: tuple[str, ...]
    classes: tuple[str, ...]
    sizes: IntArray
    areas: FloatArray
    done: int
    total: int
    now: str
    remarks: tuple[str, ...] = ()

    @property
    def by_class(self) -> FloatArray:
        """(n_methods, n_classes) means over folds; NaN without any."""
        return _mean(self.areas)

    @property
    def means(self) -> FloatArray:
        """(n_methods,) means over classes, each class once."""
        return _mean(self.by_class)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was skipped or could not be judged."""
        absent = [c for c, area in zip(self.classes, self.by_class[0], strict=True) if np.isnan(area)]
        if not absent or self.done < self.total:
            return self.remarks
        return (
            *self.remarks,
            f"Not judged, for want of members in training and test: {', '.join(absent)}.",
        )

    def table(self) -> list[dict[str, object]]:
        """One row a method and class, and one a method for the mean over classes ("")."""
        return [
            {"method": method, "class": name, "members": int(size), "auc": float(area)}
            for method, areas, mean in zip(self.methods, self.by_class, self.means, strict=True)
            for name, size, area in [
                *zip(self.classes, self.sizes, areas, strict=True), ("", self.sizes.sum(), mean)
            ]
        ]  # fmt: skip


def _mean(values: FloatArray) -> FloatArray:
    """Mean over the last axis of what is known; NaN without any."""
    known = ~np.isnan(values)
    counts = known.sum(axis=-1)
    totals = np.where(known, values, 0.0).sum(axis=-1)
    return np.asarray(np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0))


# One class against all others in one fold: profile, scores, kernels, machines, areas.

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


CELL_SECONDS = 2.6e-8
"""Of one letter at one place of a profile, forward and backward."""


def svm_fisher(
    config: FisherConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
    folds: Sequence[Fold] | None = None,
) -> Iterator[FisherTable]:
    """Judge every class against all others: profile and scores from the training members of each fold alone.

    All kernels are cosines and have the same machine on the same folds: a hard margin, and .02 times the share of its own
    side added to each training self-similarity. The log-odds have no machine. Leaving the iterator stops
    within CHUNK sequences.

    Parameters
    ----------
    config : FisherConfig
    sequences : Sequences
    labels : Labels
        Of the same items; "" = in no fold.
    validation : CrossValidation
        Folds, repetitions, seed, groups; its C is not used.
    folds : sequence of Fold, optional
        Instead of those of `validation`: of published divisions, or of another number.

    Raises
    ------
    InvalidInputError
        Labels of other items, fewer than two classes, or leave-one-out, in whose folds nothing can be ranked.
    TooLargeError
        Sequences too long for a profile.
    """
    if labels.ids != sequences.ids:
        raise InvalidInputError(
            "Labels and sequences have to be about the same items in the same order", "other ids",
            "Align them by their ids: align(...)",
        )  # fmt: skip
    if not validation.folds:
        raise InvalidInputError(
            "Areas under the ROC curve need several test items", "leave-one-out", "Use 2, 5 or 10 folds"
        )
    coded = code_labels(labels.y)
    if folds is None:
        copies = found_copies([], coded.codes, validation, groups=labels.groups, known=equal_items(sequences))
        together = kept_together(validation, labels.groups, copies.units if copies.kept else None)
        folds = folds_keeping(coded.codes, validation, together)
    spectrum = cosine_normalize(Spectrum(3).of(sequences).gram(sequences.strings))
    alphabet = _letters(sequences)
    state = replace(
        _empty(config, coded, len(folds)), remarks=letter_remarks(sequences.strings, letters_of(alphabet))
    )
    for f, fold in enumerate(folds):
        for c, name in enumerate(coded.classes):
            where = f"{name}, fold {f + 1} of {len(folds)}"
            task = Task(sequences.strings, alphabet, coded.codes == c, fold)
            if task.possible:
                areas = state.areas.copy()
                areas[:, c, f] = yield from judged(config, task, spectrum, replace(state, now=where))
                state = replace(state, areas=areas)
            state = replace(state, done=state.done + 1, now=where)
            yield state
    yield replace(state, now="")


def estimated_seconds(
    config: FisherConfig, sequences: Sequences, labels: Labels, validation: CrossValidation
) -> float:
    """Seconds of one core that the profiles will take; counted, not timed."""
    lengths = np.array([len(string) for string in sequences.strings], dtype=np.float64)
    labelled = labels.labelled
    n, classes = max(int(labelled.sum()), 1), np.unique(labels.y[labelled]).size
    read = classes * sequences.n + config.rounds * n
    return float(CELL_SECONDS * validation.folds * validation.repeats * read * (lengths**2).mean())


def _letters(sequences: Sequences) -> str:
    if sequences.alphabet in ALPHABETS:
        return sequences.alphabet
    # letters one by one: no matrix of amino acids is meant for them, even where structure is written with theirs
    return "".join(sorted(set().union(*sequences.strings)))


def _empty(config: FisherConfig, coded: Coded, n_folds: int) -> FisherTable:
    shape = len(config.methods), len(coded.classes), n_folds
    return FisherTable(
        config.methods,
        coded.classes,
        np.bincount(coded.labelled),
        np.full(shape, np.nan),
        0,
        n_folds * shape[1],
        "",
    )
