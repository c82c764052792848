"""Is what the page Complete judges at this λ better than chance? Labels are permuted; the completions see none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call, method
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import Permuted
from kernex_core.runtime.progress import Steps, finished
from kernex_core.studies.against_chance import permuting_completion
from kernex_core.studies.completion.share_sweep import Sweep
from kernex_core.studies.completion.study import CompletionConfig
from pages.shared.cached import cached
from pages.shared.panels.several.chance import Asked, asked_chance, say_p
from pages.shared.panels.source_target import conditioned_source

if TYPE_CHECKING:
    from pages.complete.subject import Subject

NEWEST: Final = 32
"""Values of λ and measures that are remembered."""


def permuting_shown(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: str,
) -> Steps[Permuted]:
    """Judge everything at λ with permuted labels, for the share that is shown."""
    ready = conditioned_source(config.repair, config.normalize, source)
    return permuting_completion(
        config, ready.renamed(source.name), target, labels, validation, lam, measure=measure
    )


@cached(newest=NEWEST, public=True)
def permuted_shown(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: str,
) -> Permuted:
    """The whole of it; kept when it is whole."""
    return finished(permuting_shown(lam, config, source, target, labels, validation, measure))


def asked(subject: Subject, lam: float, measure: str, sweep: Sweep | None = None) -> Asked:
    """What may be asked at λ."""
    assert subject.labels is not None  # nobody asks without
    config, validation = subject.made.config, subject.validation
    args = lam, config, subject.source, subject.target, subject.labels, validation, measure
    folds = 0 if sweep is None else sum(len(cell.how.folds) for cell in sweep.cells)
    return Asked(permuted_shown, permuting_shown, args, folds)


def known(subject: Subject, lam: float) -> dict[str, Permuted]:
    """What was found at λ, by measure; for table, files and scripts."""
    if subject.labels is None:
        return {}
    found = {measure: asked(subject, lam, measure).known for measure in COLUMNS}
    return {measure: one for measure, one in found.items() if one is not None}


def show(subject: Subject, lam: float, measure: str, sweep: Sweep) -> None:
    """Draw the button, or p of the joint kernel at λ."""
    found = asked_chance(asked(subject, lam, measure, sweep), key="complete")
    words = measure.replace("_", "-")
    say_p(found, subject.contestants[0].name, key="complete", measure=words)


def recipes(subject: Subject, lam: float, against: Mapping[str, Permuted]) -> list[Call]:
    """How a script computes it again, a recipe a measure that was asked for."""
    made, labels = subject.made, subject.labels
    source = method("source", made.source, "renamed", subject.source.name)
    return [
        call(
            "permuted", "completion_chance", made.config, source, subject.target, labels, subject.validation, lam,
            measure=measure, permutations=found.permutations,
        )
        for measure, found in against.items()
    ]  # fmt: skip
