"""The tab "Why this class?": both numbers of a decision value, pictures, files, and a sentence where there is none."""

from __future__ import annotations

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest


def _page(title: str, strings: list[str], y: list[str] | None) -> None:
    import numpy as np
    import streamlit as st

    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Labels, Sequences
    from kernex_core.kernels.catalogue import kernels_for
    from pages.kernels.strings.classes import why_this_class

    kind = next(kernel for kernel in kernels_for("sequences") if kernel.title == title)
    ids = tuple(f"s{i}" for i in range(len(strings)))
    samples = Sequences(ids, tuple(strings), "dna")
    labels = None if y is None else Labels(ids, np.array(y))
    dataset = DataSet("toy", ids, labels, {"DNA": samples})
    why_this_class(dataset, samples, "DNA", kind().of(samples), st.container())


STRINGS = ["ACGTACGAAT", "TTTTGGCATA", "ACGAACGAAA", "TTGGTTGGCA", "ACGNACG", "TTGGC", "ACACACGA"]
Y = ["a", "b", "a", "b", "a", "b", ""]


def opened(title: str = "Spectrum", strings: Any = STRINGS, y: Any = Y) -> AppTest:
    return AppTest.from_function(_page, kwargs={"title": title, "strings": list(strings), "y": y}).run()


def said(app: AppTest) -> str:
    assert not app.exception
    assert not app.error
    return str(next(each.value for each in app.markdown if "sum to" in each.value))


@pytest.mark.parametrize("title", ["Spectrum", "Spectrum sum", "Mismatch"])
def test_both_numbers_agree_with_and_without_normalisation_and_the_sequence_itself(title: str) -> None:
    app = opened(title)
    text = said(app)
    assert "6 labelled items, 2 classes, C = 10, cosine-normalised; this sequence was among them" in text
    for change in (
        lambda: app.button_group(key="sequences.class.toy.config.normalize").set_value("none"),
        lambda: app.toggle(key="sequences.class.toy.without").set_value(True),
        lambda: app.selectbox(key="sequences.class.toy.of.s0").set_value("b"),
    ):
        change().run()
        text = said(app)
        made, decision = re.findall(r"\*\*(.+?)\*\*", text)
        assert made == decision
        assert "Both agree up to rounding" in text
        assert "computed apart" in text
    assert "5 labelled items, 2 classes, C = 10, not normalised; this sequence was left out" in text
    assert len(app.get("plotly_chart")) == 2
    assert {"K-mer", "Weight w", "Times", "Part of f(x)"} == set(app.dataframe[0].value.columns)
    assert [each.label for each in app.get("download_button")] == ["Weights as CSV", "Positions as CSV"]


def test_starts_with_a_sequence_of_the_largest_class_and_its_own_class() -> None:
    app = opened(y=["b", "a", "b", "a", "a", "", ""])
    assert app.selectbox[0].value == "s1"
    assert app.selectbox[1].value == "a"
    app.selectbox[0].set_value("s0").run()
    assert app.selectbox[1].value == "b"
    app.selectbox[0].set_value("s6").run()
    assert "has no label" in said(app)


def test_says_which_class_has_the_largest_decision_value() -> None:
    app = opened()
    assert "above 0: yes to “a” (the largest of 2 decision values, one a class)" in said(app)
    app.selectbox[1].set_value("b").run()
    text = said(app)
    assert "not above 0: no to “b” (but the largest of 2 decision values, one a class, is" in text
    assert "of “a”" in text


def test_kmers_can_be_ordered_by_what_they_add_here() -> None:
    app = opened()
    weights = app.dataframe[0].value["Weight w"].tolist()
    assert weights == sorted(weights, reverse=True)
    app.button_group(key="sequences.class.by").set_value("in this sequence").run()
    said(app)
    parts = app.dataframe[0].value["Part of f(x)"].tolist()
    assert parts == sorted(parts, reverse=True)
    assert all(parts)


@pytest.mark.parametrize("title", ["Smith-Waterman", "Local alignment", "Subsequence"])
def test_other_kernels_are_told_which_ones_have_weights(title: str) -> None:
    app = opened(title)
    assert not app.exception
    assert "Choose Spectrum, Spectrum sum or Mismatch" in app.info[0].value


@pytest.mark.parametrize(
    ("y", "found"), [(None, "no labels"), ([""] * 7, "no labels"), (["a"] * 6 + [""], "only class 'a'")]
)
def test_without_two_classes_it_says_what_is_missing(y: Any, found: str) -> None:
    app = opened(y=y)
    assert not app.exception
    assert found in app.error[0].value


def test_short_sequences_and_empty_ones_get_a_sentence() -> None:
    app = opened(strings=["AC", "", *STRINGS[2:]])
    assert "shorter than a k-mer" in " ".join(each.value for each in app.markdown)
    app.selectbox[0].set_value("s1").run()
    assert not app.exception
    assert "shorter than a k-mer" in " ".join(each.value for each in app.markdown)
    app = opened(strings=["AC", "A", "", "G", "T", "CG", "AA"])
    assert not app.exception
    assert "none in the 6 labelled sequences" in app.error[0].value


def test_the_only_sequence_of_a_class_left_out_gets_a_sentence() -> None:
    app = opened(y=["c", "a", "a", "b", "b", "a", ""])
    app.selectbox[0].set_value("s0").run()
    app.toggle(key="sequences.class.toy.without").set_value(True).run()
    assert not app.exception
    assert "'c'" in app.error[0].value


def test_long_sequences_are_drawn_as_means_and_a_stretch_letter_by_letter() -> None:
    app = opened(strings=["ACGT" * 5500, *STRINGS[1:]])
    said(app)
    assert any("mean of 37 letters" in each.value for each in app.caption)
    app.slider(key="sequences.class.letters.s0.22000").set_value((101, 180)).run()
    said(app)
    assert not any("mean of" in each.value for each in app.caption)
