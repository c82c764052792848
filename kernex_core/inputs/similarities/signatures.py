"""Tables of pairs by the columns of their tools, and what the name of a column says about its numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.base.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class Signature(EqualByContent):
    """Columns of a tool's table of pairs.

    Attributes
    ----------
    tool : str
    query, target, score : str
        Titles of the columns, in lower case.
    own : float or None
        What an item has with itself, which such a table does not list; None: it is not known.
    reverse : str
        Column of the score in the other direction, if there is one.
    """

    tool: str
    query: str
    target: str
    score: str
    own: float | None = None
    reverse: str = ""


SIGNATURES: tuple[Signature, ...] = (
    Signature("STRING", "node1", "node2", "combined_score"),
    Signature("STRING", "protein1", "protein2", "combined_score"),
    Signature("US-align", "pdbchain1", "pdbchain2", "tm1", 1.0, "tm2"),
    Signature("CompareM", "genome a", "genome b", "mean aai", 100.0),
    Signature("skani", "ref_file", "query_file", "ani", 100.0),
    Signature("PLINK", "iid1", "iid2", "pi_hat", 1.0),
    Signature("KING", "id1", "id2", "kinship", 0.5),
    Signature("GCTA or PLINK 2", "#iid1", "iid2", "kinship", 0.5),
    Signature("PLINK 2", "iid1", "iid2", "kinship", 0.5),
)
"""More specific ones first."""


FASTANI = Signature("fastANI", "query", "target", "column 3", 100.0)
"""Known by what its columns hold: it writes no names."""


def signature_of(names: Sequence[str]) -> Signature | None:
    """The tool whose columns these are."""
    plain = {name.strip().lower() for name in names}
    return next((tool for tool in SIGNATURES if {tool.query, tool.target, tool.score} <= plain), None)


_FAR = re.compile(
    r"(distances?|dists?|differences?|diffs?|dissimilarit(y|ies)|divergences?|mismatch(es)?|rmsd|hamming|levenshtein"
    r"|euclidean|manhattan|curtis|unifrac|snps?)$"
)
_NEAR = re.compile(
    r"(similarit(y|ies)|identit(y|ies)|pident|fident|tm|tmscore|jaccard|tanimoto|dice|correlations?|pearson|spearman|cosine"
    r"|ani|aai|bits|bitscore|kinship|relatedness|kernel|affinity|overlap|sim)$"
)


def says_far(title: str) -> bool:
    """Whether the title of a column says that larger is further apart."""
    return any(_FAR.match(word) for word in _words(title))


def says_near(title: str) -> bool:
    """Whether the title of a column says that larger is more alike."""
    words = _words(title)
    return not says_far(title) and (
        "".join(words[-2:]) == "tmscore" or any(_NEAR.match(word) for word in words)
    )


def _words(title: str) -> list[str]:
    # "NumDifferences", "num_differences" and "Num. differences" are the same words
    parted = re.sub(r"([a-z])([A-Z])", r"\1 \2", title)
    return [word for word in re.split(r"[^a-z]+", parted.lower()) if word] or [""]


SPAN = 1e-15
"""Where the smallest positive of numbers up to 1 is less, they are rather E-values than similarities."""
