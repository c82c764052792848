"""Rules of the house that no linter knows."""

import ast
import re
import tomllib

import pytest

from pages.shared.navigation import ENTRIES
from tests.conftest import REPOSITORY
from tests.house import LONGEST_FILE

SOURCES = sorted((REPOSITORY / "pages").rglob("*.py"))


def test_sources_are_found():
    assert len(SOURCES) > 20


@pytest.mark.parametrize(
    ("pattern", "only"),
    [
        (r"\bst\.session_state\b", {"workspace.py"}),
        (r"\bst\.cache_(data|resource)\b|\blru_cache\b|functools\.cache\b", set()),
        (r"\bst\.query_params\b", {"navigation.py"}),
        (
            r"\bunsafe_allow_html\b|\bst\.html\b",
            {"projector.py", "narrow.py"},
        ),  # styles, which nobody writes into
        (r"\buse_container_width\b", set()),
        (
            r"except Exception|except BaseException|except:",
            {"child.py"},
        ),  # a process that tells what ended it
    ],
)
def test_used_nowhere_else(pattern, only):
    users = {path.name for path in SOURCES if re.search(pattern, path.read_text(encoding="utf-8"))}
    assert users - only == set()


def test_lists_show_names_as_they_are():
    """Lists do not read markdown, so what escapes it would stand in them as backslashes; segments and radios read it."""
    wrong = [
        f"{path.name}:{call.lineno}"
        for path in SOURCES
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("selectbox", "multiselect")
        for given in (*call.args[1:2], *(each.value for each in call.keywords if each.arg == "format_func"))
        if "plain" in {part.id for part in ast.walk(given) if isinstance(part, ast.Name)}
    ]
    assert wrong == []


def test_no_page_lies_directly_in_pages():
    assert {path.name for path in (REPOSITORY / "pages").glob("*.py")} == {"__init__.py", "main.py"}


def test_every_wing_is_in_the_navigation():
    named_after_their_folder = {
        path.relative_to(REPOSITORY / "pages").as_posix()
        for path in SOURCES
        if path.stem == path.parent.name and not {"shared", "screen"} & {*path.parts}
    }
    assert named_after_their_folder == {entry.path for entry in ENTRIES}


def test_files_stay_short():
    assert [
        str(path) for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > LONGEST_FILE
    ] == []


def test_every_wing_is_in_the_import_contracts():
    folders = {f"pages.{entry.path.rsplit('/', 1)[0].replace('/', '.')}" for entry in ENTRIES}
    wings = {
        folder for folder in folders if folder.rpartition(".")[0] not in folders
    }  # a page may lie in another's
    scripts = {f"pages.{entry.path.removesuffix('.py').replace('/', '.')}" for entry in ENTRIES}
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}
    assert set(contracts["A wing knows what is shared, and no other wing"]["modules"]) == wings
    layer = contracts["What is shared knows no wing"]["layers"][1].split(" | ")
    assert set(layer) == {".".join(wing.split(".")[:2]) for wing in wings}
    assert set(contracts["Page scripts do not compute"]["source_modules"]) == {"pages.main", *scripts}
