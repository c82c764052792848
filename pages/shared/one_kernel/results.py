"""What the page Kernels gives away: the chosen kernel for the workspace, its files and its script."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kernex_core.gram.provenance import Call, write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.studies.combination import NO_REPAIR, Treatment
from kernex_core.studies.inspection import InspectionConfig
from pages.shared.answer.choice_of_kernels import Picked, choice_of_kernels
from pages.shared.figures.picture import Picture
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.shared.panels.several.chance import chance_recipe, known_chance, printed_chance


def keep(
    title: str,
    config: InspectionConfig,
    row: Treatment,
    made: Judgement | None,
    picture: Callable[[], Picture],
    every: Mapping[str, Judgement],
) -> None:
    """Draw name, button, downloads and script of the chosen kernel; `every` is what p against chance is of."""
    against = known_chance(every)
    result = Result(
        suggested_name(title, config, row),
        kernel=lambda: row.gram,
        figure=Drawing(
            picture,
            title=title,
            settings=settings(title, row),
        ),
        script=Offer(
            lambda: script(title, row, made, chance_recipe(against, every)),
            help="Python that computes this kernel, and its accuracy, again with kernex_core alone.",
        ),
    )
    keep_row(result, key="kernels", keep=Keep(named=True))


def suggested_name(title: str, config: InspectionConfig, row: Treatment) -> str:
    """Return the kernel's name with what was done to it: "structure, log1p, cosine, clip"."""
    parts = [title]
    if config.elements != "power":
        parts.append(config.elements)
    elif config.p != 1.0:
        parts.append(f"p={config.p:g}")
    if config.normalize != "none":
        parts.append(config.normalize)
    return ", ".join([*parts, row.method] if row.changed else parts)


def settings(title: str, row: Treatment) -> dict[str, str]:
    """Return what a downloaded figure says about itself."""
    steps = ", then ".join(step.name for step in row.gram.steps) or "none"
    return {"kernel": title, "items": f"{row.gram.n:,}", "steps": steps}


def different(judged: Mapping[str, Judgement]) -> dict[str, Judgement]:
    """Return the accuracies that differ: repairs that leave a kernel as it is share one, under the name of the first."""
    found: dict[str, Judgement] = {}
    for name, made in judged.items():
        if not any(made is other for other in found.values()):
            found[name] = made
    return found


def named_among(every: Mapping[str, Judgement], made: Judgement) -> str:
    """Return under which name an accuracy stands there."""
    return next(name for name, other in every.items() if other is made)


def script(title: str, row: Treatment, made: Judgement | None, permuted: tuple[Call, ...] = ()) -> str:
    """Script of the chosen kernel, of its accuracy where there is one, and of p against chance where it was asked for."""
    results, prints = [row.gram.recipe], ["$0.values"]
    if made is not None:
        results.append(made.recipe)
        prints += ["$1.multi_class", "$1.rests_on, $1.interval()", "$1.state.words"]
        results += permuted
        prints += [printed_chance(2)] if permuted else []
    return write_script(results, heading=f"Kernex: {title}, repair {row.method}", prints=prints)


def choice_of_repair(
    labels: Labels | None,
    rows: Mapping[str, Treatment],
    judged: Mapping[str, Judgement],
    validation: CrossValidation,
    now: str,
) -> None:
    """Offer to choose the repair inside the training folds, once all are judged; those that change nothing are one."""
    if labels is None or len(judged) < sum(row.can_be_judged for row in rows.values()):
        return
    different = {
        name: row for name, row in rows.items() if name in judged and (row.changed or name == NO_REPAIR)
    }
    kernels = {method: row.subject for method, row in different.items()}
    for row in list(different.values())[:1]:
        known = labels if row.known.size == row.gram.n else labels.take(row.known)
        picked = Picked("repair", "repair", "kernels.repair", now)
        choice_of_kernels(judged, kernels, known, validation, picked)
