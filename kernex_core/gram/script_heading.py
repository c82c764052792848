"""What stands on top of every script: what it computes, how to run it, and which files it reads from where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

RUN: Final = (
    "Run it, from any folder, with the Python of the folder in which Kernex lies: "
    ".venv/bin/python SCRIPT (Windows: .venv\\Scripts\\python SCRIPT)"
)
"""`make app` and `pip install .` let that Python find `kernex_core` wherever the script lies."""


def script_heading(heading: str, reads: Iterable[str], fetches: Iterable[str]) -> list[str]:
    """Comment lines of a script.

    Parameters
    ----------
    heading : str
        What the script computes; one or more lines.
    reads : iterable of str
        Names of files that it reads from the folder in which it is started.
    fetches : iterable of str
        Names of public data sets that it needs.
    """
    files, public = list(dict.fromkeys(reads)), list(dict.fromkeys(fetches))
    where = [f"It reads from the folder in which it is started: {', '.join(files)}"] if files else []
    where += [
        f"It reads public data from the folder KERNEX_DATA, else ~/kernex_data, or fetches them: {name}"
        for name in public
    ]
    # names of data come in here: nothing of them may end the comment or spoil the source
    said = [*heading.splitlines(), RUN, *(where or ["It reads no file."])]
    return [f"# {_printable(line)}".rstrip() for line in said]


def _printable(line: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in line)
