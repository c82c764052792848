"""Table 6: one family after the other against all else, with training and test sequences named by the user's table.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 5.4, on the
families of Liao and Noble (SCOP 1.53).
"""

from __future__ import annotations

import csv
import hashlib
import io
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe
from kernex_core.gram.step import split_inductively, split_transductively
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.scores import median_rfp, roc_score
from kernex_core.learning.svm import fit_one_vs_rest
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.diagonal_folds import SVM_TOLERANCE
from kernex_core.studies.diagonal_margin import PAPER_ASYMMETRY, hard_margin_parameter
from kernex_core.studies.orthogonal_tables import BASES

FAMILY_POWERS: tuple[float | None, ...] = (None, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)
ROLES = ("+train", "+test", "-train", "-test")
"""What a cell of the table of families may say; empty: the sequence has no part in that family."""


@dataclass(frozen=True)
class FamiliesConfig:
    """Protocol of Table 6."""

    asymmetry: float = parameter(
        PAPER_ASYMMETRY, label="Asymmetric margin", symbol="c", low=0.0, high=10.0, step=0.01,
        help="Adds c × the share of its class among the training items to each training self-similarity.",
    )  # fmt: skip
    C: float = hard_margin_parameter()

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class Families(ReadOnlyArrays):
    """Which sequences train and test each family.

    Attributes
    ----------
    ids, names : tuple of str
        Sequences and families.
    roles : (n, n_families) str
        One of ROLES, or "".
    recipe : Recipe, optional
        Of the file that was read.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    roles: NDArray[np.str_]
    recipe: Recipe | None = None


@dataclass(frozen=True, eq=False)
class FamilyTable(ReadOnlyArrays):
    """Families that are done.

    Attributes
    ----------
    powers : tuple of float or None
    names : tuple of str
    roc, rfp : dict of str to (n_families, n_powers) float
        ROC score and median rate of false positives, by column of BASES; NaN where it is not done yet, or where the
        test items are of one class.
    not_converged : int
    done, total : int
        Families times powers.
    seconds : float
    """

    powers: tuple[float | None, ...]
    names: tuple[str, ...]
    roc: dict[str, FloatArray]
    rfp: dict[str, FloatArray]
    not_converged: int
    done: int
    total: int
    seconds: float


def read_families(data: bytes, filename: str, *, sha256: str = "") -> Families:
    """Read a table of families: a header of family names, then an id and one cell a family in every line.

    Parameters
    ----------
    data : bytes
        CSV or TSV. A cell is +train, +test, -train, -test or empty; numbers are refused, since their meaning differs
        between the copies of this table that go around.
    filename : str
    sha256 : str
        What the file's hash has to begin with; scripts name it.

    Raises
    ------
    InvalidInputError
        Another file, another cell (row and family named), lines of other lengths, repeated ids, or nothing to read.
    """
    digits = hashlib.sha256(data).hexdigest()
    if not digits.startswith(sha256):
        raise InvalidInputError(f"{filename} has to be the file with SHA-256 {sha256}…", f"{digits[:16]}…")
    text = data.decode("utf-8-sig", "replace")
    first = text.split("\n", 1)[0]
    lines = [
        row for row in csv.reader(io.StringIO(text), delimiter="\t" if "\t" in first else ",") if any(row)
    ]
    if len(lines) < 2 or len(lines[0]) < 2:
        raise InvalidInputError(
            f"{filename} has to have a header of family names and a line a sequence", f"{len(lines)} lines"
        )
    names, ids, cells = tuple(name.strip() for name in lines[0][1:]), [], []
    for number, row in enumerate(lines[1:], start=2):
        roles = [cell.strip().replace("−", "-") for cell in row[1:]]
        wrong = next((at for at, role in enumerate(roles) if role not in ("", *ROLES)), None)
        if wrong is not None or len(roles) != len(names):
            found = f"{len(roles)} cells" if wrong is None else f"{roles[wrong]!r} in column {wrong + 2}"
            raise InvalidInputError(
                f"A line of {filename} is an id and {len(names)} cells, each of {', '.join(ROLES)} or empty",
                f"{found} of line {number}",
            )
        ids.append(row[0].strip())
        cells.append(roles)
    if len(set(ids)) != len(ids):
        raise InvalidInputError("Every sequence has one line", next(i for i in ids if ids.count(i) > 1))
    name = repr(filename).replace("$", "\\x24")
    code = f"read_families(Path({name}).read_bytes(), {name}, sha256={digits[:16]!r})"
    source = (f"from {__name__} import read_families", "from pathlib import Path")
    return Families(tuple(ids), names, np.array(cells, dtype=np.str_), Recipe("families", code, (), source))


def measuring_table_6(config: FamiliesConfig, K: GramMatrix, families: Families) -> Iterator[FamilyTable]:
    """Run the protocol, one family and power a step; every step yields all that is done.

    Parameters
    ----------
    config : FamiliesConfig
    K : GramMatrix
        The paper has the 3-spectrum kernel, normalised.
    families : Families
        About items of K; ids that K lacks are refused.

    Raises
    ------
    InvalidInputError
        Unknown entries or ids, or a family without training or test items.
    NotPositiveSemidefiniteError
        A matrix that is no kernel.
    """
    check_judgeable(K)
    at, started, stopped = _positions(K, families), time.perf_counter(), 0
    sides = [_sides(at, families.roles[:, f], name) for f, name in enumerate(families.names)]
    shape = (len(sides), len(FAMILY_POWERS))
    roc = {column: np.full(shape, np.nan) for column in BASES}
    rfp = {column: np.full(shape, np.nan) for column in BASES}
    for row, p in enumerate(FAMILY_POWERS):
        # the map of all points is the same for every family and takes as long as all their machines
        mapped = K if p is None else K.then(EmpiricalMap(SignedPower(p)))
        for f, side in enumerate(sides):
            for column, inductive in BASES.items():
                roc[column][f, row], rfp[column][f, row], late = _scores(config, mapped, side, inductive)
                stopped += late
            yield FamilyTable(
                powers=FAMILY_POWERS,
                names=families.names,
                roc={column: values.copy() for column, values in roc.items()},
                rfp={column: values.copy() for column, values in rfp.items()},
                not_converged=stopped,
                done=row * len(sides) + f + 1,
                total=len(sides) * len(FAMILY_POWERS),
                seconds=time.perf_counter() - started,
            )


class _Side(NamedTuple):
    train: IntArray
    test: IntArray
    y_train: IntArray
    y_test: IntArray


def _scores(
    config: FamiliesConfig, mapped: GramMatrix, side: _Side, inductive: bool
) -> tuple[float, float, int]:
    """ROC score, median rate of false positives, and problems that did not converge."""
    split = (split_inductively if inductive else split_transductively)(mapped, side.train, side.test)
    mean = float(np.diag(split.K_train).mean())
    scale = 1.0 / mean if mean > 0.0 else 1.0
    fitted = fit_one_vs_rest(
        split.K_train * scale, side.y_train, 2, C=config.C, asymmetry=config.asymmetry, tolerance=SVM_TOLERANCE,
        checked=True,
    )  # fmt: skip
    values = fitted.decide(split.K_cross * scale)[:, 1]
    if not np.isfinite(
        values
    ).all():  # a family without training items of one side: nothing tells test items apart
        values = np.zeros(values.size)
    y = side.y_test
    return roc_score(y, values, positive=1), median_rfp(y, values, positive=1), fitted.not_converged


def _positions(K: GramMatrix, families: Families) -> IntArray:
    place = {name: position for position, name in enumerate(K.ids)}
    unknown = [name for name in families.ids if name not in place]
    if unknown:
        raise InvalidInputError(
            "Every sequence of the table of families has to be an item of the kernel",
            f"{len(unknown)} that are not, the first {unknown[0]!r}",
        )
    return np.array([place[name] for name in families.ids], dtype=np.int64)


def _sides(at: IntArray, roles: NDArray[np.str_], name: str) -> _Side:
    train, test = np.char.endswith(roles, "train"), np.char.endswith(roles, "test")
    positive = np.char.startswith(roles, "+").astype(np.int64)
    if not train.any() or not test.any():
        raise InvalidInputError(
            "Every family needs training and test sequences",
            f"{int(train.sum())} and {int(test.sum())} in {name!r}",
        )
    return _Side(at[train], at[test], positive[train], positive[test])
