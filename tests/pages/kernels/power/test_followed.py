import numpy as np
import pytest

from kernex_core.conditioning.schemes import SCHEMES
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.diagonals.shrink import DiagonalConfig, in_units, shrink, shrunk_kernel
from pages.kernels.power import subject as followed
from pages.ui import payload
from tests.pages.ui.matrices.test_payload import frames_of, opened


def peaked(n, rng):
    X = rng.normal(size=(n, 12))
    return GramMatrix(X @ X.T + 60.0 * np.eye(n), tuple(f"i{k}" for k in range(n)), "K")


@pytest.mark.parametrize(
    ("scheme", "n"), [*((scheme.name, 30) for scheme in SCHEMES), ("empirical map", followed.FOLLOWED + 44)]
)
def test_p_follows_the_thumb_under_every_scheme_and_frames_are_the_core_s(scheme, n, rng):
    config, K, order = DiagonalConfig(scheme=scheme, p=0.4), peaked(n, rng), rng.permutation(n)
    drag = followed.drag_of(shrink(config, K), K, config, order, pick=False)
    (follow,) = drag.follows
    assert (drag.value, follow.panel) == (0.4, 1)
    assert follow.kind == ("empirical" if scheme == "empirical map" and n == 30 else "frames")
    if follow.carrier is None:
        return
    said, codes = opened(follow.carrier)
    side = min(n, payload.FRAME)
    assert (said["size"], said["ordered"]) == (side, side < n)
    for p, (frame, half) in zip(said["lams"], frames_of(said, codes), strict=True):
        made, _ = in_units(shrunk_kernel(config.at(p), K).values)
        exact = payload.block_means(made[np.ix_(order, order)], side) if side < n else made
        np.testing.assert_allclose(frame, exact[np.tril_indices(side)], atol=1.01 * half)


def test_what_would_cost_a_decomposition_of_many_items_a_frame_and_another_map_do_not_follow(rng):
    few, many = peaked(20, rng), peaked(followed.FOLLOWED + 1, rng)
    for K, config in ((many, DiagonalConfig(scheme="clip")), (few, DiagonalConfig(phi="log"))):
        drag = followed.drag_of(shrink(config, K), K, config, np.arange(K.n), pick=True)
        assert (drag.follows, drag.pick) == ((), f"Choose {config.map.strength}")
