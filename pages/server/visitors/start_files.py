"""Files that the server was started with: every visitor of this machine has them once, as if they had just brought them.

take(arguments)                 what stands behind `--` on the command line: files, and FOR_ALL
for_visitor(space) -> paths     nothing for somebody who comes from elsewhere, unless FOR_ALL was said
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pages.server.visitors import limits
from pages.server.visitors.contents import Workspace

FOR_ALL: Final = "--for-all"
_given: list[str] = []


def take(arguments: Sequence[str]) -> None:
    """Note what the server was started with."""
    _given[:] = arguments


def for_visitor(space: Workspace) -> tuple[Path, ...]:
    """Return the files that a visitor has to be brought; a second time there are none."""
    if not _given or not (limits.answers_alone() or FOR_ALL in _given):
        return ()
    with space.lock:
        had, space.has_start_files = space.has_start_files, True
    return () if had else tuple(Path(each) for each in _given if each != FOR_ALL)
