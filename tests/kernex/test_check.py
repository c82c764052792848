"""`kernex check` finds what is missing, says what to do about it, and ends with 1 where Kernex would not run."""

import socket
import tomllib

import pytest

from kernex import check, command
from kernex_core.studies import loops
from tests.conftest import REPOSITORY


def test_the_oldest_python_is_the_project_s():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">={}.{}".format(*check.OLDEST)


def test_libraries_that_are_missing_or_do_not_fit(tmp_path, monkeypatch, capsys):
    wanted = '# comment\nnumpy>=2\nscipy<1\nno-such-library>=3,<4\nnor-this; python_version < "3"\n'
    (tmp_path / "requirements.txt").write_text(wanted)
    monkeypatch.setattr(command, "root", lambda: tmp_path)
    assert command.main(["check"]) == 1
    said = capsys.readouterr().out.splitlines()
    (missing,) = (line for line in said if "no-such-library" in line)
    assert missing.startswith("wrong  no-such-library is not here: python -m pip install ")
    (old,) = (line for line in said if "scipy" in line)
    assert 'pip install "scipy<1"' in old
    assert next(line for line in said if "numpy" in line).startswith("ok")
    assert "nor-this" not in "".join(said)
    # what would need them is not tried
    assert "loops" not in "".join(said)


def test_a_port_that_is_taken_is_a_note_for_the_next_one_is_used():
    with socket.create_server(("localhost", 0)) as taken:
        line = list(check.lines(REPOSITORY, taken.getsockname()[1], "localhost"))[-1]
    assert str(line).startswith("note")
    assert not line.is_wrong
    assert "--port" in line.remedy


@pytest.mark.parametrize(
    ("folder", "is_there", "said"),
    [
        (None, True, "NUMBA_CACHE_DIR"),
        (REPOSITORY, False, "python -m kernex_core.studies.loops"),
        (REPOSITORY, True, ""),
    ],
)
def test_loops_that_are_not_compiled_or_cannot_be_kept(monkeypatch, folder, is_there, said):
    monkeypatch.setenv("KERNEX_NUMBA", "1")
    monkeypatch.setattr(loops, "folder", lambda: folder)
    monkeypatch.setattr(loops, "load", lambda _: is_there)
    last = list(check._loops())[-1]
    assert said in last.remedy
    assert bool(last.remedy) is bool(said)
    assert not last.is_wrong
