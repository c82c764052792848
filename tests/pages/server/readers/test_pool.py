"""Whatever becomes of a reader: a sentence, the next file is read, and nothing is left."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kernex_core import InvalidInputError
from kernex_core.inputs.upload import Upload
from pages.server.readers import pool as pool_module
from pages.server.readers import tasks
from pages.server.readers.pool import SMALL, Pool
from pages.server.readers.stopped import Limits, ReaderStoppedError
from tests.conftest import REPOSITORY
from tests.pages.server.readers import misbehaving
from tests.patience import PATIENCE, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")
MODES = [
    pytest.param(True, id="forking", marks=pytest.mark.skipif(sys.platform != "linux", reason="not here"))
]
MODES += [pytest.param(False, id="staying")]
PROGRAM = Path(misbehaving.__file__)
AMPLE = Limits(memory=1_000_000_000, seconds=PATIENCE, wall=2.0)
"""What no test comes near on the slowest machine."""
FILE = Upload("x.csv", b"id,a,b\nx,1,0.5\ny,0.5,1\nz,3,4\n")


class Left(BaseException):
    """What a run of a page raises that is to end."""


@pytest.fixture
def made():
    pools = []

    def make(readers=1, forks=sys.platform == "linux", limits=AMPLE):
        pools.append(Pool(readers, forks=forks, limits=limits, program=PROGRAM))
        return pools[-1]

    yield make
    for each in pools:
        each.close()


@pytest.fixture(scope="module", params=MODES)
def ample(request):
    pool = Pool(1, forks=request.param, limits=AMPLE, program=PROGRAM)
    yield pool
    pool.close()


def is_gone(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        if sys.platform == "linux":
            return True
        try:
            os.kill(pid, 0)
        except OSError:
            return True
        return False
    return state == "Z"


def in_thread(work, *args, **more):
    """Start work in a thread; its result, or what it raised, in a list, once it has ended."""
    result = []

    def run():
        try:
            result.append(work(*args, **more))
        except BaseException as error:
            result.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, result


def test_a_file_is_read_as_in_this_process(ample):
    assert ample.read("a", tasks.look, FILE).read.result.digest == tasks.look(FILE).read.result.digest
    assert ample.read("a", misbehaving.pid, FILE) != os.getpid()


def test_what_is_wrong_with_a_file_is_the_same_error(ample):
    with pytest.raises(InvalidInputError, match="which is empty"):
        ample.read("a", tasks.look, Upload("x.csv", b" "))


@pytest.mark.parametrize(
    ("misdeed", "said"),
    [
        (misbehaving.segv, "crashed .SIGSEGV"),
        (misbehaving.abort, "crashed .SIGABRT"),
        (misbehaving.leave, "crashed .exit code 3"),
        (misbehaving.raises, "something went wrong"),
        (misbehaving.strange, "something went wrong"),
    ],
)
def test_a_crash_is_a_sentence_and_the_next_file_is_read(ample, misdeed, said, caplog):
    with pytest.raises(ReaderStoppedError, match=said) as caught:
        ample.read("a", misdeed, FILE)
    assert "x.csv" in caught.value.expected
    assert "what else is open stays" in caught.value.remedy
    assert all("\n" not in record.getMessage() for record in caplog.records)
    assert ample.read("a", misbehaving.well, FILE) == len(FILE.packed)


@pytest.mark.parametrize(
    ("misdeed", "limits", "said"),
    [
        (misbehaving.endless_memory, Limits(100_000_000, PATIENCE, wall=2.0), "more than 0.1 GB of memory"),
        (misbehaving.spin, Limits(seconds=0.5, wall=PATIENCE), "of a processor"),
        (misbehaving.hang, Limits(seconds=0.5, wall=1.0), "of a processor"),
        (misbehaving.in_c, Limits(seconds=0.5, wall=PATIENCE), "of a processor"),
    ],
)
def test_a_limit_is_a_sentence_and_the_next_file_is_read(ample, monkeypatch, misdeed, limits, said):
    with monkeypatch.context() as bounded:
        bounded.setattr(ample, "limits", limits)
        with pytest.raises(ReaderStoppedError, match=said):
            ample.read("a", misdeed, FILE)
    assert ample.read("a", misbehaving.well, FILE) == len(FILE.packed)


def test_a_page_that_goes_away_ends_what_it_has_asked_for(ample, tmp_path):
    """Stop and a closed tab end a run of the page: what it does while it waits raises."""

    def leave(reading):
        if list(tmp_path.iterdir()):
            raise Left

    with pytest.raises(Left):
        ample.read("a", misbehaving.begun, Upload("x", str(tmp_path).encode()), pulse=leave)
    (mark,) = tmp_path.iterdir()
    until(lambda: is_gone(int(mark.name)))
    assert ample.read("a", misbehaving.well, FILE) == len(FILE.packed)


def test_a_page_that_goes_away_before_its_turn_costs_nobody_anything(made, tmp_path):
    pool = made()
    thread, found = in_thread(pool.read, "a", misbehaving.gate, Upload("x", str(tmp_path).encode()))
    until(lambda: (tmp_path / "waits").exists())
    with pytest.raises(Left):
        pool.read("b", misbehaving.well, FILE, pulse=lambda reading: (_ for _ in ()).throw(Left))
    (tmp_path / "open").touch()
    thread.join(PATIENCE)
    assert found[0] > 0
    assert not pool._lines


def test_a_reader_that_was_killed_while_idle_is_replaced_without_a_word(ample):
    first = ample.read("a", misbehaving.pid, FILE)
    os.kill(ample.readers[0].pid, signal.SIGKILL)
    assert ample.read("a", misbehaving.pid, FILE) != first


def test_a_reader_that_is_killed_from_outside_is_a_sentence(ample, tmp_path):
    thread, found = in_thread(ample.read, "a", misbehaving.begun, Upload("x.csv", str(tmp_path).encode()))
    until(lambda: list(tmp_path.iterdir()))
    os.kill(int(next(tmp_path.iterdir()).name), signal.SIGKILL)
    thread.join(PATIENCE)
    assert isinstance(found[0], ReaderStoppedError)
    assert "the system stopped it" in found[0].found
    assert ample.read("a", misbehaving.well, FILE) == len(FILE.packed)


def test_the_file_of_a_neighbour_goes_on(made, tmp_path):
    pool = made(2)
    thread, found = in_thread(pool.read, "b", misbehaving.gate, Upload("x", str(tmp_path).encode()))
    until(lambda: (tmp_path / "waits").exists())
    for misdeed in (misbehaving.segv, misbehaving.abort, misbehaving.leave):
        with pytest.raises(ReaderStoppedError):
            pool.read("a", misdeed, FILE)
    (tmp_path / "open").touch()
    thread.join(PATIENCE)
    assert isinstance(found[0], int)


def test_visitors_take_turns(made, tmp_path):
    pool = made()
    gate, _ = in_thread(pool.read, "a", misbehaving.gate, Upload("x", str(tmp_path).encode()))
    until(lambda: (tmp_path / "waits").exists())
    waiting = []
    for place, visitor in enumerate("aaab", 1):
        waiting.append(in_thread(pool.read, visitor, misbehaving.moment, FILE))
        until(lambda place=place: sum(map(len, pool._lines.values())) == place)
    (tmp_path / "open").touch()
    for thread in (gate, *(thread for thread, _ in waiting)):
        thread.join(PATIENCE)
    *own, other = (found[0] for _, found in waiting)
    assert other < own[1] < own[2]


def test_a_small_file_never_waits_for_large_ones(made, tmp_path):
    pool = made(2)
    large = str(tmp_path).encode().ljust(SMALL + 1)
    first, found = in_thread(pool.read, "a", misbehaving.gate, Upload("x", large))
    until(lambda: (tmp_path / "waits").exists())
    second, _ = in_thread(pool.read, "a", misbehaving.well, Upload("y", large))
    assert pool.read("a", misbehaving.well, FILE) == len(FILE.packed)
    assert not found
    (tmp_path / "open").touch()
    for thread in (first, second):
        thread.join(PATIENCE)


def test_a_file_never_waits_for_a_process_that_starts_where_another_is_free(made, tmp_path):
    pool = made(2)
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(600)")
    first, _ = in_thread(pool.read, "a", misbehaving.gate, Upload("x", str(tmp_path).encode()))
    until(lambda: (tmp_path / "waits").exists())
    pool.program = tmp_path / "slow.py"
    second, found = in_thread(pool.read, "b", misbehaving.well, FILE)
    until(lambda: all(each._child for each in pool.readers))
    assert not found
    (tmp_path / "open").touch()
    for thread in (first, second):
        thread.join(PATIENCE)
    assert found == [len(FILE.packed)]


def test_the_page_is_told_whether_a_file_waits_or_is_read(made, tmp_path):
    pool, seen, waiting = made(), [], []

    def note(reading):
        seen.append(reading)
        if len(seen) > 2 and not waiting:
            waiting.append(in_thread(pool.read, "b", misbehaving.well, FILE, pulse=other.append))
        if len(other) > 2:
            (tmp_path / "open").touch()

    other = []
    pool.read("a", misbehaving.gate, Upload("x", str(tmp_path).encode()), pulse=note)
    assert seen[-1] is True
    assert other[:2] == [False, False]
    waiting[0][0].join(PATIENCE)


def test_a_reader_writes_nothing_and_what_it_prints_is_no_answer(ample, tmp_path):
    assert ample.read("a", misbehaving.prints, FILE) == ""
    with pytest.raises(ReaderStoppedError):
        ample.read("a", misbehaving.writes, Upload("x", str(tmp_path).encode()))
    assert not (tmp_path / "written").exists() or not (tmp_path / "written").stat().st_size
    assert ample.read("a", misbehaving.well, FILE) == len(FILE.packed)


def test_a_reader_does_not_know_the_settings_of_the_server(made, monkeypatch):
    monkeypatch.setenv("KERNEX_TOKEN", "a few words")
    assert not [name for name in made().read("a", misbehaving.environment, FILE) if "KERNEX" in name]


def test_a_program_that_cannot_start_is_a_sentence(tmp_path, caplog):
    (tmp_path / "nothing.py").write_text("raise SystemExit(1)")
    pool = Pool(1, limits=AMPLE, program=tmp_path / "nothing.py")
    with pytest.raises(ReaderStoppedError, match="could not be started"):
        pool.read("a", misbehaving.well, FILE)
    assert "could not be started" in caplog.text
    pool.close()


@pytest.mark.parametrize("forks", MODES)
def test_nothing_is_left_when_the_server_ends(made, forks, tmp_path):
    pool = made(1, forks)
    thread, found = in_thread(pool.read, "a", misbehaving.begun, Upload("x.csv", str(tmp_path).encode()))
    until(lambda: list(tmp_path.iterdir()))
    known = {pool.readers[0].pid, int(next(tmp_path.iterdir()).name)}
    pool.close()
    thread.join(PATIENCE)
    assert isinstance(found[0], ReaderStoppedError)
    until(lambda: all(map(is_gone, known)))
    with pytest.raises(ReaderStoppedError):
        pool.read("a", misbehaving.well, FILE)


SERVER = """
import sys
from pathlib import Path
from kernex_core.inputs.upload import Upload
from pages.server.readers.pool import Pool
from pages.server.readers.stopped import Limits
from tests.pages.server.readers import misbehaving
pool = Pool(1, forks=sys.argv[2] == "True", limits=Limits(seconds=600.0), program=Path(misbehaving.__file__))
pool.read("a", misbehaving.well, Upload("x", b"x"))
print(pool.readers[0].pid, flush=True)
pool.read("a", misbehaving.begun, Upload("x", sys.argv[1].encode()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a busy reader ends with its alarm")
@pytest.mark.parametrize("forks", MODES)
def test_nothing_is_left_where_the_server_is_killed(forks, tmp_path):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path), str(forks)], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    try:
        nursery = int(server.stdout.readline())
        until(lambda: list(tmp_path.iterdir()))
        reading = int(next(tmp_path.iterdir()).name)
    finally:
        server.kill()
        server.wait(PATIENCE)
        server.stdout.close()
    until(lambda: is_gone(nursery) and is_gone(reading))


def test_a_server_without_readers_has_none():
    assert pool_module.pool() is None
