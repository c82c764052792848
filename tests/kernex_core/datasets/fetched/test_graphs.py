"""Public sets of graphs: what is downloaded has to say what is known of them, however it is packed."""

from dataclasses import replace

import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.datasets.fetched.download import PublicFile
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.datasets.fetched.graphs import ENZYMES, MUTAG, PROTEINS, GraphCollection
from tests.kernex_core.inputs.graphs.zips import folder, zipped

SMALL = GraphCollection(
    "DS", 2, 5, 3, {"1": 1, "-1": 1}, "Two paths.", {"1": "long"}, {"0": "C"}, {"7": "single"}
)


def packed(shared, name, change=lambda text: text):
    files = (shared / "data" / name).glob(f"{name}_*.txt")
    return zipped({f"{name}/{file.name}": change(file.read_text()) for file in files})


@pytest.mark.parametrize(
    ("collection", "name"), [(MUTAG, "mutag"), (ENZYMES, "enzymes")], ids=["MUTAG", "ENZYMES"]
)
def test_the_digest_is_of_the_graphs_and_not_of_their_spelling(shared, collection, name):
    entry = next(each for each in PUBLIC_DATASETS if each.name == name)
    content = packed(shared, collection.name, lambda text: text.replace(", ", ",").replace("\n", "\r\n"))
    assert collection.content_digest(content) == entry.file.sha256
    made = collection.read(content)
    assert {size for _, size in made.labels.classes} == set(collection.classes.values())
    if name == "mutag":
        graphs = made.samples["graphs"]
        assert set(graphs.node_labels) == {"C", "N", "O", "F", "I", "Cl", "Br"}
        # an oxygen of a nitro group has one bond, as it stands in the file: double or single
        oxygen = [
            kind
            for graph in graphs.graphs
            for (i, j), kind in zip(graph.edges.tolist(), graph.edge_labels.tolist(), strict=True)
            if {graph.node_labels[i], graph.node_labels[j]} == {"N", "O"}
        ]
        assert set(oxygen) == {"single", "double"}
        assert dict(made.labels.classes) == {"mutagenic": 125, "not mutagenic": 63}


def test_one_other_label_is_another_content(shared):
    entry = next(each for each in PUBLIC_DATASETS if each.name == "mutag")
    members = {
        f"MUTAG/{file.name}": file.read_text() for file in (shared / "data" / "MUTAG").glob("MUTAG_*.txt")
    }
    members["MUTAG/MUTAG_node_labels.txt"] = "1" + members["MUTAG/MUTAG_node_labels.txt"][1:]
    assert MUTAG.content_digest(zipped(members)) != entry.file.sha256


def test_labels_are_called_by_what_they_stand_for():
    made = SMALL.read(folder())
    graphs = made.samples["graphs"]
    assert made.labels.y.tolist() == graphs.labels.y.tolist() == ["long", "-1"]
    assert graphs.node_labels.tolist() == ["C", "1", "2", "C", "1"]
    assert graphs.edge_labels.tolist() == ["single", "8", "single"]


@pytest.mark.parametrize(
    "changed",
    [{"graph_labels": "1\n1\n"}, {"A": "1,2\n", "edge_labels": None}, {"graph_labels": None}],
    ids=str,
)
def test_other_counts_are_refused(changed):
    with pytest.raises(InvalidInputError, match="DS has 2 graphs, 5 vertices, 3 edges"):
        SMALL.zip_digest(folder(**changed))


def test_where_counts_alone_are_known_the_first_zip_with_them_is_trusted(tmp_path):
    entry = next(each for each in PUBLIC_DATASETS if each.name == "proteins")
    assert entry.file.content == PROTEINS.zip_digest
    file = PublicFile("DS.zip", "https://nowhere.invalid/DS.zip", "", 1000, SMALL.zip_digest)
    (tmp_path / "DS.zip").write_bytes(folder())
    (tmp_path / "DS.zip.sha256").write_text(SMALL.zip_digest(folder()))
    made = replace(entry, title="DS", file=file, read=SMALL.read).load(tmp_path)
    assert made.n == 2
    assert "was trusted" in made.notes[-1].action
    (tmp_path / "DS.zip").write_bytes(folder(edge_labels=None))
    assert not replace(entry, file=file).cached(tmp_path)


def test_what_is_no_zip_is_not_read():
    for content in (b"<html>moved</html>", b"PK\x03\x04 cut", folder("OTHER")):
        with pytest.raises(InvalidInputError):
            SMALL.graphs(content)
