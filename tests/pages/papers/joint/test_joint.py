"""The page Papers / Joint regularization."""

import contextlib
import dataclasses
import io
import zipfile

import pytest

from kernex_core import load_dataset
from kernex_core.completion.node_kernels import NodeColumns
from kernex_core.datasets.fetched.graphs import ENZYMES
from kernex_core.datasets.graphs import structure_graphs
from kernex_core.gram.graph import Graph
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.papers.joint.measuring import ENDS, NAMES, NodeWalkConfig
from kernex_core.studies.papers.joint.theorem import TheoremConfig, theorem_demo
from pages.papers.joint import subject
from pages.papers.joint.joint import picture, said, script, sentence
from pages.papers.joint.subject import Subject
from pages.server.messages import plain

PATH = "papers/joint/joint.py"


@pytest.fixture(scope="module")
def few():
    """A third of the demo."""
    whole = load_dataset("structure_graphs")
    return dataclasses.replace(whole.select(range(24)), name="few")


def text(at):
    return "\n".join(part.value for part in (*at.markdown, *at.caption))


def tab(at, name):
    """Open what one asks second."""
    at.session_state["joint.tab"] = name
    at.run()
    assert not at.exception


def test_without_classes_it_says_so_and_theorem_4_is_there(open_page_test, few):
    at = open_page_test(PATH, few.with_labels(None))
    assert not at.error
    assert "at least two classes" in text(at)
    assert "40 noisy points" in text(at)


def measured(open_page_test, monkeypatch, data):
    """The page after a short run: two folds, once."""
    monkeypatch.setattr(subject, "QUICK", 0)
    at = open_page_test(PATH, data)
    at.segmented_control(key=f"joint.{data.name}.folds").set_value(2)
    at.slider(key=f"joint.{data.name}.repeats").set_value(1).run()
    assert "Nothing is measured yet" in text(at)
    at.button(key="papers.joint.run").click().run()
    assert not at.error
    return at.run()


def test_kernels_are_measured_who_wins_is_said_and_all_can_be_taken_along(open_page_test, monkeypatch, few):
    at = measured(open_page_test, monkeypatch, few)
    tab(at, "Who wins")
    who = at.table[0].value.to_dict("list")
    assert "Nobody" in text(at)
    assert "too optimistic" in text(at)
    tab(at, "Every kernel")
    every = at.table[0].value.to_dict("list")
    assert who["joint less"] == ["Gaussian kernel alone", "linear kernel alone", "sum", "product"]
    shown = dict(zip(every["kernel"], every["accuracy"], strict=True))
    assert len(shown) == len(NAMES) + 1  # and λ chosen inside the folds
    tab(at, "Method")
    assert "24 items, each judged once, 2-fold: 24 decisions a kernel" in text(at)
    assert "C chosen inside every training fold, from 1 to 10⁴" in text(at)
    protocol = CrossValidation(folds=2, repeats=1, choose_C=True)
    config = NodeWalkConfig(columns=NodeColumns((0, 1, 2), (3, 4, 5, 6)))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(Subject(few.samples["structures"], few.labels, config, protocol)), {})
    lines = dict(eval(line) for line in printed.getvalue().splitlines())
    assert tuple(lines) == NAMES
    for name, accuracy in shown.items():
        made = lines.get(ENDS.get(name.removesuffix(" alone"), name))
        assert made is None or accuracy == f"**{100 * made:.1f}**"
    at.button(key="joint.keep").click().run()
    assert not at.exception
    (kept,) = [toast.value for toast in at.toast if toast.value.startswith("Kept as walks, joint")]
    assert "Evaluate with one fixed C shows another" in kept


def test_graphs_without_a_continuous_column_lead_to_those_that_have_both(open_page_test, few):
    at = open_page_test(PATH, dataclasses.replace(few, samples=only_counts(few.samples["structures"])))
    assert not at.error
    assert "does not have both" in text(at)
    assert at.button(key="joint.structure_graphs").label == "Structure graphs"


def only_counts(graphs):
    X = graphs.node_attributes[:, 3:]
    return {
        "structures": dataclasses.replace(
            graphs, node_attributes=X, attribute_names=graphs.attribute_names[3:]
        )
    }


def test_graphs_without_attributes_lead_to_the_demo_and_to_enzymes(open_page_test):
    data = DataSet(
        "bare", ("a", "b"), Labels(("a", "b"), ["x", "y"]), {"g": GraphSet.of([Graph(2), Graph(1)], "ab")}
    )
    at = open_page_test(PATH, data)
    assert plain("bare") in text(at)
    assert at.button(key="joint.structure_graphs").label == "Structure graphs"


def test_of_many_classes_two_are_compared(open_page_test, monkeypatch):
    whole = structure_graphs()
    graphs = whole.samples["structures"].take(range(24))
    labels = Labels(graphs.ids, [str(1 + k % 3) for k in range(24)])
    at = measured(open_page_test, monkeypatch, DataSet("three", graphs.ids, labels, {"g": graphs}))
    assert at.multiselect(key="joint.classes.three").value == ["1", "2"]
    tab(at, "Method")
    assert "16 items" in text(at)
    at.multiselect(key="joint.classes.three").set_value(["1"]).run()
    assert "At least two classes" in str(at.error[0].proto)


def test_who_wins_is_a_sentence():
    class One:
        def __init__(self, name, told):
            self.name, self.told = name, told

    names = ("Gaussian", "linear", "sum", "product")
    assert sentence(tuple(One(name, 0) for name in names)).startswith("Nobody")
    wins = sentence(tuple(One(name, told) for name, told in zip(names, (1, -1, 0, 1), strict=True)))
    assert wins == (
        "The joint kernel is better than the Gaussian kernel alone and the product; it is worse than the linear kernel "
        "alone; it is not told apart from the sum."
    )
    assert "Not all" in sentence((One("sum", 0),))


def test_theorem_4_says_which_bound_binds():
    for shares, words in (
        ((1.0, 1.0), "Neither bound binds"),
        ((0.2, 0.2), "Both bounds bind."),
        ((0.02, 1.0), "The bound of the even kernel does not bind"),
        ((1.0, 0.02), "The bound of the smooth kernel does not bind"),
    ):
        made = theorem_demo(TheoremConfig(*shares))
        assert said(made).startswith(words)
        assert "40 points" in picture(made).alt


def test_enzymes_stand_in_for_the_papers_graphs(open_page_test, monkeypatch, shared):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for part in sorted((shared / "data" / "ENZYMES").glob("ENZYMES_*.txt")):
            file.write(part, part.name)
    data = ENZYMES.read(content.getvalue())
    monkeypatch.setattr(subject, "QUICK", 0)
    at = open_page_test(PATH, dataclasses.replace(data, name="enzymes"))
    assert at.multiselect(key="joint.classes.enzymes").value == ["EC 4", "EC 6"]
    assert at.number_input(key="joint.enzymes.sigma").value == 37.0
    assert at.multiselect(key="joint.enzymes.continuous").value == [2, 3, 4, 5]
    assert len(at.multiselect(key="joint.enzymes.discrete").value) == 12
    assert "not the paper's data" in text(at)
    assert "Nothing is measured yet" in text(at)
