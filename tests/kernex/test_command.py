"""The command: what it refuses, in one sentence and with exit code 2, and what it hands on to the app."""

import socket
import sys

import pytest
from streamlit.web import cli

from kernex import command
from tests.browser.conftest import free_port


@pytest.fixture
def ran(monkeypatch):
    """What the app would have been started with."""
    calls = []
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(cli, "main", lambda arguments, **_: calls.append(arguments))
    return calls


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(",a\na,1\n")
    return path


def refused(capsys, *arguments):
    try:
        code = command.main([str(each) for each in arguments])
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (command.WRONG, "", 1)
    assert said.err.startswith("kernex: ")
    return said.err


def test_what_cannot_be_is_one_sentence(capsys, ran, file):
    assert "cannot be read" in refused(capsys, "nowhere.csv")
    assert "is a folder" in refused(capsys, file.parent)
    assert "from 1 to 65535" in refused(capsys, "--port", "0086000")
    assert "from 1 to 65535" in refused(capsys, "--port", "0")
    assert "--prt" in refused(capsys, "--prt=3")
    assert "no address of this machine" in refused(capsys, "--address", "203.0.113.9")
    assert "--files" in refused(capsys, "version", "--files")
    with socket.create_server(("localhost", 0)) as taken:
        assert "is taken" in refused(capsys, "--port", taken.getsockname()[1])
    # nobody shows a file to a network by mistake
    assert "--for-all" in refused(capsys, "--address", "0.0.0.0", file)
    assert ran == []


def test_without_its_libraries_it_says_who_knows_what_is_missing(capsys, ran, monkeypatch):
    monkeypatch.setitem(sys.modules, "streamlit.web", None)
    assert command.main([]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "`kernex check`" in said


def test_files_port_and_place_reach_the_app(ran, file, monkeypatch):
    port = free_port()
    monkeypatch.chdir(file.parent)
    assert command.main(["--port", str(port), "--base", "kernex", file.name]) == 0
    assert command.main(["--address", "127.0.0.1", "--for-all", str(file)]) == 0
    assert command.main(["start"]) == 0
    first, second, third = ran
    assert first[0] == "run"
    assert first[1].endswith("app.py")
    assert {f"--server.port={port}", "--server.address=localhost", "--server.baseUrlPath=kernex"} < {*first}
    assert first[first.index("--") + 1 :] == [str(file)]
    assert second[second.index("--") + 1 :] == ["--for-all", str(file)]
    assert third[-1] == "--"


def test_without_a_port_the_next_free_one_is_taken(ran, monkeypatch):
    monkeypatch.setattr(command, "why_not", lambda port, _: "taken" if port < command.PORT + 2 else "")
    command.main([])
    assert f"--server.port={command.PORT + 2}" in ran[0]


def test_every_command_says_what_it_is_for(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    said = capsys.readouterr().out
    assert all(each.name in said for each in command.COMMANDS)
