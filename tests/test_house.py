"""The house is in order: what `make house` prints is held."""

import re

import pytest

from pages.server.navigation import PAGES
from tests import house
from tests.conftest import REPOSITORY


@pytest.fixture(scope="module")
def made():
    return house.read(REPOSITORY)


def test_no_wing_imports_another(made):
    assert made.between_wings() == []


def test_what_is_shared_imports_no_wing(made):
    assert made.shared_to_wings() == []


def test_nothing_runs_in_a_circle(made):
    assert made.circles() == []


def test_folders_can_be_read(made):
    assert {folder: n for folder, n in made.folders().items() if n > house.LARGEST_FOLDER} == {}


def test_wings_are_those_of_the_pages(made):
    pages = {name for side, name in made.wings() if side == "pages"}
    folders = {entry.path.rpartition("/")[0] for entry in PAGES}
    # a page may lie in the wing of another: networks/features
    assert pages == {folder for folder in folders if folder.rpartition("/")[0] not in folders}
    documented = (REPOSITORY / "docs" / "pages.md").read_text(encoding="utf-8")
    studies = [name for side, name in made.wings() if side == "studies"]
    assert [name for name in studies if not re.search(rf"studies/{name}[/.]", documented)] == []


def test_functions_take_what_belongs_together_as_one_value(made):
    assert made.wide_functions() == []


def test_files_stay_short(made):
    assert made.long_files() == []


def test_a_circle_among_types_alone_is_found(tmp_path):
    (tmp_path / "kernex_core").mkdir()
    (tmp_path / "pages" / "one").mkdir(parents=True)
    (tmp_path / "pages" / "two").mkdir()
    (tmp_path / "kernex_core/a.py").write_text("from kernex_core.b import B\nA = 1\n")
    (tmp_path / "kernex_core/b.py").write_text("if TYPE_CHECKING:\n    from kernex_core.a import A\nB = 1\n")
    (tmp_path / "pages/ui").mkdir()
    (tmp_path / "pages/ui/script.js").write_text("")
    (tmp_path / "pages/ui/style.css").write_text("")
    (tmp_path / "pages/ui/ready.py").write_text('import_module("pages.one.view")\n')
    (tmp_path / "pages/one/view.py").write_text("def f(a, b, c, d, e, f, g, h, i): ...\n")
    (tmp_path / "pages/two/view.py").write_text("from pages.one.view import f\n" + "\n" * house.LONGEST_FILE)
    made = house.read(tmp_path)
    assert made.circles() == [["kernex_core.a", "kernex_core.b"]]
    assert made.between_wings() == [("pages.two.view", "pages.one.view")]
    assert made.shared_to_wings() == [("pages.ui.ready", "pages.one.view")]
    assert made.folders()["pages/ui"] == 3
    assert made.wide_functions() == [(9, "pages.one.view.f")]
    assert [lines for lines, _ in made.long_files()] == [house.LONGEST_FILE + 1]
