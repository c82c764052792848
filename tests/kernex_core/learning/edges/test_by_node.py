"""What a node has of a number about pairs: the change of the number with the node's weight, by other code."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from kernex_core.learning.edges.genes import (
    area_pulls,
    auc_within,
    of_nodes,
    pair_scores,
    precision_pulls,
    pulls_within,
)

STEP = 1e-6


def slope(of, weights, k):
    """Derivative with weight k at 1."""
    up, down = weights.copy(), weights.copy()
    up[k] += STEP
    down[k] -= STEP
    return (of(up) - of(down)) / (2 * STEP)


@pytest.fixture
def pairs(rng):
    """Pairs of a known and a new node, with ties among the scores."""
    joined = rng.random((9, 6)) < 0.3
    joined[0], joined[1] = False, True
    return joined, np.round(rng.normal(size=joined.shape) + joined, 1)


@pytest.mark.parametrize(
    ("measure", "pulls"), [(roc_auc_score, area_pulls), (average_precision_score, precision_pulls)]
)
def test_pulls_of_pairs_are_slopes_in_their_weights(pairs, measure, pulls):
    joined, scores = pairs
    y, s = joined.ravel(), scores.ravel()
    made = pulls(joined, scores)
    meant = [slope(lambda w: measure(y, s, sample_weight=w), np.ones(y.size), k) for k in range(y.size)]
    np.testing.assert_allclose(made.ravel(), meant, atol=1e-8)
    assert made.sum() == pytest.approx(0.0, abs=1e-12)
    assert not pulls(np.ones_like(joined), scores).any()


def test_pulls_of_nodes_are_slopes_in_theirs(pairs):
    """A pair weighs what both its nodes weigh, multiplied."""
    joined, scores = pairs
    known, new = np.arange(9), np.arange(9, 15)
    ends = np.broadcast_to(known[:, None], (9, 6)), np.broadcast_to(new, (9, 6))
    found = pair_scores(joined, scores, ends, 15)
    for row, measure in enumerate((roc_auc_score, average_precision_score)):

        def of(w, measure=measure):
            return measure(joined.ravel(), scores.ravel(), sample_weight=np.outer(w[:9], w[9:]).ravel())

        np.testing.assert_allclose(
            found.pulls[row], [slope(of, np.ones(15), k) for k in range(15)], atol=1e-8
        )
    assert found.auc == pytest.approx(roc_auc_score(joined.ravel(), scores.ravel()))
    np.testing.assert_allclose(found.pulls[0], of_nodes(area_pulls(joined, scores), *ends, 15))


def test_pulls_within_a_row_are_slopes_in_the_weights_of_rows_and_columns(pairs):
    joined, scores = pairs
    kept = [k for k in range(9) if joined[k].any() and not joined[k].all()]

    def of(w):
        areas = [roc_auc_score(joined[k], scores[k], sample_weight=w[9:]) for k in kept]
        return np.average(areas, weights=w[kept])

    assert of(np.ones(15)) == pytest.approx(auc_within(joined, scores))
    rows, columns = pulls_within(joined, scores)
    np.testing.assert_allclose([*rows, *columns], [slope(of, np.ones(15), k) for k in range(15)], atol=1e-8)
    assert not any(part.any() for part in pulls_within(np.zeros_like(joined), scores))
