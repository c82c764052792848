"""Complete and Evaluate beside code that knows nothing of Kernex, on a demo and on real proteins."""

import dataclasses

import numpy as np
import pytest

from kernex_core.datasets.catalogue import load_dataset
from kernex_core.learning.compare import compare, paper_tests
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.share_sweep import joint_curve, sweeping
from kernex_core.studies.completion.study import CompletionConfig, joint_values, prepare, prepare_source
from kernex_core.studies.evaluation import EvaluationConfig, evaluating
from science import data
from tests.oracles import completed as other

REPEATS = 2


@dataclasses.dataclass(frozen=True)
class Case:
    """Two raw kernels and classes; what the pages are asked."""

    source: object
    target: object
    labels: object
    C: float
    share: float
    lam: float
    seed: int

    @property
    def protocol(self):
        return CrossValidation(C=self.C, repeats=REPEATS, seed=self.seed)


@pytest.fixture(scope="module", params=["protein world", "TIM barrels"])
def case(request):
    if request.param == "protein world":
        made = load_dataset("protein_world")
        return Case(made.kernels["sequence"], made.kernels["structure"], made.labels, 1.5, 0.25, 0.25, 0)
    request.getfixturevalue("shared")
    return Case(*data.tim_barrels(), C=10.0, share=0.5, lam=0.1, seed=3)


def test_entries_of_the_joint_kernel(case):
    config = CompletionConfig(share=case.share, seed=case.seed)
    ours = joint_values(prepare(config, prepare_source(config, case.source), case.target), case.lam)
    hidden = other.hidden_items(case.source.n, case.share, case.seed, 0)
    theirs = other.joint_kernel(case.source.values, case.target.values, hidden, case.lam)
    first, second = hidden[:2]
    assert ours[first, second] == pytest.approx(theirs[first, second], abs=1e-10)
    assert ours == pytest.approx(theirs, abs=1e-10)


def test_multi_class_accuracy_of_the_joint_kernel(case):
    """LIBSVM and our solver stop at another place: an item that lies between two classes may change."""
    config, y = CompletionConfig(share=case.share, seed=case.seed), case.labels.y
    *_, state = sweeping(
        config,
        prepare_source(config, case.source),
        case.target,
        case.labels,
        case.protocol,
        shares=(case.share,),
    )
    ours = joint_curve(state.sweep, case.lam)[0].mean[0]
    theirs = []
    for r in range(REPEATS):
        hidden = other.hidden_items(y.size, case.share, case.seed, r)
        K = other.joint_kernel(case.source.values, case.target.values, hidden, case.lam)
        theirs.append(other.right(other.decided(K, y, C=case.C, seed=case.seed, repetition=r), y).mean())
    assert ours == pytest.approx(np.mean(theirs), abs=0.51 / y.size)


def test_accuracy_interval_and_corrected_t_of_evaluate(case):
    kernels, y = {"first": case.source, "second": case.target}, case.labels.y
    *_, found = evaluating(EvaluationConfig(), kernels, case.labels, case.protocol)
    passes = {}
    for name, K in kernels.items():
        form = other.clipped_then_cosine(K.values)
        decisions = [other.decided(form, y, C=case.C, seed=case.seed, repetition=r) for r in range(REPEATS)]
        passes[name] = np.array([other.right(each, y) for each in decisions])
        judged = found.judgements[name]
        assert judged.multi_class.mean == pytest.approx(passes[name].mean(), abs=0.51 / y.size)
        interval = judged.interval()
        expected = other.wilson(passes[name].mean(), y.size / other.factor(2, REPEATS))
        # a decision that is nearly 0 may fall to the other side by rounding
        assert (interval.low, interval.high) == pytest.approx(expected, abs=0.51 / y.size)
    gains = passes["first"].astype(float) - passes["second"]
    differences = [
        gains[r, test].mean()
        for r in range(REPEATS)
        for test in other.fold_items(y, seed=case.seed, repetition=r)
    ]
    both = found.judgements["first"], found.judgements["second"]
    assert paper_tests(*both).corrected_t_p == pytest.approx(
        other.corrected_t(np.array(differences), 2), rel=0.02
    )
    assert compare(*both).p == pytest.approx(other.p_of_gains(gains, 2), rel=0.05, abs=1e-6)
