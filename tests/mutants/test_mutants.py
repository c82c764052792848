"""The list of mutations is true of the code as it is; what they change is run by `make mutants`."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.mutants.core import CORE
from tests.mutants.mutant import Mutant, Stale
from tests.mutants.pages import PAGES

ALL = (*CORE, *PAGES)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.what)
def test_a_mutation_changes_one_place_and_is_code(one):
    text = (REPOSITORY / one.file).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(one.planted(REPOSITORY))) != ast.dump(ast.parse(text))


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.what)
def test_tests_of_a_mutation_are_there(one):
    files = one.tests.partition(" -k ")[0].split()
    assert files
    assert [name for name in files if not (REPOSITORY / name.partition("::")[0]).exists()] == []


def test_mutations_are_told_apart():
    assert [what for what, count in Counter(one.what for one in ALL).items() if count > 1] == []
    assert len({(one.file, one.old, one.new) for one in ALL}) == len(ALL)


@pytest.mark.parametrize("text", ["", "x = 1\nx = 1\n"])
def test_a_mutation_without_its_one_place_says_so(tmp_path: Path, text):
    Path(tmp_path / "a.py").write_text(text, encoding="utf-8")
    with pytest.raises(Stale, match=r"x is 2: 'x = 1' has to stand in a\.py once"):
        Mutant("x is 2", "a.py", "x = 1", "x = 2", "tests").planted(tmp_path)
