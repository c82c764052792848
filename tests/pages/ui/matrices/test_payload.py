import json

import numpy as np
import pytest

from kernex_core import joint_path
from kernex_core.base.errors import InvalidInputError
from pages.ui import matrices as component
from pages.ui import payload
from pages.ui.figures.chart import Items
from pages.ui.figures.theme import OTHER
from pages.ui.matrices import joint_follows


def opened(carrier):
    length = int.from_bytes(carrier.data[:4], "little")
    head = json.loads(carrier.data[4 : 4 + length])
    start = -(-(4 + length) // 8) * 8
    return head, np.frombuffer(carrier.data[start:], payload.TYPES[head["kind"]])


def frames_of(said, codes):
    """Values of each frame, and the half of the widest step between two of them."""
    found = []
    for (low, high, size, power), coded in zip(
        said["codings"], codes.reshape(len(said["lams"]), -1), strict=True
    ):
        u = low + (coded.astype(float) - 1.0) * (high - low) / 249.0
        values = np.where(coded == 0, np.nan, np.sign(u) * size * np.abs(u) ** power)
        found.append((values, power * size * (high - low) / 249.0 / 2.0))
    return found


def values_of(head, numbers):
    if head["kind"] == "f4":
        return numbers.astype(float)
    step = (head["high"] - head["low"]) / (payload.TOP[head["kind"]] - 1)
    return np.where(numbers == 0, np.nan, head["low"] + (numbers.astype(float) - 1) * step)


def symmetric(n, seed=0):
    K = np.random.default_rng(seed).normal(size=(n, n))
    K = K + K.T
    K[2], K[:, 2] = np.nan, np.nan
    return K


@pytest.mark.parametrize(
    ("n", "kind", "digits"), [(12, "f4", 1e-7), (300, "f4", 1e-7), (301, "u2", 1e-4), (576, "u2", 1e-4)]
)
def test_every_value_is_sent_with_the_digits_that_it_promises(n, kind, digits):
    K = symmetric(n)
    head, numbers = opened(payload.matrix(K, np.random.default_rng(1).permutation(n)))
    assert (head["kind"], head["n"], head["size"], head["ordered"]) == (kind, n, n, False)
    np.testing.assert_allclose(
        values_of(head, numbers), K[np.tril_indices(n)], atol=digits * np.nanmax(abs(K))
    )


@pytest.mark.parametrize("size", [1e-300, 1e-100, 1e-40, 1e39, 1e100, 1e300])
@pytest.mark.parametrize("n", [12, 301])
def test_values_beyond_32_bits_are_sent_as_well(n, size):
    K = size * symmetric(n)
    head, numbers = opened(payload.matrix(K, np.arange(n)))
    assert head["kind"] == "u2"
    np.testing.assert_allclose(values_of(head, numbers) / size, K[np.tril_indices(n)] / size, atol=1e-3)
    same = np.full((n, n), size)
    head, numbers = opened(payload.matrix(same, np.arange(n)))
    np.testing.assert_allclose(values_of(head, numbers) / size, 1.0, rtol=1e-6)


def test_a_large_matrix_is_sent_as_means_of_blocks_in_the_order_of_the_picture():
    n = 700
    K, order = symmetric(n), np.random.default_rng(1).permutation(n)
    head, numbers = opened(payload.matrix(K, order))
    assert (head["kind"], head["size"], head["ordered"]) == ("u1", payload.BLOCKS, True)
    edges = [int(k * n / payload.BLOCKS) for k in range(payload.BLOCKS)] + [n]
    sorted_K, got = K[np.ix_(order, order)], values_of(head, numbers)
    for r, c in ((0, 0), (100, 40), (511, 511), (300, 299)):
        block = sorted_K[edges[r] : edges[r + 1], edges[c] : edges[c + 1]]
        expected = np.nanmean(block) if np.isfinite(block).any() else np.nan
        np.testing.assert_allclose(
            got[r * (r + 1) // 2 + c], expected, atol=0.6 * (head["high"] - head["low"]) / 249
        )


def test_a_window_has_exact_values_and_is_cut_to_what_there_is():
    K, order = symmetric(700), np.arange(700)[::-1]
    head, numbers = opened(payload.window(K, order, [690, 900, 0, 10]))
    assert head["window"] == [690, 700, 0, 10]
    np.testing.assert_allclose(numbers.reshape(10, 10), K[np.ix_(order[690:], order[:10])], rtol=1e-6)


@pytest.mark.parametrize(
    "corner", [[0, 600, 0, 600], [5, 5, 0, 3], [0, 1], ["0", 1, 0, 1], [10**9, 10**9 + 5, 0, 2]]
)
def test_a_window_that_no_picture_asks_for_is_refused(corner):
    with pytest.raises(InvalidInputError):
        payload.window(symmetric(700), np.arange(700), corner)


def test_digests_tell_contents():
    K = symmetric(9)
    one, same = payload.matrix(K, np.arange(9)), payload.matrix(K.copy(), np.arange(9))
    other = payload.matrix(np.nan_to_num(K), np.arange(9))
    assert one == same
    assert one.digest != other.digest


def test_above_ten_classes_the_nine_largest_keep_their_colours_and_the_rest_is_grey():
    given = [f"c{k:02}" for k in range(12) for _ in range(20 - k)] + [None]
    names, styles = component.look(given)
    head = json.loads(
        payload.PanelItems([str(k) for k in range(len(given))], given, names, styles, np.arange(len(given)))
        .carrier().data[4:].rstrip(b"\0")
    )  # fmt: skip
    assert head["names"] == [f"c{k:02}" for k in range(12)]  # a tooltip names each
    assert [name for name, _, _ in head["key"]] == [*(f"c{k:02}" for k in range(9)), "3 other classes"]
    assert len({colour for _, colour, _ in head["key"]}) == len({shape for _, _, shape in head["key"]}) == 10
    assert head["key"][9][1] == OTHER
    assert head["classes"][-1] == -1


def test_hostile_classes_and_ids_are_data_in_the_carrier():
    hostile = "</script><script>alert(1)</script>"
    items = Items((hostile, "b"), (hostile, None))
    named = payload.PanelItems(items.ids, items.classes, *component.look(items.classes), items.positions)
    head = json.loads(named.carrier().data[4:].rstrip(b"\0"))
    assert head["ids"] == [hostile, "b"]
    assert head["classes"] == [0, -1]


def test_frames_of_many_items_are_the_block_means_of_the_joint_kernel(rng):
    n = 350
    X, Y = rng.normal(size=(2, n, 20))
    path = joint_path(X @ X.T, Y @ Y.T, nugget=0.1)
    order = rng.permutation(n)
    [follow] = joint_follows(path, 2, order)
    said, codes = opened(follow.carrier)
    assert (said["n"], said["size"], said["ordered"]) == (n, payload.FRAME, True)
    for lam, (frame, half) in zip(said["lams"], frames_of(said, codes), strict=True):
        K = payload.block_means(path.kernel(lam)[np.ix_(order, order)], payload.FRAME)
        np.testing.assert_allclose(frame, K[np.tril_indices(payload.FRAME)], atol=1.01 * half)
