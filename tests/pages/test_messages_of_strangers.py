"""Whoever speaks the websocket by other means than a browser: widgets take what they can, and nothing else happens."""

import math

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.server import uploads as states
from pages.server.navigation import PAGES
from tests.patience import PATIENCE

LONG = "x" * 5_000
STRANGE_TEXTS = ("", "\x00\u202e" + LONG, "{", "[[[[", "null", "[1, 2]", '{"selection": 3}', "1e999")
STRANGE = {
    "bool_value": (True, False),
    "trigger_value": (True,),
    "bytes_value": (b"\xff\xfe",),
    "arrow_value": ("no table",),
    "double_value": (math.nan, math.inf, -1e308, 0.5),
    "int_value": (-(2**62), 2**62, 0),
    "double_array_value": ((), (math.nan,), (math.inf, -math.inf), (1e308,) * 5),
    "int_array_value": ((), (-1,), (2**62, 0, 0), (5,) * 100),
    "string_array_value": ((), ("",), (LONG, "\x00"), ("a", "a")),
    "string_value": STRANGE_TEXTS,
    "json_value": (
        *STRANGE_TEXTS, "[" * 4_000 + "]" * 4_000, '{"value": null}', '{"value": {"value": [1]}}', '"text"', "3", "NaN",
    ),
    "json_trigger_value": (*STRANGE_TEXTS, '{"event": 3, "value": null}', '[{"event": "no such", "value": {}}]', "3"),
    "file_uploader_state_value": ("nobody's",),
    "string_trigger_value": (LONG,),
    "chat_input_value": (LONG,),
}  # fmt: skip
"""Values of every type that a state may have."""
NOBODYS = ("nobody-knows-it", "kernex", "settings.held", "$$ID-0-none", "$$STREAMLIT_INTERNAL_KEY_SCRIPT", "")
"""Ids of no widget: some a page keeps things under."""
PAIRS = [(field, value) for field, values in STRANGE.items() for value in values[:2]]
"""A field and a value: the type alone decides whether it is taken, and two values are enough to tell."""


def state(widget, field, value):
    made = WidgetState(id=widget)
    if field.endswith("_array_value"):
        getattr(made, field).SetInParent()
        getattr(made, field).data.extend(value)
    elif field == "arrow_value":
        made.arrow_value.data = value.encode()
    elif field == "file_uploader_state_value":
        info = UploadedFileInfo(name="../a", file_id=value, size=2**62)
        made.file_uploader_state_value.CopyFrom(FileUploaderState(uploaded_file_info=[info]))
    elif field in ("string_trigger_value", "chat_input_value"):
        getattr(made, field).data = value
    else:
        setattr(made, field, value)
    return made


@pytest.fixture(autouse=True)
def dropped(monkeypatch):
    for name in ("set_widgets_from_proto", "_set_widget_metadata"):
        monkeypatch.setattr(SessionState, name, getattr(SessionState, name))  # and back
    monkeypatch.setattr(AppSession, "handle_backmsg", AppSession.handle_backmsg)
    states.drop_unfit()


def test_every_type_of_a_state_is_tried():
    assert set(STRANGE) == {each.name for each in WidgetState.DESCRIPTOR.oneofs_by_name["value"].fields}


def declared(at):
    """Widgets of the page as it stands, with their types."""
    of = at._session_state._state
    drawn = of._new_widget_state.widget_metadata
    return {name: each.deserializer.declared for name, each in drawn.items() if name in of}


def shown(at):
    of = at._session_state._state
    return {name: repr(of[name]) for name in declared(at)}


pages = pytest.mark.parametrize("path", [entry.path for entry in PAGES])


@pages
@pytest.mark.parametrize("turns", [4, pytest.param(len(PAIRS), marks=pytest.mark.science)])
def test_states_of_other_types_than_the_widgets_have_change_nothing(
    open_page_test, small_dataset, path, turns
):
    """In each turn each widget is sent another wrong type; in all turns, every one that there is."""
    at = open_page_test(path, small_dataset)
    at.run()
    before = shown(at)
    for turn in range(turns):
        kinds = {**declared(at), **dict.fromkeys(NOBODYS)}
        first = turn * len(PAIRS) // turns
        sent = {name: PAIRS[(first + place) % len(PAIRS)] for place, name in enumerate(kinds)}
        wrong = {name: pair for name, pair in sent.items() if pair[0] != kinds[name]}
        at._run(WidgetStates(widgets=[state(name, *pair) for name, pair in wrong.items()]))
        assert not at.exception, wrong
        assert shown(at) == before, wrong


@pages
def test_states_that_no_browser_sends_break_no_page(open_page_test, small_dataset, path):
    at = open_page_test(path, small_dataset)
    for turn in range(max((len(STRANGE[kind]) for kind in declared(at).values()), default=0)):
        kinds = {name: kind for name, kind in declared(at).items() if kind != "trigger_value"}
        at._run(WidgetStates(widgets=[
            state(name, kind, STRANGE[kind][turn % len(STRANGE[kind])]) for name, kind in kinds.items()
        ]))  # fmt: skip
        assert not at.exception, turn
        at.run()
        assert not at.exception, turn


def message(*widgets):
    return WidgetStates(widgets=[state(name, "string_value", "x") for name in widgets])


def held(sent):
    of = SessionState()
    of.set_widgets_from_proto(sent)
    return len(of._new_widget_state)


def test_a_widget_that_is_not_known_yet_keeps_what_a_tab_sends_that_comes_again():
    assert held(message("$$ID-0-known", "nobody")) == 1


def test_messages_above_all_bounds_are_empty():
    assert held(message(*(f"$$ID-{number}-some" for number in range(states.MOST + 1)))) == 0
    large = WidgetStates(
        widgets=[state("$$ID-0-large", "string_value", "x" * get_max_widget_state_size_bytes())]
    )
    assert held(large) == 0


def test_what_is_sent_before_a_widget_is_drawn_is_looked_at_when_it_is():
    def page():
        import streamlit as st

        if st.session_state.setdefault("drawn", False):
            st.slider("a", 0, 9, 3, key="a")
        st.session_state.drawn = True

    at = AppTest.from_function(page).run().run()
    name = at.slider(key="a").id
    at = AppTest.from_function(page)
    at._run(WidgetStates(widgets=[state(name, "bool_value", True)]))
    at._run(WidgetStates(widgets=[state(name, "bool_value", True)]))
    assert not at.exception
    assert at.slider(key="a").value == 3


def heard(monkeypatch, message):
    given = []
    monkeypatch.setattr(states._Streamlits, "hear", lambda session, message: given.append(message))
    states.hear(None, message)
    return bool(given)


@pytest.mark.parametrize("kind", [each.name for each in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields])
def test_messages_that_pages_send_are_heard_and_no_others(monkeypatch, kind):
    message = BackMsg()
    if isinstance(getattr(message, kind), bool):
        setattr(message, kind, True)
    else:
        getattr(message, kind).SetInParent()
    asks = kind == "backend_operation_request"  # for nothing
    assert heard(monkeypatch, message) == (kind in states.MESSAGES and not asks)


@pytest.mark.parametrize(
    "payload", ["deferred_file", "dataframe_chunk", "install_skills", "dismiss_skills_nudge"]
)
def test_nobody_writes_files_beside_this_server(monkeypatch, payload):
    message = BackMsg()
    getattr(message.backend_operation_request, payload).SetInParent()
    assert heard(monkeypatch, message) == (payload in states.OPERATIONS)


def test_nobody_asks_for_places_of_a_million_files(monkeypatch):
    for count, takes in ((states.MOST_FILES, True), (states.MOST_FILES + 1, False)):
        message = BackMsg()
        message.file_urls_request.file_names.extend(["a"] * count)
        assert heard(monkeypatch, message) == takes


def test_a_whole_number_of_a_number_input_is_taken():
    """Browsers send it as a whole number; the widget says that it takes any."""

    def page():
        import streamlit as st

        st.write(f"at least {st.number_input('Smallest', 1, 20, 2)}")

    at = AppTest.from_function(page, default_timeout=PATIENCE).run()
    sent = at._tree.get_widget_states()
    (state,) = sent.widgets
    state.int_value = 10
    at._tree = at._run(sent)._tree
    assert at.markdown[0].value == "at least 10"
