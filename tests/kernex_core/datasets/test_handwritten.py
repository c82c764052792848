import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform

from kernex_core.datasets.vectors import half_seen_digits
from tests.oracles.one_vs_rest import accuracies, joint_by_inverses, normalised_and_clipped


@pytest.fixture(scope="module")
def digits():
    return half_seen_digits(0)


def test_thirty_images_of_each_digit_sorted(digits):
    assert digits.n == 300
    assert {size for _, size in digits.labels.classes} == {30}
    assert list(digits.ids) == sorted(digits.ids)
    assert digits.labels.y.tolist() == [name[0] for name in digits.ids]
    assert not digits.simulated


def test_the_upper_half_is_the_first_four_rows_of_the_image(digits):
    upper, whole = digits.samples["upper half"], digits.samples["whole image"]
    assert_array_equal(upper.X, whole.X[:, :32])
    assert upper.columns[-1] == "row 4, column 8"
    assert (whole.X.min(), whole.X.max()) == (0.0, 1.0)


def test_images_are_those_of_scikit_learn(digits):
    from sklearn.datasets import load_digits

    source = load_digits()
    for item in (0, 57, 299):
        image = int(digits.ids[item].split("-")[1])
        assert_allclose(digits.samples["whole image"].X[item].reshape(8, 8) * 16.0, source.images[image])
        assert digits.labels.y[item] == str(source.target[image])


def test_kernels_are_gaussian_at_the_median_distance(digits):
    for name in ("upper half", "whole image"):
        distance = pdist(digits.samples[name].X)
        wanted = np.exp(-(squareform(distance) ** 2) / (2.0 * np.median(distance) ** 2))
        assert_allclose(digits.kernels[name].values, wanted, atol=1e-12)


def test_the_demo_shows_what_its_page_says(digits):
    """Half an image tells clearly less than a whole one, and completion beats both the half and zero-fill."""
    y = digits.labels.y
    K, T = (digits.kernels[name].values for name in ("upper half", "whole image"))
    known = np.sort(np.random.default_rng(0).permutation(300)[75:])
    zero_filled = np.zeros_like(T)
    zero_filled[np.ix_(known, known)] = T[np.ix_(known, known)]
    found = {
        "half": normalised_and_clipped(K),
        "whole": normalised_and_clipped(T),
        "joint": joint_by_inverses(normalised_and_clipped(K), T, known, 0.1),
        "zero": zero_filled + 0.1 * np.eye(300),
    }
    right = {name: accuracies(M, y, C=10.0, repeats=1)[1] for name, M in found.items()}
    assert right["half"] < 85.0 < 91.0 < right["whole"]
    assert right["joint"] > right["half"] + 3.0
    assert right["zero"] < right["half"] - 5.0
