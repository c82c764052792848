import asyncio

import pytest

from pages.server.navigation import PAGES
from pages.server.token import Visitors
from pages.server.visitors import limits
from pages.server.visitors import store as identity
from pages.server.visitors.store import STARTED, STORE

NAME = identity.cookie_name()


def ask(*cookies, path="/", kind="http", method="GET", scheme="http", headers=(), client=None):
    """What the app behind it sees of the cookies, and the cookie that the answer sets."""
    seen, sent = [], []

    async def app(scope, receive, send):
        seen.extend(value.decode("latin-1") for key, value in scope["headers"] if key == b"cookie")
        if scope["type"] == "http":
            await send(
                {"type": "http.response.start", "status": 200, "headers": [(b"Cache-Control", b"public")]}
            )

    async def send(message):
        sent.extend(message["headers"])

    given = [*headers, *((b"cookie", cookie.encode("latin-1")) for cookie in cookies)]
    scope = {
        "type": kind,
        "path": path,
        "root_path": "",
        "scheme": scheme,
        "headers": given,
        "method": method,
        "client": client,
    }
    asyncio.run(Visitors(app)(scope, None, send))
    made = [value.decode() for key, value in sent if key == b"set-cookie"]
    if made:
        assert [value for key, value in sent if key.lower() == b"cache-control"] == [b"no-store"]
    return seen, made


@pytest.mark.parametrize("path", ["/", *(f"/{entry.url_path}" for entry in PAGES[1:])])
def test_the_first_page_names_the_visitor(path):
    seen, (made,) = ask(path=path)
    assert seen == []
    value, *attributes = made.split("; ")
    assert identity.visitor_of(value.removeprefix(f"{NAME}="))
    assert attributes == ["Max-Age=43200", "Path=/", "HttpOnly", "SameSite=Lax"]
    assert ask(path=path, scheme="https")[1][0].endswith("; Secure")


@pytest.mark.parametrize("other", [
    {"path": "/_stcore/stream", "kind": "websocket"}, {"path": "/media/x.csv"}, {"path": "/static/js/index.js"},
    {"path": "/nowhere"}, {"method": "POST"}, {"method": "HEAD"},
])  # fmt: skip
def test_nothing_else_does(other):
    assert ask(**other) == ([], [])


def test_a_visitor_keeps_the_cookie_and_its_time_begins_anew():
    cookie = identity.new_cookie()
    seen, (made,) = ask(f"_streamlit_xsrf=2|x; {NAME}={cookie}")
    assert seen == ["_streamlit_xsrf=2|x", f"{NAME}={cookie}"]
    assert made.startswith(f"{NAME}={cookie}; ")
    assert ask(f"{NAME}={cookie}", path="/_stcore/stream", kind="websocket")[0] == [f"{NAME}={cookie}"]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("wrong", [
    [f"{NAME}="], [f"{NAME}={'x' * 10_000}"], [f"{NAME}={'A' * 32}.{'A' * 22}"], [NAME], [f"{NAME}=é"], [";;=;"],
    [f"{NAME}={identity.new_cookie()}; {NAME}={identity.new_cookie()}"],
    [f"{NAME}={identity.new_cookie()}", f"{NAME}={identity.new_cookie()}"],
    [f"{NAME}={identity.new_cookie()}; {NAME}="],
])  # fmt: skip
def test_what_is_no_cookie_of_ours_goes_no_further_and_is_replaced(wrong, kind):
    seen, made = ask(*wrong, kind=kind)
    assert not any(NAME in cookie for cookie in seen)
    if kind == "http":
        assert identity.visitor_of(made[0].split(";")[0].removeprefix(f"{NAME}="))
        assert not any(made[0].split(";")[0] in cookie for cookie in wrong)


@pytest.mark.parametrize(
    ("origin", "host", "named"),
    [("http://localhost:8501", "localhost:8501", True), ("https://kernex.example", "kernex.example", True),
     ("http://localhost:3000", "localhost:8501", False), ("http://127.0.0.1:8501", "localhost:8501", False),
     ("https://front.example", "localhost:8501", True), ("http://[", "localhost:8501", False),
     ("null", "localhost:8501", False)],
)  # fmt: skip
def test_a_page_of_another_server_of_this_machine_is_a_stranger(origin, host, named):
    cookie = f"{NAME}={identity.new_cookie()}"
    headers = [(b"Origin", origin.encode()), (b"host", host.encode())]
    assert ask(cookie, path="/_stcore/stream", kind="websocket", headers=headers)[0] == (
        [cookie] if named else []
    )


def test_whoever_was_here_before_the_server_was_started_anew_is_told(monkeypatch):
    former = identity.new_cookie()
    monkeypatch.setattr(identity, "_keys", {})
    told = []
    monkeypatch.setattr(STORE, "tell", lambda visitor, reason: told.append((visitor, reason)))
    seen, (made,) = ask(f"{NAME}={former}")
    given = identity.visitor_of(made.split(";")[0].removeprefix(f"{NAME}="))
    assert told == [(given, STARTED)]
    # a tab that was left open has no cookie of this start: it is told so
    seen, _ = ask(f"{NAME}={former}", path="/_stcore/stream", kind="websocket")
    assert seen == [f"{identity.FORMER}=1"]
    for forged in ("x", "x" * 32, former[:-1], former + "x"):
        ask(f"{NAME}={forged}")
    assert len(told) == 1


@pytest.mark.parametrize(("client", "alone"), [
    (None, True), (("127.0.0.1", 1), True), (("127.9.9.9", 1), True), (("::1", 1), True), (("::ffff:127.0.0.1", 1), True),
    (("unknown", 0), True), (("192.168.1.7", 0), False), (("2001:db8::5", 0), False), (("::ffff:10.0.0.1", 0), False),
])  # fmt: skip
def test_who_comes_by_way_of_a_proxy_is_somebody_from_elsewhere(monkeypatch, client, alone):
    monkeypatch.setattr(limits, "_by_proxy", False)
    set_to = {}
    monkeypatch.setattr(limits.st, "get_option", {"server.address": "localhost", "server.port": 8501}.get)
    monkeypatch.setattr(limits.config, "set_option", set_to.__setitem__)
    ask(client=client)
    assert limits.answers_alone() is alone
    assert set_to == ({} if alone else {"server.maxUploadSize": limits._upload_size})
    ask(client=("127.0.0.1", 1))
    assert limits.answers_alone() is alone  # it does not go back and forth
