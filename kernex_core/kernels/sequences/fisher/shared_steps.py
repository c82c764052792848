"""Which steps from letter to letter make two strings similar to the Fisher kernel of a Markov chain."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from kernex_core.kernels.explanation import Explanation, SharedKmer
from kernex_core.kernels.sequences.fisher.markov_chain import MarkovChain
from kernex_core.kernels.sequences.letters import ignores_case, upper

Places = dict[str, tuple[int, ...]]


def explain_steps(
    chain: MarkovChain, information: str, pair: tuple[str, str], top: int, *, total: float
) -> Explanation:
    """Steps a to b with the part U_ab(s) U_ab(t) w_ab of the similarity, those of the largest size first.

    A step that one string takes more often than the chain expects, and the other one less often, has a negative part;
    one that neither takes has a positive part where both could have. First letters are in the rest.

    Parameters
    ----------
    chain : MarkovChain
    information : {"none", "diagonal"}
        w_ab is 1 / (|U(s)| |U(t)|), or 1 / I_ab.
    pair : (str, str)
    top : int
    total : float
        K(s, t) as the kernel computes it.
    """
    letters = chain.letters
    strings = [upper(each) if ignores_case(letters) else each for each in pair]
    places = [_places(each, letters) for each in strings]
    left, right = (_pulls(each, at, chain) for each, at in zip(strings, places, strict=True))
    weights = _weights(chain, information, left, right)
    made = {name: left[name] * right[name] * weights[name] for name in left}
    steps = sorted(
        (name for name in made if len(name) == 2 and made[name]), key=lambda name: -abs(made[name])
    )
    parts = tuple(
        SharedKmer(name, name, 0, places[0].get(name, ()), places[1].get(name, ()), 1, made[name])
        for name in steps[:top]
    )
    shown = set(steps[:top])
    rest = math.fsum(value for name, value in made.items() if name not in shown)
    return Explanation(
        total, parts, rest, "all other steps, and the first letters", len(steps),
        apart="steps counted letter by letter, against a product of score vectors",
    )  # fmt: skip


def _places(string: str, letters: str) -> Places:
    """Where each step between two known letters starts."""
    found: dict[str, list[int]] = {}
    known = set(letters)
    for at in range(len(string) - 1):
        if string[at] in known and string[at + 1] in known:
            found.setdefault(string[at : at + 2], []).append(at)
    return {name: tuple(at) for name, at in found.items()}


def _pulls(string: str, places: Places, chain: MarkovChain) -> dict[str, float]:
    """Score of every first letter ("a") and of every step ("ab")."""
    begins = string[:1] if string[:1] and string[0] in chain.letters else ""
    leaving: Counter[str] = Counter()
    for name, at in places.items():
        leaving[name[0]] += len(at)
    made = {
        a: (float(a == begins) - p if begins else 0.0)
        for a, p in zip(chain.letters, chain.initial.tolist(), strict=True)
    }
    for a, row in zip(chain.letters, chain.transitions.tolist(), strict=True):
        for b, p in zip(chain.letters, row, strict=True):
            made[a + b] = len(places.get(a + b, ())) - leaving[a] * p
    return made


def _weights(
    chain: MarkovChain, information: str, left: dict[str, float], right: dict[str, float]
) -> dict[str, float]:
    """What the product of two scores is multiplied by."""
    if information == "none":
        lengths = _length(list(left.values())) * _length(list(right.values()))
        return dict.fromkeys(left, 1.0 / lengths if lengths else 0.0)
    smallest = float(np.finfo(np.float64).eps)
    return {
        name: 1.0 / of if of > smallest else 0.0
        for name, of in zip(left, chain.information.tolist(), strict=True)
    }


def _length(values: Sequence[float]) -> float:
    return math.sqrt(math.fsum(value * value for value in values))
