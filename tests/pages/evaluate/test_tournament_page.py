"""The part Tournament: the ladder is what the study says, and ends in use."""

import re
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from kernex_core import GramMatrix, load_model, weighted_sum
from kernex_core.gram.seen import from_labels
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.folds import CrossValidation
from kernex_core.runtime.progress import last_state
from kernex_core.studies.tournament.entrants import SINGLE, TournamentConfig
from kernex_core.studies.tournament.tournament import tournament
from pages.evaluate.tournament import view
from tests.pages.named.drawn import dots_of
from tests.pages.named.seen import watching

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "evaluate/tournament/tournament.py"
ONCE = CrossValidation(repeats=1)


@pytest.fixture(scope="module")
def three():
    """Two kernels that know half each, and a leak."""
    rng = np.random.default_rng(5)
    y = np.repeat(["a", "b"], 14)
    ids = tuple(f"i{k}" for k in range(y.size))
    kernels = {}
    for name, column in (("left", 0), ("right", 1)):
        X = rng.normal(size=(y.size, 3))
        X[:, column] += 1.4 * (y == "b")
        kernels[name] = GramMatrix(X @ X.T + 1.0, ids, name)
    same = GramMatrix(np.equal.outer(y, y) + np.eye(y.size), ids, "same")
    leak = weighted_sum([kernels["left"], same], from_labels(np.array([0.1, 0.9])))
    return DataSet("three", ids, Labels(ids, y), kernels={**kernels, "leak": leak})


@pytest.fixture(scope="module")
def ladder(three):
    config = TournamentConfig(nugget=three.defaults.nugget)
    return last_state(tournament(config, three.kernels, three.labels, ONCE))


def start(at):
    for button in [each for each in at.button if each.key == "tournament.run"]:  # none where it is known
        button.click().run()
    assert not at.exception
    return at


def test_the_ladder_is_what_the_study_says(open_page_test, three, ladder):
    with watching(three) as seen:
        at = start(open_page_test(PATH, three, query={"cv_repeats": "1"}))
    shown = dots_of(seen.picture("tournament.ladder"))
    assert list(shown) == [each.name for each in ladder.verdict.candidates][: view.SHOWN]
    for name, values in shown.items():
        each = ladder.verdict.of(name)
        ends = each.value, each.interval.low, each.interval.high
        assert np.asarray(values, dtype=float) == pytest.approx(100.0 * np.array(ends))
    (rows,) = (rows for key, rows in seen.tables.items() if key == "tournament.entrants")
    assert [re.sub(r" :gray.*", "", cell) for cell in rows["entrant"]] == list(shown)
    for cell, each in zip(rows["multi-class, %"], ladder.verdict.candidates, strict=True):
        assert cell.startswith(f"**{100.0 * each.value:.1f}**")
    assert rows["saw"] == [ladder.rung(name).state.words for name in shown]
    numbers = {each.label.partition(" :gray[")[0]: each.value for each in at.metric}
    best, usual = ladder.verdict.best, ladder.verdict.best_plain
    assert numbers["Best"] == f"{100 * best.value:.1f}\u00a0%"
    assert numbers["Best plain"] == f"{100 * usual.value:.1f}\u00a0%"
    assert numbers["Wins again"] == f"{100 * ladder.wins[best.name]:.0f}\u00a0%"


def test_a_leak_is_crossed_out_with_the_reason(open_page_test, three):
    at = start(open_page_test(PATH, three, query={"cv_repeats": "1"}))
    said = [each.value for each in at.caption if "~~leak~~" in each.value]
    assert len(said) == 1
    assert "labels of items that are tested later" in said[0]


@pytest.mark.parametrize(
    ("values", "plain", "begins", "also"),
    [
        ({"majority": 20, "a alone": 38, "sum": 39}, 0, "Best: sum 97.5", "simplest not told apart from it is a alone 95.0"),
        ({"majority": 20, "a alone": 22, "sum": 39}, 0, "Best: sum 97.5", "all that is simpler is told apart from it"),
        ({"majority": 39, "a alone": 38, "sum": 20}, 0, "Plain does best here: majority 97.5", "1 others"),
        ({"majority": 38, "a alone": 39, "sum": 20}, 0, "Plain is not told apart from the best: majority 95.0", "a alone"),
    ],
)  # fmt: skip
def test_the_sentence_names_the_best_the_simplest_and_the_best_plain_one(ladder, values, plain, begins, also):
    kinds = {"majority": ("majority", 0), "a alone": ("alone", 4), "sum": ("sum", 5)}
    rungs = tuple(
        replace(
            ladder.rungs[0], name=name, kind=kinds[name][0], rank=kinds[name][1], plain=name == "majority",
            by_item=(np.arange(40) < right).astype(float)[None],
        )
        for name, right in values.items()
    )  # fmt: skip
    made = replace(ladder, rungs=rungs, names=tuple(values), passes=Passes(2, 1), groups=None)
    said = view.ladder_words(made, made.verdict).replace("\u00a0", " ").replace("\\", "")
    assert said.startswith(begins)
    assert also in said


def test_the_winner_is_kept(open_page_test, three, ladder):
    at = start(open_page_test(PATH, three, query={"cv_repeats": "1"}))
    kept = [each for each in at.button if each.key == "tournament.keep"]
    best = ladder.verdict.best.name
    assert bool(kept) == (ladder.rung(best).kind in view.KEPT)
    if kept:
        kept[0].click().run()
        assert not at.exception
        assert f"winner of three, {best}" in at.session_state["kernex"].entries["three"].kernels
        assert "tournament.run" not in [
            each.key for each in at.button
        ]  # the ladder stands, without the newcomer


def test_a_winner_that_is_one_kernel_is_saved_as_a_model(open_page_test, monkeypatch, three, ladder):
    saved, real = [], st.download_button

    def noted(label, data, **look):
        if label == "Save model":
            saved.append(data)
        return real(label, data, **look)

    monkeypatch.setattr(st, "download_button", noted)
    one = replace(three, kernels={"left": three.kernels["left"]})
    start(open_page_test(PATH, one, query={"cv_repeats": "1"}))
    alone = last_state(
        tournament(TournamentConfig(nugget=one.defaults.nugget), one.kernels, one.labels, ONCE)
    )
    assert bool(saved) == (alone.rung(alone.verdict.best.name).kind in SINGLE)
    if saved:
        assert load_model(saved[-1]()).judged.value == alone.verdict.best.value
