"""Threads share a few places that memory comes from, and what is free goes back to the system, where that is glibc's."""

import ctypes
import ctypes.util
import subprocess
import sys
import textwrap
import weakref
from types import SimpleNamespace

import pytest
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.server import health, warmup
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_info"), reason="of another C library"
)

COUNTED = """
    import ctypes, re, tempfile, threading
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.fopen.restype = ctypes.c_void_p
    libc.malloc_info.argtypes, libc.fclose.argtypes = [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
    THREADS = 12
    met = threading.Barrier(THREADS)

    def take():
        met.wait()
        libc.malloc(5_000)
        met.wait()  # all are alive at the same time: none takes over what another has left

    threads = [threading.Thread(target=take) for _ in range(THREADS)]
    for each in threads: each.start()
    for each in threads: each.join()
    with tempfile.NamedTemporaryFile() as file:
        stream = libc.fopen(file.name.encode(), b"w")
        libc.malloc_info(0, stream)
        libc.fclose(stream)
        print(len(re.findall(r"<heap nr=", open(file.name).read())))
"""

FREED = """
    from pathlib import Path
    def resident(): return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    many = [bytes(2_000) for _ in range(50_000)]
    last = bytes(2_000)  # lies behind them: nothing shrinks from the end
    before = resident()
    del many
    kept = resident()
    give_back()
    print(before - kept, before - resident())
"""


def run(code):
    code = "from pages.server.warmup import give_back, use_few_arenas\n" + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, timeout=PATIENCE, check=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONMALLOC": "malloc"},
    )  # fmt: skip
    return [int(word) for word in done.stdout.split()]


def test_many_threads_take_their_memory_from_a_few_places():
    from pages.server.warmup import ARENAS

    (shared,) = run("use_few_arenas()" + COUNTED.replace("\n    ", "\n"))
    (alone,) = run(COUNTED)
    assert shared <= ARENAS < alone


def test_what_is_free_goes_back_to_the_system():
    by_itself, given = run(FREED)
    assert by_itself < 25_000_000
    assert given > 75_000_000


class Session:
    """What Streamlit keeps of one, as far as it is asked here."""

    def __init__(self, name):
        self.session = SimpleNamespace(id=name)


@pytest.fixture
def sessions(monkeypatch):
    """What Streamlit keeps of closed tabs, a clock for it, and those that are looked after."""
    storage, now = MemorySessionStorage(ttl_seconds=120), [0.0]
    storage._cache = TTLCache(maxsize=128, ttl=120, timer=lambda: now[0])
    server = SimpleNamespace(
        _session_mgr=SimpleNamespace(_session_storage=storage, list_sessions=storage.list),
        uploaded_file_mgr=MemoryUploadedFileManager("/upload"),
    )
    monkeypatch.setattr(warmup.runtime, "get_instance", lambda: server)
    return storage, now, health.Sessions()


def test_sessions_that_have_left_are_let_go_without_anybody_coming(sessions, monkeypatch):
    storage, now, looked_after = sessions
    files = warmup.runtime.get_instance().uploaded_file_mgr
    for name in ("first", "second"):
        storage.save(Session(name))
        files.add_file(name, UploadedFileRec("1", "a.csv", "text/csv", b"1,2"))
        assert not looked_after.end_left()
        now[0] += 100.0
    held = weakref.ref(storage._cache._data["first"])
    assert looked_after.end_left()
    assert held() is None
    # whoever still holds the session, as Streamlit's loop does the last one, its files are gone
    assert list(files.file_storage) == ["second"]
    assert [info.session.id for info in storage.list()] == ["second"]
    assert not looked_after.end_left()
    monkeypatch.setattr(
        warmup.runtime, "get_instance", lambda: None
    )  # of a release that calls them otherwise
    looked_after.end_left()
    assert not looked_after.end_left()


def test_a_session_that_somebody_else_let_go_has_ended_too(sessions):
    """Whoever comes lets Streamlit look at the time: what it ended was collected by nobody."""
    storage, now, looked_after = sessions
    storage.save(Session("first"))
    assert not looked_after.end_left()
    now[0] += 130.0
    storage.save(Session("second"))
    assert storage.get("first") is None
    assert looked_after.end_left()
    assert not looked_after.end_left()
