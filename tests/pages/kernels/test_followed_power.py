import json

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.inspection import InspectionConfig, condition
from pages.ui.one_kernel import look as followed
from pages.ui.one_kernel.look import drag_of
from pages.ui.payload import FRAME


def gram(rng, n, unknown=False):
    X = rng.normal(size=(n, 5))
    K = X @ X.T
    if unknown:
        K[0, 1] = K[1, 0] = np.nan
    return GramMatrix(K, tuple(f"i{k}" for k in range(n)))


def frames(carrier):
    length = int.from_bytes(carrier.data[:4], "little")
    head = json.loads(carrier.data[4 : 4 + length])
    start = 4 + length + -(4 + length) % 8
    return head, np.frombuffer(carrier.data[start:], np.uint8).reshape(len(head["lams"]), -1)


@pytest.mark.parametrize("normalize", ["none", "cosine", "centre"])
def test_a_frame_is_the_kernel_at_its_power(rng, normalize):
    K = gram(rng, 12)
    config = InspectionConfig(normalize=normalize, p=0.4)
    drag = drag_of(config, [K], np.arange(12), "p")
    assert (drag.value, drag.low, drag.high, drag.step) == (0.4, 0.05, 1.0, 0.05)
    (follow,) = drag.follows
    head, codes = frames(follow.carrier)
    for p, coding, row in zip(head["lams"], head["codings"], codes, strict=True):
        low, high, size, power = coding
        u = low + (row.astype(float) - 1.0) * (high - low) / 249
        found = np.sign(u) * size * np.abs(u) ** power
        made = condition(InspectionConfig(normalize=normalize, p=p), K).values
        np.testing.assert_allclose(found, made[np.tril_indices(12)], atol=0.03 * np.abs(made).max())


def test_what_is_unknown_stays_so_and_every_picture_follows(rng):
    whole, partly = gram(rng, 9), gram(rng, 9, unknown=True)
    drag = drag_of(InspectionConfig(), [whole, partly], np.arange(9), "p")
    assert [follow.panel for follow in drag.follows] == [0, 1]
    _, codes = frames(drag.follows[1].carrier)
    assert (codes == 0).sum() == len(codes)


def test_of_many_items_blocks_are_sent_and_of_more_nothing(rng, monkeypatch):
    K = gram(rng, FRAME + 20)
    head, codes = frames(drag_of(InspectionConfig(), [K], rng.permutation(K.n), "p").follows[0].carrier)
    assert (head["n"], head["size"], head["ordered"]) == (K.n, FRAME, True)
    assert codes.shape[1] == FRAME * (FRAME + 1) // 2
    monkeypatch.setattr(followed, "FOLLOWED_MOST", K.n - 1)
    assert drag_of(InspectionConfig(), [K], np.arange(K.n), "p").follows == ()


def test_a_logarithm_has_no_power(rng):
    assert drag_of(InspectionConfig(elements="log1p"), [gram(rng, 5)], np.arange(5), "p") is None
