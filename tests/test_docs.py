"""What documents and lists of requirements name is there, and what is there is named."""

import ast
import re
import shutil
import subprocess

import pytest

from tests.conftest import REPOSITORY

CARD = {"streamlit", "numpy", "scipy", "scikit-learn", "plotly", "pandas", "pytest"}
MODULES = {"scikit-learn": "sklearn", "biopython": "Bio", "python-calamine": "python_calamine"}


def text(name):
    return (REPOSITORY / name).read_text(encoding="utf-8")


def sources(*folders):
    files = [
        REPOSITORY / "app.py",
        *(path for folder in folders for path in (REPOSITORY / folder).rglob("*.py")),
    ]
    return [path.read_text(encoding="utf-8") for path in files]


def packages(file):
    found = (re.match(r"[A-Za-z][\w-]*", line) for line in text(file).splitlines())
    return [name.group() for name in found if name]


def imported(trees):
    nodes = [node for tree in trees for node in ast.walk(tree)]
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    parts = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in whole | parts}


def test_what_is_required_is_imported_and_explained():
    required = packages("requirements.txt")
    used = imported(map(ast.parse, sources("kernex_core", "pages")))
    assert {name for name in required if MODULES.get(name, name) not in used} == set()
    table = text("docs/decisions.md").split("## Dependencies")[1].split("##")[0]
    explained = set(re.findall(r"^\| ([\w-]+) \|", table, re.MULTILINE)) - {"package"}
    assert explained == set(required) - CARD


def test_symbols_of_the_notation_are_names_in_the_code():
    words = set(re.findall(r"\w+", "\n".join(sources("kernex_core"))))
    rows = re.findall(r"^\|[^|]*\|([^|]*)\|", text("docs/notation.md").replace(r"\|", ""), re.MULTILINE)
    named = {
        name
        for row in rows
        for code in re.findall(r"`([^`]+)`", row)
        for name in re.findall(r"[^\W\d]\w*", code)
    }
    assert len(named) > 20
    assert named - words == set()


def test_the_readme_leads_to_every_document():
    assert [
        path.name
        for path in (REPOSITORY / "docs").glob("*.md")
        if f"docs/{path.name}" not in text("README.md")
    ] == []


def test_every_page_has_its_row():
    from pages.shared.navigation import PAGES

    rows = re.findall(r"^\| `pages/([^`]+)` \|", text("docs/pages.md"), re.MULTILINE)
    assert rows == [entry.path for entry in PAGES]


@pytest.mark.parametrize("module", ["server/warmup", "workspace", "frame", "messages", "downloads"])
def test_functions_that_a_module_announces_exist(module):
    tree = ast.parse(text(f"pages/shared/{module}.py"))
    announced = set(re.findall(r"^ {0,4}([a-z_]+)\(", ast.get_docstring(tree), re.MULTILINE))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert announced
    assert announced - defined == set()


@pytest.mark.skipif(shutil.which("make") is None, reason="Windows has no make")
def test_benchmarks_that_make_runs_need_no_arguments():
    said = subprocess.run(
        ["make", "-n", "bench"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout
    ran = re.findall(r"benchmarks/\w+\.py", said)
    assert ran
    assert [name for name in ran if "sys.argv[" in text(name)] == []
