"""Columns of vectors and nodes of a network by id: what matches, what does not, and what becomes of it."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import DataSet, Diffusion, Network, Vectors, read_samples
from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.network_features import features_kernel, prepare_features
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.items.match import Matching, match_features
from kernex_core.learning.leakage import evaluation_mode

NODES = ("BRCA1", "tp53", "ENSG01", "MYC")
B = np.array([[0, 1, 0, 0], [1, 0, 2, 0], [0, 2, 0, 1], [0, 0, 1, 0]], dtype=float)
NETWORK = Network(NODES, B)
X = np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, np.nan, 8.0, 9.0, 10.0]])
VECTORS = Vectors(("s", "t"), X, ("TP53", "ENSG01.7", "MYC", "ACTB", "BRCA1"))


def texts(made):
    return " ".join(note.text + " " + note.action for note in made.notes)


def test_ids_are_matched_as_they_are_written_and_what_is_nearly_the_same_is_told():
    made = match_features(VECTORS, NETWORK)
    assert made.vectors.columns == ("BRCA1", "MYC")
    assert made.at.tolist() == [0, 3]
    np.testing.assert_array_equal(made.vectors.X, X[:, [4, 2]])
    assert made.without_node == ("TP53", "ENSG01.7", "ACTB")
    assert made.without_column == ("tp53", "ENSG01")
    assert "upper and lower case" in texts(made)
    assert "a version" in texts(made)
    assert "3 (TP53, ENSG01.7, ACTB)" in texts(made).replace(" and ", ", ")
    assert "2 (tp53, ENSG01)" in texts(made)


def test_versions_and_case_count_for_nothing_where_that_is_asked_for():
    made = match_features(VECTORS, NETWORK, Matching(loosely=True))
    assert made.vectors.columns == NODES
    np.testing.assert_array_equal(made.vectors.X, X[:, [4, 0, 1, 2]])
    assert made.without_node == ("ACTB",)
    assert made.without_column == ()


def test_genes_that_differ_by_their_last_number_alone_are_two_genes():
    network = Network(("F28H1.4", "x"), np.array([[0.0, 1.0], [1.0, 0.0]]))
    made = match_features(Vectors(("s",), np.array([[1.0, 2.0]]), ("F28H1.3", "x")), network)
    assert made.without_node == ("F28H1.3",)


def test_several_columns_of_a_node_become_their_mean_over_what_is_known():
    values = np.array([[1.0, 10.0, 3.0], [np.nan, 20.0, 5.0], [np.nan, 30.0, np.nan]])
    made = match_features(Vectors(("s", "t", "u"), values, ("MYC", "tp53", "MYC")), NETWORK)
    assert made.vectors.columns == ("tp53", "MYC")
    np.testing.assert_array_equal(made.vectors.X, [[10.0, 2.0], [20.0, 5.0], [30.0, np.nan]])
    assert "mean of their columns" in texts(made)


def test_columns_outside_can_be_nodes_without_an_edge_and_nodes_inside_can_be_taken_out():
    made = match_features(VECTORS, NETWORK, Matching(loosely=True, alone=True))
    assert made.network.ids == (*NODES, "ACTB")
    assert made.network.neighbours.tolist() == [1, 2, 2, 1, 0]
    np.testing.assert_array_equal(made.vectors.X, X[:, [4, 0, 1, 2, 3]])
    cut = match_features(VECTORS, NETWORK, Matching(through=False))
    assert cut.network.ids == ("BRCA1", "MYC")
    assert cut.network.n_edges == 0
    assert cut.at.tolist() == [0, 1]
    assert cut.without_column == ("tp53", "ENSG01")


@pytest.mark.parametrize(
    ("columns", "words"),
    [((), "without names"), (("a", "b"), "symbols"), (("brca1", "b"), "upper and lower case")],
)
def test_nothing_in_common_is_said_with_what_they_differ_by(columns, words):
    with pytest.raises(InvalidInputError) as raised:
        match_features(Vectors(("s",), np.array([[1.0, 2.0]]), columns), NETWORK)
    assert words in f"{raised.value.found} {raised.value.remedy}"


def test_a_match_of_files_is_made_again_by_its_recipe(tmp_path, monkeypatch):
    files = {"profiles.csv": b"id,a,b,x\ns,1,2,3\nt,4,5,7\n", "edges.csv": b"source,target\na,b\nb,c\n"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    vectors = read_samples(files["profiles.csv"], "profiles.csv", kind="vectors")
    network = read_samples(files["edges.csv"], "edges.csv", kind="network")
    made = match_features(vectors, network).take([1])
    monkeypatch.chdir(tmp_path)
    namespace = {"__file__": str(tmp_path / "script.py")}
    exec(write_script([replace(made.recipe, name="again")], heading="test"), namespace)
    assert namespace["again"].digest == made.digest


def test_a_data_set_keeps_networks_of_its_columns_through_selections():
    data = DataSet("d", ("s", "t"), samples={"e": VECTORS})
    with_network = data.with_feature_network("genes", NETWORK)
    assert with_network.digest != data.digest
    assert with_network.select([1]).feature_networks["genes"] is NETWORK


@pytest.mark.parametrize("through", [True, False])
def test_of_many_columns_those_that_vary_most_are_used_which_is_transductive(rng, through):
    n, p = 12, 9
    values = rng.normal(size=(n, p)) * rng.permutation(np.arange(1.0, p + 1))
    values[0, 4] = np.nan
    genes = tuple(f"g{k}" for k in range(p))
    ring = np.roll(np.eye(p), 1, axis=0)
    network = Network(genes, ring + ring.T)
    made = match_features(
        Vectors(tuple(map(str, range(n))), values, genes), network, Matching(most=4, through=through)
    )
    kept = sorted(np.argsort(-np.nanvar(values, axis=0))[:4])
    assert made.vectors.columns == tuple(genes[k] for k in kept)
    np.testing.assert_array_equal(made.vectors.X, values[:, kept])
    assert made.network.n == (p if through else 4)
    assert made.varied
    assert "Of 9 columns on the network the 4 that vary most" in texts(made)
    K = features_kernel(prepare_features(made), Diffusion(tau=1.0))
    assert evaluation_mode(K, inductive=True) == "transductive"
    assert not match_features(Vectors(("s",), values[:1], genes), network, Matching(most=9)).varied
