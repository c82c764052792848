"""A visitor without a browser: speaks the app's websocket, opens a page, moves widgets, uploads files.

async with Visitor.arriving("localhost:8501") as visitor:
    await visitor.open("complete", "data=Protein+world")
    taken = await visitor.move(visitor.widget("slider", "λ"), 0.3)     # seconds, bytes and what went wrong
"""

from __future__ import annotations

import asyncio
import math
import time
import urllib.request
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.typing import Origin, Subprotocol

PATIENCE = 180.0
QUIET = 1.0
"""Seconds without a message after which a page that may run itself again is taken to be done."""
ERROR = 1
PICTURE = "kernex_matrices"
"""Name of the component that shows matrices."""

PICTURES = (PICTURE, "kernex_graphs", "plotly_chart", "imgs")
"""Kinds of elements, and names of components, that are pictures."""


class Disturbed(Exception):
    """What a visitor should never see: a traceback, an error box, a page that does not answer."""


@dataclass
class Taken:
    """What one answer took."""

    seconds: float = 0.0
    bytes: int = 0
    pictured: float = float("nan")
    """Seconds until the first picture of matrices had come; NaN where there was none."""


@dataclass
class Widget:
    """A widget as it was sent last: its kind, its message, and the fragment that it stands in."""

    kind: str
    element: Any
    fragment: str

    @property
    def label(self) -> str:
        """What stands above it."""
        return str(getattr(self.element, "label", ""))


@dataclass
class Visitor:
    """One session."""

    socket: Any
    address: str
    page: str = ""
    query: str = ""
    session: str = ""
    hash: str = ""
    widgets: dict[str, Widget] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    """Messages that the server may refer to instead of sending them again."""
    received: int = 0
    """Bytes so far."""
    pictured: float = float("nan")
    """When the first picture of matrices of this page came, by `time.perf_counter`."""
    on_picture: Callable[[], None] = lambda: None
    """Called when a picture comes: matrices, a figure, or graphs."""
    watch: Callable[[bytes], None] = lambda raw: None
    """Sees every message as it came."""

    @classmethod
    @asynccontextmanager
    async def arriving(cls, address: str) -> AsyncIterator[Visitor]:
        """Connect, as the app's page in a browser does."""
        async with websockets.connect(
            f"ws://{address}/_stcore/stream", max_size=2**28, subprotocols=[Subprotocol("streamlit")],
            origin=Origin(f"http://{address}"), ping_interval=None,
        ) as socket:  # fmt: skip
            yield cls(socket, address)

    async def open(self, page: str, query: str = "") -> Taken:
        """Open a page, and wait until it stands and runs no more."""
        self.page, self.query, self.hash, self.widgets, self.pictured = page, query, "", {}, float("nan")
        started = time.perf_counter()
        taken = await self.settled(await self._run([]))
        return replace(taken, pictured=self.pictured - started)

    async def settled(self, taken: Taken) -> Taken:
        """Wait until a page that goes on by itself, a step a run, runs no more; return what all of it took."""
        try:
            while True:
                started = time.perf_counter()
                message = await asyncio.wait_for(self._received(), QUIET)
                if message.WhichOneof("type") == "new_session":
                    more = await self._until_done(started)
                    taken = Taken(taken.seconds + more.seconds, taken.bytes + more.bytes)
        except TimeoutError:
            return taken

    def widget(self, kind: str, words: str) -> Widget:
        """Return the widget of a kind whose label has these words."""
        found = [w for w in self.widgets.values() if w.kind == kind and words in w.label]
        if not found:
            known = sorted({f"{w.kind} {w.label}" for w in self.widgets.values()})
            raise Disturbed(f"{self.page}: no {kind} {words!r} among {known}")
        return found[0]

    async def move(self, widget: Widget, value: float | str) -> Taken:
        """Move a slider, choose an option, or type a number."""
        state = WidgetState(id=widget.element.id)
        if widget.kind == "slider" and isinstance(value, str):
            state.string_array_value.data.append(value)
        elif widget.kind == "slider":
            state.double_array_value.data.append(value)
        elif widget.kind == "number_input":
            state.double_value = float(value)
        else:
            state.string_value = str(value)
        self._tell_address(widget, value)
        return await self._run([state], widget.fragment)

    def _tell_address(self, widget: Widget, value: float | str) -> None:
        """Write a setting that is bound to the address into it, as the page in a browser does."""
        if name := getattr(widget.element, "query_param_key", ""):
            kept = [(key, text) for key, text in parse_qsl(self.query) if key != name]
            self.query = urlencode([*kept, (name, str(value))])

    async def press(self, widget: Widget) -> Taken:
        """Press a button, and wait until the page stands."""
        return await self._run([WidgetState(id=widget.element.id, trigger_value=True)], widget.fragment)

    async def upload(self, widget: Widget, files: dict[str, bytes]) -> Taken:
        """Give files to an uploader."""
        request = BackMsg()
        request.file_urls_request.request_id = uuid.uuid4().hex
        request.file_urls_request.session_id = self.session
        request.file_urls_request.file_names.extend(files)
        await self.socket.send(request.SerializeToString())
        urls = await self._file_urls()
        state = WidgetState(id=widget.element.id)
        for (name, content), url in zip(files.items(), urls, strict=True):
            await asyncio.to_thread(
                _put, f"http://{self.address}/{url.upload_url.lstrip('/')}", name, content
            )
            info = state.file_uploader_state_value.uploaded_file_info.add(
                name=name, size=len(content), file_id=url.file_id
            )
            info.file_urls.CopyFrom(url)
        return await self._run([state], widget.fragment)

    async def _file_urls(self) -> Any:
        while True:
            message = await self._next()
            if message.WhichOneof("type") == "file_urls_response":
                return message.file_urls_response.file_urls

    async def _run(self, states: list[WidgetState], fragment: str = "") -> Taken:
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.page_script_hash = self.query, self.page, self.hash
        run.fragment_id = fragment
        run.widget_states.widgets.extend(states)
        run.cached_message_hashes.extend(self.kept)
        started = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        return await self._until_done(started)

    async def _until_done(self, started: float) -> Taken:
        taken, before = Taken(), self.received
        while True:
            message = await self._next()
            taken.bytes = self.received - before
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                taken.seconds = time.perf_counter() - started
                return taken

    async def _next(self) -> ForwardMsg:
        return await asyncio.wait_for(self._received(), PATIENCE)

    async def _received(self) -> ForwardMsg:
        raw = await self.socket.recv()
        self.watch(raw)
        message = ForwardMsg()
        message.ParseFromString(raw)
        kind = message.WhichOneof("type")
        if kind == "ref_hash":  # what was sent before, as a browser keeps it
            taken, message = message.ByteSize(), self.kept[message.ref_hash]
            kind = message.WhichOneof("type")
        else:
            taken = message.ByteSize()
            if message.metadata.cacheable:
                self.kept[message.hash] = message
        self.received += taken
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
        elif (
            kind == "navigation"
        ):  # which page it became; the session began with the frame around all of them
            self.hash = message.navigation.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._element(message.delta.new_element, message.delta.fragment_id)
        return message

    def _element(self, element: Any, fragment: str) -> None:
        kind = element.WhichOneof("type")
        part: Any = getattr(element, kind) if kind else None
        if kind == "exception":
            raise Disturbed(f"{self.page}: {part.type} {part.message[:100]}")
        if kind == "alert" and part.format == ERROR:
            raise Disturbed(f"{self.page}: {part.body[:100]}")
        if PICTURE in getattr(part, "component_name", "") and math.isnan(self.pictured):
            self.pictured = time.perf_counter()
        if kind in PICTURES or getattr(part, "component_name", "") in PICTURES:
            self.on_picture()
        name: str = getattr(part, "id", "")
        if name:
            self.widgets[name] = Widget(kind, part, fragment)


def _put(url: str, name: str, content: bytes) -> None:
    boundary = uuid.uuid4().hex
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = f"{head}Content-Type: text/csv\r\n\r\n".encode() + content + f"\r\n--{boundary}--\r\n".encode()
    request = urllib.request.Request(url, body, method="PUT")
    request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
    with urllib.request.urlopen(request, timeout=60):
        pass
