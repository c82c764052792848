"""A kernel has the same state on every page that judges it: as a badge, in tables, CSV, report and script.

One data set has a kernel in each state (`tests.kernex_core.states`).
"""

import contextlib
import html
import io
import re

import numpy as np
import pytest

from kernex_core import CrossValidation, GramMatrix, Seen, load_dataset
from kernex_core.completion.views.methods import completing_kernels
from kernex_core.learning.leakage import EXPLANATIONS, State, state_of
from kernex_core.runtime.progress import finished
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from kernex_core.studies.evaluation import EvaluationConfig, evaluating
from kernex_core.studies.many_kernels import ManyConfig, judging_together
from pages.combine.combine import rows as combine_rows
from pages.combine.many.judged import modes
from pages.combine.many.judged import rows as many_rows
from pages.combine.subject import Subject
from pages.evaluate.classes import script, table
from pages.export.report import Given, build
from pages.server.navigation import PAGES
from pages.ui.panels.accuracy import measures
from tests.kernex_core.states import BOTH, BROUGHT, INDUCTIVE, LEAK, STATES, TRANSDUCTIVE, planted, worst

pytestmark = pytest.mark.usefixtures("kept_results")

every_state = pytest.mark.parametrize("state", STATES)
BADGE = re.compile(r":(\w+)-badge\[(?::material/\w+: )?(?:joint: |sum, product: )?([^\]]+)\]")
WORDS = set(STATES)
SENTENCES = {state: State(state.split(",")[0], BROUGHT in state).sentence for state in STATES}


@pytest.fixture(scope="module")
def data():
    return planted()


def badges(at):
    """States that stand on a page, with their colours."""
    return {
        (words, colour)
        for each in at.markdown
        for colour, words in BADGE.findall(each.value)
        if words in WORDS
    }


def states(at):
    return {words for words, _ in badges(at)}


def report(at, dataset):
    page = at.session_state["kernex"].memory["shown.page"]
    page.pictures.clear(), page.scripts.clear()
    return html.unescape(build(page, dataset, Given("K")).decode("utf-8"))


def with_kernels(data, *names):
    return data.__class__(
        "planted", data.ids, data.labels, data.samples, {name: data.kernels[name] for name in names}
    )


def test_evaluate_says_the_state_of_each(open_page_test, data):
    at = open_page_test("evaluate/evaluate.py", data)
    at.multiselect(key="evaluate.kernels.planted").set_value(list(STATES)).run()
    assert not at.exception
    (rows,) = (table.value for table in at.table if "mode" in table.value)
    assert len(rows) == len(STATES)
    assert rows["mode"].tolist() == [re.sub(r"\W+$", "", name) for name in rows.iloc[:, 0]]
    assert set(rows["mode"]) == WORDS
    assert states(at) == WORDS
    assert dict(badges(at))[LEAK] == "red"
    assert dict(badges(at))[BROUGHT] == dict(badges(at))[BOTH] == "orange"
    said = report(at, data)
    assert all(sentence in said for sentence in SENTENCES.values())


@every_state
def test_evaluates_files_say_it(data, state):
    found = list(
        evaluating(EvaluationConfig(), {state: data.kernels[state]}, data.labels, CrossValidation(repeats=1))
    )[-1]
    assert set(table(found.judgements)["mode"]) == {state}
    assert set(measures(found.judgements[state])["mode"]) == {state}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(found), {})
    assert state in printed.getvalue().splitlines()


@every_state
def test_kernels_says_it_and_so_does_its_report(open_page_test, data, state):
    at = open_page_test("kernels/kernels.py", with_kernels(data, state))
    # a matrix from outside may need a repair, which sees all items
    assert states(at) == {state}
    assert SENTENCES[state] in report(at, data)


@every_state
def test_combine_says_the_worse_of_two_and_so_do_its_files(open_page_test, data, state):
    pair = {"one": data.kernels[state].renamed("one"), "other": data.kernels[INDUCTIVE].renamed("other")}
    two = data.__class__("planted", data.ids, data.labels, {}, pair)
    at = open_page_test("combine/combine.py", two)
    made = prepare_combination(CombinationConfig(), *pair.values())
    found = list(combining(made, data.labels, CrossValidation(repeats=1), lams=(0.5,)))[-1]
    subject = Subject(two, *pair.values(), data.labels, made, CrossValidation(repeats=1))
    written = {row["combination"].partition(" (")[0]: row["mode"] for row in combine_rows(subject, found)}
    joint, plain = worst(state, TRANSDUCTIVE), state_of(made.first.has_seen() | made.second.has_seen()).words
    assert (written["joint"], written["product"], written["weighted sum"]) == (joint, plain, plain)
    assert states(at) == {joint, plain}
    assert SENTENCES[joint] in report(at, two)


@every_state
def test_many_kernels_says_it_of_each_and_of_what_is_completed(open_page_test, data, state):
    lacking = np.array(data.kernels[INDUCTIVE].values)
    lacking[:3], lacking[:, :3] = np.nan, np.nan
    both = {"whole": data.kernels[state], "lacking": GramMatrix(lacking, data.ids, "lacking", seen=Seen())}
    at = open_page_test(
        "combine/together/together.py", data.__class__("planted", data.ids, data.labels, {}, both)
    )
    completed = worst(state, TRANSDUCTIVE)
    assert completed in states(at)
    made = finished(completing_kernels(both, "fast")).kernels
    assert [state_of(K.has_seen()).words for K in made.values()] == [state, completed]
    found = list(judging_together(made, data.labels, CrossValidation(repeats=1), ManyConfig()))[-1]
    wanted = {"whole alone": state, "lacking alone": completed}
    written = {row["kernel"]: row["mode"] for row in many_rows(found)}
    assert written == {name: wanted.get(name, completed) for name in found.judged}
    # said once of all: which kernels are of the rarer kind, and what the others are
    rare, *others = sorted(set(written.values()), key=list(written.values()).count)
    said = modes(found)
    assert said.endswith(" or ".join(others) or rare)
    assert not others or f"{rare}, the others " in said
    assert all((name in said) is (written[name] == rare) for name in written if others)


@every_state
def test_complete_says_it_of_its_source(open_page_test, data, state):
    lacking = np.array(data.kernels[INDUCTIVE].values)
    lacking[:5], lacking[:, :5] = np.nan, np.nan
    kernels = {"source": data.kernels[state], "target": GramMatrix(lacking, data.ids, "target", seen=Seen())}
    world = data.__class__("planted", data.ids, data.labels, {}, kernels, source="source", target="target")
    at = open_page_test("complete/complete.py", world)
    assert states(at) == {worst(state, TRANSDUCTIVE)}
    assert SENTENCES[worst(state, TRANSDUCTIVE)] in report(at, world)


def test_the_diffusion_kernel_of_blocks_is_transductive_on_every_page(open_page_test):
    blocks = load_dataset("blocks")
    for path in ("networks/networks.py", "kernels/kernels.py", "evaluate/evaluate.py"):
        at = open_page_test(path, blocks)
        assert states(at) == {TRANSDUCTIVE}, path
        assert EXPLANATIONS[TRANSDUCTIVE] in report(at, blocks), path


NO_DATA = {
    "start/start.py",
    "evaluate/predict.py",
    "learn/glossary.py",
    "learn/learn.py",
    "learn/lecture.py",
}


@pytest.mark.parametrize("path", [entry.path for entry in PAGES])
def test_what_is_simulated_is_said_where_the_data_are_shown_and_nowhere_else(open_page_test, path):
    at = open_page_test(path, load_dataset("three_sources"))
    said = any("badge[:material/science: simulated]" in each.value for each in at.markdown)
    assert said == (path not in NO_DATA and not path.startswith("learn/")), path
