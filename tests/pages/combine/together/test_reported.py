"""The truth of digits in six views is found as soon as it is fetched, also where somebody asked for it before."""

from kernex_core.datasets.fetched.download import FOLDER_VARIABLE
from kernex_core.datasets.fetched.six_views import KERNELS
from pages.combine.together.together import truth


def test_a_truth_that_was_not_there_when_it_was_first_asked_for_is_found_later(shared, tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert truth() is None
    (tmp_path / KERNELS.name).write_bytes((shared / "data" / "cvkt_digits" / KERNELS.name).read_bytes())
    assert truth().shape == (6, 200, 200)
