"""A visitor's workspace as the value that a .kernex file holds, and back.

saved(contents) -> Workspace        data sets, kept kernels, selections, plain settings, which data set is open
restored(workspace) -> Contents

Files that wait to be added are settings, but not plain ones: they are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.items.selection import Selection
from kernex_core.workspace.workspace import OpenData, Workspace, check_plain
from pages.shared.visitors.contents import Contents, Entry


def saved(contents: Contents) -> Workspace:
    """Return what a file of it holds."""
    return Workspace(
        tuple(
            OpenData(
                entry.dataset,
                entry.kernels,
                entry.selection if isinstance(entry.selection, Selection) else None,
            )
            for entry in contents.entries.values()
        ),
        contents.now_called(contents.last),
        {key: _listed(value) for key, value in contents.settings.items() if _is_plain(_listed(value))},
    )


def restored(workspace: Workspace) -> Contents:
    """Return the contents that a file describes."""
    entries = {
        each.dataset.name: Entry(each.dataset, dict(each.kernels), each.selection) for each in workspace.data
    }
    settings = {key: _tupled(value) for key, value in workspace.settings.items()}
    return Contents(entries, settings, workspace.chosen or next(reversed(entries), None))


def _is_plain(value: object) -> bool:
    try:
        check_plain(value)
    except InvalidInputError:
        return False
    return True


def _listed(value: object) -> object:
    """Tuples as lists: a file knows no tuples."""
    if isinstance(value, tuple):
        return [_listed(item) for item in value]
    return {key: _listed(item) for key, item in value.items()} if isinstance(value, dict) else value


def _tupled(value: Any) -> object:
    """Lists as tuples: settings are never changed in place."""
    if isinstance(value, list):
        return tuple(_tupled(item) for item in value)
    return {key: _tupled(item) for key, item in value.items()} if isinstance(value, Mapping) else value
