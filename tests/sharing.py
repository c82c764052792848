"""How tests are shared among processes: whole files, the dearest first, so that no process is left alone with a long one."""

from xdist.scheduler import LoadFileScheduling

BROWSER = "tests/browser/"
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
    """Files, but all browser tests go to one process: one server and one Chromium, while another one computes."""

    def _split_scope(self, nodeid):
        return BROWSER if nodeid.startswith(BROWSER) else super()._split_scope(nodeid)


def place(nodeid):
    """Where a test stands among all: by the first beginning that fits."""
    return next((k for k, start in enumerate(DEAREST) if nodeid.startswith(start)), len(DEAREST))
