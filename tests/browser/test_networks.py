"""The page Networks as a person walks it: edges, a table of nodes, τ, a node in the drawing, the kernel as a file."""

import csv
import re
from pathlib import Path

import numpy as np
from scipy.linalg import expm

from kernex_core import Diffusion, load_dataset
from kernex_core.conditioning.network_features import prepare_features
from kernex_core.inputs.items.match import match_features
from kernex_core.studies.networks.features.accuracy import node_weights
from tests.browser.script_runs import click, dragging, rerunning, settle

NODES = 24
NODE_TRACE = ".js-plotly-plot .scatterlayer .trace:nth-child(2) .points path"


def ring_with_chords():
    edges = {(k, (k + 1) % NODES) for k in range(NODES)} | {(k, (k + 2) % NODES) for k in range(0, NODES, 2)}
    return sorted((min(pair), max(pair)) for pair in edges)


def small(name, text):
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def diffusion(tau):
    B = np.zeros((NODES, NODES))
    for i, j in ring_with_chords():
        B[i, j] = B[j, i] = 1.0
    root = 1.0 / np.sqrt(B.sum(axis=1))
    return expm(-tau * (np.eye(NODES) - root[:, None] * B * root[None, :]))


def measured():
    """Where the nodes of the ring stand: what places a node that is hidden."""
    angle = 2.0 * np.pi * np.arange(NODES) / NODES
    return np.column_stack([np.cos(angle), np.sin(angle)]).round(6)


def matrix(file):
    """Matrix of a downloaded file, and the numbers in its ids."""
    header, *rows = csv.reader(Path(file).read_text(encoding="utf-8").splitlines())
    return np.array([[float(value) for value in row[1:]] for row in rows]), [
        int(name[1:]) for name in header[1:]
    ]


def extended(K, X, hidden):
    """Phi' Q Phi of the free form, by pseudo-inverses."""
    known = np.setdiff1d(np.arange(NODES), hidden)
    phi = np.vstack([-((X - X[known].mean(axis=0)) / X[known].std(axis=0)).T, np.ones(NODES)])
    inverse = np.linalg.pinv(phi[:, known])
    return phi.T @ inverse.T @ K[np.ix_(known, known)] @ inverse @ phi


def test_edges_and_a_table_of_nodes_a_move_of_tau_a_click_on_a_node_which_is_hidden_and_both_kernels_as_files(
    visit,
):
    page = visit("data")
    edges = "source,target\n" + "".join(f"v{i},v{j}\n" for i, j in ring_with_chords())
    with rerunning(page):
        page.locator("input[type=file]").set_input_files([small("edges.csv", edges)])
    click(page.get_by_role("button", name="Add as new data set"))
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Networks"))
    page.get_by_text("needs labels of at least two classes").wait_for()

    click(page.get_by_role("tab", name="Node table"))
    side = ["near" if k < NODES // 2 else "far" for k in range(NODES)]
    table = "id,label,x,y\n" + "".join(f"v{k},{side[k]},{x},{y}\n" for k, (x, y) in enumerate(measured()))
    with rerunning(page):
        page.locator("input[type=file]").set_input_files([small("nodes.csv", table)])
    click(page.get_by_role("button", name="Join the table"))
    page.locator(".st-key-verdict").get_by_text("is chosen").wait_for()

    with dragging(page, "τ, in the picture", 0.9) as drawn:
        assert drawn >= 5
        followed = float(page.locator("figure small").inner_text().removeprefix("τ = "))
        assert followed > 20
        assert "tau=" not in page.url  # the server is asked once, at the end
    page.wait_for_url(f"**tau={followed:g}*")
    page.goto(page.url.replace(f"tau={followed:g}", "tau=1.2").replace("tab=Node+table", "tab=Accuracy"))
    settle(page)
    page.get_by_role("button", name="Judge τ = 1.2 too").wait_for()

    box = page.locator(NODE_TRACE).nth(7).bounding_box()
    with rerunning(page):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ids = sorted({f"v{k}" for pair in ring_with_chords() for k in pair}, key=edges.index)
    chosen = page.get_by_role("combobox", name=re.compile("^Node")).input_value()
    assert chosen == ids[7]
    click(page.get_by_role("tab", name="Pair"))
    page.get_by_text("1 chosen").wait_for()

    click(page.get_by_role("tab", name="New nodes"))
    click(page.get_by_text("chosen nodes", exact=True))
    page.get_by_text("1 of 24 nodes hidden, named").first.wait_for()
    buttons = page.get_by_test_id("stDownloadButton").get_by_role("button", name="CSV", exact=True)
    made = []
    for at in range(2):
        with page.expect_download() as download:
            buttons.nth(at).click()
        made.append(matrix(download.value.path()))
    (placed, same), (K, at) = made
    np.testing.assert_allclose(K, diffusion(1.2)[np.ix_(at, at)], atol=1e-12)
    assert same == at
    np.testing.assert_allclose(placed, extended(K, measured()[at], [at.index(int(ids[7][1:]))]), atol=1e-10)
    assert page.get_by_test_id("stException").count() == 0


def test_profiles_on_a_network_a_move_of_tau_and_the_weights_as_a_file(visit):
    page = visit("features")
    before = page.get_by_test_id("stMetricValue").nth(1).inner_text()
    handle = page.get_by_role("slider", name=re.compile("Time"))
    handle.focus()
    with rerunning(page):
        handle.press("ArrowRight")
        page.wait_for_url("**features_tau=6*")
    assert page.get_by_test_id("stMetricValue").nth(1).inner_text() != before
    with page.expect_download() as download:
        page.get_by_role("button", name="Weights as CSV").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8").splitlines()))

    data = load_dataset("expression_on_a_network")
    network, X = data.feature_networks["genes"], data.samples["expression"].X
    prepared = prepare_features(match_features(data.samples["expression"], network))
    wanted = node_weights(prepared, Diffusion(tau=6.0), data.labels, of="case")
    beta = {row["node"]: float(row["weight"]) for row in rows}
    np.testing.assert_allclose([beta[name] for name in network.ids], wanted.beta, atol=1e-12)
    assert len(rows) == X.shape[1]
    assert page.get_by_test_id("stException").count() == 0
