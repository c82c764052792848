"""Where the library that reads the handshake has other names, its own limits hold."""

import sys

from websockets import http11

from pages.server import token as handshake


def test_limits_are_raised_where_there_are_any_and_else_left(monkeypatch):
    monkeypatch.setattr(http11, "MAX_LINE_LENGTH", 8192)
    monkeypatch.setattr(http11, "MAX_NUM_HEADERS", 128)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "websockets.http11", None)
        handshake.allow_long_headers()
    assert (http11.MAX_LINE_LENGTH, http11.MAX_NUM_HEADERS) == (8192, 128)
    handshake.allow_long_headers()
    assert http11.MAX_LINE_LENGTH == handshake.LONGEST_LINE
