"""The Fisher kernel of a Markov chain as a kernel of the catalogue: the chain is fitted to the strings that it compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray
from kernex_core.kernels.base import Progress, SampleObject, no_progress
from kernex_core.kernels.cost import Operations
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.sequences.fisher.markov_chain import MarkovChain, chain_of
from kernex_core.kernels.sequences.fisher.scores import INFORMATION
from kernex_core.kernels.sequences.fisher.shared_steps import explain_steps
from kernex_core.kernels.sequences.letters import ALPHABETS, as_strings, guess_alphabet, letters_of
from kernex_core.kernels.sequences.string_kernel import StringKernel
from kernex_core.parameters import parameter

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
