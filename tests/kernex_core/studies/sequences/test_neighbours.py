import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.studies.sequences.classifier import neighbours

IDS = ("a", "b", "c", "d")
SAMPLES = Sequences(IDS, ("ACDEFGHIK", "ACDEFGIKL", "MNPQRSTVW", "ACDMNPQRS"))


@pytest.mark.parametrize("kind", kernels_for("sequences"))
def test_ranks_the_row_of_the_matrix(kind):
    row = kind().of(SAMPLES).gram(SAMPLES.values)[0]
    made = neighbours(kind(), SAMPLES, "a")
    assert made.self_similarity == pytest.approx(row[0], rel=1e-12)
    assert "a" not in made.ids
    np.testing.assert_allclose(made.values, [row[IDS.index(i)] for i in made.ids], rtol=1e-12)
    assert (np.diff(made.values) <= 0).all()


def test_needs_an_item_of_the_data():
    with pytest.raises(InvalidInputError, match="item of the data"):
        neighbours(Spectrum(), SAMPLES, "z")


def test_refuses_a_row_that_would_take_minutes_but_not_for_linear_kernels():
    long = Sequences(("a", "b"), ("A" * 20_000, "A" * 20_000))
    with pytest.raises(TooLargeError, match="800,000,000"):
        neighbours(SmithWaterman(), long, "a")
    assert neighbours(Spectrum(), long, "a").ids == ("b",)
