"""What arrives by the websocket: what a widget cannot take is dropped before the page's script runs.

    drop_unfit()      once, at the start

A browser sends for each widget what that widget says. Whoever speaks the websocket by other means sends what they like:
a number for a list, text that is no JSON, more than a message may hold. To read such a state is an error of Streamlit's,
before the page has begun and in each of its later runs. Dropped, it is as if it had not been sent: the page shows what it
showed. Messages that no page of ours sends are not looked at: they would clear what all visitors share, tell how this server
is kept, or write files beside it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.runtime.state.common import GENERATED_ELEMENT_ID_PREFIX, WidgetMetadata
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX, Serialized, SessionState

_log = logging.getLogger("kernex")
VALUE: Final = "value"
"""The part of a state that is of one of several types."""
IDS: Final = (GENERATED_ELEMENT_ID_PREFIX, f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{GENERATED_ELEMENT_ID_PREFIX}")
"""How the id of a widget begins, or of what a component tells; all else would pass for something that a page keeps."""
MOST: Final = 2_000
"""States in one message; a page has some dozens of widgets."""
MOST_FILES: Final = 1_000
"""Files that are brought at once."""
MESSAGES: Final = (
    "rerun_script",
    "stop_script",
    "file_urls_request",
    "app_heartbeat",
    "backend_operation_request",
)
OPERATIONS: Final = ("deferred_file", "dataframe_chunk")
"""Downloads that are made when they are asked for, and rows of long tables."""


@dataclass(frozen=True)
class _Reader:
    """Reads a state of a widget, and knows the type that the widget was declared with.

    Streamlit's own note of the type becomes that of whatever was read last.
    """

    read: Callable[[Any], Any]
    declared: str | None

    def __call__(self, value: Any) -> Any:
        return self.read(value)


class _Streamlits:
    """Methods of Streamlit's that are surrounded here."""

    take: Any = SessionState.set_widgets_from_proto
    declare: Any = SessionState._set_widget_metadata
    hear: Any = AppSession.handle_backmsg


def drop_unfit() -> None:
    """Let every session take only what its widgets can."""
    patched: Any = SessionState
    patched.set_widgets_from_proto, patched._set_widget_metadata = take, declare
    session: Any = AppSession
    session.handle_backmsg = hear


def hear(session: AppSession, message: BackMsg) -> None:
    """Pass a message on, if it is one that pages send."""
    kind = message.WhichOneof("type")
    asked = message.backend_operation_request.WhichOneof("payload") if kind == MESSAGES[-1] else ""
    too_many = (
        len(message.file_urls_request.file_names) > MOST_FILES if kind == "file_urls_request" else False
    )
    if kind in MESSAGES and asked in ("", *OPERATIONS) and not too_many:
        _Streamlits.hear(session, message)


def take(state: SessionState, sent: WidgetStates) -> None:
    """Take what a browser has sent; what is of no use leaves the message, too, from which clicks are told again."""
    if len(sent.widgets) > MOST or sent.ByteSize() > get_max_widget_state_size_bytes():
        sent.Clear()
    _keep(sent, [each for each in sent.widgets if each.id.startswith(IDS)])
    _Streamlits.take(state, sent)
    unfit = {each.id for each in sent.widgets if not _fits(state, each.id)}
    _keep(sent, [each for each in sent.widgets if each.id not in unfit])


def _keep(sent: WidgetStates, some: list[WidgetState]) -> None:
    if len(some) < len(sent.widgets):
        del sent.widgets[:]
        sent.widgets.extend(some)


def declare(state: SessionState, metadata: WidgetMetadata[Any]) -> None:
    """Note a widget that is drawn, and look at what was sent for it before anybody knew it: by a tab that comes again."""
    reader = _Reader(metadata.deserializer, metadata.value_type)
    _Streamlits.declare(state, replace(metadata, deserializer=reader))
    _fits(state, metadata.id)


def _fits(state: SessionState, widget: str) -> bool:
    """Whether a widget takes what was sent for it, or is not known yet; what it does not take is dropped."""
    states = state._new_widget_state
    sent, metadata = states.states.get(widget), states.widget_metadata.get(widget)
    if not isinstance(sent, Serialized) or metadata is None:
        return True
    declared = getattr(metadata.deserializer, "declared", metadata.value_type)
    if sent.value.WhichOneof(VALUE) in (declared, None):
        try:
            states[widget]
        except Exception:
            _log.debug("A state was dropped", exc_info=True)
        else:
            return True
    del states.states[widget]
    return False
