import os
import stat
import threading
import time

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.selection import Selection
from kernex_core.workspace import file
from pages.server.health import look_after
from pages.server.visitors import keep, limits
from pages.server.visitors import store as identity
from pages.server.visitors.contents import Contents, Entry
from pages.server.visitors.keep import restored, saved
from pages.server.visitors.store import Store
from tests.patience import PATIENCE, until

IDS = ("a", "b", "c")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    made = tmp_path / "kept"
    monkeypatch.setenv(limits.KEEP, str(made))
    return made


@pytest.fixture
def keeper(folder):
    return keep.keeping()


def contents(value=1.0, **settings):
    K = GramMatrix(value * np.eye(3), IDS, "K")
    entry = Entry(DataSet("mine", IDS, kernels={"K": K}), {"L": K.renamed("L")}, Selection(ids=("a", "b")))
    return Contents({"mine": entry}, settings, "mine")


def put(store, visitor, now):
    space = store.of(visitor)
    before, space.contents = space.contents, now
    store.changed(space, before)
    return space


def test_a_workspace_comes_back_from_the_value_that_a_file_holds():
    now = contents(**{"chosen.items.mine": ("a", "c"), "items.limit": 7, "data.files": (object(),)})
    again = restored(saved(now))
    assert again.settings == {"chosen.items.mine": ("a", "c"), "items.limit": 7}
    assert again.last == "mine"
    assert again.entries["mine"].view.digest == now.entries["mine"].view.digest
    assert again.entries["mine"].selection == Selection(ids=("a", "b"))
    assert saved(again) == saved(now)
    assert restored(saved(Contents())).entries == {}


def test_a_workspace_survives_the_server_and_is_readable_by_its_owner_alone(folder, keeper):
    put(Store(), "one", contents())
    keeper.finish()
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "one" not in file.name
    assert list(Store().of("one").contents.entries["mine"].kernels) == ["L"]
    assert Store().of("two").contents.entries == {}


def test_nothing_is_written_unless_it_is_asked_for(monkeypatch):
    monkeypatch.delenv(limits.KEEP, raising=False)
    assert keep.keeping() is None
    put(Store(), "one", contents())
    assert Store().of("one").contents.entries == {}


def test_the_file_follows_by_itself_and_is_replaced_as_a_whole(folder, keeper, monkeypatch):
    monkeypatch.setattr(keep, "SOON", 0.0)
    store = Store()
    for value in (1.0, 2.0):
        put(store, "one", contents(value))
        until(lambda: not keeper._due)
        assert Store().of("one").contents.entries["mine"].dataset.kernels["K"].values[0, 0] == value
    assert len(list(folder.iterdir())) == 1


def test_a_damaged_file_costs_that_workspace_only_with_a_sentence(keeper):
    store = Store()
    for visitor in ("one", "two"):
        put(store, visitor, contents())
    keeper.finish()
    path = keeper.path("one")
    path.write_bytes(path.read_bytes()[:-40])
    again = Store()
    space = again.of("one")
    assert space.contents.entries == {}
    assert "cannot be read" in space.notice
    assert path.with_suffix(".damaged").exists()
    assert again.of("two").contents.entries
    put(again, "one", contents())
    keeper.finish()
    assert Store().of("one").contents.entries


def test_what_is_forgotten_leaves_no_trace_also_while_it_is_written(folder, keeper, monkeypatch):
    store = Store()
    space = put(store, "one", contents())
    begun, go_on, real = threading.Event(), threading.Event(), file.write_workspace

    def slowly(value):
        begun.set()
        assert go_on.wait(PATIENCE)
        return real(value)

    monkeypatch.setattr(file, "write_workspace", slowly)
    writing = threading.Thread(target=keeper.finish)
    writing.start()
    assert begun.wait(PATIENCE)
    store.forget(space)
    go_on.set()
    writing.join(PATIENCE)
    assert list(folder.iterdir()) == []
    assert store.of("one").contents.entries == {}


def test_one_that_leaves_the_memory_comes_back_from_the_disk_also_before_it_is_written(keeper, monkeypatch):
    monkeypatch.setenv(limits.VISITORS, "1")
    store = Store()
    first = put(store, "one", contents())
    put(store, "two", contents(2.0))
    assert first.gone
    again = store.of("one")
    assert again.contents.entries
    assert again.notice == ""


def test_what_was_not_used_for_long_is_removed_and_nothing_else(folder, keeper):
    stranger, store = folder / "thesis.doc", Store()
    for visitor in ("one", "two"):
        put(store, visitor, contents())
    keeper.finish()
    stranger.write_text("not ours")
    long_ago = time.time() - 3600 * 721
    for path in (keeper.path("one"), stranger):
        os.utime(path, (long_ago, long_ago))
    look_after()
    assert sorted(path.name for path in folder.iterdir()) == sorted([keeper.path("two").name, "thesis.doc"])


def test_cookies_hold_as_long_as_the_workspaces(folder):
    cookie = identity.new_cookie()
    assert identity.visitor_of(cookie)
    identity._keys.clear()  # as in another process
    assert identity.visitor_of(cookie)
    key = folder / identity.KEY_FILE
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.write_bytes(b"short")
    identity._keys.clear()
    with pytest.raises(InvalidInputError, match="key"):
        identity.new_cookie()


def test_a_folder_that_cannot_be_is_refused_at_the_start(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(limits.KEEP, str(tmp_path / "file" / "below"))
    with pytest.raises(InvalidInputError, match=limits.KEEP):
        limits.make_keep_folder()
