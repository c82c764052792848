"""How tests are shared among processes: whole files, the dearest first, so that no process is left alone with a long one."""

import re

from xdist.scheduler import LoadFileScheduling

BROWSER = "tests/browser/"
OWN_SERVERS = re.compile(
    "test_(base_path|installed|kept|read_only|readers|recovery|script_runs|workspace)[.]"
)
"""Browser tests that start servers of their own, and do not visit the one of the others."""
DEAREST = (
    BROWSER,
    "tests/pages/",
    "tests/science/",
    "tests/test_",
    "tests/kernex_core/studies/",
    "tests/kernex_core/",
)
"""Beginnings of paths in the order in which files are given out; many short files are left for the end."""


class Sharing(LoadFileScheduling):
    """Files, but browser tests go to two processes, each with one Chromium, while another one computes: those that visit
    one server, and those that start servers of their own. In one process they were the last to end.
    """

    def _split_scope(self, nodeid):
        if not nodeid.startswith(BROWSER):
            return super()._split_scope(nodeid)
        return f"{BROWSER}{bool(OWN_SERVERS.match(nodeid, len(BROWSER)))}"


def place(nodeid):
    """Where a test stands among all: by the first beginning that fits."""
    return next((k for k, start in enumerate(DEAREST) if nodeid.startswith(start)), len(DEAREST))
