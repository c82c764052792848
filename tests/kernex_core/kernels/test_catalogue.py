"""The contract of every kernel in the catalogue. A new kernel is tested here as soon as it has its line there."""

import dataclasses
import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import KERNELS, InvalidInputError, Network, Sequences, Vectors, kernels_for
from kernex_core.base.frozen import same
from kernex_core.base.parameters import parameters
from kernex_core.base.validation import psd_tolerance
from kernex_core.gram.graph import Graph
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.graphs.graph_set import GraphSet

IDS = [kernel.__name__ for kernel in KERNELS]
on_new_items = pytest.mark.parametrize(
    "kernel", [k() for k in KERNELS if k.new_items], ids=lambda k: type(k).__name__
)
every_kernel = pytest.mark.parametrize("kernel", [kernel() for kernel in KERNELS], ids=IDS)


def vectors(rng):
    X = rng.gamma(1.0, size=(14, 5))
    X[4] = X[9]
    return Vectors(tuple(f"v{i}" for i in range(14)), X)


def bits(rng):
    made = vectors(rng)
    X = (made.X > 1.0).astype(float)
    X[2] = 0.0
    return dataclasses.replace(made, X=X)


def sequences(rng):
    strings = ["".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), rng.integers(4, 40))) for _ in range(12)]
    strings += [strings[3], strings[5][:3] + strings[5][4:], "WWWWX", strings[0].lower()]
    return Sequences(tuple(f"s{i}" for i in range(len(strings))), tuple(strings), "protein")


def network(rng):
    """Two components, an isolated node, and weights."""
    B = np.triu(rng.random((15, 15)) < 0.3, 1) * rng.gamma(2.0, size=(15, 15))
    B[9:], B[:, 9:] = 0.0, 0.0
    B[9, 10] = B[10, 11] = B[11, 12] = B[9, 12] = B[12, 13] = 0.5
    return Network(tuple(f"n{i}" for i in range(15)), B + B.T)


def graphs(rng):
    """Labelled vertices and edges; one graph is single vertices, one has none at all, two are equal but for numbering."""
    made = [Graph(0, (), (), ()), Graph(3, (), ["a", "b", "a"], ())]
    for size in (1, 2, 4, 5, 6, 7, 7, 8):
        edges = np.argwhere(np.triu(rng.random((size, size)) < 0.4, 1))
        made.append(Graph(size, edges, rng.choice(["a", "b", "c"], size), rng.choice(["1", "2"], len(edges))))
    last, order = made[-1], rng.permutation(8)
    names = np.empty(8, "<U1")
    names[order] = last.node_labels
    made.append(Graph(8, order[last.edges], names, last.edge_labels))
    return GraphSet.of(made)


SAMPLES = {"vectors": vectors, "sequences": sequences, "network": network, "graphs": graphs}
"""Items for each kind of data; a catalogue with a new kind needs a line here."""
OWN_SAMPLES = {"Tanimoto": bits}
"""Items of kernels that take no others of their kind."""


def samples_for(kernel, rng):
    return OWN_SAMPLES.get(type(kernel).__name__, SAMPLES[kernel.data_kind])(rng)


@pytest.fixture
def data(kernel, rng):
    return samples_for(kernel, rng)


def taken(kernel, data, items):
    """(resolved kernel, samples of these items)"""
    return kernel.of(data), data.take(np.asarray(items)).values


@every_kernel
def test_symmetric_finite_and_float(kernel, data):
    K = kernel.of(data).gram(data.values)
    assert K.shape == (data.n, data.n)
    assert K.dtype == np.float64
    assert np.isfinite(K).all()
    assert np.array_equal(K, K.T)


@every_kernel
def test_positive_semidefinite_where_it_says_so(kernel, data):
    K = kernel.of(data).gram(data.values)
    eigenvalues = np.linalg.eigvalsh(K)
    if kernel.positive_semidefinite:
        assert eigenvalues.min() >= -psd_tolerance(data.n, np.abs(eigenvalues).max())


@every_kernel
def test_order_of_the_items_does_not_matter(kernel, data, rng):
    K = kernel.of(data).gram(data.values)
    order = rng.permutation(data.n)
    kernel, samples = taken(kernel, data, order)
    assert kernel.gram(samples) == pytest.approx(K[np.ix_(order, order)], rel=1e-12, abs=1e-12)


@every_kernel
def test_data_dependent_defaults_do_not_depend_on_the_order(kernel, data, rng):
    order = rng.permutation(data.n)
    assert kernel.of(data.take(order)) == kernel.of(data)


@on_new_items
def test_cross_is_the_block_of_gram(kernel, data):
    K = kernel.of(data).gram(data.values)
    rows, columns = np.arange(5), np.arange(5, data.n)
    resolved, samples = taken(kernel, data, rows)
    cross = resolved.cross(samples, data.take(columns).values)
    assert cross == pytest.approx(K[:5, 5:], rel=1e-12, abs=1e-12)
    own = resolved.cross(data.values, data.values)
    assert own == pytest.approx(K, rel=1e-12, abs=1e-12)


@on_new_items
def test_new_items_one_by_one_get_the_rows_they_would_have_had(kernel, data):
    K = kernel.of(data).gram(data.values)
    for item in range(data.n):
        resolved, one = taken(kernel, data, [item])
        assert resolved.cross(one, data.values)[0] == pytest.approx(K[item], rel=1e-12, abs=1e-12)


@every_kernel
def test_samples_stay_as_they_were(kernel, data):
    before = data.digest
    samples = list(data.values) if isinstance(data.values, tuple) else data.values.copy()
    kernel.gram(samples)
    if kernel.new_items:
        kernel.cross(samples, samples[:2])
    assert same(samples, list(data.values) if isinstance(data.values, tuple) else data.values)
    assert data.digest == before


@every_kernel
def test_one_item(kernel, data):
    resolved, one = taken(kernel, data, [0])
    assert resolved.gram(one).shape == (1, 1)


@every_kernel
def test_progress_rises_to_one_and_can_cancel(kernel, data):
    shares = []
    kernel.gram(data.values, progress=shares.append)
    assert shares
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)

    def cancel(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernel.gram(data.values, progress=cancel)


@every_kernel
def test_the_script_computes_the_same(kernel, data):
    K = kernel.similarities(data, name="similarities of all")
    assert K.ids == data.ids
    script = write_script([K.recipe], heading="Made by a test")
    names = {}
    exec(compile(script, "script", "exec"), names)
    again = names["similarities_of_all"]
    assert np.array_equal(again.values, K.values)
    assert again.ids == K.ids
    assert again.recipe.digest == K.recipe.digest


@every_kernel
def test_resolving_twice_changes_nothing(kernel, data):
    resolved = kernel.of(data)
    assert resolved.resolved(data.values) == resolved
    assert hash(resolved) == hash(kernel.of(data))


@every_kernel
def test_remarks_and_estimate_are_ready_for_the_page(kernel, data):
    assert all(isinstance(said, str) and said.endswith(".") for said in kernel.of(data).remarks(data.values))
    assert 0.0 <= kernel.estimate_seconds(data.values) < 60.0


@every_kernel
def test_documentation(kernel):
    kind = type(kernel)
    for text in (kernel.title, kernel.data_kind, kernel.formula, kernel.source, kernel.cost):
        assert isinstance(text, str)
        assert text.strip() == text != ""
    assert "Notes\n" in inspect.getdoc(kind), "the docstring has to name its source"
    described = parameters(kernel)
    assert set(described) == {field.name for field in dataclasses.fields(kernel)}
    for name, parameter in described.items():
        assert parameter.help.endswith("."), name
        assert not parameter.optional or parameter.auto, name
        assert name in inspect.getdoc(kind), f"the docstring does not say what {name} is"
    assert kind.__dataclass_params__.frozen


def test_kernels_inside_one_network_refuse_two(rng):
    inside = [kernel() for kernel in KERNELS if not kernel.new_items]
    assert {kernel.data_kind for kernel in inside} == {"network"}
    for kernel in inside:
        with pytest.raises(InvalidInputError, match="inside one network"):
            kernel.cross(network(rng).values, network(rng).values)


def test_titles_and_names_are_distinct():
    assert len({kernel.title for kernel in KERNELS}) == len(set(IDS)) == len(KERNELS)


def test_kernels_are_found_by_kind():
    assert [kernel for kind in SAMPLES for kernel in kernels_for(kind)] == list(KERNELS)
    assert kernels_for("pictures") == ()


@pytest.mark.parametrize("kernel", [kernel() for kernel in kernels_for("sequences")], ids=lambda k: k.title)
@given(strings=st.lists(st.text("ACDWXa-", max_size=10), min_size=2, max_size=6))
def test_contract_on_random_strings(kernel, strings):
    kernel = kernel.resolved([*strings, "ACDW"])
    K = kernel.gram(strings)
    eigenvalues = np.linalg.eigvalsh(K)
    assert np.array_equal(K, K.T)
    if kernel.positive_semidefinite:
        assert eigenvalues.min() >= -psd_tolerance(len(strings), np.abs(eigenvalues).max())
    assert kernel.gram(strings[::-1]) == pytest.approx(K[::-1, ::-1], rel=1e-12)
    some, others = strings[:1], strings[1:]
    blocks = [
        [kernel.gram(some), kernel.cross(some, others)],
        [kernel.cross(others, some), kernel.gram(others)],
    ]
    assert np.block(blocks) == pytest.approx(K, rel=1e-12)
