import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.repairs import conditioned
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.compare import compare_with
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.machine import warm_up
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source
from kernex_core.studies.evaluation import EvaluationConfig, evaluating, hidden_once, judged_form
from tests.kernex_core.learning.test_evaluate import classes_and_kernel
from tests.oracles.joint import random_kernel

PROTOCOL = CrossValidation(repeats=2, C=1.0)


@pytest.fixture
def case(rng):
    K, y = classes_and_kernel(rng)
    good = GramMatrix(K, name="good")
    return {"good": good, "noise": GramMatrix(random_kernel(rng, y.size))}, Labels(good.ids, y)


def test_each_is_its_own_judgement_and_progress_counts_folds(case):
    kernels, labels = case
    warm_up()  # else the first fold takes as long as loading the solver, and is told alone
    states = list(evaluating(EvaluationConfig(), kernels, labels, PROTOCOL))
    # short folds are told in one piece; on a busy machine states come while no further fold is done
    told = [done for done in dict.fromkeys(state.done for state in states) if done]
    assert told == sorted(told)
    assert told[-1] == 8
    assert {4, 8} <= set(told) <= {2, 4, 6, 8}
    assert {state.total for state in states} == {8}
    for name, K in kernels.items():
        alone = judge(conditioned(EvaluationConfig(), K), labels, PROTOCOL)
        assert states[-1].judgements[name].multi_class == alone.multi_class


def test_any_learner_judges_all_kernels(case):
    kernels, labels = case
    *_, last = evaluating(EvaluationConfig(), kernels, labels, PROTOCOL, KernelRidge(0.01))
    for name, made in last.judgements.items():
        alone = judge(
            judged_form(EvaluationConfig(), kernels[name]), labels, PROTOCOL, learner=KernelRidge(0.01)
        )
        np.testing.assert_array_equal(made.correct, alone.correct)
        assert made.costs == ((0.01, len(made.fold_accuracy)),)


def test_the_better_kernel_is_better_by_every_test(case):
    kernels, labels = case
    made = list(evaluating(EvaluationConfig(), kernels, labels, PROTOCOL))[-1]
    (pair,) = compare_with(made.judgements, "noise")
    assert (pair.first, pair.second) == ("good", "noise")
    assert pair.comparison.difference > 0.2
    assert pair.p == pair.comparison.p < 0.05
    with pytest.raises(InvalidInputError, match="reference"):
        compare_with(made.judgements, "other")


def test_one_that_cannot_be_judged_does_not_stop_the_others(case, rng):
    kernels, labels = case
    holes = kernels["good"].values.copy()
    holes[0, 1] = holes[1, 0] = np.nan
    states = list(
        evaluating(EvaluationConfig("none", False), {"holes": GramMatrix(holes), **kernels}, labels, PROTOCOL)
    )
    assert "Complete it first" in states[-1].refused["holes"]
    assert set(states[-1].judgements) == {"good", "noise"}
    assert states[-1].done == states[-1].total


def test_a_single_one_that_cannot_be_judged_is_an_error(case):
    kernels, labels = case
    with pytest.raises(InvalidInputError, match="At least one kernel"):
        list(evaluating(EvaluationConfig(), {}, labels, PROTOCOL))
    with pytest.raises(InvalidInputError):
        list(evaluating(EvaluationConfig(), {"a": kernels["good"]}, Labels(labels.ids, [""] * 32), PROTOCOL))


@pytest.mark.parametrize("kind", ["joint", "weighted sum", "product", "first"])
def test_a_kernel_has_the_same_accuracy_here_as_on_combine(case, kind):
    kernels, labels = case
    first, second = kernels.values()
    made = prepare_combination(CombinationConfig(), first, second)
    there = list(combining(made, labels, PROTOCOL, lams=(0.4,)))[-1]
    kept = first if kind == "first" else made.kernel(kind, 0.4)
    here = list(evaluating(EvaluationConfig(), {"kept": kept}, labels, PROTOCOL))[-1].judgements["kept"]
    lam = 0.4 if kind in ("joint", "weighted sum") else 0.0
    assert here.multi_class.mean == pytest.approx(there.values(kind, lam, "multi_class").mean())
    assert here.one_vs_rest.mean == pytest.approx(there.values(kind, lam, "one_vs_rest").mean())


def test_a_joint_kernel_is_judged_as_it_is_and_tells_its_hidden_items(case):
    source, target = case[0].values()
    config = CompletionConfig(share=0.25)
    joint = prepare(config, prepare_source(config, source), target).kernel(0.3)
    np.testing.assert_array_equal(judged_form(EvaluationConfig(), joint).values, joint.values)
    assert hidden_once(joint) == round(0.25 * source.n)
    assert hidden_once(source) == 0
    np.testing.assert_allclose(np.diag(judged_form(EvaluationConfig(), source).values), 1.0)


def test_a_repair_that_is_not_needed_is_no_step(case):
    good = case[0]["good"]
    made = conditioned(EvaluationConfig(), good)
    assert [step.name for step in made.steps] == ["cosine normalisation"]
    judged = list(evaluating(EvaluationConfig(), {"good": good}, case[1], PROTOCOL))[-1].judgements["good"]
    assert judged.state.words == "as brought"  # a bare matrix, and no step has seen more
