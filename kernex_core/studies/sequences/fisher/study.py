"""Study: SVM-Fisher, one profile HMM a class, fitted inside every fold; beside it what it has to beat.

Jaakkola, Diekhans and Haussler (2000), A discriminative framework for detecting remote protein homologies. A baseline of
the paper on almost orthogonal patterns. Its weakness: every class needs a model of its own in every fold, the machine adds
little to the log-odds of that model (on TIM barrels .93 after .91, mean area under the ROC curve over three folds of one
seed), and scores divided by the diagonal of the information are worse (.86, no better than a spectrum kernel).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.inputs.graphs.equal import equal_items
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.fisher.scores import letter_remarks
from kernex_core.kernels.sequences.letters import ALPHABETS, letters_of
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.learning.coded import Coded, code_labels
from kernex_core.learning.copies import found_copies
from kernex_core.learning.folds import CrossValidation, Fold, folds_keeping, kept_together
from kernex_core.studies.sequences.fisher.one_class import Task, judged
from kernex_core.studies.sequences.fisher.table import FisherConfig, FisherTable

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
