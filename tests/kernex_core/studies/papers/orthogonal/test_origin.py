"""Whether data are the paper's."""

import numpy as np
import pandas as pd
import pytest

from kernex_core.learning.machine import Coded
from kernex_core.studies.papers.orthogonal.paper import (
    COLON_DATA,
    LYMPHOMA_DATA,
    THROMBIN_FEATURES,
    expression_origin,
    sample_digests,
    thrombin_origin,
)


def coded(codes):
    return Coded(np.asarray(codes, dtype=np.int64), ("a", "b"))


@pytest.fixture(scope="module")
def data(shared):
    colon = pd.read_csv(shared / "data" / "colon" / "colon_62x2000.csv.gz")
    lymphoma = pd.read_csv(shared / "data" / "lymphoma" / "lymphoma_96x4026.csv.gz")
    return {
        COLON_DATA: (colon.iloc[:, 1:].to_numpy(float), (colon["label"] == "tumour").to_numpy(int)),
        LYMPHOMA_DATA: (lymphoma.iloc[:, 4:].to_numpy(float), lymphoma["dettling62"].to_numpy(int)),
    }


@pytest.mark.parametrize("paper", [COLON_DATA, LYMPHOMA_DATA], ids=lambda paper: paper.name)
class TestExpression:
    def test_the_paper_s_data_are_known_in_any_order(self, paper, data):
        X, y = data[paper]
        rows, columns = (np.random.default_rng(0).permutation(size) for size in X.shape)
        for each, codes in ((X, y), (X, 1 - y), (X[rows][:, columns], y[rows])):
            assert expression_origin(paper, each, coded(codes)).same

    def test_other_numbers_classes_or_sizes_are_not(self, paper, data):
        X, y = data[paper]
        changed = X.copy()
        changed[3, 4] += 1.0
        found = expression_origin(paper, changed, coded(y))
        assert not found.same
        assert "their numbers are others" in found.text
        turned = y.copy()
        turned[[0, -1]] = 1 - turned[[0, -1]]
        for codes in (turned, np.roll(y, 1), np.where(np.arange(y.size) == 0, -1, y)):
            found = expression_origin(paper, X, coded(codes))
            assert not found.same
            assert "the classes are not" in found.text
        found = expression_origin(paper, X[:, 1:], coded(y))
        assert f"{X.shape[1] - 1:,} instead of" in found.text


def test_whole_hundredths_and_log_ratios_are_the_same_samples():
    X = np.array([[46.0, -23.0, np.nan, 0.0], [2.0, 749.0, -0.0, 30.0]])
    assert sample_digests(X) == sample_digests(X / 100.0)
    assert len(set(sample_digests(X))) == 2


@pytest.mark.parametrize(
    ("active", "rest", "diagonal", "features", "share", "said"),
    [
        (42, 1867, 1377.9, THROMBIN_FEATURES, 0.00989, "Taken for thrombin"),
        (1867, 42, 947.6, THROMBIN_FEATURES, 0.0068, "Taken for thrombin"),
        (42, 1867, 1377.9, None, None, "Taken for thrombin"),
        (42, 1867, 947.6, None, None, "Taken for thrombin"),
        (
            42,
            1867,
            775.0,
            THROMBIN_FEATURES,
            0.00556,
            "though it has its size: mean diagonal 775.0 and 0.556 %",
        ),
        (42, 1867, 1.0, None, None, "though it has its size"),
        (42, 1867, 1377.9, 1000, 0.0068, "not thrombin: 42 and 1,867 items, 1,000 features"),
        (42, 1866, 1377.9, None, None, "not thrombin: 42 and 1,866 items"),
    ],
)
def test_thrombin_is_taken_for_granted_by_its_numbers(active, rest, diagonal, features, share, said):
    found = thrombin_origin(coded([1] * active + [0] * rest + [-1]), diagonal, features, share)
    assert said in found.text
    assert found.same is said.startswith("Taken")
