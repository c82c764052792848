"""Laws of what is learned from kernels: learners, weights of kernels, judgements, edges, scores."""

import numpy as np
from scipy import sparse

import kernex_core as kx
from kernex_core.gram.normalize import MeanNormalize
from kernex_core.learning.learners.contract import Targets
from tests.kernex_core.magnitudes.law import law
from tests.kernex_core.magnitudes.things import (
    CODES,
    FOLDS,
    IDS,
    LABELS,
    K,
    N,
    T,
    X,
    Y,
    Z,
    gram,
    last,
    network,
    vectors,
)

NEW = K[:4] + 0.1
KERNELS = {"one": K, "two": T}
TWELVE = np.arange(N) < 12
SOME = np.where(TWELVE, Y, "")
MACHINE = {"weights": 0, "objective": 0, "converged": 0}


def _kernels(s):
    return {name: gram(s * values, name) for name, values in KERNELS.items()}


def _fit(learner, s, numbers=False):
    targets = Targets(Z) if numbers else Targets(CODES, 2)
    return learner.fit(s * K, targets).decide(s * NEW)


def _stack(s):
    return kx.KernelStack(s * np.array([K, T]))


def _genes(s):
    return kx.gene_data(_kernels(s), network(1.0))


TWICE = [0, 0, *range(2, len(K))]
"""Items of which the second is a copy of the first."""

LEARNED = {
    "LEARNERS:HardMargin": law(lambda s: _fit(kx.HardMargin(), s), it=0, rtol=1e-3),
    "LEARNERS:NearestNeighbours": law(lambda s: _fit(kx.NearestNeighbours(3), s), it=0),
    "LEARNERS:KernelRidge": law(lambda s: _fit(kx.KernelRidge(0.01 * s), s, numbers=True), it=0),
    "LEARNERS:GaussianProcess": law(lambda s: _fit(kx.GaussianProcess(0.1), s, numbers=True), it=0),
    "LEARNERS:KernelLogistic": law(lambda s: _fit(kx.KernelLogistic(0.01 * s), s), it=0),
    "LEARNERS:SupportVectors": law(lambda s: _fit(kx.SupportVectors(1.0 / s), s), it=0, rtol=1e-2),
    "LEARNERS:SupportVectorRegression": law(
        lambda s: _fit(kx.SupportVectorRegression(1.0 / s), s, numbers=True), it=0, rtol=1e-2
    ),
    "LEARNERS:OnComponents": law(lambda s: _fit(kx.OnComponents(5, kx.KernelRidge(0.01 * s)), s), it=0),
    "kernel_ridge": law(
        lambda s: kx.kernel_ridge(s * K, Z, 0.01 * s), alpha=-1, loo_error=0, effective=0, objective=0, loo_residuals=0
    ),
    "kernel_ridge, numbers": law(
        lambda s: kx.kernel_ridge(K, s * Z, 0.01), alpha=1, loo_error=2, effective=0, objective=2
    ),
    "kernel_logistic": law(
        lambda s: kx.kernel_logistic(s * K, Y, 0.01 * s), alpha=-1, objective=0, intercept=0, converged=0
    ),
    "one_vs_rest_accuracy": law(
        lambda s: kx.one_vs_rest_accuracy(s * K, Y, C=1.0 / s, folds=4, rng=np.random.default_rng(0)), per_class=0, mean=0
    ),
    "copies_of": law(lambda s: kx.copies_of([s * K[TWICE][:, TWICE]], Y, FOLDS), units=0, count=0),
    "judge": law(lambda s: kx.judge(s * K, Y, FOLDS), correct=0, auc__mean=0, multi_class__mean=0),
    "judge_numbers": law(lambda s: kx.judge_numbers(s * K, Z, FOLDS), rmse__mean=0, r2__mean=0, predicted=0),
    "judge_numbers, on one scale": law(
        lambda s: kx.judge_numbers(gram(s * K).then(MeanNormalize()), Z, FOLDS), rmse__mean=0, r2__mean=0, predicted=0
    ),
    "judge_numbers, numbers": law(lambda s: kx.judge_numbers(K, s * Z, FOLDS), rmse__mean=1, r2__mean=0, predicted=1),
    "judge_many": law(
        lambda s: kx.judge_many(_kernels(s), LABELS, FOLDS, kx.Together(kx.ByAlignment())), judgement__correct=0,
        judgement__multi_class__mean=0,
    ),
    "compare": law(lambda s: kx.compare(kx.judge(s * K, Y, FOLDS), kx.judge(s * T, Y, FOLDS)), difference=0, p=0),
    "permutation_test": law(
        lambda s: kx.permutation_test({"one": s * K, "two": s * T}, Y, FOLDS, permutations=19), observed=0, drawn=0
    ),
    "related": law(lambda s: kx.related(gram(s * K), gram(T), permutations=19), value=0, drawn=0),
    "related, distances": law(
        lambda s: kx.related(gram(s * K), gram(T), statistic="mantel", permutations=19), value=0, drawn=0
    ),
    "classes_differ": law(
        lambda s: kx.classes_differ(gram(s * K), LABELS, permutations=19), share=0, drawn=0, spreads=0.5, spread_F=0,
        spread_drawn=0,
    ),
    "pairs_differ": law(lambda s: kx.pairs_differ(gram(s * K), LABELS, permutations=19), **{"0__mmd2": 1, "0__p": 0}),
    "predict_unlabelled": law(
        lambda s: kx.predict_unlabelled(gram(s * K), SOME, learner=kx.HardMargin()), decisions=0, rtol=1e-3
    ),
    "predict_numbers": law(
        lambda s: kx.predict_numbers(gram(s * K), np.where(TWELVE, Z, np.nan), learner=kx.KernelRidge(0.01 * s)), numbers=0
    ),
    **{
        f"mkl, {loss}, {method}, {normalize}": law(
            lambda s, how=(loss, method, normalize): kx.mkl(
                [s * K, s * T], Y, C=1.0 if how[2] != "none" else 1.0 / s, loss=how[0], method=how[1], normalize=how[2]
            ),
            **MACHINE, rtol=1e-2,
        )
        for loss in ("hinge", "square")
        for method in ("projected gradient", "SimpleMKL")
        for normalize in ("none", "mean", "cosine", "centred")
    },
    "mkl": law(lambda s: kx.mkl([s * K, s * T], Y, normalize="mean"), **MACHINE, units=1, kernel=0, rtol=1e-2),
    "mkl_path": law(
        lambda s: [m.weights for m in kx.mkl_path([s * K, s * T], Y, (0.1, 1.0), kx.MklConfig(normalize="mean"))], it=0,
        rtol=1e-2,
    ),
    "square_loss_mkl": law(
        lambda s: kx.square_loss_mkl(kx.KernelStack(s * np.array([K, T])), Z, 0.1 * s), weights=0, objective=0, dual=-1,
        rtol=1e-2,
    ),
    "square_loss_mkl, features": law(
        lambda s: kx.square_loss_mkl(kx.FeatureGroups(s * X, np.eye(4)), Z, 0.1 * s * s), weights=0, rtol=1e-2
    ),
    "KernelStack": law(lambda s: kx.KernelStack(s * np.array([K, T])).quadratic(Z), it=1),
    "FeatureGroups": law(
        lambda s: kx.FeatureGroups(s * X, sparse.csr_array(np.eye(4))).weighted(np.ones(4)), it=2
    ),
    "alignment_weights": law(
        lambda s: kx.alignment_weights([s * K, s * T], Y), weights=0, with_labels=0, between=0
    ),
    "alignment_weights, apart": law(
        lambda s: kx.alignment_weights([s * K, T], Y, way="each"), weights=0, with_labels=0, between=0
    ),
    **{
        f"WEIGHTINGS:{kind.__name__}": law(
            lambda s, made=made: (made or kx.LearnedWeights(C=1.0 / s)).weigh(_stack(s), Targets(CODES, 2)).weights, it=0,
            rtol=1e-2,
        )
        for kind, made in zip(
            kx.WEIGHTINGS,
            (kx.EqualWeights(), kx.GivenWeights((0.4, 0.6)), None, kx.ByAlignment("each")),
            strict=True,
        )
    },
    "gene_data": law(_genes, kernels=1),
    **{
        f"EDGE_METHODS:{kind.__name__}": law(
            lambda s, kind=kind: kx.predict_edges(_genes(s), IDS[:3], kind(), "one"), scores=0, rtol=1e-3
        )
        for kind in kx.EDGE_METHODS
    },
    "predict_edges": law(lambda s: kx.predict_edges(_genes(s), IDS[:3], kx.EDGE_METHODS[0]()), scores=0),
    "rank_unobserved": law(lambda s: kx.rank_unobserved(_genes(s), kx.EDGE_METHODS[0]()), scores=0),
    "judging_edges": law(
        lambda s: [c.known_new.auc for c in last(kx.judging_edges(_genes(s), kx.EdgeConfig(folds=2))).cells], it=0, rtol=1e-2
    ),
    "judging_missing": law(
        lambda s: [c.hidden.auc for c in last(kx.judging_missing(_genes(s), folds=2)).cells], it=0, rtol=5e-2
    ),
    "place_nodes": law(
        lambda s: kx.place_nodes(kx.NewNodesConfig(), gram(s * T), vectors(s * X), LABELS), placed__error=0,
        baseline__error=0, floor=0,
    ),
    "from_labels": law(lambda s: kx.from_labels(s * Z), it=1),
    "roc_score": law(lambda s: kx.roc_score(CODES, s * Z, positive=1), it=0),
    "median_rfp": law(lambda s: kx.median_rfp(CODES, s * Z, positive=1), it=0),
    "are_numbers": law(lambda s: kx.are_numbers(kx.Labels(IDS, np.array([f"{s * z:.17g}" for z in Z]))), it=0),
}  # fmt: skip
