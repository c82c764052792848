"""The Fisher kernel of a first-order Markov chain, letter by letter from the formula."""

from __future__ import annotations

import math


def fisher(strings: list[str], letters: str, pseudo_count: float, information: str) -> list[list[float]]:
    """Similarities of all strings by the chain that is fitted to all of them."""
    begins = {a: pseudo_count + sum(s[:1] == a for s in strings) for a in letters}
    pairs = {(a, b): pseudo_count + sum(_taken(s, a, b) for s in strings) for a in letters for b in letters}
    rows = [_scores(s, letters, begins, pairs) for s in strings]
    mean_square = [sum(u[j] ** 2 for u in rows) / len(rows) for j in range(len(rows[0]))]
    return [[_similarity(u, v, mean_square, information) for v in rows] for u in rows]


def _taken(string: str, a: str, b: str) -> int:
    return sum(string[i] == a and string[i + 1] == b for i in range(len(string) - 1))


def _scores(
    string: str, letters: str, begins: dict[str, float], pairs: dict[tuple[str, str], float]
) -> list[float]:
    known = string[:1] != "" and string[0] in letters
    scores = [(float(string[:1] == a) - begins[a] / sum(begins.values())) if known else 0.0 for a in letters]
    for a in letters:
        leaving = sum(_taken(string, a, c) for c in letters)
        total = sum(pairs[a, c] for c in letters)
        scores += [_taken(string, a, b) - leaving * pairs[a, b] / total for b in letters]
    return scores


def _similarity(u: list[float], v: list[float], mean_square: list[float], information: str) -> float:
    if information == "diagonal":
        return sum(x * y / i for x, y, i in zip(u, v, mean_square, strict=True) if i > 1e-15)
    lengths = math.hypot(*u) * math.hypot(*v)
    return sum(x * y for x, y in zip(u, v, strict=True)) / lengths if lengths else 0.0
