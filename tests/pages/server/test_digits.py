"""How numbers are written."""

import numpy as np
import pandas as pd
import pytest

from kernex_core.base.digits import power_of_ten, typeset
from pages.server.digits import in_table, number, unbroken
from pages.ui.figures.spectrum import EigenvalueLine, eigenvalue_bars, spectra


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.5e8, "2.5\u00a0×\u00a010⁸"), (1.05e-5, "1.05\u00a0×\u00a010⁻⁵"),
        (-3e-9, "−3\u00a0×\u00a010⁻⁹"), (1e-9, "10⁻⁹"), (-1e12, "−10¹²"),
        (1e-4, "0.0001"), (67_700.0, "67,700"), (1e6, "1,000,000"),
    ],
)  # fmt: skip
def test_small_and_large_numbers_are_typeset(value, text):
    assert number(value) == text


def test_thousands_are_told_apart_with_decimals_too():
    assert [number(*given) for given in ((6415.2, 0), (-1234.56, 1), (-0.2, 0), (999.0, 0))] == [
        "6,415", "−1,234.6", "0", "999",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tolerance 1.05e-05, at 1e6", "tolerance 1.05\u00a0×\u00a010⁻⁵, at 10⁶"), ("-2e-07", "−2\u00a0×\u00a010⁻⁷"),
        ("chain d1e2a and 7e", "chain d1e2a and 7e"), ("1,234.5e", "1,234.5e"),
    ],
)  # fmt: skip
def test_powers_within_a_text_are_typeset_and_names_are_left_alone(text, shown):
    assert typeset(text) == shown


@pytest.mark.parametrize("form", ["{}e{}", "{}e{:+d}", "{}e{:+03d}", "labels that are {}e{}, twice"])
@pytest.mark.parametrize("mantissa", ["1", "2.5"])
def test_every_power_of_ten_keeps_its_exponent_however_it_is_written(mantissa, form):
    before = "" if mantissa == "1" else f"{mantissa}\u00a0×\u00a0"
    for exponent in range(-330, 331):
        around = form.replace("{}e{:+03d}", "@").replace("{}e{:+d}", "@").replace("{}e{}", "@")
        assert typeset(form.format(mantissa, exponent)) == around.replace(
            "@", before + power_of_ten(exponent)
        )


def test_exponents_of_an_axis_are_of_one_kind():
    assert power_of_ten(-12) == "10⁻¹²"
    wide = spectra([EigenvalueLine("a", np.logspace(2, -6, 20))]).figure.layout.yaxis
    assert all(text.startswith("10") and "<" not in text for text in wide.ticktext)
    narrow = spectra([EigenvalueLine("a", np.logspace(1, -1, 20))]).figure.layout.yaxis
    assert list(narrow.ticktext) == ["0.1", "1", "10"]


def test_large_values_on_an_axis_are_written_in_full_and_have_their_room():
    large, small = (eigenvalue_bars(np.array([3.0, 2.0, 1.0]) * scale).figure.layout for scale in (1e4, 1.0))
    assert (large.yaxis.separatethousands, large.yaxis.minexponent) == (True, 5)
    assert large.margin.l > small.margin.l


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("95 % over items", "95\u00a0% over items"), ("1.05 × 10⁻⁵", "1.05\u00a0×\u00a010⁻⁵"),
        ("10 × 10 items", "10 × 10 items"), ("accuracy, %", "accuracy, %"), ("5 %d", "5 %d"),
    ],
)  # fmt: skip
def test_a_number_stays_on_its_line(text, kept):
    assert unbroken(text) == kept
    assert unbroken(kept) == kept


def test_a_table_shows_a_real_minus_and_keeps_its_values():
    values = [-0.0928, 0.52, 1.05e-5, np.nan]
    table = pd.DataFrame({"K-mer": list("abcd"), "weight": values, "times": [1, 2, 3, 1200]})
    shown = in_table(table)
    pd.testing.assert_frame_equal(shown.data, table)  # by which a click on its head sorts
    html = shown.to_html()
    assert all(
        f">{text}</td>" in html for text in ("−0.0928", "0.5200", "1.05\u00a0×\u00a010⁻⁵", "unknown", "1200")
    )


def test_counts_of_thousands_have_their_comma_in_the_picture_and_its_words():
    picture = eigenvalue_bars(np.linspace(1.0, -1.0, 2401))
    (note,) = picture.figure.layout.annotations
    assert note.text.endswith("1,200 negative")
    assert "2,401 eigenvalues" in picture.alt
    assert "1,200 of them negative" in picture.alt
