import hashlib

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.datasets.protein_world import protein_world, structure_matrix
from tests.oracles.one_vs_rest import accuracies, joint_by_inverses, normalised_and_clipped


@pytest.fixture(scope="module")
def world():
    return protein_world(0)


def test_there_are_206_proteins_in_9_superfamilies(world):
    assert world.n == 206
    assert [size for _, size in world.labels.classes] == [58, 38, 30, 22, 16, 13, 11, 10, 8]
    lengths = [len(string) for string in world.samples["residues"].strings]
    assert [len(string) for string in world.samples["structure string"].strings] == lengths
    assert 150 <= min(lengths) <= max(lengths) <= 220
    assert (world.source, world.target) == ("sequence", "structure")
    assert world.simulated
    assert world.description.startswith("Simulated")


def test_items_are_sorted_by_superfamily_and_family(world):
    assert world.labels.y.tolist() == sorted(world.labels.y)
    assert world.labels.groups.tolist() == sorted(world.labels.groups)
    assert list(world.ids) == sorted(world.ids)


def test_the_same_seed_gives_the_same_strings(world):
    again, other = protein_world(0), protein_world(1)
    assert again.digest == world.digest
    assert other.samples["residues"].strings != world.samples["residues"].strings
    # pinned: a change of the generator or of NumPy's streams changes every number that the documentation states
    text = "\n".join([*world.samples["residues"].strings, *world.samples["structure string"].strings])
    assert hashlib.sha256(text.encode()).hexdigest().startswith("097d64cf82a3258a")


def test_scores_are_smith_waterman_scores(world):
    from Bio.Align import PairwiseAligner, substitution_matrices

    aligner = PairwiseAligner(mode="local", open_gap_score=-11, extend_gap_score=-1)
    aligner.substitution_matrix = substitution_matrices.load("BLOSUM62")
    residues, structures = (world.samples[name].strings for name in ("residues", "structure string"))
    pairs = [(0, 0), (0, 1), (3, 200), (57, 58)]
    for i, j in pairs:
        assert world.kernels["sequence"].values[i, j] == aligner.score(residues[i], residues[j])
    matrix = structure_matrix()
    table = substitution_matrices.Array(matrix.letters, dims=2)
    table[:, :] = matrix.array
    aligner = PairwiseAligner(mode="local", open_gap_score=-10, extend_gap_score=-1)
    aligner.substitution_matrix = table
    for i, j in pairs:
        assert world.kernels["structure"].values[i, j] == aligner.score(structures[i], structures[j])


@pytest.mark.parametrize("worlds", [2, pytest.param(5, marks=pytest.mark.science)])
def test_similarities_are_as_documented(worlds):
    ratios, negative = [], []
    for seed in range(worlds):
        kernels = protein_world(seed).kernels
        K, T = kernels["sequence"].values, kernels["structure"].values
        off = ~np.eye(len(K), dtype=bool)
        ratios.append([np.diag(M).mean() / M[off].mean() for M in (K, T)])
        negative.append([(np.linalg.eigvalsh(np.log1p(M)) < 0.0).sum() for M in (K, T)])
    assert_allclose(np.mean(ratios, axis=0), [24.0, 4.1], rtol=0.1)
    assert_allclose(np.mean(negative, axis=0), [57.0, 56.0], atol=4.0)


def test_accuracies_are_near_the_documented_ones(world):
    """One world, recomputed by definition and scikit-learn; the means over five are held in `make science`."""
    y, K, T = (
        world.labels.y,
        normalised_and_clipped(world.kernels["sequence"].values),
        world.kernels["structure"].values,
    )
    assert_allclose(accuracies(K, y, C=1.5)[0], 95.6, atol=1.0)
    known = np.sort(np.random.default_rng([0, 0]).permutation(world.n)[round(0.1 * world.n) :])
    assert_allclose(accuracies(joint_by_inverses(K, T, known, 0.1), y, C=1.5, repeats=1)[0], 98.8, atol=1.0)


def test_smaller_worlds_can_be_made():
    small = protein_world(3, (4, 2, 1))
    assert small.labels.y.tolist() == ["SF1"] * 4 + ["SF2"] * 2 + ["SF3"]


@pytest.mark.parametrize("seed", [-1, 1.5, True, "0", None])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(InvalidInputError, match="seed"):
        protein_world(seed)


@pytest.mark.parametrize("sizes", [(), (3, 0), (2.5,), (True,)])
def test_bad_sizes_are_refused(sizes):
    with pytest.raises(InvalidInputError, match="superfamily"):
        protein_world(0, sizes)


def test_too_many_proteins_are_refused():
    with pytest.raises(TooLargeError):
        protein_world(0, (6000,))
