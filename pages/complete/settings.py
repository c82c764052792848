"""The controls of the page Complete: what is hidden, how kernels are conditioned, and how they are judged."""

from __future__ import annotations

from dataclasses import replace

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.joint.complete import Complete
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.config import CompletionConfig
from pages.shared.controls import controls
from pages.shared.declared.settings import declared, of, setting
from pages.shared.glossary.entries import hint
from pages.shared.panels import linked, source_target
from pages.shared.panels.arrangement import orders
from pages.shared.panels.inspection import eigenvectors
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets
from pages.shared.shown.remarks import copies_among, copies_width

VALIDATION_FIELDS = ("folds", "repeats", "C")
AS_UPLOADED = "as uploaded"
FIRST_FIELDS = ("nugget", "seed", "constraint")
SETTING_FIELDS = ("repair", "repair_whole", "normalize", "normalize_after", "residual")
HIDDEN = "Hidden share of the target kernel"
SETTINGS = declared(
    *source_target.SETTINGS,
    setting("hidden", HIDDEN), setting("hidden_more", HIDDEN),
    *of(CompletionConfig, *FIRST_FIELDS, *SETTING_FIELDS),
    *of(CrossValidation, prefix="cv_"),
    *of(Complete, "lam"), *orders(), *linked.SETTINGS, setting("measure", "Measure"), *eigenvectors.SETTINGS,
)  # fmt: skip


def settings(dataset: DataSet, target: GramMatrix) -> CompletionConfig:
    """Draw the controls above the matrices."""
    start = CompletionConfig(nugget=dataset.defaults.nugget)
    share_slot, *slots = places(330, 180, 130, "content", align="bottom")
    with share_slot:
        share = _share(int((~target.known).sum()))
    config = controls(start, "", only=FIRST_FIELDS, slots=slots)
    more = places("content", "content", "content", "content", "content", align="bottom")
    config = controls(config, "", only=SETTING_FIELDS, slots=more)
    return replace(config, share=share)


def validation_of(dataset: DataSet, seed: int) -> CrossValidation:
    """Draw the protocol above the accuracies that it changes; items without classes have none."""
    protocol = CrossValidation(C=dataset.defaults.C, seed=seed)
    if dataset.judgeable is None:
        return protocol
    more = copies_among(dataset)
    slots = places("content", 150, 300, *copies_width(more), align="bottom")
    key = f"complete.cv.{dataset.name}"
    return controls(protocol, key, only=(*VALIDATION_FIELDS, *more), slots=slots, prefix="cv_")


def _share(unknown: int) -> float | None:
    """Hidden share from a slider in steps of 5 %; where items are unknown anyway it starts at "as uploaded"."""
    options = ([AS_UPLOADED] if unknown else []) + [f"{five} %" for five in range(5, 100, 5)]
    chosen = widgets.stop(
        # the options differ, so the two sliders are two widgets
        "hidden" if not unknown else "hidden_more",
        options,
        default=AS_UPLOADED if unknown else "25 %",
        help=hint(
            "Hidden share",
            first=f"As uploaded: only the {unknown} items that are unknown anyway." if unknown else "",
        ),
    )
    return None if chosen == AS_UPLOADED else int(chosen.split()[0]) / 100.0
