import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.kernels.vectors.coordinates import Minimum, Sinc
from kernex_core.kernels.vectors.distance import Gaussian, Laplace, spectral_density


@pytest.mark.parametrize("kernel", [Gaussian(sigma=0.3), Laplace(gamma=4.0)])
def test_a_density_is_the_transform_of_its_kernel(kernel):
    t = np.linspace(0.0, 6.0, 9_001)
    k = kernel.cross(t[:, None], [[0.0]])[:, 0]
    w = np.array([0.0, 1.0, 5.0])
    wanted = [2.0 * np.trapezoid(k * np.cos(each * t), t) for each in w]
    np.testing.assert_allclose(spectral_density(kernel, w), wanted, rtol=1e-5)


def test_the_kernel_comes_back_from_the_density():
    """The kernel of the sinc falls too slowly for the way there."""
    w, t = np.linspace(-3.0, 3.0, 30_001), np.array([0.0, 0.5, 2.0])
    back = [np.trapezoid(spectral_density(Sinc(3.0), w) * np.cos(w * each), w) / (2 * np.pi) for each in t]
    np.testing.assert_allclose(Sinc(3.0).cross(t[:, None], [[0.0]])[:, 0], back, atol=1e-6)
    assert spectral_density(Sinc(3.0), [3.1]).tolist() == [0.0]


@pytest.mark.parametrize("kernel", [Minimum(), Gaussian()])
def test_other_kernels_have_none(kernel):
    with pytest.raises(InvalidInputError, match="difference"):
        spectral_density(kernel, [0.0])
