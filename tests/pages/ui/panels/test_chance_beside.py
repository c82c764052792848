"""Better than chance? The same button on every page where an accuracy is judged: its p stands beside the number, in the
report, in the file, and the script finds it again.

On Networks p was of other numbers than those of the chart, and on Graphs and Sequences the button was never there: their
tables keep no kernels.
"""

import ast
import io
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from kernex_core import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.permutations import Permuted
from pages.combine import subject as combine
from pages.combine.many import judged as many
from pages.complete import results as complete
from pages.graphs import graphs
from pages.kernels.strings import table as sequences
from pages.server.digits import p_value
from pages.ui.panels import verdicts as chance
from pages.ui.shown import unmarked
from tests.pages.named.graphs import judge_all as judge_graphs
from tests.pages.named.graphs import molecules
from tests.pages.named.seen import watching
from tests.pages.named.sequences import judge_all as judge_strings
from tests.pages.named.sequences import strings

PERMUTATIONS = 9


def pair():
    """Twenty-two items, two of them the same, and two kernels; what is equal is kept together. No recipe says where
    anything is from."""
    rng = np.random.default_rng(7)
    y = np.repeat(["a", "b"], [12, 10])
    X = 0.9 * (y == "a")[:, None] + rng.normal(size=(22, 5))
    Z = 0.5 * (y == "a")[:, None] + rng.normal(size=(22, 5))
    X[1], Z[1] = X[0], Z[0]
    ids = tuple(f"item{k}" for k in range(22))
    kernels = {"one": GramMatrix(X @ X.T, ids, "one"), "other": GramMatrix(Z @ Z.T, ids, "other")}
    return DataSet("pair", ids, Labels(ids, y), kernels=kernels, source="one", target="other")


def ill():
    """The same with one that is no kernel."""
    data = pair()
    noise = np.random.default_rng(3).normal(size=(22, 22))
    rough = data.kernels["one"].values + 0.8 * (noise + noise.T)
    return data.with_kernel("rough", GramMatrix(rough, data.ids, "rough"))


def gaps():
    """One kernel, of which a third of the pairs is unknown."""
    data = pair()
    K = np.exp(data.kernels["one"].values / 10.0)
    hidden = np.triu(np.random.default_rng(1).random(K.shape) < 0.3, 1)
    K[hidden | hidden.T] = np.nan
    return DataSet("gaps", data.ids, data.labels, kernels={"hits": GramMatrix(K, data.ids, "hits")})


def strings_tab(at):
    at.session_state["sequences.tab"] = "Every string kernel"
    at.run()
    judge_strings(at)


@dataclass(frozen=True)
class Asking:
    """Where a page asks, and where it says what it found."""

    path: str
    data: object
    key: str
    file: str
    script: str
    named: str
    column: str = "p against chance"
    before: object = lambda at: None
    query: dict = field(default_factory=dict)
    measure: str = "multi_class"
    rows: object = None


ONE, MANY = "multi_class_p_against_chance", "p against chance"
ASKED = {
    "evaluate": Asking("evaluate/evaluate.py", pair, "evaluate", "evaluate.csv", "evaluate.script", "kernel"),
    "networks": Asking(
        "networks/networks.py", partial(load_dataset, "karate_club"), "networks", "networks.more.accuracies",
        "networks.script", "",
    ),
    "graphs": Asking(
        "graphs/graphs.py", molecules, "graphs.table", "graphs.table.csv", "graphs.table.script", "",
        before=judge_graphs, query={"graphs_tab": "Every graph kernel"},
    ),
    "sequences": Asking(
        "kernels/strings/strings.py", strings, "sequences.table", "sequences.table.csv", "sequences.table.script", "",
        before=strings_tab, measure="one_vs_rest",
    ),
    "kernels": Asking(
        "kernels/kernels.py", ill, "kernels", "kernels.accuracy.csv", "kernels.script", "",
        query={"kernel": "rough", "look": "Accuracy"},
    ),
    "fills": Asking(
        "kernels/kernels.py", gaps, "fill", "fill.accuracies", "fill.script", "fill", query={"look": "Unknown pairs"}
    ),
    "many": Asking(
        "combine/many/many.py", pair, "many", "many.judged.csv", "many.judged.script", "kernel",
        before=lambda at: at.button(key="many.judge.run").click().run() if not at.table else None,
    ),
    "combine": Asking(
        "combine/combine.py", pair, "combine", "combine.scores", "combine.script", "combination", ONE
    ),
    "complete": Asking(
        "complete/complete.py", pair, "complete", "complete.baselines.csv", "complete.script", "kernel", ONE,
    ),
}  # fmt: skip


@pytest.fixture
def few(monkeypatch):
    for module, name in (
        (chance, "permuting"), (many, "permuting_together"), (combine, "permuting_combination"),
        (complete, "permuting_completion"), (graphs, "permuting_graph_table"), (sequences, "permuting_string_table"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, partial(getattr(module, name), permutations=PERMUTATIONS))


@pytest.fixture
def given(monkeypatch):
    """What every download button gives, by its key."""
    found, button = {}, st.download_button

    def download(label, data, *args, **look):
        found.pop(look["key"], None)  # what is drawn last comes last
        found[look["key"]] = data
        return button(label, data, *args, **look)

    monkeypatch.setattr(st, "download_button", download)
    return found


def texts(at):
    return " ".join(each.value for each in (*at.caption, *at.markdown))


def cells(at):
    return " ".join(str(value) for table in at.table for value in table.value.to_numpy().ravel())


@pytest.mark.parametrize("page", ASKED)
def test_p_stands_beside_the_number_in_report_and_file_and_the_script_finds_it(
    open_page_test, open_panels, few, given, capsys, page, request
):
    asking = ASKED[page]
    if page in ("complete", "networks"):  # others draw one tab, because each asks for its own
        request.getfixturevalue("open_tabs")
    with watching() as seen:
        at = open_page_test(asking.path, asking.data(), asking.query)
        asking.before(at)
        assert "against chance" not in texts(at)
        at.button(key=f"{asking.key}.chance.run").click().run()
        assert not at.exception
        assert not at.error
        found = seen.result(Permuted)
    assert found.permutations == PERMUTATIONS
    assert found.measure == asking.measure
    assert any(f"p\u00a0{p_value(found.p(name))}" in texts(at) + cells(at) for name in found.names)
    assert f"chance: {PERMUTATIONS} permutations of the labels" in texts(at)
    # the file: p of the row of that name
    written = pd.read_csv(io.BytesIO(given[asking.file]()), float_precision="round_trip")
    told = written[written[asking.column].notna()]
    assert len(told)
    if asking.named:
        assert dict(zip(told[asking.named], told[asking.column], strict=True)) == {
            name: found.p(name) for name in found.names
        }
    elif len(told) == 1:  # measures of one kernel, of which p is of the first
        assert told[asking.column].item() == found.p("clip")
        assert told["measure"].item() == "Multi-class accuracy"
    else:  # a row a candidate, in their order
        assert told[asking.column].tolist() == [found.p(name) for name in found.names]
    # p is of the numbers that the page shows, on their folds, with their copies kept together
    own = next(name for name in ("multi_class", "accuracy", "mean") if name in written)
    own = own if asking.measure == "multi_class" else asking.measure
    shown = told.groupby(asking.named)[own].mean() if asking.named else told[own]
    named = list(shown.index) if asking.named else found.names if len(told) > 1 else ["clip"]
    meant = [found.observed[found.names.index(name)] for name in named]
    np.testing.assert_allclose(shown, meant, atol=1e-12)
    # the report: a sentence, or a cell
    report = [make for key, make in given.items() if key.endswith(".report")][-1]().decode()
    assert f"chance: {PERMUTATIONS} permutations of the labels" in report
    assert any(f"p\u00a0{p_value(found.p(name))}" in report for name in found.names)
    # the script
    capsys.readouterr()
    exec(compile(given[asking.script]().decode(), "downloaded", "exec"), {})
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "p against chance" in line]
    assert ast.literal_eval(line[line.index("{") :]) == {name: found.p(name) for name in found.names}


def test_what_has_no_kernel_says_so_in_a_sentence(open_page_test, monkeypatch):
    said = []
    monkeypatch.setattr(chance.st, "caption", said.append)

    class Judged:
        subject, weights, options = (None, None), np.zeros((2, 2)), {}

    assert chance.chance({"sum": Judged()}, key="any") is None
    assert said == [chance.NO_KERNEL]
    assert unmarked(chance.NO_KERNEL) == chance.NO_KERNEL
