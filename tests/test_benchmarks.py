"""Every benchmark runs on a small scale: whatever it imports, calls and prints is there. Times are not looked at.

A benchmark has `main`, which reads its arguments, and `SMALL`: module constants and what the test sets them to.
"""

import contextlib
import importlib
import math

import numpy as np
import pytest

from benchmarks import moves, visitors
from benchmarks.load import server
from pages.server import navigation
from tests.conftest import REPOSITORY

NAMES = sorted(path.stem for path in (REPOSITORY / "benchmarks").glob("*.py"))
NEED_DATA = {"string_kernel_tables": "promoters"}


def arguments(name, module, folder):
    """What the benchmark is called with: its own small arguments, or data that are written here."""
    if name not in NEED_DATA:
        return getattr(module, "SMALL_ARGUMENTS", [])
    rng, path = np.random.default_rng(0), folder / "promoters.data"
    strings = ("".join(rng.choice(list("acgt"), 57)) for _ in range(12))
    path.write_text(
        "".join(f"{'+-'[k % 2]},S{k},\t{string}\n" for k, string in enumerate(strings)), encoding="utf-8"
    )
    return [NEED_DATA[name], str(path)]


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_on_a_small_scale(name, monkeypatch, tmp_path, capsys):
    module = importlib.import_module(f"benchmarks.{name}")
    for constant, value in module.SMALL.items():
        assert hasattr(module, constant)
        monkeypatch.setattr(module, constant, value)
    monkeypatch.setattr(server, "IDLE", math.inf)  # nobody waits until the app has prepared everything
    monkeypatch.setattr("sys.argv", [name, *arguments(name, module, tmp_path)])
    with contextlib.suppress(SystemExit):  # what went wrong is said, too
        module.main()
    said = capsys.readouterr().out
    assert said.strip()
    assert not [word for word in ("NOT EQUAL", "ANOTHER", "left out", "Error", "Disturbed") if word in said]


def test_moves_are_of_pages_that_there_are():
    """All moves take minutes, so one is made above; an address that leads on is followed by browsers alone."""
    addresses = {entry.url_path for entry in navigation.ENTRIES}
    assert {move.page for move in moves.MOVES} | {page for page, _, _ in visitors.PAGES} <= addresses
