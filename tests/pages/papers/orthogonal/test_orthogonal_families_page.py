"""Table 6 of the page Papers / Almost orthogonal patterns, as it is drawn."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.studies.papers.orthogonal.families import FAMILY_POWERS, FamilyTable
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.printed import TABLE_6
from pages.papers.orthogonal.own_data import scatter


def families(n, done, *, off=0.0):
    """Families with the printed scores, a little apart from one another; on training points `off` more."""
    rng = np.random.default_rng(0)
    noise = rng.normal(scale=0.1, size=(n, 1))
    noise -= noise.mean()
    order = np.arange(n)[:, None] + n * np.arange(len(FAMILY_POWERS))
    scores = []
    for at in (1, 0):
        values = np.array([TABLE_6[p][at] for p in FAMILY_POWERS]) + noise
        made = {ALL_POINTS: values, TRAIN_ONLY: values + off}
        scores.append({column: np.where(order < done, each, np.nan) for column, each in made.items()})
    names = tuple(f"f{i}" for i in range(n))
    return FamilyTable(FAMILY_POWERS, names, *scores, 0, 0, 0, done, n * len(FAMILY_POWERS), 1.0)


def draw(found):
    from kernex_core.studies.papers.orthogonal.paper import FAMILIES, FamilyComparison
    from pages.papers.orthogonal import own_data as view

    compared = FamilyComparison(FAMILIES, found)
    view.verdict(compared)
    view.table(compared)
    view.scatters(compared)


def drawn(found):
    at = AppTest.from_function(draw, kwargs={"found": found}).run()
    assert not at.exception
    return at


def test_a_row_in_work_says_of_how_many_families_it_is():
    at = drawn(families(54, 2 * 54 + 9, off=0.5))
    column = at.table[0].value["ROC, train only"]
    assert column.iloc[2].endswith(":gray[9 of 54 families]")
    assert "outside" not in column.iloc[2]
    assert "outside" in column.iloc[1]
    assert list(column.iloc[3:]) == ["…"] * 4
    assert not any("The text says" in text.value for text in at.markdown)


@pytest.mark.parametrize(
    ("off", "said"),
    [
        (0.0, "ROC **7 of 7** with all points and **7** with"),
        (0.3, "**7 of 7** with all points and **0** with"),
    ],
)
def test_the_verdict_counts_the_rows_of_both_bases(off, said):
    text = "\n".join(text.value for text in drawn(families(54, 7 * 54, off=off)).markdown)
    assert said in text
    assert ("cannot tell" in text) is (off == 0.0)


def test_other_families_have_no_verdict():
    at = drawn(families(6, 42, off=0.5))
    assert not any("The text says" in text.value for text in at.markdown)
    assert "outside" not in str(at.table[0].value.to_dict())
    assert "ROC, 54 SCOP families" in at.table[0].value


def test_the_scatter_has_a_point_a_family_and_the_line_where_nothing_changes():
    picture = scatter(("a", "b", "c"), np.array([0.5, 0.6, np.nan]), np.array([0.7, 0.4, 0.5]), "p = 0.2")
    (points,) = picture.figure.data
    assert sorted(zip(points.x, points.y, strict=True)) == [(0.5, 0.7), (0.6, 0.4)]
    line = picture.figure.layout.shapes[0]
    assert (line.x0, line.x1) == (line.y0, line.y1)
