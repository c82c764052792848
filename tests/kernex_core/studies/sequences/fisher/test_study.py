"""SVM-Fisher on families that were made for it, and what no fold may see."""

import dataclasses

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.runtime.progress import finished
from kernex_core.studies.sequences.fisher import FisherConfig, Task, estimated_seconds, judged, svm_fisher

FOLDS = CrossValidation(folds=2, repeats=2, seed=1)
EVERYTHING = FisherConfig(others=True, chain=True, rounds=2)


def families(n=30, length=18, seed=3):
    rng = np.random.default_rng(seed)
    letters = np.array(list("ACDEFGHIKLMNPQRSTVWY"))
    parents = [rng.choice(letters, length) for _ in range(3)]
    strings = [
        "".join(np.where(rng.random(length) < 0.3, rng.choice(letters, length), parents[i % 3]))
        for i in range(n)
    ]
    ids = tuple(f"s{i}" for i in range(n))
    return Sequences(ids, tuple(strings)), Labels(ids, np.array([f"family {i % 3}" for i in range(n)]))


def test_families_are_told_apart_and_the_states_fill_the_table():
    sequences, labels = families()
    *states, last = svm_fisher(EVERYTHING, sequences, labels, FOLDS)
    assert [s.done for s in states] == sorted(s.done for s in states)
    assert last.done == last.total == 3 * 4
    assert not np.isnan(last.areas).any()
    found = dict(zip(last.methods, last.means, strict=True))
    assert len(found) == 7
    assert min(found["Profile, log-odds"], found["Profile, Fisher, SVM"], found["Spectrum 3, SVM"]) > 0.8
    assert last.by_class == pytest.approx(last.areas.mean(axis=2))
    rows = last.table()
    assert len(rows) == 7 * 4
    assert [r["auc"] for r in rows if r["class"] == ""] == pytest.approx(list(found.values()))
    assert last.notes == ()


def test_permuted_labels_are_at_level():
    sequences, labels = families()
    rng = np.random.default_rng(0)
    found = [
        list(
            svm_fisher(
                FisherConfig(rounds=1), sequences, Labels(labels.ids, rng.permutation(labels.y)), FOLDS
            )
        )[-1].means
        for _ in range(6)
    ]
    assert np.mean(found, axis=0) == pytest.approx(0.5, abs=0.08)


def test_labels_of_test_items_change_no_decision():
    """Where test items are called the opposite, every order of pairs is the opposite: nothing else has changed."""
    sequences, labels = families()
    fold = Fold(np.arange(15), np.arange(15, 30), 0)
    task = Task(sequences.strings, "protein", labels.y == "family 0", fold)
    changed = task.member.copy()
    changed[fold.test] = ~changed[fold.test]
    *_, state = svm_fisher(EVERYTHING, sequences, labels, FOLDS)
    spectrum = np.eye(30)
    areas, opposite = (
        finished(judged(EVERYTHING, t, spectrum, state)) for t in (task, task._replace(member=changed))
    )
    assert opposite == pytest.approx(1.0 - areas)
    assert areas.max() > 0.7


def test_small_classes_and_unknown_letters_are_told():
    sequences, labels = families()
    y = labels.y.copy().astype("<U12")
    y[0] = "alone"
    strings = (sequences.strings[0] + "XX", *sequences.strings[1:])
    made = dataclasses.replace(sequences, strings=strings)
    *_, last = svm_fisher(FisherConfig(rounds=1), made, Labels(labels.ids, y), FOLDS)
    assert np.isnan(last.by_class[:, last.classes.index("alone")]).all()
    assert np.isfinite(last.means).all()
    assert [note.split(":")[0].split(" in ")[0] for note in last.notes] == [
        "2 letters",
        "Not judged, for want of members",
    ]


def test_other_letters_and_the_time_that_is_said():
    sequences, labels = families(n=18, length=10)
    text = Sequences(sequences.ids, sequences.strings, "text")
    *_, last = svm_fisher(FisherConfig(rounds=1), text, labels, dataclasses.replace(FOLDS, repeats=1))
    assert np.isfinite(last.means).all()
    once, twice = (
        estimated_seconds(FisherConfig(), sequences, labels, CrossValidation(folds=2, repeats=r))
        for r in (1, 2)
    )
    assert 0.0 < 2.0 * once == pytest.approx(twice)


def test_what_cannot_be_judged_is_refused():
    sequences, labels = families()
    with pytest.raises(InvalidInputError, match="same items"):
        next(svm_fisher(FisherConfig(), sequences.take(range(10)), labels, FOLDS))
    with pytest.raises(InvalidInputError, match="leave-one-out"):
        next(svm_fisher(FisherConfig(), sequences, labels, CrossValidation(folds=0)))
