import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.spectrum import EigenvalueLine, eigenvalue_bars, spectra
from pages.ui.figures.theme import NEGATIVE_EIGENVALUE, ROLES, SERIES


def test_bars_are_ranked_and_the_negative_part_has_a_colour_of_its_own():
    picture = eigenvalue_bars([0.5, -0.2, 2.0, -0.1, 1.0])
    positive, negative = picture.figure.data
    np.testing.assert_array_equal(positive.y, [2.0, 1.0, 0.5])
    np.testing.assert_array_equal(positive.x, [1, 2, 3])
    np.testing.assert_array_equal(negative.y, [-0.1, -0.2])
    np.testing.assert_array_equal(negative.x, [4, 5])
    assert (positive.marker.color, negative.marker.color) == (SERIES.colour, NEGATIVE_EIGENVALUE)
    assert [note.text for note in picture.figure.layout.annotations] == [
        f'<span style="color:{NEGATIVE_EIGENVALUE}">■</span> 2 negative'
    ]
    assert "2 of them negative, down to −0.2" in picture.alt


def test_rounding_below_zero_is_not_called_negative():
    picture = eigenvalue_bars([1.0, 0.5, -1e-17])
    assert not picture.figure.layout.annotations
    assert "none negative" in picture.alt
    assert eigenvalue_bars([1.0, -0.01], tolerance=0.02).figure.layout.annotations == ()


def test_a_dominating_first_eigenvalue_is_clipped_and_written():
    picture = eigenvalue_bars([204.0, 3.0, 2.0])
    assert picture.figure.layout.yaxis.range[1] == pytest.approx(1.12 * 3.0)
    (note,) = picture.figure.layout.annotations
    assert note.text == "no. 1: 204"
    # above the plot, where no line of the grid strikes it through, and within the picture
    assert (note.yanchor, note.y) == ("bottom", picture.figure.layout.yaxis.range[1])
    assert picture.figure.layout.margin.t >= 1.25 * note.font.size
    assert eigenvalue_bars([4.0, 3.0]).figure.layout.yaxis.range[1] == pytest.approx(1.12 * 4.0)


@pytest.mark.parametrize("values", [[0.0], [-1.0, -2.0], [5.0], [0.0, 0.0]])
def test_degenerate_spectra_have_an_axis(values):
    low, high = eigenvalue_bars(values).figure.layout.yaxis.range
    assert low < high


def test_many_eigenvalues_are_an_area_instead_of_bars(rng):
    picture = eigenvalue_bars(rng.normal(size=2000))
    assert {trace.type for trace in picture.figure.data} == {"scatter"}
    assert sum(len(trace.y) for trace in picture.figure.data) == 2000


@pytest.mark.parametrize("n", [1, 2, 5, 30, 206, 296, 1000, 5000])
def test_rank_ticks_are_few_and_inside(n):
    ticks = eigenvalue_bars(np.linspace(1, 2, n)).figure.layout.xaxis.tickvals
    assert ticks[0] == 1
    assert ticks[-1] <= n
    assert len(ticks) <= 8
    assert len(set(ticks)) == len(ticks)


def test_overlaid_spectra_have_their_roles_and_names():
    kernels = [
        EigenvalueLine("structure", [3.0, 1.0, 0.1]),
        EigenvalueLine("joint", [2.0, 1.0, 0.5], "joint"),
    ]
    picture = spectra(kernels)
    assert [trace.line.color for trace in picture.figure.data] == [
        ROLES["target"].colour,
        ROLES["joint"].colour,
    ]
    texts = [note.text for note in picture.figure.layout.annotations]
    assert "structure" in texts[0]
    assert "<b>joint</b>" in texts[1]
    assert picture.figure.layout.xaxis.type == picture.figure.layout.yaxis.type == "log"
    assert picture.note == ""


def test_eigenvalues_that_have_no_logarithm_are_counted_not_hidden():
    picture = spectra(
        [
            EigenvalueLine("hits", [2.0, 0.5, 0.0, -0.3]),
            EigenvalueLine("joint", [1.0, 0.5, 0.2, 0.1], "joint"),
        ]
    )
    np.testing.assert_array_equal(picture.figure.data[0].y, [2.0, 0.5])
    assert picture.note == "not above 0, so not drawn: 2 of hits"
    assert picture.note in picture.alt


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_eigenvalues_of_any_size_are_drawn_where_they_are(size):
    values = size * np.array([3.0, 1.0, 1.0 / 3.0])
    np.testing.assert_allclose(spectra([EigenvalueLine("a", values)]).figure.data[0].y, values, rtol=1e-7)


def test_a_kernel_without_a_positive_eigenvalue_is_said():
    assert "without a positive eigenvalue" in spectra([EigenvalueLine("zero", [0.0, 0.0])]).alt


def test_a_tiny_last_eigenvalue_does_not_flatten_the_rest():
    low, high = spectra([EigenvalueLine("a", [1.0, 0.1, 1e-13])]).figure.layout.yaxis.range
    assert high - low == pytest.approx(6)


@pytest.mark.parametrize("values", [[], [np.nan, 1.0]])
def test_no_or_not_finite_eigenvalues_are_refused(values):
    with pytest.raises(InvalidInputError, match="finite"):
        eigenvalue_bars(values)
    with pytest.raises(InvalidInputError):
        spectra([])
