"""What the app lets people download, it reads again as what it is: matrices as matrices, labels as labels."""

import numpy as np
import pandas as pd
import pytest

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.catalogue import LABELS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.format import SURE
from kernex_core.inputs.samples import Labels, Sequences, Similarity
from kernex_core.inputs.upload import Upload
from kernex_core.studies.completion.study import CompletionConfig, prepare, view
from kernex_core.studies.data import read_as, readings, suggest
from pages.complete.results import _arrays as completion_arrays
from pages.complete.subject import Subject
from pages.data.data import item_table
from pages.export.downloads import csv_bytes, npz_bytes

ODD = {
    "numbers": ("1", "2", "3", "4", "5", "6"),
    "from 7": ("7", "8", "9", "10", "11", "12"),
    "leading zeros": ("001", "002", "003", "004", "005", "006"),
    "separators": ("a,b", "c;d", "e\tf", 'g"h', "i j", "k|l"),
    "comments": ("#1", "#2", "#3", "#4", "#5", "#6"),
    "called like classes": ("1", "0", "x", "y", "z", "w"),
    "formulas": ("=1+1", "+A1", "-x", "@SUM(A1)", "'=a", "''-b"),
    "signs": ("-", "+", "-1", "+2", "=", "'"),
    "letters": ("ä", "ß", "é", "Å", "µ", "λ"),
}


def likeliest(data, filename):
    """Read a file as the page does when nobody chooses anything."""
    upload = Upload(filename, data)
    way = readings(upload)[0]
    assert way.confidence >= SURE, filename
    name = way.format.name
    return name, read_as(upload, name, suggest(upload, name).options)


def same_labels(read, data):
    assert isinstance(read, Labels)
    assert read.ids == data.ids
    assert read.y.tolist() == data.labels.y.tolist()
    assert (read.groups is None) == (data.labels.groups is None)
    if read.groups is not None:
        assert read.groups.tolist() == data.labels.groups.tolist()


def same_matrix(read, K):
    assert isinstance(read, Similarity)
    assert read.gram.ids == K.ids
    np.testing.assert_array_equal(read.gram.values, K.values)


@pytest.fixture(scope="module", params=DATASETS, ids=lambda demo: demo.name)
def demo(request):
    return request.param.load()


def test_items_and_labels_of_every_demo(demo):
    if demo.labels is None:
        pytest.skip("nothing but ids")
    way, read = likeliest(csv_bytes(item_table(demo)), "items.csv")
    assert way == LABELS
    same_labels(read, demo)


def test_every_matrix_of_every_demo(demo):
    for name, K in demo.kernels.items():
        same_matrix(likeliest(csv_bytes(K), f"{name}.csv")[1], K)
        same_matrix(likeliest(npz_bytes(K), f"{name}.npz")[1], K)


def odd(ids, labels, groups=None, facts=True):
    """Six items with these ids, in a data set with sequences and a partly known kernel."""
    n = len(ids)
    K = np.eye(n) + 0.5
    K[0, 1] = K[1, 0] = np.nan
    made = (
        None
        if labels is None
        else Labels(ids, np.array(labels), None if groups is None else np.array(groups))
    )
    samples = {"class": Sequences(ids, ("ACGT",) * n, alphabet="dna")} if facts else {}
    kernels = {"known, group": GramMatrix(K, ids, "known, group")} if facts else {}
    return DataSet("odd", ids, made, samples, kernels)


@pytest.mark.parametrize("facts", [True, False])
@pytest.mark.parametrize("groups", [None, ("g", "g", "h", "h", "1", "2")], ids=["no groups", "groups"])
@pytest.mark.parametrize(
    "labels",
    [
        ("x", "x", "y", "y", "z", "z"),
        ("1", "1", "0", "0", "0", "1"),
        ("x", "", "y", "", "", "x"),
        ("a class", "b", "c", "d", "e", "f"),
        ("only", "only", "only", "only", "only", "only"),
        ("+", "+", "-", "-", "-", "+"),
        ("=cmd|x", "=cmd|x", "-y", "-y", "@z", "@z"),
    ],
    ids=["text", "numbers", "some", "all different", "one", "signs", "formulas"],
)
@pytest.mark.parametrize("ids", ODD.values(), ids=ODD)
def test_items_and_labels_of_odd_data(ids, labels, groups, facts):
    data = odd(ids, labels, groups, facts)
    way, read = likeliest(csv_bytes(item_table(data)), "items.csv")
    assert way == LABELS
    same_labels(read, data)


@pytest.mark.parametrize("ids", ODD.values(), ids=ODD)
def test_matrices_of_odd_data(ids):
    K = odd(ids, None).kernels["known, group"]
    same_matrix(likeliest(csv_bytes(K), "K.csv")[1], K)
    same_matrix(likeliest(npz_bytes(K), "K.npz")[1], K)


def test_a_table_of_items_without_labels_is_still_one_to_fill_in():
    data = odd(ODD["letters"], None)
    assert readings(Upload("items.csv", csv_bytes(item_table(data))))[0].format.name == LABELS
    filled = item_table(data).assign(label=["x", "x", "y", "y", "y", ""])
    way, read = likeliest(csv_bytes(filled), "items.csv")
    assert way == LABELS
    assert read.y.tolist() == ["x", "x", "y", "y", "y", ""]


def test_the_archive_of_a_completion_is_read_as_its_joint_kernel():
    demo = DATASETS[0].load()
    source, target = demo.kernels[demo.source], demo.kernels[demo.target]
    made = prepare(CompletionConfig(), source, target)
    shown = view(made, 0.25)
    subject = Subject(demo, source, target, demo.labels, made, None)
    way, read = likeliest(npz_bytes(completion_arrays(subject, shown)), "joint.npz")
    assert way == "numpy"
    assert read.gram.ids == source.ids
    np.testing.assert_allclose(read.gram.values, shown.K, atol=1e-12)


@pytest.mark.parametrize("classes", [("SF1", "SF2"), ("1", "2")])
def test_predicted_classes_are_read_as_labels(classes):
    table = pd.DataFrame(
        {"id": [f"p{k}" for k in range(6)], "predicted class": [*classes] * 3, "margin": np.linspace(0, 1, 6)}
    )
    way, read = likeliest(csv_bytes(table), "predictions.csv")
    assert way == LABELS
    assert read.y.tolist() == [*classes] * 3
