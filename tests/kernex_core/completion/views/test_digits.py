"""Real views: five kernels of handwritten digits, restored from each other."""

import numpy as np
import pytest

from kernex_core import VIEW_COMPLETIONS, Gaussian, complete_views, load_dataset, view_errors
from kernex_core.runtime.progress import finished


@pytest.fixture(scope="module")
def digits():
    data = load_dataset("digits_in_five_views")
    truth = {
        name: Gaussian().of(part.take(data.kernels[name].known)).gram(part.X)
        for name, part in data.samples.items()
    }
    return data.kernels, truth


def test_each_view_lacks_two_digits_in_five_and_no_digit_is_lost(digits):
    kernels, truth = digits
    known = np.array([K.known for K in kernels.values()])
    assert known.sum(axis=1).tolist() == [120] * 5
    assert known.any(axis=0).all()
    for name, K in kernels.items():
        has = K.known
        assert K.values[np.ix_(has, has)] == pytest.approx(truth[name][np.ix_(has, has)], abs=1e-12)


def test_ways_in_the_order_of_their_errors(digits):
    """Mean relative error of the rows that are made, seed 0; each way gets the same known blocks."""
    kernels, truth = digits
    errors = {}
    for way in VIEW_COMPLETIONS:
        made = finished(way.completing(kernels))
        found = [view_errors(truth[name], Q, kernels[name].known) for name, Q in made.items()]
        errors[way.name] = np.mean([each.relative_error for each in found])
    assert (
        errors["tuned"]
        < errors["fast"]
        < errors["sweeps"]
        < errors["single"]
        < errors["mean"]
        < errors["zero"]
    )
    assert errors["fast"] == pytest.approx(0.090, abs=0.01)
    assert errors["tuned"] == pytest.approx(0.087, abs=0.01)


def test_what_the_others_leave_unexplained_ranks_the_errors(digits):
    """Spearman correlation of the unexplained share with the true row error, over all items and views that were made."""
    from scipy.stats import spearmanr

    kernels, truth = digits
    found = complete_views(kernels, mode="tuned")
    share, error, expected = [], [], []
    for v, (name, Q) in enumerate(found.kernels.items()):
        lacked = ~found.known[v]
        rows = truth[name][lacked]
        error += (np.linalg.norm(Q[lacked] - rows, axis=1) / np.linalg.norm(rows, axis=1)).tolist()
        share += found.unexplained[v, lacked].tolist()
        expected += found.expected_error[v, lacked].tolist()
    assert spearmanr(share, error).statistic > 0.4
    assert 0.6 < np.mean(expected) / np.mean(error) < 1.5
