"""Why two graphs are similar: label sequences that both have, against every walk listed."""

import math
from collections import Counter

import numpy as np
import pytest

from kernex_core import GeometricWalk, Graph, InvalidInputError, RandomWalk, TooLargeError, WalkOfOrder
from kernex_core.kernels.graphs import shared_walks
from tests.kernex_core.kernels.graphs.examples import drawn, small
from tests.oracles import graph_walks as oracle

KERNELS = [
    WalkOfOrder(n=0),
    WalkOfOrder(n=3),
    GeometricWalk(),
    GeometricWalk(beta=0.001),
    RandomWalk(),
    RandomWalk(stop=1.0),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("top", [1, 5, 1000])
def test_parts_and_rest_are_the_similarity(rng, kernel, top):
    graphs = small(rng)
    for s, t in [
        (graphs[7], graphs[8]),
        (graphs[8], graphs[8]),
        (graphs[0], graphs[8]),
        (graphs[1], graphs[6]),
    ]:
        made = kernel.explain(s, t, top)
        assert made.total == pytest.approx(kernel.resolved([s, t]).cross([s], [t])[0, 0])
        assert made.discrepancy < 1e-12
        assert len(made.parts) <= top
        contributions = [part.contribution for part in made.parts]
        assert contributions == sorted(contributions, reverse=True)


def both_ways(words):
    """{word or its reverse, whichever is smaller: (count, ways)}"""
    counts = Counter(words)
    return {
        min(word, (word[0][::-1], word[1][::-1])): (count, 1 + (word != (word[0][::-1], word[1][::-1])))
        for word, count in counts.items()
    }


def test_all_sequences_of_one_length_are_those_that_one_lists(rng):
    s, t = drawn(rng, 6, 0.6), drawn(rng, 6, 0.6)
    made = WalkOfOrder(n=3).explain(s, t, 1000)
    listed = [both_ways(oracle.word(g, walk) for walk in oracle.walks(g, 3)) for g in (s, t)]
    wanted = {
        word: (count, listed[1][word][0], ways, ways * count * listed[1][word][0])
        for word, (count, ways) in listed[0].items()
        if word in listed[1]
    }
    found = {
        min((part.vertices, part.edges), (part.vertices[::-1], part.edges[::-1])): (
            part.count_s,
            part.count_t,
            part.ways,
            part.contribution,
        )
        for part in made.parts
    }
    assert found == wanted
    assert made.n_parts == len(wanted)
    assert made.rest == 0.0
    for part in made.parts:
        for graph, walk in ((s, part.walk_s), (t, part.walk_t)):
            assert oracle.word(graph, walk) == (part.vertices, part.edges)


def test_geometric_parts_count_beta_to_the_length_and_random_ones_chances(rng):
    s, t = drawn(rng, 5, 0.6), drawn(rng, 6, 0.6)
    for part in GeometricWalk(beta=0.02).explain(s, t).parts:
        assert part.contribution == pytest.approx(
            0.02**part.n_edges * part.ways * part.count_s * part.count_t
        )
    made = RandomWalk(stop=0.3).explain(s, t, 10_000)
    for length in range(4):
        wanted = oracle.common_chance(s, t, length, 0.3)
        assert math.fsum(part.contribution for part in made.parts if part.n_edges == length) == pytest.approx(
            wanted
        )


def test_labels_that_do_not_count_are_not_shown(rng):
    s, t = drawn(rng, 5, 0.6), drawn(rng, 6, 0.6)
    made = WalkOfOrder(n=2, vertex_labels=False).explain(s, t)
    assert {name for part in made.parts for name in part.vertices} == {""}
    assert {name for part in made.parts for name in part.edges} == {"1", "2"}


def test_what_cannot_be_explained_is_said(rng, monkeypatch):
    graph = drawn(rng, 6, 0.7)
    with pytest.raises(InvalidInputError):
        WalkOfOrder().explain(graph, graph, 0)
    with pytest.raises(InvalidInputError, match="Graphs are compared"):
        WalkOfOrder().explain(graph, np.ones(2))
    with pytest.raises(TooLargeError, match="100,000 edges"):
        GeometricWalk(beta=0.999999 * GeometricWalk().bound_on([graph])).explain(graph, graph)
    monkeypatch.setattr(shared_walks, "STATE_LIMIT", 20)
    with pytest.raises(TooLargeError, match="Choose shorter walks"):
        WalkOfOrder(n=6).explain(graph, graph)
    # the others list what fits, and add up the rest
    made = RandomWalk().explain(graph, graph)
    assert max(part.n_edges for part in made.parts) < shared_walks.LONGEST
    assert made.discrepancy < 1e-12


def test_an_example_goes_on_rather_than_to_and_fro():
    ring = Graph(6, [(i, (i + 1) % 6) for i in range(6)])
    (part,) = WalkOfOrder(n=5).explain(ring, ring).parts
    assert len(set(part.walk_s)) == 6
