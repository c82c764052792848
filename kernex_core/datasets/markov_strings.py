"""Strings with large diagonals: two classes that differ only in how often a letter is repeated.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 5.1.
"""

from __future__ import annotations

import numpy as np

from kernex_core.datasets.seeds import check_seed
from kernex_core.datasets.substitution_model import AMINO_ACIDS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences

LETTERS = "".join(sorted(AMINO_ACIDS))
PER_CLASS, LENGTH = 25, 20
STAY = 0.43
"""Probability that a letter of the positive class is followed by itself; every other letter follows with .03."""

_DESCRIPTION = (
    "Simulated: 50 strings of 20 letters over an alphabet of 20. In the class sticky a letter is followed by itself "
    "with probability .43 and by each other letter with .03; in the class uniform all letters are equally likely. "
    "Subsequence kernels of such strings have a diagonal that dwarfs everything else."
)


def markov_strings(seed: int = 0) -> DataSet:
    """Strings of a Markov chain that likes to stay, against uniform ones.

    Parameters
    ----------
    seed : int
        At least 0; seed 4 is typical.

    Returns
    -------
    DataSet
        Samples "strings"; 25 of class "sticky", then 25 of class "uniform".

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    sticky = [_chain(rng) for _ in range(PER_CLASS)]
    uniform = ["".join(LETTERS[i] for i in rng.integers(len(LETTERS), size=LENGTH)) for _ in range(PER_CLASS)]
    names = ("sticky", "uniform")
    ids = tuple(f"{name}{number:02d}" for name in names for number in range(1, PER_CLASS + 1))
    return DataSet(
        name="Markov strings",
        ids=ids,
        labels=Labels(ids, np.repeat(names, PER_CLASS)),
        samples={"strings": Sequences(ids, (*sticky, *uniform), "protein")},
        description=_DESCRIPTION,
        simulated=True,
        # hard margin: the paper's learner
        settings={"C": 1e6, "folds": 2, "repeats": 20},
    )


def _chain(rng: np.random.Generator) -> str:
    q = len(LETTERS)
    letter = int(rng.integers(q))
    letters = [letter]
    for _ in range(LENGTH - 1):
        if rng.random() >= STAY:
            # one of the other letters: a step of 1 to q − 1 around the alphabet
            letter = (letter + int(rng.integers(1, q))) % q
        letters.append(letter)
    return "".join(LETTERS[i] for i in letters)
