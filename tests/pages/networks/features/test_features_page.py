"""The page Features on a network: its numbers are the study's, files and other networks come in, what lacks is said."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import CrossValidation, DataSet, Diffusion, Labels, Network, Vectors, judge, load_dataset
from kernex_core.conditioning.network_features import features_kernel, prepare_features
from kernex_core.inputs.items.match import match_features
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.chance.paired import paired
from kernex_core.studies.networks.features.accuracy import Claim
from kernex_core.studies.networks.features.graph_lasso import STRENGTHS, graph_lasso, judging_lasso, recovered
from pages.networks.features import results
from pages.networks.features.judged import claim_words
from pages.networks.features.results import AGAINST, FOR, signed
from pages.networks.features.subject import Subject
from pages.server.digits import p_value, percent

PATH = "networks/features/features.py"

pytestmark = pytest.mark.usefixtures("open_tabs", "kept_results")
DEMO = CrossValidation(folds=5, repeats=5, C=1.0, inductive=True)


def small(rng, labels=True, genes=12, n=30):
    """Profiles of three classes; genes on a ring, some of them not measured, some columns outside."""
    ids = tuple(f"s{k}" for k in range(n))
    y = np.array(["a", "b", "c"])[np.arange(n) % 3]
    X = rng.normal(size=(n, genes)) + 1.5 * (np.arange(genes) % 3 == (np.arange(n) % 3)[:, None])
    columns = (*(f"g{k}" for k in range(genes - 2)), "alien", "stranger")
    ring = np.roll(np.eye(genes), 1, axis=0)
    network = Network(tuple(f"g{k}" for k in range(genes)), ring + ring.T)
    data = DataSet("small", ids, Labels(ids, y) if labels else None, {"profiles": Vectors(ids, X, columns)})
    return data, network


def metrics(at):
    found = {}
    for metric in at.metric:
        found.setdefault(metric.label.partition(" :gray[")[0], metric.value)
    return found


def captions(at):
    return " ".join(caption.value for caption in at.caption)


def subject_of(data, which=0):
    matched = match_features(data.samples["expression"], data.feature_networks["genes"])
    return Subject(data, prepare_features(matched), Diffusion(), data.labels, DEMO, which)


def test_it_opens_on_the_demo_whose_numbers_are_those_of_the_core_and_sliders_move_them(open_page_test):
    at = open_page_test(PATH)
    data = load_dataset("expression_on_a_network")
    subject = subject_of(data)
    for tau in (5.0, 1.0):
        if tau != 5.0:
            at.select_slider(key="features_tau").set_value(tau).run()
        assert not at.exception
        wanted = judge(features_kernel(subject.prepared, Diffusion(tau=tau)), data.labels, DEMO)
        shown = metrics(at)
        assert shown[f"At τ = {tau:g}"] == percent(wanted.multi_class.mean, 1)
        assert shown["Plain"] == percent(
            judge(features_kernel(subject.prepared), data.labels, DEMO).multi_class.mean, 1
        )
        assert float(shown["Roughness"]) == pytest.approx(subject.weights(tau).roughness, abs=0.006)
    assert "not told apart from the plain kernel" in captions(at)
    assert "too optimistic" in captions(at)
    found = subject.study().cache(*subject.study().args)
    assert metrics(at)["Choice of τ"] == percent(found.nested.mean, 1)
    picked = found.nested.picks[0][0].removeprefix("tau = ")
    said = next(each.value for each in at.markdown if " is chosen" in each.value).replace("\\", "")
    assert said.startswith(f"**τ = {picked} is chosen**: {percent(found.nested.mean, 1)}")
    assert "not told apart from the plain kernel" in said
    at.select_slider(key="features_penalty").set_value(0.3).run()
    found = graph_lasso(subject.prepared, data.labels, of="case")
    step = next(step for step in found.steps if step.strength == 0.3)
    assert metrics(at)["Selected edges"] == str(len(step.edges))
    one = recovered(found, step, subject.planted != 0.0)
    assert metrics(at)["Planted edges selected"] == percent(one.selected)
    at.button(key="features.keep").click().run()
    assert "diffusion τ = 1 of features" in at.session_state["kernex"].entries[data.name].kernels


def test_choosing_tau_ends_in_a_choice(open_page_test):
    at = open_page_test(PATH)
    chosen = next(each.value for each in at.markdown if " is chosen" in each.value).partition(" is chosen")[0]
    at.button(key="features.choose").click().run()
    at.button(key="features.choose.use").click().run()
    assert not at.exception
    assert f"τ = {at.select_slider(key='features_tau').value:g}" == chosen.strip("*").replace("\\", "")


def test_the_script_prints_what_the_page_shows():
    data = load_dataset("expression_on_a_network")
    subject = subject_of(data)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(results.script(subject, 2.0), {})
        exec(results.lasso_script(subject, subject.lasso().steps[0]), {})
    lines = printed.getvalue()
    kernels = (features_kernel(subject.prepared, Diffusion(tau=2.0)), features_kernel(subject.prepared))
    smooth, plain = (judge(K, data.labels, DEMO).multi_class.mean for K in kernels)
    assert f"accuracy on the network {smooth} plain {plain}" in lines
    assert f"roughness {subject.weights(2.0).roughness}" in lines
    assert f"penalty 1: {len(subject.lasso().steps[6].edges)} edges" in lines


def test_the_graph_lasso_is_judged_by_a_click(open_page_test):
    at = open_page_test(PATH, load_dataset("expression_on_a_network"))
    at.segmented_control(key="features.cv.Expression on a network.folds").set_value(2)
    at.slider(key="features.cv.Expression on a network.repeats").set_value(1).run()
    at.button(key="features.lasso.run").click().run()
    assert not at.exception
    assert "Of the penalties, **" in captions(at)
    subject = subject_of(load_dataset("expression_on_a_network"))
    subject = replace(subject, validation=replace(DEMO, folds=2, repeats=1))
    *_, found = judging_lasso(subject.prepared, subject.labels, subject.validation, of="case")
    rows = results.lasso_accuracy_rows(subject, found)
    assert [row["penalty"] for row in rows] == [*STRENGTHS, "chosen inside", "plain kernel"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(results.lasso_accuracy_script(subject), {})
    assert f"chosen inside {rows[-2]['accuracy']}, plain {rows[-1]['accuracy']}" in printed.getvalue()


def test_a_network_that_is_brought_is_matched_and_what_is_not_is_named(open_page_test, rng):
    data, network = small(rng)
    at = open_page_test(PATH, data)
    assert any("no network of their columns" in text.value for text in at.markdown)
    i, j = np.nonzero(np.triu(network.adjacency.toarray()))
    edges = "source,target\n" + "".join(f"g{a},g{b}\n" for a, b in zip(i, j, strict=True))
    at.file_uploader(key="features.network.0").upload("edges.csv", edges.encode()).run()
    at.button(key="features.use").click().run()
    assert not at.exception
    assert not at.error
    assert list(at.session_state["kernex"].entries["small"].dataset.feature_networks) == ["edges.csv"]
    said = " ".join(text.value for text in at.markdown).replace("\\", "")
    assert "Columns that are not in the network: 2 (alien, stranger)" in said
    assert "Nodes that were not measured: 2 (" in said
    assert "Choice of τ" in metrics(at)
    at.segmented_control(key="features.of").set_value("b").run()  # one of three classes
    assert not at.exception
    at.selectbox(key="features_kernel").set_value("Laplacian pseudo-inverse").run()
    assert not at.exception
    assert "On the network" in metrics(at)


def test_a_network_of_another_data_set_is_offered_where_it_shares_an_id(open_page_test, rng):
    from pages.server import workspace

    data, network = small(rng)
    at = open_page_test(PATH, data)
    other = DataSet("ring", network.ids, samples={"network": network})
    at.session_state["kernex"].entries["ring"] = workspace._Entry(other)
    at.session_state["kernex"].entries["Karate club"] = workspace._Entry(load_dataset("karate_club"))
    at.run()
    (box,) = [box for box in at.selectbox if str(box.key).startswith("features.network.")]
    assert box.options == ["ring: network"]
    assert "Choice of τ" in metrics(at)


def test_what_lacks_is_said(open_page_test, rng, small_dataset):
    at = open_page_test(PATH, small_dataset)
    assert any("vectors whose columns have names" in text.value for text in at.markdown)
    at.button(
        key="need.expression_on_a_network"
    ).click().run()  # what it computes is there since the first test
    assert not at.exception
    assert "Planted edges in one piece" in metrics(at)
    data, network = small(rng, labels=False)
    at = open_page_test(PATH, data.with_feature_network("ring", network))
    assert any("items of at least two classes" in text.value for text in at.markdown)


@pytest.mark.parametrize(
    ("gained", "lost", "words"),
    [
        (30, 0, "15.0 points above"),
        (0, 30, "15.0 points below"),
        (9, 12, "not told apart"),
        (0, 0, "not told apart"),
    ],
)
def test_a_difference_is_claimed_where_p_is_below_one_in_twenty(gained, lost, words):
    plain = np.repeat([1.0, 1.0, 0.0], [150 - lost, lost, 50])
    chosen = plain.copy()
    chosen[150 - lost : 150] = 0.0
    chosen[150 : 150 + gained] = 1.0
    found = paired(chosen, plain, Passes(5, 1))
    said = claim_words(Claim(chosen.mean(), plain.mean(), found))
    assert words in said
    assert f"p {p_value(found.p)}" in said


def test_the_drawing_shows_sign_size_selected_edges_and_what_was_not_measured(rng):
    _, network = small(rng)
    beta = np.zeros(12)
    beta[:3] = 2.0, -1.0, 0.5
    chosen = np.array([[0, 1]])
    picture = signed(rng.random((12, 2)), network, beta, "a", edges=chosen, unmeasured=np.array([11]))
    lines, drawn_out, nodes = picture.figure.data
    assert len(np.asarray(lines.x)) == 3 * 12
    assert len(np.asarray(drawn_out.x)) == 3
    assert list(nodes.marker.color[:3]) == [FOR, AGAINST, FOR]
    assert nodes.marker.size[0] > nodes.marker.size[1] > nodes.marker.size[2] > nodes.marker.size[3]
    assert nodes.marker.symbol[11] == "circle-open"
    assert "1 edge selected" in picture.alt
