"""docs/add_a_lesson.md is true: a lesson made as it says is in the course, and the tests that it names pass."""

import re
import shutil
import subprocess
import sys

import pytest

from tests import house
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE

TEXT = (REPOSITORY / "docs" / "add_a_lesson.md").read_text(encoding="utf-8")
KEY = "width_of_likeness"
(ENTRY,) = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
(LESSONS,) = re.findall(r"In `LESSONS` \(`([\w/]+\.py)`\)", TEXT)
BEFORE = '    Lesson(\n        "errata"'
(PICTURE,) = re.findall(r"`([\w/]+\.png)`", TEXT)


def files():
    """Whole files of the document: the path that stands last before each, and its code."""
    parts = re.split(r"```(?:\w+\n)?", TEXT)
    return {
        re.findall(rf"`([\w/]+{KEY}\.py)`", words)[-1]: code
        for words, code in zip(parts[::2], parts[1::2], strict=False)
        if code.startswith('"""')
    }


def add(root):
    """Follow the document in a checkout, or leave it as it is where that has been done."""
    for path, code in files().items():
        (root / path).write_text(code, encoding="utf-8")
    # what `make pictures` takes from the running app
    shutil.copy(root / "pages" / "learn" / "pictures" / "errata.png", root / PICTURE)
    text = (root / LESSONS).read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    if ENTRY not in text:
        (root / LESSONS).write_text(text.replace(BEFORE, ENTRY + BEFORE), encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the sources and of the tests with the lesson added; what was compiled before is copied, too."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in ("kernex_core", "pages", "docs"):
        shutil.copytree(REPOSITORY / folder, root / folder)
    shutil.copytree(REPOSITORY / "tests", root / "tests", ignore=shutil.ignore_patterns("browser"))
    for name in ("pyproject.toml", "app.py"):
        shutil.copy(REPOSITORY / name, root)
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


def test_it_is_as_much_as_it_says(checkout):
    assert "Three files, a picture, and one entry in one file" in TEXT
    assert len(files()) == 3
    named = [
        str(path.relative_to(checkout))
        for top in ("kernex_core", "pages", "tests")
        for path in (checkout / top).rglob("*.py")
        if KEY in path.read_text(encoding="utf-8") and path.name != "test_add_a_lesson.py"
    ]
    assert set(named) - set(files()) == {LESSONS}


@pytest.mark.no_cover
def test_the_tests_that_it_names_pass(checkout):
    (named,) = re.findall(r"-m pytest (.*)$", TEXT, re.MULTILINE)
    assert [name for name in named.split() if not (REPOSITORY / name).exists()] == []
    wanted = f"{KEY} or learn and lecture or addresses or glossary"
    made = run(
        checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-cov", "-k", wanted, *named.split()
    )
    assert int(re.search(r"(\d+) passed", made)[1]) > 10


def test_its_sources_are_formatted_and_the_house_stays_in_order(checkout):
    run(checkout, "-m", "ruff", "check", *files())
    run(checkout, "-m", "ruff", "format", "--check", *files())
    made = house.read(checkout)
    assert not made.between_wings()
    assert not made.circles()


def test_every_file_that_it_mentions_exists():
    prose = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
    mentioned = {name for name in re.findall(r"`([\w/]+/(?:\w+\.py)?)`", prose) if KEY not in name}
    assert len(mentioned) >= 8
    assert [name for name in sorted(mentioned) if not (REPOSITORY / name).exists()] == []
