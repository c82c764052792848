"""What the page Complete judges, each under one name: on the picture, in table and verdict, in files and scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kernex_core.learning.cells import CellScores, cell_verdict
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.studies.completion.answer import joint_accuracy, other_joint
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.share_sweep import TWO_MACHINES, Sweep

OTHER_JOINT = "other joint"
"""Role of the joint kernel with the residual, or of the one without where the page's own keeps it."""


@dataclass(frozen=True)
class Contestant:
    """One of them.

    Attributes
    ----------
    role : str
    name : str
        What it is called everywhere.
    meaning : str
        What it is, in a phrase.
    plain : bool
        It completes nothing: what a method has to beat to have earned its place.
    """

    role: str
    name: str
    meaning: str
    plain: bool = False


CONTESTANTS = (
    Contestant("joint", "joint", "WᵀJW at this λ"),
    Contestant(OTHER_JOINT, "joint with the residual", "and what the known items do not span of the source, over λ"),
    Contestant("extrapolated", "extrapolated", "WᵀTW; the joint kernel at λ → 0 is Wᵀ(T + ρI)W"),
    Contestant(
        TWO_MACHINES, TWO_MACHINES,
        "known items decided by the target, hidden ones by the source; no kernel, nothing completed",
    ),
    Contestant("nystroem", "Nyström", "the source rebuilt from the known items; the target is not used", plain=True),
    Contestant("zero-fill", "zero-fill", "unknown similarities are 0", plain=True),
    Contestant("mean-fill", "mean-fill", "unknown similarities are the mean known one, repaired", plain=True),
    Contestant("source", "source", "the source as it is; the target is not used", plain=True),
)  # fmt: skip


def contestants(config: CompletionConfig, source: str) -> tuple[Contestant, ...]:
    """Those of a configuration, the source by its own name.

    Parameters
    ----------
    config : CompletionConfig
    source : str
        Name of the source kernel.
    """
    named = {"source": f"{source} alone"}
    meant = {}
    if config.residual:
        named |= {"joint": "joint with the residual", OTHER_JOINT: "joint"}
        by_role = {each.role: each.meaning for each in CONTESTANTS}
        meant = {
            "joint": f"{by_role['joint']}, {by_role[OTHER_JOINT]}",
            OTHER_JOINT: f"{by_role['joint']}, without the residual",
        }
    return tuple(
        replace(each, name=named.get(each.role, each.name), meaning=meant.get(each.role, each.meaning))
        for each in CONTESTANTS
    )


def scores_by_role(
    sweep: Sweep, joint: Sequence[CellScores], other: Sequence[CellScores] = ()
) -> dict[str, tuple[CellScores, ...]]:
    """Scores of every contestant, one a repetition, in the order of `CONTESTANTS`; what was not judged is left out.

    Parameters
    ----------
    sweep : Sweep
        Of one hidden share.
    joint, other : sequence of CellScores
        Of the joint kernel at a λ, and of the other one.
    """
    found = {"joint": tuple(joint), OTHER_JOINT: tuple(other), "source": sweep.levels.get("source", ())}
    for cell in sweep.cells:
        for role, scores in cell.plain.items():
            found[role] = (*found.get(role, ()), scores)
    return {each.role: found[each.role] for each in CONTESTANTS if found.get(each.role)}


def verdict_of_scores(
    contestants: Sequence[Contestant],
    scores: Mapping[str, Sequence[CellScores]],
    measure: str = "multi_class",
) -> Verdict:
    """Which contestant is best, and who is told apart from it.

    Parameters
    ----------
    contestants : sequence of Contestant
        Named as on the page.
    scores : dict of str to sequence of CellScores
        By role, see `scores_by_role`.
    measure : {"multi_class", "one_vs_rest"}
    """
    judged = [each for each in contestants if each.role in scores]
    return cell_verdict(
        {each.name: scores[each.role] for each in judged},
        measure,
        plain=[each.name for each in judged if each.plain],
    )


def verdict_at(sweep: Sweep, lam: float, *, source: str = "source", measure: str = "multi_class") -> Verdict:
    """Judge both joint kernels at λ and return the verdict on everything that the page Complete shows there.

    Parameters
    ----------
    sweep : Sweep
        Of one hidden share.
    lam : float
    source : str
        Name of the source kernel.
    measure : {"multi_class", "one_vs_rest"}
    """
    scores = scores_by_role(sweep, joint_accuracy([sweep], lam).scores, other_joint(sweep, lam))
    return verdict_of_scores(contestants(sweep.cells[0].config, source), scores, measure)
