"""The app below a base (`--server.baseUrlPath`), as behind a proxy that serves others too; nothing strange is run."""

import asyncio
import re
import socket
import threading
from contextlib import contextmanager, suppress

import pytest

from pages.server.navigation import ENTRIES, PAGES
from tests.browser.conftest import free_port, start_server
from tests.browser.script_runs import click, settle
from tests.browser.test_upload import button, choose, small
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE

MATRIX = b",p,q,r\np,3,1,1\nq,1,3,1\nr,1,1,3\n"


@pytest.fixture(scope="module")
def below(tmp_path_factory):
    log = tmp_path_factory.mktemp("base") / "log"
    settings = {"KERNEX_TOKEN": "correct horse", "KERNEX_NUMBA": "0"}
    process, address = start_server(REPOSITORY / "app.py", log, settings=settings, base="kernex")
    yield address
    process.terminate()
    process.wait(PATIENCE)


def test_every_address_below_a_base_answers_also_through_the_door(new_tab, below):
    page, refused = new_tab, []
    page.set_default_timeout(1000 * PATIENCE)
    page.on(
        "console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None
    )
    page.goto(f"{below}/kernels")
    page.get_by_label("Token").fill("correct horse")
    page.get_by_role("button", name="Enter").click()
    settle(page)
    assert page.url.startswith(f"{below}/kernels")
    for entry in ENTRIES:
        path = "" if entry is PAGES[0] else entry.url_path
        assert page.request.get(f"{below}/{path}").status == 200, path
    assert page.request.get(f"{below}/_kernex/health").json()["status"] == "ok"
    assert page.request.get(below.removesuffix("/kernex") + "/").url == f"{below}/"
    nowhere = page.request.get(f"{below}/nowhere")
    assert nowhere.status == 404
    links = re.findall(r'href="([^"]+)"', nowhere.text())
    assert [link for link in links if not link.startswith("/kernex/")] == []
    # uploads, downloads and pictures come by addresses of their own
    page.goto(f"{below}/data")
    settle(page)
    choose(page, small("mine.csv", MATRIX))
    button(page, "Add as new data set")
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Kernels", exact=True))
    assert page.url.startswith(f"{below}/kernels")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).first.click()
    assert download.value.path().read_bytes().count(b"\n") == 4
    page.goto(f"{below}/heat_and_walks")
    settle(page)
    assert page.get_by_test_id("stException").count() == 0
    assert refused == []


@contextmanager
def proxy(port, upstream):
    """What a web server with TLS does in front of this one, but for TLS: https://…, asked for by somebody else."""
    loop = asyncio.new_event_loop()

    async def pipe(reader, writer):
        try:
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    async def passes(reader, writer):
        with suppress(asyncio.IncompleteReadError):
            await answered(reader, writer, await reader.readuntil(b"\r\n\r\n"))

    async def answered(reader, writer, head):
        told = b"X-Forwarded-Proto: https\r\nX-Forwarded-For: 203.0.113.9\r\n"
        if b"upgrade: websocket" not in head.lower():
            head = re.sub(rb"(?i)\r\nconnection:[^\r]*", b"", head)
            told += b"Connection: close\r\n"
        there, back = await asyncio.open_connection(*upstream)
        back.write(head[:-2] + told + b"\r\n")
        await asyncio.gather(pipe(reader, back), pipe(there, writer))

    async def serve():
        await asyncio.start_server(passes, "127.0.0.1", port)
        ready.set()

    def run():
        loop.run_until_complete(serve())
        loop.run_forever()

    ready, thread = threading.Event(), threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    yield f"http://127.0.0.1:{port}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join(PATIENCE)


def host():
    """An address of this machine of version 6, where it has one."""
    with socket.socket(socket.AF_INET6) if socket.has_ipv6 else socket.socket() as probe:
        try:
            probe.bind(("::1", 0))
        except (OSError, TypeError):
            return "127.0.0.1"
        return "::1"


def test_behind_a_proxy_that_speaks_tls_and_at_an_address_of_version_6(new_tab, tmp_path):
    page, place, port = new_tab, host(), free_port()
    page.set_default_timeout(1000 * PATIENCE)
    process, direct = start_server(
        REPOSITORY / "app.py", tmp_path / "log", port=port, base="kernex", host=place
    )
    try:
        with proxy(free_port(), (place, port)) as address:
            for start, is_secure in ((direct, False), (f"{address}/kernex", True)):
                page.context.clear_cookies()
                page.goto(f"{start}/data")
                settle(page)
                choose(page, small("mine.csv", MATRIX))
                button(page, "Add as new data set")
                page.reload()
                settle(page)
                assert "3 items" in page.get_by_test_id("stSidebar").inner_text()
                (given,) = [each for each in page.context.cookies() if each["name"].startswith("kernex-")]
                assert given["secure"] is is_secure
                for path, status in (("/", 200), ("/kernels", 200), ("/start", 307), ("/sequences?x=1", 307)):
                    answer = page.request.get(f"{start}{path}", max_redirects=0)
                    assert answer.status == status, path
                    assert answer.headers.get("location", "/kernex/").startswith("/kernex/"), path
                page.goto(f"{start}/")
                settle(page)
                # where others come by a proxy, this machine is not alone any more
                assert (
                    "Whoever reaches this address" in page.get_by_test_id("stSidebar").inner_text()
                ) is is_secure
    finally:
        process.kill()
        process.wait(PATIENCE)
