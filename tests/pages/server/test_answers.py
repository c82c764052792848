import asyncio

import pytest

from pages.server import headers as answers
from pages.server.headers import HEADERS, Addresses, Headers, is_no_page, nowhere, policy
from pages.server.navigation import PAGES


async def streamlit(scope, receive, send):
    """Stands for the app: answers every request with a header of its own."""
    headers = [(b"X-Frame-Options", b"ALLOWALL"), (b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"streamlit"})


def answer(path, *, query=b"", root="", application=streamlit):
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": root + path, "root_path": root, "query_string": query}
    asyncio.run(Headers(Addresses(application))(scope, None, send))
    headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, sent[1]["body"].decode()


@pytest.mark.parametrize("path", ["/", "/complete", "/nowhere", "/start", "/_stcore/health", "/media/x.csv"])
def test_every_answer_has_the_headers_once(path):
    _, headers, _ = answer(path)
    for name, value in HEADERS:
        assert headers[name.decode()] == value.decode()


def test_a_header_that_was_there_is_replaced():
    _, headers, body = answer("/complete")
    assert body == "streamlit"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert headers["content-type"] == "text/plain"


@pytest.mark.parametrize(
    ("query", "target"), [(b"", "/"), (b"data=Protein+world&lam=0.3", "/?data=Protein+world&lam=0.3")]
)
@pytest.mark.parametrize("root", ["", "/kernex"])
def test_start_has_an_address(query, target, root):
    status, headers, _ = answer("/start", query=query, root=root)
    assert (status, headers["location"]) == (307, root + target)


@pytest.mark.parametrize(
    ("path", "query", "target"),
    [
        ("/diagonals", b"p=0.3", "/power?p=0.3"),
        ("/many", b"data=A&many_way=tuned", "/together?data=A&many_way=tuned"),
        ("/many", b"many_items=complete+together", "/together?many_items=complete+together"),
        ("/many", b"many_items=only+items+that+all+have", None),
        ("/many", b"", None),
    ],
)
def test_former_addresses_lead_on_with_all_that_they_say(path, query, target):
    status, headers, body = answer(path, query=query)
    assert (status, headers.get("location")) == ((307, target) if target else (200, None))
    assert target or body == "streamlit"


@pytest.mark.parametrize("root", ["", "/proxy"])
def test_below_a_base_every_address_is_what_it_is_without(monkeypatch, root):
    monkeypatch.setattr(answers, "base", lambda: "/kernex")
    assert answer("/kernex/complete", root=root)[2] == "streamlit"
    assert answer("/kernex/nowhere", root=root)[0] == 404
    assert f'href="{root}/kernex/data"' in answer("/kernex/nowhere", root=root)[2]
    assert answer("/kernex/start", root=root)[1]["location"] == f"{root}/kernex/"
    assert answer("/kernexed", root=root)[0] == 404
    if not root:
        assert answer("/")[1]["location"] == "/kernex/"


def test_what_a_browser_may_run_is_of_this_server():
    said = dict(part.split(" ", 1) for part in policy().decode().split("; "))
    assert said["default-src"] == "'self'"
    assert "'unsafe-inline'" not in said["script-src"]
    assert not any(word in policy().decode() for word in ("http:", "https:", "*"))


@pytest.mark.parametrize("entry", PAGES[1:], ids=lambda entry: entry.url_path)
@pytest.mark.parametrize("end", ["", "/"])
def test_pages_are_passed_on(entry, end):
    assert answer(f"/{entry.url_path}{end}")[2] == "streamlit"


@pytest.mark.parametrize(
    "path", ["", "_stcore/stream", "_stcore/upload_file/a/b", "media/1a2b.csv", "static/js/index.js", "favicon.png",
             "component/name/index.html", "healthz", "complete/_stcore/health", "manifest.json"],
)  # fmt: skip
def test_what_streamlit_serves_is_passed_on(path):
    assert not is_no_page(path)
    assert answer(f"/{path}")[2] == "streamlit"


@pytest.mark.parametrize(
    "path", ["nowhere", "complet", "Complete", "papers/extrapolation", "complete/more", "pages"]
)
def test_other_addresses_get_our_own_page(path):
    status, headers, body = answer(f"/{path}")
    assert status == 404
    assert headers["content-type"].startswith("text/html")
    assert int(headers["content-length"]) == len(body.encode())
    for entry in PAGES:
        assert f">{entry.title}</a>" in body
    assert f"<code>/{path}</code>" in body


def test_an_address_cannot_write_into_the_page():
    page = nowhere("<script>alert(1)</script>" + "x" * 500)
    assert "<script>" not in page
    assert "x" * 201 not in page


def test_a_websocket_is_passed_on_untouched():
    seen = []

    async def websocket(scope, receive, send):
        seen.append((scope["path"], send))

    async def send(message):
        raise AssertionError("nothing is sent")

    scope = {"type": "websocket", "path": "/nowhere", "root_path": ""}
    asyncio.run(Headers(Addresses(websocket))(scope, None, send))
    assert seen == [("/nowhere", send)]
