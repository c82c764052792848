"""The tab "Why similar?": for every kernel both numbers, computed apart, are the same; places, parts and files."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.explanation import AlignedColumn, Explanation, SharedKmer
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence
from pages.kernels.strings.pair import MOST_CROSSING, alignment_text, marks_of, part_rows
from pages.ui.chosen import agreement, both_numbers, exact

S, T = "MKVLAAGIVGLCAKAYLEHHHWWPQRSTND", "VLAAGIVCAKAYLEHHHWPQRSTNDEEEFGGS"


def _page(title: str, strings: list[str]) -> None:
    import streamlit as st

    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Sequences
    from kernex_core.kernels.catalogue import kernels_for
    from pages.kernels.strings.pair import why_similar

    kind = next(kernel for kernel in kernels_for("sequences") if kernel.title == title)
    ids = tuple(f"s{i}" for i in range(len(strings)))
    samples = Sequences(ids, tuple(strings))
    why_similar(
        DataSet("toy", ids, samples={"residues": samples}),
        samples,
        "residues",
        kind().of(samples),
        st.container(),
    )


def opened(title: str, strings: list[str]) -> AppTest:
    return AppTest.from_function(_page, kwargs={"title": title, "strings": strings}).run()


@pytest.mark.parametrize("title", [kernel.title for kernel in kernels_for("sequences")])
def testboth_numbers_of_every_kernel_agree_and_are_said_to_be_computed_apart(title: str) -> None:
    app = opened(title, [S, T, "WWWWPPPP"])
    assert not app.exception
    assert not app.error
    said = next(each.value for each in app.markdown if "sum to" in each.value)
    parts, total = re.findall(r"\*\*(.+?)\*\*", said)
    assert parts == total != "0"
    assert "rest" in said
    assert "Both agree up to rounding" in said
    assert "computed apart" in said
    assert len(app.get("plotly_chart")) == 1
    assert ("Mismatches" in app.dataframe[-1].value.columns) is (title == "Mismatch")
    assert ("Shared k-mers" in app.dataframe[0].value.columns) is (title == "Spectrum sum")
    assert bool(app.get("code")) is (title in ("Smith-Waterman", "Local alignment"))
    if title == "Subsequence":
        assert {"Gaps in first", "Gaps in second"} <= set(app.dataframe[0].value.columns)


@pytest.mark.parametrize("title", [kernel.title for kernel in kernels_for("sequences")])
@pytest.mark.parametrize(
    "strings", [["", "ACD"], ["A", "C"], ["A"], ["AAAAAAAA", "AAAA"], ["A" * 100_000] * 2]
)
@pytest.mark.no_cover
def test_odd_strings_end_in_a_result_or_a_sentence(title: str, strings: list[str]) -> None:
    app = opened(title, strings)
    assert not app.exception
    assert app.error or any("sum to" in each.value for each in app.markdown)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.65339954368, "1.6534"),
        (0.999999998045, "1"),
        (-0.25, "−0.25"),
        (123456789.0, "123,456,789"),
        (1234567.5, "1,234,567.5"),
        (3, "3"),
    ],
)
def test_counts_are_shown_in_full_and_other_numbers_with_six_digits(value, text):
    assert exact(value) == text


def test_a_difference_is_said() -> None:
    wrong = Explanation(2.0, (SharedKmer("A", "A", 0, (0,), (0,), 1, 1.0),), 0.0, "nothing", 1)
    said = both_numbers(wrong)
    assert "They differ by −1" in said
    assert "agree" not in said
    assert "agree" in agreement(1e-12, 1e-12)


def test_a_logarithm_is_called_one_and_its_columns_have_scores() -> None:
    kernel = LocalAlignment(log=True)
    made = kernel.explain(S, T)
    said = both_numbers(made)
    assert "log *K* / *β* = " in said
    assert "Both agree" in said
    parts, total = re.findall(r"\*\*(.+?)\*\*", said)
    assert parts == total
    rows = part_rows(made.parts, kernel)
    assert "Score" in rows[0]
    assert "Part of K" not in rows[0]
    assert "Part of K" in part_rows(LocalAlignment().explain(S, T).parts, kernel)[0]


def test_marks_are_the_places_of_the_parts() -> None:
    made = Spectrum(k=3).explain("ABCABCD", "ABCD")
    first, second = marks_of(made.parts, ())
    assert (first.name, first.width, first.first, first.second) == ("ABC", 3, (0, 3), (0,))
    assert list(first.links) == [(0, 0), (3, 0)]
    assert list(second.links) == [(4, 1)]
    similar = marks_of(Mismatch(k=3, m=1, alphabet="ACGT").explain("ACGT", "AGGT").parts, ())
    assert "ACG/AGG" in [each.name for each in similar]


def test_parts_that_are_everywhere_get_no_links() -> None:
    marks = marks_of(SpectrumSum(k=3).explain("A" * 50 + "CDE", "A" * 50 + "CDE").parts, ())
    assert sum(len(each.links) for each in marks) <= MOST_CROSSING
    assert [(50, 50)] in [list(each.links) for each in marks]


def test_parts_that_would_fill_the_lines_are_not_drawn() -> None:
    app = opened("Spectrum", ["ACD" * 400, "ACD" * 400 + "EFG"])
    assert any("places of 2 of 3 parts are drawn" in each.value for each in app.caption)
    app = opened("Spectrum", ["A" * 1500, "A" * 1500])
    assert any("not drawn" in each.value for each in app.caption)
    assert not app.get("plotly_chart")


def test_words_with_gaps_are_marked_letter_by_letter() -> None:
    made = Subsequence(2, 0.5).explain("axxb", "ab")
    (mark,) = marks_of(made.parts, ())
    assert (mark.first, mark.second, list(mark.links)) == ((0, 3), (0, 1), [(0, 0), (3, 1)])


def test_an_alignment_is_one_mark_whose_gaps_have_no_links() -> None:
    made = SmithWaterman(gap_open=5, gap_extend=2).explain("WWWWKKWWWW", "WWWWWWWW")
    (mark,) = marks_of(made.parts, made.alignment)
    assert list(mark.links)[3:5] == [(3, 3), (6, 4)]
    rows = part_rows(made.parts, SmithWaterman())
    assert rows[4]["At in second"] == "−"


def test_alignment_is_drawn_residue_by_residue() -> None:
    columns = [
        AlignedColumn(8, 0, "A", "A", 4.0),
        AlignedColumn(9, None, "C", "-", -11.0),
        AlignedColumn(10, 1, "I", "V", 3.0),
        AlignedColumn(11, 2, "W", "G", -2.0),
    ]
    assert alignment_text(columns) == " 9  ACIW  12\n    | +·\n 1  A−VG  3"


def test_it_opens_on_the_nearest_neighbour_and_a_click_shows_another() -> None:
    app = opened("Spectrum", ["WWWWPPPP", S, T, S[:20]])
    boxes = {box.label: box for box in app.selectbox}
    assert boxes["First"].value == "s0"
    app = boxes["First"].set_value("s3").run()
    assert {box.label: box.value for box in app.selectbox} == {"First": "s3", "Second": "s1"}
    next(button for button in app.button if button.label == "s2").click()
    app.run()
    assert not app.exception
    assert {box.label: box.value for box in app.selectbox} == {"First": "s3", "Second": "s2"}
