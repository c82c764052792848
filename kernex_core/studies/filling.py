"""Ways to fill what a search tool did not report, side by side: what each does to definiteness and to accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import ReadOnlyArrays
from kernex_core.conditioning.fill import FILLS, FillUnknown
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.diagnostics import diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.spectrum import decomposing
from kernex_core.gram.step import Applied
from kernex_core.inputs.samples import Labels
from kernex_core.learning.copies import copies_of
from kernex_core.learning.evaluate import judge_in_steps
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.runtime.progress import Steps, part


@dataclass(frozen=True, eq=False)
class Filled(ReadOnlyArrays):
    """One way to fill.

    Attributes
    ----------
    method : str
        One of FILLS.
    gram : GramMatrix
        Filled, cosine-normalised, not repaired.
    min_eigenvalue, negative_mass : float
        Of that matrix.
    judgement : Judgement or None
        After clipping; None without labels of two classes.
    """

    method: str
    gram: GramMatrix
    min_eigenvalue: float
    negative_mass: float
    judgement: Judgement | None


@dataclass(frozen=True, eq=False)
class FillingProgress(ReadOnlyArrays):
    """State of a running comparison: percent done, of 100, and the ways that are done.

    Attributes
    ----------
    done, total : int
    rows : tuple of Filled
    """

    done: int
    total: int
    rows: tuple[Filled, ...]


def filling(
    K: GramMatrix,
    labels: Labels | None,
    validation: CrossValidation,
    *,
    done: FillingProgress | None = None,
) -> Iterator[FillingProgress]:
    """Fill a partly unknown similarity in every way there is, in steps of a fraction of a second.

    Parameters
    ----------
    K : GramMatrix
        With unknown pairs.
    labels : Labels or None
    validation : CrossValidation
        The same folds for every way.
    done : FillingProgress, optional
        The ways that are done already; the others follow.

    Raises
    ------
    InvalidInputError
        If nothing is unknown.
    """
    if K.unknown.complete:
        raise InvalidInputError("Filling is for a kernel with unknown pairs", f"none in {K.name!r}")
    judged = labels if labels is not None and labels.judgeable else None
    rows = () if done is None else done.rows
    for at in range(len(rows), len(FILLS)):
        steps = _filled(K, list(FILLS)[at], judged, validation)
        while True:
            try:
                share = next(steps)
            except StopIteration as end:
                rows = (*rows, end.value)
                break
            yield FillingProgress(int(100 * (at + share) / len(FILLS)), 100, rows)
        yield FillingProgress(100 * len(rows) // len(FILLS), 100, rows)


def _filled(K: GramMatrix, method: str, judged: Labels | None, validation: CrossValidation) -> Steps[Filled]:
    made = K.then(FillUnknown(method)).then(CosineNormalize())
    yield 0.0
    decomposition = yield from part(decomposing(made.values), 0.0, 0.2)
    state = diagnose(made, eigenvalues=decomposition.eigenvalues)
    if judged is None:
        return Filled(method, made, state.min_eigenvalue, state.negative_mass, None)
    clip = Clip()
    fitted = clip.fitted(made.known, decomposition)
    values = yield from part(fitted.applying(made.values), 0.2, 0.5)
    judgement = None
    # every way has the same folds: copies are looked for in the similarity as it came, not in what fills it
    copies = copies_of([K], judged, validation)
    for progress in judge_in_steps(made.then(clip, Applied(values)), judged, validation, copies=copies):
        judgement = progress.judgement
        yield 0.5 + 0.5 * progress.done / progress.total
    return Filled(method, made, state.min_eigenvalue, state.negative_mass, judgement)
