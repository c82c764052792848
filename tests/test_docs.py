"""What documents and lists of requirements name is there, and what is there is named."""

import ast
import re
import shutil
import subprocess
import tomllib

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


def test_pictures_are_small_shown_and_there_in_light_and_dark():
    shown = set(re.findall(r"docs/pictures/([\w-]+\.webp)", text("README.md")))
    there = {path.name: path.stat().st_size for path in (REPOSITORY / "docs" / "pictures").iterdir()}
    assert set(there) == shown
    assert {name.replace("-light", "-dark") for name in shown if "-light" in name} <= shown
    assert max(there.values()) < 300_000


def test_every_page_has_its_row():
    from pages.server.navigation import PAGES

    rows = re.findall(r"^\| `pages/([^`]+)` \|", text("docs/pages.md"), re.MULTILINE)
    assert rows == [entry.path for entry in PAGES]


@pytest.mark.parametrize(
    "module", ["server/warmup", "server/workspace", "ui/frame", "server/messages", "export/downloads"]
)
def test_functions_that_a_module_announces_exist(module):
    tree = ast.parse(text(f"pages/{module}.py"))
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


def tree_of_the_architecture():
    """Folders that the tree in docs/architecture.md names, and folders of which it says that there are several."""
    block = text("docs/architecture.md").split("## Where things are")[1].split("##")[0]
    above = []
    for line in block.splitlines():
        found = re.match(r"( {4,})([\w/<>]+/)(?: |$)", line)
        if found:
            depth = (len(found[1]) - 4) // 2
            above[depth:] = [found[2]]
            yield "".join(above)


def is_named(folder, tree):
    return any(re.fullmatch(re.sub(r"<\w+>", r"\\w+", name), f"{folder}/") for name in tree)


def test_the_tree_of_the_architecture_is_the_tree_of_the_folders():
    tree = set(tree_of_the_architecture())
    folders = {
        str(path.parent.relative_to(REPOSITORY))
        for top in ("kernex_core", "pages/ui", "pages/server", "pages/export")
        for path in (REPOSITORY / top).rglob("*.py")
    }
    assert sorted(folder for folder in folders if not is_named(folder, tree)) == []
    gone = {name for name in tree if "<" not in name and not (REPOSITORY / name).is_dir()}
    assert gone == set()


def test_the_chain_of_imports_is_that_of_the_contract():
    contract = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"][0]
    chain = re.search(r"^    base .*?\n\n", text("docs/architecture.md"), re.MULTILINE | re.DOTALL)[0]
    said = [re.findall(r"[\w/.<>]+", part) for part in chain.split("←")]
    layers = [set(re.findall(r"kernex_core\.(\w+)", layer)) for layer in reversed(contract["layers"])]
    assert [set(part) for part in said[: len(layers)]] == layers


def test_the_readme_counts_the_demos():
    from kernex_core.datasets.catalogue import DATASETS

    (said,) = re.findall(r"(\d+) demos", text("README.md"))
    assert int(said) == len(DATASETS)


BELOW = (
    "",
    "kernex_core",
    "kernex_core/studies",
    "pages",
    "pages/ui",
    "pages/server",
    "pages/export",
    "docs",
)
"""Folders from which documents name files."""
OTHERS = {"/kernex/", "/_kernex/health", "arrays/0.npy", "data/cvkt_simulated"}
"""Addresses, a part of a workspace file, and a folder of somebody else's repository."""
DOCUMENTS = [path for path in sorted((REPOSITORY / "docs").glob("*.md")) if not path.stem.startswith("add_a")]


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda path: path.stem)
def test_every_file_that_a_document_names_is_there(file):
    """Modules move, and documents do not say so; what a how-to page makes is tested by following it."""
    outside = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    named = set(re.findall(r"`([\w.-]*/[\w./-]+)`", outside)) - OTHERS
    assert [
        name for name in sorted(named) if not any((REPOSITORY / top / name).exists() for top in BELOW)
    ] == []


def test_the_document_of_formats_says_which_format_workspace_files_have():
    from kernex_core.workspace.archive import FORMAT

    assert re.findall(r"`format` \((\d+)\)", text("docs/formats.md")) == [str(FORMAT)]


def test_the_workflow_runs_what_the_readme_says():
    """Only the repository's host can run it: that its commands are known is what can be held here."""
    said = text(".github/workflows/checks.yml")
    commands = re.findall(r"- run: (.*)", said)
    readme = re.findall(r"^ {4}(.+)$|^\| `([^`]+)` \|", text("README.md"), re.MULTILINE)
    assert commands
    assert set(commands) - {"".join(pair) for pair in readme} == set()
    # from the oldest Python that the project takes
    oldest = tomllib.loads(text("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    assert re.findall(r'python: \["([\d.]+)"', said) == [oldest] * 2
