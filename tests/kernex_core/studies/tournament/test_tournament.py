"""A tournament: what each entrant is worth by other code, who is admitted, what a stop leaves, and who wins."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.hide import Hide
from kernex_core.completion.joint import weighted_sum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import from_labels
from kernex_core.inputs.samples import Labels
from kernex_core.learning.copies import copies_of
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import C_GRID, CrossValidation, inner_folds, make_folds
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.machine import code_labels
from kernex_core.learning.mkl.judging import judge_many
from kernex_core.learning.mkl.weightings import EqualWeights, GivenWeights, LearnedWeights, Together
from kernex_core.learning.regression.evaluate import judge_numbers
from kernex_core.runtime.progress import last_state
from kernex_core.studies.completion.candidates import LAMS
from kernex_core.studies.many_kernels import noise_kernel
from kernex_core.studies.tournament.entrants import ENTRANTS, EVERY, SINGLE, TournamentConfig
from kernex_core.studies.tournament.tournament import (
    TournamentField,
    choosing_winner,
    tournament,
    winning_kernel,
    winning_model,
)

CONFIG = TournamentConfig()
TWICE = CrossValidation(repeats=2)
CHOSEN = replace(TWICE, choose_C=True)
N = 28


@cache
def kernels(n=N, shift=1.2, seed=3):
    """Two kernels of two classes, the second of which is half unknown in a copy, and labels."""
    rng = np.random.default_rng(seed)
    y = np.repeat(["a", "b"], n // 2)
    ids = tuple(f"i{k}" for k in range(n))

    def kernel(name, size):
        X = rng.normal(size=(n, 4))
        X[:, 0] += size * (y == "b")
        return GramMatrix(X @ X.T + 1.0, ids, name)

    first, second = kernel("first", shift), kernel("second", 2.0 * shift)
    return {"first": first, "second": second}, Labels(ids, y)


@cache
def with_a_partly_known_one():
    made, labels = kernels()
    hidden = tuple(range(1, N, 2))
    return {"first": made["first"], "part": made["second"].then(Hide(hidden)).renamed("part")}, labels


@cache
def ladder():
    return last_state(tournament(CONFIG, *kernels(), TWICE))


@cache
def completed_ladder():
    return last_state(tournament(CONFIG, *with_a_partly_known_one(), TWICE))


def conditioned(K):
    """Cosines, by hand."""
    size = np.sqrt(np.diag(K.values))
    return K.values / np.outer(size, size)


def folds_of(labels):
    return make_folds(code_labels(labels.y).codes, TWICE)


def by_scikit(K, labels):
    """(2, n) right or wrong of support vector machines of scikit-learn alone, C chosen in folds of the training items."""
    codes = code_labels(labels.y).codes
    found = np.zeros((2, codes.size))
    for fold in folds_of(labels):
        inner = inner_folds(codes, fold.train, TWICE, None)

        def right(train, test, C):
            unit = np.diag(K)[train].mean()
            machine = SVC(C=C, kernel="precomputed", tol=1e-6)
            machine.fit(K[np.ix_(train, train)] / unit, codes[train])
            return machine.predict(K[np.ix_(test, train)] / unit) == codes[test]

        best = max(C_GRID, key=lambda C: sum(right(each.train, each.test, C).sum() for each in inner))
        found[fold.repeat, fold.test] = right(fold.train, fold.test, best)
    return found


def test_every_line_of_the_catalogue_takes_part_where_it_can():
    kinds = {each.kind for each in ladder().rungs} | {each.kind for each in completed_ladder().rungs}
    assert kinds == {each.name for each in ENTRANTS}
    assert not ladder().failed
    assert not ladder().left_out


@pytest.mark.parametrize("name", ["first", "second"])
def test_a_kernel_alone_is_what_scikit_learn_makes_of_it(name):
    given, labels = kernels()
    found = by_scikit(conditioned(given[name]), labels)
    assert ladder().rung(f"{name} alone").by_item.tolist() == found.tolist()


def test_plain_entrants_by_counting():
    given, labels = kernels()
    codes, K = code_labels(labels.y).codes, conditioned(given["first"])
    nearest, usual = np.zeros((2, N)), np.zeros((2, N))
    for fold in folds_of(labels):
        largest = np.bincount(codes[fold.train], minlength=2).argmax()
        for item in fold.test:
            far = [K[item, item] - 2.0 * K[item, k] + K[k, k] for k in fold.train]
            nearest[fold.repeat, item] = codes[fold.train[int(np.argmin(far))]] == codes[item]
            usual[fold.repeat, item] = largest == codes[item]
    assert ladder().rung("nearest neighbour on first").by_item.tolist() == nearest.tolist()
    assert ladder().rung("majority").by_item.tolist() == usual.tolist()


def test_kernels_and_what_is_made_of_them_are_what_other_pages_judge():
    given, labels = kernels()
    forms = {name: GramMatrix(conditioned(K), K.ids, name) for name, K in given.items()}
    copies = copies_of(list(forms.values()), labels, CHOSEN)
    for name, way, kind in (
        ("sum", EqualWeights(), "weighted sum"),
        ("product", EqualWeights(), "product"),
        ("MKL", LearnedWeights(C=0.1), "weighted sum"),
    ):
        made = judge_many(forms, labels, CHOSEN, Together(way, "cosine", kind=kind), copies=copies)
        assert ladder().rung(name).by_item.tolist() == made.judgement.by_item("multi_class").tolist()
    alone = judge(forms["first"], labels, CHOSEN, copies=copies)
    rung = ladder().rung("first alone")
    assert rung.by_item.tolist() == alone.by_item("multi_class").tolist()
    assert rung.interval == alone.interval("multi_class")


def test_every_fold_takes_a_joint_kernel_of_one_weight():
    given, labels = kernels()
    judged = []
    for lam in LAMS[1:-1]:
        way = Together(GivenWeights((lam, 1.0 - lam)), "cosine", kind="joint")
        judged.append(judge_many(given, labels, CHOSEN, way).judgement.by_item("multi_class"))
    found = ladder().rung("joint").by_item
    for fold in folds_of(labels):
        own = found[fold.repeat, fold.test].tolist()
        assert own in [one[fold.repeat, fold.test].tolist() for one in judged]


def test_labels_of_tested_items_change_nothing():
    """All that is chosen is chosen without them: the decisions of a fold stay where its own labels are exchanged."""
    for given, labels in (kernels(), with_a_partly_known_one()):
        field = TournamentField.of(CONFIG, given, labels, TWICE, "classes")
        fold = field.contest.folds[0]
        codes = field.contest.codes.copy()
        codes[fold.test] = 1 - codes[fold.test]
        one = replace(field.contest, folds=(fold,))
        other = replace(one, how=replace(one.how, coded=replace(one.how.coded, codes=codes)))
        for entrant in field.entrants:
            (before,), (after,) = entrant.decide(one), entrant.decide(other)
            assert np.array_equal(before, after), entrant.name


def test_all_learners_learn_of_every_kernel():
    one = TournamentField.of(CONFIG, *kernels(), TWICE, "classes").empty.names
    many = TournamentField.of(replace(CONFIG, learners="all"), *kernels(), TWICE, "classes").empty.names
    assert set(one) < set(many)
    assert {"sum", "sum, kernel ridge", "sum, kernel logistic regression", "sum, nearest neighbours"} <= set(
        many
    )
    assert "majority, kernel ridge" not in many


def test_who_wins_by_counting():
    made = ladder()
    values = {each.name: each.by_item.mean(axis=1) for each in made.rungs}
    share = dict.fromkeys(values, 0.0)
    for repetition in range(2):
        best = max(one[repetition] for one in values.values())
        level = [name for name, one in values.items() if abs(one[repetition] - best) < 1e-9]
        for name in level:
            share[name] += 1.0 / len(level) / 2
    assert made.wins == pytest.approx(share)
    level = {made.verdict.best.name, *(each.name for each in made.verdict.as_good)}
    order = [each.name for each in ENTRANTS]
    assert order.index(made.rung(made.simplest.name).kind) == min(
        order.index(made.rung(name).kind) for name in level
    )
    rows = made.table()
    assert [row["entrant"] for row in rows] == [each.name for each in made.verdict.candidates]
    assert sum(row["simplest_as_good"] for row in rows) == 1


def test_a_stop_loses_nothing():
    states = [each for each in tournament(CONFIG, *kernels(), TWICE) if each is not None]
    assert [each.done for each in states] == list(range(1, states[-1].total + 1))
    assert last_state(tournament(CONFIG, *kernels(), TWICE, done=states[3])) == states[-1]


def test_a_leak_is_never_admitted_and_what_was_brought_is_marked():
    given, labels = kernels()
    ones = np.equal.outer(labels.y, labels.y).astype(float)
    leak = weighted_sum(
        [given["first"], GramMatrix(ones + np.eye(N), labels.ids, "same class")],
        from_labels(np.array([0.2, 0.8])),
    )
    made = last_state(tournament(CONFIG, {**given, "leak": leak}, labels, TWICE))
    assert set(made.left_out) == {"leak"}
    assert "labels of items that are tested" in made.left_out["leak"]
    assert made.names == ladder().names
    assert made == replace(ladder(), left_out=made.left_out)
    assert made.rung("first alone").state.brought
    assert not made.rung("majority").state.brought
    with pytest.raises(InvalidInputError, match="has not seen the labels"):
        last_state(tournament(CONFIG, {"leak": leak}, labels, TWICE))


def test_copies_stay_together_for_all():
    given, labels = kernels()
    X = np.repeat(np.eye(N // 2), 2, axis=0)
    K = GramMatrix(X @ X.T, labels.ids, "copies")
    made = last_state(tournament(CONFIG, {**given, "copies": K}, labels, TWICE))
    assert np.unique(made.groups).size == N // 2
    assert made.rung("nearest neighbour on copies").value < 0.9


def test_numbers_beside_their_mean():
    given, labels = kernels()
    y = given["second"].values[0]
    numbers = Labels(labels.ids, np.array([repr(float(each)) for each in y]))
    made = last_state(tournament(CONFIG, given, numbers, TWICE, "numbers"))
    forms = {name: GramMatrix(conditioned(K), K.ids, name) for name, K in given.items()}
    judged = judge_numbers(forms["first"], numbers, CHOSEN, learner=KernelRidge())
    assert made.rung("first alone").value == pytest.approx(judged.rmse.mean)
    assert made.rung("first alone").interval == judged.interval()
    assert made.rung("mean").value == pytest.approx(judged.rmse.floor)
    assert made.smaller
    assert made.verdict.best.value == min(each.value for each in made.rungs)


@pytest.mark.parametrize("name", ["second alone", "sum", "product", "joint", "MKL"])
def test_the_winner_is_a_kernel_that_can_be_kept(name):
    given, labels = kernels()
    K = winning_kernel(CONFIG, given, labels, TWICE, name)
    assert K.ids == labels.ids
    assert np.linalg.eigvalsh(K.values)[0] > -1e-8
    if name == "sum":
        assert np.allclose(K.values, sum(map(conditioned, given.values())) / 2.0)


def test_what_completes_can_be_kept_and_two_machines_cannot():
    given, labels = with_a_partly_known_one()
    known = np.arange(0, N, 2)
    zero = winning_kernel(CONFIG, given, labels, TWICE, "zero-fill of part")
    own = conditioned(kernels()[0]["second"])[np.ix_(known, known)]
    assert np.allclose(zero.values[np.ix_(known, known)], own)
    assert zero.values[0, 1] == 0.0
    assert winning_kernel(CONFIG, given, labels, TWICE, "joint: part from first").unknown.complete
    assert winning_kernel(CONFIG, given, labels, TWICE, "two machines: part from first") is None


@pytest.mark.parametrize("names", [("first",), ("second",), ("first", "second")])
def test_a_winner_that_is_one_kernel_is_a_model_with_its_number(names):
    given, labels = {name: kernels()[0][name] for name in names}, kernels()[1]
    found = last_state(tournament(CONFIG, given, labels, TWICE))
    made, best = winning_model(CONFIG, given, labels, TWICE, found), found.verdict.best
    assert (made is None) == (found.rung(best.name).kind not in SINGLE)
    if made is not None:
        assert (made.judged.value, made.judged.floor) == (best.value, found.floor)
        assert made.gram.ids == labels.ids


def test_the_winner_is_chosen_again_inside_the_folds():
    given, labels = kernels()
    found = last_state(choosing_winner(CONFIG, given, labels, TWICE, ladder()))
    assert found.names == ladder().names
    assert found.by_item.shape == (2, N)
    # what each training fold chose is what the ladder has of it
    for place, fold in enumerate(folds_of(labels)):
        rung = ladder().rung(found.names[found.picked[place]])
        assert found.by_item[fold.repeat, fold.test].tolist() == rung.by_item[fold.repeat, fold.test].tolist()


@pytest.mark.parametrize("learners", [CONFIG.learners, EVERY])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize(
    "names", [("first",), ("first", "second"), ("first", "part"), ("first", "second", "part")]
)
def test_the_catalogue_knows_who_will_take_part(kind, learners, names):
    config = replace(CONFIG, learners=learners)
    given = kernels()[0] | with_a_partly_known_one()[0]
    given = {name: given[name] for name in names}
    labels = kernels()[1] if kind == "classes" else Labels(given["first"].ids, np.arange(N).astype(str))
    field = TournamentField.of(config, given, labels, TWICE, kind)
    lacking = int("part" in names)
    counted = Counter(each.kind for each in field.entrants)
    for each in ENTRANTS:
        assert each.count(config, len(names) - lacking, lacking, kind) == counted[each.name], each.name


def test_noise_wins_nothing():
    """Small: the whole is run by `make science`."""
    _, labels = kernels()
    rng = np.random.default_rng(0)
    given = {f"noise {seed}": noise_kernel(labels.ids, seed) for seed in range(2)}
    y = Labels(labels.ids, rng.permutation(labels.y))
    made = last_state(tournament(CONFIG, given, y, CrossValidation(repeats=1)))
    assert not made.verdict.of("majority").told_apart
