"""Workspace files that no Kernex has saved: (what is wrong, bytes), made systematically from a good one."""

import copy
import hashlib
import io
import json
import struct
import warnings
import zipfile

import numpy as np

from kernex_core import write_workspace
from tests.kernex_core.workspace.examples import workspace

GOOD = write_workspace(workspace())


def opened():
    with zipfile.ZipFile(io.BytesIO(GOOD)) as file:
        return {name: file.read(name) for name in file.namelist()}


PARTS = opened()
MANIFEST = json.loads(PARTS["workspace.json"])
OBJECTS = json.loads(PARTS["objects.json"])


def zipped(members):
    """A zip of (name or ZipInfo, content) as they are given, twice the same name included."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in members:
            file.writestr(name, content)
    return buffer.getvalue()


def file_of(members=None, **manifest):
    """A file whose manifest fits its parts, changed as said."""
    parts = {name: part for name, part in (members or PARTS).items() if name != "workspace.json"}
    listed = [
        {"name": name, "bytes": len(part), "sha256": hashlib.sha256(part).hexdigest()}
        for name, part in parts.items()
    ]
    said = json.dumps({**MANIFEST, "parts": listed, **manifest})
    return zipped([("workspace.json", said), *parts.items()])


def with_objects(change):
    said = copy.deepcopy(OBJECTS)
    said = change(said) or said
    return file_of({**PARTS, "objects.json": said if isinstance(said, bytes) else json.dumps(said).encode()})


def with_array(array, place=0):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=True)
    return file_of({**PARTS, f"arrays/{place}.npy": buffer.getvalue()})


def cut():
    for share in (0.0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999):
        yield f"cut off at {share}", GOOD[: int(share * len(GOOD))]
    yield "the last byte is missing", GOOD[:-1]
    yield "the beginning is missing", GOOD[10:]
    yield "not a zip", b"not a zip at all"
    yield "a zip of nothing", b"PK\x05\x06" + bytes(18)
    yield "its first four bytes and its end", b"PK\x03\x04" + b"PK\x05\x06" + bytes(18)
    yield "text before it", b"hello" + GOOD
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(GOOD), 40):
        changed = bytearray(GOOD)
        changed[place] ^= 0xFF
        yield f"byte {place} is another", bytes(changed)


def paths():
    for name in (
        "/etc/passwd", "../../escaped.json", "arrays/../../x.npy", "..\\x.npy", "C:\\x.npy", "arrays\\0.npy", "arrays/0.NPY",
        "arrays/00.npy", "arrays/-1.npy", "arrays/٣.npy", "arrays/0.npy\n", " ", "x", "arrays/", "script.py",
        "arrays/0.pkl", "arrays/12345678.npy", "workspace.json/x",
    ):  # fmt: skip
        yield f"a part called {name!r}", zipped([*PARTS.items(), (name, b"x")])
    yield (
        "a name with a zero in it",
        zipped([*PARTS.items(), ("arrays/99.npyAx", b"x")]).replace(b"npyAx", b"npy\0x"),
    )
    for twice in ("workspace.json", "objects.json", "arrays/0.npy"):
        yield f"{twice} twice", zipped([*PARTS.items(), (twice, b"other")])
    for missing in PARTS:
        yield f"no {missing}", zipped([(name, part) for name, part in PARTS.items() if name != missing])
    yield "an array that nobody lists", zipped([*PARTS.items(), ("arrays/99.npy", b"x")])
    flags = bytearray(GOOD)
    flags[GOOD.rfind(b"PK\x01\x02") + 8] |= 1
    yield "encrypted", bytes(flags)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as file:
        for name, part in PARTS.items():
            file.writestr(name, part)
    yield "packed in another way", packed.getvalue()


def bombs():
    zeros = bytes(30_000_000)
    yield "an array that is far too large", file_of({**PARTS, "arrays/0.npy": zeros})
    yield "a manifest that is far too large", zipped([("workspace.json", zeros), ("objects.json", b"{}")])
    many = [(f"arrays/{place}.npy", b"") for place in range(12_000)]
    yield "too many parts", zipped([*PARTS.items(), *many])
    lie = bytearray(file_of({**PARTS, "arrays/0.npy": zeros}))
    at = lie.rfind(b"arrays/0.npy") - 46
    struct.pack_into("<L", lie, at + 24, 100)
    yield "a part that says it is small", bytes(lie)
    directory = bytearray(GOOD)
    struct.pack_into("<L", directory, GOOD.rfind(b"PK\x05\x06") + 12, 0xFFFF_FFF0)
    yield "a directory that is far too large", bytes(directory)
    deep = b'{"objects": ' + b"[" * 100_000 + b"]" * 100_000 + b', "workspace": null}'
    yield "brackets in brackets", file_of({**PARTS, "objects.json": deep})
    yield "a number of a million digits", file_of({**PARTS, "objects.json": b"1" * 1_000_000})
    yield "a tree that doubles sixty times", with_objects(doubling)


def doubling(said):
    start = len(said["objects"])
    said["objects"].append(called("expand", ["x"]))
    for place in range(start, start + 60):
        said["objects"].append(called("expand", [{"object": place}] * 2))


def called(function, arguments=("x",), **fields):
    """A call as today's files have it."""
    made = {"name": "x", "function": function, "arguments": list(arguments), "keywords": {"map": []}}
    return {"type": "Call", "fields": {**made, "part": [], "fetches": [], **fields}}


def recipe(expression, needs=(), imports=()):
    """An expression as files of the second format have it."""
    fields = {"name": "x", "expression": expression, "needs": list(needs), "imports": list(imports)}
    return {"type": "Recipe", "fields": {**fields, "reads": [], "fetches": []}}


def manifests():
    for number in (0, -1, 4, 999, "1", None, True, 1.0, [1]):
        yield f"format {number!r}", file_of(format=number)
    yield "another kind", file_of(kind="numpy")
    yield "later, with other words", file_of(format=7, versions="unknown", parts=None)
    for parts in (None, {}, [None], ["arrays/0.npy"], [{"name": "objects.json"}], []):
        yield f"parts {parts!r}", file_of(parts=parts)
    swapped = copy.deepcopy(MANIFEST["parts"])
    swapped[1]["sha256"], swapped[2]["sha256"] = swapped[2]["sha256"], swapped[1]["sha256"]
    yield "two digests are swapped", file_of(parts=swapped)
    shorter = copy.deepcopy(MANIFEST["parts"])
    shorter[1]["bytes"] -= 1
    yield "a size is another", file_of(parts=shorter)
    for text in (b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"kind": NaN}', b'"Kernex workspace"'):
        yield f"a manifest {text!r}", zipped([("workspace.json", text), *list(PARTS.items())[1:]])


def arrays():
    """Arrays in place of the first one, which is the labels of the first data set, and in place of the others."""
    yield "a pickle", with_array(np.array([{"a": 1}], dtype=object))
    yield "a record", with_array(np.zeros(5, dtype=[("a", "f8")]))
    yield "dates", with_array(np.zeros(5, dtype="M8[s]"))
    yield "complex numbers", with_array(np.zeros(5, dtype=complex))
    for place in range(len(PARTS) - 2):
        yield (
            f"array {place} is of text that is none",
            with_array(np.full(5, 0x7FFF_FFFF, np.uint32).view("<U1"), place),
        )
        yield f"array {place} has a shape of nobody", with_array(np.zeros((2, 3, 4)), place)
    huge = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        huge, {"descr": "<f8", "fortran_order": False, "shape": (10**9, 10**9)}
    )
    yield "an array that says it is huge", file_of({**PARTS, "arrays/0.npy": huge.getvalue()})
    for text in (b"", b"\x93NUMPY", b"\x93NUMPY\x09\x00" + bytes(100), PARTS["arrays/0.npy"][:-1]):
        yield f"an array {text[:9]!r}", file_of({**PARTS, "arrays/0.npy": text})
    for name, change in {"infinite": np.inf, "one-sided": 77.0, "known one way": np.nan}.items():
        yield from ((f"matrix {place} is {name}", changed_matrix(place, change)) for place in matrices())


def matrices():
    for place in range(len(PARTS) - 2):
        array = np.load(io.BytesIO(PARTS[f"arrays/{place}.npy"]))
        if array.ndim == 2 and array.shape[0] == array.shape[1] > 2 and np.isfinite(array[0, 2]):
            yield place


def changed_matrix(place, value):
    array = np.load(io.BytesIO(PARTS[f"arrays/{place}.npy"]))
    array[0, 2] = value
    return with_array(array, place)


CODE = (
    "__import__('os').system('id')", "exec('import os')", "1\nimport os", "1; import os", "$0", "$0 + $0", "$x",
    "(lambda: 1)()", "[x for x in (1,)]", "f'{1}'", "''' '", "r'\\'", "np.array.__class__",
    "np.load('x', allow_pickle=True)",
    "np.array([1]).tofile('x')", "np.array(1, 2)", "np.array([1], like=1)", "Path('x').unlink()",
    "Path('x').write_bytes(b'')",
    "Path('/etc/passwd').read_bytes()", "read_samples(Path('../x').read_bytes(), 'x')", "os.system('id')", "system('id')",
    "importlib.import_module('os')", "np = 1", "(np:=1)", "expand(", "expand)(", "expand(print)", "expand(1) if 1 else 2",
    "expand(1).__class__", "expand(1).tofile('x')", "expand(*(1, 2))", "expand(**{'a': 1})", "expand(1)[0]",
    "'x'.read_bytes()", "open('x').read_bytes()",
    "csr_array((np.array([1.0]), (np.array([0]), np.array([0]))), shape=(900000000, 900000000))",
    "GramMatrix(shell='id')", "Spectrum.similarities(1)", "1" * 10_000, "(" * 5_000 + ")" * 5_000, "-" * 5_000 + "1",
)  # fmt: skip
CALLS = {
    "a function of nobody": called("system"),
    "a name of Python": called("eval"),
    "a private name": called("__import__"),
    "a method of arrays": called(".tofile"),
    "a private method": called(".__class__"),
    "a method of nothing": called(".take", []),
    "nothing of nothing": called("", []),
    "two lines": called("expand\nimport os"),
    "an attribute": called("expand", part=["__class__"]),
    "an attribute with more": called("expand", part=["labels, import_os"]),
    "three attributes": called("expand", part=["labels", "a", "b"]),
    "a keyword that is none": called("expand", keywords={"map": [["a=1, b", 2]]}),
    "a keyword of Python": called("expand", keywords={"map": [["class", 2]]}),
    "a keyword that is a number": called("expand", keywords={"map": [[1, 2]]}),
    "a file elsewhere": {"type": "File", "fields": {"name": "../x"}},
    "a file of a drive": {"type": "File", "fields": {"name": "C:\\x"}},
    "a folder": {"type": "File", "fields": {"name": ".."}},
    "no file": {"type": "File", "fields": {"name": ""}},
}


def code():
    for expression in CODE:
        yield f"code {expression[:40]!r}", with_objects(appended(recipe(expression)))
    for title, entry in CALLS.items():
        yield f"a call of {title}", with_objects(appended(entry))
    for function in ("__class__", "take().__class__", "eval"):
        fields = {
            "function": function,
            "arguments": [],
            "owner": None if function == "eval" else 1,
            "imports": [],
        }
        yield f"a later call of {function}", with_objects(appended({"type": "Later", "fields": fields}))


def appended(entry):
    return lambda said: said["objects"].append(entry)


def values():
    """Every field of one object of every kind in turn with a value of another type, and ids that are none."""
    last = {entry.get("type"): at for at, entry in enumerate(OBJECTS["objects"])}  # one of every type
    for at, entry in ((at, OBJECTS["objects"][at]) for at in last.values()):
        for place, name in enumerate(entry.get("fields", ())):
            other = ({"map": [["a", 1]]}, {"float": "nan"}, 7)[(at + place) % 3]
            yield f"{entry['type']}.{name} is {other}", with_objects(replaced(at, name, other))
        if entry.get("type") in ("DataSet", "Labels", "Sequences", "Network", "GraphSet", "GramMatrix"):
            for ids in (
                ["a", "a", "b", "c", "d"],
                ["a", None, "b", "c", "d"],
                "abcde",
                [{"float": "nan"}] * 5,
            ):
                yield f"ids of {at} are {ids}", with_objects(replaced(at, "ids", ids))
    sizes = OBJECTS["objects"][last["GraphSet"]]["fields"]["n_nodes"]["array"]
    for vertices in (10**12, 2**62, -1):
        yield f"graphs of {vertices} vertices", with_array(np.full(5, vertices), sizes)
    yield "NaN among the ids", with_objects(lambda said: json.dumps(said).replace('"$1"', "NaN").encode())
    yield "a kind that nobody knows", with_objects(appended({"type": "Popen", "fields": {}}))
    yield "a kind that is none", with_objects(appended({"type": ["DataSet"], "fields": {}}))
    yield "a field that nobody knows", with_objects(replaced(0, "shell", "id"))
    yield "no field at all", with_objects(appended({"type": "GramMatrix", "fields": {}}))
    yield "an object of the future", with_objects(lambda said: said | {"workspace": {"object": 10_000}})
    yield "itself", with_objects(appended({"tuple": [{"object": len(OBJECTS["objects"])}]}))
    yield "no workspace", with_objects(lambda said: said | {"workspace": None})
    yield "a field more", with_objects(lambda said: said | {"more": 1})
    for node in ({"array": -1}, {"array": "0"}, {"sparse": [0, 0, 0], "shape": [3, 3]}, {"scalar": ["O", 1]}, {}, {"x": 1},
                 {"bytes": "%"}, {"float": "1"}, {"map": [["a", 1], ["a", 2]]}, {"list": 1}):  # fmt: skip
        yield f"an entry {node}", with_objects(appended({"tuple": [node]}))


def replaced(at, name, value):
    def change(said):
        said["objects"][at]["fields"][name] = value

    return change
