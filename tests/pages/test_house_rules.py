"""Rules of the house that no linter knows."""

import re
import tomllib

import pytest

from pages.shared.navigation import PAGES
from tests.conftest import REPOSITORY

SOURCES = sorted((REPOSITORY / "pages").rglob("*.py"))


def test_sources_are_found():
    assert len(SOURCES) > 20


@pytest.mark.parametrize(
    ("pattern", "only"),
    [
        (r"\bst\.session_state\b", {"workspace.py"}),
        (r"\bst\.cache_(data|resource)\b|\blru_cache\b|functools\.cache\b", set()),
        (r"\bst\.query_params\b", set()),
        (r"\bunsafe_allow_html\b|\bst\.html\b", set()),
        (r"\buse_container_width\b", set()),
        (r"except Exception|except BaseException|except:", set()),
    ],
)
def test_used_nowhere_else(pattern, only):
    users = {path.name for path in SOURCES if re.search(pattern, path.read_text(encoding="utf-8"))}
    assert users - only == set()


def test_no_page_lies_directly_in_pages():
    assert {path.name for path in (REPOSITORY / "pages").glob("*.py")} == {"__init__.py", "main.py"}


def test_every_page_script_is_in_the_navigation():
    scripts = {
        path.relative_to(REPOSITORY / "pages").as_posix()
        for path in SOURCES
        if path.name != "__init__.py" and path.parent.name != "pages" and "shared" not in path.parts
    }
    assert scripts == {entry.path for entry in PAGES}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_files_stay_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 250


def test_every_section_is_in_the_import_contracts():
    sections = {f"pages.{entry.path.split('/')[0]}" for entry in PAGES}
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}
    apart = " | ".join(contracts["Pages know what is shared, and not one another"]["layers"]).split(" | ")
    assert sections <= set(apart)
    assert sections <= set(contracts["Page scripts do not compute"]["source_modules"])
