"""The page Kernels, as visitors use it."""

import dataclasses
import re

import numpy as np
import pytest

from kernex_core.base.digests import digest
from kernex_core.datasets.catalogue import DATASETS
from kernex_core.gram.diagnostics import diagnose
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.learning.chance.interval import Passes, interval_of_count, wilson
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.evaluation import choosing_among
from kernex_core.studies.inspection import InspectionConfig
from pages.server import digits, workspace
from pages.server.digits import number
from pages.ui.one_kernel import doctor as kernel_doctor
from pages.ui.one_kernel.doctor import script
from pages.ui.panels import build
from pages.ui.panels import inspection as kernel_subject
from pages.ui.panels.accuracy import (
    OPTIMISTIC,
    between,
    by_class,
    by_item,
    choice_sentence,
    confusion,
    meaning,
    measures,
    rests_on,
    single_items,
    spreads,
    with_interval,
)
from pages.ui.panels.build import NEW
from pages.ui.panels.linked import TREES
from pages.ui.panels.staged import run_study
from tests.oracles.whole import inspect, treat
from tests.pages.matrices import head, triangle

PAGE = "kernels/kernels.py"
pytestmark = pytest.mark.usefixtures("open_tabs", "kept_results")


@pytest.fixture
def indefinite():
    """Twenty-four items in three classes with an indefinite similarity and a kernel."""
    rng = np.random.default_rng(3)
    y = np.repeat(["a", "b", "c"], 8)
    X = rng.normal(size=(24, 4)) + 1.5 * np.eye(4)[[0, 1, 2]].repeat(8, axis=0)
    noise = rng.normal(size=(24, 24))
    K = X @ X.T + noise + noise.T
    np.fill_diagonal(K, np.abs(np.diag(K)) + 1.0)
    ids = tuple(f"i{k}" for k in range(24))
    kernels = {"noisy": GramMatrix(K, ids, "noisy"), "clean": GramMatrix(X @ X.T, ids, "clean")}
    return DataSet("two", ids, Labels(ids, y), {"points": Vectors(ids, X)}, kernels)


@pytest.fixture
def strings():
    ids = tuple(f"s{k}" for k in range(6))
    made = ("ACDEFGHIK", "ACDEFGIKL", "MNPQRSTVW", "MNPQRSTWY", "ACDMNPQRS", "GGGG")
    return DataSet("strings", ids, Labels(ids, np.array(list("aabbab"))), {"proteins": Sequences(ids, made)})


@pytest.fixture
def path_network():
    """Six nodes in two components, and one without an edge."""
    ids = tuple(f"n{k}" for k in range(7))
    B = np.diag([1.0, 1.0, 0.0, 2.0, 1.0, 0.0], 1)
    return DataSet("net", ids, Labels(ids, np.array(list("aabbaba"))), {"edges": Network(ids, B + B.T)})


@pytest.fixture
def few_graphs():
    """Seven graphs with labels of vertices and edges, one of a single vertex and one of none."""
    ids = tuple(f"g{k}" for k in range(7))
    made = [Graph(0, (), (), ()), Graph(1, (), ["C"], ())]
    for size in range(3, 8):
        edges = [(i, i + 1) for i in range(size - 1)] + [(0, size - 1)] * (size > 3)
        made.append(Graph(size, edges, ["C", "N"] * (size // 2) + ["O"] * (size % 2), ["1"] * len(edges)))
    return DataSet("rings", ids, Labels(ids, np.array(list("aabbaba"))), {"graphs": GraphSet.of(made, ids)})


def metric(at, name):
    return next(m.value for m in at.metric if m.label.partition(" :gray[")[0] == name)


def texts(at):
    return [m.value for m in at.markdown] + [c.value for c in at.caption]


def badges(at):
    return " | ".join(text for text in texts(at) if "-badge[" in text)


def verdict(at):
    """The sentence, without what makes its beginning bold."""
    return at.session_state["kernex"].memory["shown.page"].remarks["verdict"][0]


def doctor(at):
    """The doctor's table: method -> its cells, without the stars of the chosen row."""
    table = next(each.value for each in at.table if "Repair" in each.value).astype(str)
    rows = table.map(lambda cell: cell.replace("*", ""))
    return rows.set_index(rows.columns[0])


def widget(at, kind, key):
    return getattr(at, kind)(key=key)


def test_an_indefinite_similarity_is_named_measured_and_repaired(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite)
    wanted = diagnose(indefinite.kernels["noisy"], indefinite.labels.y)
    assert verdict(at).startswith(f"Indefinite, no kernel: {wanted.negative} of 24 eigenvalues are below 0.")
    assert metric(at, "Rank") == str(wanted.rank)
    assert metric(at, "Neighbour") == f"{100 * wanted.neighbour_accuracy:.1f}\u00a0%"
    table = doctor(at)
    assert list(table.index) == ["none", "clip", "flip", "shift", "square"]
    accuracy = table.columns[3]
    assert table.loc["none", accuracy] == "—"
    made = inspect(InspectionConfig(), indefinite.kernels["noisy"], indefinite.labels)
    for method in ("clip", "flip", "shift", "square"):
        K = treat(made, method).gram
        judged = judge(K, indefinite.labels, CrossValidation())
        assert table.loc[method, accuracy].startswith(
            with_interval(judged.multi_class.mean, judged.interval()) + " ±"
        ), method
    change = "Change against clip, points [95\u00a0%] ± sd over repetitions"
    assert table.loc["clip", change] == ""
    judged = {m: judge(treat(made, m).gram, indefinite.labels, CrossValidation()) for m in ("clip", "square")}
    gain = (judged["square"].correct.mean(axis=0) - judged["clip"].correct.mean(axis=0)).mean()
    assert table.loc["square", change].startswith(f"{'+' if gain > 0 else ''}{number(100 * gain, 1)} :gray[[")
    diagnosis = treat(made, "flip", indefinite.labels).diagnosis
    share = diagnosis.neighbour_accuracy
    one_pass = interval_of_count(round(24 * share), 24, Passes(24, 1))
    # leave-one-out: a factor of 3
    assert (one_pass.low, one_pass.high) == pytest.approx(wilson(share, 24 / 3, 1.959964), abs=1e-6)
    cell = table.loc["flip", "Nearest neighbour, % [95\u00a0%]"]
    assert cell.startswith(f"{number(100 * share, 1)} :gray[[{number(100 * one_pass.low, 1)}, ")
    assert ("below its floor" in cell) == (share < 1 / 3)
    assert "transductive" in badges(at)


def test_the_accuracy_panel_is_that_of_the_chosen_repair(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"repair": "flip"})
    made = inspect(InspectionConfig(), indefinite.kernels["noisy"])
    judged = judge(treat(made, "flip").gram, indefinite.labels, CrossValidation())
    assert metric(at, "Multi-class accuracy") == f"{100 * judged.multi_class.mean:.1f}\u00a0%"
    assert rests_on(judged) in [c.value for c in at.caption]
    interval = judged.interval()
    assert any(f"**{between(interval)}** for other data sets" in c.value for c in at.caption)
    assert meaning(judged) in [c.value for c in at.caption]
    assert rests_on(judged) == "24 items, each judged 5 times, 2 folds, seed 0, C = 10."


def test_a_kernel_is_called_one(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"kernel": "clean"})
    assert verdict(at).startswith("A kernel: none of 24 eigenvalues is below 0.")
    assert "as brought" in badges(at)
    assert metric(at, "Smallest λ") == "0"
    assert not [each for each in at.table if "Repair" in each.value]  # it would have four equal rows


def test_the_address_restores_kernel_power_normalisation_and_order(open_page_test, indefinite):
    query = {"kernel": "clean", "p": "0.5", "normalise": "cosine", "sort": "similarity"}
    at = open_page_test(PAGE, indefinite, query)
    wanted = inspect(InspectionConfig(p=0.5, normalize="cosine"), indefinite.kernels["clean"]).diagnosis
    assert metric(at, "Rank") == str(wanted.rank)
    assert widget(at, "slider", "p").value == 0.5
    assert "sorted by similarity; the diagonal is 1" in head(at, "kernels.map")["panels"][0]["note"]


def test_moving_p_changes_what_is_shown_and_back(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"kernel": "clean"})
    before = metric(at, "Effective rank")
    widget(at, "slider", "p").set_value(0.3).run()
    assert not at.exception
    wanted = inspect(InspectionConfig(p=0.3), indefinite.kernels["clean"]).diagnosis
    assert f"no kernel: {wanted.negative} of 24" in verdict(at)
    assert metric(at, "Effective rank") != before
    widget(at, "slider", "p").set_value(1.0).run()
    assert metric(at, "Effective rank") == before


def test_a_repair_is_suggested_where_one_is_needed_and_the_choice_stays(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"kernel": "clean"})
    assert widget(at, "segmented_control", "repair_kernel").value == "none"
    widget(at, "slider", "p").set_value(0.3).run()
    assert widget(at, "segmented_control", "repair").value == "clip"
    widget(at, "segmented_control", "repair").set_value("flip").run()
    widget(at, "slider", "p").set_value(1.0).run()
    assert widget(at, "segmented_control", "repair_kernel").value == "none"
    widget(at, "slider", "p").set_value(0.4).run()
    assert widget(at, "segmented_control", "repair").value == "flip"


def test_log1p_takes_the_place_of_the_power(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"elements": "log1p"})
    assert "p" not in [slider.key for slider in at.slider]
    wanted = inspect(InspectionConfig(elements="log1p"), indefinite.kernels["noisy"]).diagnosis
    assert metric(at, "Rank") == str(wanted.rank)


def test_without_labels_there_is_everything_but_accuracy(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite.with_labels(None))
    assert "Alignment" not in [m.label for m in at.metric]
    assert list(doctor(at).columns) == ["*λ* min after", "Distance, % of the norm", "Rank"]
    assert "Multi-class accuracy" not in [m.label for m in at.metric]
    assert widget(at, "selectbox", "sort_unlabelled").options == ["similarity", *TREES, "as given"]


def test_a_partly_unknown_kernel_is_judged_on_what_is_known(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset, {"normalise": "cosine"})
    assert "24 of 30 items known" in badges(at)
    assert metric(at, "Items known") == "24"
    assert any(text.startswith("24 items, each judged 5 times") for text in texts(at))
    widget(at, "segmented_control", "normalise").set_value("centre").run()
    assert not at.exception
    assert "Centring needs the mean of all similarities" in at.error[0].value + str(at.error[0].proto)


def test_keeping_puts_the_repaired_kernel_into_the_workspace(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"normalise": "cosine"})
    name = next(box for box in at.text_input if box.label == "Keep this kernel as")
    assert name.value == "noisy, cosine, clip"
    name.set_value("mine").run()
    widget(at, "button", "kernels.keep").click().run()
    assert not at.exception
    entry = at.session_state["kernex"].entries["two"]
    kept = entry.kernels["mine"]
    assert [step.name for step in kept.steps] == [
        "cosine normalisation", "clip negative eigenvalues", "cosine normalisation",
    ]  # fmt: skip
    assert diagnose(kept).negative == 0
    assert "mine" in at.selectbox(key="kernel").options
    assert any("Kept as mine" in toast.value for toast in at.toast)


def test_the_script_finds_the_number_of_the_page(indefinite):
    made = inspect(InspectionConfig(elements="log1p", normalize="cosine"), indefinite.kernels["noisy"])
    row = treat(made, "clip", indefinite.labels)
    judged = judge(row.gram, indefinite.labels, CrossValidation())
    names = {}
    exec(script("noisy", row, judged), names)
    (found,) = (value for value in names.values() if type(value) is type(judged))
    assert found.multi_class.mean == judged.multi_class.mean


def test_inductive_cross_validation_is_offered_and_said(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite)
    toggle = next(t for t in at.toggle if t.label == "Inductive")
    toggle.set_value(True).run()
    assert not at.exception
    assert "transductive" not in badges(at)


def test_groups_are_kept_together_where_there_are_groups(open_page_test, indefinite):
    assert "Keep groups together" not in [t.label for t in open_page_test(PAGE, indefinite).toggle]
    labels = indefinite.labels
    grouped = Labels(labels.ids, labels.y, np.array([f"g{k // 2}" for k in range(24)]))
    at = open_page_test(PAGE, indefinite.with_labels(grouped))
    next(t for t in at.toggle if t.label == "Keep groups together").set_value(True).run()
    assert not at.exception
    assert any("groups kept together" in text for text in texts(at))


def test_classes_too_small_for_the_folds_are_said_and_the_repairs_stay(open_page_test, indefinite):
    y = np.array(["a", "b"] * 3 + [""] * 18)
    at = open_page_test(PAGE, indefinite.with_labels(Labels(indefinite.ids, y)))
    folds = next(s for s in at.segmented_control if s.label == "Folds")
    folds.set_value(10).run()
    assert not at.exception
    assert "as many members as there are folds" in str(at.error[0].proto)
    assert len(doctor(at)) == 5


def test_a_highest_accuracy_is_spoken_of_only_where_there_are_several(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite)
    assert any(OPTIMISTIC in text for text in texts(at))
    next(s for s in at.segmented_control if s.label == "Folds").set_value(10).run()
    few = Labels(indefinite.ids, np.array(["a", "b"] * 3 + [""] * 18))
    at = open_page_test(PAGE, indefinite.with_labels(few))
    next(s for s in at.segmented_control if s.label == "Folds").set_value(10).run()
    assert not any(OPTIMISTIC in text for text in texts(at))


def test_many_items_are_compared_on_demand(open_page_test, indefinite, monkeypatch):
    monkeypatch.setattr(kernel_doctor, "MANY", 20)
    at = open_page_test(PAGE, indefinite)
    assert not any("highest of these" in text for text in texts(at))
    assert list(doctor(at).index) == ["none", "clip"]
    assert "Multi-class accuracy" not in [m.label for m in at.metric]
    widget(at, "toggle", "kernels.compare").set_value(True).run()
    assert len(doctor(at)) == 5
    assert "Multi-class accuracy" in [m.label for m in at.metric]


@pytest.mark.parametrize("normalise", ["none", "cosine"])
def test_a_move_of_p_makes_no_repaired_matrix_of_many_items_before_somebody_asks(
    open_page_test, indefinite, monkeypatch, normalise
):
    ran, treating = [], kernel_subject.treating

    def counted(made, method, labels=None):
        ran.append((made.config.p, method))
        return treating(made, method, labels)

    monkeypatch.setattr(kernel_doctor, "MANY", 20)
    monkeypatch.setattr(kernel_subject, "treating", counted)
    at = open_page_test(PAGE, indefinite, {"normalise": normalise, "p": "0.55"})
    cell = doctor(at).loc["clip", "Nearest neighbour, % [95\u00a0%]"]
    assert [one for one in ran if one[1] == "clip"] == ([] if normalise == "none" else [(0.55, "clip")])
    assert (cell == "—") == (normalise == "none")


def test_comparing_many_has_progress_and_a_stop_that_keeps_what_is_done(
    open_page_test, indefinite, monkeypatch
):
    at = open_page_test(PAGE, indefinite)
    accuracy = doctor(at).columns[3]
    whole = doctor(at)[accuracy]
    monkeypatch.setattr(kernel_subject, "AT_ONCE_JUDGED", 20)
    ran = []

    def stopping(study, **more):
        ran.append(more["what"])
        for state in study.states():
            study.keep(state)
            if len(state.judged) == 2 and state.done > 20:  # in the middle of the third of four
                break
        monkeypatch.setattr(kernel_subject, "run_study", run_study)
        at.session_state["kernex"].memory["kernels.accuracies.stopped"] = study.settings
        return run_study(study, **more)

    monkeypatch.setattr(kernel_subject, "run_study", stopping)
    next(box for box in at.number_input if box.label == "Seed").set_value(1).run()
    assert not at.exception
    assert ran == ["folds of all repairs"]
    assert [cell == "—" for cell in doctor(at)[accuracy]] == [True, False, False, True, True]
    at.run()
    assert [cell == "—" for cell in doctor(at)[accuracy]] == [True, False, False, True, True]
    assert re.search(r"Stopped: 2\d of 40 folds of all repairs are done and shown\.", " ".join(texts(at)))
    button = at.button(key="kernels.accuracies.run")
    assert button.label == "Continue"
    button.click().run()
    assert not at.exception
    assert "—" not in list(doctor(at)[accuracy])[1:]
    assert "kernels.accuracies.run" not in {button.key for button in at.button}
    next(box for box in at.number_input if box.label == "Seed").set_value(0).run()
    assert list(doctor(at)[accuracy]) == list(whole)


def test_the_picture_is_the_kernel_that_is_looked_at(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"kernel": "clean", "p": "0.5"})
    shown = inspect(InspectionConfig(p=0.5), indefinite.kernels["clean"]).gram.values
    np.testing.assert_allclose(triangle(at, "kernels.map"), shown[np.tril_indices(24)], rtol=1e-6)


def test_a_pair_and_items_that_were_chosen_are_told_with_their_exact_values(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"kernel": "clean"})
    memory = at.session_state["kernex"].seen.settings
    first, second = indefinite.ids[3], indefinite.ids[7]
    memory[f"chosen.pair.{indefinite.name}"] = (first, second)
    memory[f"chosen.items.{indefinite.name}"] = indefinite.ids[:4]
    at.run()
    value = indefinite.kernels["clean"].values[3, 7]
    shown = next(table.value for table in at.table if "with each other" in table.value.columns)
    assert f"{second} with itself" in shown.columns
    assert shown["with each other"].tolist() == [f"{value:.6g}".replace("-", "−")]
    assert head(at, "kernels.map")["pair"] == [3, 7]
    assert head(at, "kernels.map")["chosen"] == [0, 1, 2, 3]
    at.button(key="kernels.map.only").click().run()
    assert not at.exception
    assert at.session_state["kernex"].entries[indefinite.name].view.ids == indefinite.ids[:4]
    assert head(at, "kernels.map")["chosen"] == []


def test_a_choice_that_another_data_set_does_not_have_is_no_error(open_page_test, indefinite, small_dataset):
    at = open_page_test(PAGE, indefinite, {"kernel": "clean"})
    state = at.session_state["kernex"]
    state.entries["thirty"] = workspace._Entry(small_dataset)
    state.chosen, state.choice_is_stale = "thirty", True
    at.run()
    assert not at.exception
    assert at.selectbox(key="kernel").value in small_dataset.kernels


@pytest.mark.parametrize("before", [NEW, "clean"])
@pytest.mark.parametrize("title", [demo.title for demo in DATASETS if demo.about == "repair"])
def test_a_demo_opens_on_its_own_kernel_whatever_was_looked_at_before(
    open_page_test, indefinite, title, before
):
    other = dataclasses.replace(
        indefinite,
        kernels={**indefinite.kernels, "sequence": indefinite.kernels["clean"].renamed("sequence")},
    )
    at = open_page_test(PAGE, other, {"kernel": before})
    assert at.selectbox(key="kernel").value == before
    at.selectbox(key="kernel").select("sequence").run()
    at.selectbox(key="kernel").select(before).run()
    at.selectbox(key="data").select(title).run()
    assert not at.exception
    assert not [w.value for w in at.warning]
    demo = at.session_state["kernex"].entries[title].dataset
    assert at.selectbox(key="kernel").value == demo.target
    # and what is chosen there stays, as long as this data set is open
    at.selectbox(key="kernel").select("sequence").run()
    assert at.selectbox(key="kernel").value == "sequence"


def test_a_kernel_in_the_address_is_opened_with_its_demo(open_page_test):
    at = open_page_test(PAGE, None, {"data": "An indefinite matrix", "kernel": "sequence"})
    assert at.selectbox(key="kernel").value == "sequence"


def test_a_data_set_with_nothing_to_look_at_says_so(open_page_test):
    at = open_page_test(PAGE, DataSet("empty", ("a", "b"), Labels(("a", "b"), np.array(["x", "y"]))))
    assert not at.error
    assert any("It looks at a kernel" in each.value for each in at.markdown)


# building


def test_vectors_are_built_at_once_and_agree_with_the_core(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite, {"kernel": NEW})
    kind = widget(at, "selectbox", "build.kind.vectors")
    assert len(kind.options) == len(kernels_for("vectors"))
    kind.set_value(Gaussian).run()
    assert not at.exception
    wanted = diagnose(Gaussian().similarities(indefinite.samples["points"]))
    assert metric(at, "Condition") == number(wanted.condition)
    assert any("Cost: " in text for text in texts(at))


@pytest.mark.parametrize("data_kind", ["vectors", "sequences", "network", "graphs"])
def test_every_kernel_of_the_catalogue_can_be_chosen(
    open_page_test, indefinite, strings, path_network, few_graphs, data_kind
):
    data = {"vectors": indefinite, "sequences": strings, "network": path_network, "graphs": few_graphs}[
        data_kind
    ]
    at = open_page_test(PAGE, data, {"kernel": NEW})
    for kernel in kernels_for(data_kind):
        widget(at, "selectbox", f"build.kind.{data_kind}").set_value(kernel).run()
        assert not at.exception, kernel.title
        assert data_kind not in ("network", "graphs") or not at.error, kernel.title
        assert at.latex[0].value.strip("$\n") == kernel.formula


def test_long_work_is_announced_and_waits_for_a_click(open_page_test, strings, monkeypatch):
    monkeypatch.setattr(build, "AT_ONCE", -1.0)
    at = open_page_test(PAGE, strings)
    widget(at, "selectbox", "build.kind.sequences").set_value(SmithWaterman).run()
    assert not at.metric
    button = widget(at, "button", "build.compute")
    assert button.label == "Compute, about 1 s"
    button.click().run()
    assert not at.exception
    wanted = diagnose(SmithWaterman().similarities(strings.samples["proteins"]))
    assert metric(at, "Rank") == str(wanted.rank)
    at.run()
    assert metric(at, "Rank") == str(wanted.rank)


def test_an_own_substitution_matrix_is_used(open_page_test, strings):
    at = open_page_test(PAGE, strings)
    widget(at, "selectbox", "build.kind.sequences").set_value(SmithWaterman).run()
    letters = "ACDEFGHIKLMNPQRSTVWY"
    lines = [f"{a} " + " ".join("3" if a == b else "-1" for b in letters) for a in letters]
    text = "   " + " ".join(letters) + "\n" + "\n".join(lines)
    upload = at.file_uploader(key="build.SmithWaterman.matrix.file")
    upload.upload("own.mat", text.encode()).run()
    assert not at.exception
    widget(at, "button", "kernels.keep").click().run()
    (kept,) = at.session_state["kernex"].entries["strings"].kernels.values()
    assert np.diag(kept.base.values).tolist() == [27.0, 27.0, 27.0, 27.0, 27.0, 12.0]


def test_a_file_that_is_no_matrix_is_refused_and_the_named_one_stays(open_page_test, strings):
    at = open_page_test(PAGE, strings)
    widget(at, "selectbox", "build.kind.sequences").set_value(SmithWaterman).run()
    before = metric(at, "Condition")
    at.file_uploader(key="build.SmithWaterman.matrix.file").upload("photo.mat", b"\x89PNG\x00\x01").run()
    assert not at.exception
    assert "no text" in str(at.error[0].proto)
    assert metric(at, "Condition") == before


@pytest.mark.parametrize(("seconds", "said"), [(0.2, "1 s"), (12.4, "12 s"), (300, "5 min"), (9000, "2.5 h")])
def test_durations_are_said_as_people_say_them(seconds, said):
    assert digits.duration(seconds) == said


# the accuracy panel's tables


@pytest.fixture
def judgement(indefinite):
    return judge(indefinite.kernels["clean"], indefinite.labels, CrossValidation(folds=2, repeats=3))


def test_tables_hold_what_the_panel_says(judgement, indefinite):
    rows = measures(judgement).set_index("measure")
    assert rows.loc["Multi-class accuracy", "mean"] == judgement.multi_class.mean
    assert rows.loc["One-vs-rest accuracy", "floor"] == pytest.approx(2 / 3)
    assert rows.loc["Multi-class accuracy", "interval from"] == judgement.interval().low
    for title, measure in (("Matthews correlation", "matthews"), ("Area under the ROC curve", "auc")):
        assert rows.loc[title, "interval to"] == judgement.interval(measure).high
    assert "decisions" not in rows.columns
    assert with_interval(0.841, judgement.interval()).startswith("84.1 :gray[[")
    assert confusion(judgement).to_numpy().sum() == judgement.n_decisions == 72
    assert by_class(judgement)["found"].tolist() == pytest.approx(
        (np.diag(judgement.confusion) / judgement.confusion.sum(axis=1)).tolist()
    )
    items = by_item(judgement, indefinite.ids)
    assert items["id"].tolist() == list(indefinite.ids)
    assert items["right"].mean() == pytest.approx(judgement.multi_class.mean)


def test_every_spread_is_named(judgement):
    said = spreads(judgement.multi_class)
    assert said.startswith("sd ")
    assert all(word in said for word in ("over repetitions", "over folds", "over classes"))
    single = judge(*judgement.subject, CrossValidation(folds=0))
    assert "leave-one-out" in rests_on(single)
    assert "over repetitions" not in spreads(single.multi_class)
    # a fold of one item is right or wrong
    assert single_items(single)
    assert "over folds" not in spreads(single.multi_class, folds=False)
    assert not single_items(judgement)


def test_a_fresh_visitor_sees_no_kernel_of_another(open_page_test, indefinite):
    first = open_page_test(PAGE, indefinite)
    widget(first, "button", "kernels.keep").click().run()
    second = open_page_test(PAGE, indefinite)
    assert second.selectbox(key="kernel").options == [*indefinite.kernels, NEW]
    assert digest(indefinite) == digest(second.session_state["kernex"].entries["two"].dataset)


@pytest.mark.parametrize(
    ("places", "normalise", "said"),
    [(6, "none", "A kernel"), (6, "cosine", "A kernel"), (6, "centre", "A kernel"),
     (2, "none", "A kernel within its few digits"), (2, "cosine", "A kernel within its few digits")],
)  # fmt: skip
def test_a_rounded_kernel_stays_a_kernel_and_as_it_was_brought(
    open_page_test, indefinite, places, normalise, said
):
    X = np.random.default_rng(1).normal(size=(24, 3))
    K = GramMatrix(np.round(X @ X.T, places), indefinite.ids, "rounded")
    at = open_page_test(
        PAGE, dataclasses.replace(indefinite, kernels={"rounded": K}), {"normalise": normalise}
    )
    assert verdict(at).startswith(f"{said}: ")
    assert ("transductive, as brought" in badges(at)) == (normalise == "centre")
    assert ("[as brought]" in badges(at)) == (normalise != "centre")


def test_the_choice_of_a_repair_ends_in_a_choice(open_page_test, indefinite):
    at = open_page_test(PAGE, indefinite)
    at.button(key="kernels.repair.choose").click().run()
    assert not at.exception
    made = inspect(InspectionConfig(), indefinite.kernels["noisy"])
    kernels = {method: treat(made, method).subject for method in ("clip", "flip", "shift", "square")}
    *_, found = choosing_among(kernels, indefinite.labels, CrossValidation())
    assert choice_sentence(found) in [each.value for each in at.markdown]
    picked, _ = found.picks[0]
    if picked != "clip":
        at.button(key="kernels.repair.choose.use").click().run()
        assert not at.exception
        assert widget(at, "segmented_control", "repair").value == picked


def test_what_the_digits_of_a_file_explain_is_below_zero_nowhere_on_the_page(open_page_test):
    X = np.random.default_rng(2).normal(size=(30, 4))
    K = GramMatrix(np.round(X @ X.T, 4), ids=[f"g{k}" for k in range(30)], name="rounded")
    assert diagnose(K).min_eigenvalue < 0.0 == diagnose(K).negative
    at = open_page_test(PAGE, DataSet("rounded", ids=K.ids, kernels={"rounded": K}))
    assert not at.exception
    said = [each.label for each in at.metric] + [each.proto.spec for each in at.get("plotly_chart")]
    assert not any(re.search(r"none below 0|\d+ negative", text) for text in said)
    assert any("within digits" in each.label for each in at.metric)
