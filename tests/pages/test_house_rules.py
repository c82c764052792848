"""Rules of the house that no linter knows."""

import ast
import re
import tomllib

import pytest

from pages.server.navigation import ENTRIES
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
        (r"\bst\.query_params\b", {"navigation.py", "workspace.py"}),
        (
            r"\bunsafe_allow_html\b|\bst\.html\b",
            {"projector.py", "lesson.py"},
        ),  # styles, which nobody writes into
        (r"\buse_container_width\b", set()),
        (
            r"except Exception|except BaseException|except:",
            {"child.py", "keep.py", "health.py", "uploads.py"},
        ),  # a process that tells what ended it, a part of a file that is removed, a thread that goes on, a message that
        # no widget takes
    ],
)
def test_used_nowhere_else(pattern, only):
    users = {path.name for path in SOURCES if re.search(pattern, path.read_text(encoding="utf-8"))}
    assert users - only == set()


WIDGETS = {
    "slider", "select_slider", "selectbox", "multiselect", "segmented_control", "pills", "toggle", "checkbox", "radio",
    "number_input", "text_input", "text_area", "date_input", "time_input", "datetime_input", "color_picker", "feedback",
    "pagination", "data_editor", "chat_input",
}  # fmt: skip
NO_SETTINGS = {
    "ui/widgets.py": "the one place",
    "ui/frame.py": "which data are open: in the address on every page",
    "ui/projector.py": "how large everything is: in the address on every page",
    "server/item_limit.py": "the limit of this server's memory, of all pages",
    "ui/files.py": "how tables are written, of all pages",
    "ui/panels/build.py": "which part of the data a button selects",
    "ui/panels/keep.py": "a name that a button takes",
    "ui/panels/item_map.py": "the pair that is chosen in pictures, kept with the data",
    "ui/panels/linked.py": "classes that are coloured, kept with the data",
    "kernels/power/subject.py": "shows what cannot be chosen",
    "combine/many/weights.py": "sliders of one setting, the weights",
    "networks/node_table.py": "how a file that was brought is read",
    "graphs/graphs.py": "a search, and where one has scrolled to",
    "learn/glossary.py": "a search",
    "kernels/strings/new_items.py": "pasted data",
    "data/file.py": "how a file that was brought is read",
    "data/health.py": "how a file that was brought is read",
    "data/add.py": "what becomes of files that were brought",
    "data/carried.py": "a name that a button takes",
    "data/data.py": "an editor of labels, and which items are selected, kept with the data",
    "ui/classroom.py": "the code of a class: in the address of lessons",
    "learn/screen.py": "a bet before its button",
}
"""Files that draw a widget which is no setting of a page, and what it is."""


def test_whatever_sets_a_page_is_declared():
    drawn = {
        path.relative_to(REPOSITORY / "pages").as_posix()
        for path in SOURCES
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WIDGETS
    }
    assert drawn == set(NO_SETTINGS)


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
    drawn = {
        path.relative_to(REPOSITORY / "pages").as_posix()
        for path in SOURCES
        if re.search(r"^def run\(\) -> None:", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert drawn == {entry.path for entry in ENTRIES}


def test_files_stay_short():
    assert [
        str(path) for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > LONGEST_FILE
    ] == []


def test_every_wing_is_in_the_import_contracts():
    folders = {f"pages.{entry.path.rsplit('/', 1)[0].replace('/', '.')}" for entry in ENTRIES}
    wings = {
        folder for folder in folders if folder.rpartition(".")[0] not in folders
    }  # a page may lie in another's
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}
    assert set(contracts["A wing knows what is shared, and no other wing"]["modules"]) == wings
    layer = contracts["What is shared knows no wing"]["layers"][2].split(" | ")
    assert set(layer) == {".".join(wing.split(".")[:2]) for wing in wings}
