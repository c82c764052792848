"""Digits in six views: made-up numbers of their shapes, and the three files themselves where they are at hand."""

import io
from dataclasses import replace

import numpy as np
import pytest
from scipy.io import savemat

from kernex_core import GramMatrix, complete_views, view_errors
from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.completion.views.complete import MODES
from kernex_core.completion.views.methods import REPORTED, drawn_views, errors_of
from kernex_core.datasets.fetched.download import FOLDER_VARIABLE
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.datasets.fetched.six_views import read_six_views, true_six_views


def saved(**variables):
    file = io.BytesIO()
    savemat(file, variables, do_compression=True)
    return file.getvalue()


@pytest.fixture(scope="module")
def made():
    """(files, truth (6, 200, 200), known (6, 200))"""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(200, 3))
    views = []
    for v in range(6):
        X = Z + 0.1 * (v + 1) * rng.normal(size=Z.shape)
        views.append(np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 4.0))
    truth = np.array(views)
    known = drawn_views(200, 6, 0.4, 0)
    y = np.arange(200) % 10
    return (
        saved(K=truth.transpose(1, 2, 0)),
        saved(MID=known.T.astype(np.uint8)),
        saved(y=y[:, None].astype(float)),
    ), truth, known  # fmt: skip


def test_three_files_become_six_kernels_that_lack_items(made):
    files, truth, known = made
    data = read_six_views(*files)
    assert (data.n, list(data.kernels)[::5]) == (200, ["view 1", "view 6"])
    assert data.labels.y[:11].tolist() == [*"0123456789", "0"]
    assert data.all_partly_known
    for K, true, has in zip(data.kernels.values(), truth, known, strict=True):
        assert np.array_equal(K.known, has)
        assert np.array_equal(K.values[np.ix_(has, has)], true[np.ix_(has, has)])


@pytest.fixture
def entry():
    return next(each for each in PUBLIC_DATASETS if each.name == "digits_in_six_views")


@pytest.fixture
def fetched(entry, shared, tmp_path, monkeypatch):
    """The entry, with its files in the folder of downloads."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert true_six_views() is None
    for file in entry.files:
        (tmp_path / file.name).write_bytes((shared / "data" / "cvkt_digits" / file.name).read_bytes())
    return entry


def test_the_files_are_known_by_their_bytes(fetched, tmp_path):
    assert fetched.cached()
    data = fetched.load()
    assert data.notes == ()  # nothing had to be trusted
    assert [int(K.known.sum()) for K in data.kernels.values()] == [113, 131, 125, 126, 125, 117]
    assert dict(data.labels.classes) == dict.fromkeys(map(str, range(10)), 20)
    assert len(true_six_views()) == 6
    for file in fetched.files:
        path = tmp_path / file.name
        assert path.stat().st_size == file.size
        assert "63a361b63e96f8c639b66deded75e0618134fe88" in file.url
        assert file.url.endswith(f"/{file.name}")


def test_made_up_numbers_of_the_same_shapes_are_other_files(entry, made, tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    for file, content in zip(entry.files, made[0], strict=True):
        (tmp_path / file.name).write_bytes(content)
        assert len(file.digest(tmp_path / file.name)) == 64  # shapes and ranges are right
    assert not entry.cached()
    assert true_six_views() is None
    with pytest.raises(
        KernexError, match=r"digits_K_n200\.mat is another file \(SHA-256 \w{12}… instead of 9411dc7d21db…"
    ):
        replace(entry, file=replace(entry.file, url="http://127.0.0.1:9/K.mat")).load()


@pytest.mark.parametrize("mode", MODES)
def test_completions_miss_the_true_kernels_by_what_is_known(fetched, mode):
    given = fetched.load().kernels
    made = complete_views(given, mode=mode).kernels
    found = errors_of(
        true_six_views(), given, {name: GramMatrix(Q, given[name].ids) for name, Q in made.items()}
    )
    known = fetched.expected[mode]
    assert found.alignment_error == pytest.approx(known.alignment_error, abs=2e-5)
    assert found.relative_error == pytest.approx(known.relative_error, abs=5e-4)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_other_shapes_and_numbers_are_refused_by_the_name_of_the_file(made, at):
    files, truth, known = made
    wrong = (
        [saved(K=truth), saved(K=np.where(truth > 0.9, np.nan, truth).transpose(1, 2, 0)), saved(other=np.eye(2))],
        [saved(MID=known), saved(MID=known.T * 2.0), saved(MID=np.ones((200, 6)))],
        [saved(y=np.arange(200)), saved(y=np.ones(3)), saved(K=np.eye(2))],
    )[at]  # fmt: skip
    for content in wrong:
        given = [*files[:at], content, *files[at + 1 :]]
        with pytest.raises(InvalidInputError, match=("digits_K", "digits_MID", "digits_labels")[at]):
            read_six_views(*given)


def test_errors_stand_beside_the_reported_ones_on_these_data_alone(made):
    files, truth, known = made
    given = read_six_views(*files).kernels
    completed = {name: GramMatrix(Q, K.ids) for (name, K), Q in zip(
        given.items(), complete_views(given).kernels.values(), strict=True
    )}  # fmt: skip
    found = errors_of(truth, given, completed)
    each = [view_errors(K, Q.values, has) for K, Q, has in zip(truth, completed.values(), known, strict=True)]
    assert found.relative_error == pytest.approx(np.mean([one.relative_error for one in each]))
    assert found.alignment_error == pytest.approx(np.mean([one.alignment_error for one in each]))
    assert errors_of(truth[:5], given, completed) is None
    assert errors_of(truth * 2.0, given, completed) is None
    assert errors_of(truth, completed, completed) is None
    for ways in REPORTED.values():  # as the table has them: tuned before fast, both before MKMC, CVKT last
        ordered = [ways[name] for name in ("tuned", "fast", "MKMC", "CVKT")]
        for measure in ("alignment_error", "relative_error"):
            values = [getattr(one, measure) for one in ordered]
            assert values == sorted(values)
