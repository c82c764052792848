import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from tests.kernex_core.learning.test_evaluate import classes_and_kernel
from tests.oracles.joint import random_kernel


@pytest.fixture
def two(rng):
    K, y = classes_and_kernel(rng, gap=1.2)
    return GramMatrix(K, name="first"), GramMatrix(random_kernel(rng, y.size) + 0.2 * K, name="second"), y


def test_every_combination_is_its_definition(two):
    first, second, _ = two
    made = prepare_combination(CombinationConfig(nugget=0.2), first, second)
    A, B = (K.values / np.sqrt(np.outer(np.diag(K.values), np.diag(K.values))) for K in (first, second))
    I = 0.2 * np.eye(first.n)  # noqa: E741
    joint = np.linalg.inv(0.3 * np.linalg.inv(A + I) + 0.7 * np.linalg.inv(B + I))
    np.testing.assert_allclose(made.values("joint", 0.3), joint, atol=1e-9)
    np.testing.assert_allclose(made.values("weighted sum", 0.3), 0.3 * A + 0.7 * B, atol=1e-12)
    np.testing.assert_allclose(made.values("product", 0.3), A * B, atol=1e-12)


@pytest.mark.parametrize("kind", ["joint", "weighted sum", "product"])
def test_what_is_kept_is_what_is_seen(two, kind):
    first, second, _ = two
    made = prepare_combination(CombinationConfig(), first, second)
    np.testing.assert_allclose(made.kernel(kind, 0.4).values, made.values(kind, 0.4), atol=1e-12)


def test_scores_are_judgements_on_the_same_folds(two):
    first, second, y = two
    made = prepare_combination(CombinationConfig(), first, second)
    validation = CrossValidation(repeats=2, C=1.0, seed=3)
    states = list(combining(made, Labels(first.ids, y), validation, lams=(0.0, 0.5)))
    assert [s.done for s in states] == list(range(1, 8))
    last = states[-1]
    for kind, lam in (("joint", 0.5), ("weighted sum", 0.5), ("product", 0.0)):
        alone = judge(made.values(kind, lam), y, validation)
        assert last.values(kind, lam, "multi_class").mean() == pytest.approx(alone.multi_class.mean)
        assert last.values(kind, lam, "one_vs_rest").mean() == pytest.approx(alone.one_vs_rest.mean)
    # a kernel alone is judged as it is everywhere else; the joint kernel at λ = 0 is the second one with its nugget
    for kind, values in (
        ("second", made.second.values),
        ("joint", made.second.values + 0.1 * np.eye(first.n)),
    ):
        alone = judge(values, y, validation)
        np.testing.assert_allclose(last.values(kind, 0.0, "multi_class").mean(), alone.multi_class.mean)
    assert states[0].values("joint", 0.5, "multi_class").size == 0


def test_refusals(two):
    first, second, _ = two
    holes = second.values.copy()
    holes[0, 1] = holes[1, 0] = np.nan
    with pytest.raises(InvalidInputError, match="page Complete"):
        prepare_combination(CombinationConfig(), first, GramMatrix(holes))
    with pytest.raises(InvalidInputError, match="same items"):
        prepare_combination(CombinationConfig(), first, second.take([0, 1, 2]))
    made = prepare_combination(CombinationConfig(), first, second)
    with pytest.raises(InvalidInputError, match="λ"):
        made.values("joint", 1.2)
    with pytest.raises(InvalidInputError, match="combination has to be one of"):
        made.values("mean", 0.2)
    with pytest.raises(InvalidInputError):
        CombinationConfig(nugget=-0.1)
