"""What goes compressed to the browser and what as it is; the other end reads both."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode

from pages.server.headers import SHORT, is_dense, leave_dense_messages

TEXT = b'{"ids": ["a", "b"], "note": "as given"}' * 400


@pytest.fixture
def numbers(rng):
    return rng.normal(size=SHORT).astype(np.float32).tobytes()


def test_floats_are_dense_and_text_and_short_messages_are_not(numbers):
    assert is_dense(numbers)
    assert is_dense(memoryview(numbers))
    assert not is_dense(TEXT)
    assert not is_dense(numbers[: SHORT - 1])
    assert not is_dense(np.zeros(SHORT).tobytes())


def test_both_come_out_at_the_other_end_as_they_went_in(monkeypatch, numbers):
    monkeypatch.setattr(PerMessageDeflate, "encode", PerMessageDeflate.encode)
    leave_dense_messages()
    once = PerMessageDeflate.encode
    leave_dense_messages()
    assert PerMessageDeflate.encode is once
    here, there = PerMessageDeflate(False, False, 12, 12), PerMessageDeflate(False, False, 12, 12)
    # later messages are compressed by what was sent before: one that goes as it is must leave that alone
    for data, compressed in (
        (TEXT, True),
        (numbers, False),
        (TEXT, True),
        (numbers, False),
        (TEXT[:99], True),
    ):
        sent = here.encode(Frame(Opcode.BINARY, data))
        assert sent.rsv1 is compressed
        assert bytes(there.decode(sent).data) == data
    first = here.encode(Frame(Opcode.BINARY, numbers, fin=False))
    last = here.encode(Frame(Opcode.CONT, TEXT))
    assert bytes(there.decode(first).data) + bytes(there.decode(last).data) == numbers + TEXT
    assert here.encode(Frame(Opcode.PING, b"")).rsv1 is False


@pytest.mark.parametrize("absent", [None, ModuleType("renamed"), SimpleNamespace(PerMessageDeflate=object)])
def test_where_the_library_has_other_names_all_stays_as_it_is(monkeypatch, absent):
    monkeypatch.setitem(sys.modules, "websockets.extensions.permessage_deflate", absent)
    before = PerMessageDeflate.encode
    leave_dense_messages()
    assert PerMessageDeflate.encode is before


@pytest.mark.parametrize(
    "other",
    [
        {"opcode": 2, "fin": True},  # a plain number
        {"opcode": Opcode.BINARY},  # no word on whether it is the last
        {"opcode": Opcode.BINARY, "fin": True, "data": 3},
    ],
)
def test_frames_of_another_release_are_compressed_by_it(monkeypatch, numbers, other):
    monkeypatch.setattr(PerMessageDeflate, "encode", lambda self, frame, level=1: (frame, level))
    leave_dense_messages()
    frame = SimpleNamespace(**{"data": numbers, **other})
    assert PerMessageDeflate.encode(None, frame, level=2) == (frame, 2)
