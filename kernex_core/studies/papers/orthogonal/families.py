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
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, File, call
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.machine import PAPER_ASYMMETRY, Machine, Margin, cut_of, hard_margin_parameter
from kernex_core.learning.scores import median_rfp, roc_score
from kernex_core.studies.diagonals.judging import SVM_TOLERANCE
from kernex_core.studies.papers.orthogonal.power_table import BASES, distinct_bases

# Tables of families (Table 6): which sequences train and test each family, as the visitor's file says it.

ROLES = ("+train", "+test", "-train", "-test")
"""What a cell of the table of families may say; empty: the sequence has no part in that family."""
_SEPARATORS = ("\t", ";", ",")


@dataclass(frozen=True, eq=False)
class Families(ReadOnlyArrays):
    """Which sequences train and test each family.

    Attributes
    ----------
    ids, names : tuple of str
        Sequences and families.
    roles : (n, n_families) str
        One of ROLES, or "".
    recipe : Call, optional
        Of the file that was read.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    roles: NDArray[np.str_]
    recipe: Call | None = None


def read_families(data: bytes, filename: str, *, sha256: str = "") -> Families:
    """Read a table of families: a header of family names, then an id and one cell a family in every line.

    Parameters
    ----------
    data : bytes
        Fields between tabs, semicolons or commas. A cell is +train, +test, -train, -test or empty; numbers are refused,
        since their meaning differs between the copies of this table that go around.
    filename : str
    sha256 : str
        What the file's hash has to begin with; scripts name it.

    Raises
    ------
    InvalidInputError
        Another file, another cell (row and family named), lines of other lengths, repeated ids or families, fields that
        are too long for a table, or nothing to read.
    """
    digits = hashlib.sha256(data).hexdigest()
    if not digits.startswith(sha256):
        raise InvalidInputError(f"{filename} has to be the file with SHA-256 {sha256}…", f"{digits[:16]}…")
    lines = list(_lines(data.decode("utf-8-sig", "replace"), filename))
    if len(lines) < 2 or len(lines[0][1]) < 2:
        width = f" of {len(lines[0][1])} fields" if lines else ""
        raise InvalidInputError(
            f"{filename} has to have a header of family names and a line a sequence",
            f"{len(lines)} lines{width}",
            "Put commas, semicolons or tabs between id and cells",
        )
    names, ids, cells = tuple(name.strip() for name in lines[0][1][1:]), [], []
    for number, row in lines[1:]:
        ids.append(row[0].strip())
        cells.append(_roles(row[1:], names, number, filename))
    _check_once(ids, "sequence has one line")
    _check_once(list(names), "family has one column")
    origin = call("families", "read_families", File(filename), filename, sha256=digits[:16])
    return Families(tuple(ids), names, np.array(cells, dtype=np.str_), origin)


def _lines(text: str, filename: str) -> Iterator[tuple[int, list[str]]]:
    """Number and fields of every line that is not empty."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    reader = csv.reader(
        io.StringIO(text), delimiter=next((each for each in _SEPARATORS if each in first), ",")
    )
    try:
        for row in reader:
            if any(row):
                yield reader.line_num, row
    except csv.Error as error:
        raise InvalidInputError(
            f"{filename} has to be a table of short fields: an id, and a role in each family",
            f"{error}, in line {reader.line_num}",
        ) from None


def _roles(row: list[str], names: tuple[str, ...], number: int, filename: str) -> list[str]:
    roles = [cell.strip().replace("−", "-") for cell in row]
    wrong = next((at for at, role in enumerate(roles) if role not in ("", *ROLES)), None)
    if wrong is None and len(roles) == len(names):
        return roles
    found = f"{len(roles)} cells" if wrong is None else f"{_shortened(roles[wrong])!r} in column {wrong + 2}"
    raise InvalidInputError(
        f"A line of {filename} is an id and {len(names)} cells, each of {', '.join(ROLES)} or empty",
        f"{found} of line {number}",
    )


def _check_once(names: list[str], rule: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidInputError(f"Every {rule}", f"{_shortened(name)!r} twice")
        seen.add(name)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"


FAMILY_POWERS: tuple[float | None, ...] = (None, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)


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
class FamilyTable(ReadOnlyArrays):
    """Families that are done.

    Attributes
    ----------
    powers : tuple of float or None
    names : tuple of str
    roc, rfp : dict of str to (n_families, n_powers) float
        ROC score and median rate of false positives, by column of BASES; NaN where it is not done yet, or where the
        test items are of one class.
    training_errors, at_bound, not_converged : int
        Over all machines.
    done, total : int
        Families times powers.
    seconds : float
    """

    powers: tuple[float | None, ...]
    names: tuple[str, ...]
    roc: dict[str, FloatArray]
    rfp: dict[str, FloatArray]
    training_errors: int
    at_bound: int
    not_converged: int
    done: int
    total: int
    seconds: float = field(compare=False)


def measuring_table_6(
    config: FamiliesConfig, K: GramMatrix, families: Families, *, done: FamilyTable | None = None
) -> Iterator[FamilyTable]:
    """Run the protocol, one family and power a step; every step yields all that is done.

    Parameters
    ----------
    config : FamiliesConfig
    K : GramMatrix
        The paper has the 3-spectrum kernel, normalised.
    families : Families
        About items of K; ids that K lacks are refused.
    done : FamilyTable, optional
        What an earlier run with the same arguments got to; it is not measured again.

    Raises
    ------
    InvalidInputError
        Unknown entries or ids, or a family without training or test items; `done` is of other families.
    NotPositiveSemidefiniteError
        A matrix that is no kernel.
    """
    check_judgeable(K)
    at = _positions(K, families)
    sides = [_sides(at, families.roles[:, f], name) for f, name in enumerate(families.names)]
    if done is not None and done.names != families.names:
        raise InvalidInputError("A table goes on with its own families", ", ".join(done.names[:5]))
    return _steps(config, K, sides, done or _empty(families.names))


def _empty(names: tuple[str, ...]) -> FamilyTable:
    shape = (len(names), len(FAMILY_POWERS))
    roc, rfp = ({column: np.full(shape, np.nan) for column in BASES} for _ in range(2))
    return FamilyTable(FAMILY_POWERS, names, roc, rfp, 0, 0, 0, 0, shape[0] * shape[1], 0.0)


def _steps(
    config: FamiliesConfig, K: GramMatrix, sides: list[_Side], table: FamilyTable
) -> Iterator[FamilyTable]:
    started, earlier, first = time.perf_counter(), table.seconds, table.done
    for row, p in enumerate(FAMILY_POWERS):
        waiting = range(min(max(first - row * len(sides), 0), len(sides)), len(sides))
        # the map of all points is the same for every family and takes as long as all their machines
        mapped = K if p is None or not waiting else K.then(EmpiricalMap(SignedPower(p)))
        for f in waiting:
            roc, rfp = ({c: values.copy() for c, values in each.items()} for each in (table.roc, table.rfp))
            counts = np.array([table.training_errors, table.at_bound, table.not_converged])
            for inductive, columns in distinct_bases(mapped.steps).items():
                scores = _scores(config, mapped, sides[f], inductive)
                counts += scores.against
                for column in columns:
                    roc[column][f, row], rfp[column][f, row] = scores.roc, scores.rfp
            errors, bound, late = counts.tolist()
            table = replace(
                table, roc=roc, rfp=rfp, training_errors=errors, at_bound=bound, not_converged=late,
                done=table.done + 1, seconds=earlier + time.perf_counter() - started,
            )  # fmt: skip
            yield table


class _Side(NamedTuple):
    train: IntArray
    test: IntArray
    y_train: IntArray
    y_test: IntArray


class _Scores(NamedTuple):
    """ROC score, median rate of false positives; training errors, coefficients at C, problems that did not converge."""

    roc: float
    rfp: float
    against: IntArray


def _scores(config: FamiliesConfig, mapped: GramMatrix, side: _Side, inductive: bool) -> _Scores:
    machine = Machine(config.C, Margin(asymmetry=config.asymmetry), SVM_TOLERANCE)
    blocks = cut_of(mapped, inductive=inductive)(side.train, side.test)
    trained = machine.train(blocks, side.y_train, 2)
    values = trained.decisions[:, 1]
    if not np.isfinite(values).all():
        # a family without training items of one side: nothing tells test items apart
        values = np.zeros(values.size)
    fitted, y = trained.machine, side.y_test
    errors = int(((fitted.decide(trained.K_train)[:, 1] > 0.0) != (side.y_train == 1)).sum())
    against = np.array([errors, fitted.at_bound, fitted.not_converged])
    return _Scores(roc_score(y, values, positive=1), median_rfp(y, values, positive=1), against)


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
