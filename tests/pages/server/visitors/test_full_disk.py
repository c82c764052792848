"""A folder of workspaces that cannot be written or read for a while: nothing is lost, and its visitor is told."""

import errno
import logging
import os
import subprocess

import numpy as np
import pytest

from kernex_core.base.errors import TooLargeError
from kernex_core.workspace import file
from pages.server.health import health
from pages.server.visitors import keep, limits
from pages.server.visitors import store as identity
from pages.server.visitors.contents import Contents
from pages.server.visitors.store import LOST, Store
from tests.pages.server.visitors.test_keep import contents, put
from tests.patience import until


@pytest.fixture
def keeper(tmp_path, monkeypatch):
    monkeypatch.setenv(limits.KEEP, str(tmp_path / "kept"))
    monkeypatch.setattr(keep, "SOON", 0.0)
    monkeypatch.setattr(keep, "AGAIN", 0.02)
    limits.make_keep_folder()
    return keep.keeping()


@pytest.fixture
def disk(monkeypatch):
    """A disk that is full as long as `full` is in it."""
    state, real = {"full"}, keep.write

    def write(file, data):
        if "full" in state:
            file.write(data[:100])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file, data)

    monkeypatch.setattr(keep, "write", write)
    return state


def parts(keeper):
    return [path.name for path in keeper._folder.iterdir() if path.suffix == ".part"]


def test_what_a_full_disk_refuses_is_written_when_there_is_room(keeper, disk, caplog):
    store = Store()
    with caplog.at_level(logging.WARNING, "kernex"):
        for visitor in ("one", "two"):
            put(store, visitor, contents())
        until(lambda: keeper.problem("one") and keeper.problem("two"))
        assert "no space left" in keeper.problem("one")
        assert keeper.problem("three") == ""
        assert not keeper.has("one")
        assert parts(keeper) == []  # what was begun is removed: the next try needs its room
        said = [record for record in caplog.records if "cannot be kept" in record.message]
        assert len(said) == 1  # for the terminal once, whoever and how often it is
        disk.clear()
        until(lambda: keeper.has("one") and keeper.has("two"))
    assert keeper.problem("one") == ""
    assert "kept again" in caplog.text
    assert Store().of("one").contents.entries


def test_what_comes_while_the_disk_is_full_is_what_is_written_in_the_end(keeper, disk):
    store = Store()
    put(store, "one", contents(1.0))
    until(lambda: keeper.problem("one"))
    put(store, "one", contents(2.0))
    assert keeper.problem("one")  # also while the next try is not made yet
    disk.clear()
    until(lambda: keeper.has("one"))
    assert Store().of("one").contents.entries["mine"].dataset.kernels["K"].values[0, 0] == 2.0


def test_what_is_not_on_disk_leaves_after_what_is_and_says_so(keeper, disk, monkeypatch):
    store = Store()
    put(store, "old", contents())
    until(lambda: keeper.problem("old"))
    disk.clear()
    put(store, "kept", contents())
    until(lambda: keeper.has("kept") and keeper.has("old"))
    disk.add("full")
    put(store, "old", contents(2.0))
    put(store, "new", contents())
    until(lambda: keeper.problem("old"))
    monkeypatch.setenv(limits.VISITORS, "2")
    store.of("old")
    store.of("new")
    store.settle()
    assert store.of("old").contents.entries["mine"].dataset.kernels["K"].values[0, 0] == 2.0
    assert store.of("kept").notice == ""  # came back from the disk


def test_what_was_let_go_and_is_no_longer_on_the_disk_is_told(keeper, monkeypatch):
    store = Store()
    put(store, "one", contents())
    until(lambda: keeper.has("one"))
    monkeypatch.setenv(limits.VISITORS, "1")
    put(store, "two", contents())
    keeper.path("one").unlink()
    assert store.of("one").notice == LOST


def test_a_file_that_cannot_be_read_now_stays_what_it_is_and_joins_what_came_meanwhile(keeper, monkeypatch):
    put(Store(), "one", contents())
    until(lambda: keeper.has("one"))
    before, real, state = keeper.path("one").read_bytes(), type(keeper.path("one")).read_bytes, {"bad"}

    def read_bytes(path):
        if state and path.suffix == ".kernex":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(path)

    monkeypatch.setattr(type(keeper.path("one")), "read_bytes", read_bytes)
    store = Store()
    space = store.of("one")
    assert "cannot be read now" in space.problem
    assert space.contents.is_empty
    put(store, "one", contents(3.0))
    keeper.finish()
    state.clear()
    assert keeper.path("one").read_bytes() == before
    assert not keeper.path("one").with_suffix(".damaged").exists()
    again = store.of("one")
    assert again.problem == ""
    assert sorted(again.contents.entries) == ["mine", "mine (2)"] or len(again.contents.entries) == 2
    keeper.finish()
    assert len(Store().of("one").contents.entries) == 2


def test_parts_that_nobody_goes_on_writing_are_swept(keeper):
    folder = keeper._folder
    for name, age in (("kernex-a1.part", 61), ("kernex-b2.part", -3_600), ("thesis.part", 1_000)):
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, ((folder / name).stat().st_mtime - age,) * 2)
    keeper.clean()
    assert sorted(path.name for path in folder.iterdir()) == ["kernex-b2.part", "thesis.part"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TooLargeError("A workspace file has at most 1 GB", "2 GB"), "at most 1 GB"),
        (RuntimeError("a mistake of ours"), "something went wrong"),
    ],
)
def test_what_no_file_can_hold_is_told_and_what_others_have_is_written(keeper, monkeypatch, error, said):
    write = file.write_workspace

    def refuse(value):
        raise error

    monkeypatch.setattr(file, "write_workspace", refuse)
    put(Store(), "one", contents())
    until(lambda: not keeper._due)
    assert said in keeper.problem("one")
    assert not keeper.has("one")
    monkeypatch.setattr(file, "write_workspace", write)
    put(Store(), "two", contents())
    until(lambda: keeper.has("two"))
    assert "mistake" not in keeper.problem("one")


def test_nothing_on_the_way_of_a_request_touches_the_disk(keeper, monkeypatch):
    cookie, store = identity.new_cookie(), Store()
    put(store, "one", contents())
    until(lambda: keeper.has("one"))

    def touched(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    for name in ("stat", "open", "mkdir", "utime", "replace", "unlink", "scandir", "listdir", "access"):
        monkeypatch.setattr(os, name, touched)
    assert identity.visitor_of(cookie)
    assert identity.new_cookie() != cookie
    assert health()["status"] == "ok"
    space = store.of("one")
    put(store, "one", Contents({}, {"x": 1}))
    store.settle()
    store.forget(space)
    monkeypatch.undo()


@pytest.fixture
def small_disk(tmp_path):
    """3 MB in memory, as a file system of its own."""
    place = tmp_path / "small"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip("file systems cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_file_system_of_3_mb_that_is_full_and_freed_loses_nothing(small_disk, monkeypatch, caplog, rng):
    monkeypatch.setenv(limits.KEEP, str(small_disk / "kept"))
    monkeypatch.setattr(keep, "SOON", 0.0)
    monkeypatch.setattr(keep, "AGAIN", 0.05)
    limits.make_keep_folder()
    keeper, store = keep.keeping(), Store()
    (small_disk / "theirs").write_bytes(bytes(2_900_000))
    with caplog.at_level(logging.WARNING, "kernex"):
        for visitor in ("one", "two"):
            made = contents()
            K = made.entries["mine"].dataset.kernels["K"].renamed("big")
            large = np.outer(*rng.normal(size=(2, 250)))
            put(store, visitor, made.with_new(of_size(large, K))[0])
        until(lambda: keeper.problem("one") and keeper.problem("two"))
        assert parts(keeper) == []
        assert caplog.text.count("cannot be kept") == 1
        (small_disk / "theirs").unlink()
        until(lambda: keeper.has("one") and keeper.has("two"))
    for visitor in ("one", "two"):
        assert len(Store().of(visitor).contents.entries) == 2
        assert keeper.problem(visitor) == ""


def of_size(values, K):
    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.inputs.dataset import DataSet

    ids = tuple(map(str, range(len(values))))
    return DataSet("large", ids, kernels={"big": GramMatrix(values @ values.T, ids, "big")})
