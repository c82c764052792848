import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.formats.labels import read_labels
from kernex_core.inputs.items.join import join_labels
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels
from kernex_core.learning.compare import compare
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import evaluation_state
from kernex_core.studies.inspection import (
    SPECTRUM,
    TREATMENTS,
    InspectionConfig,
    change,
    change_paired,
    condition,
    examining,
    foreseen,
    inspecting,
)
from tests.oracles.whole import inspect, treat

VALIDATION = CrossValidation(folds=2, repeats=3)


@pytest.fixture
def items(rng):
    """Twenty-four items in three classes: an indefinite similarity of them, and their labels."""
    y = np.repeat(["a", "b", "c"], 8)
    X = rng.normal(size=(24, 5)) + 2.0 * np.eye(5)[[0, 1, 2]].repeat(8, axis=0)
    noise = rng.normal(size=(24, 24))
    K = X @ X.T + noise + noise.T
    np.fill_diagonal(K, np.abs(np.diag(K)) + 1.0)
    ids = tuple(f"i{k}" for k in range(24))
    return GramMatrix(K, ids, "noisy"), Labels(ids, y)


def judged(treatment, labels, validation=VALIDATION):
    return list(examining(treatment, labels, validation))[-1].judgement


@pytest.mark.parametrize("p", [1.0, 0.5, 0.05])
@pytest.mark.parametrize("normalize", ["none", "cosine", "centre"])
def test_conditioning_is_power_then_normalisation(items, p, normalize):
    K = items[0].values
    wanted = np.sign(K) * np.abs(K) ** p
    if normalize == "cosine":
        wanted = wanted / np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    if normalize == "centre":
        H = np.eye(24) - 1.0 / 24.0
        wanted = H @ wanted @ H
    got = condition(InspectionConfig(p=p, normalize=normalize), items[0])
    np.testing.assert_allclose(got.values, wanted, atol=1e-12)


def test_log1p_ignores_p(items):
    K = items[0].values
    got = condition(InspectionConfig(elements="log1p", p=0.3), items[0])
    np.testing.assert_allclose(got.values, np.sign(K) * np.log1p(np.abs(K)), atol=1e-14)


def test_p_of_one_without_normalisation_leaves_the_matrix_and_adds_no_step(items):
    assert condition(InspectionConfig(), items[0]) is items[0]


@pytest.mark.parametrize("field", [{"p": 0.0}, {"p": 1.2}, {"elements": "cube"}, {"normalize": "max"}])
def test_settings_out_of_range_are_refused(field):
    with pytest.raises(InvalidInputError):
        InspectionConfig(**field)


def test_the_map_is_the_leading_part_of_the_centred_kernel(items):
    made = inspect(InspectionConfig(), items[0], items[1])
    H = np.eye(24) - 1.0 / 24.0
    values = np.linalg.eigvalsh(H @ items[0].values @ H)[::-1]
    np.testing.assert_allclose((made.coordinates**2).sum(axis=0), values[:2], rtol=1e-9)
    np.testing.assert_allclose(made.share, values[:2] / np.abs(values).sum(), rtol=1e-9)


@pytest.mark.parametrize("normalize", ["none", "cosine", "centre"])
@pytest.mark.parametrize("method", TREATMENTS)
def test_every_repair_is_what_its_name_says(items, method, normalize):
    made = inspect(InspectionConfig(normalize=normalize), items[0], items[1])
    before = made.gram.values
    values, vectors = np.linalg.eigh(before)
    after = {
        "none": values, "clip": np.maximum(values, 0.0), "flip": np.abs(values), "shift": values - values[0],
        "square": values**2,
    }[method]  # fmt: skip
    wanted = (vectors * after) @ vectors.T
    if normalize == "cosine":
        wanted = wanted / np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    got = treat(made, method, items[1])
    np.testing.assert_allclose(got.gram.values, wanted, atol=1e-9 * np.abs(wanted).max())
    distance = np.linalg.norm(wanted - before) / np.linalg.norm(before)
    assert got.relative_distance == pytest.approx(distance, abs=1e-9)
    assert got.can_be_judged == (method != "none")
    assert got.changed == (method != "none")


@pytest.mark.parametrize("normalize", ["none", "cosine", "centre"])
@pytest.mark.parametrize("method", TREATMENTS)
@pytest.mark.parametrize("partly", [False, True])
@pytest.mark.parametrize("definite", [False, True])
def test_what_a_repair_would_do_is_what_it_does(items, method, normalize, partly, definite):
    K, labels = items
    values = K.values @ K.values if definite else K.values.copy()
    if partly and normalize != "centre":
        values[::5] = values[:, ::5] = np.nan
    made = inspect(InspectionConfig(normalize=normalize), GramMatrix(values, K.ids), labels)
    told, done = foreseen(made, method), treat(made, method, labels)
    assert (told.method, told.changed, told.steps) == (method, done.changed, done.gram.steps)
    assert told.can_be_judged == done.can_be_judged
    assert told.same_as == (method if done.changed else "none")
    for inductive in (False, True):
        assert told.state(inductive=inductive) == evaluation_state(done.gram, inductive=inductive)
    assert told.follows == (normalize != "cosine" or not done.changed)
    if told.follows:
        size = np.abs(done.eigenvalues).max()
        at = done.known
        wanted = np.linalg.eigvalsh(done.gram.values[np.ix_(at, at)])[::-1]
        np.testing.assert_allclose(told.eigenvalues, wanted, atol=1e-12 * size)
        assert told.relative_distance == pytest.approx(done.relative_distance, rel=1e-10)
        assert told.rank == done.rank


def test_telling_makes_no_matrix(items):
    made = inspect(InspectionConfig(), *items)
    told = {method: foreseen(made, method) for method in TREATMENTS}
    assert not made.decomposition.has_vectors
    with pytest.raises(InvalidInputError, match="clip"):
        foreseen(made, "higham")
    assert [each.changed for each in told.values()] == [False, True, True, True, True]


def test_a_square_that_no_number_holds_is_refused_before_it_is_made(items):
    K, _ = items
    made = inspect(InspectionConfig(), GramMatrix(K.values * 1e-160, K.ids))
    for refused in (foreseen, treat):
        with pytest.raises(InvalidInputError, match="square"):
            refused(made, "square")


def test_a_kernel_is_left_as_it_is_by_all_but_square(items):
    K = GramMatrix(items[0].values @ items[0].values.T, items[0].ids)
    made = inspect(InspectionConfig(), K)
    changed = {method: treat(made, method).changed for method in TREATMENTS}
    assert changed == {"none": False, "clip": False, "flip": False, "shift": False, "square": True}
    assert treat(made, "clip").gram is made.gram


def test_an_unknown_repair_is_refused(items):
    with pytest.raises(InvalidInputError, match="clip"):
        treat(inspect(InspectionConfig(), items[0]), "higham")


def test_accuracy_is_that_of_the_repaired_kernel(items):
    K, labels = items
    row = treat(inspect(InspectionConfig(normalize="cosine"), K, labels), "flip", labels)
    assert judged(row, labels).multi_class == judge(row.gram, labels, VALIDATION).multi_class


def test_an_indefinite_matrix_is_not_judged(items):
    row = treat(inspect(InspectionConfig(), *items), "none", items[1])
    with pytest.raises(NotPositiveSemidefiniteError):
        judged(row, items[1])


def test_repairs_are_transductive_unless_fitted_in_the_folds(items):
    row = treat(inspect(InspectionConfig(), *items), "clip", items[1])
    assert judged(row, items[1]).state.words == "transductive, as brought"
    inside = CrossValidation(folds=2, repeats=3, inductive=True)
    assert judged(row, items[1], inside).state.words == "as brought"


def test_a_partly_unknown_kernel_is_about_its_known_block(items):
    K, labels = items
    at = np.arange(24) % 4 != 0
    values = K.values.copy()
    values[~at] = np.nan
    values[:, ~at] = np.nan
    config = InspectionConfig(p=0.5, normalize="cosine")
    partly, alone = GramMatrix(values, K.ids), K.take(at)
    made, wanted = inspect(config, partly, labels), inspect(config, alone, labels.take(at))
    assert (made.diagnosis.n, made.diagnosis.n_known) == (24, 18)
    np.testing.assert_allclose(made.diagnosis.eigenvalues, wanted.diagnosis.eigenvalues, atol=1e-10)
    assert np.isnan(made.coordinates[~at]).all()
    np.testing.assert_allclose(made.coordinates[at], wanted.coordinates, atol=1e-10)
    row, row_alone = treat(made, "clip", labels), treat(wanted, "clip", labels.take(at))
    assert np.isnan(row.gram.values[~at]).all()
    assert row.relative_distance == pytest.approx(row_alone.relative_distance)
    assert judged(row, labels).multi_class == judged(row_alone, labels.take(at)).multi_class


def test_centring_with_unknown_entries_says_what_to_do(items):
    values = items[0].values.copy()
    values[3] = values[:, 3] = np.nan
    with pytest.raises(InvalidInputError, match="complete the kernel first"):
        inspect(InspectionConfig(normalize="centre"), GramMatrix(values))


def test_a_single_item_has_a_map():
    made = inspect(InspectionConfig(), GramMatrix([[2.0]]))
    assert made.coordinates.tolist() == [[0.0, 0.0]]
    assert made.diagnosis.rank == 1


def test_change_is_the_difference_on_the_same_folds(items):
    rows = {m: treat(inspect(InspectionConfig(), *items), m, items[1]) for m in ("clip", "square")}
    a, b = judged(rows["square"], items[1]), judged(rows["clip"], items[1])
    per_repeat = a.correct.mean(axis=1) - b.correct.mean(axis=1)
    got = change(a, b)
    assert got.mean == pytest.approx(a.multi_class.mean - b.multi_class.mean)
    assert got.sd_repeats == pytest.approx(np.std(per_repeat, ddof=1))
    beside = change_paired(a, b)
    assert beside == compare(a, b).paired
    assert beside.difference == pytest.approx(got.mean)
    with pytest.raises(InvalidInputError):
        change(a, judged(rows["clip"], items[1], CrossValidation(folds=2, repeats=2)))


def test_the_script_reproduces_the_kernel(items):
    row = treat(inspect(InspectionConfig(p=0.5, normalize="cosine"), items[0]), "flip")
    names = {}
    exec(write_script([row.gram.recipe], heading="test"), names)
    (found,) = (v for v in names.values() if isinstance(v, GramMatrix) and len(v.steps) == 4)
    np.testing.assert_array_equal(found.values, row.gram.values)


def test_log1p_of_real_scores_is_truly_indefinite(shared):
    folder = shared / "data" / "scop_tim_barrel"
    name = "c1_sw_foldseek3di_score.csv.gz"
    K = read_samples((folder / name).read_bytes(), name).gram
    labels = join_labels(K.ids, read_labels((folder / "c1_labels.tsv").read_bytes(), "c1_labels.tsv")).labels
    sizes = dict(labels.classes)
    at = np.array([sizes[c] >= 10 for c in labels.y])
    K, labels = K.take(at), labels.take(at)
    made = inspect(InspectionConfig(elements="log1p", normalize="cosine"), K, labels)
    assert (K.n, made.diagnosis.negative) == (296, 74)
    assert made.diagnosis.negative_mass == pytest.approx(0.0175, abs=5e-5)
    rows = [treat(made, method, labels) for method in TREATMENTS]
    distances = [100.0 * row.relative_distance for row in rows]
    assert distances == pytest.approx([0.0, 1.8, 3.6, 15.3, 33.7], abs=0.05)
    assert [row.diagnosis.rank for row in rows][1:3] == [222, 296]


def test_what_follows_the_last_eigenvalue_has_its_share_of_the_progress(items):
    shares = list(inspecting(InspectionConfig(), items[0], items[1]))
    assert shares == sorted(shares)
    assert 0.0 < SPECTRUM < 1.0
    assert max(share for share in shares if share <= SPECTRUM) == SPECTRUM
    assert SPECTRUM < shares[-1] < 1.0
