import contextlib
import io
import re
import runpy
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import (
    DataSet,
    GramMatrix,
    Graph,
    GraphSet,
    Labels,
    Similarity,
    Vectors,
    read_labels,
    read_samples,
)
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.validation import ITEM_LIMIT
from kernex_core.inputs.dataset import Defaults
from kernex_core.studies.data import assemble, dataset_script
from tests.conftest import REPOSITORY
from tests.kernex_core.inputs.dialects import matrix_bytes
from tests.kernex_core.inputs.graphs.zips import folder

SEQUENCES = b">a\nACDEF\n>b\nACDEG\n>c\nACGGG\n>d\nWWWGG\n"


def similarity(ids, filename="k.csv", seed=0):
    X = np.random.default_rng(seed).normal(size=(len(ids), 3))
    return read_samples(matrix_bytes(X @ X.T, ids), filename, "similarity")


def test_a_half_known_matrix_beside_complete_sequences():
    made = assemble(
        {"structure": similarity("acx"), "residues": read_samples(SEQUENCES, "s.fa")}, name="mine"
    )
    assert made.data.name == "mine"
    assert set(made.data.ids) == set("abcd")  # x has no sequence
    K = made.data.kernels["structure"]
    assert {K.ids[i] for i in K.unknown.wholly_unknown} == {"b", "d"}
    assert made.alignment.missing == {"structure": ("b", "d")}
    assert made.lists == {"left out of structure": ("x",), "unknown in structure": ("b", "d")}


def test_only_common_items():
    made = assemble({"k": similarity("abc"), "l": similarity("bcd")}, how="intersection")
    assert made.data.ids == ("b", "c")
    assert made.alignment.dropped == {"k": ("a",), "l": ("d",)}


def test_adding_keeps_what_was_there():
    base = assemble(
        {"k": similarity("abcd")}, read_labels(b"a,x\nb,x\nc,y\nd,y\n", "l.csv"), name="base"
    ).data
    base = replace(base, description="Mine.", defaults=Defaults(C=2.0))
    made = assemble({"l": similarity("abc", seed=1)}, base=base).data
    assert (made.name, made.description, made.defaults) == ("base", "Mine.", Defaults(C=2.0))
    assert list(made.kernels) == ["k", "l"]
    assert made.labels.y.tolist() == ["x", "x", "y", "y"]
    assert np.array_equal(made.kernels["k"].values, base.kernels["k"].values)
    assert np.isnan(made.kernels["l"].values[3]).all()


def test_the_same_name_replaces():
    base = assemble({"k": similarity("abc")}, name="base").data
    new = similarity("abc", seed=1)
    assert np.array_equal(assemble({"k": new}, base=base).data.kernels["k"].values, new.gram.values)


def test_labels_alone_are_joined_and_every_mismatch_is_listed():
    base = assemble({"k": similarity("abcd")}).data
    labels = read_labels(b"a,x\nb,y\nb,z\nc,x\nc,x\nq,x\n", "l.csv")
    made = assemble({}, labels, base=base)
    assert made.alignment is None
    assert made.data.labels.y.tolist() == ["x", "", "x", ""]
    assert made.join.matched == 3
    assert made.lists == {
        "items without a line in the file of labels": ("d",),
        "lines of the file of labels without an item": ("q",),
        "ids on several lines of the file of labels": ("b", "c"),
        "ids with different labels": ("b",),
    }


def test_labels_by_position_only_when_said():
    labels = read_labels(b"x\ny\nx\n", "l.csv")
    with pytest.raises(InvalidInputError, match="order of the items"):
        assemble({"k": similarity("abc")}, labels)
    made = assemble({"k": similarity("abc")}, labels, by_position=True)
    assert made.data.labels.y.tolist() == ["x", "y", "x"]


def test_nothing_in_common_is_refused_also_when_all_are_kept():
    base = assemble({"k": similarity("abc")}, name="base").data
    for how in ("union", "intersection"):
        with pytest.raises(InvalidInputError, match="in common"):
            assemble({"l": similarity("uvw")}, base=base, how=how)
    with pytest.raises(InvalidInputError, match="Labels belong"):
        assemble({}, read_labels(b"a,x\nb,y\n", "l.csv"))


def test_a_union_beyond_the_limit_is_refused_before_room_is_taken():
    half = ITEM_LIMIT // 2 + 2
    ids = tuple(f"i{k}" for k in range(2 * half - 1))
    zeros = np.zeros((half, half))
    parts = {
        name: Similarity(some, GramMatrix(zeros, some))
        for name, some in (("k", ids[:half]), ("l", ids[half - 1 :]))
    }
    with pytest.raises(TooLargeError, match="items"):
        assemble(parts)
    assert assemble(parts, how="intersection").data.ids == (ids[half - 1],)
    small = {"k": similarity("abc"), "l": similarity("cde")}
    with pytest.raises(TooLargeError, match="items"):
        assemble(small, limit=4)
    assert assemble(small, limit=5).data.n == 5


def test_of_samples_alone_there_may_be_more_than_a_matrix_is_made_of():
    ids = tuple(f"i{k}" for k in range(3 * ITEM_LIMIT))
    many = {"v": Vectors(ids, np.ones((len(ids), 1)))}
    assert assemble(many).data.n == 3 * ITEM_LIMIT
    with pytest.raises(TooLargeError, match="at random or by class"):
        assemble({**many, "k": similarity(ids[:2])})


def test_the_script_makes_the_data_again(tmp_path):
    files = {
        "k.csv": matrix_bytes(np.eye(3) + 1.0, "abc"),
        "s.fa": SEQUENCES,
        "l.csv": b"a,x\nb,y\nc,x\nd,y\n",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    parts = {"k": read_samples(files["k.csv"], "k.csv"), "s": read_samples(files["s.fa"], "s.fa")}
    data = assemble(parts, read_labels(files["l.csv"], "l.csv"), name="mine").data.select([0, 1, 3])
    script = dataset_script(data)
    strings, k, labels = re.findall(r"print\(len\((\w+)\.ids\)\)", script)
    more = f"print({strings}.strings)\nprint({k}.values.tolist())\nprint({labels}.y.tolist())\n"
    parts = (data.samples["s"].strings, data.kernels["k"].values.tolist(), data.labels.y.tolist())
    assert _run(script + more, tmp_path, alone=True) == ["3", "3", "3", *map(str, parts)]


def test_graphs_are_aligned_labelled_and_made_again_by_the_script(tmp_path):
    files = {
        "DS.zip": folder(graph_labels=None),
        "k.csv": matrix_bytes(np.eye(3) + 1.0, ["DS_2", "DS_9", "DS_1"]),
        "l.csv": b"id,class\nDS_2,y\nDS_1,x\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    parts = {"k": read_samples(files["k.csv"], "k.csv"), "g": read_samples(files["DS.zip"], "DS.zip")}
    made = assemble(parts, read_labels(files["l.csv"], "l.csv"), name="mine")
    assert set(made.data.ids) == {"DS_1", "DS_2"}
    assert made.lists["left out of k"] == ("DS_9",)
    graphs = made.data.samples["g"]
    assert graphs.n_nodes[graphs.ids.index("DS_1")] == 3
    assert dict(zip(made.data.ids, made.data.labels.y.tolist(), strict=True)) == {"DS_1": "x", "DS_2": "y"}
    data = made.data.select([1])
    script = dataset_script(data)
    graphs, _, labels = re.findall(r"print\(len\((\w+)\.ids\)\)", script)
    said = _run(script + f"print({graphs}.digest)\nprint({labels}.y.tolist())\n", tmp_path)
    assert said == ["1", "1", "1", data.samples["g"].digest, str(data.labels.y.tolist())]


def test_graphs_that_no_file_holds_are_written_out(tmp_path):
    graphs = GraphSet.of([Graph(0, node_labels=[]), Graph(2, [(0, 1)], ["a'", "$0"])], ["p", "q"])
    data = DataSet("d", graphs.ids, samples={"g": graphs})
    assert _run(dataset_script(data) + "print(g.digest)\n", tmp_path) == ["2", graphs.digest]


def test_labels_corrected_by_hand_are_written_out(tmp_path):
    data = DataSet("d", ("a", "b"), Labels(("a", "b"), np.array(["it's $0", ""])))
    assert _run(dataset_script(data) + "print(labels.y.tolist())\n", tmp_path) == ["2", str(["it's $0", ""])]


def _run(script, folder, alone=False):
    """What a script prints: in this process, or in one of its own, which has imported nothing."""
    path = folder / "script.py"
    path.write_text(script, encoding="utf-8")
    if not alone:
        with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as said:
            runpy.run_path(str(path))
        return said.getvalue().splitlines()
    done = subprocess.run(
        [sys.executable, str(path)], cwd=folder, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(REPOSITORY), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
