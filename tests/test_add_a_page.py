"""docs/add_a_page.md is true: a wing made as it says opens, shows the study's numbers, and keeps the rules."""

import re
import shutil
import subprocess
import sys

import pytest

from tests import house
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE

TEXT = (REPOSITORY / "docs" / "add_a_page.md").read_text(encoding="utf-8")
OPEN = """
import numpy as np
from streamlit.testing.v1 import AppTest
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from pages.server import workspace

ids = ("left", "right", "alone")
K = GramMatrix(np.array([[4.0, 2.9, 0.1], [2.9, 4.0, np.nan], [0.1, np.nan, 1.0]]), ids, "small")
dataset = DataSet("three", ids, None, kernels={"small": K})
from tests.patience import PATIENCE

at = AppTest.from_file("pages/main.py", default_timeout=PATIENCE)
at.session_state["kernex"] = workspace._State({"three": workspace._Entry(dataset)}, "three", choice_is_stale=True)
at.switch_page("twins/twins.py").run()
assert not at.exception, at.exception
print(at.title[0].value, at.table[0].value.to_dict("list"))
"""


def blocks():
    """Whole files of the document: the words before each, which name it, and its code."""
    pieces = re.split(r"```(?:\w+\n)?", TEXT)
    return [
        (words, code) for words, code in zip(pieces[::2], pieces[1::2], strict=False) if code[:3] == '"""'
    ]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the sources with the wing added, as the document says; what was compiled before is copied, too."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in ("kernex", "kernex_core", "pages", "docs"):
        shutil.copytree(REPOSITORY / folder, root / folder)
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    add(root)
    add(root)  # as good as once: the document is followed where somebody has followed it before
    return root


def add(root):
    """Add the wing, or leave it as it is."""
    for path in re.findall(r"empty\s+`([\w/.]+)`", TEXT):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).touch()
    for words, code in blocks():
        (root / re.findall(r"`([\w/]*twins/[\w/]+\.py)`", words)[-1]).write_text(code, encoding="utf-8")
    (line,) = re.findall(r"```python\n(PageEntry.*)\n```", TEXT)
    navigation = root / "pages/server/navigation.py"
    _before(navigation, '    PageEntry("whatif/whatif.py"', f"    {line},\n")
    (row,) = re.findall(r"```markdown\n(.*\n)```", TEXT)
    _before(root / "docs/pages.md", "| `pages/whatif/", row)
    _contracts(root / "pyproject.toml")


def _before(file, mark, line):
    text = file.read_text(encoding="utf-8")
    assert text.count(mark) == 1
    if line not in text:
        file.write_text(text.replace(mark, line + mark), encoding="utf-8")


def _contracts(file):
    text = file.read_text(encoding="utf-8")
    for before, after in (
        ('    "pages.start",\n', '    "pages.start",\n    "pages.twins",\n'),
        ("pages.start | ", "pages.start | pages.twins | "),
    ):
        if text.count(after) == 0:
            assert text.count(before) == 1
            text = text.replace(before, after)
    file.write_text(text, encoding="utf-8")


def run(checkout, *command):
    made = subprocess.run(
        [sys.executable, *command],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


def test_the_page_opens_and_shows_the_pairs(checkout):
    shown = run(checkout, "-c", OPEN)
    assert shown.startswith("Twins ")
    pairs = "'item': ['left', 'left'], 'other item': ['right', 'alone'], 'cosine': ['0.725', '0.050']"
    assert pairs in shown.replace("\\", "")


def test_the_wing_keeps_the_import_rules(checkout):
    assert "0 broken" in run(
        checkout, "-c", "from importlinter.cli import lint_imports_command as lint; lint()"
    )


def test_it_is_four_lines_in_three_files(checkout):
    files = [checkout / name for name in ("pages/server/navigation.py", "pyproject.toml", "docs/pages.md")]
    said = [file.read_text(encoding="utf-8").count("twins") for file in files]
    assert all(said)
    lines = [
        line for file in files for line in file.read_text(encoding="utf-8").splitlines() if "twins" in line
    ]
    assert len(lines) == 4
    assert "four lines in three files" in TEXT


def test_the_house_stays_in_order(checkout):
    made = house.read(checkout)
    assert made.wings()["pages", "twins"][0] >= 2
    assert made.wings()["studies", "twins"][0] >= 1
    assert not made.between_wings()
    assert not made.circles()


def test_every_list_that_it_names_is_there():
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    for contract in re.findall(r"^\| ([A-Z][^|]*?) \| `?\"?pages", TEXT, re.MULTILINE):
        assert f'name = "{contract}"' in project
    assert TEXT.count("`tests/pages/test_every_page.py`") == 1
