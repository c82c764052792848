"""Processes and a cluster compute what threads do, bit for bit, and go on where one of them ends."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from kernex_core import Graph, InvalidInputError, KernexError
from kernex_core.kernels.graphs.all_walks import GeometricWalk
from kernex_core.kernels.graphs.tree_pattern import TreePattern
from kernex_core.kernels.graphs.walks import WalkOfOrder
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.runtime import executors, workers
from kernex_core.runtime.executors import in_order, spread_in_steps, worker_count
from tests.kernex_core.runtime.test_units import STUDIES
from tests.patience import until

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def cluster():
    import dask
    from distributed import LocalCluster

    quickly = {"distributed.scheduler.allowed-failures": 1}
    with (
        dask.config.set(quickly),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as found,
    ):
        yield found.scheduler_address
        workers.close()


@pytest.fixture(params=["processes", "cluster"])
def elsewhere(request, monkeypatch):
    """Two workers, of either kind."""
    if request.param == "processes":
        monkeypatch.setenv("KERNEX_PROCESSES", "2")
    else:
        monkeypatch.setenv("KERNEX_CLUSTER", request.getfixturevalue("cluster"))


@pytest.fixture
def threads(monkeypatch):
    """What the same function gives on threads."""

    def same(function):
        with monkeypatch.context() as here:
            here.delenv("KERNEX_PROCESSES", raising=False)
            here.delenv("KERNEX_CLUSTER", raising=False)
            return function()

    return same


def strings(rng, n):
    letters = np.array(list("ACDEFGHIKLMNPQRSTVWY"))
    return ["".join(rng.choice(letters, size)) for size in rng.integers(5, 90, n)]


def graphs(rng, n, labels):
    rings = [[(v, (v + 1) % size) for v in range(size)] for size in rng.integers(4, 9, n)]
    return [
        Graph(len(ring), ring, rng.choice(["C", "O"], len(ring)).tolist() if labels else None)
        for ring in rings
    ]


def test_all_pairs_are_the_same_bits(elsewhere, threads, rng):
    words, labelled, plain = strings(rng, 12), graphs(rng, 6, True), graphs(rng, 6, False)
    for kernel, samples in (
        (SmithWaterman(), words),
        (LocalAlignment(log=True), words),
        (Subsequence(), words),
        (WalkOfOrder(n=3), labelled),
        (GeometricWalk(), labelled),
        (GeometricWalk(), plain),
        (TreePattern(), labelled),
    ):
        for ask in (partial(kernel.gram, samples), partial(kernel.cross, samples[:4], samples[4:])):
            assert np.array_equal(ask(), threads(ask)), kernel


def test_a_tournament_is_the_same_bits(elsewhere, threads, monkeypatch):
    monkeypatch.setattr(executors, "is_patient", lambda: True)  # as on a page
    assert STUDIES["tournament"]() == threads(STUDIES["tournament"])


def test_several_compute_elsewhere_and_data_travel_once(elsewhere, monkeypatch):
    assert worker_count() == 2
    shared, brought = np.arange(100_000.0), []
    keep = workers.workers().keep
    monkeypatch.setattr(
        workers.workers(), "keep", lambda data: brought.append(data.nbytes) or keep(data), raising=False
    )
    for exponent in (1, 2):
        found = in_order(partial(_power_of_sum, shared, exponent), range(6))
        assert [value for value, _ in found] == [(shared.sum() + k) ** exponent for k in range(6)]
        assert os.getpid() not in {process for _, process in found}
    assert sum(size >= shared.nbytes for size in brought) == 1


def _power_of_sum(shared, exponent, k):
    return (shared.sum() + k) ** exponent, os.getpid()


def test_arrays_arrive_as_they_were(elsewhere):
    open_, shut = np.zeros((200, 100)), np.asfortranarray(np.ones((200, 100)))
    shut.flags.writeable = False
    assert in_order(partial(_flags, open_, shut), range(3)) == [(True, False, True)] * 3
    assert not open_.any()


def _flags(one, other, k):
    flags = one.flags.writeable, other.flags.writeable, other.flags.f_contiguous
    one[:] = k  # of its own
    return flags


def test_a_worker_that_ends_is_replaced_and_the_result_is_the_same(elsewhere, tmp_path, caplog):
    K = np.arange(160_000.0).reshape(400, 400)
    found = in_order(partial(_ends_once, tmp_path / "it ended", K), range(12))
    assert found == [float(K[k].sum()) for k in range(12)]
    in_order(partial(_ends_once, tmp_path / "it ended", K), range(2))  # all are there again, and that is seen
    until(lambda: worker_count() == 2)
    assert "ended, and others do" in caplog.text


def _ends_once(ended, K, k):
    if k == 5 and not ended.exists():
        ended.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(K[k].sum())


def test_what_is_wrong_is_said_as_it_is_here(elsewhere):
    with pytest.raises(InvalidInputError) as told:
        in_order(_wrong, range(4))
    assert str(told.value) == "So it has to be. Found: 2. Do this."


def _wrong(k):
    if k == 2:
        raise InvalidInputError("So it has to be", "2", "Do this")


def test_whoever_stops_does_not_wait_for_what_runs(elsewhere, tmp_path):
    gate = tmp_path / "open"
    steps = spread_in_steps(partial(_waits_for, gate), range(8))
    assert next(steps) == []
    steps.close()  # else it never ends, for the gate is opened below
    gate.touch()
    assert in_order(partial(_waits_for, gate), range(4)) == [0, 1, 2, 3]


def _waits_for(gate, k):
    until(gate.exists)
    return k


def test_what_is_spread_inside_is_done_there(elsewhere):
    assert in_order(_spreads, range(4)) == [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]]


def _spreads(k):
    return in_order(k.__add__, range(3))


def test_work_that_nobody_survives_is_an_error(elsewhere):
    with pytest.raises(KernexError, match="one at which several have ended"):
        in_order(_ends, range(3))
    assert in_order(abs, [-1, -2]) == [1, 2]


def _ends(k):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("setting", ["0", "two"])
def test_a_setting_that_is_no_number_of_processes_gets_a_sentence(monkeypatch, setting):
    monkeypatch.setenv("KERNEX_PROCESSES", setting)
    with pytest.raises(InvalidInputError, match="KERNEX_PROCESSES has to be a whole number from 1 on"):
        worker_count()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere"])
def test_a_cluster_that_is_not_there_is_said_in_one_sentence(monkeypatch, address):
    monkeypatch.setattr(workers, "PATIENCE", 0.1)
    monkeypatch.setenv("KERNEX_CLUSTER", address)
    with pytest.raises(InvalidInputError, match="address of a Dask scheduler") as told:
        worker_count()
    assert address in str(told.value)


@pytest.mark.skipif(sys.platform == "win32", reason="processes end when they have been idle")
def test_processes_end_with_the_one_that_started_them_however_it_ends():
    script = """
import os
from kernex_core.runtime.executors import in_order
def pid(_):  # of the script itself
    return os.getpid()
print(in_order(pid, range(2)), flush=True)
input()
"""
    environment = {**os.environ, "KERNEX_PROCESSES": "2"}
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    ) as server:
        found = {int(pid) for pid in server.stdout.readline().strip("[]\n").split(",")}
        assert server.pid not in found
        server.kill()
    until(lambda: not any(map(_lives, found)))


def _lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
