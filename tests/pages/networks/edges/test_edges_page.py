"""The page Edges of new nodes: its numbers are the study's, what lacks is said, predictions come without judging."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import (
    DataSet,
    Diffusion,
    EdgeConfig,
    GramMatrix,
    Network,
    gene_data,
    judging_edges,
    judging_missing,
    load_dataset,
    predict_edges,
    rank_unobserved,
)
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.chance.verdict import verdict_of
from kernex_core.learning.edges.methods import CanonicalProjection
from kernex_core.studies.networks.edges.judging import edge_verdict, missing_verdict
from kernex_core.studies.networks.edges.predicting import choose_for_known, choose_for_new
from kernex_core.studies.networks.edges.sources import knows_a_network, values_chosen
from pages.networks.edges import predictions as missing_results
from pages.networks.edges import results
from pages.networks.edges.edges import words
from pages.networks.edges.results import roc
from pages.networks.edges.subject import Subject, called
from pages.server.digits import number
from pages.ui.panels.verdicts import verdict_words

PATH = "networks/edges/edges.py"

pytestmark = pytest.mark.usefixtures("open_tabs", "kept_results")


@pytest.fixture(scope="module")
def small():
    """Forty nodes of the demo with two kernels and their network; two of the nodes lack an edge."""
    demo = load_dataset("unlike_partners")
    network = demo.samples["network"]
    A = network.adjacency.toarray()[:40, :40]
    A[:2], A[:, :2] = 0.0, 0.0
    ids = demo.ids[:40]
    kernels = {
        name: GramMatrix(demo.kernels[name].values[:40, :40], ids, name) for name in ("view 1", "view 2")
    }
    return DataSet("small", ids, samples={"network": Network(ids, A)}, kernels=kernels)


@pytest.fixture(scope="module")
def subject(small):
    network = small.samples["network"]
    data = gene_data(small.kernels, network)
    return Subject(small, network, small.kernels, data, EdgeConfig(folds=2), CanonicalProjection)


@pytest.fixture(scope="module")
def table(subject):
    *_, last = judging_edges(subject.data, subject.config)
    return last


def captions(at):
    return " ".join(caption.value for caption in at.caption)


def cell(verdict, name):
    """Mean and interval of a candidate."""
    one = verdict.of(name)
    return f"{number(one.value, 2)}\u00a0:gray[[{number(one.interval.low, 2)},\u00a0{number(one.interval.high, 2)}]]"


def told(at):
    return captions(at) + " ".join(text.value for text in at.markdown)


def test_its_numbers_are_those_of_the_core_and_what_moves_moves_them(open_page_test, small, subject, table):
    at = open_page_test(PATH, small, query={"edge_folds": "2"})
    assert not at.exception
    assert not at.error
    weights, known, new, _ = (each.value for each in at.table)
    verdict = edge_verdict(table, "auc", called)
    assert known["Kernel canonical projection"].iloc[2] == cell(verdict, "Kernel canonical projection on sum")
    # all cells are candidates, and degree alone
    assert len(verdict.candidates) == 7 * 5 + 1
    assert verdict_words(verdict, unit="") in told(at)
    assert verdict_words(edge_verdict(table, "auc", called, new=True), unit="") in told(at)
    assert new["Local models"].tolist() == ["no\u00a0score"] * 5
    eta = table.weights("mkl")
    assert weights["MKL"].iloc[0].startswith(f"{eta[:, 0].mean():.2f}")
    tiles = {each.label.partition(" :gray[")[0]: each.value for each in at.metric}
    assert tiles["Method shown"] == number(verdict.of("Kernel canonical projection on MKL").value, 2)
    assert tiles["Degree alone"] == number(verdict.of("degree alone").value, 2)
    assert "2 of 2 folds over 40 nodes" in captions(at)
    assert "No edge means that none is known" in captions(at)
    found = predict_edges(subject.data, subject.without_edges, CanonicalProjection(), "mkl")
    rows = at.dataframe[0].value
    assert {rows["new"].iloc[0], rows["other"].iloc[0]} == set(found.names[0])
    assert rows["score"].tolist() == found.scores[: len(rows)].tolist()  # numbers: they are sorted as such
    assert set(rows["new"]) <= set(subject.without_edges)
    assert set(rows["known"]) == {"unknown"}
    at.segmented_control(key="edge_measure").set_value("average precision").run()
    precision = table.summary("view 1", "two_step").new_new.average_precision
    assert at.table[2].value["Two-step ridge"].iloc[0].startswith(f"{precision.mean:.2f}")
    at.selectbox(key="edge_method").set_value("Local models").run()
    assert "Local models with its usual parameters" in captions(at)
    assert not at.exception


def test_what_is_shown_stands_beside_the_highest_of_all_and_a_plain_baseline_that_does_is_said_first():
    right = {"A on MKL": 36, "B on sum": 38, "C on sum": 12, "degree alone": 20}
    made = verdict_of(
        {name: [1] * k + [0] * (40 - k) for name, k in right.items()}, Passes(2, 1), plain=["degree alone"]
    )
    told = "not told apart from the highest of 4, B on sum 0.95; degree alone is worse."
    assert words(made, made.of("A on MKL"), "AUC") == f"A on MKL: AUC 0.90, {told}"
    assert words(made, made.best, "AUC") == "B on sum: AUC 0.95, the highest of 4; degree alone is worse."
    assert "C on sum: AUC 0.30, worse than the highest" in words(made, made.of("C on sum"), "AUC")
    plain = verdict_of(
        {"A on MKL": [1, 0] * 20, "degree alone": [1, 1, 1, 0] * 10}, Passes(2, 1), plain=["degree alone"]
    )
    assert words(plain, plain.of("A on MKL"), "AUC").startswith("Degree alone does best here")


def test_missing_edges_are_a_third_kind_of_pair_beside_common_neighbours(open_page_test, small, subject):
    *_, missing = judging_missing(subject.data, 2, 0)
    at = open_page_test(PATH, small, query={"edge_folds": "2"})
    shown = at.table[3].value
    verdict = missing_verdict(missing, "auc", called)
    assert shown["Metric learning"].iloc[4] == cell(verdict, "Metric learning on MKL")
    assert shown["Local models"].iloc[4] == cell(verdict, "Local models on MKL")
    assert verdict_words(verdict, unit="") in told(at)
    assert "each trained without the pair" in captions(at)
    assert "Every method with its usual parameters" in captions(at)
    numbers = {each.label.partition(" :gray[")[0]: each.value for each in at.metric}
    for name in ("Common neighbours", "Degree product"):
        auc = missing.summary(None, name.lower()).auc
        assert numbers[name] == f"{auc.mean:.2f}\u00a0:gray[±\u00a0{auc.sd:.2f}]"
    pairs = missing.summary("sum", "kcca")
    assert pairs.pairs == 780
    assert f"{pairs.edges:,} edges among 780 pairs, each hidden once" in captions(at)
    assert "Another question than that of new nodes" in captions(at)
    ranked = rank_unobserved(subject.data, CanonicalProjection(), "mkl")
    a, b = ranked.names[0]
    assert f"learned from the whole network. First: {a} – {b}" in captions(at)
    at.segmented_control(key="edge_missing_measure").set_value("average precision").run()
    precision = missing.summary("view 1", "two_step").average_precision
    assert at.table[3].value["Two-step ridge"].iloc[0].startswith(f"{precision.mean:.2f}")
    at.selectbox(key="edge_method").set_value("Local models").run()
    assert "ranked by Local models from all kernels, MKL" in captions(at)
    assert not at.exception
    # what it gives away
    rows = missing_results.open_rows(ranked)
    assert [row["score"] for row in rows] == ranked.scores.tolist()
    assert not any(
        subject.data.A[subject.data.ids.index(row["a"]), subject.data.ids.index(row["b"])] for row in rows
    )
    cells = missing_results.cell_rows(missing, subject.state)
    assert len(cells) == len(missing.cells) + 2 * 2
    assert cells[-1]["auc"] == missing.baselines[1]["degree product"].auc
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(missing_results.script(subject, "mkl"), {})
    assert f"{a} {b} {ranked.scores[0]}" in printed.getvalue()
    assert printed.getvalue().splitlines()[-1] == subject.state.words
    assert {cell["mode"] for cell in cells} == {subject.state.words}
    assert all(
        f"{c.fold + 1} {c.source} {c.method} {c.hidden.auc}" in printed.getvalue() for c in missing.cells
    )


def test_parameters_are_chosen_inside_both_kinds_of_folds_and_counted(open_page_test, small, subject, table):
    """One kernel; the method that is looked at is the one whose choices stand there."""
    one = replace(small, kernels={"view 1": small.kernels["view 1"]})
    at = open_page_test(PATH, one, query={"edge_folds": "2", "edge_tuned": "true"})
    assert "parameters chosen inside: this starts with a click" in captions(at)
    for key in ("edges.run", "edges.missing.run"):
        at.button(key=key).click().run()
    assert not at.exception
    data = gene_data(one.kernels, subject.network)
    *_, judged = judging_edges(data, EdgeConfig(folds=2, tuned=True))
    *_, missing = judging_missing(data, 2, 0, True)
    shown = [each.value for each in at.table if "Diffusion" in each.value]
    assert len(shown) == 2
    for rows, cells in zip(shown, (judged.of("view 1", "kcca"), missing.of("view 1", "kcca")), strict=True):
        for name, label in (("tau", "Diffusion"), ("features", "Features")):
            times = values_chosen([cell.fitted for cell in cells])[name]
            said = ", ".join(f"{value:g}\u00a0({count})" for value, count in times.items())
            assert rows[label].tolist() == [said]
    assert "Parameters chosen on 3 inner folds of the pairs that are not hidden" in captions(at)
    assert "parameters chosen on 3 inner folds of the training nodes" in captions(at)
    # both lists rank by what is chosen in the same way
    method = choose_for_new(data, subject.without_edges, CanonicalProjection, "view 1")
    assert f"folds of the known nodes (diffusion {method.tau:g}, ridge of the kernel" in captions(at)
    found = predict_edges(data, subject.without_edges, method, "view 1")
    assert at.dataframe[0].value["score"].tolist() == found.scores[:30].tolist()
    method = choose_for_known(data, CanonicalProjection, "view 1")
    assert f"chosen on folds of all pairs (diffusion {method.tau:g}, ridge of the kernel" in captions(at)
    a, b = rank_unobserved(data, method, "view 1").names[0]
    assert f"First: {a} – {b}" in captions(at)
    at.selectbox(key="edge_method").set_value("Direct").run()
    assert "Direct has no parameter to choose" in captions(at)
    assert [row["parameters"] for row in missing_results.cell_rows(missing, subject.state)[:-4]] == [
        repr(cell.fitted) for cell in missing.cells
    ]


def test_nodes_are_new_by_seed_and_the_network_says_which_edges_it_has(open_page_test, small):
    at = open_page_test(PATH, small, query={"edge_folds": "2"})
    new = at.segmented_control(key="edge_new")
    assert new.value == "without edges"
    new.set_value("some by seed").run()
    assert not at.exception
    rows = at.dataframe[0].value
    assert "yes, hidden" in set(rows["known"])
    assert at.number_input(key="edge_many").value == 10
    assert len(set(rows["new"])) <= 10
    at.number_input(key="edge_drawn_by").set_value(3).run()
    assert not rows.equals(at.dataframe[0].value)
    at.segmented_control(key="edge_new").set_value("chosen items").run()
    assert "No such node" in captions(at)
    assert not at.exception


def test_what_lacks_is_said_and_leads_on(open_page_test, small, small_dataset):
    network = {name: part for name, part in small.samples.items() if isinstance(part, Network)}
    assert "these data have none" in told(open_page_test(PATH, small_dataset))
    assert "something measured of the nodes" in told(
        open_page_test(PATH, replace(small, kernels={}, samples=network))
    )
    holes = np.array(small.kernels["view 2"].values)
    holes[0, 1] = holes[1, 0] = np.nan
    at = open_page_test(
        PATH, small.with_kernel("gaps", GramMatrix(holes, small.ids, "gaps")), query={"edge_folds": "2"}
    )
    assert "partly unknown: gaps" in captions(at)
    assert not at.exception


def test_a_kernel_that_was_made_of_the_network_is_not_chosen_and_named_where_it_is(open_page_test, small):
    own = Diffusion(tau=2.0).similarities(load_dataset("interacting_genes").samples["network"], name="heat")
    assert knows_a_network(own)
    assert not any(knows_a_network(K) for K in load_dataset("interacting_genes").kernels.values())
    kept = Diffusion(tau=2.0).similarities(small.samples["network"], name="heat")
    at = open_page_test(PATH, small.with_kernel("heat", kept), query={"edge_folds": "2"})
    box = at.multiselect(key="edges.kernels.small.3")
    assert box.value == ["view 1", "view 2"]
    box.set_value(["view 1", "heat"]).run()
    assert "heat was made of a network" in told(at)
    # a similarity that is no kernel is repaired, by what is chosen
    odd = GramMatrix(small.kernels["view 1"].values - 0.2 * np.eye(40), small.ids, "odd")
    at = open_page_test(PATH, small.with_kernel("odd", odd), query={"edge_folds": "2"})
    assert "no kernel: odd. The repair is fitted on the training nodes" in captions(at)
    before = at.table[1].value.iloc[2].tolist()
    at.segmented_control(key="edge_repair").set_value("flip").run()
    assert before != at.table[1].value.iloc[2].tolist()
    assert not at.exception


def test_the_scripts_print_what_the_page_shows(subject, table):
    new = subject.data.ids[:2]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(results.judging_script(subject), {})
        exec(results.predicting_script(subject, new, CanonicalProjection(features=2), "mkl"), {})
    lines = printed.getvalue()
    assert all(f"{c.fold + 1} {c.source} {c.method} {c.known_new.auc}" in lines for c in table.cells)
    found = predict_edges(subject.data, new, CanonicalProjection(features=2), "mkl")
    assert f"{found.names[0][0]} {found.names[0][1]} {found.scores[0]}" in lines
    assert lines.splitlines().count(subject.state.words) == 2
    assert len(results.cell_rows(table, subject.state)) == len(table.cells)
    for row in (*results.cell_rows(table, subject.state), *results.mean_rows(table, subject.state)):
        assert (row["mode"], row["remarks"]) == ("as brought", "")
    rows = results.edge_rows(found, new)
    assert all(row["new"] in new for row in rows)
    assert [row["score"] for row in rows] == found.scores.tolist()


def test_copies_are_kept_together_which_is_said_and_can_be_switched_off(open_page_test, small, subject):
    """A node whose copy is a training node is found, not predicted."""
    assert "edge_copies" not in [each.key for each in open_page_test(PATH, small).get("button_group")]
    at = np.r_[np.arange(30), np.arange(10)]
    kernels = {
        name: GramMatrix(K.values[np.ix_(at, at)], small.ids, name) for name, K in small.kernels.items()
    }
    twice = replace(small, kernels=kernels)
    at = open_page_test(PATH, twice, query={"edge_folds": "2"})
    assert not at.exception
    said = "20 items are copies (10 different ones), kept together."
    assert any(said in each.value.replace("\\", "") for each in at.markdown)
    page = replace(subject, kernels=kernels, data=gene_data(kernels, subject.network))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(results.judging_script(page), {})
    assert said in printed.getvalue()
    at.segmented_control(key="edge_copies").set_value("apart").run()
    assert not at.exception
    assert any("kept apart" in each.value for each in at.markdown)


def test_what_a_kernel_has_seen_stands_in_files_and_scripts(subject, table):
    """Edges are the labels: a kernel of a network is a leak."""
    heat = Diffusion(tau=2.0).similarities(subject.network, name="heat")
    leaking = replace(subject, kernels={**subject.kernels, "heat": heat})
    assert leaking.state.mode == "leak"
    assert {row["mode"] for row in results.mean_rows(table, leaking.state)} == {leaking.state.words}
    assert "edge_state" in results.judging_script(leaking)


def test_the_drawing_knows_nothing_of_hidden_edges(subject):
    new = subject.data.ids[10:14]
    found = predict_edges(subject.data, new, CanonicalProjection())
    network, pairs = results.known_and_predicted(subject, found, new, np.arange(5))
    A = network.adjacency.toarray()
    assert A[10:14].sum() == sum(
        2 if b and a else 1 for a, b in zip(*np.isin(pairs, range(10, 14)).T, strict=True)
    )
    assert len(pairs) == 5


def test_curves_are_means_of_folds_and_their_sentence_has_the_numbers(table):
    picture = roc(table, CanonicalProjection)
    auc = table.summary("mkl", "kcca").known_new.auc.mean
    assert f"MKL {auc:.2f}" in picture.alt
    drawn = {line["name"].split(" 0.")[0]: line["y"] for line in picture.figure.data}
    assert set(drawn) == {"degree alone", "view 1", "view 2", "sum", "MKL"}
    cells = table.of("sum", "kcca")
    new = roc(table, CanonicalProjection, new=True)
    assert "degree" not in new.alt
    assert f"MKL {table.summary('mkl', 'kcca').new_new.auc.mean:.2f}" in new.alt
    assert drawn["sum"] == pytest.approx(100.0 * np.mean([cell.curve for cell in cells], axis=0))
