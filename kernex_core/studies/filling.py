"""Ways to fill what a search tool did not report, side by side: what each does to definiteness and to accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.fill import FILLS, FillUnknown
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import ReadOnlyArrays
from kernex_core.gram.diagnostics import diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement


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


def filling(K: GramMatrix, labels: Labels | None, validation: CrossValidation) -> Iterator[Filled]:
    """Fill a partly unknown similarity in every way there is, one a step.

    Parameters
    ----------
    K : GramMatrix
        With unknown pairs.
    labels : Labels or None
    validation : CrossValidation
        The same folds for every way.

    Raises
    ------
    InvalidInputError
        If nothing is unknown.
    """
    if K.unknown.complete:
        raise InvalidInputError("Filling is for a kernel with unknown pairs", f"none in {K.name!r}")
    judged = labels if labels is not None and labels.judgeable else None
    for method in FILLS:
        made = K.then(FillUnknown(method)).then(CosineNormalize())
        state = diagnose(made)
        judgement = None if judged is None else judge(made.then(Clip()), judged, validation)
        yield Filled(method, made, state.min_eigenvalue, state.negative_mass, judgement)
