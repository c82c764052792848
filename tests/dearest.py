"""The dearest tests by processor time: `pytest --dearest 40`, also of several processes.

A clock on the wall says little where tests share the processors with one another, as `--durations` does. What a test's
own process and the programs that it started have used is counted: where there is a /proc, also of those that still run, as
a browser and the server that it visits.
"""

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

USED = "processor seconds"


def processor_seconds():
    """Seconds that this process, its ended children, and those that run have used."""
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    return own + sum(map(of_process, children(os.getpid())))


def of_process(pid):
    """Seconds of another process and all its children; 0 of one that has just ended."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = sum(map(int, fields[11:15]))  # its own, and of its ended children
        return ticks / os.sysconf("SC_CLK_TCK") + sum(map(of_process, children(pid)))
    return 0.0


def children(pid):
    """Processes that run, and that one of its threads has started."""
    with suppress(OSError):
        threads = Path(f"/proc/{pid}/task").iterdir()
        return [each for thread in threads for each in (thread / "children").read_text().split()]
    return []


class Dearest:
    """Plugin that tells, at the end, which `most` tests used most."""

    def __init__(self, most):
        self.most = most
        self.used = Counter()
        self.before = 0.0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self):
        self.before = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self):
        report = yield
        now = processor_seconds()
        # a process whose parent ends first is counted no more
        report.user_properties = [*report.user_properties, (USED, max(now - self.before, 0.0))]
        self.before = now
        return report

    def pytest_runtest_logreport(self, report):
        self.used[report.nodeid] += sum(value for name, value in report.user_properties if name == USED)

    def pytest_terminal_summary(self, terminalreporter):
        folders = Counter()
        for nodeid, seconds in self.used.items():
            folders["/".join(nodeid.split("::")[0].split("/")[:3])] += seconds
        terminalreporter.section(f"{self.used.total():.0f} processor seconds in {len(self.used)} tests")
        for counted in (folders, self.used):
            for name, seconds in counted.most_common(self.most):
                terminalreporter.write_line(f"{seconds:8.2f} s  {name}")
            terminalreporter.write_line("")
