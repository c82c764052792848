import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import AllSubsets, Anova, LocalAlignment, SmithWaterman, Subsequence
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.kernels.explanation import work_out
from kernex_core.kernels.sequences.explain import (
    local_alignment_tables,
    smith_waterman_tables,
    subsequence_tables,
)
from kernex_core.kernels.vectors.dot_product import subset_lattice
from tests.oracles import string_pairs as oracle

WORDS = st.text("ACW", max_size=5)
ALIGNING = {"gap_open": 2, "gap_extend": 1, "matrix": "BLOSUM62"}


def routes(made, table):
    return [worth for i, j in np.ndindex(made.values.shape[1:]) for _, worth in made.routes((table, i, j))]


@given(WORDS, WORDS, st.integers(1, 3))
def test_subsequences(s, t, length):
    kernel = Subsequence(length=length, decay=0.5)
    made = subsequence_tables(kernel, s, t)
    exact = oracle.subsequence_kernel(s, t, length, 0.5)
    assert made.total == exact == kernel.cross([s], [t])[0, 0]
    assert len(made.names) == 2 * length - 1
    # a route is one occurrence of a word in each string
    pairs = [
        (a, b)
        for a, b in itertools.product(itertools.combinations(s, length), itertools.combinations(t, length))
        if a == b
    ]
    assert made.counts()[-1].sum() == len(pairs) == len(routes(made, -1 % len(made.names)))
    assert math.fsum(routes(made, len(made.names) - 1)) == exact


def test_letters_that_do_not_count_match_nothing():
    assert subsequence_tables(Subsequence(length=1, alphabet="dna"), "AX", "AX").total == 0.25**2


@given(WORDS, WORDS)
def test_local_alignments(s, t):
    kernel = LocalAlignment(beta=0.1, **ALIGNING)
    made = local_alignment_tables(kernel, s, t)
    assert made.total == pytest.approx(kernel.cross([s], [t])[0, 0], rel=1e-12)
    assert 1 + made.counts()[0].sum() == math.comb(len(s) + len(t), len(s)) == len(oracle.alignments(s, t))
    assert 1.0 + math.fsum(routes(made, 0)) == pytest.approx(made.total, rel=1e-12)


@given(WORDS, WORDS)
def test_best_alignments(s, t):
    kernel = SmithWaterman(**ALIGNING)
    made = smith_waterman_tables(kernel, s, t)
    assert made.total == kernel.cross([s], [t])[0, 0]
    for i, j in np.ndindex(made.values.shape[1:]):
        cell = (0, i, j)
        assert made.values[cell] == max(worth for _, worth in made.routes(cell))
        way = made.best(cell)
        assert next(worth for cells, worth in made.routes(cell) if cells == way) == made.values[cell]
    assert made.best((1, 0, 0)) == () if made.values.size else True


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=5))
def test_subsets(pairs):
    x, y = np.array(pairs, float).T
    made = subset_lattice(x, y)
    assert made.total == AllSubsets().cross([x], [y])[0, 0]
    for s in range(len(x) + 1):
        assert made.values[0, s, -1] == Anova(degree=s).cross([x], [y])[0, 0]
        found = sorted(worth for _, worth in made.routes((0, s, len(x))))
        assert found == sorted(
            math.prod(x[list(a)] * y[list(a)]) for a in itertools.combinations(range(len(x)), s)
        )
    assert subset_lattice(x, y, 1).total == 1.0 + x @ y
    assert subset_lattice(x, y, 9).values[0, 9].tolist() == [0.0] * (len(x) + 1)


def test_every_cell_is_made_of_what_flows_into_it():
    for made in (
        subset_lattice([1, 2, 3], [2, 1, 1], printed=True),
        subsequence_tables(Subsequence(length=3, decay=0.5), "CATCAR", "CARTA"),
        local_alignment_tables(LocalAlignment(beta=0.2, **ALIGNING), "AWCA", "ACAA", both_orders=True),
        smith_waterman_tables(SmithWaterman(**ALIGNING), "AWCA", "ACAA"),
    ):
        for cell in np.ndindex(made.values.shape):
            into = [(made.values[source], factor) for source, factor in made.into(cell)]
            if made.joined == "sum":
                expected = made.start[cell] + math.fsum(value * factor for value, factor in into)
                assert made.values[cell] == pytest.approx(expected, rel=1e-14)
            else:
                assert made.values[cell] == max(
                    [made.start[cell], *(value + factor for value, factor in into)]
                )


def test_what_is_refused():
    with pytest.raises(TooLargeError, match=r"20,000 cells.*30,000"):
        smith_waterman_tables(SmithWaterman(**ALIGNING), "A" * 100, "A" * 100)
    with pytest.raises(InvalidInputError, match="smaller weights"):
        work_out(["a"], [[[1e200, 0.0]]], [((0, 0, 1), (0, 0, 0), 1e200)])
    with pytest.raises(InvalidInputError, match="smaller weights"):
        local_alignment_tables(LocalAlignment(beta=90.0, **ALIGNING), "W", "W")
    with pytest.raises(InvalidInputError, match="as long as each other"):
        subset_lattice([1.0, 2.0], [1.0])
    with pytest.raises(InvalidInputError, match="finite"):
        subset_lattice([1e200], [1e200])
