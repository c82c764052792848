"""Strings with large diagonals: two classes that differ only in how often a letter is repeated.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 5.1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernex_core.base.parameters import check_seed
from kernex_core.datasets.substitution_model import AMINO_ACIDS
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.samples import Labels, Note, Sequences
from kernex_core.kernels.sequences.subsequence import Subsequence

LETTERS = "".join(sorted(AMINO_ACIDS))
PER_CLASS, LENGTH = 25, 20
STAY = 0.43
"""Probability that a letter of the positive class is followed by itself; every other letter follows with .03."""

_DESCRIPTION = (
    "Simulated: 50 strings of 20 letters over an alphabet of 20. In the class sticky a letter is followed by itself "
    "with probability .43 and by each other letter with .03; in the class uniform all letters are equally likely. "
    "Subsequence kernels of such strings have a diagonal that dwarfs everything else."
)
_NOTE = Note(
    "The diagonal is some 90 times what stands beside it.",
    "Every string looks like itself and like nothing else, so a support vector machine learns by heart.",
    "On the page Power p a power |x|ᵖ below 1 brings the classes out.",
)


def markov_strings(seed: int = 0) -> DataSet:
    """Strings of a Markov chain that likes to stay, against uniform ones.

    Parameters
    ----------
    seed : int
        At least 0.

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
        defaults=Defaults(C=1e6, repeats=20),
    )


def almost_orthogonal_strings(seed: int = 0) -> DataSet:
    """`markov_strings` with their subsequence kernel of length 3 and decay 1/4, not normalised, as in the paper's Table 1.

    Parameters
    ----------
    seed : int
        At least 0.

    Returns
    -------
    DataSet
        Kernel "subsequences".

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    data = markov_strings(seed)
    strings = data.samples["strings"]
    assert isinstance(strings, Sequences)
    K = Subsequence(length=3, decay=0.25).similarities(strings)
    return replace(
        data.with_kernel("subsequences", K),
        name="Almost orthogonal strings",
        target="subsequences",
        notes=(_NOTE,),
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
