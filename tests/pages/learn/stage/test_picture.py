"""What the browser is sent to draw: finite numbers, and of a slider's other stops only what differs."""

import base64
import json

import numpy as np
import pytest

from pages.learn.stage import TOP, Axis, Panel, Picture, bars, field, line, points, round_ticks


def picture(height, readings=(("a", "1"),)):
    marks = (line([0.0, 1.0], [0.0, height]), bars([0.5], [height], ids=["x"]), points([0.0], [0.0]))
    return Picture((Panel("One", "A line.", Axis(0.0, 1.0), Axis(0.0, 2.0), marks),), readings)


def applied(sent, frame):
    """A frame laid over a picture, as stage.js does."""
    panels = [
        {
            **panel,
            **frame.get(str(k), {}),
            "marks": [{**mark, **frame.get(f"{k}/{m}", {})} for m, mark in enumerate(panel["marks"])],
        }
        for k, panel in enumerate(sent["panels"])
    ]
    return {"panels": panels, "readings": frame.get("readings", sent["readings"])}


def test_a_frame_over_its_base_is_the_other_picture():
    base, other = picture(1.0), picture(1.5, (("a", "1.5"),))
    frame = other.frame(base)
    assert applied(base.sent(), frame) == other.sent()
    assert set(frame) == {"readings", "0/0", "0/1"}
    assert frame["0/0"] == {"y": [0.0, 1.5]}
    assert base.frame(base) == {}


def test_an_axis_that_moves_is_in_the_frame():
    base = picture(1.0)
    (panel,) = base.panels
    wider = Picture((Panel("One", "A line.", panel.x, Axis(0.0, 3.0), panel.marks),), base.readings)
    assert applied(base.sent(), wider.frame(base)) == wider.sent()


def test_gaps_are_null_and_everything_is_json():
    mark = line([0.0, np.nan, 1.0 / 3.0], np.array([1.0, 2.0, 3.0]))
    assert mark["x"] == [0.0, None, 0.333333]
    json.dumps(picture(1.0).sent(), allow_nan=False)


def test_pictures_of_other_panels_have_no_frame():
    with pytest.raises(ValueError, match=r"shorter|longer"):
        Picture(()).frame(picture(1.0))


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (-2.0, 2.0), (0.0, 1e-3), (-1450.0, 2.0), (0.62, 0.64)]
)
def test_ticks_are_few_round_and_inside(low, high):
    ticks = round_ticks(low, high)
    assert 2 <= len(ticks) <= 6
    assert all(low - 1e-9 <= value <= high + 1e-9 for value, _ in ticks)
    steps = np.diff([value for value, _ in ticks])
    assert steps == pytest.approx(np.full(len(steps), steps[0]))
    assert len({text for _, text in ticks}) == len(ticks)


def test_a_diverging_field_has_zero_in_the_middle_and_cuts_what_is_beyond():
    sent = field([[-9.0, 0.0, 3.0]], limit=3.0)
    assert list(base64.b64decode(sent["codes"])) == [0, TOP // 2, TOP]
    assert len(sent["colours"]) == TOP + 1
    assert (sent["rows"], sent["columns"]) == (1, 3)


def test_a_flat_field_is_drawn():
    assert set(base64.b64decode(field(np.zeros((2, 2)))["codes"])) == {0}
