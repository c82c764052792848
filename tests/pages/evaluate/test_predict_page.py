"""The part Predict: what a saved model says of new items, as a script says it; and the button that saves one."""

import numpy as np
import pytest
import streamlit as st

from kernex_core import (
    CrossValidation,
    GramMatrix,
    Labels,
    Linear,
    Spectrum,
    Vectors,
    WeisfeilerLehman,
    cosine_normalize,
    judge,
    load_dataset,
    load_model,
    save_model,
    train_model,
)

PATH = "evaluate/predict.py"


@pytest.fixture(scope="module")
def proteins():
    data = load_dataset("protein_world")
    data = data.select(np.flatnonzero(np.isin(data.labels.y, ["SF1", "SF2", "SF3"])))
    K = cosine_normalize(Spectrum(k=2).similarities(data.samples["residues"]))
    return data.with_kernel("spectrum", K)


@pytest.fixture(scope="module")
def model(proteins):
    validation = CrossValidation(folds=2, repeats=1)
    made = judge(proteins.kernels["spectrum"], proteins.labels, validation)
    return train_model(proteins.kernels["spectrum"], proteins.labels, made, samples=proteins.samples.values())


def fasta(strings):
    return "\n".join(f">n{k}\n{text}" for k, text in enumerate(strings)).encode()


def test_the_page_says_what_a_script_says(open_page_test, proteins, model):
    strings = [*proteins.samples["residues"].strings[:5], "W" * 30]
    at = open_page_test(PATH, proteins)
    assert "Save model" in at.markdown[1].value
    at.file_uploader(key="predict.model").upload("model.kernex", save_model(model)).run()
    at.file_uploader(key="predict.items").upload("new.fasta", fasta(strings)).run()
    assert not at.exception
    assert not at.error
    found = model.predict(strings)
    (table,) = at.dataframe
    assert table.value["id"].tolist() == ["n5", "n0", "n1", "n2", "n3", "n4"]  # what is unlike comes first
    assert table.value["predicted class"].tolist() == [found.labels[k] for k in (5, 0, 1, 2, 3, 4)]
    numbers = {each.label.partition(" :gray[")[0]: each.value for each in at.metric}
    assert numbers["Predicted"] == "6"
    assert numbers["Unlike the training items"] == "1"
    assert numbers["Judged"] == f"{100 * model.judged.value:.1f}\u00a0%"


def test_a_file_that_was_changed_is_one_sentence(open_page_test, proteins, model):
    data = bytearray(save_model(model))
    data[len(data) // 2] ^= 1
    at = open_page_test(PATH, proteins)
    at.file_uploader(key="predict.model").upload("model.kernex", bytes(data)).run()
    assert not at.exception
    assert "not as it was saved" in at.error[0].value


def test_what_evaluate_saves_is_what_a_script_trains(open_page_test, monkeypatch, proteins, model):
    saved, real = [], st.download_button

    def noted(label, data, **look):
        if label == "Save model":
            saved.append(data)
        return real(label, data, **look)

    monkeypatch.setattr(st, "download_button", noted)
    query = {"kernels": "spectrum", "cv_repeats": "1", "cv_folds": "2", "cv_C": "10"}
    at = open_page_test("evaluate/evaluate.py", proteins, query=query)
    assert not at.exception
    made = load_model(saved[-1]())
    assert made.judged.value == model.judged.value
    strings = proteins.samples["residues"].strings[:9]
    np.testing.assert_array_equal(made.predict(strings).decisions, model.predict(strings).decisions)


def of_rows():
    x = np.arange(12.0) - 5.5
    K = GramMatrix(np.outer(x, x) + 1.0, tuple(f"p{k}" for k in range(12)), "line")
    rows = K.values[[1, 10]]
    lines = [f"n{k},{','.join(map(repr, row.tolist()))},{float(row.max())!r}" for k, row in enumerate(rows)]
    return K, (), "\n".join([f"id,{','.join(K.ids)},self", *lines]).encode(), "rows.csv"


def of_vectors():
    points = Vectors(tuple(f"p{k}" for k in range(12)), (np.arange(12.0) - 5.5)[:, None], ("x",))
    return Linear().similarities(points), [points], b"id,x\nn0,-4.5\nn1,4.5\n", "new.csv"


@pytest.mark.parametrize("make", [of_rows, of_vectors])
def test_every_kind_of_new_items_is_read(open_page_test, proteins, make):
    K, samples, items, name = make()
    labels = Labels(K.ids, np.repeat(["low", "high"], 6))
    made = train_model(K, labels, judge(K, labels, CrossValidation(folds=2, repeats=1)), samples=samples)
    at = open_page_test(PATH, proteins)
    at.file_uploader(key="predict.model").upload("model.kernex", save_model(made)).run()
    at.file_uploader(key="predict.items").upload(name, items).run()
    assert not at.exception
    assert not at.error
    assert at.dataframe[0].value["predicted class"].tolist() == ["low", "high"]


def test_graphs_are_read(open_page_test, proteins):
    data = load_dataset("structure_graphs")
    (graphs,) = data.samples.values()
    K = cosine_normalize(WeisfeilerLehman(1).similarities(graphs))
    made = train_model(K, data.labels, judge(K, data.labels, CrossValidation(repeats=1)), samples=[graphs])
    at = open_page_test(PATH, proteins)
    at.file_uploader(key="predict.model").upload("model.kernex", save_model(made)).run()
    at.file_uploader(key="predict.items").upload("new.csv", b"id,x\na,1\n").run()
    assert not at.exception
    assert at.error  # a table is no set of graphs, said in a sentence
