import hashlib
import os
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.datasets.fetched.download import FOLDER_VARIABLE, PublicFile, data_home
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS, fetch_dataset
from kernex_core.datasets.fetched.sequences import read_promoters, read_scope40
from kernex_core.gram.provenance import write_script
from tests.kernex_core.datasets.fetched.arrived import fetch

CONTENT = b"+,A,\t\tacgt\n-,B,\tttga\n" * 9000


@pytest.fixture
def server():
    """A server on this machine that answers with what the test puts into `files`, and counts what it was asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            server.asked.append(self.path)
            content = server.files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *message):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.asked = {}, []
    server.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def file(server):
    server.files["/some/file.data"] = CONTENT
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    return PublicFile("file.data", f"{server.address}/some/file.data", sha256, len(CONTENT))


def test_a_file_is_downloaded_once(server, file, tmp_path):
    folder = tmp_path / "not" / "there yet"
    path = fetch(file, folder)
    assert path == folder / "file.data"
    assert path.read_bytes() == CONTENT
    fetch(file, folder)
    assert server.asked == ["/some/file.data"]


def test_progress_runs_to_the_end(file, tmp_path):
    shares = []
    fetch(file, tmp_path, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 1


def test_a_cancelled_download_leaves_nothing(file, tmp_path):
    class Cancelled(Exception):
        pass

    def cancel(share):
        raise Cancelled

    with pytest.raises(Cancelled):
        fetch(file, tmp_path, progress=cancel)
    assert list(tmp_path.iterdir()) == []


def test_another_file_than_expected_is_refused_and_not_kept(server, file, tmp_path):
    server.files["/some/file.data"] = b"<html>moved</html>"
    with pytest.raises(InvalidInputError, match=r"another file at http://127\.0\.0\.1"):
        fetch(file, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_copy_is_fetched_anew(server, file, tmp_path):
    (tmp_path / "file.data").write_bytes(b"damaged")
    assert fetch(file, tmp_path).read_bytes() == CONTENT
    assert len(server.asked) == 1


def test_a_missing_file_is_told_with_the_answer(server, file, tmp_path):
    server.files.clear()
    with pytest.raises(KernexError, match="404"):
        fetch(file, tmp_path)


def test_offline_says_what_to_download_by_hand(server, file, tmp_path):
    server.shutdown()
    server.server_close()
    with pytest.raises(KernexError) as caught:
        fetch(file, tmp_path)
    message = str(caught.value)
    assert "needs a connection" in message
    assert f"{len(CONTENT):,} bytes" in message
    assert file.url in message
    assert str(tmp_path / "file.data") in message


def test_offline_is_no_matter_once_the_file_is_here(file, server, tmp_path):
    (tmp_path / "file.data").write_bytes(CONTENT)
    server.shutdown()
    server.server_close()
    assert fetch(file, tmp_path).read_bytes() == CONTENT


def test_a_folder_that_cannot_be_made_is_named(file, tmp_path):
    (tmp_path / "occupied").write_text("a file where the folder should be")
    with pytest.raises(KernexError, match=FOLDER_VARIABLE):
        fetch(file, tmp_path / "occupied")


def test_the_folder_is_given_or_set_or_in_the_home(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "set"))
    assert data_home() == tmp_path / "set"
    assert data_home(tmp_path / "given") == tmp_path / "given"
    monkeypatch.delenv(FOLDER_VARIABLE)
    assert data_home() == Path(os.path.expanduser("~")) / "kernex_data"
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    assert data_home() == Path(os.path.expanduser("~")) / "kernex_data"


@pytest.fixture
def promoters(server, shared):
    entry = PUBLIC_DATASETS[0]
    server.files["/promoters.data"] = (shared / "data" / "promoters" / "promoters.data").read_bytes()
    return replace(entry, file=replace(entry.file, url=f"{server.address}/promoters.data"))


def test_promoters_through_the_loopback_server(promoters, tmp_path):
    assert not promoters.cached(tmp_path)
    data = promoters.load(tmp_path)
    assert promoters.cached(tmp_path)
    assert data.name == promoters.title
    assert dict(data.labels.classes) == {"promoter": 53, "other": 53}
    strings = data.samples["DNA"].strings
    assert {len(string) for string in strings} == {57}
    assert set("".join(strings)) == set("ACGT")
    assert strings[0].startswith("TACTAGCAATACG")
    assert (tmp_path / "promoters.data").stat().st_size == promoters.size


def test_promoters_are_reproduced_by_their_script(promoters, tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    data = promoters.load()
    namespace = {}
    exec(write_script([data.samples["DNA"].recipe], heading="test"), namespace)
    assert namespace["dna"].digest == data.samples["DNA"].digest


def test_public_data_sets_say_where_they_come_from():
    assert len({entry.name for entry in PUBLIC_DATASETS}) == len(PUBLIC_DATASETS)
    for entry in PUBLIC_DATASETS:
        assert entry.home.startswith("https://")
        assert entry.file.url.startswith("https://")
        # of the domains of SCOPe nobody has published one; of the graphs of proteins counts are known
        unpublished = ("scope40", "proteins")
        assert {len(file.sha256) for file in entry.files} == {0 if entry.name in unpublished else 64}
        assert entry.size > 0
        assert entry.licence


def test_an_unknown_name_is_answered_with_the_names():
    with pytest.raises(InvalidInputError, match="promoters"):
        fetch_dataset("barrels")


@pytest.mark.parametrize("line", ["+,A", "x,A,acgt", "+,A,12", "+,A,"])
def test_another_form_is_refused_with_the_line(line):
    with pytest.raises(InvalidInputError, match="line 2"):
        read_promoters(f"-,B,\tacgt\n{line}\n".encode())


def test_an_empty_file_is_refused():
    with pytest.raises(InvalidInputError, match="empty"):
        read_promoters(b"\n")


SCOPE = b">d1aaaa_ a.1.1.1 (A:) one\nmkvlat\n>d1bbba_ a.1.1.2 (A:) two\nmkvlay\n>d1ccca_ b.2.1.1 (A:) three\nacdefg\n"


class TestFilesWhoseDigestIsNotPublished:
    @pytest.fixture
    def scope(self, server):
        server.files["/scope.fa"] = SCOPE
        entry = next(each for each in PUBLIC_DATASETS if each.name == "scope40")
        return replace(entry, file=replace(entry.file, url=f"{server.address}/scope.fa", size=len(SCOPE)))

    def test_the_first_download_counts_from_then_on(self, server, scope, tmp_path):
        data = scope.load(tmp_path)
        assert data.labels.y.tolist() == ["a.1.1", "a.1.1", "b.2.1"]
        assert data.samples["residues"].strings[0] == "MKVLAT"
        digest = hashlib.sha256(SCOPE).hexdigest()
        assert any(digest in note.text for note in data.notes)
        assert scope.cached(tmp_path)
        # somebody changes the file here, and its home has another one by now
        path = tmp_path / scope.file.name
        path.write_bytes(SCOPE + b">d1ddda_ a.1.1.1\nmk\n")
        assert not scope.cached(tmp_path)
        server.files["/scope.fa"] = SCOPE.replace(b"mkvlat", b"mkvlaa")
        with pytest.raises(InvalidInputError, match=digest[:12]):
            scope.load(tmp_path)
        assert not path.exists()
        server.files["/scope.fa"] = SCOPE
        assert scope.load(tmp_path).n == 3

    def test_what_is_no_such_file_is_not_trusted(self, server, scope, tmp_path):
        server.files["/scope.fa"] = b"<html>sorry</html>"
        with pytest.raises(InvalidInputError, match="not published"):
            scope.load(tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_far_more_bytes_than_announced_are_not_taken(self, server, scope, tmp_path):
        server.files["/scope.fa"] = SCOPE + b"A" * 3_000_000
        with pytest.raises(InvalidInputError):
            scope.load(tmp_path)

    def test_only_the_largest_superfamilies_are_taken(self, monkeypatch):
        monkeypatch.setattr("kernex_core.datasets.fetched.sequences.MOST_ITEMS", 2)
        data = read_scope40(SCOPE)
        assert data.ids == ("d1aaaa_", "d1bbba_")
        assert "2 domains of the 1 largest superfamilies, of 3 domains" in data.description
