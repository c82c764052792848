"""What takes longer than a moment says what it computes, before it is there."""

import contextlib

import streamlit as st

from pages.ui.panels import staged
from pages.ui.panels import staged as in_pieces


def test_an_empty_panel_says_what_comes(open_page_test, small_dataset, monkeypatch):
    shown = []

    def spinner(text, **_):
        shown.append(text)
        return contextlib.nullcontext()

    monkeypatch.setattr(st, "spinner", spinner)
    open_page_test("kernels/kernels.py", small_dataset)
    assert "Eigenvalues, map and numbers of 30 items" in shown


def test_a_study_says_what_it_counts_before_its_first_part_is_there(
    open_page_test, small_dataset, monkeypatch
):
    said = bars(monkeypatch)
    open_page_test("evaluate/evaluate.py", small_dataset)
    assert (0.0, "0 folds done") in said
    assert said.index((0.0, "0 folds done")) == 0


def test_completing_says_how_many_repetitions_are_judged_and_the_pictures_are_there_before(
    open_page_test, small_dataset, monkeypatch
):
    from pages.complete import results as pictures

    said, maps = bars(monkeypatch), pictures.maps
    monkeypatch.setattr(in_pieces, "PAUSE", 0.0)  # quick ones are not drawn one by one
    monkeypatch.setattr(pictures, "maps", lambda *given: said.append("maps") or maps(*given))
    open_page_test("complete/complete.py", small_dataset)
    what = "repetitions, accuracy of every kernel"
    first = [(0.0, f"0 {what}"), *((done / 5, f"{done} of 5 {what}") for done in range(1, 5))]
    assert said[:6] == ["maps", *first]


def bars(monkeypatch):
    """What the bars of a page say, in order."""
    said = []
    empty = st.empty

    def recording():
        place = empty()
        progress = place.progress

        def told(share, text=""):
            said.append((share, text))
            return progress(share, text)

        place.progress = told
        return place

    monkeypatch.setattr(staged.st, "empty", recording)
    return said
