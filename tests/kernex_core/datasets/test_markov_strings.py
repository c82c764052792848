import numpy as np
from numpy.testing import assert_allclose

from kernex_core.datasets.markov_strings import LETTERS, markov_strings
from kernex_core.kernels.sequences.subsequence import Subsequence


def test_25_strings_of_20_letters_a_class():
    data = markov_strings(4)
    assert data.n == 50
    assert data.labels.y.tolist() == ["sticky"] * 25 + ["uniform"] * 25
    assert {len(string) for string in data.samples["strings"].strings} == {20}
    assert len(LETTERS) == 20
    assert data.digest == markov_strings(4).digest != markov_strings(5).digest


def test_letters_follow_as_documented():
    counts = {"sticky": np.zeros((20, 20)), "uniform": np.zeros((20, 20))}
    for seed in range(40):
        data = markov_strings(seed)
        for string, name in zip(data.samples["strings"].strings, data.labels.y, strict=True):
            codes = [LETTERS.index(letter) for letter in string]
            np.add.at(counts[name], (codes[:-1], codes[1:]), 1)
    for name, stay in (("sticky", 0.43), ("uniform", 0.05)):
        share = counts[name] / counts[name].sum()
        assert_allclose(np.trace(share), stay, atol=0.012)
        others = share[~np.eye(20, dtype=bool)]
        assert_allclose(others, (1.0 - stay) / 380, atol=0.002)


def test_the_diagonal_is_as_large_as_documented():
    ratios = []
    for seed in range(12):
        K = Subsequence(length=3, decay=0.25).gram(markov_strings(seed).samples["strings"].strings)
        off = ~np.eye(50, dtype=bool)
        powers = [K**p for p in (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)]
        ratios.append([np.diag(power).mean() / power[off].mean() for power in powers])
    assert_allclose(np.mean(ratios, axis=0), [87, 53, 29, 20, 13, 8, 4.7, 2.4], rtol=0.06)
