"""A protocol and what it comes to on given items; the calls of before it was one value."""

import numpy as np
import pytest

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation, make_folds
from kernex_core.learning.machine import SYMMETRIC, UNSCALED, Coded, Margin
from kernex_core.learning.protocol import Components, Judging, Protocol
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from kernex_core.studies.diagonals.strength_sweep import losses_at, sweeping

IDS = tuple(f"i{i}" for i in range(12))
Y = np.array(["b", "a", "", "b", "a", "b"] * 2)


def test_judging_numbers_classes_and_divides_as_make_folds_does():
    labels = Labels(IDS, Y)
    how = Judging.of(labels, Protocol(CrossValidation(folds=2, repeats=3, seed=4, inductive=True)))
    assert how.coded.classes == ("b", "a")
    assert how.coded.codes.tolist() == [0, 1, -1, 0, 1, 0] * 2
    assert how.coded.labelled.tolist() == [0, 1, 0, 1, 0] * 2
    assert how.inductive
    expected = make_folds(how.coded.codes, CrossValidation(folds=2, repeats=3, seed=4))
    for fold, other in zip(how.folds, expected, strict=True):
        np.testing.assert_array_equal(fold.test, other.test)
    parts = how.repetitions
    assert [{fold.repeat for fold in part.folds} for part in parts] == [{0}, {1}, {2}]
    assert [fold for part in parts for fold in part.folds] == list(how.folds)
    assert all(part.protocol is how.protocol and part.coded is how.coded for part in parts)


def test_groups_come_from_the_labels_unless_others_are_given():
    protocol = Protocol(CrossValidation(folds=2, repeats=1, grouped=True))
    own, other = (np.array([f"g{i % k}" for i in range(12)]) for k in (3, 4))
    labels = Labels(IDS, Y, own)
    for how, groups in (
        (Judging.of(labels, protocol), own),
        (Judging.of(labels, protocol, groups=other), other),
    ):
        for fold in how.folds:
            assert not set(groups[fold.train]) & set(groups[fold.test])
    with pytest.raises(InvalidInputError, match="group column"):
        Judging.of(Labels(IDS, Y), protocol)


def test_labels_of_other_items_than_the_kernel_are_refused():
    K = GramMatrix(np.eye(12), tuple(reversed(IDS)))
    with pytest.raises(InvalidInputError, match="same items"):
        Judging.of(Labels(IDS, Y), Protocol(CrossValidation()), K=K)


def test_a_protocol_tells_its_key_and_its_source():
    one = Protocol(CrossValidation(folds=5), Margin(asymmetry=0.02), Components(4))
    assert one == Protocol(CrossValidation(folds=5), Margin(asymmetry=0.02), Components(4))
    others = [
        Protocol(CrossValidation(folds=5)), Protocol(CrossValidation(folds=5), UNSCALED),
        Protocol(CrossValidation(folds=5), Margin(asymmetry=0.02)),
    ]  # fmt: skip
    assert len({digest(protocol) for protocol in (one, *others)}) == 4
    scope = {}
    exec(write_script([call("data", "dict", one=one)], heading="x").replace(", dict\n", "\n"), scope)
    assert scope["data"]["one"] == one
    assert Protocol(CrossValidation()).margin is SYMMETRIC


@pytest.fixture
def kernel(rng):
    codes = np.arange(24) % 3
    X = rng.normal(size=(24, 4)) + 2.0 * np.eye(4)[codes]
    K = GramMatrix(X @ X.T)
    return K, Labels(K.ids, np.array(["a", "b", "c"])[codes])


def test_calls_of_before_the_protocol_was_one_value_give_the_same(kernel):
    parts = {
        "validation": CrossValidation(folds=2, repeats=2, C=1.0),
        "margin": Margin(asymmetry=0.3),
        "components": Components(3, True),
    }
    config = DiagonalConfig(p=0.35)

    def numbers(*args, **keywords):
        here = losses_at(config, *kernel, *args, **keywords)
        state = list(sweeping(config, *kernel, *args, **keywords))[-1]
        return [found.values.tolist() for losses in (here, *state.judged) for found in losses.values()]

    whole = numbers(Protocol(**parts))
    assert numbers(**parts) == whole
    assert numbers(*parts.values()) == whole
    assert numbers(parts["validation"], margin=parts["margin"], components=parts["components"]) == whole
    assert numbers(protocol=Protocol(**parts)) == whole
    # what an earlier script leaves out is what the page had then
    assert numbers(parts["validation"]) == numbers(Protocol(parts["validation"]))
    assert numbers(parts["validation"]) != whole


def test_an_interrupted_run_goes_on_whatever_the_call(kernel):
    validation = CrossValidation(folds=2, repeats=1, C=1.0)
    first = next(sweeping(DiagonalConfig(), *kernel, validation))
    rest = list(sweeping(DiagonalConfig(), *kernel, Protocol(validation), done=first))
    assert rest[0].done == first.done
    assert rest[-1].done == rest[-1].total


@pytest.mark.parametrize("wrong", [None, 2, Margin()])
def test_what_is_no_protocol_gets_a_sentence(kernel, wrong):
    with pytest.raises(InvalidInputError, match="has to be a Protocol"):
        losses_at(DiagonalConfig(), *kernel, wrong)


def test_given_folds_are_taken_as_they_are():
    codes = Coded(np.arange(6) % 2, ("a", "b"))
    folds = make_folds(codes.codes, CrossValidation(folds=2, repeats=1))
    how = Judging.given(codes, list(folds), C=3.0, margin=UNSCALED)
    machine = how.protocol.machine(tolerance=1e-5, checked=False)
    assert how.folds == folds
    assert (machine.C, machine.margin, machine.tolerance, machine.checked) == (3.0, UNSCALED, 1e-5, False)
