import io

import numpy as np
import pytest
from PIL import Image

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.chart import indexed_png
from pages.ui.figures.heatmap import HeatmapScale, thumbnail
from pages.ui.figures.theme import CIVIDIS, HATCH_RGBA, rgb


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


@pytest.mark.parametrize("colours", [2, 200])
def test_png_is_read_back_by_another_program(rng, colours):
    palette = rng.integers(0, 256, (colours, 4), dtype=np.uint8)
    indices = rng.integers(0, colours, (13, 21), dtype=np.uint8)
    np.testing.assert_array_equal(pixels(indexed_png(indices, palette)), palette[indices])


def test_ends_of_the_scale_are_the_ends_of_the_colours():
    picture = pixels(thumbnail(np.array([[0.0, 1.0], [1.0, 0.0]]), scale=HeatmapScale(0, 1), size=240))
    assert picture.shape == (240, 240, 4)
    assert np.abs(picture[60, 180, :3].astype(int) - rgb(CIVIDIS[-1])).max() <= 8
    assert np.abs(picture[60, 60, :3].astype(int) - rgb(CIVIDIS[0])).max() <= 8
    assert (picture[..., 3] == 255).all()


def test_unknown_entries_are_transparent_with_hatch_lines():
    picture = pixels(thumbnail(np.array([[1.0, np.nan], [np.nan, 1.0]]), size=240))
    hidden = picture[:120, 120:]
    hatched = hidden[..., 3] > 0
    assert 0.05 < hatched.mean() < 0.4
    assert (hidden[hatched] == HATCH_RGBA).all()
    assert (picture[:120, :120, 3] == 255).all()


def test_zero_is_transparent_on_the_diverging_scale_but_not_hatched():
    picture = pixels(
        thumbnail(np.array([[0.0, 1.0], [-1.0, 0.0]]), scale=HeatmapScale(-1, 1, diverging=True))
    )
    assert (picture[:200, :200, 3] == 0).all()
    red, _, blue, alpha = picture[100, 400].astype(int)
    assert red > blue
    assert alpha > 240
    red, _, blue, alpha = picture[400, 100].astype(int)
    assert blue > red
    assert alpha > 240


def test_order_is_applied():
    values = np.diag([0.0, 1.0, 0.0])
    picture = pixels(thumbnail(values, order=[1, 0, 2], scale=HeatmapScale(0, 1), size=240))
    assert picture[40, 40, 0] > 200 > picture[120, 120, 0]


def test_matrices_larger_than_the_picture_become_block_means_and_files_stay_small(rng):
    X = rng.normal(size=(700, 5))
    data = thumbnail(X @ X.T)
    assert pixels(data).shape == (480, 480, 4)
    assert len(data) < 120_000


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(InvalidInputError, match="2 × 3"):
        thumbnail(np.zeros((2, 3)))
