import numpy as np
import pytest

from kernex_core.inputs.sequences.finish import guess_kind

MU = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
"""36 letters, as Reseek's Mu has."""


def drawn(letters, n=4, length=120, seed=0):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(letters), length)) for _ in range(n)]


def masked(letters):
    return [string[:50] + string[50:90].lower() + string[90:] for string in drawn(letters)]


@pytest.mark.parametrize(
    ("strings", "kind"),
    [
        (drawn(MU), "text"),
        (drawn(MU, length=400), "text"),
        (masked("ACGT"), "dna"),
        (masked("ACDEFGHIKLMNPQRSTVWY"), "protein"),
        (["AbCdEfGg", "aBcDeFgH"], "structure"),
        (drawn("ACGT"), "dna"),
        (drawn("acgt"), "dna"),
    ],
)
def test_whether_case_counts(strings, kind):
    assert guess_kind(strings) == kind
