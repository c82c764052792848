"""The Fisher kernel of a Markov chain as a kernel of the catalogue: the chain is fitted to the strings that it compares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_range, parameter
from kernex_core.kernels.base import Operations, Progress, SampleObject, no_progress
from kernex_core.kernels.explanation import Explanation, SharedKmer
from kernex_core.kernels.sequences.letters import (
    ALPHABETS,
    as_strings,
    encode,
    guess_alphabet,
    ignores_case,
    letters_of,
    upper,
)
from kernex_core.kernels.sequences.string_kernel import StringKernel

# What Fisher scores are divided by before they are multiplied, and what is skipped before there are any.

INFORMATION = ("diagonal", "none")
"""How scores are weighed: by the diagonal of the information, or not at all (then by cosines)."""


def direction(U: FloatArray) -> FloatArray:
    """Rows divided by their lengths; a row of zeros has no direction and stays."""
    lengths = np.linalg.norm(U, axis=1, keepdims=True)
    return np.asarray(np.divide(U, lengths, out=np.zeros_like(U), where=lengths > 0.0))


def letter_remarks(strings: Sequence[str], letters: str) -> tuple[str, ...]:
    """Sentences on letters that a model does not know, and on strings without a letter that it does."""
    encoded = encode(as_strings(strings), letters)
    unknown = encoded.numbers < 0
    owner = np.repeat(np.arange(encoded.n), np.diff(encoded.starts))
    said: tuple[str, ...] = ()
    if unknown.any():
        said += (
            f"{int(unknown.sum()):,} letters in {np.unique(owner[unknown]).size:,} of {encoded.n:,} sequences are "
            f"not among {letters} and are skipped.",
        )
    empty = encoded.n - np.unique(owner[~unknown]).size
    if empty:
        said += (f"{empty:,} of {encoded.n:,} sequences have no known letter: similarity 0 to all.",)
    return said


@dataclass(frozen=True, eq=False)
class MarkovChain(ReadOnlyArrays):
    """First-order chain with the Fisher kernel that it gives, fitted to strings by `fit_markov_chain`.

    The score of a string x is the gradient of its log-likelihood in the logits of the probabilities:
    U_a = 1[x_1 = a] − p_a for the first letter, and U_ab = n_ab − n_a P_ab for the n_ab steps from a to b among the
    n_a steps that leave a. Steps from or to a letter that the chain does not know are skipped, and so is a first letter.

    Composition and pairs of neighbours are all that the chain knows of a family. On the TIM barrels its Fisher kernel
    judges superfamilies worse than a spectrum kernel: it is a baseline.

    Attributes
    ----------
    letters : str
        q distinct letters; without lower-case ones among them case is ignored.
    initial : (q,) float
        p, probabilities of the first letter.
    transitions : (q, q) float
        P, rows summing to 1.
    information : (q + q²,) float
        Mean of the squared scores over the strings that the chain was fitted to: the diagonal of the information.

    Notes
    -----
    Jaakkola and Haussler (1999), Exploiting generative models in discriminative classifiers, equation (1), with the
    diagonal in place of the whole information matrix.
    """

    letters: str
    initial: FloatArray
    transitions: FloatArray
    information: FloatArray

    def scores(self, strings: Sequence[str]) -> FloatArray:
        """(n, q + q²) gradients of the log-likelihoods: first letters, then transitions row by row."""
        return _scores(self.initial, self.transitions, *_counts(strings, self.letters))

    def log_likelihoods(self, strings: Sequence[str]) -> FloatArray:
        """(n,) log-likelihoods of first letters and steps that the chain knows; 0 for a string without them."""
        first, steps = _counts(strings, self.letters)
        return np.asarray(first @ np.log(self.initial) + _flat(steps) @ np.log(self.transitions).ravel())

    def gram(self, strings: Sequence[str], information: str = "diagonal") -> FloatArray:
        """Fisher kernel (n, n) among strings; "none" gives cosines of the scores as they are.

        Parameters
        ----------
        strings : sequence of n str
        information : {"diagonal", "none"}
            "diagonal": Σ_j U_j(s) U_j(t) / I_j over the entries with I_j > 0, as Jaakkola and Haussler do it.
            "none": U(s)·U(t) / (|U(s)| |U(t)|), which no rare transition can dominate.
        """
        U = self.scaled(strings, information)
        return np.asarray(U @ U.T)

    def cross(
        self, strings: Sequence[str], others: Sequence[str], information: str = "diagonal"
    ) -> FloatArray:
        """Fisher kernel (n, n') of strings to others, by the chain as it was fitted; see `gram`."""
        rows, columns = self.scaled(strings, information), self.scaled(others, information)
        return np.asarray(rows @ columns.T)

    def remarks(self, strings: Sequence[str]) -> tuple[str, ...]:
        """Sentences on letters that the chain does not know, and on strings without a letter that it does."""
        return letter_remarks(strings, self.letters)

    def scaled(self, strings: Sequence[str], information: str) -> FloatArray:
        """(n, q + q²) scores whose products are the kernel, see `gram`; entries without information are 0."""
        check_choice("The information", information, INFORMATION)
        U = self.scores(strings)
        if information == "none":
            return direction(U)
        known = self.information > np.finfo(np.float64).eps
        return np.asarray(U / np.sqrt(np.where(known, self.information, np.inf)))


def fit_markov_chain(
    strings: Sequence[str], alphabet: str = "protein", *, pseudo_count: float = 1.0
) -> MarkovChain:
    """Fit a first-order Markov chain: p_a ∝ number of strings that begin with a + pseudo-count, P_ab ∝ n_ab + the same.

    Parameters
    ----------
    strings : sequence of n str
        The fitting strings. A kernel that is judged on strings it was fitted to has seen them, though no label.
    alphabet : str
        "protein", "dna" or the letters themselves.
    pseudo_count : float
        Added to every count, above 0.

    Raises
    ------
    InvalidInputError
        No strings, a pseudo-count that is not above 0, or no letter of the alphabet in any string.

    Examples
    --------
    >>> from kernex_core.kernels.sequences.markov_fisher import fit_markov_chain
    >>> chain = fit_markov_chain(["ABAB", "ABB"], "AB")
    >>> chain.transitions.round(3).tolist()
    [[0.2, 0.8], [0.5, 0.5]]
    >>> chain.scores(["AB"]).round(2).tolist()
    [[0.25, -0.25, -0.2, 0.2, 0.0, 0.0]]
    """
    check_range("The pseudo-count", pseudo_count, 0.0, open_low=True)
    letters = letters_of(alphabet)
    first, steps = _counts(strings, letters)
    if not (first.any() or steps.any()):
        raise InvalidInputError(
            f"A chain is fitted to strings with letters among {letters}",
            "none of them",
            "Choose another alphabet",
        )
    return _fitted(letters, first, steps, pseudo_count)


def chain_of(strings: Sequence[str], letters: str, pseudo_count: float) -> MarkovChain:
    """`fit_markov_chain` of strings that may hold none of the letters: all probabilities are equal then."""
    return _fitted(letters, *_counts(strings, letters), pseudo_count)


def _fitted(letters: str, first: IntArray, steps: IntArray, pseudo_count: float) -> MarkovChain:
    initial = first.sum(axis=0, dtype=np.float64) + pseudo_count
    transitions = steps.sum(axis=0, dtype=np.float64) + pseudo_count
    initial, transitions = initial / initial.sum(), transitions / transitions.sum(axis=1, keepdims=True)
    squares = _scores(initial, transitions, first, steps) ** 2
    # sorted, the sum does not depend on the order of the strings
    return MarkovChain(letters, initial, transitions, np.sort(squares, axis=0).mean(axis=0))


def _counts(strings: Sequence[str], letters: str) -> tuple[IntArray, IntArray]:
    """First letters (n, q) and steps (n, q, q) of strings; what is unknown is in neither."""
    encoded, q = encode(as_strings(strings), letters), len(letters)
    start, owner, _ = encoded.windows(1)
    begins = start == encoded.starts[owner]
    begins &= encoded.numbers[start] >= 0
    first = np.zeros((encoded.n, q), dtype=np.int64)
    first[owner[begins], encoded.numbers[start[begins]]] = 1
    start, owner, whole = encoded.windows(2)
    start, owner = start[whole], owner[whole]
    code = (owner * q + encoded.numbers[start]) * q + encoded.numbers[start + 1]
    steps = np.bincount(code, minlength=encoded.n * q * q).reshape(encoded.n, q, q)
    return first, steps


def _flat(steps: IntArray) -> IntArray:
    return steps.reshape(len(steps), -1)


def _scores(initial: FloatArray, transitions: FloatArray, first: IntArray, steps: IntArray) -> FloatArray:
    begun = first - first.sum(axis=1, keepdims=True) * initial
    left = steps - steps.sum(axis=2, keepdims=True) * transitions
    return np.hstack([begun, left.reshape(len(left), -1)])


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


SCORES_LIMIT = 20_000_000
"""Most scores, strings times (letters + letters²), that are held at once."""
BLOCK = 500
"""Rows that are multiplied at a time."""
WEAKNESS = (
    "This kernel knows first letters and pairs of neighbouring letters alone: it is a baseline, and cannot see longer "
    "motifs or where anything stands."
)
FITTED = (
    "Its chain is fitted to all sequences, tested ones too, though to no label: accuracies are transductive."
)


@dataclass(frozen=True)
class MarkovFisher(StringKernel):
    """Fisher kernel of a first-order Markov chain that is fitted to all strings: alike is what pulls it the same way.

    With U(s) the gradient of log P(s) in the logits of the probabilities, U_a = 1[s_1 = a] − p_a and
    U_ab = n_ab − n_a P_ab, k(s, t) = U(s)·U(t) / (|U(s)| |U(t)|), or Σ_j U_j(s) U_j(t) / I_j with the diagonal of the
    information. Steps from or to an unknown letter are skipped; a string without a known letter is similar to nothing.

    A baseline: composition and pairs of neighbours are all that it knows. Its value for two strings depends on all the
    others through the chain, so that accuracies of it are transductive; labels are never looked at.

    Parameters
    ----------
    pseudo_count : float
        Added to every count before the probabilities are formed, above 0.
    information : {"none", "diagonal"}
        "none": cosines of the scores. "diagonal": scores are divided by their root mean square over the fitting strings,
        so that rare steps weigh as much as common ones.
    alphabet : str or None
        "protein", "dna" or the letters themselves. None: that of the declared kind, and of plain strings the one that
        `guess_alphabet` finds; `resolved` sets it. Case is ignored unless there are lower-case letters in it.
    chain : MarkovChain, optional
        Fitted elsewhere. None: fitted to the strings; `resolved` sets it.

    Notes
    -----
    Jaakkola and Haussler (1999), Exploiting generative models in discriminative classifiers, equation (1), without the
    information matrix or with its diagonal.

    Examples
    --------
    >>> from kernex_core import MarkovFisher
    >>> MarkovFisher(alphabet="AB").gram(["ABAB", "ABB", "AA"]).round(2).tolist()
    [[1.0, 0.02, -0.68], [0.02, 1.0, -0.41], [-0.68, -0.41, 1.0]]
    """

    title: ClassVar[str] = "Fisher of a Markov chain"
    formula: ClassVar[str] = r"k(s,t)=\sum_{ab}w_{ab}\,U_{ab}(s)\,U_{ab}(t),\quad U_{ab}=n_{ab}-n_a P_{ab}"
    source: ClassVar[str] = (
        "Jaakkola and Haussler, Exploiting generative models in discriminative classifiers, NIPS 1999"
    )
    cost: ClassVar[str] = "n L to count, then n² |A|²"
    set_by_items: ClassVar[tuple[str, ...]] = ("chain",)

    pseudo_count: float = parameter(
        1.0,
        help="Added to every count of a first letter or a step before the chain's probabilities are formed. Of few or "
        "short sequences a large one draws all probabilities together.",
        label="Pseudo-count",
        low=0.0,
        open_low=True,
        logarithmic=True,
    )
    information: str = parameter(
        "none",
        help="none: cosine of the scores. diagonal: every score over its root mean square, so that rare steps weigh as "
        "much as common ones. A baseline either way: it knows pairs of neighbouring letters alone.",
        label="Information",
        symbol="I",
        choices=INFORMATION[::-1],
        names=("none: cosines", "diagonal: rare steps count"),
    )
    alphabet: str | None = parameter(
        None,
        help="Letters of the chain: protein (20), dna (4), or type the letters themselves; others are skipped. As "
        "declared: those of the kind of sequences; of plain text the letters that fit.",
        symbol="A",
        choices=tuple(ALPHABETS),
        accepts=(str,),
        optional=True,
        auto="as declared",
    )
    chain: MarkovChain | None = parameter(
        None,
        help="The chain whose scores are compared.",
        optional=True,
        auto="fitted to all sequences",
        hidden=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        letters = None if self.alphabet is None else letters_of(self.alphabet)
        if self.chain is None:
            return
        if not isinstance(self.chain, MarkovChain):
            raise InvalidInputError("The chain has to be a MarkovChain", type(self.chain).__name__)
        if letters not in (None, self.chain.letters):
            raise InvalidInputError(
                f"The alphabet has to be that of the chain, {self.chain.letters}",
                str(letters),
                "Leave it open",
            )

    def resolved(self, samples: Sequence[str]) -> Self:
        """Return the kernel with alphabet and chain set from the strings, if they were open."""
        if self.chain is not None:
            return self if self.alphabet is not None else replace(self, alphabet=self.chain.letters)
        strings = as_strings(samples)
        alphabet = self._alphabet(strings)
        _check_room(len(strings), letters_of(alphabet))
        chain = chain_of(strings, letters_of(alphabet), self.pseudo_count)
        return replace(self, alphabet=alphabet, chain=chain)

    def written(self, data: SampleObject[Sequence[str]]) -> Self:
        """See AbstractKernel: the data fit their chain again."""
        return replace(self, chain=None) if self.depends_on(data) else self

    def depends_on(self, data: SampleObject[Sequence[str]]) -> bool:
        """See AbstractKernel: also where the chain is given and is just the one of these strings."""
        return self.chain is None or replace(self, chain=None).resolved(data.values).chain == self.chain

    def remarks(self, samples: Sequence[str]) -> tuple[str, ...]:
        """See AbstractKernel: how little it sees, what it is fitted to, and letters that are skipped."""
        strings = as_strings(samples)
        chain = self._chain(strings)
        one = "The chain is fitted to a single sequence, which it describes as it is."
        said = (one,) if len(strings) == 1 and self.chain is None else ()
        return (WEAKNESS, FITTED, *said, *chain.remarks(strings))

    def operations(self, samples: Sequence[str]) -> Operations:
        """See AbstractKernel."""
        strings = as_strings(samples)
        q = len(letters_of(self._alphabet(strings)))
        pairs = float(len(strings)) ** 2
        letters = float(sum(map(len, strings)))
        return {"entry": pairs, "window": 2.0 * letters, "dense product": pairs * (q + q * q)}

    def gram(self, samples: Sequence[str], *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among strings."""
        strings = as_strings(samples)
        U, n = self._scores(strings, strings), len(strings)
        K = np.empty((n, n))
        for start in range(0, n, BLOCK):
            rows = slice(start, min(start + BLOCK, n))
            K[rows, :start] = U[rows] @ U[:start].T
            K[:start, rows] = K[rows, :start].T
            K[rows, rows] = U[rows] @ U[rows].T
            progress((rows.stop / n) ** 2)
        return K

    def cross(
        self, samples: Sequence[str], others: Sequence[str], *, progress: Progress = no_progress
    ) -> FloatArray:
        """Similarities (n, n') of strings to others."""
        rows, columns = as_strings(samples), as_strings(others)
        everyone = rows + columns
        K = self._scores(rows, everyone) @ self._scores(columns, everyone).T
        progress(1.0)
        return np.asarray(K)

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        return explain_steps(self._chain((s, t)), self.information, (s, t), top, total=total)

    def _alphabet(self, strings: Sequence[str]) -> str:
        if self.alphabet is not None:
            return self.alphabet
        return guess_alphabet(strings) if self.chain is None else self.chain.letters

    def _chain(self, strings: Sequence[str]) -> MarkovChain:
        chain = self.resolved(strings).chain
        assert chain is not None  # resolved sets it
        return chain

    def _scores(self, strings: Sequence[str], fitting: Sequence[str]) -> FloatArray:
        """Scores whose products are the similarities; an open chain is fitted to `fitting`."""
        chain = self._chain(fitting)
        _check_room(len(strings), chain.letters)
        return chain.scaled(strings, self.information)


def _check_room(n: int, letters: str) -> None:
    q = len(letters)
    if n * (q + q * q) > SCORES_LIMIT:
        raise TooLargeError(
            f"A Markov chain has a score for every pair of letters: up to {SCORES_LIMIT:,} are held at once",
            f"{n * (q + q * q):,} for {n:,} sequences of {q:,} letters",
            "Type the letters that matter as the alphabet, or choose a spectrum kernel",
        )
