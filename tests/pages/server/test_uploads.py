"""Files that arrive and are never used: bounded for each visitor and for all; whoever sends too many is refused alone."""

import asyncio

import pytest

from pages.server import uploads
from pages.server.uploads import Uploads
from pages.server.visitors import limits
from pages.server.visitors import store as identity

NAME = identity.cookie_name()


@pytest.fixture
def server(monkeypatch):
    """A server for others, with 50 MB for all; call it to send a file, which stays where it is taken."""
    monkeypatch.setenv(limits.WORKSPACES, "50")
    monkeypatch.setattr(limits, "answers_alone", lambda: False)
    left = {}
    monkeypatch.setattr(uploads, "bytes_left", lambda: left)
    answers = []

    async def app(scope, receive, send):
        session = scope["path"].split("/")[3]
        left[session] = left.get(session, 0) + int(dict(scope["headers"])[b"content-length"])
        answers.append(204)

    async def send(message):
        answers.append(message.get("status"))

    door = Uploads(app)

    def put(cookie, session, size, address="10.0.0.1", method="PUT"):
        answers.clear()
        headers = [(b"content-length", str(size).encode())]
        if cookie:
            headers.append((b"cookie", f"{NAME}={cookie}".encode()))
        scope = {"type": "http", "method": method, "path": f"/_stcore/upload_file/{session}/x", "root_path": "",
                 "headers": headers, "client": (address, 1)}  # fmt: skip
        asyncio.run(door(scope, None, send))
        return answers[0]

    put.left = left
    return put


def test_a_crowd_of_files_is_refused_to_its_sender_and_to_nobody_else(server):
    one, two = identity.new_cookie(), identity.new_cookie()
    given = [server(one, f"session{number % 3}", 4_000_000) for number in range(10)]
    assert given == [204] * 6 + [413] * 4  # of half, in however many tabs
    assert server(two, "other", 4_000_000) == 204
    del server.left["session0"]  # a tab is closed
    assert server(one, "session1", 4_000_000) == 204
    assert server(None, "nobody", 4_000_000) == 204


def test_all_together_have_their_bound(server):
    cookies = [identity.new_cookie() for _ in range(6)]
    given = [server(cookie, f"s{number}", 9_000_000) for number, cookie in enumerate(cookies)]
    assert given == [204] * 5 + [413]


def test_a_machine_of_ones_own_has_no_bound(server, monkeypatch):
    monkeypatch.setattr(limits, "answers_alone", lambda: True)
    assert {server(identity.new_cookie(), "s", 40_000_000) for _ in range(5)} == {204}


@pytest.mark.parametrize("size", ["", "-5", "4e6", "9" * 5_000, "²"])
def test_a_file_without_a_length_is_refused(server, size):
    assert server(identity.new_cookie(), "s", size) == 411
    assert not server.left


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_nobody_brings_a_file_to_another_visitor_or_takes_one_away(server, monkeypatch, method):
    mine, theirs = identity.new_cookie(), identity.new_cookie()
    sessions = {"mine": mine, "theirs": theirs, "former": "no cookie of this server"}
    monkeypatch.setattr(uploads, "cookie_of_session", lambda session, name: sessions.get(session))
    for session, status in {"mine": 204, "theirs": 403, "former": 204, "none": 204}.items():
        assert server(mine, session, 100, method=method) == status
    assert server(None, "mine", 100, method=method) == 403
    assert server(mine[:-1] + "?", "mine", 100, method=method) == 403


def asked(address, cookie=None):
    """Status of a request for a file that is there."""
    answers = []

    async def app(scope, receive, send):
        answers.append(200)

    async def send(message):
        answers.append(message.get("status"))

    headers = [(b"cookie", f"{NAME}={cookie}".encode())] if cookie else []
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/media/{address}.png",
        "root_path": "",
        "headers": headers,
    }
    asyncio.run(Uploads(app)(scope, None, send))
    return answers[0]


def test_pictures_and_downloads_are_answered_to_their_visitor_alone(monkeypatch):
    one, two = identity.new_cookie(), identity.new_cookie()
    addresses = {}
    for cookie in (one, two, None):
        monkeypatch.setattr(uploads.workspace, "visitor", lambda who=cookie: identity.visitor_of(who))
        addresses[cookie] = uploads.media_id(b"the same picture", "image/png")
    assert len(set(addresses.values())) == 3
    for owner, address in addresses.items():
        for cookie in (one, two, None, "forged"):
            known = cookie if cookie in (one, two) else None
            assert asked(address, cookie) == (200 if owner in (None, known) else 404), (owner, cookie)
    assert asked("0" * 32, one) == 404


def test_a_download_that_is_made_when_it_is_asked_for_is_of_who_asks(monkeypatch):
    one = identity.new_cookie()
    monkeypatch.setattr(
        uploads, "cookie_of_session", lambda session, name: one if session == "mine" else None
    )
    made = []

    async def make(handler, request, session):
        made.append(await asyncio.to_thread(uploads.media_id, b"data", "text/csv"))

    monkeypatch.setattr(uploads, "_make", make)
    for session in ("mine", "without"):
        asyncio.run(uploads._make_for(None, None, session))
    assert asked(made[0], one) == 200
    assert asked(made[0], identity.new_cookie()) == 404
    assert asked(made[1], identity.new_cookie()) == 200


@pytest.mark.parametrize("at", [0, 70_000, 700_000, 1_500_000, 2_999_999])
def test_large_files_that_differ_in_one_byte_have_two_addresses(at):
    data = bytearray(3_000_000)
    before = uploads.media_id(bytes(data), "text/csv", "a.csv")
    data[at] = 1
    assert uploads.media_id(bytes(data), "text/csv", "a.csv") != before
    assert uploads.media_id(bytes(data), "text/csv", "b.csv") != uploads.media_id(
        bytes(data), "text/csv", "a.csv"
    )
