"""Every public file with a content that passes for it, another edition of it, and a server on this machine for both."""

import contextlib
import functools
import hashlib
import io
import threading
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pandas as pd
from scipy.io import loadmat, savemat

from kernex_core.base.errors import InvalidInputError
from kernex_core.datasets.fetched.download import PublicFile
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from tests.kernex_core.inputs.graphs.zips import zipped

NOBODY = "http://127.0.0.1:9"
"""Where no server answers."""
SCOPE = b">d1aaaa_ a.1.1.1 (A:) one\nmkvlat\n>d1bbba_ a.1.1.2 (A:) two\nmkvlay\n"
FILES = {file.name: file for entry in PUBLIC_DATASETS for file in entry.files}


@dataclass(frozen=True)
class Case:
    """A public file whose address is on this machine.

    `right` passes for it; `edition` is a file of the same form that says something else.
    """

    file: PublicFile
    right: bytes
    edition: bytes

    def at(self, address):
        """The same file at another address."""
        return replace(self.file, url=f"{address}/{self.file.name}")

    @property
    def digest(self):
        return (self.file.content or (lambda data: hashlib.sha256(data).hexdigest()))(self.right)


def spoken(content):
    """A check of a content by what it says, whatever its blanks."""
    if not content.startswith(b"numbers"):
        raise InvalidInputError("It begins with 'numbers'", repr(content[:20]))
    return hashlib.sha256(b" ".join(content.split())).hexdigest()


def plain_cases():
    """One a kind of check, without data of anybody's: bytes known, content known, nothing known but the form."""
    right, edition = b"numbers 1 2 3\n" * 50, b"numbers 1 2 4\n" * 50
    sha256 = hashlib.sha256(right).hexdigest()
    return {
        "bytes": Case(PublicFile("a.bin", NOBODY, sha256, len(right)), right, edition),
        "content": Case(PublicFile("b.txt", NOBODY, spoken(right), len(right), spoken), right, edition),
        "unpublished": Case(PublicFile("c", NOBODY, "", len(right), spoken), right, edition),
    }


def catalogue_cases(shared):
    """One a file of the catalogue, by its name."""
    data = shared / "data"
    made = {"promoters.data": (data / "promoters" / "promoters.data").read_bytes()}
    X = pd.read_csv(data / "colon" / "colon_62x2000.csv.gz").iloc[:, 1:].to_numpy().T
    made["I2000.txt"] = "\n\n".join(" ".join(f"{v:.7e}" for v in row) for row in X.tolist()).encode()
    table = pd.read_csv(data / "lymphoma" / "lymphoma_96x4026.csv.gz").iloc[:, 4:]
    L = table.fillna(999).to_numpy().T.astype(int)
    made["lymphoma.matrix"] = "\n".join("".join(f"{v:4d}" for v in row) for row in L.tolist()).encode()
    made["astral-scopedom-seqres-gd-sel-gs-bib-40-2.08.fa"] = SCOPE
    for name in ("MUTAG", "ENZYMES"):
        made[f"{name}.zip"] = packed(data, name)
    made["PROTEINS.zip"] = proteins(first="3")
    for name in FILES:
        if name.endswith(".mat"):
            made[name] = (data / "cvkt_digits" / name).read_bytes()
    assert made.keys() == FILES.keys()  # an entry that is new has to be here, too
    other = {
        "promoters.data": made["promoters.data"].replace(b"tac", b"tag", 1),
        "I2000.txt": made["I2000.txt"].replace(b"5", b"6", 1),
        "lymphoma.matrix": made["lymphoma.matrix"].replace(b"5", b"6", 1),
        "astral-scopedom-seqres-gd-sel-gs-bib-40-2.08.fa": SCOPE.replace(b"mkvlat", b"mkvlaa"),
        "MUTAG.zip": packed(data, "MUTAG", relabelled=True),
        "ENZYMES.zip": packed(data, "ENZYMES", relabelled=True),
        "PROTEINS.zip": proteins(first="2"),
    } | {name: nudged(content) for name, content in made.items() if name.endswith(".mat")}
    return {name: Case(remembered(file), made[name], other[name]) for name, file in FILES.items()}


def remembered(file):
    """The same file, whose check is made once of a content: some take a second."""
    return replace(file, content=file.content and functools.lru_cache(file.content))


def packed(data, name, relabelled=False):
    """A zip of a collection, as it is or with the label of its first vertex changed."""
    members = {f"{name}/{file.name}": file.read_text() for file in (data / name).glob(f"{name}_*.txt")}
    if relabelled:
        labels = f"{name}/{name}_node_labels.txt"
        members[labels] = ("2" if members[labels][0] == "1" else "1") + members[labels][1:]
    return zipped(members)


def proteins(first):
    """A zip with the counts that are known of PROTEINS and other graphs: paths, cut to the number of edges."""
    n, vertices, edges = 1_113, 43_471, 81_044
    sizes = np.full(n, vertices // n)
    sizes[: vertices - sizes.sum()] += 1
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    pairs = [
        (start + i, start + i + step)
        for step in (1, 2)
        for start, size in zip(starts, sizes, strict=True)
        for i in range(size - step)
    ][:edges]
    both = [f"{i + 1}, {j + 1}\n{j + 1}, {i + 1}\n" for i, j in pairs]
    kinds = [first] + ["1"] * (vertices - 1)
    return zipped(
        {
            "PROTEINS/PROTEINS_A.txt": "".join(both),
            "PROTEINS/PROTEINS_graph_indicator.txt": "".join(
                f"{g}\n" * size for g, size in enumerate(sizes.tolist(), start=1)
            ),
            "PROTEINS/PROTEINS_graph_labels.txt": "1\n" * 663 + "2\n" * 450,
            "PROTEINS/PROTEINS_node_labels.txt": "\n".join(kinds) + "\n",
        }
    )


def nudged(content):
    """A MATLAB file with one number changed, which passes for such a file all the same."""
    found = {key: value for key, value in loadmat(io.BytesIO(content)).items() if key[0] != "_"}
    (kind,) = found.keys() & {"K", "MID", "y"}
    array = found[kind]
    if kind == "MID":
        array[tuple(np.argwhere(array == 0)[0])] = 1
    else:
        array.flat[0] = 0.999 * array.flat[0] if kind == "K" else (array.flat[0] + 1) % 10
    file = io.BytesIO()
    savemat(file, found)
    return file.getvalue()


class Home(BaseHTTPRequestHandler):
    """Answers with what a test puts into `files`; an entry of `announced` is the length that is said instead."""

    def do_GET(self):
        name = self.path.strip("/")
        content = self.server.files.get(name)
        self.server.asked.append(name)
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Length", str(self.server.announced.get(name, len(content or b""))))
        self.end_headers()
        with contextlib.suppress(OSError):  # the test hung up
            self.wfile.write(content or b"")

    def log_message(self, *message):
        pass


@contextlib.contextmanager
def home():
    """A server with `address`, `files`, `announced` and `asked`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Home)
    server.files, server.announced, server.asked = {}, {}, []
    server.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
