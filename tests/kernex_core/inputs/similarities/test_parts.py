"""Parts of a table of pairs that has too many items for a matrix."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import read_samples
from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.formats.hits import listed_pairs
from kernex_core.inputs.similarities.finish import Pairs
from kernex_core.inputs.similarities.pairs import parts_of_pairs
from kernex_core.inputs.upload import Upload


def table(ends, scores=None):
    ids = sorted({name for pair in ends for name in pair})
    place = {name: k for k, name in enumerate(ids)}
    score = np.ones(len(ends)) if scores is None else np.array(scores, dtype=float)
    query, target = (np.array([place[pair[side]] for pair in ends], dtype=np.int64) for side in (0, 1))
    return Pairs(query, target, score, ids)


def by_way(pairs, size, **how):
    return {part.way: part for part in parts_of_pairs(pairs, size, **how)}


def share(pairs, ids):
    known = {
        frozenset((pairs.ids[q], pairs.ids[t]))
        for q, t, s in zip(pairs.query, pairs.target, pairs.score, strict=True)
        if q != t and not np.isnan(s) and pairs.ids[q] in ids and pairs.ids[t] in ids
    }
    return len(known) / (len(ids) * (len(ids) - 1) / 2)


EDGES = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12), st.sampled_from([1.0, 2.5, np.nan])), min_size=2, max_size=40
)  # fmt: skip


@given(EDGES, st.integers(2, 14), st.integers(0, 3))
def test_every_part_is_what_it_says(edges, size, seed):
    ends = [(f"i{a}", f"i{b}") for a, b, _ in edges]
    pairs = table(ends, [score for *_, score in edges])
    if len(pairs.ids) < 2:
        return
    graph = nx.Graph()
    graph.add_nodes_from(pairs.ids)
    graph.add_edges_from(pair for pair, (*_, s) in zip(ends, edges, strict=True) if not np.isnan(s))
    query, labelled = pairs.ids[0], pairs.ids[::2]
    found = by_way(pairs, size, labelled=labelled, query=query, seed=seed)
    for part in found.values():
        assert 2 <= len(part.ids) <= max(size, 2)
        assert list(part.ids) == [name for name in pairs.ids if name in part.ids]
        assert part.known == pytest.approx(share(pairs, part.ids))
    largest = max(map(len, nx.connected_components(graph)))
    if "connected" in found:
        part = found["connected"]
        (whole,) = [c for c in nx.connected_components(graph) if part.ids[0] in c]
        assert len(whole) == largest
        assert set(part.ids) <= whole
        assert part.whole == (largest <= size)
    if "neighbours" in found:
        assert query in found["neighbours"].ids
        assert set(found["neighbours"].ids) <= {query, *graph[query]}
    if "labelled" in found:
        assert set(found["labelled"].ids) <= set(labelled)


def test_the_densest_items_are_a_clique_that_is_hidden_among_many():
    rng = np.random.default_rng(0)
    clique = [f"c{k}" for k in range(12)]
    ends = [(a, b) for k, a in enumerate(clique) for b in clique[:k]]
    ends += [(f"x{rng.integers(300)}", f"x{rng.integers(300)}") for _ in range(300)]
    ends += [(f"c{rng.integers(12)}", f"x{rng.integers(300)}") for _ in range(40)]
    part = by_way(table(ends), 12)["densest"]
    assert set(part.ids) == set(clique)
    assert part.known == 1.0


def test_neighbours_are_the_most_similar_first():
    pairs = table([("a", "b"), ("c", "a"), ("a", "d"), ("b", "d"), ("a", "a")], [1.0, 9.0, 5.0, 99.0, 100.0])
    assert set(by_way(pairs, 3, query="a")["neighbours"].ids) == {"a", "c", "d"}


def test_the_random_part_is_the_one_that_is_read():
    text = "".join(f"p{i}\tp{j}\t{i + j}\n" for i in range(30) for j in range(i, 30)).encode()
    pairs = listed_pairs(Upload("h.tsv", text))
    read = read_samples(text, "h.tsv", "similarity", format="pairs", part_size=9, part_seed=4)
    assert by_way(pairs, 9, seed=4)["random"].ids == read.ids
    with pytest.raises(InvalidInputError, match="size of a part"):
        parts_of_pairs(pairs, 1)
