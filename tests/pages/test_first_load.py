"""What takes longer than a moment says what it computes, before it is there."""

import contextlib

import pytest
import streamlit as st

from pages.shared.panels import staged


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("complete/complete.py", "Accuracy of every kernel, over all repetitions and folds"),
        ("kernels/kernels.py", "Eigenvalues, map and numbers of 30 items"),
    ],
)
def test_an_empty_panel_says_what_comes(open_page_test, small_dataset, monkeypatch, path, said):
    shown = []

    def spinner(text, **_):
        shown.append(text)
        return contextlib.nullcontext()

    monkeypatch.setattr(st, "spinner", spinner)
    open_page_test(path, small_dataset)
    assert said in shown


def test_a_study_says_what_it_counts_before_its_first_part_is_there(
    open_page_test, small_dataset, monkeypatch
):
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
    open_page_test("evaluate/evaluate.py", small_dataset)
    assert (0.0, "0 folds done") in said
    assert said.index((0.0, "0 folds done")) == 0
