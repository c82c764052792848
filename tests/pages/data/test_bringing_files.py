"""Files on their way from the box to a data set."""

import gzip
import io

import numpy as np
import pytest
from scipy.io import savemat

from pages.server import cached
from pages.server.readers import tasks
from tests.kernex_core.inputs.counting import counting
from tests.kernex_core.inputs.dialects import matrix_bytes

PAGE = "data/data.py"


def widget(at, kind, name):
    return next(found for found in at.get(kind) if found.key and found.key.endswith(name))


def test_a_file_is_unpacked_and_hashed_once_from_the_box_to_the_data_set(open_page_test, monkeypatch):
    packed = gzip.compress(matrix_bytes(np.eye(30) + 1.0, [f"i{k}" for k in range(30)]))
    counted = counting(monkeypatch, packed)
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("k.csv.gz", packed).run()
    widget(at, "selectbox", ".way").set_value("vectors").run()
    widget(at, "selectbox", ".way").set_value("matrix").run()
    widget(at, "button_group", "matrix.symmetrise").set_value("max").run()
    at.button(key="data.add").click().run()
    assert not at.exception
    assert at.session_state["kernex"].chosen == "k"
    assert counted == {"unpacked": 1, "hashed": 1}


def bring(open_page_test, name, data):
    at = open_page_test(PAGE)
    at.file_uploader[0].upload(name, data).run()
    assert not at.exception
    return at


def added(at):
    at.button(key="data.add").click().run()
    assert not at.exception
    assert not at.error
    state = at.session_state["kernex"]
    return state.entries[state.chosen].dataset


def shown(at):
    blocks = [*at.markdown, *at.caption, *at.error]
    return " ".join(block.value.replace("\\", "").replace("\u2060", "") for block in blocks)


STRANGERS = {
    "01_triangle_zeros_distance.csv": ("It is mirrored", {("b", "c"): np.exp(-36 / 12.5), ("a", "a"): 1.0}),
    "02_triangle_zeros_similarity.csv": (
        "It is mirrored",
        {("A", "B"): 0.5, ("A", "C"): 0.7, ("B", "C"): 0.9},
    ),
    "03_foldseek_u_t.m8": ("column 3 is taken", {("a.cif", "b.cif"): 0.815}),
    "04_diamond_unal.tsv": ("no hit: 1 (p3)", {("p1", "p2"): 90.0, ("p3", "p1"): np.nan}),
    "06_pairs_stray_quote.tsv": ("", {("5'-nt", '"x'): 0.3, ("y", '"x'): 0.2}),
    "09_clustal.pim": ("Clustal", {("sp|P1|A_HUMAN", "sp|P2|B_HUMAN"): 45.2}),
    "15_R_write_csv.csv": ("as R writes", {("1", "2"): 0.5, ("3", "4"): 0.1}),
    "20_fastani.matrix": ("It is 100", {("a.fna", "b.fna"): 98.5, ("a.fna", "c.fna"): np.nan}),
    "30_alntmscore_above_1.tsv": ("qtmscore is taken", {("x1", "x2"): 0.0444}),
    "34_foldseek_undefined_bits.m8": ("They are unknown", {("a", "b"): 70.0, ("a", "c"): -12.0}),
}


@pytest.mark.parametrize("name", STRANGERS)
def test_what_a_stranger_brings_comes_out_right_on_the_page(open_page_test, shared, name):
    note, entries = STRANGERS[name]
    at = bring(open_page_test, name, (shared / "data" / "strangers" / name).read_bytes())
    assert note in shown(at)
    (K,) = added(at).kernels.values()
    found = [K.values[K.ids.index(i), K.ids.index(j)] for i, j in entries]
    np.testing.assert_allclose(found, list(entries.values()))


def test_classes_that_are_no_longer_wanted_do_not_stay(open_page_test):
    text = "".join(f">p{k} a.{1 + k % 2}.1.1 x\nMKV{'L' * (k + 1)}\n" for k in range(10))
    at = bring(open_page_test, "s.fasta", text.encode())
    assert "2 classes" in shown(at)
    widget(at, "selectbox", ".preset").set_value("None").run()
    assert added(at).labels is None


def test_a_choice_of_label_columns_is_asked_for(open_page_test):
    at = bring(open_page_test, "mine_labels.csv", b"id,kinase,membrane\na,1,0\nb,1,1\nc,0,1\n")
    assert "may be the labels: kinase, membrane" in shown(at)
    assert "kinase is taken" in shown(at)
    widget(at, "button_group", "labels.label_column").set_value("membrane").run()
    assert "membrane is taken" in shown(at)


def test_another_array_of_an_archive_can_be_chosen(open_page_test):
    out = io.BytesIO()
    np.savez(out, train=np.eye(2), test=np.array([[3.0, 1.0], [1.0, 3.0]]))
    at = bring(open_page_test, "k.npz", out.getvalue())
    assert "train is taken" in shown(at)
    widget(
        at, "selectbox" if at.get("selectbox")[-1].key.endswith("key") else "button_group", "numpy.key"
    ).set_value("test").run()
    assert added(at).kernels["k"].values[0, 0] == 3.0


def test_kernels_of_a_matlab_file_come_together_with_what_each_lacks_and_classes(open_page_test):
    out = io.BytesIO()
    K = np.eye(4)[:, :, None] + np.array([1.0, 2.0])
    savemat(out, {"K": K, "MID": np.array([[0, 1], [1, 1], [1, 1], [1, 0]]), "y": np.array([1, 2, 1, 2])})
    at = bring(open_page_test, "k.mat", out.getvalue())
    assert "2 kernels of 4 items" in shown(at)
    assert "MID marks 2 rows with 0" in shown(at)
    widget(at, "text_input", ".name").set_value("look").run()
    data = added(at)
    assert data.labels.y.tolist() == ["1", "2", "1", "2"]
    assert {name: K.known.tolist() for name, K in data.kernels.items()} == {
        "look 1": [False, True, True, True], "look 2": [True, True, True, False]
    }  # fmt: skip
    assert data.kernels["look 2"].values[0, 0] == 3.0


def test_ids_in_other_surroundings_match_once_the_visitor_says_so(open_page_test):
    at = bring(open_page_test, "k.csv", matrix_bytes(np.eye(2) + 1.0, ("1abc.pdb", "2abc.pdb")))
    at.file_uploader[0].upload("l.csv", b"id,label\n1abc,x\n2abc,y\n").run()
    assert "differ by the ending of a file (.pdb)" in shown(at)
    widget(at, "toggle", "data.loosely").set_value(True).run()
    assert added(at).labels.y.tolist() == ["x", "y"]


def test_a_format_that_is_not_read_is_refused_by_name_on_the_page(open_page_test):
    at = bring(open_page_test, "k.nwk", b"(a:1,(b:2,c:3):1);\n")
    assert "Newick" in at.error[0].value
    assert "cophenetic" in at.error[0].value


def test_a_list_of_edges_becomes_a_network_of_which_kernels_can_be_built(open_page_test):
    at = bring(open_page_test, "e.tsv", b"a\tb\na\tc\nb\tc\nc\td\n")
    assert "A network of 4 nodes and 4 edges" in shown(at)
    made = added(at).samples["e"]
    assert made.adjacency.toarray().sum() == 8.0


def large_table(n):
    return "".join(
        f"p{i}\tp{j}\t{300 if i == j else 1 + (i * j) % 90}\n" for i in range(n) for j in range(i, n)
    )


def test_a_part_of_a_large_table_is_chosen_before_its_matrix(open_page_test, monkeypatch):
    monkeypatch.setenv("KERNEX_MAX_ITEMS", "20")
    at = bring(open_page_test, "h.tsv", large_table(40).encode())
    assert "40 items: choose a part before the matrix is made" in shown(at)
    assert "Similarities of 20 items" in shown(at)
    by = widget(at, "radio", "part.by")
    assert by.options[0].startswith("The largest connected part: 20 items, the densest of them, 100 %")
    by.set_value("random").run()
    assert "Bring a file of labels, too" in shown(at)
    assert "Similarities of 20 items" in shown(at)
    labels = "id,class\n" + "".join(f"p{k},{'xyyy'[k % 4]}\n" for k in range(40))
    at.file_uploader[0].upload("labels.csv", labels.encode()).run()
    assert not at.exception
    widget(at, "multiselect", ".classes").set_value(["x"]).run()
    assert "Similarities of 10 items" in shown(at)
    widget(at, "multiselect", ".classes").set_value([]).run()
    widget(at, "toggle", "part.stratified").set_value(True).run()
    data = added(at)
    assert data.n == 20
    assert dict(data.labels.classes) == {"x": 5, "y": 15}


def test_parts_of_a_large_table_by_what_is_known_of_them(open_page_test, monkeypatch):
    monkeypatch.setenv("KERNEX_MAX_ITEMS", "6")
    rows = [
        f"{a}{i}\t{a}{j}\t{10 - j}\n"
        for a, n in (("p", 5), ("q", 4))
        for i in range(n)
        for j in range(i + 1, n)
    ]
    at = bring(open_page_test, "h.tsv", "".join(rows).encode())
    at.file_uploader[0].upload("labels.csv", b"id,class\nq0,x\nq1,y\np0,x\n").run()
    offered = widget(at, "radio", "part.by").options
    assert "The largest connected part: 5 items, 100 % of their pairs known" in offered
    assert "Items with a label: 3 items, 33.3 % of their pairs known" in offered
    widget(at, "radio", "part.by").set_value("neighbours").run()
    widget(at, "selectbox", "part.query").set_value("q2").run()
    assert not at.exception
    assert added(at).ids == ("q0", "q1", "q2", "q3")


def test_a_cache_without_room_reads_a_file_once_a_run(open_page_test, monkeypatch):
    looked = []
    look = tasks.TASKS["pages.server.readers.tasks.look"]

    def counted(file):
        looked.append(file.filename)
        return look(file)

    monkeypatch.setattr(tasks, "TASKS", {**tasks.TASKS, "pages.server.readers.tasks.look": counted})
    monkeypatch.setattr(cached._budget, "_limit", lambda: 1)
    monkeypatch.setattr(cached._budget, "_raised", 0)
    at = open_page_test("data/data.py")
    at.file_uploader[0].upload("k.csv", b",a,b\na,1,0.5\nb,0.5,1\n").run()
    assert not at.exception
    first = len(looked)
    at.run()
    assert len(looked) - first <= 1
    at.button(key="data.add").click().run()
    assert not at.exception
    assert at.session_state["kernex"].chosen == "k"
