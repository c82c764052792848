import numpy as np
import pytest

from kernex_core import join_labels, read_labels, read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.provenance import write_script
from tests.kernex_core.inputs.dialects import matrix_bytes

IDS = ("a", "b", "c")
D = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.5], [2.0, 1.5, 0.0]])
FILES = {
    "k.csv": (matrix_bytes(D, IDS), {"meaning": "distance", "conversion": "max_minus"}),
    '$0 we\'ird "name".tsv': (matrix_bytes(D, IDS), {"symmetrise": "max"}),
    "hits.m8": (b"a\tb\t1\t0.5\na\ta\t2\t1\nb\tb\t2\t1\n", {"score_column": "4", "absent": "zero"}),
}


def run(script, monkeypatch, folder):
    monkeypatch.chdir(folder)
    names = {}
    exec(compile(script, "script", "exec"), names)
    return names


@pytest.mark.parametrize("filename", FILES)
def test_a_script_reads_the_same_matrix_again(tmp_path, monkeypatch, filename):
    data, options = FILES[filename]
    if '"' in filename:
        filename = filename.replace('"', "")
    (tmp_path / filename).write_bytes(data)
    found = read_samples(data, filename, **options)
    K = found.gram.take([1, 0]).then(CosineNormalize()) if "meaning" in options else found.gram.take([1, 0])
    script = write_script([K.recipe, found.recipe], heading="test", prints=["$0.values"])
    names = run(script, monkeypatch, tmp_path)
    made = [value for value in names.values() if getattr(value, "ids", None) == K.ids]
    assert any(value.digest == K.digest for value in made)
    again = [value for value in names.values() if getattr(value, "kind", "") == "similarity"]
    assert any(value.digest == found.digest for value in again)
    assert "duplicates" not in script


def test_a_script_reads_sequences_vectors_and_labels_again(tmp_path, monkeypatch):
    fasta = b">a x\nACGT\n>b y\nAC-C\n"
    table = b"name,p,q\na,1,2\nb,3,4\n"
    labels = b"b,1\na,2\n"
    for name, data in (("s.fa", fasta), ("v.csv", table), ("l.csv", labels)):
        (tmp_path / name).write_bytes(data)
    s = read_samples(fasta, "s.fa", header="{id} {label}", gaps="keep")
    v = read_samples(table, "v.csv")
    joined = join_labels(s, read_labels(labels, "l.csv")).labels
    recipes = [s.recipe, s.labels.recipe, v.recipe, v.take([1]).recipe, joined.recipe]
    names = run(write_script(recipes, heading="test"), monkeypatch, tmp_path)
    digests = {value.digest for value in names.values() if hasattr(value, "digest")}
    assert {s.digest, v.digest, s.labels.digest, joined.digest, v.take([1]).digest} <= digests


def test_taking_items_of_a_similarity_is_recorded():
    found = read_samples(matrix_bytes(D, IDS), "k.csv")
    assert found.take([0, 2]).recipe.function == ".take"
    code = write_script([found.recipe], heading="test")
    assert (
        "= read_samples(Path('k.csv').read_bytes(), 'k.csv', kind='similarity', meaning='distance', sha256='"
        in code
    )


def test_two_files_of_one_name_are_two_recipes():
    one = read_samples(matrix_bytes(D, IDS), "k.csv")
    two = read_samples(matrix_bytes(2 * D, IDS), "folder/k.csv")
    assert one.recipe.digest != two.recipe.digest
    assert "folder/" not in write_script([two.recipe], heading="test")


def test_names_without_recipe_are_written_out():
    labels = read_labels(b"b,1\na,2\n", "l.csv")
    recipe = join_labels(("a", "b"), labels).labels.recipe
    assert "('a', 'b')" in write_script([recipe], heading="test")
