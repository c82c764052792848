import logging
import re

import numpy as np
import pytest
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from pages.server import failures as log
from pages.server import workspace
from pages.server.visitors import limits
from pages.server.visitors import store as identity


def test_a_line_a_study_says_nothing_of_the_data(monkeypatch, caplog):
    monkeypatch.setattr(st, "session_state", {})
    visitor = identity.visitor_of(identity.new_cookie())
    monkeypatch.setattr(workspace, "visitor", lambda: visitor)
    workspace.begin("evaluate")
    workspace.add(
        DataSet(
            "confidential", ("secret", "private"), kernels={"K": GramMatrix(np.eye(2), ("secret", "private"))}
        )
    )
    with (
        caplog.at_level(logging.INFO, logger="kernex"),
        pytest.raises(KeyboardInterrupt),
        log.studied("evaluation"),
    ):
        raise KeyboardInterrupt  # a stop is an exception, too
    (line,) = caplog.messages
    assert re.fullmatch(
        r"study evaluation  visitor [\w-]{8}  page evaluate  n 2  \d+\.\d s  peak memory ([\d,]+ MB|unknown)",
        line,
    )
    assert visitor not in line
    assert identity.mark_of(visitor) in line
    workspace.tab().forget()


def test_whoever_starts_an_open_server_is_warned(monkeypatch, caplog):
    monkeypatch.setattr(log._log, "handlers", [caplog.handler])
    monkeypatch.setattr(limits, "answers_alone", lambda: False)
    monkeypatch.setenv(limits.TOKEN, "correct horse")
    log.configure()
    assert caplog.messages == []
    monkeypatch.delenv(limits.TOKEN)
    log.configure()
    assert limits.TOKEN in caplog.messages[0]
    monkeypatch.setattr(limits, "answers_alone", lambda: True)
    caplog.clear()
    log.configure()
    assert caplog.messages == []
