"""The truth of digits in six views is found as soon as it is fetched, also where somebody asked for it before."""

import numpy as np

from kernex_core.datasets.fetched.download import FOLDER_VARIABLE
from kernex_core.datasets.fetched.six_views import KERNELS
from pages.combine.many.reported import truth
from tests.kernex_core.datasets.fetched.test_six_views import saved


def test_a_truth_that_was_not_there_when_it_was_first_asked_for_is_found_later(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert truth() is None
    K = np.broadcast_to(np.eye(200)[:, :, None], (200, 200, 6))
    path = tmp_path / KERNELS.name
    path.write_bytes(saved(K=K))
    (tmp_path / f"{KERNELS.name}.sha256").write_text(KERNELS.digest(path))
    assert np.array_equal(truth(), K.transpose(2, 0, 1))
