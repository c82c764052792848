"""The dearest tests by processor time: `pytest --dearest 40`, also of several processes.

A clock on the wall says little where tests share the processors with one another, as `--durations` does. What a test's
own process and the programs that it waited for have used is counted; a browser and the server that it visits are not.
"""

import os
from collections import Counter

import pytest

USED = "processor seconds"


def processor_seconds():
    """Seconds that this process and its ended children have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


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
        report.user_properties = [*report.user_properties, (USED, now - self.before)]
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
