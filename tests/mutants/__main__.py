"""Plant every mutation, run the tests that have to see it, and print those that none sees: `make mutants`.

Usage: python -m tests.mutants [WORD ...], where words choose mutants by their name or file.

Mutations are planted in copies of the repository, one a process, never in itself. A mutant is killed where its tests fail;
where they cannot be run, or do not end, that is an error, not a death.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.conftest import REPOSITORY
from tests.mutants.core import CORE
from tests.mutants.mutant import Mutant, Stale
from tests.mutants.pages import PAGES

PROCESSES = 2
LONGEST = 600
"""Seconds after which tests are given up."""
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis")


def main(words: list[str]) -> int:
    """Return 0 where every mutant is killed."""
    chosen = [
        one for one in (*CORE, *PAGES) if not words or any(w in f"{one.what} {one.file}" for w in words)
    ]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(PROCESSES):
            copies.put(Path(shutil.copytree(REPOSITORY, Path(folder) / str(number), ignore=LEFT_OUT)))
        with ThreadPoolExecutor(PROCESSES) as pool:
            sound = list(pool.map(lambda tests: run(copies, None, tests), unmutated(chosen)))
            if bad := [said for said in sound if said[0] != "lives"]:
                print("Tests fail before anything is planted:", *(said[1] for said in bad), sep="\n")
                return 1
            outcomes = list(pool.map(lambda one: judged(copies, one), chosen))
    survivors = [one for one, (outcome, _) in zip(chosen, outcomes, strict=True) if outcome != "killed"]
    print(
        f"{len(chosen)} mutants, {len(chosen) - len(survivors)} killed; survivors: {len(survivors) or 'none'}"
    )
    for one in survivors:
        print(f"  {one.what} ({one.file})")
    return 1 if survivors or not chosen else 0


def unmutated(chosen: list[Mutant]) -> list[str]:
    """Tests that have to pass before anything is planted, in as few runs as there are processes."""
    files = sorted({name for one in chosen for name in one.tests.partition(" -k ")[0].split()})
    return [" ".join(files[k::PROCESSES]) for k in range(PROCESSES) if files[k::PROCESSES]]


def judged(copies: SimpleQueue[Path], one: Mutant) -> tuple[str, str]:
    """What became of a mutant; printed as soon as it is known."""
    started = time.monotonic()
    outcome, output = run(copies, one, one.tests)
    said = f"{outcome:>8} {time.monotonic() - started:5.1f} s  {one.what} ({one.file})\n"
    print(said + (output if outcome == "error" else ""), end="", flush=True)
    return outcome, output


def run(copies: SimpleQueue[Path], one: Mutant | None, tests: str) -> tuple[str, str]:
    """Run tests in a copy, with a mutation planted or without: "killed", "lives" or "error", and what pytest says."""
    copy = copies.get()
    try:
        if one is None:
            return tested(copy, tests)
        try:
            path, text = copy / one.file, one.planted(copy)
        except Stale as stale:  # the others are planted all the same
            return "error", f"{stale}\n"
        before, stamp = path.read_bytes(), path.stat()
        try:
            path.write_text(text, encoding="utf-8")
            # what is compiled of a file is known by its time: never that of another mutant
            later = stamp.st_mtime_ns + 10_000_000_000 * (1 + abs(hash(one)) % 10_000_000)
            os.utime(path, ns=(later, later))
            return tested(copy, tests)
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    finally:
        copies.put(copy)


def tested(copy: Path, tests: str) -> tuple[str, str]:
    """Run tests of a copy with its own code."""
    files, _, words = tests.partition(" -k ")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files.split()]
    command += ["-k", words] if words else []
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "",
        "KERNEX_SHARED": str(copy / "none"),
    }
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return "error", f"{tests}: no answer within {LONGEST} seconds"
    outcome = {0: "lives", 1: "killed"}.get(done.returncode, "error")
    return outcome, f"{tests}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
