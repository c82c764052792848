import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kernex_core.conditioning.repairs import repair_psd
from kernex_core.datasets.protein_world import indefinite_similarities, protein_world
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.inputs.health import health
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from tests.oracles.one_vs_rest import accuracies, normalised_and_clipped


@pytest.fixture(scope="module")
def data():
    return indefinite_similarities(0)


def test_similarities_are_logarithms_of_the_worlds_scores(data):
    world = protein_world(0)
    for name in ("sequence", "structure"):
        assert_array_equal(data.kernels[f"log {name}"].values, np.log1p(world.kernels[name].values))
    assert_array_equal(data.kernels["sequence"].values, world.kernels["sequence"].values)


def test_they_are_indefinite_and_the_description_counts_how_much(data):
    counts = [
        int((np.linalg.eigvalsh(data.kernels[name].values) < -1e-9).sum())
        for name in ("log sequence", "log structure")
    ]
    assert min(counts) > 40
    assert [
        int(x) for x in re.findall(r"\d+ of \d+|, (\d+) of the structure", data.description) if x
    ] == counts[1:]
    assert f"{counts[0]} of 206 eigenvalues" in data.description
    assert np.linalg.eigvalsh(data.kernels["sequence"].values).min() > 0.0


def test_negative_mass_is_material(data):
    spectrum = np.linalg.eigvalsh(np.asarray(cosine_normalize(data.kernels["log sequence"])))
    assert 0.02 < -spectrum[spectrum < 0.0].sum() / np.abs(spectrum).sum() < 0.08


def test_it_is_looked_at_where_repairs_differ(data):
    K = data.kernels[data.target]
    judged = [
        judge(repair_psd(K, method).gram, data.labels, CrossValidation(C=data.defaults.C)).multi_class.mean
        for method in ("clip", "flip", "shift", "square")
    ]
    assert max(judged) - min(judged) > 0.01


def test_what_is_said_of_repairs_is_one_thing(data):
    said = list(data.notes)
    for K in data.kernels.values():
        said += health(K).notes
    repaired = {note.action for note in said if "repair" in note.action or "clip" in note.action}
    assert len(repaired) == 1


def test_the_logarithm_tames_the_diagonal(data):
    y = data.labels.y
    log, raw = (
        accuracies(normalised_and_clipped(data.kernels[name].values), y, C=1.5, repeats=2)[1]
        for name in ("log sequence", "sequence")
    )
    assert log > raw + 5.0
