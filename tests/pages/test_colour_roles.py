"""The colours of target, source, extrapolated and joint kernel are theirs alone, on every page."""

import dataclasses

import pytest

from pages.shared.figures.theme import MARK, ROLES, SECOND, SERIES, THIRD

OF_KERNELS = ("source", "extrapolated", "joint")


def charts(at):
    return " ".join(chart.proto.spec for chart in at.get("plotly_chart"))


@pytest.mark.parametrize("path", ["evaluate/evaluate.py", "diagonals/diagonals.py"])
def test_what_plays_no_role_is_drawn_in_neutral_colours(open_page_test, small_dataset, path):
    whole = dataclasses.replace(small_dataset, kernels={"source": small_dataset.kernels["source"]}, target="")
    drawn = charts(open_page_test(path, whole))
    assert SERIES.colour in drawn
    assert not [name for name in OF_KERNELS if ROLES[name].colour in drawn]


def test_no_colour_means_two_things():
    colours = [ROLES[name].colour for name in ("target", *OF_KERNELS)]
    others = [SERIES.colour, SECOND.colour, MARK]
    assert len({*colours, *others}) == len(colours) + len(others)
    assert len({(role.colour, role.dash) for role in (SERIES, SECOND, THIRD)}) == 3
