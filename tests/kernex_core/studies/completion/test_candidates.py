"""Every contestant under its name, and baselines that fill what they can see."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import CellScores, scores_of
from kernex_core.learning.chance.verdict import verdict_sentence
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.candidates import (
    CONTESTANTS,
    OTHER_JOINT,
    contestants,
    joint_accuracy,
    of_all,
    other_joint,
    scores_by_role,
    shown_accuracy,
    verdict_at,
    verdict_of_scores,
)
from kernex_core.studies.completion.share_sweep import (
    BASELINES,
    TWO_MACHINES,
    curves_of,
    joint_curve,
    joint_matrix,
    sweeping,
)
from kernex_core.studies.completion.study import (
    CompletionConfig,
    other_joint_error,
    prepare,
    prepare_source,
    view,
)
from kernex_core.studies.inspection import filling

PROTOCOL = CrossValidation(folds=2, repeats=2, C=1.5, seed=2)


@pytest.fixture
def world(rng):
    """Two kernels of 45 items of three classes, of which the target says more."""
    y = np.repeat(["a", "b", "c"], [20, 15, 10])
    X = rng.normal(size=(45, 6))
    X[:, 0] += (y == "a") * 2.0
    X[:, 1] += (y == "b") * 2.0
    source = GramMatrix(X @ X.T, name="source")
    near = np.exp(-((X[:, None, :3] - X[None, :, :3]) ** 2).sum(axis=2) / 4.0)
    sizes = np.exp(rng.normal(0.0, 0.3, 45))
    target = GramMatrix(near * np.outer(sizes, sizes), name="target")
    return source, target, Labels(source.ids, y)


def swept(world, config, share=0.5):
    source, target, labels = world
    ready = prepare_source(config, source)
    return [*sweeping(config, ready, target, labels, PROTOCOL, shares=(share,))][-1].sweep


def with_gaps(rng, target, share):
    """The target with single pairs unknown."""
    values = target.values.copy()
    at = np.triu(rng.random(values.shape) < share, 1)
    values[at | at.T] = np.nan
    return GramMatrix(values, target.ids, "gaps")


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("way", [{}, {"normalize_after": True}, {"normalize": False}])
def test_the_other_joint_kernel_is_that_of_the_other_setting(world, residual, way):
    config = CompletionConfig(share=0.5, residual=residual, **way)
    sweep = swept(world, config)
    opposite = replace(config, residual=not residual)
    made = other_joint(sweep, 0.3)
    assert len(made) == len(sweep.cells)
    source, target, _ = world
    for cell, scores in zip(sweep.cells, made, strict=True):
        K = prepare(opposite, prepare_source(opposite, source), target, repetition=cell.repetition).kernel(
            0.3
        )
        np.testing.assert_allclose(joint_matrix(cell, 0.3, residual=not residual), K.values, atol=1e-12)
        np.testing.assert_array_equal(scores.by_item, scores_of(K.values, cell.how).by_item)


@pytest.mark.parametrize(
    "config", [{}, {"residual": True}, {"normalize_after": True}, {"constraint": "free"}, {"share": None}]
)
@pytest.mark.parametrize("lam", [0.0, 0.3, 1.0])
def test_both_joint_kernels_judged_at_once_are_those_judged_one_by_one(world, config, lam):
    made = CompletionConfig(**config)
    if made.residual and not lam:
        return  # it would be divided by 0
    sweep = swept(world, made)
    wanted = of_all([joint_accuracy([sweep], lam)], other_joint(sweep, lam))
    assert shown_accuracy(sweep, lam) == wanted
    assert shown_accuracy(sweep, lam, sweep.cells[0].path.kernel(lam)) == wanted


def test_there_is_no_residual_under_the_free_constraint_nor_without_the_source(world):
    assert other_joint(swept(world, CompletionConfig(constraint="free")), 0.3) == ()
    shear = swept(world, CompletionConfig())
    assert other_joint(shear, 0.0) == ()
    with pytest.raises(InvalidInputError, match="divided by λ"):
        joint_matrix(shear.cells[0], 0.0, residual=True)
    assert len(other_joint(swept(world, CompletionConfig(residual=True)), 1.0)) == 2


@pytest.mark.parametrize("residual", [False, True])
def test_scores_stand_under_the_role_that_they_were_made_for(world, residual):
    config = CompletionConfig(residual=residual)
    sweep = swept(world, config)
    accuracy, other = joint_accuracy([sweep], 0.3), other_joint(sweep, 0.3)
    found = scores_by_role(sweep, accuracy.scores, other)
    assert list(found) == [each.role for each in CONTESTANTS]
    assert (found["joint"], found[OTHER_JOINT]) == (accuracy.scores, other)
    assert found["source"] is sweep.levels["source"]
    for role in (*BASELINES, TWO_MACHINES):
        assert found[role] == tuple(cell.plain[role] for cell in sweep.cells)
    assert OTHER_JOINT not in scores_by_role(sweep, accuracy.scores)


@pytest.mark.parametrize("residual", [False, True])
def test_every_contestant_has_a_name_of_its_own(residual):
    named = {each.role: each.name for each in contestants(CompletionConfig(residual=residual), "sequence")}
    assert len(set(named.values())) == len(named) == len(CONTESTANTS)
    assert named["source"] == "sequence alone"
    assert ("residual" in named["joint"]) is residual
    assert ("residual" in named[OTHER_JOINT]) is not residual
    assert {each.role for each in CONTESTANTS if each.plain} == {
        "nystroem",
        "zero-fill",
        "mean-fill",
        "source",
    }


class TestScatteredGaps:
    @pytest.mark.parametrize("share", [0.02, 0.1, 0.4])
    def test_fills_are_those_of_kernels_on_the_same_folds(self, rng, world, share):
        source, target, labels = world
        gaps = with_gaps(rng, target, share)
        sweep = swept((source, gaps, labels), CompletionConfig(), None)
        rows = {row.method: row.judgement for row in [*filling(gaps, labels, PROTOCOL)][-1].rows}
        for role, method in (("zero-fill", "zero"), ("mean-fill", "mean")):
            for measure in ("multi_class", "one_vs_rest"):
                shown = np.mean([getattr(cell.plain[role], measure) for cell in sweep.cells])
                assert shown == pytest.approx(getattr(rows[method], measure).mean, abs=1e-12)

    @pytest.mark.parametrize(
        "way",
        [
            {},
            {"normalize": False},
            {"normalize_after": True},
            {"repair": "shift"},
            {"repair": "flip"},
            {"repair_whole": True},
        ],
    )
    @pytest.mark.parametrize("hidden", [None, 0.3])
    def test_a_fill_rests_on_every_known_pair_and_on_no_hidden_one(self, rng, world, way, hidden):
        source, target, _ = world
        gaps = with_gaps(rng, target, 0.1)
        config = CompletionConfig(share=hidden, **way)
        ready = prepare_source(config, source)
        made = prepare(config, ready, gaps)
        assert made.scattered
        assert 0 < made.known.sum() < (45 if hidden is None else 45 * 0.7)
        outside = np.flatnonzero(~made.known & ~made.hidden)
        i, j = next(
            (a, b) for a in outside for b in range(45) if a != b and not np.isnan(made.seen.values[a, b])
        )
        changed = gaps.values.copy()
        changed[i, j] = changed[j, i] = changed[i, j] - 0.5
        if made.hidden.any():
            h = int(np.flatnonzero(made.hidden)[0])
            unknown = np.isnan(changed[h])
            changed[h] = changed[:, h] = np.where(unknown, np.nan, 0.01)
            changed[h, h] = 7.0
        other = prepare(config, ready, GramMatrix(changed, gaps.ids, "gaps"))
        for method in ("zero-fill", "mean-fill"):
            K, again = made.baselines[method], other.baselines[method]
            assert not np.allclose(K, again)
            assert np.linalg.eigvalsh(K)[0] > -1e-9 * np.abs(K).max()
        for method in ("extrapolated", "nystroem"):
            np.testing.assert_allclose(made.plain[method], other.plain[method], atol=1e-12)
        if made.hidden.any():  # what is hidden does not reach a fill
            alone = gaps.values.copy()
            alone[h], alone[:, h], alone[h, h] = (
                np.where(unknown, np.nan, 0.01),
                np.where(unknown, np.nan, 0.01),
                7.0,
            )
            hidden_only = prepare(config, ready, GramMatrix(alone, gaps.ids, "gaps"))
            for method in ("zero-fill", "mean-fill"):
                np.testing.assert_array_equal(made.baselines[method], hidden_only.baselines[method])

    @pytest.mark.parametrize("method", ["zero-fill", "mean-fill"])
    def test_it_is_judged_as_it_is_kept_and_its_script_makes_it(self, rng, world, method):
        source, target, labels = world
        gaps = with_gaps(rng, target, 0.1)
        config = CompletionConfig(share=None)
        made = prepare(config, prepare_source(config, source), gaps)
        kept = made.kernel(0.3, method)
        sweep = swept((source, gaps, labels), config, None)
        shown = np.mean([cell.plain[method].multi_class for cell in sweep.cells])
        assert judge(kept, labels, PROTOCOL).multi_class.mean == pytest.approx(shown, abs=1e-12)
        scope: dict = {}
        exec(write_script([kept.recipe], heading="x"), scope)
        again = [value for value in scope.values() if isinstance(value, GramMatrix)][-1]
        np.testing.assert_array_equal(again.values, kept.values)

    def test_without_single_unknown_pairs_a_fill_rests_on_the_known_block(self, world):
        source, target, _ = world
        config = CompletionConfig(share=0.3)
        made = prepare(config, prepare_source(config, source), target)
        assert not made.scattered
        np.testing.assert_array_equal(made.kernel(0.3, "zero-fill").values, made.baselines["zero-fill"])


def right_or_wrong(shares, n=200, passes=2):
    """Scores by role of contestants that are right for the first items, as many as their share says."""
    return {
        role: tuple(
            CellScores(
                share, share, np.array([share]), np.full((2, 2), share),
                np.repeat((np.arange(n) < share * n)[:, None], 2, axis=1).astype(float), None, np.arange(n) % 2,
            )
            for _ in range(passes)
        )
        for role, share in shares.items()
    }  # fmt: skip


class TestVerdict:
    def test_a_third_that_is_ahead_of_two_wins(self):
        """On splice data zero-fill had 74.5 where the page said that extrapolation wins with 66.0."""
        shares = {"joint": 0.62, "extrapolated": 0.66, "zero-fill": 0.745, "mean-fill": 0.5, "source": 0.6}
        made = verdict_of_scores(contestants(CompletionConfig(), "sequence"), right_or_wrong(shares))
        assert made.best.name == "zero-fill"
        assert made.plain_does
        assert verdict_sentence(made, gain="completing gains nothing").startswith(
            "Zero-fill does best here (74.5"
        )
        assert {each.name for each in made.candidates if each.plain} == {
            "zero-fill",
            "mean-fill",
            "sequence alone",
        }

    @pytest.mark.parametrize("ahead", [each.role for each in CONTESTANTS])
    def test_whoever_is_ahead_is_named(self, ahead):
        roles = [each.role for each in CONTESTANTS]
        shares = dict.fromkeys(roles, 0.5) | {ahead: 0.8}
        names = contestants(CompletionConfig(), "own")
        made = verdict_of_scores(names, right_or_wrong(shares))
        (name,) = [each.name for each in names if each.role == ahead]
        assert made.best.name == name
        assert len(made.candidates) == len(roles)
        assert {each.name for each in made.worse} == {each.name for each in names} - {name}
        assert made.plain_does is made.best.plain

    @pytest.mark.parametrize("measure", ["multi_class", "one_vs_rest"])
    def test_everything_that_is_judged_at_lam_is_in_it(self, world, measure):
        sweep = swept(world, CompletionConfig())
        made = verdict_at(sweep, 0.3, source="sequence", measure=measure)
        values = {each.name: each.value for each in made.candidates}
        place = ("multi_class", "one_vs_rest").index(measure)
        assert values.pop("joint") == pytest.approx(joint_curve(sweep, 0.3)[place].mean[0])
        other = curves_of(sweep, other_joint(sweep, 0.3))[place]
        assert values.pop("joint with the residual") == pytest.approx(other.mean[0])
        alone = np.mean([getattr(scores, measure) for scores in sweep.levels["source"]])
        assert values.pop("sequence alone") == pytest.approx(alone)
        named = {each.name: each.role for each in CONTESTANTS}
        for name in list(values):
            plain = curves_of(sweep, [cell.plain[named[name]] for cell in sweep.cells])[place]
            assert values.pop(name) == pytest.approx(plain.mean[0])
        assert not values
        assert [each.value for each in made.candidates] == sorted(
            (each.value for each in made.candidates), reverse=True
        )

    def test_nothing_that_is_not_there_is_in_it(self, world):
        free = verdict_at(swept(world, CompletionConfig(constraint="free")), 0.3)
        assert "joint with the residual" not in {each.name for each in free.candidates}
        with_it = verdict_at(swept(world, CompletionConfig(residual=True)), 0.3, source="own")
        assert {each.name for each in with_it.candidates} == {
            each.name for each in contestants(CompletionConfig(residual=True), "own")
        }

    def test_the_target_that_nobody_has_is_no_candidate(self, world):
        made = verdict_at(swept(world, CompletionConfig()), 0.3)
        assert not any("complete" in each.name for each in made.candidates)


@pytest.mark.parametrize("residual", [False, True])
def test_the_error_of_the_other_joint_kernel_is_that_of_the_kernel(world, residual):
    source, target, _ = world
    config = CompletionConfig(share=0.4, residual=residual)
    made = prepare(config, prepare_source(config, source), target)
    opposite = prepare(replace(config, residual=not residual), prepare_source(config, source), target)
    assert other_joint_error(made, 0.3) == pytest.approx(view(opposite, 0.3).hidden_error)
    assert bool(np.isnan(other_joint_error(made, 0.0))) is not residual
    free = prepare(CompletionConfig(constraint="free"), prepare_source(config, source), target)
    assert np.isnan(other_joint_error(free, 0.3))
