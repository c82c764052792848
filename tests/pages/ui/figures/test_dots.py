import numpy as np
import pytest

from pages.ui.figures.bars import Dot, dots


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("short", 1),
        ("joint λ=0.25 of c1 SW foldseek3di and blast bits", 2),
        ("x" * 20 + " middle " * 12 + "end", 2),
    ],
)
def test_a_long_name_stands_on_two_lines_with_both_ends(name, lines):
    (shown,) = dots([Dot(name, 50.0)], x_title="accuracy, %").figure.layout.yaxis.ticktext
    parts = shown.split("<br>")
    assert len(parts) == lines
    assert parts[0][:5] == name[:5]
    assert parts[-1][-3:] == name[-3:]
    assert ("…" in shown) == (len(name) > 68)


@pytest.mark.parametrize(
    ("tied", "bars"), [((), []), ((0,), []), ((0, 1), [(-0.3, 1.3)]), ((0, 2), [(-0.3, 0.3), (1.7, 2.3)])]
)
def test_a_bar_joins_the_rows_that_are_not_told_apart_and_no_other(tied, bars):
    layout = dots([Dot(name, 50.0) for name in "abc"], x_title="accuracy, %", tied=tied).figure.layout
    assert [name.startswith("<b>") for name in layout.yaxis.ticktext] == [k in tied for k in range(3)]
    covered = [row for row in np.arange(-0.5, 2.6, 0.1) if any(s.y0 <= row <= s.y1 for s in layout.shapes)]
    assert covered == [
        row for row in np.arange(-0.5, 2.6, 0.1) if any(low <= row <= high for low, high in bars)
    ]
    assert [note.text for note in layout.annotations] == ["not told apart"] * bool(bars)
