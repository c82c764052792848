"""docs/add_a_kernel.md is true: a kernel made as it says is in the catalogue, and the tests that it names pass."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY
from tests.patience import PATIENCE

TEXT = (REPOSITORY / "docs" / "add_a_kernel.md").read_text(encoding="utf-8")
FILE = "kernex_core/kernels/vectors/cauchy.py"
CODE, ORACLE = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
(CASE,) = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
(ROW,) = re.findall(r"```markdown\n(.*\n)```", TEXT)
CATALOGUE = "kernex_core/kernels/catalogue.py"
CASES = "tests/kernex_core/kernels/vectors/test_vector_kernels.py"
IMPORT = "from kernex_core.kernels.vectors.cauchy import Cauchy\n"
LINES = (
    (CATALOGUE, "from kernex_core.kernels.vectors.coordinates", IMPORT),
    (CATALOGUE, "    # sequences\n", "    Cauchy,\n"),
    ("docs/catalogues.md", "| `Spectrum` |", ROW),
    (CASES, "from kernex_core.kernels.vectors import", IMPORT),
    (CASES, "    (Cosine(), oracle.cosine, {}),\n", CASE),
)


def add(root):
    """Follow the document in a checkout, or leave it as it is where that has been done."""
    assert f"`{FILE}`" in TEXT
    (root / FILE).write_text(CODE, encoding="utf-8")
    for name, mark, line in LINES:
        text = (root / name).read_text(encoding="utf-8")
        assert text.count(mark) == 1, (name, mark)
        if line not in text:
            (root / name).write_text(text.replace(mark, line + mark), encoding="utf-8")
    oracle = root / "tests/oracles/vector_kernels.py"
    text = oracle.read_text(encoding="utf-8")
    oracle.write_text(text if ORACLE in text else f"{text}\n\n{ORACLE}", encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the sources and of the tests with the kernel added; what was compiled before is copied, too."""
    root = tmp_path_factory.mktemp("checkout")
    unneeded = shutil.ignore_patterns("browser", "studies", "papers")
    for folder in ("kernex", "pages", "docs", "tests"):
        shutil.copytree(REPOSITORY / folder, root / folder, ignore=unneeded)
    shutil.copytree(REPOSITORY / "kernex_core", root / "kernex_core")
    for name in ("pyproject.toml", "app.py"):
        shutil.copy(REPOSITORY / name, root)
    add(root)
    add(root)
    return root


def test_it_is_as_many_lines_and_files_as_it_says():
    assert len(LINES) == sum(line.count("\n") for *_, line in LINES) == 5
    assert len({name for name, *_ in LINES}) == 3
    assert "One file, five lines in three files, and an oracle" in TEXT


def named():
    """Files of tests that the document tells to run."""
    (line,) = re.findall(r"-m pytest (.*)$", TEXT, re.MULTILINE)
    return line.split()


def test_the_tests_that_it_names_are_there():
    assert [name for name in named() if not (REPOSITORY / name).exists()] == []


@pytest.mark.no_cover
def test_they_pass(checkout):
    wanted = "cauchy or without_an_example or every_vector_kernel or say_the_same"
    ran = [name for name in named() if "unused" not in name]  # the copy has not all pages
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-cov", "-k", wanted, *ran]
    made = subprocess.run(
        command, cwd=checkout, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert made.returncode == 0, made.stdout[-4000:] + made.stderr
    assert int(re.search(r"(\d+) passed", made.stdout)[1]) > 15


def test_its_sources_are_formatted(checkout):
    for command in (("check", FILE), ("format", "--check", FILE)):
        made = subprocess.run(
            [sys.executable, "-m", "ruff", *command],
            cwd=checkout,
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stdout


def test_every_file_and_name_that_is_mentioned_exists():
    code = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
    mentioned = set(re.findall(r"`([\w/]+(?:\.py|/))`", code)) - {FILE}
    short = {"spectrum.py", "smith_waterman.py"}
    folders = {name: REPOSITORY / "kernex_core" / "kernels" / "sequences" / name for name in short}
    folders["test_catalogue.py"] = REPOSITORY / "tests" / "kernex_core" / "kernels" / "test_catalogue.py"
    assert len(mentioned) >= 10
    for name in mentioned:
        assert folders.get(name, REPOSITORY / name).exists(), name
    for file, name in re.findall(r"`(\w+)` in `([\w/.]+\.py)`", code):
        assert re.search(rf"^{file}\b", (REPOSITORY / name).read_text(encoding="utf-8"), re.MULTILINE), file
