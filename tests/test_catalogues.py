"""Every catalogue stands in docs/catalogues.md, entry by entry and in its order."""

import ast
import dataclasses
import re

import pytest

import kernex_core
from kernex_core.workspace.catalogue import VALUES
from tests.conftest import REPOSITORY

CELLS = {
    "KERNELS": lambda each: (each.__name__, each.data_kind, each.title, each.source),
    "LEARNERS": lambda each: (
        each.__name__,
        each.title,
        " and ".join(each.learns),
        each.summary,
        each.source,
    ),
    "WEIGHTINGS": lambda each: (each.__name__, each.title, "yes" if each.sees_labels else "no", each.summary),
    "REPAIRS": lambda each: (each.method, each.summary),
    "SCHEMES": lambda each: (each.name, each.summary, each.source),
    "VIEW_COMPLETIONS": lambda each: (each.name, each.title, each.about),
    "EDGE_METHODS": lambda each: (each.name, each.title, each.about),
    "MAPS": lambda each: (each.name, each.title, each.about, each.places),
    "GROUPINGS": lambda each: (each.name, each.title, each.about),
    "IMPUTATIONS": lambda each: (type(each).__name__, each.title),
    "FORMATS": lambda each: (each.name, each.title, ", ".join(each.extensions)),
    "DATASETS": lambda each: (each.name, each.title, each.question),
    "PAPER_TABLES": lambda each: (each.name, each.subject, study(each), each.data.kind, each.data.name),
    "PUBLIC_DATASETS": lambda each: (each.name, each.title),
}


def study(table):
    """Module below the papers and function that measures a table."""
    function = getattr(table.study, "func", table.study)
    return f"{function.__module__.removeprefix('kernex_core.studies.papers.')}.{function.__name__}"


TEXT = (REPOSITORY / "docs/catalogues.md").read_text(encoding="utf-8")


def section(name):
    found = re.search(rf"^## `{name}`[^\n]*\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


@pytest.mark.parametrize("name", CELLS)
def test_a_catalogue_and_its_table_say_the_same(name):
    wanted = ["| " + " | ".join(CELLS[name](each)) + " |" for each in getattr(kernex_core, name)]
    table = [line.replace("`", "") for line in section(name).splitlines() if line.startswith("|")]
    assert table[2:] == wanted  # below the head and its rule


def test_every_public_catalogue_is_tied_to_its_table():
    catalogues = {
        name
        for name in kernex_core.__all__
        if name.isupper() and isinstance(getattr(kernex_core, name), tuple)
    }
    assert catalogues == set(CELLS)


def test_whatever_a_script_names_is_public():
    """Scripts have one line of imports: functions that calls name, and classes of what they are given."""
    public = set(kernex_core.__all__)
    named = {
        node.args[1].value
        for path in [*(REPOSITORY / "kernex_core").rglob("*.py"), *(REPOSITORY / "pages").rglob("*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("call", "Call")
        and len(node.args) > 1
        if isinstance(node.args[1], ast.Constant)
    }
    assert len(named) > 50
    assert {name for name in named if name and not name.startswith(".")} - public == set()
    given = {kind.__name__ for kind in VALUES.values()} - {"Call", "File", "Cut"}
    for name in CELLS:
        kinds = (each if isinstance(each, type) else type(each) for each in getattr(kernex_core, name))
        given |= {kind.__name__ for kind in kinds if dataclasses.is_dataclass(kind) and name in GIVEN}
    assert given - public == set()


GIVEN = ("KERNELS", "REPAIRS", "SCHEMES", "LEARNERS", "IMPUTATIONS", "EDGE_METHODS", "WEIGHTINGS")
"""Catalogues of what a call can be given."""
