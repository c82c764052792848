"""Compiled loops are known by who waits for them, and a tiny computation reaches each of them."""

import importlib
import subprocess
import sys

import pytest

from kernex_core.base import jit
from kernex_core.kernels.catalogue import KERNELS
from kernex_core.studies.loops import LOOPS, load
from tests.conftest import REPOSITORY

FALLBACKS = {("smith_waterman", "local_scores"), ("subgraphs", "descended")}
"""Where pyopal does not serve; of graphs with more than a million subgraphs."""


def loops_of_the_core():
    for path in sorted((REPOSITORY / "kernex_core").rglob("*.py")):
        if "\n@jit" in path.read_text("utf-8"):
            module = importlib.import_module(".".join(path.relative_to(REPOSITORY).with_suffix("").parts))
            yield from (each for each in vars(module).values() if isinstance(each, jit.Loop))


def reached(loop):
    """Names of the loop and of all that it calls, which are compiled with it."""
    function = loop.__wrapped__
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    inside = (reached(each) for each in called if isinstance(each, jit.Loop))
    return {(loop.__module__.rpartition(".")[2], loop.__name__)}.union(*inside)


def test_every_loop_is_compiled_before_somebody_waits_for_it():
    pytest.importorskip("numba")
    for each in LOOPS:
        each.run()
    known = list(loops_of_the_core())
    called = {name for each in known if each.made.signatures for name in reached(each)}
    assert {name for each in known for name in reached(each)} - called <= FALLBACKS


def test_what_was_compiled_is_loaded_and_asked_for_by_name():
    pytest.importorskip("numba")
    first = LOOPS[0]
    command = [sys.executable, "-m", "kernex_core.studies.loops", "asked"]
    done = subprocess.run(
        command, cwd=REPOSITORY, input=f"{first.name}\n", capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{first.name}\n"
    assert load(first)


def test_names_tell_them_apart_and_kernels_are_of_the_catalogue():
    assert len({each.name for each in LOOPS}) == len(LOOPS)
    assert {kernel for each in LOOPS for kernel in each.kernels} <= set(KERNELS)
    assert sum(each.judges for each in LOOPS) == 1
