"""A model predicts from its file what was judged, and a file that was touched is refused."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import (
    Clip,
    Complete,
    CosineNormalize,
    CrossValidation,
    Gaussian,
    GaussianProcess,
    GramMatrix,
    InvalidInputError,
    KernelLogistic,
    KernelRidge,
    KernexError,
    Labels,
    Linear,
    Spectrum,
    Vectors,
    WeisfeilerLehman,
    Workspace,
    cosine_normalize,
    judge,
    judge_numbers,
    load_dataset,
    load_model,
    predict_csv,
    read_new_rows,
    read_workspace,
    save_model,
    train_model,
    write_workspace,
)
from kernex_core.gram.split import split_inductively
from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import code_labels
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.model.model import model_parts, sealed

FOLDS = CrossValidation(folds=2, repeats=1, C=2.0, inductive=True)


@pytest.fixture(scope="module")
def strings():
    data = load_dataset("protein_world")
    data = data.select(np.flatnonzero(np.isin(data.labels.y, ["SF1", "SF2", "SF3"])))
    return data.labels, data.samples["residues"]


def kernel_of(samples):
    return cosine_normalize(Spectrum(k=2).similarities(samples))


def fasta(samples):
    return "\n".join(
        f">{name}\n{text}" for name, text in zip(samples.ids, samples.strings, strict=True)
    ).encode()


@pytest.fixture(scope="module")
def model(strings):
    labels, samples = strings
    K = kernel_of(samples)
    return train_model(K, labels, judge(K, labels, FOLDS), samples=[samples])


def test_the_held_out_fold_gets_the_judged_decisions_bit_for_bit(strings):
    labels, samples = strings
    K = kernel_of(samples)
    fold = Judging.of(labels, Protocol(FOLDS), K=K).folds[0]
    coded = code_labels(labels.y)
    blocks = split_inductively(K, fold.train, fold.test)
    fitted = SupportVectors(FOLDS.C).fit(blocks.K_train, Targets(coded.codes[fold.train], len(coded.classes)))
    judged = fitted.decide(blocks.K_cross)

    known, held_out = samples.take(fold.train), samples.take(fold.test)
    part = kernel_of(known)
    made = train_model(
        part, labels.take(fold.train), judge(part, labels.take(fold.train), FOLDS), samples=[known]
    )
    assert made.classes == coded.classes
    again = load_model(save_model(made))
    found = again.predict(again.read(fasta(held_out), "held_out.fasta"))
    assert found.ids == held_out.ids
    np.testing.assert_array_equal(found.decisions, judged)
    assert found.labels == tuple(coded.classes[c] for c in judged.argmax(axis=1))


def test_a_file_gives_the_model_back(model):
    data = save_model(model)
    assert load_model(data) == model
    assert save_model(load_model(data)) == data


@pytest.mark.parametrize("share", np.linspace(0.0, 1.0, 24))
def test_a_file_with_one_changed_byte_is_refused(model, share):
    data = bytearray(save_model(model))
    data[round(share * (len(data) - 1))] ^= 1
    with pytest.raises(InvalidInputError, match="A Kernex model file"):
        load_model(bytes(data))


def test_what_is_no_model_is_refused(model):
    for data in (b"", b"id,a\nb,1\n", save_model(model)[:-1], write_workspace(Workspace())):
        with pytest.raises(InvalidInputError, match=r"A Kernex model file .*Save model"):
            load_model(data)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b'"type": "SupportVectors"', b'"type": "Popen"', "Popen"),
        (b'"n_classes": 3', b'"n_classes": 4', "one code a class"),
        (b'"C": 2.0', b'"C": -2.0', "Cost"),
        (b'"in_units": false', b'"in_units": "no"', "in_units"),
        (b'"model": {', b'"workspace": {', "list of objects"),
    ],
)
def test_what_kernex_would_not_have_written_is_refused_though_it_is_sealed(model, old, new, found):
    parts = model_parts(save_model(model))
    assert old in parts["objects.json"]
    with pytest.raises(InvalidInputError, match=rf"(?s)model file.*{found}|{found}"):
        load_model(sealed({**parts, "objects.json": parts["objects.json"].replace(old, new)}))


def test_a_model_is_no_workspace(model):
    with pytest.raises(InvalidInputError, match="Kernex model"):
        read_workspace(save_model(model))


def test_a_file_holds_the_training_items_alone(strings):
    labels, samples = strings
    y = labels.y.copy()
    y[::3] = ""
    K, some = kernel_of(samples), replace(labels, y=y)
    made = train_model(K, some, judge(K, some, FOLDS), samples=[samples])
    assert made.gram.ids == made.samples.ids == tuple(np.array(labels.ids)[y != ""])
    parts = b"".join(model_parts(save_model(made)).values())
    assert samples.strings[0].encode() not in parts
    assert samples.strings[1].encode() in parts


def test_items_unlike_all_others_are_told(model, strings):
    _, samples = strings
    found = model.predict([*samples.strings[:3], "W" * 40])
    assert found.unlike.tolist() == [False, False, False, True]
    assert found.nearest[:3] == samples.ids[:3]
    assert found.distance[3] > found.usual


def test_the_command_prints_what_a_script_predicts(model, strings):
    _, samples = strings
    new = samples.take(np.arange(4))
    lines = predict_csv(save_model(model), fasta(new), "new.fasta").splitlines()
    found = model.predict(new)
    assert lines[0].startswith("id,predicted class,decision SF1")
    assert [line.split(",")[1] for line in lines[1:]] == list(found.labels)
    assert [float(line.split(",")[2]) for line in lines[1:]] == found.decisions[:, 0].tolist()
    assert "\n'=1+1," in predict_csv(save_model(model), b">=1+1\nACDEFGHIK\n", "new.fasta")


def test_a_matrix_takes_rows_of_similarities_through_its_steps(strings):
    labels, samples = strings
    raw = Spectrum(k=2).gram(samples.strings)
    K = GramMatrix(raw, samples.ids).then(Clip()).then(CosineNormalize())
    made = load_model(save_model(train_model(K, labels, judge(K, labels, FOLDS), learner=KernelLogistic())))
    assert made.takes == "rows of similarities"
    header = ",".join(["id", *samples.ids, "self"])
    rows = "\n".join(
        ",".join([f"n{i}", *map(repr, raw[i].tolist()), repr(float(raw[i, i]))]) for i in range(3)
    )
    new = made.read(f"{header}\n{rows}\n".encode(), "rows.csv")
    assert new == read_new_rows(f"{header}\n{rows}\n".encode(), "rows.csv", K.base)
    found = made.predict(new)
    np.testing.assert_allclose(found.distance, 0.0, atol=1e-6)
    assert found.probabilities.shape == (3, 3)
    with pytest.raises(InvalidInputError, match="takes similarities of new items"):
        made.predict(["ACD"])


def test_numbers_and_vectors_and_graphs():
    x = np.arange(12.0)[:, None] - 5.5
    points = Vectors(tuple(f"p{i}" for i in range(12)), np.hstack([x, x**2]), ("x", "y"))
    labels = Labels(points.ids, [repr(v) for v in (3.0 * x[:, 0] + 1.0).tolist()])
    K = Linear().similarities(points)
    config = CrossValidation(folds=2, repeats=1, choose_C=True)
    made = train_model(K, labels, judge_numbers(K, labels, config, learner=KernelRidge()), samples=[points])
    assert made.in_units
    new = made.read(b"id,y,x\nnew,16,4\n", "new.csv")
    found = load_model(save_model(made)).predict(new)
    assert found.numbers == pytest.approx([13.0], abs=0.05)
    assert found.table()[0]["unlike the training items"] == "no"
    data = load_dataset("structure_graphs")
    (graphs,) = data.samples.values()
    K = cosine_normalize(WeisfeilerLehman(2).similarities(graphs))
    made = train_model(K, data.labels, judge(K, data.labels, FOLDS), samples=[graphs])
    found = load_model(save_model(made)).predict(graphs.graphs[:5])
    np.testing.assert_allclose(found.distance, 0.0, atol=1e-6)


def test_a_kernel_that_reaches_no_new_items_is_refused(strings):
    labels, samples = strings
    source = kernel_of(samples)
    T = source.values.copy()
    T[0], T[:, 0] = np.nan, np.nan
    K = GramMatrix(T, samples.ids).then(Complete(source))
    with pytest.raises(KernexError, match="reach items that it was not made of"):
        train_model(K, labels, judge(K, labels, FOLDS))


def test_a_gaussian_process_says_how_sure_each_number_is():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 2))
    points = Vectors(tuple(f"p{k}" for k in range(40)), X)
    K = Gaussian(1.0).similarities(points)
    labels = Labels(points.ids, [f"{value:.6f}" for value in X[:, 0] + 0.1 * rng.normal(size=40)])
    judged = judge_numbers(K, labels, CrossValidation(folds=2, repeats=1), learner=GaussianProcess())
    made = load_model(save_model(train_model(K, labels, judged, samples=[points])))
    near, far = made.predict([[0.1, 0.1], [9.0, 9.0]]).half
    assert 0.1 < near < far
    row = made.predict([[0.1, 0.1]]).table()[0]
    assert row["half of the 90 % interval"] == near
    assert (
        not train_model(K, labels, judged, learner=KernelRidge(), samples=[points])
        .predict([[0.0, 0.0]])
        .half.size
    )
