import asyncio
import json
import re
from urllib.parse import urlencode

import pytest

from kernex_core.base.errors import InvalidInputError
from pages.server import token as door
from pages.server.headers import Addresses, Headers
from pages.server.health import Health
from pages.server.navigation import PAGES
from pages.server.token import Visitors
from pages.server.visitors import limits
from pages.server.visitors import store as identity

TOKEN = "correct horse"
NAME = identity.cookie_name()


@pytest.fixture(autouse=True)
def token(monkeypatch):
    monkeypatch.setenv(limits.TOKEN, TOKEN)


@pytest.fixture
def ask(clock):
    """Ask the server as a browser does: status, headers and body; a websocket's status is "open" or "refused"."""

    async def streamlit(scope, receive, send):
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"streamlit"})

    tries = door.Tries(clock)
    server = Headers(Visitors(door.Door(Health(Addresses(streamlit), tries), tries)))

    def asking(
        path="/", cookie="", *, method="GET", kind="http", body=b"", client="10.0.0.7", headers=(), root=""
    ):
        sent, parts = [], [body[k : k + 7] for k in range(0, len(body), 7)] or [b""]

        async def receive():
            if kind == "websocket":
                return {"type": "websocket.connect"}
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def send(message):
            sent.append(message)

        path, _, query = path.partition("?")
        scope = {
            "type": kind, "path": root + path, "root_path": root, "query_string": query.encode(), "method": method,
            "scheme": "http", "client": (client, 4711),
            "headers": [*headers, *([(b"cookie", f"{NAME}={cookie}".encode())] if cookie else [])],
        }  # fmt: skip
        asyncio.run(server(scope, receive, send))
        if kind == "websocket":
            return {"websocket.accept": "open", "websocket.close": "refused"}[sent[0]["type"]]
        found = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], found, sent[1]["body"].decode()

    return asking


def given(headers):
    return headers["set-cookie"].split(";")[0].removeprefix(f"{NAME}=")


def say(ask, said, cookie, then="", **more):
    body = urlencode({"token": said, "then": then}).encode()
    return ask("/_kernex/enter", cookie, method="POST", body=body, **more)


EVERYTHING = [
    {"path": "/"}, {"path": "/data"}, {"path": "/nowhere"}, {"path": "/start"}, {"path": "/media/1a2b.csv"},
    {"path": "/static/js/index.js"}, {"path": "/_stcore/stream", "kind": "websocket"}, {"path": "/_stcore/host-config"},
    {"path": "/_stcore/upload_file/a/b", "method": "PUT"}, {"path": "/_stcore/upload_file/a/b", "method": "DELETE"},
    {"path": "/component/x/index.html"}, {"path": "/data", "method": "POST"}, {"path": "/_kernex/enter"},
]  # fmt: skip


@pytest.mark.parametrize("wanted", EVERYTHING)
@pytest.mark.parametrize("cookie", ["none", "a visitor's", "of another token", "forged"])
def test_nothing_passes_without_the_token(ask, wanted, cookie):
    visitor = identity.new_cookie()
    sent = {
        "none": "", "a visitor's": visitor, "of another token": identity.admitted(visitor, "another one"),
        "forged": f"{visitor}.{identity.admitted(identity.new_cookie(), TOKEN).split('.')[2]}",
    }[cookie]  # fmt: skip
    answer = ask(cookie=sent, **wanted)
    if wanted.get("kind") == "websocket":
        assert answer == "refused"
        return
    assert answer[0] == 401
    assert "streamlit" not in answer[2]
    is_page = wanted.get("method", "GET") == "GET" and not re.search(r"\.|_stcore", wanted["path"])
    assert ("<form" in answer[2]) == is_page


@pytest.mark.parametrize("path", ["/", "/complete?data=Protein+world&lam=0.3"])
def test_the_token_lets_in_once_and_leads_to_where_the_visitor_wanted(ask, path):
    status, headers, page = ask(path)
    assert status == 401
    assert TOKEN not in page
    cookie = given(headers)
    then = path[1:]
    assert f'value="{door.html.escape(then)}"' in page
    status, headers, _ = say(ask, f" {TOKEN} ", cookie, then)
    assert (status, headers["location"]) == (303, f"/{then}")
    inside = given(headers)
    assert identity.visitor_of(inside) == identity.visitor_of(cookie)
    assert "HttpOnly; SameSite=Lax" in headers["set-cookie"]
    status, headers, page = ask(path, inside)
    assert (status, page) == (200, "streamlit")
    assert given(headers) == inside  # the time begins anew with every page
    assert ask("/_stcore/stream", inside, kind="websocket") == "open"
    assert ask("/_stcore/upload_file/a/b", inside, method="PUT")[0] == 200
    assert say(ask, TOKEN, inside)[0] == 303  # from a second tab that has asked, too


@pytest.mark.parametrize(
    "said", ["", "correct hors", "correct horsf", "CORRECT HORSE", "\ud800", "é" * 3_000, TOKEN + "\0"]
)
def test_a_wrong_token_is_asked_for_again(ask, said):
    cookie = given(ask()[1])
    body = urlencode({"token": said, "then": ""}, errors="surrogatepass").encode()
    status, headers, page = ask("/_kernex/enter", cookie, method="POST", body=body)
    assert status == 403
    assert "not the token" in page
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe", b"&".join([b"token=x"] * 50), b"token=" + b"x" * 100_000, b"token"]
)
def test_a_form_that_is_none_says_no_token(ask, body):
    assert ask("/_kernex/enter", given(ask()[1]), method="POST", body=body)[0] == 403


def test_ten_wrong_tries_a_minute_an_address(ask, clock):
    cookie = given(ask()[1])
    for _ in range(10):
        assert say(ask, "wrong token", cookie)[0] == 403
        clock.now += 1
    assert say(ask, "wrong token", cookie)[0] == 429
    status, headers, page = say(ask, TOKEN, cookie)
    assert (status, headers["retry-after"]) == (429, "60")  # or guessing would go on
    assert "Wait a minute" in page
    assert 'name="token"' in page  # whoever has waited goes on from here
    assert say(ask, TOKEN, cookie, client="10.0.0.8")[0] == 303
    clock.now += 51
    assert say(ask, TOKEN, cookie)[0] == 303


def test_tokens_that_are_said_at_the_same_moment_are_counted_too():
    statuses, everybody_began = [], asyncio.Event()
    server = door.Door(None)
    cookie = (b"cookie", f"{NAME}={identity.new_cookie()}".encode())
    scope = {"type": "http", "path": "/_kernex/enter", "method": "POST", "scheme": "http", "headers": [cookie],
             "client": ("10.9.8.7", 1)}  # fmt: skip

    async def receive():
        await everybody_began.wait()
        return {"type": "http.request", "body": b"token=wrong"}

    async def send(message):
        statuses.append(message.get("status"))

    async def crowd():
        asking = [asyncio.ensure_future(server(dict(scope), receive, send)) for _ in range(30)]
        await asyncio.sleep(0)
        everybody_began.set()
        await asyncio.gather(*asking)

    asyncio.run(crowd())
    assert (statuses.count(403), statuses.count(429)) == (10, 20)


def test_a_network_of_version_6_is_one_address_and_not_all_are_remembered(ask):
    cookie = given(ask()[1])
    for number in range(10):
        say(ask, "wrong token", cookie, client=f"2001:db8::{number}")
    assert say(ask, TOKEN, cookie, client="2001:db8::ffff")[0] == 429
    assert say(ask, TOKEN, cookie, client="2001:db8:0:1::1")[0] == 303
    assert door.address_of({"client": ("::ffff:10.0.0.7", 1)}) == "10.0.0.7"
    assert door.address_of({"client": None}) == ""
    tries = door.Tries()
    for number in range(door.MOST_ADDRESSES + 5):
        tries.count(str(number))
    assert len(tries._wrong) == door.MOST_ADDRESSES


@pytest.mark.parametrize("then", [
    "//evil.example", "https://evil.example", "data\r\nset-cookie: x=1", "data?x=1\r\nset-cookie: x=1", "\\\\evil",
    "<script>",
])  # fmt: skip
def test_it_leads_nowhere_else(ask, then):
    _, headers, _ = say(ask, TOKEN, given(ask()[1]), then)
    assert headers["location"] in ("/", "/data?x=1%0D%0Aset-cookie%3A+x%3D1")
    _, _, page = say(ask, "wrong token", given(ask()[1]), then)
    assert "<script>" not in page


def test_it_works_below_a_path(ask):
    _, headers, page = ask("/data", root="/kernex")
    assert 'action="/kernex/_kernex/enter"' in page
    status, headers, _ = say(ask, TOKEN, given(headers), "data", root="/kernex")
    assert (status, headers["location"]) == (303, "/kernex/data")


def test_a_browser_without_cookies_is_told(ask):
    assert "no cookie" in say(ask, TOKEN, "")[2]


def test_without_a_token_nobody_is_asked(ask, monkeypatch):
    monkeypatch.delenv(limits.TOKEN)
    assert ask()[0] == 200
    assert ask("/_stcore/stream", kind="websocket") == "open"
    assert ask("/_kernex/enter", method="POST")[0] == 404


def test_a_token_that_could_be_guessed_is_refused_at_the_start(monkeypatch):
    monkeypatch.setenv(limits.TOKEN, "kernex7")
    with pytest.raises(InvalidInputError, match=limits.TOKEN):
        limits.token()


def test_health_says_ok_and_more_to_whoever_knows_the_token(ask, monkeypatch):
    assert ask("/_kernex/health")[::2] == (200, "ok")
    assert ask("/_stcore/health")[2] == ask("/healthz")[2] == "streamlit"
    inside = identity.admitted(identity.new_cookie(), TOKEN)
    for more in ({"cookie": inside}, {"headers": [(b"authorization", f"Bearer {TOKEN}".encode())]}):
        found = door_health(ask("/_kernex/health", **more))
        assert set(found) == {
            "status", "version", "uptime_seconds", "visitors", "workspaces_mb", "results_mb", "peak_memory_mb"
        }  # fmt: skip
    for _ in range(10):
        assert ask("/_kernex/health", headers=[(b"authorization", b"Bearer wrong token")])[2] == "ok"
    assert ask("/_kernex/health", headers=[(b"authorization", f"Bearer {TOKEN}".encode())])[2] == "ok"
    assert say(ask, TOKEN, given(ask()[1]))[0] == 429  # of the same count
    monkeypatch.delenv(limits.TOKEN)
    assert door_health(ask("/_kernex/health"))["status"] == "ok"


def door_health(answer):
    status, headers, body = answer
    assert (status, headers["content-type"], headers["cache-control"]) == (
        200,
        "application/json",
        "no-store",
    )
    return json.loads(body)


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.url_path)
def test_every_page_can_be_asked_for(entry):
    assert door.address_within(f"{entry.url_path}?a=b") == f"{entry.url_path}?a=b"
