"""The colours of target, source, extrapolated and joint kernel are theirs alone, on every page."""

import colorsys
import dataclasses
import itertools
import re
import tomllib

import numpy as np
import pytest

from pages.networks.edges.results import ASKED, FOUND
from pages.networks.features import results as signed
from pages.ui.figures import theme
from pages.ui.figures.theme import (
    ABOVE,
    BELOW,
    FITS,
    MARK,
    NEGATIVE_EIGENVALUE,
    POSITIVE_EIGENVALUE,
    ROLES,
    SECOND,
    SERIES,
    THIRD,
    rgb,
)
from tests.conftest import REPOSITORY
from tests.pages.ui.figures.test_ink import contrast

OF_KERNELS = ("source", "extrapolated", "joint")
WITH_ROLES = {"glossary", "missing_structures", "joint_ellipses", "complete", "combine", "papers", "figures"}
"""Folders, and lessons, about kernels that play these roles."""
DEUTERANOPIA = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
]
"""Machado, Oliveira and Fernandes 2009, severity 1, on linear light."""


def charts(at):
    return " ".join(chart.proto.spec for chart in at.get("plotly_chart"))


@pytest.mark.parametrize("path", ["evaluate/evaluate.py", "kernels/power/power.py", "kernels/kernels.py"])
def test_what_plays_no_role_is_drawn_in_neutral_colours(open_page_test, small_dataset, path):
    whole = dataclasses.replace(small_dataset, kernels={"source": small_dataset.kernels["source"]}, target="")
    drawn = charts(open_page_test(path, whole))
    assert SERIES.colour in drawn
    assert not [name for name in OF_KERNELS if ROLES[name].colour in drawn]


def test_no_colour_means_two_things():
    colours = [ROLES[name].colour for name in ("target", *OF_KERNELS)]
    others = [SERIES.colour, SECOND.colour, MARK, NEGATIVE_EIGENVALUE, ABOVE, BELOW, FITS]
    assert len({*colours, *others}) == len(colours) + len(others)
    assert len({(role.colour, role.dash) for role in (SERIES, SECOND, THIRD)}) == 3
    assert not {*colours} & {POSITIVE_EIGENVALUE, signed.FOR, signed.AGAINST, signed.CHOSEN, FOUND, ASKED}


def test_only_the_theme_spells_the_colour_of_a_role_and_only_kernels_in_a_role_take_it():
    spelt = "|".join(
        form for name in OF_KERNELS for form in (ROLES[name].colour[1:], r",\s*".join(map(str, rgb(ROLES[name].colour))))
    )  # fmt: skip
    taken = re.compile(rf'(?:ROLES\[|role_of\()"(?:{"|".join(OF_KERNELS)})"')
    sources = [path for path in (REPOSITORY / "pages").rglob("*") if path.suffix in (".py", ".js", ".css")]
    files = {path.relative_to(REPOSITORY / "pages"): path.read_text("utf-8") for path in sources}
    found = [str(path) for path, text in files.items() if re.search(spelt, text, re.IGNORECASE)]
    assert found == ["ui/figures/theme.py"]
    assert [
        str(path)
        for path, text in files.items()
        if taken.search(text) and not WITH_ROLES & {*path.with_suffix("").parts}
    ] == []


@pytest.mark.parametrize("ground", ["#ffffff", "#131518"])
def test_marks_of_signs_and_eigenvalues_stand_out_on_both_grounds(ground):
    for colour in (ABOVE, BELOW, FITS, POSITIVE_EIGENVALUE, NEGATIVE_EIGENVALUE):
        assert contrast(colour, ground) >= 3.0, colour


def test_signs_are_told_apart_also_by_who_sees_no_green():
    for told in ((ABOVE, BELOW, FITS), (POSITIVE_EIGENVALUE, NEGATIVE_EIGENVALUE)):
        for first, second in itertools.combinations(told, 2):
            assert np.linalg.norm(seen(first) - seen(second)) > 20.0, (first, second)


def test_signs_are_the_ends_of_the_scale_of_errors_and_the_negative_part_has_the_hue_of_its_badge():
    assert [theme.DIVERGING[0][1][:3], theme.DIVERGING[-1][1][:3]] == [rgb(BELOW), rgb(ABOVE)]
    config = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    for scheme in ("light", "dark"):
        assert abs(hue(config[scheme]["orangeTextColor"]) - hue(NEGATIVE_EIGENVALUE)) < 5.0


def hue(colour):
    return 360.0 * colorsys.rgb_to_hsv(*(channel / 255 for channel in rgb(colour)))[0]


def seen(colour):
    """CIELAB of a colour as deuteranopes see it."""
    c = np.array(rgb(colour)) / 255.0
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(DEUTERANOPIA) @ linear, 0.0, 1.0)
    to_xyz = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.072175],
        [0.0193339, 0.119192, 0.9503041],
    ]
    t = np.array(to_xyz) @ linear / [0.95047, 1.0, 1.08883]
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16.0 / 116.0)
    return np.array([116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])])
