"""A downloaded script runs from wherever it lies, and says how on top."""

import ast
import dataclasses
import importlib
import os
import pkgutil
import subprocess
import sysconfig
import typing
import venv

import numpy as np
import pytest

import kernex_core
from kernex_core import studies
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import RUN, Call, File, call, write_script
from kernex_core.inputs.reading import read_samples
from tests.conftest import REPOSITORY

POSIX = pytest.mark.skipif(os.name != "posix", reason="make and .ci are for Linux and macOS")
STUDIES = "kernex_core.studies."


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """A script in a folder for downloads, beside the file that it reads."""
    folder = tmp_path_factory.mktemp("Downloads")
    data = b",a,b\na,2,1\nb,1,2\n"
    (folder / "like.csv").write_bytes(data)
    K = read_samples(data, "like.csv", kind="similarity").gram
    path = folder / "likeness.py"
    path.write_text(
        write_script([K.recipe], heading="Kernex: like", prints=["$0.values.sum()"]), encoding="utf-8"
    )
    return path


@POSIX
def test_the_python_of_make_app_finds_kernex_from_anywhere(script, tmp_path):
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([REPOSITORY / ".ci" / "put-on-path", tmp_path / "venv"], check=True)
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    # the new environment has no packages: it borrows those of this one
    (tmp_path / own / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    made = subprocess.run(
        [python, script], cwd=script.parent, env=clean, capture_output=True, text=True, check=False
    )
    assert (made.stdout, made.stderr) == ("6.0\n", "")


@POSIX
def test_make_app_puts_it_there(tmp_path):
    text = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    rule = text[text.index("$(VENV)/.app:") :]
    assert ".ci/put-on-path $(VENV)\n" in rule[: rule.index("\n\n")]


def test_the_top_says_how_to_run_it_and_what_it_reads(script):
    top = [line for line in script.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    assert top == [
        "# Kernex: like",
        f"# {RUN}",
        "# It reads from the folder in which it is started: like.csv",
    ]
    none = write_script([GramMatrix(np.eye(2), ("a", "b")).recipe], heading="x")
    assert "# It reads no file." in none.splitlines()
    fetched = Call("data", "fetch_dataset", ("colon",), fetches=("colon",))
    both = write_script([call("x", "f", fetched, fetched, call("s", "g", File("a\n1.csv")))], heading="x")
    assert "~/kernex_data, or fetches them: colon\n" in both
    assert "started: a 1.csv\n" in both


@POSIX
def test_only_make_coverage_asks_how_much_the_tests_reach():
    def said(*arguments):
        command = ["make", "-n", "pytest", *arguments]
        return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout

    assert "--cov" not in said()
    assert "--cov " in said("COVERAGE=--cov --cov-report=term")
    assert "--cov" not in said("ARGS=tests/kernex_core/gram")
    assert "tests/kernex_core/gram" in said("ARGS=tests/kernex_core/gram")


def literal_calls():
    """Names of functions that code of the repository writes into calls."""
    for path in (*(REPOSITORY / "kernex_core").rglob("*.py"), *(REPOSITORY / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "call"
                and len(node.args) > 1
                and isinstance(node.args[1], ast.Constant)
            ):
                yield node.args[1].value


def test_every_function_that_a_call_names_is_public():
    named = set(literal_calls())
    assert len(named) > 60
    assert not sorted(name for name in named if not hasattr(kernex_core, name))


def parts_of(kind):
    """Classes of the core that values of a class are made with."""
    hints = typing.get_type_hints(kind)
    waiting = [hints[each.name] for each in dataclasses.fields(kind) if each.init]
    while waiting:
        found = waiting.pop()
        waiting += typing.get_args(found)
        if isinstance(found, type) and found.__module__.startswith("kernex_core"):
            yield found


def test_whatever_settings_are_made_with_is_public():
    """A setting is written with its class, and what it holds with theirs."""
    modules = [
        importlib.import_module(each.name) for each in pkgutil.walk_packages(studies.__path__, STUDIES)
    ]
    settings = {
        found
        for module in modules
        for name, found in vars(module).items()
        if name.endswith("Config") and not name.startswith("_")
    }
    assert not sorted(each.__name__ for each in settings if not hasattr(kernex_core, each.__name__))
    assert len(settings) > 15
    missing = {
        part.__name__
        for kind in settings
        for part in parts_of(kind)
        if dataclasses.is_dataclass(part) and not hasattr(kernex_core, part.__name__)
    }
    assert not missing
