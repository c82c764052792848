import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import gamma

from kernex_core.datasets.substitution_model import (
    AMINO_ACIDS,
    HELIX,
    LONGEST,
    LOOP,
    SHORTEST,
    STRAND,
    STRUCTURE_CLASS,
    STRUCTURE_LETTERS,
    Protein,
    amino_acid_model,
    evolve,
    family_sizes,
    root_protein,
    simulate_members,
    site_rates,
    with_indel,
)


def protein_of(length, category=0):
    return Protein(np.arange(length) % 20, np.arange(length) % 20, np.full(length, category))


def test_family_sizes_of_the_largest_superfamily():
    assert family_sizes(58) == [12, 9, 8, 6, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1]


@pytest.mark.parametrize("n", [1, 2, 8, 100])
def test_family_sizes_add_up(n):
    sizes = family_sizes(n)
    assert sum(sizes) == n
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) == 1


def test_site_rates_are_gamma_quantiles_of_mean_one():
    quantiles = gamma(1.0).ppf([0.125, 0.375, 0.625, 0.875])
    assert_allclose(site_rates(), quantiles / quantiles.mean())


def test_root_has_eight_units_of_strand_loop_helix_loop(rng):
    for _ in range(20):
        root = root_protein(rng=rng)
        classes = STRUCTURE_CLASS[root.states]
        starts = np.flatnonzero(np.diff(classes, prepend=-1))
        assert classes[starts].tolist() == [STRAND, LOOP, HELIX, LOOP] * 8
        lengths = np.diff(starts, append=classes.size)
        assert (np.abs(lengths - np.tile([5, 3, 11, 4], 8)) <= 1).all()


def test_loops_are_faster_than_strands_and_helices(rng):
    roots = [root_protein(rng=rng) for _ in range(60)]
    classes = np.concatenate([STRUCTURE_CLASS[root.states] for root in roots])
    category = np.concatenate([root.category for root in roots])
    shares = np.array([np.bincount(category[classes == kind], minlength=4) for kind in (STRAND, HELIX, LOOP)])
    wanted = [[0.35, 0.3, 0.2, 0.15], [0.35, 0.3, 0.2, 0.15], [0.1, 0.2, 0.3, 0.4]]
    assert_allclose(shares / shares.sum(axis=1, keepdims=True), wanted, atol=0.04)


def test_no_time_changes_nothing(rng):
    root = root_protein(rng=rng)
    same = evolve(root, 0.0, rng=rng)
    assert same.sequence == root.sequence
    assert same.structure == root.structure


def test_share_of_changed_sites_is_what_the_model_expects(rng):
    start = Protein(np.repeat(np.arange(20), 12), np.zeros(240, dtype=np.int64), np.full(240, 1))
    time = 0.05
    stays = np.diag(amino_acid_model().transition(time * site_rates()[1]))
    kept = []
    while len(kept) < 300:
        end = evolve(start, time, rng=rng)
        if end.residues.size == start.residues.size:  # deletions and insertions shift the sites
            kept.append((end.residues == start.residues).mean())
    assert_allclose(np.mean(kept), stays.mean(), atol=0.005)


def test_structure_changes_more_slowly_than_residues(rng):
    root = root_protein(rng=rng)
    sites = root.residues.size
    ends = [end for end in (evolve(root, 0.05, rng=rng) for _ in range(300)) if end.residues.size == sites]
    changed_residues = np.mean([(end.residues != root.residues).mean() for end in ends])
    changed_states = np.mean([(end.states != root.states).mean() for end in ends])
    assert 3.0 < changed_residues / changed_states < 9.0


def test_indels_hit_both_strings_and_only_insert_fast_loops(rng):
    before = protein_of(200)
    grown = shrunk = 0
    lengths = []
    for _ in range(300):
        after = with_indel(before, rng=rng)
        change = after.residues.size - before.residues.size
        assert after.states.size == after.category.size == after.residues.size
        lengths.append(abs(change))
        grown += change > 0
        shrunk += change < 0
        new = after.category == 3
        assert new.sum() == max(change, 0)
        assert (STRUCTURE_CLASS[after.states[new]] == LOOP).all()
    assert max(lengths) <= 12
    assert 110 < grown < 190
    assert grown + shrunk == 300
    assert 1.8 < np.mean(lengths) < 2.7  # Geometric(0.45) has mean 2.2


def test_indels_choose_fast_sites(rng):
    before = Protein(np.zeros(200, dtype=np.int64), np.zeros(200, dtype=np.int64), np.repeat([0, 3], 100))
    lost = np.array(
        [np.bincount(with_indel(before, rng=rng).category, minlength=4)[0] < 100 for _ in range(200)]
    )
    slow, fast = site_rates()[[0, 3]]
    assert lost.mean() < 0.5 * slow / (slow + fast) + 0.06


def test_lengths_stay_in_their_bounds(rng):
    shortest, longest = protein_of(SHORTEST), protein_of(LONGEST)
    for _ in range(100):
        assert with_indel(shortest, rng=rng).residues.size >= SHORTEST
        assert with_indel(longest, rng=rng).residues.size <= LONGEST


def test_members_come_sorted_by_superfamily_and_family(rng):
    members = list(simulate_members((5, 3), rng=rng))
    places = [(m.superfamily, m.family, m.number) for m in members]
    assert places == sorted(places)
    assert [m.superfamily for m in members] == [1] * 5 + [2] * 3
    letters = set("".join(m.protein.sequence for m in members))
    states = set("".join(m.protein.structure for m in members))
    assert letters <= set(AMINO_ACIDS)
    assert states <= set(STRUCTURE_LETTERS)
