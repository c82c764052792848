"""Fisher kernel of a first-order Markov chain: strings are similar if they pull its probabilities the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.kernels.sequences.fisher.scores import INFORMATION, direction, letter_remarks
from kernex_core.kernels.sequences.letters import as_strings, encode, letters_of
from kernex_core.parameters import check_choice, check_range


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
    >>> from kernex_core.kernels.sequences.fisher.markov_chain import fit_markov_chain
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
