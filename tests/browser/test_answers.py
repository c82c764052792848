"""What the running server answers: to whom, with which headers, and to addresses that lead nowhere."""

import http.client
import socket
import sys
from urllib.parse import urlsplit

import pytest

from pages.server.headers import HEADERS
from pages.server.navigation import PAGES
from tests.patience import MILLISECONDS, PATIENCE


def get(server, path):
    place = urlsplit(server)
    connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": place.netloc})
    answer = connection.getresponse()
    body = answer.read().decode(errors="replace")
    connection.close()
    return answer, body


@pytest.mark.parametrize("path", ["/", "/complete", "/nowhere", "/start", "/_stcore/health", "/favicon.png"])
def test_every_answer_has_the_headers(server, path):
    answer, _ = get(server, path)
    for name, value in HEADERS:
        assert answer.headers.get_all(name.decode()) == [value.decode()]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")
def test_another_address_of_the_machine_reaches_nobody(server):
    port = urlsplit(server).port
    with socket.socket() as probe:
        probe.settimeout(PATIENCE)
        assert probe.connect_ex(("127.0.0.1", port)) == 0
    with socket.socket() as probe:
        probe.settimeout(PATIENCE)
        assert probe.connect_ex(("127.0.0.2", port)) != 0


def test_start_opens_the_first_page(visit):
    page = visit("start?data=Protein+world")
    page.get_by_role("heading", name=PAGES[0].heading).wait_for()
    assert page.url.endswith("/?data=Protein+world")


def test_an_unknown_address_leads_back_to_the_pages(chromium, server):
    context = chromium.new_context()
    page = context.new_page()
    assert page.goto(f"{server}/complet").status == 404
    page.get_by_role("heading", name="No such page").wait_for()
    page.get_by_role("link", name="Complete", exact=True).click()
    page.get_by_role("heading", name="Complete", exact=True).wait_for(timeout=MILLISECONDS)
    context.close()


@pytest.mark.parametrize(
    "cookie", ["", "kernex-PORT=", "kernex-PORT=a; kernex-PORT=b", "kernex-PORT=" + "x" * 10_000]
)
def test_whatever_cookie_is_sent_a_page_and_a_websocket_are_answered(server, cookie):
    place = urlsplit(server)
    sent = cookie.replace("PORT", str(place.port))
    upgrade = (
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    )
    for path, more, said in (("/", "Connection: close", b"200"), ("/_stcore/stream", upgrade, b"101")):
        request = f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {sent}\r\n{more}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", place.port), timeout=PATIENCE) as connection:
            connection.sendall(request.encode())
            answer = connection.recv(4_096)
        assert answer.startswith(b"HTTP/1.1 " + said)
        assert (b"set-cookie: kernex-" in answer) == (path == "/")
