"""docs/add_a_format.md is true: a format made as it says is read, and the tests that it names pass."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY
from tests.patience import PATIENCE

TEXT = (REPOSITORY / "docs" / "add_a_format.md").read_text(encoding="utf-8")
FILE = "kernex_core/inputs/formats/word_vectors.py"
(CODE,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
ROW, ENTRY = re.findall(r"```markdown\n(.*?)```", TEXT, re.DOTALL)
MODULE, LINE, EXAMPLE = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
CATALOGUE = "kernex_core/inputs/catalogue.py"
LINES = (
    (CATALOGUE, "    workbook,\n", MODULE),
    (CATALOGUE, "    edge_list.FORMAT,\n", LINE),
    ("docs/formats.md", "| `edges` | network", ROW),
    ("docs/catalogues.md", "| `edges` | Network", ENTRY),
    ("tests/kernex_core/inputs/test_catalogue.py", '    "edges": Upload(', EXAMPLE),
)
WORDS = ("no", "one", "two", "three", "four", "five", "six")
READ = """
from kernex_core import Gaussian, read_samples
read = read_samples(b"2 3\\na 1 2 3\\nb 2 3 1\\n", "w.vec")
print(read.kind, read.ids, Gaussian(sigma=1.0).similarities(read).values.shape)
"""


def add(root):
    """Follow the document in a checkout, or leave it as it is where that has been done."""
    assert f"`{FILE}`" in TEXT
    (root / FILE).write_text(CODE, encoding="utf-8")
    for name, mark, line in LINES:
        text = (root / name).read_text(encoding="utf-8")
        assert text.count(mark) == 1, (name, mark)
        assert line.count("\n") == 1
        if line not in text:
            (root / name).write_text(text.replace(mark, line + mark), encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the sources and of the tests of inputs with the format added; what was compiled before is copied, too."""
    root = tmp_path_factory.mktemp("checkout")
    unneeded = shutil.ignore_patterns("browser", "studies", "papers", "learning", "named")
    for folder in ("kernex", "kernex_core", "pages", "docs"):
        shutil.copytree(REPOSITORY / folder, root / folder)
    shutil.copytree(REPOSITORY / "tests", root / "tests", ignore=unneeded)
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    add(root)
    add(root)
    return root


def run(checkout, *command):
    made = subprocess.run(
        [sys.executable, *command],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert made.returncode == 0, made.stdout[-4000:] + made.stderr[-4000:]
    return made.stdout


def test_it_is_as_many_lines_and_files_as_it_says():
    lines, files = len(LINES), len({name for name, *_ in LINES})
    assert f"One file and {WORDS[lines]} lines in {WORDS[files]} files" in TEXT


def test_its_file_is_read(checkout):
    assert run(checkout, "-c", READ).split("\n")[0] == "vectors ('a', 'b') (2, 2)"


@pytest.mark.no_cover
def test_the_tests_that_it_names_pass(checkout):
    (named,) = re.findall(r"-m pytest (.*)$", TEXT, re.MULTILINE)
    ran = [name for name in named.split() if "unused" not in name]  # the copy has not all tests
    assert [name for name in named.split() if not (REPOSITORY / name).exists()] == []
    wanted = "word_vectors or catalogue and FORMATS or every_format or names_are_distinct or no_format_is_documented"
    options = ("-q", "-p", "no:cacheprovider", "--no-cov", "-k", wanted)
    made = run(checkout, "-m", "pytest", *options, *ran, "tests/pages/server/readers/test_wire.py")
    assert int(re.search(r"(\d+) passed", made)[1]) > 5


def test_its_sources_are_formatted(checkout):
    run(checkout, "-m", "ruff", "check", FILE)
    run(checkout, "-m", "ruff", "format", "--check", FILE)


def test_every_file_that_it_mentions_exists():
    prose = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
    mentioned = set(re.findall(r"`([\w/]+/(?:\w+\.py)?)`", prose)) - {FILE}
    assert len(mentioned) >= 7
    assert [name for name in sorted(mentioned) if not (REPOSITORY / name).exists()] == []
