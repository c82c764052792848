"""Fetching never destroys: whatever is in the folder is there afterwards, byte for byte, under its name or another one.

Each sentence is tried on every file of the catalogue (with contents of the shared data, or made up where there are none) and
on one plain file a kind of check, which needs no data.
"""

import contextlib
import os
import re
import shutil
import tempfile
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import requests  # noqa: F401  (not for the first time as another user)

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.datasets.fetched.download import is_cached, note_of, obtain, set_aside
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS, fetch_dataset
from tests.kernex_core.datasets.fetched.arrived import fetch
from tests.kernex_core.datasets.fetched.public_files import (
    FILES,
    NOBODY,
    catalogue_cases,
    home,
    plain_cases,
)
from tests.patience import PATIENCE

PLAIN = tuple(plain_cases())


@pytest.fixture(scope="module")
def cases(shared):
    return catalogue_cases(shared)


@pytest.fixture(params=[*PLAIN, *FILES])
def case(request):
    """A file of either sort; without the shared data those of the catalogue are skipped."""
    if request.param in PLAIN:
        return plain_cases()[request.param]
    return request.getfixturevalue("cases")[request.param]


@pytest.fixture
def server():
    with home() as server:
        yield server


def held(folder):
    """Bytes of everything below a folder, links as where they lead, whatever the names."""
    found = Counter()
    for path in Path(folder).rglob("*"):
        if path.is_symlink():
            found["link", os.readlink(path)] += 1
        elif path.is_file():
            found["file", path.read_bytes()] += 1
    return found


@contextlib.contextmanager
def nothing_lost(folder):
    """All bytes that are there before are there afterwards, and no folder of a download stays."""
    before = held(folder)
    yield
    assert before - held(folder) == Counter()
    assert [path.name for path in Path(folder).iterdir() if path.name.startswith(".")] == []


def garbage(path, case):
    path.write_bytes(b"<html>moved</html>")


def empty(path, case):
    path.write_bytes(b"")


def truncated(path, case):
    path.write_bytes(case.right[: len(case.right) // 2 - 3])


def another_edition(path, case):
    path.write_bytes(case.edition)


def a_folder(path, case):
    path.mkdir()
    (path / "inside.txt").write_bytes(b"in a folder")


def a_dangling_link(path, case):
    path.symlink_to(path.parent / "nowhere")


def a_link_to_garbage(path, case):
    target = path.parent / "elsewhere.txt"
    target.write_bytes(b"elsewhere")
    path.symlink_to(target)


def a_large_file(path, case):
    with path.open("wb") as file:
        file.truncate(300_000_000)  # of holes


WRONG = (garbage, empty, truncated, another_edition, a_folder, a_dangling_link, a_link_to_garbage)
"""Ways to put something wrong at the place of a file."""
wrong = pytest.mark.parametrize("spoil", WRONG, ids=lambda spoil: spoil.__name__)


def offline(case):
    return case.at(NOBODY)


def known(path, case):
    """Note the digest of the right content, as its first download would have done, where none is published."""
    if not case.file.sha256:
        note_of(path).write_text(case.digest)


def test_the_right_file_by_hand_is_used_without_a_connection(case, tmp_path):
    path = tmp_path / case.file.name
    path.write_bytes(case.right)
    assert is_cached(offline(case), tmp_path)
    assert list(tmp_path.iterdir()) == [path]  # to ask changes nothing
    with nothing_lost(tmp_path):
        made = obtain(offline(case), tmp_path)
        assert fetch(offline(case), tmp_path) == made.path == path
    assert (made.digest, made.aside) == (case.digest, ())
    if case.file.sha256:
        assert list(tmp_path.iterdir()) == [path]
    else:
        assert note_of(path).read_text() == case.digest


@wrong
def test_another_file_is_set_aside_and_said(case, spoil, tmp_path):
    path = tmp_path / case.file.name
    known(path, case)
    spoil(path, case)
    assert not is_cached(offline(case), tmp_path)
    with nothing_lost(tmp_path), pytest.raises(KernexError, match="needs a connection") as caught:
        fetch(offline(case), tmp_path)
    aside = path.with_name(f"{path.stem}.set-aside-1{path.suffix}")
    assert os.path.lexists(aside)
    assert not os.path.lexists(path)
    assert f"kept as {aside.name}" in str(caught.value)
    # the place is free for what the message asks for
    with nothing_lost(tmp_path), pytest.raises(KernexError) as again:
        fetch(offline(case), tmp_path)
    assert "set-aside" not in str(again.value)
    place = re.search(r"by hand and save it as (.+)\.$", str(again.value)).group(1)
    assert place == str(path)
    Path(place).write_bytes(case.right)
    with nothing_lost(tmp_path):
        assert fetch(offline(case), tmp_path).read_bytes() == case.right


def test_several_are_set_aside_under_several_names(case, tmp_path):
    path = tmp_path / case.file.name
    known(path, case)
    taken = path.with_name(f"{path.stem}.set-aside-2{path.suffix}")
    taken.write_bytes(b"the second name is taken")
    for content in (b"first", b"second", case.edition):
        path.write_bytes(content)
        with nothing_lost(tmp_path), pytest.raises(KernexError):
            fetch(offline(case), tmp_path)
    found = {
        number: path.with_name(f"{path.stem}.set-aside-{number}{path.suffix}").read_bytes()
        for number in (1, 3, 4)
    }
    assert found == {1: b"first", 3: b"second", 4: case.edition}


@wrong
def test_a_right_download_takes_the_place_of_another_file_which_is_said(case, spoil, server, tmp_path):
    path = tmp_path / case.file.name
    known(path, case)
    spoil(path, case)
    server.files[path.name] = case.right
    with nothing_lost(tmp_path):
        made = obtain(case.at(server.address), tmp_path)
    assert made.path.read_bytes() == case.right
    assert not path.is_symlink()
    assert [each.path.name for each in made.aside] == [f"{path.stem}.set-aside-1{path.suffix}"]
    assert obtain(offline(case), tmp_path).aside == ()


def broken(server, case):
    """A line that is cut: fewer bytes than announced."""
    server.files[case.file.name] = case.right[: len(case.right) // 2]
    server.announced[case.file.name] = len(case.right)
    return "needs a connection"


def other(server, case):
    server.files[case.file.name] = case.edition
    return "another file at http"


def missing(server, case):
    return "404"


def endless(server, case):
    server.files[case.file.name] = case.right * 2 + b"0" * (case.file.most + 1)
    return "another file at http"


@pytest.mark.parametrize("spoil", [None, garbage, a_folder], ids=["nothing", "garbage", "a_folder"])
@pytest.mark.parametrize("fail", [broken, other, missing, endless], ids=lambda fail: fail.__name__)
def test_a_failed_download_leaves_what_was_there_and_nothing_of_its_own(case, fail, spoil, server, tmp_path):
    path = tmp_path / case.file.name
    known(path, case)
    if spoil:
        spoil(path, case)
    before = held(tmp_path)
    said = fail(server, case)
    with nothing_lost(tmp_path), pytest.raises(KernexError, match=said) as caught:
        fetch(case.at(server.address), tmp_path)
    assert held(tmp_path) == before
    assert not path.exists()
    assert ("kept as" in str(caught.value)) == (spoil is not None)


def test_a_cancelled_download_moves_nothing(case, server, tmp_path):
    class Cancelled(BaseException):
        pass

    def cancel(share):
        raise Cancelled

    path = tmp_path / case.file.name
    path.write_bytes(b"something else")
    server.files[path.name] = case.right
    with nothing_lost(tmp_path), pytest.raises(Cancelled):
        fetch(case.at(server.address), tmp_path, progress=cancel)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("spoil", [None, garbage, another_edition], ids=["nothing", "garbage", "edition"])
def test_fetches_at_the_same_time_agree(case, spoil, server, tmp_path):
    path = tmp_path / case.file.name
    known(path, case)
    if spoil:
        spoil(path, case)
    server.files[path.name] = case.right
    count = 4
    together = threading.Barrier(count)
    own, made, errors = threading.local(), [], []

    def meet(share):
        if share == 1.0 and not hasattr(own, "met"):  # all have downloaded before any of them is done
            own.met = True
            together.wait(timeout=PATIENCE)

    def one():
        try:
            made.append(obtain(case.at(server.address), tmp_path, progress=meet))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=one) for _ in range(count)]
    with nothing_lost(tmp_path):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []
    assert [each.path.read_bytes() for each in made] == [case.right] * count
    assert sum(len(each.aside) for each in made) == (1 if spoil else 0)
    assert len(list(tmp_path.iterdir())) == 1 + (spoil is not None) + (not case.file.sha256)


@pytest.fixture
def reachable():
    """A folder that another user may own."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


@contextlib.contextmanager
def as_nobody(*paths):
    """Run as a user for whom permissions count: they do not for the one who runs tests in a container."""
    if os.geteuid() != 0:
        yield
        return
    for path in paths:
        os.chown(path, 65534, 65534, follow_symlinks=False)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


POSIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of this system are others")


@POSIX
def test_a_file_that_cannot_be_read_stays_as_it_is(case, server, reachable):
    path = reachable / case.file.name
    path.write_bytes(case.right)
    server.files[path.name] = case.right
    with nothing_lost(reachable):
        path.chmod(0)
        with as_nobody(reachable, path):
            assert not is_cached(case.file, reachable)
            for address in (NOBODY, server.address):
                with pytest.raises(KernexError, match="left as it was") as caught:
                    fetch(case.at(address), reachable)
                assert str(path) in str(caught.value)
                assert os.listdir(reachable) == [path.name]
        path.chmod(0o600)


@POSIX
def test_in_a_folder_that_cannot_be_written_to_nothing_is_moved(case, server, reachable):
    path = reachable / case.file.name
    path.write_bytes(b"something else")
    path.chmod(0o444)
    server.files[path.name] = case.right
    reachable.chmod(0o555)
    with nothing_lost(reachable), as_nobody(reachable, path):
        for address in (NOBODY, server.address):
            with pytest.raises(KernexError, match=r"cannot be moved .+left as it was.+KERNEX_DATA"):
                fetch(case.at(address), reachable)
            assert os.listdir(reachable) == [path.name]


@POSIX
def test_the_right_file_in_a_folder_that_cannot_be_written_to_is_used(case, reachable):
    path = reachable / case.file.name
    path.write_bytes(case.right)
    path.chmod(0o444)
    reachable.chmod(0o555)
    with nothing_lost(reachable), as_nobody(reachable, path):
        made = obtain(offline(case), reachable)
    assert made.digest == case.digest  # though it cannot be written down
    assert os.listdir(reachable) == [path.name]


def test_a_note_that_is_no_digest_is_set_aside_too(tmp_path):
    case = plain_cases()["unpublished"]
    path = tmp_path / case.file.name
    path.write_bytes(case.right)
    note_of(path).write_text("to do: ask Anna")
    with nothing_lost(tmp_path):
        made = obtain(offline(case), tmp_path)
    assert [each.path.read_text() for each in made.aside] == ["to do: ask Anna"]
    assert note_of(path).read_text() == case.digest


def test_a_note_as_sha256sum_writes_it_counts(tmp_path):
    case = plain_cases()["unpublished"]
    path = tmp_path / case.file.name
    path.write_bytes(case.right)
    written = f"{case.digest.upper()}  {path.name}\n"
    note_of(path).write_text(written)
    assert obtain(offline(case), tmp_path).digest == case.digest
    assert note_of(path).read_text() == written
    path.write_bytes(case.edition)
    with pytest.raises(KernexError, match=r"which c\.sha256 says: delete that if this one is to count"):
        fetch(offline(case), tmp_path)


def test_a_check_that_fails_has_not_passed(tmp_path):
    def check(content):
        raise OverflowError("too large")

    case = plain_cases()["content"]
    path = tmp_path / case.file.name
    path.write_bytes(case.right)
    with nothing_lost(tmp_path), pytest.raises(KernexError, match=r"it cannot be read: too large"):
        fetch(replace(offline(case), content=check), tmp_path)


def test_a_file_of_any_size_is_set_aside_unread(tmp_path):
    case = plain_cases()["bytes"]
    path = tmp_path / case.file.name
    a_large_file(path, case)
    with pytest.raises(KernexError, match="300,000,000 bytes, far more than announced"):
        fetch(offline(case), tmp_path)
    assert (tmp_path / "a.set-aside-1.bin").stat().st_size == 300_000_000


def test_without_links_a_download_is_put_in_its_place_all_the_same(case, server, tmp_path, monkeypatch):
    def refused(*paths, **settings):
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refused)
    server.files[case.file.name] = case.right
    assert fetch(case.at(server.address), tmp_path).read_bytes() == case.right


def test_what_another_process_puts_there_meanwhile_is_not_overwritten(case, server, tmp_path, monkeypatch):
    path = tmp_path / case.file.name
    known(path, case)
    server.files[path.name] = case.right
    link, came = os.link, []

    def late(source, target):
        if not came:
            came.append(path.write_bytes(b"of another process"))
        return link(source, target)

    monkeypatch.setattr(os, "link", late)
    made = obtain(case.at(server.address), tmp_path)
    assert made.path.read_bytes() == case.right
    assert [each.path.read_bytes() for each in made.aside] == [b"of another process"]


def test_what_cannot_be_moved_leaves_no_name_behind(tmp_path, monkeypatch):
    path = tmp_path / "a.zip"
    path.write_bytes(b"a")

    def refused(self, target):
        raise PermissionError(13, "in use")

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError):
        set_aside(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("entry", PUBLIC_DATASETS, ids=lambda entry: entry.name)
def test_a_data_set_is_read_from_files_by_hand_and_says_what_was_moved(entry, cases, server, tmp_path):
    here = [cases[file.name] for file in entry.files]
    moved = replace(
        entry, file=here[0].at(server.address), beside=tuple(each.at(server.address) for each in here[1:])
    )
    with pytest.raises(KernexError, match=r"has to be available|needs a connection"):
        moved.load(tmp_path)
    for each in here:
        (tmp_path / each.file.name).write_bytes(each.right)
    data = moved.load(tmp_path)
    assert moved.cached(tmp_path)
    assert not any("kept as" in note.text for note in data.notes)
    assert sum("SHA-256" in note.text for note in data.notes) == sum(not file.sha256 for file in entry.files)
    for each in here:
        (tmp_path / each.file.name).write_bytes(b"scratched")
        server.files[each.file.name] = each.right
    with nothing_lost(tmp_path):
        again = moved.load(tmp_path)
    said = [note.text for note in again.notes if "kept as" in note.text]
    assert len(said) == len(here)
    for each, text in zip(here, said, strict=True):
        assert text.startswith(f"What was there as {each.file.name} is another file (")


@pytest.mark.parametrize("name", ["mutag", "scope40"])
def test_offline_the_whole_way_by_hand(name, cases, tmp_path, monkeypatch):
    """As a visitor goes it: asked, told where to save, saved another edition, told, saved the right one."""
    entry = next(each for each in PUBLIC_DATASETS if each.name == name)
    case = cases[entry.file.name]
    monkeypatch.setattr(
        "kernex_core.datasets.fetched.fetch.PUBLIC_DATASETS", (replace(entry, file=offline(case)),)
    )
    with pytest.raises(KernexError, match="save it as"):
        fetch_dataset(name, tmp_path)
    path = tmp_path / case.file.name
    path.write_bytes(b"Not found")
    with nothing_lost(tmp_path), pytest.raises(KernexError, match="kept as"):
        fetch_dataset(name, tmp_path)
    path.write_bytes(case.right)
    with nothing_lost(tmp_path):
        assert fetch_dataset(name, tmp_path).n > 1
    with nothing_lost(tmp_path), pytest.raises(InvalidInputError, match="is one of"):
        fetch_dataset("no such name", tmp_path)
