"""Nothing is added to, scaled in, normalised in or repaired in one curve and not in another.

Every number that a page draws for a kernel, at the ends of its curves too, is the accuracy that the page Evaluate finds for
the same kernel once it is kept.
"""

from functools import cache

import numpy as np
import pytest

from kernex_core.base.digests import digest
from kernex_core.completion.complete import COMPLETIONS
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.predict import predict_new
from kernex_core.learning.protocol import Protocol
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from kernex_core.studies.completion.share_sweep import BASELINES, curves_of, joint_curve, sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source, view
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from kernex_core.studies.diagonals.strength_sweep import losses_at
from kernex_core.studies.diagonals.strength_sweep import sweeping as sweeping_powers
from kernex_core.studies.evaluation import EvaluationConfig, evaluating, judged_form
from kernex_core.studies.papers.extrapolation.tables import measuring
from kernex_core.studies.sequences.new_items import ConditionedRows, extended, joint_classes
from tests.oracles.joint import joint_by_inverses

MEASURES = ("multi_class", "one_vs_rest")
SHARE, ENDS = 0.5, (0.0, 0.3, 1.0)
PLAIN = tuple(method.name for method in COMPLETIONS if method.name != "joint")
WAYS = {
    "as the page opens": {},
    "normalised afterwards": {"normalize_after": True},
    "only normalised afterwards": {"normalize": False, "normalize_after": True},
    "as they are": {"normalize": False},
    "without a nugget to speak of": {"nugget": 1e-6},
    "a large nugget": {"nugget": 1.0},
    "free": {"constraint": "free"},
}
PROTOCOL = CrossValidation(C=1.5, repeats=1, seed=3)


@cache
def world():
    """Kernels in other units, and with diagonals of their own: normalisation and nugget matter."""
    data = load_dataset("protein_world")
    sizes = np.exp(np.random.default_rng(0).normal(0.0, 0.15, data.n))
    source, target = (
        GramMatrix(data.kernels[name].values * np.outer(sizes, sizes), data.ids, name)
        for name in (data.source, data.target)
    )
    return source, target, data.labels


@cache
def hidden_world(way):
    source, target, _ = world()
    config = CompletionConfig(share=SHARE, seed=3, **WAYS[way])
    return prepare(config, prepare_source(config, source), target)


@cache
def complete(way):
    source, target, labels = world()
    config = CompletionConfig(seed=3, **WAYS[way])
    ready = prepare_source(config, source)
    return [*sweeping(config, ready, target, labels, PROTOCOL, shares=(SHARE,))][-1].sweep


def on_evaluate(K, **config):
    (judged,) = [*evaluating(EvaluationConfig(**config), {"K": K}, world()[2], PROTOCOL)][
        -1
    ].judgements.values()
    return [getattr(judged, measure).mean for measure in MEASURES]


def drawn(curves):
    return [curve.mean[0] for curve in curves]


@pytest.mark.parametrize("method", PLAIN)
@pytest.mark.parametrize("way", WAYS)
def test_complete_without_lam(way, method):
    kept = hidden_world(way).kernel(0.3, method)
    plain = [cell.plain[method] for cell in complete(way).cells]
    assert drawn(curves_of(complete(way), plain)) == pytest.approx(on_evaluate(kept), abs=1e-12)


def test_every_method_without_lam_is_on_the_chart():
    assert sorted(BASELINES) == sorted(PLAIN)


@pytest.mark.parametrize("lam", ENDS)
@pytest.mark.parametrize("way", WAYS)
def test_complete_with_lam(way, lam):
    kept = hidden_world(way).kernel(lam)
    assert drawn(joint_curve(complete(way), lam)) == pytest.approx(on_evaluate(kept), abs=1e-12)


@pytest.mark.parametrize("role", ["source", "target"])
@pytest.mark.parametrize("way", [way for way in WAYS if way != "as they are"])
def test_each_kernel_alone_on_complete(way, role):
    alone = world()[role == "target"]
    shown = [getattr(complete(way).levels[role][0], measure) for measure in MEASURES]
    assert shown == pytest.approx(on_evaluate(alone), abs=1e-12)


def test_the_ends_of_lam_are_kernels_that_the_page_shows():
    """λ → 0: W'TW but for the nugget inside T, by explicit inverses; λ → 1: the source rebuilt, Nyström's."""
    made = hidden_world("as the page opens")
    S, T, W = made.extrapolation.known, made.extrapolation.T_known, made.extrapolation.W
    near = joint_by_inverses(made.source.values, T, S, 1e-9, 0.1)
    inside = made.plain["extrapolated"] + 0.1 * W.T @ W
    np.testing.assert_allclose(made.kernel(0.0).values, inside, atol=1e-10)
    np.testing.assert_allclose(near, inside, atol=1e-6)
    np.testing.assert_allclose(made.kernel(1.0).values, made.plain["nystroem"], atol=1e-10)


@pytest.mark.parametrize("method", [method for method in PLAIN if method != "nystroem"])
def test_where_nothing_is_hidden_what_has_no_lam_is_the_target(method):
    source, target, _ = world()
    config = CompletionConfig(share=None)
    made = prepare(config, prepare_source(config, source), target)
    np.testing.assert_allclose(made.plain[method], judged_form(EvaluationConfig(), target).values, atol=1e-9)


def test_errors_are_scaled_for_all_or_for_none():
    made = hidden_world("as the page opens")
    pairs = (made.hidden[:, None] | made.hidden[None, :]) & ~np.eye(made.m, dtype=bool)
    truth = made.truth[pairs]
    for name, K in (*made.plain.items(), ("joint", made.kernel(0.3).values)):
        cosine = abs(K[pairs] @ truth) / np.sqrt((K[pairs] @ K[pairs]) * (truth @ truth) or 1.0)
        expected = np.sqrt(truth @ truth * (1.0 - cosine**2) / truth.size)
        shown = view(made, 0.3).hidden_error if name == "joint" else made.errors[name]
        assert shown == pytest.approx(expected, rel=1e-6), name


@cache
def combined(normalize):
    source, target, labels = world()
    made = prepare_combination(CombinationConfig(normalize=normalize), source, target)
    return made, [*combining(made, labels, PROTOCOL, lams=ENDS)][-1]


@pytest.mark.parametrize("lam", ENDS)
@pytest.mark.parametrize("kind", ["joint", "weighted sum", "product"])
@pytest.mark.parametrize("normalize", [True, False])
def test_combine(normalize, kind, lam):
    made, found = combined(normalize)
    shown = [found.values(kind, 0.0 if kind == "product" else lam, measure)[0] for measure in MEASURES]
    assert shown == pytest.approx(on_evaluate(made.kernel(kind, lam)), abs=1e-12)


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize(("role", "lam"), [("first", 1.0), ("second", 0.0)])
def test_the_ends_of_combine(normalize, role, lam):
    """The sum ends at each kernel alone as Evaluate judges it, the joint kernel at the same kernel with its nugget."""
    made, found = combined(normalize)
    alone = world()[role == "second"]
    shown = [
        [found.values(kind, at, m)[0] for m in MEASURES] for kind, at in ((role, 0.0), ("weighted sum", lam))
    ]
    assert shown[0] == pytest.approx(on_evaluate(alone, normalize=normalize), abs=1e-12)
    assert shown[1] == pytest.approx(shown[0], abs=1e-12)
    K = judged_form(EvaluationConfig(normalize=normalize), alone).values
    nugget = GramMatrix(K + made.config.nugget * np.eye(len(K)), alone.ids)
    joint = [found.values("joint", lam, measure)[0] for measure in MEASURES]
    assert joint == pytest.approx(on_evaluate(nugget, normalize=False), abs=1e-12)


@cache
def tables():
    source, target, labels = world()
    config = CompletionConfig(seed=3)
    return [*measuring(config, source, target, labels, PROTOCOL, shares=(SHARE,), lams=ENDS)][-1]


@pytest.mark.parametrize("name", [*ENDS, "source", "target", "extrapolated"])
def test_papers(name):
    if name == "extrapolated":
        verdicts = [tables().verdict(SHARE, measure) for measure in MEASURES]
        shown = [one.of("extrapolation alone").value for one in verdicts]
        for measure, one in zip(MEASURES, verdicts, strict=True):
            assert one.of("the source alone").value == pytest.approx(tables().alone("source", measure).mean)
            assert one.of("the source alone") is one.best_plain
            for lam in ENDS:
                mean = tables().joint(SHARE, lam, measure).mean
                assert one.of(f"λ = {lam:.2f}").value == pytest.approx(mean), lam
        K = hidden_world("as the page opens").kernel(0.3, name)
    elif isinstance(name, float):
        shown = [tables().joint(SHARE, name, measure).mean for measure in MEASURES]
        K = hidden_world("as the page opens").kernel(name)
    else:
        shown, K = [tables().alone(name, measure).mean for measure in MEASURES], world()[name == "target"]
    assert shown == pytest.approx(on_evaluate(K), abs=1e-12)


def test_large_diagonals_ends_at_the_kernel_as_it_is():
    """p = 1 of the entries of a kernel, cut where it need not be, is the kernel as it is, by all three classifiers."""
    source, _, labels = world()
    K = judged_form(EvaluationConfig(), source)
    protocol = Protocol(PROTOCOL, UNSCALED)
    original = next(sweeping_powers(DiagonalConfig(scheme="clip"), K, labels, protocol)).original
    for name, losses in losses_at(DiagonalConfig(scheme="clip", p=1.0), K, labels, protocol).items():
        assert losses.values == pytest.approx(original[name].values, abs=1e-12), name


@pytest.mark.parametrize("lam", ENDS)
def test_new_items_get_what_the_completed_kernel_of_all_items_says(lam):
    """The last 56 items are taken for new: their rows, and classes, are those of the kernel completed on all items."""
    source, target, labels = world()
    old, new = np.arange(150), np.arange(150, source.n)
    config = CompletionConfig(share=None)
    unknown = target.values.copy()
    unknown[new], unknown[:, new] = np.nan, np.nan
    whole = prepare(config, prepare_source(config, source), GramMatrix(unknown, target.ids))
    part = prepare(config, prepare_source(config, source.take(old)), target.take(old))
    K = whole.source.values
    rows = ConditionedRows(
        tuple(source.ids[i] for i in new),
        K[np.ix_(new, old)],
        np.diag(K)[new],
        digest(part.source.provenance),
    )
    found = extended(part, rows, lam)
    np.testing.assert_allclose(found.joint, whole.kernel(lam).values[np.ix_(new, old)], atol=1e-9)
    extrapolated = whole.kernel(lam, "extrapolated").values[np.ix_(new, old)]
    np.testing.assert_allclose(found.extrapolated, extrapolated, atol=1e-9)
    known = labels.take(old)
    shown = joint_classes(part, known, found, C=1.5)
    again = predict_new(part.kernel(lam), known, found.joint, rows.ids, C=1.5)
    np.testing.assert_allclose(shown.decisions, again.decisions, atol=1e-9)
