import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls

from pages.ui.figures.chart import EndLabel, at_line_ends, margin_for, spread, stacked
from pages.ui.figures.theme import role_of

places = st.lists(st.floats(-50, 250), min_size=1, max_size=8)


@given(places)
def test_labels_never_collide_and_keep_their_order(wanted):
    placed = spread(wanted, 15.0, 0.0, 200.0)
    rank = np.argsort(wanted, kind="stable")
    assert np.all(np.diff(np.array(placed)[rank]) >= 15.0 - 1e-9)
    assert min(placed) >= -1e-9
    assert max(placed) <= 200.0 + 1e-9


@given(st.lists(st.floats(0, 200), min_size=2, max_size=5))
def test_labels_move_as_little_as_possible(wanted):
    wanted = np.sort(wanted)
    steps = 15.0 * np.arange(len(wanted))
    # gaps beyond 15 px are non-negative, so the best placement is a non-negative least squares problem
    _, residual = nnls(np.tri(len(wanted)), wanted - steps)
    placed = np.array(spread(wanted, 15.0, 0.0))
    assert np.linalg.norm(placed - wanted) == pytest.approx(residual, abs=1e-6)


def test_labels_with_room_stay_where_they_are():
    assert spread([10.0, 100.0, 50.0]) == [10.0, 100.0, 50.0]
    assert spread([]) == []


def test_equal_values_are_spread_around_their_place():
    assert spread([100.0, 100.0, 100.0]) == [85.0, 100.0, 115.0]


def test_where_there_is_no_room_the_gap_shrinks():
    assert spread([0.0] * 5, 15.0, 0.0, 40.0) == pytest.approx([0, 10, 20, 30, 40])


def test_end_labels_stand_at_the_height_of_their_values():
    labels = [
        EndLabel("joint", 75.0, role_of("joint"), bold=True),
        EndLabel("a<b", 25.0, role_of("nystroem")),
    ]
    named = at_line_ends(labels, (0.0, 100.0), 200.0)
    made = named.texts
    assert [note["y"] for note in made] == pytest.approx([0.75, 0.25])
    assert "<b>joint</b>" in made[0]["text"]
    # each beside a piece of its own line: colour, width and dash
    assert [sample["line"] for sample in named.samples] == [label.role.line for label in labels]
    assert [sample["y0"] for sample in named.samples] == [note["y"] for note in made]
    assert all(sample["x1"] < note["xshift"] for sample, note in zip(named.samples, made, strict=True))
    assert "a&lt;b" in made[1]["text"]
    assert all(note["xanchor"] == "left" and note["x"] == 1 for note in made)


def test_stacked_labels_are_a_line_apart_and_margins_grow_with_names():
    labels = [EndLabel("a", 0, role_of("target")), EndLabel("b", 0, role_of("mean-fill"))]
    named = stacked(labels)
    assert [note["yshift"] for note in named.texts] == [0.0, -15.0]
    assert [sample["line"]["dash"] for sample in named.samples] == ["solid", "1.5px,2.5px"]
    assert named.samples[0]["y0"] - named.samples[1]["y0"] == 15.0
    assert margin_for([]) < margin_for(labels) < margin_for([EndLabel("a long name", 0, role_of("target"))])
