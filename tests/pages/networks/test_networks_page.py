import contextlib
import dataclasses
import io

import numpy as np
import pytest

from kernex_core import (
    CrossValidation,
    DataSet,
    Diffusion,
    GramMatrix,
    Labels,
    Network,
    Vectors,
    judge,
    load_dataset,
    prepare_network,
    view_network,
)
from pages.networks import results
from pages.networks.subject import KINDS, Subject
from pages.server.digits import percent
from tests.pages.matrices import blobs, head, triangle

PATH = "networks/networks.py"
BLOCKS = CrossValidation(folds=5, repeats=5, C=1.0, inductive=False)


def metrics(at):
    return {metric.label.partition(" :gray[")[0]: metric.value for metric in at.metric}


def open_tab(at, name):
    """Open what one asks second."""
    at.session_state["networks.tab"] = name
    at.run()
    assert not at.exception


def sentence(at):
    """The verdict."""
    said = next(each.value for each in at.markdown if each.value.startswith("**"))
    return said.replace("*", "").replace("\\", "")


def judged_by_hand(data, tau, validation=BLOCKS):
    """exp(−τL) by a series of squarings of its Taylor expansion, over its mean diagonal, judged."""
    B = data.samples["network"].adjacency.toarray()
    root = 1.0 / np.sqrt(B.sum(axis=1))
    L = np.eye(len(B)) - root[:, None] * B * root[None, :]
    step = np.eye(len(B)) - (tau / 2**20) * L + (tau / 2**20) ** 2 / 2.0 * L @ L
    for _ in range(20):
        step = step @ step
    K = (step + step.T) / 2.0
    return judge(GramMatrix(K / np.diag(K).mean(), data.ids, "by hand"), data.labels, validation)


def test_opens_on_blocks_with_every_tau_judged_and_the_numbers_follow_the_slider(open_page_test):
    at = open_page_test(PATH)
    data = load_dataset("blocks")
    assert not at.error
    assert metrics(at)["At τ = 5"] == percent(judged_by_hand(data, 5.0).multi_class.mean, 1)
    assert any("too optimistic" in caption.value for caption in at.caption)
    assert "is chosen: " in sentence(at)
    assert "largest class alone 51.7\u00a0%" in sentence(at)
    at.select_slider(key="tau").set_value(8.0).run()
    assert not at.exception
    assert not at.error
    assert metrics(at)["At τ = 8"] == percent(judged_by_hand(data, 8.0).multi_class.mean, 1)
    open_tab(at, "Measures")
    assert metrics(at)["Accuracy"] == metrics(at)["At τ = 8"]


def test_choosing_tau_ends_in_a_choice(open_page_test, monkeypatch):
    at = open_page_test(PATH)
    monkeypatch.setattr("pages.networks.networks.is_asked", lambda key: True)
    at.run()
    monkeypatch.undo()
    chosen = sentence(at).partition(" is chosen")[0]
    assert any(f"{chosen}** was chosen most often" in text.value.replace("\\", "") for text in at.markdown)
    at.button(key="networks.choose.use").click().run()
    assert not at.exception
    assert f"τ = {at.select_slider(key='tau').value:g}" == chosen


def test_a_value_between_those_of_the_chart_is_judged_when_asked_for(open_page_test):
    at = open_page_test(PATH, query={"tau": "4"})
    assert at.select_slider(key="tau").value == 4.0
    assert metrics(at)["At τ = 4"] == "—"
    at.button(key="networks.here").click().run()
    assert not at.exception
    found = judged_by_hand(load_dataset("blocks"), 4.0)
    assert metrics(at)["At τ = 4"] == percent(found.multi_class.mean, 1)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.no_cover
def test_every_kernel_is_shown_and_judged(open_page_test, kind):
    at = open_page_test(PATH, load_dataset("karate_club"), query={"node_kernel": kind.title})
    assert at.selectbox(key="node_kernel").value == kind.title
    assert not at.error
    assert not at.exception
    assert list(metrics(at).values())[-1] != "—"
    assert not any("could not be judged" in text.value for text in at.markdown)
    drag = head(at, "networks.maps")["drag"]
    # f of an exponential beyond single precision, and a kernel without a parameter, have no thumb
    assert (drag is None) == (kind.__name__ in ("Exponential", "LaplacianPseudoinverse", "CommonNeighbours"))
    if drag is not None:
        said, numbers = blobs(at)[drag["follows"][0]["digest"]]
        n, s, m = said["n"], said["s"], said["m"]
        f, U = numbers[: m * s].reshape(m, s), numbers[m * s :].reshape(n, s)
        assert len(drag["texts"]) == m
        K = (U * f[int(drag["value"])]) @ U.T  # where the thumb stands it is what is shown
        np.testing.assert_allclose(
            K[np.tril_indices(n)], triangle(at, "networks.maps"), rtol=1e-4, atol=1e-5 * K.max()
        )


def test_the_node_chooser_says_whose_similarities_are_drawn(open_page_test):
    at = open_page_test(PATH, load_dataset("florentine_families"))
    box = at.selectbox(key="networks.node.Florentine families")
    assert box.value == "Medici"  # most marriages
    box.set_value("Albizzi").run()
    assert not at.exception
    assert any("k(Albizzi" in text.value for text in at.markdown)
    assert any("needs labels" in text.value for text in at.markdown)


def test_a_kept_kernel_is_on_every_page(open_page_test):
    at = open_page_test(PATH, load_dataset("karate_club"))
    at.button(key="networks.keep").click().run()
    kept = at.session_state["kernex"].entries["Karate club"].kernels
    assert list(kept) == ["diffusion τ = 1"]


@pytest.mark.parametrize("tau", [0.3, 8.0])
def test_the_script_prints_the_accuracy_that_the_page_shows(tau):
    data = load_dataset("blocks")
    network = data.samples["network"]
    prepared = prepare_network(network)
    subject = Subject(data, network, prepared, Diffusion(), data.labels, BLOCKS)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(results.script(subject, view_network(prepared, Diffusion(tau)), tau), {})
    line = next(line for line in printed.getvalue().splitlines() if line.startswith("multi-class accuracy"))
    assert float(line.split()[-1]) == pytest.approx(judged_by_hand(data, tau).multi_class.mean)


def test_data_without_a_network_are_told_what_to_bring_and_demos_are_a_click_away(
    open_page_test, small_dataset
):
    at = open_page_test(PATH, small_dataset)
    assert any("Bring a list of edges" in text.value for text in at.markdown)
    at.button(key="need.karate_club").click().run()
    assert not at.exception
    assert at.selectbox(key="data").value == "Karate club"
    assert "Choice of τ" in metrics(at)


def test_a_network_is_made_of_vectors(open_page_test):
    rng = np.random.default_rng(3)
    ids = tuple(f"v{k}" for k in range(24))
    X = rng.normal(size=(24, 3)) + 3.0 * (np.arange(24) % 2)[:, None]
    labels = Labels(ids, np.where(np.arange(24) % 2, "a", "b"))
    at = open_page_test(PATH, DataSet("points", ids, labels, {"X": Vectors(ids, X)}))
    at.slider(key="networks.k.points").set_value(4).run()
    at.button(key="networks.make").click().run()
    assert not at.exception
    assert not at.error
    made = at.session_state["kernex"].entries["points"].dataset.samples["4 neighbours of X"]
    assert isinstance(made, Network)
    assert made.neighbours.min() >= 4
    assert metrics(at)["Choice of τ"] != "—"


def test_a_table_of_nodes_is_joined_by_id(open_page_test):
    network = load_dataset("florentine_families").samples["network"]
    at = open_page_test(PATH, DataSet("families", network.ids, samples={"network": network}))
    open_tab(at, "Node table")
    rows = [f"{name},{'north' if k % 2 else 'south'}" for k, name in enumerate(network.ids[::-1])]
    table = "\n".join(["id,label", *rows, "Stranger,north"]).encode()
    at.file_uploader(key="networks.table.0").upload("nodes.csv", table).run()
    at.button(key="networks.join").click().run()
    assert not at.exception
    joined = at.session_state["kernex"].entries["families"].dataset
    wanted = dict(row.split(",") for row in rows)
    assert {name: str(y) for name, y in zip(joined.ids, joined.labels.y, strict=True)} == wanted
    assert "Choice of τ" in metrics(at)


def test_the_column_of_labels_is_chosen_and_what_is_no_table_is_refused(open_page_test):
    network = load_dataset("florentine_families").samples["network"]
    at = open_page_test(PATH, DataSet("families", network.ids, samples={"network": network}))
    open_tab(at, "Node table")
    uploader = at.file_uploader(key="networks.table.0")
    uploader.upload("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(300)).run()
    assert not at.exception
    assert at.error
    rows = [f"{name},{k % 2},{'abc'[k % 3]}" for k, name in enumerate(network.ids)]
    table = "\n".join(["id,bank,quarter", *rows]).encode()
    at.file_uploader(key="networks.table.0").upload("nodes.csv", table).run()
    (choice,) = [
        box for box in (*at.selectbox, *at.segmented_control) if str(box.key).endswith("label_column")
    ]
    choice.set_value("quarter").run()
    at.button(key="networks.join").click().run()
    joined = at.session_state["kernex"].entries["families"].dataset.labels
    assert joined.y.tolist() == ["abc"[k % 3] for k in range(network.n)]


def test_lines_without_an_edge_can_become_nodes_of_a_new_data_set(open_page_test):
    network = load_dataset("florentine_families").samples["network"]
    at = open_page_test(PATH, DataSet("families", network.ids, samples={"network": network}))
    open_tab(at, "Node table")
    table = "\n".join(["id,label", *(f"{name},x" for name in network.ids), "Stranger,y", "Hermit,y"]).encode()
    at.file_uploader(key="networks.table.0").upload("nodes.csv", table).run()
    at.toggle(key="networks.isolated").set_value(True).run()
    at.button(key="networks.join").click().run()
    assert not at.exception
    joined = at.session_state["kernex"].entries["families with nodes.csv"].dataset
    assert joined.ids == (*network.ids, "Stranger", "Hermit")
    assert joined.samples["network"].neighbours[-2:].tolist() == [0, 0]


def test_above_the_limit_columns_of_chosen_nodes_alone(open_page_test, monkeypatch):
    monkeypatch.setattr("pages.networks.networks.NODE_LIMIT", 50)
    data = load_dataset("blocks")
    at = open_page_test(PATH, dataclasses.replace(data, kernels={}))
    assert any("the whole kernel is not computed" in caption.value for caption in at.caption)
    node = at.selectbox(key="networks.node.Blocks").value
    wanted = view_network(prepare_network(data.samples["network"]), Diffusion(5.0), data.ids.index(node))
    (table,) = at.table
    assert list(table.value["node"])[1:4] == [data.ids[k] for k in wanted.nearest[:3]]
    assert not at.metric


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.no_cover
def test_above_the_limit_every_kernel_is_shown_or_says_why_not(open_page_test, monkeypatch, kind):
    monkeypatch.setattr("pages.networks.networks.NODE_LIMIT", 20)
    at = open_page_test(PATH, load_dataset("karate_club"), query={"node_kernel": kind.title})
    assert not at.exception
    assert bool(at.error) == (kind.__name__ == "LaplacianPseudoinverse")
    assert len(at.table) == (not at.error)


def test_negative_weights_are_refused_by_a_laplacian_with_the_remedy(open_page_test):
    B = np.array([[0.0, 1.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 1.0, 0.0]])
    network = Network(("a", "b", "c"), B)
    at = open_page_test(PATH, DataSet("signed", network.ids, samples={"network": network}))
    assert any("exponential" in error.value and "between 'a' and 'c'" in error.value for error in at.error)
    at.selectbox(key="node_kernel").set_value("Exponential").run()
    assert not at.error
    assert not at.exception
