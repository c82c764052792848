"""Names: ids numbered where they repeat and listed in sentences; short ones for what is in a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from kernex_core.inputs.samples import Note


def listed(names: Sequence[str], most: int = 3) -> str:
    """First names for a sentence: "a, b, c and 4 more"."""
    shown = ", ".join(name if len(name) <= 40 else name[:39] + "…" for name in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")


def counted(n: int, noun: str) -> str:
    """A number with its noun: "0 rows", "1 row", "2,000 classes", "3 entries", "4 vertices"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + ("es" if noun.endswith("s") else "s")
    if noun.endswith("ex"):
        plural = noun[:-2] + "ices"
    return f"{n:,} {noun if n == 1 else plural}"


SIMILAR: Final = re.compile(
    r"(^[ks]\d*$|^values$|^view_kernel$|gram|kern|simil|affin|dist|corr|cov|ident)", re.IGNORECASE
)
"""Names of arrays of which as many rows as columns are no chance."""
MASK: Final = re.compile(r"(.*[\W_])?mask|mid|known|available|observed", re.IGNORECASE)
"""What an array is called that says which items each kernel has, by 0 and 1."""
NEW_ROWS: Final = re.compile(r"(^|[\W_]|^[Kk])(test|cross|new|query|star)($|[\W_\d])", re.IGNORECASE)
"""What an array is called whose rows are new items against those that are there."""
CLASSES: Final = ("y", "label", "labels", "class", "classes", "target", "targets")
"""What an array or object beside numbers is called that holds the classes of the items."""
SHORT_WORDS: Final = {"smith waterman": "SW", "needleman wunsch": "NW"}
UPPER: Final = re.compile(r"^(sw|nw|id|dna|rna|(blosum|pam)\d+)$")
EMPTY_WORDS: Final = {"matrix", "kernel", "similarity", "similarities", "scores", "normalized", "normalised"}


def short_name(filename: str) -> str:
    """A short name for what is in a file: its words without the ending, methods by their usual letters.

    Nothing is cut, so that the names of two files differ where the files' do: `c1_smith_waterman_blosum62.tsv.gz`
    becomes "c1 SW BLOSUM62", `c1-sw-3di.csv` becomes "c1 SW 3Di".
    """
    stem = PurePosixPath(re.sub(r"\.(gz|bz2|xz)$", "", filename)).stem
    words = " ".join(re.split(r"[\s_-]+", stem)).strip()
    for long, short in SHORT_WORDS.items():
        words = re.sub(rf"\b{long}\b", short, words, flags=re.IGNORECASE)
    shown = [
        "3Di" if word.lower() == "3di" else word.upper() if UPPER.match(word.lower()) else word
        for word in words.split()
    ]
    telling = [word for word in shown if word.lower() not in EMPTY_WORDS]
    return " ".join(telling or shown) or "data"


def alike(names: Sequence[str]) -> list[Note]:
    """Name ids that differ by case or blanks alone: files of one set may write them either way."""
    seen: dict[str, str] = {}
    pairs = []
    for name in names:
        other = seen.setdefault("".join(name.split()).casefold(), name)
        if other != name:
            pairs.append(f"{other!r} and {name!r}")
    if not pairs:
        return []
    return [
        Note(
            f"Ids that differ by case or blanks alone: {listed(pairs)}.",
            "They are different items.",
            "Give them one name if they are one item.",
            "warning",
        )
    ]


def distinct(names: Sequence[str]) -> tuple[tuple[str, ...], list[Note]]:
    """Number repeated ids (alpha, alpha_2, ...); the first keeps its name.

    Returns
    -------
    ids, notes
        Distinct ids in the same order, and a note that names the repeated ones.
    """
    taken = set(names)
    seen: Counter[str] = Counter()
    made: list[str] = []
    for name in names:
        seen[name] += 1
        new, count = name, seen[name]
        while count > 1 and new in taken:
            new, count = f"{name}_{count}", count + 1
        taken.add(new)
        made.append(new)
    repeated = [name for name, count in seen.items() if count > 1]
    if not repeated:
        return tuple(made), []
    note = Note(
        f"Ids that occur more than once: {len(repeated):,} ({listed(repeated)}).",
        f"Repetitions are numbered, as in {next(m for n, m in zip(names, made, strict=True) if n != m)}.",
        "Give every item an id of its own.",
        "warning",
    )
    return tuple(made), [note]
