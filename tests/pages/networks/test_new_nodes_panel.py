"""The panels New nodes and Reduced sets, and the table of nodes that feeds them: numbers, and what they give away."""

import contextlib
import io

import numpy as np
import pytest
from scipy import sparse

from kernex_core import (
    DataSet,
    Diffusion,
    Network,
    NewNodesConfig,
    Vectors,
    load_dataset,
    prepare_network,
)
from kernex_core.studies.networks.new_nodes import Origin, placing_nodes
from kernex_core.studies.networks.reduced import ReducedConfig, counts, reducing
from pages.networks import new_nodes as placed
from pages.networks import reduced
from pages.networks.new_nodes import Asked
from pages.server.digits import number
from tests.pages.networks.test_networks_page import PATH, metrics

pytestmark = pytest.mark.usefixtures("open_tabs", "kept_results")


def chips(at):
    return [text.value for text in at.markdown if "badge[" in text.value]


def test_numbers_are_those_of_the_study_and_both_kernels_can_be_kept(open_page_test):
    at = open_page_test(PATH)
    data = load_dataset("blocks")
    attributes = data.samples["network"].attributes
    *_, found = placing_nodes(NewNodesConfig(), data.kernels["diffusion"], attributes, data.labels)
    shown = metrics(at)
    mean, sd = found.error[:, 0].mean(), found.error[:, 0].std(ddof=1)
    assert shown["Error, hidden nodes"] == f"{number(mean, 3)} ± {number(sd, 3)}"
    assert shown["Training error"] == number(found.training.mean(), 3)
    assert found.training.mean() < 2 / 3 * found.other.mean()  # the page opens where it shows
    (table,) = [each.value for each in at.table if "alignment" in each.value]
    assert len(table) == 4
    assert table["error"].iloc[0] == shown["Error, hidden nodes"]
    at.toggle(key="networks.new.Blocks.bias").set_value(False).run()
    assert metrics(at)["Training error"] == number(found.other.mean(), 3)
    at.toggle(key="networks.new.Blocks.bias").set_value(True).run()
    at.toggle(key="networks.new.later").set_value(True).run()
    assert not at.exception
    assert any("may be another than that of the true rows" in caption.value for caption in at.caption)
    at.toggle(key="networks.new.later").set_value(False).run()
    at.button(key="networks.new.row.keep").click().run()
    at.button(key="networks.reduced.row.keep").click().run()
    assert not at.exception
    kept = at.session_state["kernex"].entries["Blocks"].kernels
    assert list(kept) == ["diffusion τ = 5 by attributes", "diffusion τ = 5 by 20 landmarks"]
    np.testing.assert_allclose(kept["diffusion τ = 5 by attributes"].values, found.first.values)
    K = data.kernels["diffusion"].values
    at_ = [data.ids.index(name) for name in landmarks(data)]
    wanted = K[:, at_] @ np.linalg.solve(K[np.ix_(at_, at_)], K[at_])
    np.testing.assert_allclose(kept["diffusion τ = 5 by 20 landmarks"].values, wanted, atol=1e-12)


def landmarks(data, count=20):
    order = np.random.default_rng(np.random.SeedSequence([0, 0])).permutation(data.n)[:count]
    return [data.ids[int(k)] for k in order]


def test_named_nodes_are_hidden(open_page_test):
    at = open_page_test(PATH)
    at.session_state["kernex"].seen.settings["chosen.items.Blocks"] = ("b1n01", "b2n02")
    at.segmented_control(key="networks.new.hide").set_value("chosen nodes").run()
    assert not at.exception
    (box,) = [each for each in at.multiselect if each.label == "Nodes to hide"]
    assert box.value == ["b1n01", "b2n02"]
    assert "±" not in metrics(at)["Error, hidden nodes"]
    at.session_state["kernex"].seen.settings["chosen.items.Blocks"] = ("b3n03",)
    at.run()
    (box,) = [each for each in at.multiselect if each.label == "Nodes to hide"]
    assert box.value == ["b3n03"]
    box.set_value([]).run()
    assert not at.exception
    assert "Error, hidden nodes" not in metrics(at)


def test_nodes_without_attributes_are_told_what_to_bring_and_unknown_ones_are_left_out(open_page_test):
    data = load_dataset("florentine_families")
    network = data.samples["network"]
    at = open_page_test(PATH, DataSet("families", network.ids, samples={"network": network}))
    assert any("have no measurements" in text.value for text in at.markdown)
    rows = [f"{name},{k},{k % 2},{'ab'[k % 2]},{(k % 3) or ''}" for k, name in enumerate(network.ids)]
    table = "\n".join(["family,wealth,bank,quarter,sons", *rows, "Stranger,3,1,a,1"]).encode()
    at.file_uploader(key="networks.table.0").upload("nodes.csv", table).run()
    (box,) = [each for each in at.multiselect if each.label == "Attributes"]
    assert box.value == ["wealth", "bank", "sons"]
    at.button(key="networks.join").click().run()
    assert not at.exception
    entry = at.session_state["kernex"].entries["families"].dataset
    assert entry.labels.y.tolist() == ["ab"[k % 2] for k in range(network.n)]
    joined = entry.samples["network"].attributes
    assert joined.columns == ("wealth", "bank", "sons")
    assert joined.X[:, 0].tolist() == list(range(network.n))
    lacking = sum(k % 3 == 0 for k in range(network.n))
    assert any(f"{lacking} nodes of which not every column is known" in text.value for text in at.markdown)
    assert "Error, hidden nodes" in metrics(at)


@pytest.mark.parametrize(
    ("ids", "X", "wanted"),
    [("abcdef", np.ones((6, 1)), "alike for all nodes"), ("ab", np.eye(2), "larger network")],
)
def test_attributes_that_place_no_node_are_refused_with_a_remedy_that_helps(open_page_test, ids, X, wanted):
    ring = np.roll(np.eye(len(ids)), 1, axis=1)
    adjacency = sparse.csr_array(np.maximum(ring, ring.T))
    network = Network(tuple(ids), adjacency, attributes=Vectors(tuple(ids), X, tuple("xy"[: X.shape[1]])))
    at = open_page_test(PATH, DataSet("ring", network.ids, samples={"network": network}))
    assert not at.exception
    assert any(wanted in text.value for text in (*at.error, *at.markdown))
    if len(ids) == 2:
        assert any("2 nodes, 1 edge;" in text.value for text in at.markdown)


def asked(config, hidden=None, later=False):
    data = load_dataset("blocks")
    network = data.samples["network"]
    K = prepare_network(network).gram(Diffusion(3.0))
    origin = Origin(network, Diffusion(3.0)) if later else None
    return Asked(K, network.attributes, data.labels, K, config, hidden, 0, origin)


def printed(source):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(source, {})
    return out.getvalue()


@pytest.mark.parametrize(("hidden", "later"), [(None, False), ((3, 9, 11), False), (None, True)])
def test_the_script_of_new_nodes_prints_the_numbers_of_the_panel(hidden, later):
    one = asked(NewNodesConfig(repeats=2, bias=False, constraint="shear"), hidden, later)
    *_, found = placing_nodes(one.config, one.K, one.attributes, one.labels, hidden, one.origin)
    said = printed(placed.script(one, "diffusion τ = 3"))
    assert f"trace kept {found.trace.mean()}" in said
    assert f"floor {found.floor.mean()}" in said
    assert len(placed.rows(found)) == 3 * found.done


def test_the_script_of_reduced_sets_prints_the_numbers_of_the_panel():
    K = asked(NewNodesConfig()).K
    config = ReducedConfig(how="farthest", count=9)
    *_, made = reducing(config, K)
    found = made.kernel
    said = printed(reduced.script(config, K, tuple(found.landmarks.tolist()), "reduced"))
    assert f"error {found.error}" in said
    assert len(reduced.rows(made.errors)) == len(counts(K.n))


def test_nodes_of_a_network_of_neighbours_are_placed_by_its_vectors(open_page_test):
    rng = np.random.default_rng(3)
    ids = tuple(f"v{k}" for k in range(30))
    at = open_page_test(PATH, DataSet("points", ids, None, {"X": Vectors(ids, rng.normal(size=(30, 3)))}))
    at.button(key="networks.make").click().run()
    assert not at.exception
    assert isinstance(
        at.session_state["kernex"].entries["points"].dataset.samples["5 neighbours of X"], Network
    )
    assert "Error, hidden nodes" in metrics(at)
    (table,) = [each.value for each in at.table if "alignment" in each.value]
    assert list(table) == ["hidden nodes are placed", "error", "alignment"]  # no classes, no accuracy


def test_of_many_nodes_both_panels_wait_for_a_click(open_page_test, monkeypatch):
    monkeypatch.setattr("pages.networks.new_nodes.AT_ONCE", 50)
    monkeypatch.setattr("pages.networks.reduced.AT_ONCE", 50)
    at = open_page_test(PATH, query={"tau": "3"})  # of no other test: results of demos are everybody's
    assert not {"Error", "Error, hidden nodes"} & set(metrics(at))
    at.button(key="networks.new.run").click().run()
    at.button(key="networks.reduced.run").click().run()
    assert not at.exception
    assert {"Error", "Error, hidden nodes"} <= set(metrics(at))
    at.select_slider(key="tau").set_value(6.0).run()
    assert not {"Error", "Error, hidden nodes"} & set(metrics(at))
