import base64
import csv
import gzip
import io
import json
import sys
from collections import Counter
from urllib.parse import unquote

import numpy as np
import plotly.io as pio
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import HeatmapScale, block_means, common_scale, error_scale, heatmap
from pages.ui.figures.theme import CLASS_COLOURS, class_order
from tests.oracles.codes import decode


def kernel(rng, n):
    X = rng.normal(size=(n, 12))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X @ X.T


def names(n):
    return [f"d{k:05d}_" for k in range(n)]


def wire(picture):
    return pio.to_json(picture.figure, validate=False)


def sent(picture):
    """The cells as the browser decodes them."""
    spec = json.loads(wire(picture))["data"][0]["z"]
    rows, columns = map(int, spec["shape"].split(","))
    return np.frombuffer(base64.b64decode(spec["bdata"]), dtype=np.dtype(spec["dtype"])).reshape(
        rows, columns
    )


@pytest.mark.parametrize(("n", "limit"), [(206, 80_000), (296, 150_000), (576, 520_000), (1000, 500_000)])
def test_bytes_on_the_wire(rng, n, limit):
    classes = [f"c.1.{9 * k // n}" for k in range(n)]
    assert len(wire(heatmap(kernel(rng, n), Items(names(n), classes)))) < limit


@pytest.mark.slow
def test_five_thousand_items_stay_below_half_a_megabyte(rng):
    picture = heatmap(kernel(rng, 5000), Items(names(5000)))
    assert len(wire(picture)) < 500_000
    assert picture.note == "means of 10 × 10 items"


def test_five_panels_stay_below_their_budget(rng):
    K, hidden = kernel(rng, 206), rng.random(206) < 0.25
    items = Items(names(206), ["a", "b"] * 103)
    known = np.where(np.logical_or.outer(hidden, hidden), np.nan, K)
    panels = [heatmap(values, items) for values in (K, known, K, K)]
    panels.append(heatmap(0.1 * known, items, scale=error_scale([0.1 * known])))
    assert sum(len(wire(panel)) for panel in panels) < 450_000


@pytest.mark.parametrize("n", [206, 1000])
def test_no_entry_is_treated_on_its_own(rng, n):
    """Functions are called for the figure and for each item, never for each of the n² pairs: that took seconds."""
    K, items = kernel(rng, n), Items(names(n))
    heatmap(K, items)  # what is imported and kept at the first call is not counted
    calls = 0

    def count(frame, event, arg):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        heatmap(K, items)
    finally:
        sys.setprofile(None)
    assert calls < 20 * n + 20_000


def test_codes_decode_to_the_values_in_display_order(rng):
    K, order = kernel(rng, 40), rng.permutation(40)
    scale = HeatmapScale(-0.3, 0.4)
    codes = sent(heatmap(K, Items(names(40), order=order), scale=scale))
    assert codes.dtype == np.uint8
    assert codes.min() >= 1
    assert codes.max() <= 250
    shown = np.clip(K[np.ix_(order, order)], -0.3, 0.4)
    assert np.abs(decode(codes, scale) - shown).max() <= 0.5 * 0.7 / 249 + 1e-12


def test_rows_and_columns_are_named_in_display_order(rng):
    order = np.array([2, 0, 3])
    trace = heatmap(kernel(rng, 4), Items(["007", "1.0", "<i>", "d"], order=order)).figure.data[0]
    assert list(trace.x) == list(trace.y) == ["&lt;i&gt;", "007", "d"]
    assert "%{x}" in trace.hovertemplate


def test_ids_that_look_like_numbers_stay_names(rng):
    layout = heatmap(kernel(rng, 2), Items(["007", "1.0"])).figure.layout
    assert layout.xaxis.type == layout.yaxis.type == "category"


def test_origin_is_top_left_and_cells_are_square(rng):
    layout = heatmap(kernel(rng, 3), Items(names(3))).figure.layout
    assert layout.yaxis.autorange == "reversed"
    assert layout.xaxis.scaleanchor == "y"
    assert layout.xaxis.constrain == layout.yaxis.constrain == "domain"


def test_unknown_entries_are_code_0_transparent_and_hatched_below(rng):
    K = kernel(rng, 6)
    K[1, 2] = K[2, 1] = np.nan
    picture = heatmap(K, Items(names(6)))
    codes, trace = sent(picture), picture.figure.data[0]
    assert np.argwhere(codes == 0).tolist() == [[1, 2], [2, 1]]
    assert trace.colorscale[0] == (0, "rgba(0,0,0,0)")
    assert trace.colorscale[2][0] == pytest.approx(1 / 250)
    (hatch,) = picture.figure.layout.shapes
    assert (hatch.layer, hatch.type) == ("below", "path")
    assert "6\u00a0%" in picture.alt
    assert "unknown" in picture.alt


def test_hatch_lines_rise_at_45_degrees_inside_the_plot():
    path = heatmap(np.full((2, 2), np.nan), Items(["a", "b"])).figure.layout.shapes[0].path
    for line in path.split("M")[1:]:
        (x0, y0), (x1, y1) = (map(float, end.split(",")) for end in line.split("L"))
        assert 0 <= x0 < x1 <= 1
        assert y1 - y0 == pytest.approx(x1 - x0, abs=2e-3)
        assert y0 >= 0
        assert y1 <= 1


def test_a_complete_matrix_has_no_hatch(rng):
    picture = heatmap(kernel(rng, 5), Items(names(5)))
    assert not picture.figure.layout.shapes
    assert "unknown" not in picture.alt


def test_hidden_items_hide_their_rows_and_columns(rng):
    hidden = np.array([False, True, False, False])
    K = np.where(np.logical_or.outer(hidden, hidden), np.nan, kernel(rng, 4))
    codes = sent(heatmap(K, Items(names(4), order=[0, 2, 3, 1])))
    assert np.all(codes[3] == 0)
    assert np.all(codes[:, 3] == 0)
    assert np.all(codes[:3, :3] > 0)


def test_strips_match_the_classes_in_display_order(rng):
    classes = ["b", "a", "b", None, "a", "b"]
    order = class_order(classes)
    images = heatmap(kernel(rng, 6), Items(names(6), classes, order)).figure.layout.images
    _, top, left = images
    assert '<path fill="#615bc9" d="M0 0h3v1h-3z"/>' in unquote(top.source)
    assert '<path fill="#e5af10" d="M3 0h2v1h-2z"/>' in unquote(top.source)
    assert unquote(top.source).count("<path") == 2
    assert '<path fill="#e5af10" d="M0 3h1v2h-1z"/>' in unquote(left.source)
    assert left.x < 0
    assert top.y > 1
    assert (top.xref, left.yref) == ("x domain", "y domain")


def test_unsorted_strips_of_many_items_stay_small(rng):
    n = 2000
    classes = [f"c{k}" for k in rng.integers(0, 10, n)]
    images = heatmap(kernel(rng, n), Items(names(n), classes)).figure.layout.images
    assert all(len(image.source) < 15_000 for image in images)
    assert any(colour.lstrip("#") in images[1].source for colour in CLASS_COLOURS)


def test_the_colour_bar_is_part_of_the_figure_and_prints_real_values(rng):
    picture = heatmap(kernel(rng, 30), Items(names(30)), scale=HeatmapScale(-0.2, 0.4, 1))
    assert [note.text for note in picture.figure.layout.annotations] == ["≤ −0.2", "0.1", "≥ 0.4"]
    assert picture.figure.layout.images[0].y < 0
    assert not picture.figure.data[0].showscale


def test_large_matrices_are_sent_as_block_means(rng):
    n = 1100
    K, order = kernel(rng, n), rng.permutation(n)
    K[order[:3]] = K[:, order[:3]] = np.nan
    picture = heatmap(K, Items(names(n), order=order))
    codes, scale = sent(picture), common_scale([K])
    expected = block_means(K, 3, order)
    assert codes.shape == expected.shape == (367, 367)
    assert np.all(codes[0] == 0)
    clipped = np.clip(expected, scale.low, scale.high)
    np.testing.assert_allclose(decode(codes, scale), clipped, atol=0.51 * (scale.high - scale.low) / 249)
    trace = picture.figure.data[0]
    assert trace.x[1] == f"d{order[3]:05d}_ … d{order[5]:05d}_"
    assert trace.x[-1] == f"d{order[1098]:05d}_ … d{order[1099]:05d}_"
    assert "mean of 3 × 3 items" in trace.hovertemplate
    assert picture.note == "means of 3 × 3 items"


def test_errors_are_centred_and_fade_to_nothing_at_zero(rng):
    error = kernel(rng, 20) - kernel(rng, 20)
    error[0, 0] = 0.0
    picture = heatmap(error, Items(names(20)), scale=error_scale([error]))
    trace, codes = picture.figure.data[0], sent(picture)
    assert codes[0, 0] == 125
    middle = [colour for place, colour in trace.colorscale if place == pytest.approx(125 / 250)]
    assert middle == ["rgba(128,128,128,0)"]
    np.testing.assert_array_equal(np.sign(codes.astype(int) - 125) * np.sign(error) >= 0, True)
    assert error_scale([error]).text(error_scale([error]).middle) == "0"
    assert "orange above" in picture.alt


def test_unknown_errors_are_hatched_cell_by_cell_since_zero_is_transparent_too(rng):
    error = kernel(rng, 20) - kernel(rng, 20)
    error[4] = error[:, 4] = np.nan
    picture = heatmap(error, Items(names(20)), scale=error_scale([error]))
    assert not picture.figure.layout.shapes
    (image,) = [image for image in picture.figure.layout.images if "image/png" in image.source]
    assert image.layer == "below"
    from PIL import Image

    hatch = np.asarray(Image.open(io.BytesIO(base64.b64decode(image.source.split(",")[1]))).convert("RGBA"))[
        ..., 3
    ]
    zoom = hatch.shape[0] // 20
    cells = hatch.reshape(20, zoom, 20, zoom).any(axis=(1, 3))
    assert not np.delete(np.delete(cells, 4, 0), 4, 1).any()
    assert cells[4].all()


def test_exact_hover_sends_thousandths_of_values_without_a_sign(rng):
    K = np.abs(kernel(rng, 50))
    picture = heatmap(K, Items(names(50)), exact=True)
    cells = sent(picture)
    assert cells.dtype == np.int16
    np.testing.assert_array_equal(cells, np.rint(1000 * K))
    assert picture.figure.layout.separators == ".."
    assert "%{z:05,d}" in picture.figure.data[0].hovertemplate


@pytest.mark.parametrize("spoil", ["sign", "unknown", "large", "tiny"])
def test_exact_hover_falls_back_to_floats(rng, spoil):
    K = np.abs(kernel(rng, 30))
    if spoil == "sign":
        K -= 0.5
    elif spoil == "unknown":
        K[0, 1] = np.nan
    else:
        K *= 100.0 if spoil == "large" else 1e-4
    cells = sent(heatmap(K, Items(names(30)), exact=True))
    assert cells.dtype == np.float32
    np.testing.assert_allclose(cells, K, rtol=1e-6)


@pytest.mark.parametrize("n", [296, 297, 420, 421])
def test_exact_hover_keeps_to_half_a_megabyte(rng, n):
    K = kernel(rng, n)
    for values in (K, np.abs(K)):
        assert len(wire(heatmap(values, Items(names(n)), exact=True))) < 530_000


def test_what_does_not_fit_is_refused_with_what_was_found(rng):
    K = kernel(rng, 3)
    with pytest.raises(InvalidInputError, match="3 × 3"):
        heatmap(K, Items(names(4)))
    with pytest.raises(InvalidInputError, match="unique"):
        Items(["a", "a", "b"])
    with pytest.raises(InvalidInputError, match="2 classes"):
        Items(names(3), ["a", "b"])


def test_one_item_and_nothing_known_are_pictures_too():
    assert "1 item" in heatmap(np.ones((1, 1)), Items(["only"])).alt
    picture = heatmap(np.full((3, 3), np.nan), Items(names(3)))
    assert "100\u00a0%" in picture.alt
    assert not sent(picture).any()


def test_real_structure_scores_sorted_by_superfamily(shared):
    folder = shared / "data" / "scop_tim_barrel"
    labels = {}
    with open(folder / "c1_labels.tsv", newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            labels[row["domain"]] = row["superfamily"]
    with gzip.open(folder / "c1_sw_foldseek3di_score.csv.gz", "rt", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    sizes = Counter(labels[name] for name in rows[0][1:])
    kept = [k for k, name in enumerate(rows[0][1:]) if sizes[labels[name]] >= 10]
    S = np.array([row[1:] for row in rows[1:]], dtype=float)[np.ix_(kept, kept)]
    K = S / np.sqrt(np.outer(np.diag(S), np.diag(S)))
    ids = [rows[0][1 + k] for k in kept]
    classes = [labels[name] for name in ids]
    picture = heatmap(K, Items(ids, classes, class_order(classes)), name="structure")
    assert (
        picture.alt
        == "Heatmap of structure: 296 items, with strips for 9 classes, colours from 0.08 to 0.32."
    )
    assert len(wire(picture)) < 150_000
    assert unquote(picture.figure.layout.images[1].source).count("<path") == 9
