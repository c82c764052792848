import gzip
import io
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.samples import Labels
from pages.server.declared import after_bringing
from pages.server.navigation import explaining
from tests.kernex_core.inputs.dialects import matrix_bytes
from tests.pages.conftest import switch

pytestmark = pytest.mark.usefixtures("kept_results")

PAGE = "data/data.py"
SEQUENCES = b">a c.1.1.1\nACDEF\n>b c.1.1.2\nACDEG\n>c c.1.2.1\nACGGG\n>d c.1.2.1\nWWWGG\n"
EDGES = b"source,target\na,b\nb,c\nc,d\n"
LABELS = b"id\tfold\tsuperfamily\na\tf\tx\nb\tf\tx\nc\tg\ty\n"


def npy(array):
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


def npy_head(n):
    """What a matrix of n items begins with: no more is read of one that is too large."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": "<f8", "fortran_order": False, "shape": (n, n)})
    return out.getvalue()


def matrix(ids, seed=0):
    X = np.random.default_rng(seed).normal(size=(len(ids), 3))
    return matrix_bytes(X @ X.T, ids)


def bring(at, *files):
    """Upload files, opening the box for more where it is closed."""
    if not at.file_uploader:
        at.session_state["data.bring"] = True
        at.run()
    at.file_uploader[0].upload(*files[0])
    at.run()
    for name, data in files[1:]:
        at.file_uploader[0].upload(name, data).run()
    assert not at.exception
    return at


def add(at):
    at.button(key="data.add").click().run()
    assert not at.exception
    assert not at.error
    return at


def state(at):
    return at.session_state["kernex"]


def current(at):
    return state(at).entries[state(at).chosen].view or state(at).entries[state(at).chosen].dataset


def text(at):
    return " ".join(
        block.value.replace("\\", "").replace("\u2060", "") for block in [*at.markdown, *at.caption]
    )


def widget(at, kind, name):
    return next(found for found in at.get(kind) if found.key and found.key.endswith(name))


REFUSED = {
    "a PNG named csv": ("k.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(200), "PNG picture"),
    "all NaN": ("k.csv", b",a,b\na,NaN,NaN\nb,NaN,NaN\n", "all 4 entries are unknown"),
    "an object array": ("k.npy", npy(np.array([[1, {}], [2, 3]], dtype=object)), "Python objects"),
    "a gzip bomb": ("k.csv.gz", gzip.compress(bytes(90 << 20)), "unpack to more than"),
    "n = 1": ("k.csv", b",a\na,1\n", "1 row and 1 column"),
    "n = 20,000": ("k.npy", npy_head(20_000), "20,000 items"),
    "empty": ("k.csv", b"", "empty"),
    "prose": ("k.txt", b"hello world\nthis is a text\n", "begins with 'hello world'"),
    "ragged": ("k.csv", b",a,b,c\na,1,2,3\nb,2,1\nc,3,1,1\n", "2 in line 3"),
    "a cut off gzip": ("k.csv.gz", gzip.compress(matrix("abcdef"))[:40], "cut off"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_gets_one_sentence_and_nothing_is_lost(open_page_test, small_dataset, name):
    filename, data, sentence = REFUSED[name]
    at = bring(open_page_test(PAGE, small_dataset), (filename, data))
    assert len(at.error) == 1
    assert sentence in at.error[0].value.replace("\\", "")
    assert not [button for button in at.button if button.key == "data.add"]
    assert current(at).digest == small_dataset.digest
    assert at.sidebar.selectbox(key="data").value == "thirty"


def test_three_by_four_values_are_measurements_or_refused_as_similarities(open_page_test):
    at = bring(open_page_test(PAGE), ("k.csv", b"1,2,3,4\n1,2,3,4\n1,2,3,4\n"))
    assert "3 items with 4 numbers each: measurements, not similarities" in text(at)
    widget(at, "selectbox", ".way").set_value("matrix").run()
    assert not at.exception
    assert "3 rows and 4 columns" in at.error[0].value


def test_ids_that_do_not_match_are_refused(open_page_test, small_dataset):
    at = bring(open_page_test(PAGE, small_dataset), ("k.csv", matrix("abc")))
    widget(at, "button_group", "where.thirty.True").set_value("Add to thirty").run()
    assert "in common" in at.error[0].proto.title if hasattr(at.error[0].proto, "title") else at.error
    assert current(at).digest == small_dataset.digest


def test_labels_that_do_not_match_are_refused(open_page_test, small_dataset):
    at = bring(open_page_test(PAGE, small_dataset), ("l.csv", b"id,label\nu,x\nv,y\nw,x\n"))
    assert "labels for u, v" in at.error[0].value.replace("\\", "")
    assert current(at).digest == small_dataset.digest


def test_one_class_only_loads_and_is_named(open_page_test):
    at = bring(open_page_test(PAGE), ("k.csv", matrix("abc")), ("l.csv", b"id,label\na,x\nb,x\nc,x\n"))
    add(at)
    assert "one class only" in text(at)


def test_a_matrix_becomes_a_data_set_with_the_memory_said_before(open_page_test):
    at = bring(open_page_test(PAGE), ("mine.csv", matrix("abcd")))
    assert "Similarities of 4 items" in text(at)
    assert "128 bytes (8 n² bytes)" in text(at)
    assert state(at).chosen is None
    add(at)
    assert current(at).name == "mine"
    assert list(current(at).kernels) == ["mine"]
    assert "positive semidefinite" in text(at)


@pytest.mark.parametrize(
    ("files", "said", "path"),
    [
        ([("k.csv", matrix("abcd"))], "whether this is a kernel", "Kernels"),
        ([("s.fa", SEQUENCES)], "choose a string kernel", "Strings"),
        ([("e.csv", EDGES)], "how far heat should spread", "Networks"),
        ([("k.csv", matrix("abcd")), ("l.csv", b"id,label\na,x\nb,x\nc,y\nd,y\n")], "whether this is a kernel", "Kernels"),
        (
            [("k.csv", matrix("abcd")), ("m.csv", matrix("abcd")), ("l.csv", b"id,label\na,x\nb,x\nc,y\nd,y\n")],
            "rebuild it from the other", "Complete",
        ),
    ],
)  # fmt: skip
def test_one_line_says_what_comes_next_and_links_there(open_page_test, files, said, path):
    at = add(bring(open_page_test(PAGE), *files))
    assert said in text(at)
    lessons = {each.title for each in explaining("data")}
    links = [link.proto.label for link in at.main.get("page_link") if link.proto.label not in lessons]
    assert links[0] == path
    assert ("would let it be judged" in text(at)) == (current(at).judgeable is None)
    at.button(key="workspace.remove").click().run()
    assert "Next:" not in text(at)


def test_names_are_suggested_short_and_told_apart(open_page_test):
    at = bring(
        open_page_test(PAGE),
        ("c1_smith_waterman_blosum62.csv", matrix("abcd")),
        ("c1_smith_waterman_3di.csv", matrix("abcd")),
    )
    assert list(current(add(at)).kernels) == ["c1 SW BLOSUM62", "c1 SW 3Di"]


def test_all_classes_stand_in_the_table(open_page_test):
    ids = tuple(f"i{k}" for k in range(60))
    K = GramMatrix(np.eye(60), ids, "K")
    at = open_page_test(
        PAGE, DataSet("many", ids, Labels(ids, [f"c{k // 2}" for k in range(60)]), kernels={"K": K})
    )
    table = next(t for t in at.table if "Class" in t.value)
    assert len(table.value) == 30


def test_names_can_be_chosen(open_page_test):
    at = bring(open_page_test(PAGE), ("mine.csv", matrix("abcd")))
    widget(at, "text_input", "data.name.mine").set_value("Barrels").run()
    next(t for t in at.text_input if t.key.startswith("file.")).set_value("structure").run()
    add(at)
    assert (current(at).name, list(current(at).kernels)) == ("Barrels", ["structure"])


def test_a_half_filled_matrix_beside_sequences(open_page_test):
    at = bring(open_page_test(PAGE), ("s.fa", SEQUENCES), ("structure.csv", matrix("acx")))
    assert "no similarities for 2 items (b, d)" in text(at)
    assert "1 of 3 items are not in every source (x)" in text(at)
    add(at)
    data = current(at)
    assert set(data.ids) == set("abcd")
    assert int((~data.kernels["structure"].known).sum()) == 2
    assert data.labels.classes == (("c.1.1", 2), ("c.1.2", 2))  # guessed from the headers


def test_only_the_common_items(open_page_test):
    at = bring(open_page_test(PAGE), ("k.csv", matrix("abcd")), ("l.csv", matrix("bcde", 1)))
    widget(at, "button_group", "data.items").set_value("intersection").run()
    add(at)
    assert current(at).ids == ("b", "c", "d")


def test_adding_to_the_data_set_that_is_open(open_page_test):
    at = add(bring(open_page_test(PAGE), ("k.csv", matrix("abcd"))))
    bring(at, ("l.csv", matrix("abcd", 1)))
    assert at.button(key="data.add").label == "Add to k"
    add(at)
    assert list(current(at).kernels) == ["k", "l"]
    assert list(state(at).entries) == ["k"]


def test_the_column_of_the_labels_can_be_chosen_and_mismatches_are_listed(open_page_test):
    at = add(bring(open_page_test(PAGE), ("k.csv", matrix("abcd"))))
    bring(at, ("labels.tsv", LABELS))
    assert "Items that are not in the file of labels: 1 (d)" in text(at)
    widget(at, "button_group", "labels.label_column").set_value("fold").run()
    add(at)
    assert current(at).labels.y.tolist() == ["f", "f", "g", ""]


def test_ids_of_labels_are_the_column_that_names_the_items(open_page_test):
    """Whether the data are open already, or wait beside the labels."""
    table = b"id,gene,class\nP1,a,x\nP2,b,y\nP3,c,x\n"
    at = bring(open_page_test(PAGE), ("l.csv", table), ("k.csv", matrix("abcd")))
    assert "ids of the data: 3 of 4; of the column id: 0" in text(at)
    add(at)
    assert current(at).labels.y.tolist() == ["x", "y", "x", ""]
    bring(at, ("m.csv", table.replace(b"x", b"z")))
    assert "ids of the data: 3 of 4; of the column id: 0" in text(at)
    add(at)
    assert current(at).labels.y.tolist() == ["z", "y", "z", ""]


def test_labels_by_position_only_if_the_visitor_says_so(open_page_test):
    at = add(bring(open_page_test(PAGE), ("k.csv", matrix("abc"))))
    bring(at, ("l.txt", b"x\ny\nx\n"))
    assert not at.error
    assert not [each for each in at.button if each.key == "data.add"]  # a question is open
    widget(at, "button_group", ".position").set_value("order").run()
    add(at)
    assert current(at).labels.y.tolist() == ["x", "y", "x"]


def test_distances_are_guessed_and_the_conversion_can_be_chosen(open_page_test):
    at = bring(open_page_test(PAGE), ("d.csv", b",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n"))
    assert "a and b: 1; larger is further apart" in text(at)
    widget(at, "selectbox", "matrix.conversion").set_value("max_minus").run()
    add(at)
    assert current(at).kernels["d"].values.tolist() == [[3, 2, 1], [2, 3, 0], [1, 0, 3]]


def test_hits_with_the_ways_to_read_them(open_page_test):
    rows = ["a a 100 9 0 0 1 9 1 9 1e-9 90", "a b 50 9 4 0 1 9 1 9 1e-3 30", "b b 100 9 0 0 1 9 1 9 1e-9 80",
            "c c 100 9 0 0 1 9 1 9 1e-9 70"]  # fmt: skip
    at = bring(open_page_test(PAGE), ("h.m8", "\n".join(row.replace(" ", "\t") for row in rows).encode()))
    assert "Pairs that are not listed: 2 of 3" in text(at)
    widget(at, "selectbox", "hits.score_column").set_value("pident").run()
    widget(at, "button_group", "hits.absent").set_value("zero").run()
    add(at)
    assert current(at).kernels["h"].values.tolist() == [[100, 50, 0], [50, 100, 0], [0, 0, 100]]


def test_a_file_can_be_put_away(open_page_test):
    at = bring(open_page_test(PAGE), ("k.csv", matrix("abc")))
    widget(at, "button", ".away").click().run()
    assert "k.csv" not in text(at)
    assert state(at).chosen is None


def test_waiting_files_survive_a_visit_elsewhere(open_page_test):
    at = bring(open_page_test(PAGE), ("k.csv", matrix("abc")))
    switch(at, "kernels/kernels.py").run()
    switch(at, PAGE).run()
    assert "Similarities of 3 items" in text(at)


def test_what_comes_next_is_said_of_samples_without_a_kernel_however_they_were_opened(open_page_test):
    data = replace(load_dataset("blocks"), kernels={}, source="", target="")
    assert after_bringing(data).said in text(open_page_test(PAGE, data))


def test_a_selection_holds_on_every_page_and_comes_back(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset)
    widget(at, "multiselect", ".classes").set_value(["a", "c"]).run()
    assert current(at).n == 20
    switch(at, "evaluate/evaluate.py").run()
    assert current(at).n == 20
    switch(at, PAGE).run()
    assert widget(at, "multiselect", ".classes").value == ["a", "c"]
    assert current(at).n == 20
    widget(at, "text_input", ".label_pattern").set_value("[ab]").run()
    assert current(at).n == 10
    at.button(key="select.all").click().run()
    assert current(at).n == 30
    assert widget(at, "multiselect", ".classes").value == []


def test_a_selection_that_leaves_nothing_changes_nothing(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset)
    widget(at, "number_input", ".min_class_size").set_value(11).run()
    assert "fewer than 11" in at.error[0].value
    assert current(at).n == 30


def test_a_selection_by_id_names_strangers(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset)
    widget(at, "text_area", ".ids").set_value("item3\nitem7\nnobody\n").run()
    assert current(at).ids == ("item3", "item7")
    assert state(at).entries["thirty"].selection == Selection(ids=("item3", "item7", "nobody"))
    assert "Not in these data: nobody" in text(at)


def test_the_health_report_speaks_of_every_part(open_page_test, small_dataset):
    shown = text(open_page_test(PAGE, small_dataset))
    assert "24 of them with all pairs known" in shown
    assert "Items without any known similarity to another: 6" in shown


def test_classes_are_counted_with_what_is_known_of_them(open_page_test, small_dataset):
    table = open_page_test(PAGE, small_dataset).table[0].value
    assert table["Class"].tolist() == ["a", "b", "c"]
    assert table["Known in target"].tolist() == ["8", "8", "8"]


def test_a_part_is_taken_out(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset)
    at.button(key="data.remove.target").click().run()
    assert list(current(at).kernels) == ["source"]
    assert "data.remove.source" not in [button.key for button in at.button]


def test_a_data_set_is_renamed(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset)
    widget(at, "text_input", "data.rename.thirty").set_value("Barrels").run()
    at.button(key="data.rename").click().run()
    assert not at.exception
    assert at.sidebar.selectbox(key="data").value == "Barrels"
    assert current(at).digest == small_dataset.digest


def test_corrected_labels_hold_for_the_whole_data_set(small_dataset):
    from pages.data.data import corrected, item_table

    table = item_table(small_dataset.select(range(10, 30)))
    assert table["known pairs in target"].tolist()[:2] == [0, 16]
    edits = {table["id"][0]: {"label": " z "}, table["id"][1]: {"label": ""}}
    y = corrected(small_dataset, edits).y.tolist()
    assert y == ["a"] * 10 + ["z", ""] + ["b"] * 8 + ["c"] * 10


def test_labels_can_be_given_where_there_are_none(small_dataset):
    from pages.data.data import corrected

    bare = small_dataset.with_labels(None)
    labels = corrected(bare, {bare.ids[2]: {"label": "new"}})
    assert labels.classes == (("new", 1),)
    assert labels.ids == bare.ids


def test_classes_beside_a_matrix_become_its_labels(open_page_test):
    data = matrix("abcd").decode().strip().split("\n")
    labelled = "\n".join(",".join(pair) for pair in zip(data, ["class", "x", "y", "x", ""], strict=True))
    at = bring(open_page_test(PAGE), ("mine.csv", labelled.encode()))
    assert "holds 2 classes" in text(at)
    add(at)
    assert current(at).labels.y.tolist() == ["x", "y", "x", ""]


def test_a_link_to_data_that_are_not_open_asks_for_them_and_its_settings_apply_then(open_page_test):
    at = open_page_test("complete/complete.py", query={"data": "my barrels", "hidden": "50 %", "lam": "0.4"})
    assert "my barrels" in at.info[0].value
    switch(at, PAGE).run()
    add(bring(at, ("c1.csv", matrix("abcd")), ("c2.csv", matrix("abcd"))))
    assert current(at).name == "my barrels"
    (link,) = [link.proto for link in at.get("page_link") if "settings" in link.proto.label]
    assert "complete" in link.page
    assert ("hidden=50" in link.query_string, "lam=0.4" in link.query_string) == (True, True)
    assert "data=" not in link.query_string


def test_what_every_part_shares_is_said_once(open_page_test, small_dataset):
    at = open_page_test("data/data.py", small_dataset)
    assert sum("one matrix of them takes" in block.value for block in at.markdown) == 1


def test_a_table_is_written_as_the_switch_beside_the_downloads_says_in_the_same_run(
    open_page_test, small_dataset
):
    at = open_page_test("data/data.py", small_dataset)
    hints = [button.proto.help for button in at.get("download_button") if button.proto.label.endswith("CSV")]
    assert hints
    assert all("Commas" in each for each in hints)
    at.toggle(key="csv.semicolons.switch").set_value(True).run()
    hints = [button.proto.help for button in at.get("download_button") if button.proto.label.endswith("CSV")]
    assert all("Semicolons" in each for each in hints)
    assert not [each for each in at.sidebar.toggle if "CSV" in each.label]
