"""What comes back from a reader is what was in the file; what no reader would send is refused."""

import io
import json
import struct
import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from kernex_core import FORMATS, KernexError, fetch_dataset, load_dataset, write_workspace
from kernex_core.base.frozen import same
from kernex_core.inputs.new_items import KnownVectors
from kernex_core.inputs.nodes import NodeOptions
from kernex_core.inputs.samples import Labels, Note, SparseVectors
from kernex_core.inputs.upload import Upload
from kernex_core.workspace.file import read_workspace, workspace_of
from kernex_core.workspace.workspace import OpenData, Workspace
from pages.server.readers import tasks, wire
from tests.kernex_core.inputs.test_catalogue import EXAMPLES

NODES = Upload("nodes.csv", b"id,kind,x\na,p,1\nb,q,2\nc,p,3\nd,q,4\n")
ASKED = {
    **{f"look at {name}": (tasks.look, file) for name, file in EXAMPLES.items()},
    "suggest": (tasks.suggest, EXAMPLES["labels"], "labels", ("a", "b")),
    "another way": (tasks.read_as, EXAMPLES["matrix"], "vectors", {f.name: f for f in FORMATS}["vectors"].options()),
    "a network": (tasks.network, EXAMPLES["edges"]),
    "parts of pairs": (tasks.pair_parts, EXAMPLES["pairs"], "", 2, ("a",), "a", 0),
    "columns of nodes": (tasks.node_columns, NODES, ("a", "b", "c")),
    "nodes": (tasks.nodes.read, NODES, NodeOptions(id_column="id", columns=("x",))),
    "new vectors": (tasks.new_vectors, EXAMPLES["vectors"], KnownVectors(("a", "z"), ("x1", "x3"), 2)),
    "new sparse vectors": (
        tasks.new_vectors, Upload("n.svm", b"1 1:1 3:2\n-1 2:1\n"), KnownVectors(("a",), (), 4, held=True),
    ),
    "new rows": (tasks.new_rows, Upload("r.csv", b"id,a,b,self\nn,1,2,3\n"), ("a", "b"), np.ones(2), None),
    "new sequences": (tasks.new_sequences, EXAMPLES["fasta"], ("a",), "protein"),
    "a substitution matrix": (tasks.substitution_matrix, Upload("m.txt", b" A B\nA 1 0\nB 0 1\n")),
    "sparse vectors": (tasks.sparse_vectors, Upload("s.svm", b"1 1:1 3:2\n-1 2:1\n1 7:1\n")),
    "families": (tasks.families, Upload("f.csv", b"id,one,two\nx,+train,\ny,-test,+test\n")),
}  # fmt: skip


def sent(value):
    """A value as it arrives."""
    pipe = io.BytesIO()
    wire.send(pipe, wire.VALUE, 7, *wire.encode(value))
    pipe.seek(0)
    frame = wire.receive(pipe)
    assert (frame.kind, frame.number) == (wire.VALUE, 7)
    return wire.decode(frame.head, frame.parts)


def arrays_of(value):
    if isinstance(value, np.ndarray):
        return [value]
    inner = value if isinstance(value, tuple) else getattr(value, "__dict__", {}).values()
    return [array for each in inner for array in arrays_of(each)]


@pytest.mark.parametrize("name", ASKED)
def test_everything_comes_back_as_it_was(name):
    task, file, *args = ASKED[name]
    made = task(file, *args)
    back = sent(made)
    assert same(back, made)
    assert type(back) is type(made)
    for one, other in ((made, back), (getattr(made, "result", None), getattr(back, "result", None))):
        assert getattr(one, "digest", None) == getattr(other, "digest", None)
        assert getattr(one, "recipe", None) == getattr(other, "recipe", None)
    assert not any(array.flags.writeable for array in arrays_of(back))


def test_sparse_vectors_come_back_bit_by_bit():
    X = sparse.csr_array(np.where(np.arange(70.0).reshape(7, 10) % 3 == 0, 0.1 + np.arange(10), 0.0))
    made = SparseVectors(tuple("abcdefg"), X, labels=Labels(tuple("abcdefg"), list("xxyyxyx")))
    back = sent(made)
    assert back == made
    assert back.digest == made.digest
    assert not any(part.flags.writeable for part in (back.X.data, back.X.indices, back.X.indptr))


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("indices", [0, 1, 9]), ("indices", [0, -1, 1]), ("indptr", [0, 9, 3]), ("indptr", [0, 3, 2]),
        ("data", [1.0, np.nan, 2.0]),
    ],
)  # fmt: skip
def test_sparse_vectors_that_no_reader_would_send_are_refused(part, wrong):
    made = SparseVectors(("a", "b"), sparse.csr_array(np.array([[1.0, 2.0], [0.0, 3.0]])))
    lying = made.X.copy()
    setattr(lying, part, np.array(wrong, dtype=getattr(lying, part).dtype))
    object.__setattr__(made, "X", lying)
    head, parts = wire.encode(made)
    with pytest.raises(KernexError):
        wire.decode(head, [memoryview(b"".join(part)) for part in parts])


def test_every_task_is_known_by_its_name():
    assert {task for task, *_ in ASKED.values()} <= set(tasks.TASKS.values())
    assert all(tasks.TASKS[tasks.name_of(task)] is task for task in tasks.FUNCTIONS)
    assert len(tasks.TASKS) == len(tasks.FUNCTIONS)


def test_every_format_has_its_options_among_the_kinds():
    assert all(wire.KINDS[form.options.__name__] is form.options for form in FORMATS)


@pytest.mark.parametrize("letters", ["ids", "Ünïcode", "漢字", "😀a", "\ud800", "", "zero\0"])
def test_long_tuples_of_text(letters):
    texts = tuple(f"{letters}{k}" if k % 3 else "" for k in range(100))
    assert sent((texts, ("short", letters))) == (texts, ("short", letters))
    assert sent(("",) * 50) == ("",) * 50


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((0, 2)),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(12)[::-3],
        np.array(["a", "b😀"]),
        np.array([True, False]),
        np.array(3.5),
        np.arange(4, dtype=">i4"),
        np.array([""]),
    ],
    ids=str,
)
def test_arrays_of_every_kind(array):
    back = sent((array, None))[0]
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert np.array_equal(back, array)


def test_arrays_are_sent_from_where_they_lie_and_taken_where_they_arrive():
    K = np.ones((1_500, 1_500))
    pipe = io.BytesIO(bytes(K.nbytes + 10_000))
    tracemalloc.start()
    wire.send(pipe, wire.VALUE, 1, *wire.encode((K,)))
    assert tracemalloc.get_traced_memory()[1] < 0.1 * K.nbytes
    pipe.seek(0)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    frame = wire.receive(pipe)
    (back,) = wire.decode(frame.head, frame.parts)
    assert tracemalloc.get_traced_memory()[1] - before < 1.1 * K.nbytes
    tracemalloc.stop()
    assert np.array_equal(back, K)


def test_the_parts_of_a_workspace_make_it_here():
    data = load_dataset("blocks")
    file = write_workspace(Workspace((OpenData(data),)))
    parts = sent(tasks.workspace_parts(Upload("w.kernex", file), 10**9))
    made = workspace_of({name: part.data for name, part in parts.items()})
    assert same(made, read_workspace(file))
    assert made.datasets[data.name].digest == data.digest


def frame_of(**said):
    fields = {"mark": b"KRX1", "kind": b"v", "number": 1, "count": 0, "length": 0, **said}
    return struct.pack("<4scQIQ", *fields.values())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"KRX1",
        frame_of(mark=b"XXXX"),
        frame_of(length=wire.HEAD_LIMIT + 1),
        frame_of(length=2**63),
        frame_of(count=2**32 - 1),
        frame_of(count=1) + struct.pack("<Q", wire.PARTS_LIMIT + 1),
        frame_of(count=2) + struct.pack("<QQ", 2**63, 2**63),
        frame_of(length=10) + b"{}",
        frame_of(count=1) + struct.pack("<Q", 100) + b"short",
    ],
)
def test_no_frame_is_waited_for_or_made_room_for(data):
    tracemalloc.start()
    with pytest.raises((ValueError, EOFError)):
        wire.receive(io.BytesIO(data))
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()


def head(value, *objects):
    return json.dumps({"objects": list(objects), "value": value}).encode()


def npy(array):
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return memoryview(out.getvalue())


NOTE = {"type": "Note", "fields": {"text": "x"}}
FORGED = {
    "no JSON": (b"\x80\x04.", ()),
    "another root": (b"[]", ()),
    "a kind that no reader gives": (head({"object": 0}, {"type": "Workspace", "fields": {}}), ()),
    "a kind of Python": (head({"object": 0}, {"type": "object", "fields": {}}), ()),
    "an unknown field": (head({"object": 0}, {**NOTE, "fields": {"text": "x", "digest": "y"}}), ()),
    "a field of another type": (head({"object": 0}, {**NOTE, "fields": {"text": 3}}), ()),
    "a missing field": (head({"object": 0}, {**NOTE, "fields": {}}), ()),
    "an object that is not there": (head({"object": 3}, NOTE), ()),
    "an array that is not there": (head({"array": 0}), ()),
    "an array of objects": (head({"array": 0}), (npy(np.array([{}], dtype=object)),)),
    "an array that lies": (head({"array": 0}), (npy(np.zeros(9))[:-8],)),
    "texts that are not there": (head({"texts": [0, 1]}), ()),
    "texts of floats": (head({"texts": [0, 1]}), (npy(np.ones(2)), npy(np.zeros(2, np.uint8)))),
    "texts of negative lengths": (head({"texts": [0, 1]}), (npy(np.array([3, -1])), npy(np.zeros(2, np.uint8)))),
    "texts beyond their letters": (head({"texts": [0, 1]}), (npy(np.array([1, 9])), npy(np.zeros(2, np.uint8)))),
    "texts of no letters": (head({"texts": [0, 1]}), (npy(np.array([1])), npy(np.array([2**31], np.uint32)))),
    "texts of one place": (head({"texts": 0}), (npy(np.array([1])),)),
    "a call of another name": (
        head({"object": 0}, {"type": "Call", "fields": {"name": "x", "function": "__import__", "arguments": ["os"]}}),
        (),
    ),
    "many values": (b'{"objects": [' + b"{}," * 3_000_000 + b'{}], "value": null}', ()),
    "many numbers": (b'{"objects": [], "value": [' + b"1," * 6_000_000 + b"1]}", ()),
    "depth": (b'{"objects": [], "value": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", ()),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_what_no_reader_would_send_is_refused(name):
    said, parts = FORGED[name]
    tracemalloc.start()
    with pytest.raises(KernexError):
        wire.decode(said, parts)
    assert tracemalloc.get_traced_memory()[1] < 30e6 + len(said)
    tracemalloc.stop()


def test_what_no_reader_gives_is_not_sent():
    for value in (object(), {1, 2}, np.array([{}], dtype=object), load_dataset("blocks"), fetch_dataset):
        with pytest.raises((KernexError, TypeError)):
            wire.encode(value)


def test_a_refusal_is_the_same_error():
    for kind in tasks.ERRORS.values():
        error = kind("expected", "found", "remedy")
        back = sent(tasks.Refusal.of(error)).error
        assert type(back) is kind
        assert str(back) == str(error)
    assert tasks.Refusal("os.system", "x").error.expected == "x"


def test_notes_are_plain():
    assert sent((Note("a"), Note("b", severity="warning"))) == (Note("a"), Note("b", severity="warning"))
    with pytest.raises(KernexError):
        wire.decode(head({"object": 0}, {"type": "Note", "fields": {"text": "x", "severity": "loud"}}), ())
