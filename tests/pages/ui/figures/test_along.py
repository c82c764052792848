import itertools

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.curve import MOST_BARS, MOST_LETTERS, ROW, Shared, marks_along, weights_along
from pages.ui.figures.theme import CLASS_COLOURS, INK


def test_every_letter_has_its_bar_and_stands_below_it():
    values = np.linspace(-1.0, 2.0, 170)
    picture = weights_along(values, "ACDEFGHIKL" * 17, hover=[f"w{i}" for i in range(170)], start=30)
    traces = picture.figure.data
    assert len(traces) == 3
    np.testing.assert_array_equal(np.concatenate([trace.y for trace in traces]), values)
    np.testing.assert_array_equal(np.concatenate([trace.x for trace in traces]), np.arange(31, 201))
    assert traces[0].hovertext[0] == "<b>A</b> at 31<br>w0"
    layout = picture.figure.layout
    assert layout.xaxis.ticktext[:2] == ("A<br>31", "C")
    assert layout.xaxis.ticktext[9] == "L<br>40"
    assert len({tuple(layout[f"yaxis{k}"].range) for k in ("", "2", "3")}) == 1
    tops = [layout[f"yaxis{k}"].domain for k in ("", "2", "3")]
    assert tops[0][1] == 1.0
    assert all(above[0] > below[1] for above, below in itertools.pairwise(tops))
    assert tops[-1][0] == pytest.approx(0.0, abs=1e-12)
    low, high = layout.yaxis.range
    assert low < -1.0
    assert high > 2.0
    marker = traces[0].marker
    assert marker.cmin == -marker.cmax
    assert "from −1 at 31 to 2 at 200" in picture.alt


def test_markup_in_letters_is_text():
    picture = weights_along([1.0, -1.0], "<&", hover=["<b", ""])
    assert picture.figure.data[0].hovertext[0] == "<b>&lt;</b> at 1<br>&lt;b"
    assert picture.figure.layout.xaxis.ticktext[1] == "&amp;"
    assert ROW <= MOST_LETTERS


@pytest.mark.parametrize("n", [MOST_LETTERS + 1, 22_000, 99_999])
def test_long_sequences_are_means_of_blocks_that_keep_the_sum(n):
    values = np.random.default_rng(0).normal(size=n)
    picture = weights_along(values, "A" * n)
    (trace,) = picture.figure.data
    assert len(trace.y) <= MOST_BARS
    sizes = trace.customdata[:, 1] - trace.customdata[:, 0] + 1
    assert sizes.sum() == n
    assert float(trace.y @ sizes) == pytest.approx(values.sum())
    assert ("mean of" in picture.note) is (n > MOST_BARS)


@pytest.mark.parametrize("values", [[0.0, 0.0], [1.0, 2.0], [-1.0, -2.0]])
def test_the_axis_holds_zero(values):
    low, high = weights_along(values, "AB").figure.layout.yaxis.range
    assert low < 0.0 < high


@pytest.mark.parametrize(("values", "letters"), [([1.0], "AB"), ([], ""), ([np.nan], "A")])
def test_values_have_to_fit_the_letters(values, letters):
    with pytest.raises(InvalidInputError):
        weights_along(values, letters)


def test_marks_stand_where_things_are_and_links_join_them():
    picture = marks_along(("x<", "y"), (50, 20), [Shared("ABC", (3,), (0, 9), 3, ((3, 0), (3, 9)))])
    first, second, links, marks = picture.figure.data
    assert tuple(first.x) == (0.5, 50.5)
    assert tuple(second.x) == (0.5, 20.5)
    assert tuple(marks.x) == (3.5, 6.5, None, 0.5, 3.5, None, 9.5, 12.5, None)
    assert tuple(marks.y)[:4] == (1.0, 1.0, None, 0.0)
    assert marks.hovertext[0] == "ABC at 4 of x&lt;"
    assert tuple(links.x)[:2] == (5.0, 2.0)
    assert "1 part" in picture.alt


def test_ten_are_named_and_the_others_are_grey():
    shared = [Shared(f"word{i:02d}", (i,), (i,)) for i in range(12)]
    picture = marks_along(("s", "t"), (20, 20), shared)
    key = picture.figure.layout.annotations[-1].text
    assert "word09" in key
    assert "word10" not in key
    assert "others" in key
    colours = [trace.line.color for trace in picture.figure.data[3::2]]
    assert colours == [INK, INK, *reversed(CLASS_COLOURS)]
