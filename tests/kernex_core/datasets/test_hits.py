import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.impute import fill_unknown
from kernex_core.datasets.protein_world import (
    HIT_SIZES,
    SearchTool,
    protein_world,
    structure_hit_table,
    structure_hits,
)
from kernex_core.inputs.reading import read_samples
from tests.oracles.one_vs_rest import accuracies, normalised_and_clipped

SEEDS = range(5)


@pytest.fixture(scope="module")
def worlds():
    return [structure_hits(seed) for seed in SEEDS]


def upper(n):
    return np.triu_indices(n, 1)


def test_120_proteins_with_the_truth_beside_the_hits(worlds):
    data = worlds[0]
    assert data.n == sum(HIT_SIZES) == 120
    assert data.labels.classes[0] == ("SF1", 34)
    assert data.kernels["sequence"].unknown.complete
    assert data.kernels["structure"].unknown.complete
    assert not data.kernels["structure hits"].unknown.complete
    assert_array_equal(
        data.kernels["structure"].values, protein_world(0, HIT_SIZES).kernels["structure"].values
    )


def test_reported_pairs_are_as_documented(worlds):
    found = []
    for seed, data in zip(SEEDS, worlds, strict=True):
        hits, y = data.kernels["structure hits"].values, data.labels.y
        reported = ~np.isnan(hits[upper(data.n)])
        same = (y[:, None] == y)[upper(data.n)]
        table = structure_hit_table(protein_world(seed, HIT_SIZES), seed)
        directed = np.zeros(hits.shape, dtype=bool)
        directed[table.query, table.target] = True
        one_sided = (directed ^ directed.T)[upper(data.n)].sum() / reported.sum()
        found.append([reported.mean(), reported[same].mean(), reported[~same].mean(), one_sided])
    assert_allclose(np.mean(found, axis=0), [0.151, 0.77, 0.010, 0.46], atol=0.01)


def test_reported_scores_are_within_their_error(worlds):
    hits, truth = (worlds[0].kernels[name].values for name in ("structure hits", "structure"))
    known = ~np.isnan(hits)
    assert_allclose(hits[known], truth[known], rtol=0.05)
    assert 0.002 < np.std(hits[known] / truth[known] - 1.0) < 0.011
    assert_array_equal(np.diag(hits), np.diag(truth))


def test_the_fills_give_the_documented_table(worlds):
    """Smallest eigenvalue, negative mass in %, one-vs-rest and multi-class accuracy in %."""
    documented = {
        "truth": (0.03, 0.0, 99.9, 100.0),
        "zero": (-1.15, 6.8, 99.4, 99.7),
        "half the lowest": (-0.56, 2.8, 99.0, 99.6),
        "lowest": (-0.22, 0.4, 96.8, 99.1),
        "mean": (-0.24, 0.6, 85.9, 47.8),
    }
    measured = {row: [] for row in documented}
    for seed, data in zip(SEEDS, worlds, strict=True):
        for row in documented:
            hits = np.asarray(data.kernels["structure hits"])
            K = np.asarray(data.kernels["structure"]) if row == "truth" else fill_unknown(hits, row)
            length = np.sqrt(np.diag(K))
            spectrum = np.linalg.eigvalsh(K / np.outer(length, length))
            mass = -100.0 * spectrum[spectrum < 0.0].sum() / np.abs(spectrum).sum()
            accuracy = accuracies(normalised_and_clipped(K), data.labels.y, C=1.5, seed=seed)
            measured[row].append([spectrum[0], mass, *accuracy])
    for row, wanted in documented.items():
        got = np.mean(measured[row], axis=0)
        assert_allclose(got[0], wanted[0], atol=0.12, err_msg=row)
        assert_allclose(got[1], wanted[1], atol=0.5, err_msg=row)
        assert_allclose(got[2], wanted[2], atol=0.8, err_msg=row)
        assert_allclose(got[3], wanted[3], atol=4.0 if row == "mean" else 1.0, err_msg=row)


def test_an_upload_of_the_hit_table_gives_the_same_similarities():
    world = protein_world(0, HIT_SIZES)
    table = structure_hit_table(world, 0)
    read = read_samples(table.text.encode(), "hits.tsv")
    assert read.kind == "similarity"
    at = [read.ids.index(name) for name in world.ids]
    hits = structure_hits(0).kernels["structure hits"].values
    assert_array_equal(read.gram.values[np.ix_(at, at)], hits)


def test_a_search_reports_the_best_and_no_more():
    S = np.array([[9.0, 5.0, 4.0, 1.0], [5.0, 9.0, 3.0, 2.0], [4.0, 3.0, 9.0, 6.0], [1.0, 2.0, 6.0, 9.0]])
    tool = SearchTool(reported_above=0.5, lost=0.0, top=1, jitter=0.0)
    table = tool.search(S, "abcd", rng=np.random.default_rng(0))
    pairs = [
        (table.ids[q] + table.ids[t], float(s))
        for q, t, s in zip(table.query, table.target, table.score, strict=True)
    ]
    # 3.5 is the median of the six pairs: a and b hit each other, c and d too
    assert pairs == [
        ("aa", 9.0), ("ab", 5.0), ("bb", 9.0), ("ba", 5.0), ("cc", 9.0), ("cd", 6.0), ("dd", 9.0), ("dc", 6.0)
    ]  # fmt: skip


def test_lost_candidates_are_lost_in_each_direction_on_its_own(rng):
    S = np.full((60, 60), 5.0) + 5.0 * np.eye(60)
    table = SearchTool(reported_above=0.0, lost=0.3, top=1000).search(S, list(map(str, range(60))), rng=rng)
    listed = np.zeros((60, 60), dtype=bool)
    listed[table.query, table.target] = True
    assert_allclose(listed[upper(60)].mean(), 0.7, atol=0.05)
    assert_allclose((listed & listed.T)[upper(60)].mean(), 0.49, atol=0.05)


def test_bad_searches_are_refused(rng):
    with pytest.raises(InvalidInputError, match="two items"):
        SearchTool().search([[1.0]], ["a"], rng=rng)
    with pytest.raises(InvalidInputError, match="finite"):
        SearchTool().search([[1.0, np.nan], [np.nan, 1.0]], "ab", rng=rng)
    with pytest.raises(InvalidInputError, match="distinct"):
        SearchTool().search(np.eye(2), ["a", "a"], rng=rng)
    with pytest.raises(InvalidInputError, match="lost"):
        SearchTool(lost=1.5)
