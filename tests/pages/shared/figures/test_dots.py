import pytest

from pages.shared.figures.dots import Dot, dots


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
