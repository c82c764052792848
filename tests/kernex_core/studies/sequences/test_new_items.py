from dataclasses import replace

import numpy as np
import pytest

import kernex_core.completion.extrapolate as extrapolation
from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.complete import Complete
from kernex_core.conditioning.power import SignedPower
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.combine import Product
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.learning.machine import fit_one_vs_rest
from kernex_core.learning.predict import predict_new
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source
from kernex_core.studies.sequences.new_items import (
    ComparedRows,
    classes_of,
    comparing,
    conditioned_rows,
    extended,
    joint_classes,
    neighbours_of,
    unrelated,
)

LETTERS = list("ACDEFGHIKLMNPQRSTVWY")


def strings(rng, n, mean=30):
    roots = ["".join(rng.choice(LETTERS, mean)) for _ in range(3)]
    made = []
    for k in range(n):
        letters = list(roots[k % 3])
        for place in rng.integers(0, mean, size=6):
            letters[place] = rng.choice(LETTERS)
        made.append("".join(letters)[: mean - k % 4])
    return made


@pytest.fixture
def case(rng):
    all_strings = strings(rng, 18)
    ids = tuple(f"s{k}" for k in range(18))
    old = Sequences(ids[:15], tuple(all_strings[:15]))
    new = Sequences(ids[15:], tuple(all_strings[15:]))
    labels = Labels(old.ids, np.array(["a", "b", "c"] * 5))
    return old, new, labels


def rows_of(kernel, old, new):
    return list(comparing(kernel, old, new))[-1]


@pytest.mark.parametrize("kernel", kernels_for("sequences"))
@pytest.mark.parametrize("steps", [(), (CosineNormalize(),), (SignedPower(0.5), CosineNormalize())])
def test_items_added_one_by_one_get_the_rows_that_they_would_have_had_inside(case, kernel, steps):
    old, new, _ = case
    everything = Sequences(old.ids + new.ids, old.strings + new.strings)
    K, whole = kernel().of(old).similarities(old), kernel().of(old).similarities(everything)
    for step in steps:
        K, whole = K.then(step), whole.then(step)
    scale = np.abs(whole.values).max()
    for place in range(new.n):
        one = new.take([place])
        found = conditioned_rows(K, rows_of(kernel(), old, one))
        np.testing.assert_allclose(found.cross[0], whole.values[15 + place, :15], rtol=0, atol=1e-12 * scale)
        np.testing.assert_allclose(
            found.own[0], whole.values[15 + place, 15 + place], rtol=0, atol=1e-12 * scale
        )


def test_parameters_are_those_of_the_old_items(case):
    old, _, _ = case
    new = Sequences(("odd",), ("ACDEFZZZZACDEF",))
    kernel = Mismatch(k=3, m=1)
    inside = kernel.of(old).gram([*old.strings, *new.strings])[-1, :-1]
    np.testing.assert_array_equal(rows_of(kernel, old, new).raw[0], inside)


def test_progress_counts_and_order_does_not_matter(case, monkeypatch):
    old, new, _ = case
    monkeypatch.setattr(
        "kernex_core.studies.sequences.new_items.PACE", (0.0, 0.0)
    )  # never more than one at a time
    states = list(comparing(Spectrum(), old, new))
    assert [state.done for state in states] == [1, 2, 3]
    assert {state.total for state in states} == {3}
    turned = rows_of(Spectrum(), old, new.take([2, 0, 1]))
    np.testing.assert_array_equal(turned.raw, states[-1].raw[[2, 0, 1]])


def test_neighbours_and_classes_are_those_of_the_matrix_of_all(case):
    old, new, labels = case
    K = Spectrum(2).similarities(old).then(CosineNormalize())
    everything = Sequences(old.ids + new.ids, old.strings + new.strings)
    whole = Spectrum(2).of(old).similarities(everything).then(CosineNormalize()).values
    rows = conditioned_rows(K, rows_of(Spectrum(2), old, new))
    distances = 2.0 - 2.0 * whole[15:, :15]
    found = neighbours_of(K, rows)
    np.testing.assert_array_equal(found.positions, np.argsort(distances, axis=1, kind="stable")[:, :5])
    made = classes_of(K, labels, rows, C=10.0)
    codes = np.array([made.classes.index(label) for label in labels.y])
    machine = fit_one_vs_rest(K.values, codes, 3, C=10.0, tolerance=1e-8)
    np.testing.assert_allclose(made.decisions, machine.decide(whole[15:, :15]), atol=1e-9)
    assert made.ids == new.ids
    assert made.labels == ("a", "b", "c")  # 15, 16, 17 come from the three roots in turn


def test_completed_similarities_follow_from_those_of_the_source(case, rng):
    old, new, labels = case
    config = CompletionConfig(share=None)
    source = prepare_source(config, Spectrum(2).similarities(old))
    target = rng.normal(size=(15, 15))
    target = target @ target.T + np.equal.outer(labels.y, labels.y) * 5.0
    target[:4] = np.nan
    target[:, :4] = np.nan
    made = prepare(config, source, GramMatrix(target, old.ids))
    rows = conditioned_rows(source, rows_of(Spectrum(2), old, new))
    found = extended(made, rows, 0.3)
    k = rows.cross[:, made.extrapolation.known]
    S = made.extrapolation.known
    A = source.values[np.ix_(S, S)] + 0.1 * np.eye(S.size)
    T = made.extrapolation.T_known
    J = np.linalg.inv(0.3 * np.linalg.inv(A) + 0.7 * np.linalg.inv(T + 0.1 * np.eye(S.size)))
    W = np.linalg.solve(A, source.values[S] + 0.1 * np.eye(15)[S])
    np.testing.assert_allclose(found.extrapolated, k @ np.linalg.solve(A, T) @ W, atol=1e-9)
    np.testing.assert_allclose(found.joint, k @ np.linalg.solve(A, J) @ W, atol=1e-9)
    assert ((found.explained >= 0.0) & (found.explained <= 1.0)).all()
    classes = joint_classes(made, labels, found, C=10.0)
    assert classes.decisions.shape == (3, 3)


@pytest.mark.parametrize("hidden", [0, 4])
@pytest.mark.parametrize("kernel", kernels_for("sequences"))
def test_completed_rows_are_those_of_the_matrix_of_all_items_at_once(case, rng, kernel, hidden):
    old, new, _ = case
    everything = Sequences(old.ids + new.ids, old.strings + new.strings)
    target = rng.normal(size=(15, 5))
    target = target @ target.T
    target[:hidden], target[:, :hidden] = np.nan, np.nan
    larger = np.full((18, 18), np.nan)
    larger[:15, :15] = target
    config = CompletionConfig(share=None)
    kernel = kernel().of(old)
    made = prepare(config, prepare_source(config, kernel.similarities(old)), GramMatrix(target, old.ids))
    source = prepare_source(config, kernel.similarities(everything))
    whole = prepare(config, source, GramMatrix(larger, everything.ids))
    rows = conditioned_rows(made.source, rows_of(kernel, old, new))
    for lam in (0.0, 0.3, 1.0):
        found = extended(made, rows, lam)
        np.testing.assert_allclose(
            found.extrapolated, whole.extrapolation.T_hat[15:, :15], rtol=0, atol=1e-12
        )
        np.testing.assert_allclose(found.joint, whole.kernel(lam).values[15:, :15], rtol=0, atol=1e-12)


@pytest.fixture
def indefinite_case(case, rng):
    """An indefinite source that is repaired and normalised, a partly known target, and the raw rows of new items."""
    old, new, labels = case
    raw = rng.normal(size=(18, 18))
    raw = raw + raw.T
    np.fill_diagonal(raw, 1.0 + np.abs(np.diag(raw)))
    config = CompletionConfig(share=None)
    source = prepare_source(config, GramMatrix(raw[:15, :15], old.ids))
    target = rng.normal(size=(15, 6))
    target = target @ target.T
    target[:4], target[:, :4] = np.nan, np.nan
    made = prepare(config, source, GramMatrix(target, old.ids))
    return made, labels, ComparedRows(new.ids, raw[15:, :15], np.diag(raw)[15:].copy(), new.n)


def test_one_decomposition_serves_every_lam_c_and_number_of_neighbours(indefinite_case, monkeypatch):
    made, labels, rows = indefinite_case
    K = made.source
    assert [type(step) for step in K.steps] == [Clip, CosineNormalize]
    decompositions = []

    def counted(owner, name):
        real = getattr(owner, name)

        def called(*args, **kwargs):
            decompositions.append(name)
            return real(*args, **kwargs)

        monkeypatch.setattr(owner, name, called)

    counted(Clip, "fit")
    counted(CosineNormalize, "fit")
    counted(Complete, "fit")
    counted(extrapolation, "path_of")
    found = conditioned_rows(K, rows)
    assert decompositions == ["fit", "fit"]  # of the two steps
    for lam in (0.0, 0.2, 0.9, 1.0):
        joint_classes(made, labels, extended(made, found, lam), C=10.0)
    for k in (1, 5):
        neighbours_of(K, found, k)
    for C in (1.0, 10.0):
        classes_of(K, labels, found, C)
    assert decompositions == ["fit", "fit"]


@pytest.mark.parametrize("lam", [0.0, 0.3, 1.0])
def test_joint_rows_and_classes_are_to_the_bit_those_of_decompositions_made_anew(indefinite_case, lam):
    made, labels, rows = indefinite_case
    carried = conditioned_rows(made.source, rows)
    found = extended(made, carried, lam)
    W_new = made.extrapolation.weights_of(carried.cross[:, made.extrapolation.known])
    J = made.extrapolation.known_path().kernel(lam)
    np.testing.assert_array_equal(found.joint, W_new.T @ J @ made.extrapolation.W)
    wanted = predict_new(made.kernel(lam), labels, found.joint, found.ids, C=10.0)
    np.testing.assert_array_equal(joint_classes(made, labels, found, C=10.0).decisions, wanted.decisions)


@pytest.mark.parametrize("more", ["residual", "normalize_after"])
def test_what_rows_of_new_items_do_not_have_is_refused(indefinite_case, more):
    made, labels, rows = indefinite_case
    config = replace(made.config, **{more: True})
    other = prepare(config, made.source, made.known_target)
    found = extended(other, conditioned_rows(other.source, rows), 0.3)
    with pytest.raises(InvalidInputError, match="Switch both off"):
        joint_classes(other, labels, found, C=10.0)


def test_rows_of_another_kernel_are_refused(indefinite_case):
    made, labels, rows = indefinite_case
    K = made.source
    for other in (
        K.base,
        GramMatrix(K.base.values + np.eye(K.n), K.ids).then(Clip()).then(CosineNormalize()),
    ):
        found = conditioned_rows(other, rows)
        for ask in (
            lambda found=found: neighbours_of(K, found),
            lambda found=found: classes_of(K, labels, found, 10.0),
            lambda found=found: extended(made, found, 0.3),
        ):
            with pytest.raises(InvalidInputError, match="conditioned_rows"):
                ask()
    # the same steps on the same data, made a second time
    again = K.base.then(Clip()).then(CosineNormalize())
    assert neighbours_of(K, conditioned_rows(again, rows)).positions.shape == (3, 5)


def test_items_that_share_nothing_are_told(case):
    old, new, _ = case
    strange = Sequences(("alien", *new.ids, "short"), ("WWWWWWWW", *new.strings, "A"))
    old = Sequences(old.ids, tuple(string.replace("W", "A") for string in old.strings))
    K = Spectrum(3).similarities(old).then(CosineNormalize())
    assert unrelated(K, rows_of(Spectrum(3), old, strange)) == ("alien", "short")
    by_letter = Spectrum(1).similarities(old)
    assert unrelated(by_letter, rows_of(Spectrum(1), old, strange)) == ("alien",)


def test_an_indefinite_similarity_is_carried_through_its_repair(case):
    old, new, labels = case
    raw = SmithWaterman().similarities(old)
    K = raw.then(Clip()).then(CosineNormalize())
    rows = conditioned_rows(K, rows_of(SmithWaterman(), old, new))
    made = classes_of(K, labels, rows, C=10.0)
    assert made.labels == ("a", "b", "c")


def test_steps_with_an_operand_reach_no_new_items(case):
    old, new, _ = case
    K = Spectrum().similarities(old)
    with pytest.raises(InvalidInputError, match="new items"):
        conditioned_rows(K.then(Product(K)), rows_of(Spectrum(), old, new))
    with pytest.raises(InvalidInputError, match="15 items"):
        conditioned_rows(K, rows_of(Spectrum(), old.take(range(5)), new))


def test_similarities_beyond_float64_when_multiplied_and_below_it_in_distances():
    old = Sequences(
        ("a", "b", "c"), ("ACDEFGHIKL" * 8, "MNPQRSTVWY" * 8, "ACDEFGHIKL" * 4 + "MNPQRSTVWY" * 4)
    )
    new = Sequences(("n",), ("MNPQRSTVWY" * 4 + "ACDEF" * 8,))
    K = LocalAlignment(beta=1.0).similarities(old).then(CosineNormalize())
    rows = conditioned_rows(K, rows_of(LocalAlignment(beta=1.0), old, new))
    close = Sequences(("close",), ("MNPQRSTVWY" * 7 + "MNPQRSTVWA",))
    assert unrelated(K, rows_of(LocalAlignment(beta=1.0), old, close)) == ()
    # every cosine is far below 1e-16, so that all distances are 2
    np.testing.assert_array_equal(neighbours_of(K, rows).positions[0], np.argsort(-rows.cross[0]))
