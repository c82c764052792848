"""The maximum that a page tells is the best of the same candidates whose choice is judged inside the training folds."""

import numpy as np
import pytest

from kernex_core.datasets.catalogue import load_dataset
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import cell_verdict, scores_of
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.combination import (
    KINDS,
    CombinationConfig,
    choosing_combination,
    combining,
    prepare_combination,
)
from kernex_core.studies.completion.candidates import LAMS, choosing_lam
from kernex_core.studies.completion.share_sweep import joint_curve, sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare_source
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from kernex_core.studies.diagonals.strength_sweep import choosing_strength, losses_at
from kernex_core.studies.evaluation import EvaluationConfig, choosing_kernel, evaluating

PROTOCOL = CrossValidation(C=1.5, repeats=2, seed=4)


@pytest.fixture(scope="module")
def part():
    """Every third protein of the simulated world."""
    data = load_dataset("protein_world")
    at = np.arange(0, data.n, 3)
    labels = data.labels.take(at)
    return data.kernels["sequence"].take(at), data.kernels["structure"].take(at), Labels(labels.ids, labels.y)


@pytest.mark.parametrize("measure", ["multi_class", "one_vs_rest"])
def test_combine(part, measure):
    source, target, labels = part
    made, lams = prepare_combination(CombinationConfig(), source, target), (0.0, 0.3, 1.0)
    *_, drawn = combining(made, labels, PROTOCOL, lams=lams)
    *_, found = choosing_combination(made, labels, PROTOCOL, measure=measure, lams=lams)
    shown = {f"{kind} (λ = {lam:g})": drawn.values(kind, lam, measure) for kind in KINDS[:2] for lam in lams}
    shown["product"] = drawn.values("product", 0.0, measure)
    assert found.names == tuple(shown)
    np.testing.assert_allclose(found.alone, list(shown.values()), atol=1e-12)


def swept(part, **config):
    source, target, labels = part
    completion = CompletionConfig(seed=4, **config)
    ready = prepare_source(completion, source)
    return [*sweeping(completion, ready, target, labels, PROTOCOL, shares=(0.5,))][-1].sweep


@pytest.mark.parametrize("config", [{}, {"residual": True}, {"normalize_after": True}])
def test_complete(part, config):
    sweep = swept(part, **config)
    *_, found = choosing_lam(sweep)
    lams = LAMS[1:] if "residual" in config else LAMS
    assert found.names == tuple(f"λ = {lam:g}" for lam in lams)
    curves = [joint_curve(sweep, lam)[0] for lam in lams]
    np.testing.assert_allclose(found.alone.mean(axis=1), [curve.mean[0] for curve in curves], atol=1e-12)
    np.testing.assert_allclose(found.alone.std(axis=1, ddof=1), [curve.sd[0] for curve in curves], atol=1e-12)


def test_kernels_that_differ_by_everything_are_told_apart_and_one_from_itself_is_not(part):
    _, target, labels = part
    how = Judging.of(labels, Protocol(PROTOCOL, UNSCALED)).repetitions
    good, none = ([scores_of(K, one) for one in how] for K in (target.values, np.eye(target.n)))
    assert [each.name for each in cell_verdict({"none": none, "good": good}).worse] == ["none"]
    assert not cell_verdict({"good": good, "again": good}).worse


@pytest.mark.parametrize("inductive", [False, True])
def test_large_diagonals(part, inductive):
    source, _, labels = part
    protocol = Protocol(CrossValidation(repeats=2, C=1e6, inductive=inductive, seed=4))
    strengths = (1.0, 0.5, 0.2)
    *_, found = choosing_strength(DiagonalConfig(), source, labels, protocol, strengths)
    losses = [losses_at(DiagonalConfig(p=p), source, labels, protocol)["svm"] for p in strengths]
    np.testing.assert_allclose(1.0 - found.alone, [one.by_repeat for one in losses], atol=1e-12)
    assert found.names == ("p = 1", "p = 0.5", "p = 0.2")


@pytest.mark.parametrize("options", [{}, {"inductive": True}, {"choose_C": True}])
def test_evaluate(part, options):
    source, target, labels = part
    protocol = CrossValidation(C=1.5, repeats=1, seed=4, **options)
    kernels = {"sequence": source, "structure": target}
    *_, judged = evaluating(EvaluationConfig(), kernels, labels, protocol)
    *_, found = choosing_kernel(EvaluationConfig(), kernels, labels, protocol)
    means = [made.multi_class.mean for made in judged.judgements.values()]
    assert found.alone.mean(axis=1) == pytest.approx(means)
