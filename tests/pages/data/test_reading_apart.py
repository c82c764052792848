"""The page Data on a server that has readers: whatever becomes of one, the page goes on."""

import gc
import sys
from pathlib import Path

import pytest

from kernex_core.inputs.upload import Upload
from pages.server.readers import pool as pool_module
from pages.server.readers.pool import Pool
from pages.server.readers.stopped import Limits
from tests.pages.server.readers import misbehaving
from tests.patience import PATIENCE

PAGE = "data/data.py"
TABLE = b"id,a,b,c\nx,1,0.5,2\ny,0.5,1,3\nz,3,4,5\n"
LABELS = b"id,label\nx,p\ny,q\nz,p\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")


@pytest.fixture(scope="module")
def readers():
    made = Pool(limits=Limits(1_000_000_000, PATIENCE, wall=2.0), program=Path(misbehaving.__file__))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _on_this_server(readers, monkeypatch):
    monkeypatch.setattr(pool_module, "_pool", readers)


def shown(at):
    blocks = [*at.markdown, *at.caption, *at.error]
    return " ".join(block.value.replace("\\", "").replace("\u2060", "") for block in blocks)


def buttons(at, ending):
    return [each for each in at.button if each.key and each.key.endswith(ending)]


def test_files_are_read_and_added_as_ever(open_page_test):
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("table.csv", TABLE).run()
    at.file_uploader[0].upload("labels.csv", LABELS).run()
    assert not at.exception
    assert not at.error
    at.button(key="data.add").click().run()
    data = at.session_state["kernex"].seen.entries["table"].dataset
    assert data.ids == ("x", "y", "z")
    assert data.labels.y.tolist() == ["p", "q", "p"]


def test_a_file_that_ends_its_reader_is_one_sentence_beside_the_others(open_page_test):
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("table.csv", TABLE).run()
    at.file_uploader[0].upload("bad.xlsx", b"segv").run()
    assert not at.exception
    assert len(at.error) == 1
    assert "crashed (SIGSEGV)" in shown(at)
    assert "1 file that cannot be read" in shown(at)
    at.button(key="data.add").click().run()
    assert at.session_state["kernex"].seen.entries["table"].dataset.n == 3


def test_a_file_whose_reader_was_stopped_is_read_again_by_a_click_and_not_before(open_page_test, tmp_path):
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("once.csv", f"abort {tmp_path}".encode()).run()
    assert "crashed (SIGABRT)" in shown(at)
    at.run()
    assert "crashed (SIGABRT)" in shown(at)
    (again,) = buttons(at, ".again")
    again.click().run()
    assert not at.exception
    assert not at.error
    assert not buttons(at, ".again")
    at.button(key="data.add").click().run()
    assert at.session_state["kernex"].seen.entries["once"].dataset.ids == ("x", "y", "z")


def test_nothing_keeps_the_bytes_of_a_file_that_was_refused_and_put_away(open_page_test):
    """An error that is kept as it was raised keeps the frames that it went through, and the file in them."""
    at = open_page_test(PAGE)
    for name, content in (("no.csv", b"\x89PNG" + bytes(9_999)), ("bad.csv", b"segv" + b" " * 9_999)):
        at.file_uploader[0].upload(name, content).run()
        (away,) = buttons(at, ".away")
        at.run()
        away.click().run()
    at.run()
    assert not at.exception
    gc.collect()
    found = [
        each
        for each in gc.get_objects()
        if isinstance(each, Upload) and each.filename in ("no.csv", "bad.csv")
    ]
    assert [each.filename for each in found] == []


def test_what_a_file_is_refused_for_is_asked_once(open_page_test, readers):
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("empty.csv", b"\n\n").run()
    assert "empty" in shown(at)
    asked = next(readers._numbers)
    at.run()
    assert next(readers._numbers) == asked + 1
    assert not buttons(at, ".again")
