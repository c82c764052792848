import numpy as np
import pytest

from kernex_core import GramMatrix, Labels, Sequences, Vectors, health, read_samples
from kernex_core.inputs.health import diagonal_dominance, spectrum_facts
from tests.kernex_core.inputs.dialects import matrix_bytes


def texts(report):
    return " | ".join(note.text for note in report.notes)


@pytest.fixture
def psd(rng):
    A = rng.normal(size=(8, 8))
    return A @ A.T


def test_every_finding_has_an_action_and_a_warning_has_a_choice(psd):
    psd[0] = psd[:, 0] = np.nan
    report = health(GramMatrix(psd), Labels([str(k + 1) for k in range(8)], ["x"] * 7 + ["y"]))
    for note in report.notes:
        if note.severity == "warning":
            assert note.action
            assert note.choice


def test_size_and_memory(psd):
    report = health(GramMatrix(psd))
    assert (report.n, report.memory, report.n_known) == (8, 512, 8)
    assert "8 items" in texts(report)


def test_positive_semidefinite(psd):
    report = health(GramMatrix(psd))
    assert report.negative_mass == 0.0
    assert "is positive semidefinite" in texts(report)
    assert not [note for note in report.notes if note.severity == "warning"]


def test_negative_mass(psd):
    values, vectors = np.linalg.eigh(psd)
    values[:2] = [-3.0, -1.0]
    K = (vectors * values) @ vectors.T
    report = health(GramMatrix((K + K.T) / 2))
    assert report.min_eigenvalue == pytest.approx(-3.0)
    assert report.negative_mass == pytest.approx(4.0 / np.abs(values).sum())
    assert "not positive semidefinite" in texts(report)
    assert spectrum_facts(np.zeros((3, 3))) == (0.0, 0.0)


def test_the_spectrum_of_many_items_is_left_out_and_says_so(psd):
    report = health(GramMatrix(psd), spectrum_limit=7)
    assert report.min_eigenvalue is None
    assert "more than 7 items" in texts(report)


def test_unknown_entries(psd):
    psd[2] = psd[:, 2] = np.nan
    psd[4, 5] = psd[5, 4] = np.nan
    report = health(GramMatrix(psd, tuple("abcdefgh")))
    assert report.n_known == 6
    assert "to another: 1 (c)" in texts(report)
    assert "Scattered unknown pairs: 1" in texts(report)
    assert "The known part (6 items)" in texts(report)
    nothing = np.full((3, 3), np.nan)
    nothing[0, 1] = nothing[1, 0] = 1.0
    assert "No item has all its pairs known" in texts(health(GramMatrix(nothing)))


def test_diagonal():
    K = np.full((3, 3), 0.1) + np.diag([5.0, 5.0, 5.0])
    report = health(GramMatrix(K))
    assert report.dominance == pytest.approx(51.0)
    assert "Large diagonal" in texts(report)
    assert "Large diagonal" not in texts(health(GramMatrix(K - np.diag([4.5, 4.5, 4.5]))))
    K[1, 1] = 0.0
    K[2, 2] = -1.0
    assert "not positive: 2, 1 of them negative (2, 3)" in texts(health(GramMatrix(K)))
    assert diagonal_dominance(np.full((2, 2), np.nan)) is None


def test_matrices_that_say_nothing():
    ones = health(GramMatrix(np.ones((4, 4))))
    assert "uninformative" in texts(ones)
    assert "same as an earlier" not in texts(ones)
    identity = health(GramMatrix(np.eye(4)))
    assert "uninformative" in texts(identity)
    assert identity.dominance == np.inf


def test_duplicates_in_every_kind(psd):
    at = [0, 1, 2, 1]
    K = GramMatrix(psd[np.ix_(at, at)], tuple("abcd"))
    assert "same as an earlier one: 1 (d = b)" in texts(health(K))
    assert "1 (c = a)" in texts(health(Sequences(tuple("abc"), ("ACG", "AC", "ACG"))))
    X = np.array([[1.0, -0.0], [1.0, 0.0], [np.nan, np.nan], [np.nan, np.nan]])
    report = health(Vectors(tuple("abcd"), X))
    assert "1 (b = a)" in texts(report)
    assert report.min_eigenvalue is None


def test_classes(psd):
    labels = Labels([str(k + 1) for k in range(8)], ["x"] * 6 + ["y", ""])
    assert "one member: 1 (y)" in texts(health(GramMatrix(psd), labels))
    assert "without a label: 1" in texts(health(GramMatrix(psd), labels))
    one = Labels([str(k + 1) for k in range(8)], ["x"] * 8)
    assert "one class only" in texts(health(GramMatrix(psd), one))


def test_what_reading_found_comes_first():
    data = b",a,b\na,1,0.9\nb,0.5,1\n"
    report = health(read_samples(data, "k.csv"))
    assert "not symmetric" in report.notes[0].text
    sequences = read_samples(b">a x\nac\n>b y\nac\n", "s.fa", header="{id} {label}")
    report = health(sequences)
    assert "lower case" in report.notes[0].text
    assert "one member: 2" in texts(report)


def test_real_structures_are_indefinite_as_their_provenance_says(shared):
    path = shared / "data" / "tim_barrel_structures" / "tm_score.csv.gz"
    report = health(read_samples(path.read_bytes(), path.name))
    assert report.min_eigenvalue == pytest.approx(-0.046, abs=5e-4)
    assert report.negative_mass == pytest.approx(0.0017, abs=5e-5)
    path = shared / "data" / "scop_tim_barrel" / "c1_sw_blosum62_score.csv.gz"
    report = health(read_samples(path.read_bytes(), path.name))
    assert report.dominance == pytest.approx(44, abs=1)
    assert "Large diagonal" in texts(report)


def test_text_of_a_matrix_read_from_a_file_is_complete(psd):
    report = health(read_samples(matrix_bytes(psd, "abcdefgh"), "my kernel.csv"))
    assert report.title == "my kernel"
