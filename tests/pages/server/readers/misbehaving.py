"""A reader that does what a library with an error would do: the program of tests, and what they ask of it."""

import ctypes
import os
import re
import sys
import time
from pathlib import Path

NAME = "tests.pages.server.readers.misbehaving"


def well(file):
    return len(file.packed)


def pid(file):
    return os.getpid()


def moment(file):
    return time.monotonic_ns()


def begun(file):
    """Say in a folder which process reads, and do not end."""
    Path(file.packed.decode(), str(os.getpid())).touch()
    while True:
        time.sleep(60.0)


def gate(file):
    """End where somebody opens."""
    folder = Path(file.packed.decode().strip())
    (folder / "waits").touch()
    while not (folder / "open").exists():
        time.sleep(0.005)
    return time.monotonic_ns()


def segv(file):
    ctypes.string_at(0)


def abort(file):
    os.abort()


def leave(file):
    os._exit(3)


def endless_memory(file):
    kept = []
    while True:
        kept.append(bytearray(b"x") * 20_000_000)


def spin(file):
    while True:
        pass


def hang(file):
    while True:
        time.sleep(60.0)


def in_c(file):
    """Hold the interpreter in C, where no signal of Python's comes through."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def raises(file):
    raise RuntimeError("an error of a library\nwith two lines")


def strange(file):
    return object()


def writes(file):
    """Write into what no reader has to write to."""
    Path(file.packed.decode(), "written").write_text("x")


def environment(file):
    return tuple(sorted(os.environ))


def prints(file):
    print("said to nobody", flush=True)
    os.write(1, b"KRX1")
    return sys.stdin.read()


MISDEEDS = (
    *(well, pid, moment, begun, gate, segv, abort, leave, endless_memory, spin, hang, in_c, raises, strange),
    *(writes, environment, prints),
)
for each in MISDEEDS:
    each.__module__ = NAME


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
    from pages.server.readers import child

    prepare = child.prepare

    def with_misdeeds(paths):
        prepare(paths)
        from kernex_core.inputs.upload import Upload
        from pages.server.readers import tasks

        look = tasks.look

        def look_or_misbehave(file):
            """Do what a file says, once where it also names a folder to remember that in."""
            word, _, folder = file.packed.decode("latin-1").strip().partition(" ")
            mark = Path(folder, "done")
            if word not in globals() or (folder and mark.exists()):
                return look(Upload("table.csv", b"id,a,b\nx,1,0.5\ny,0.5,1\nz,3,4\n") if folder else file)
            if folder:
                mark.touch()
            return globals()[word](file)

        tasks.TASKS.update({tasks.name_of(each): each for each in MISDEEDS})
        tasks.TASKS[tasks.name_of(look)] = look_or_misbehave

    child.prepare = with_misdeeds
    child.main()
