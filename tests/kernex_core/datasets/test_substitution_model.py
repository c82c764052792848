import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from kernex_core.datasets.substitution_model import (
    AMINO_ACIDS,
    STRUCTURE_CLASS,
    STRUCTURE_LETTERS,
    amino_acid_model,
    structure_model,
    structure_scores,
)

MODELS = [amino_acid_model(), structure_model()]


@pytest.mark.parametrize("model", MODELS, ids=["residues", "structure"])
def test_rates_are_reversible_with_one_substitution_a_unit_of_time(model):
    pi, Q = model.frequencies, model.rates
    assert_allclose(pi.sum(), 1.0)
    assert_allclose(Q.sum(axis=1), 0.0, atol=1e-14)
    assert_allclose(pi[:, None] * Q, (pi[:, None] * Q).T, atol=1e-15)
    assert_allclose(-(pi @ np.diag(Q)), 1.0)


@pytest.mark.parametrize("model", MODELS, ids=["residues", "structure"])
@pytest.mark.parametrize("time", [0.0, 0.03, 1.5, 40.0])
def test_transitions_are_the_matrix_exponential(model, time):
    assert_allclose(model.transition(time), expm(model.rates * time), atol=1e-13)


def test_residues_exchange_as_blosum62_scores_them():
    model = amino_acid_model()
    weights = model.rates / model.frequencies
    i, j, k = (AMINO_ACIDS.index(letter) for letter in "IVG")
    # BLOSUM62 scores I/V at +3 and I/G at -4
    assert_allclose(weights[i, j] / weights[i, k], np.exp(0.3176 * 7))


def test_structure_letters_exchange_mostly_within_a_class():
    model = structure_model()
    assert [int((kind == STRUCTURE_CLASS).sum()) for kind in range(3)] == [6, 6, 8]
    shares = [model.frequencies[kind == STRUCTURE_CLASS].sum() for kind in range(3)]
    assert_allclose(shares, [0.27, 0.38, 0.35])
    weights = model.rates / model.frequencies
    assert_allclose(weights[0, 1] / weights[0, 19], np.exp(-0.5) / 0.05)
    assert_allclose(weights[0, 5] / weights[0, 1], np.exp(-2.0))


def test_structure_scores_run_from_minus_5_to_8():
    S = structure_scores()
    assert S.shape == (len(STRUCTURE_LETTERS),) * 2
    assert (S == S.T).all()
    assert (S.min(), S.max()) == (-5, 8)
    # a similarity needs to expect less than 0 from unrelated strings, or local alignments would never end
    pi = structure_model().frequencies
    assert pi @ S @ pi < 0.0
    # and more than 0 a pair of the divergence that it was made for
    joint = pi[:, None] * expm(0.6 * structure_model().rates)
    assert (joint * S).sum() > 0.0
