"""What is found on the page Complete together: who lacks what, and how far to trust what stands there now."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.completion.views.methods import CompletedKernels, view_completion
from kernex_core.inputs.names import counted
from pages.combine.several.subject import Subject
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.theme import number, percent

TRUST, MOVE, LOWEST = "Trust", "Last move", "Smallest eigenvalue"
NAMES: Final = (TRUST, MOVE, LOWEST)
TRUST_HELP: Final = (
    "Share of an item's own similarity that the other kernels explain; median over all that was lacking."
)
MOVE_HELP: Final = (
    "How far the last sweep moved all entries, as a share of their size. Below 0.1 % the sweeps end."
)
LOWEST_HELP: Final = (
    "Of all completed kernels. At least 0 up to rounding: each is positive semidefinite by construction."
)


def lacking(subject: Subject) -> str:
    """Say how many kernels lack how many items."""
    covered, gone = subject.covered, (~subject.covered.known).sum(axis=1)
    low, high = int(gone[gone > 0].min()), int(gone.max())
    many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"{len(subject.incomplete)} of {len(covered.names)} kernels lack {many} of {counted(len(covered.ids), 'item')}"


def fill(place: VerdictPlace, subject: Subject, made: CompletedKernels, way: str) -> None:
    """Write it."""
    views, title = made.views, view_completion(way).title
    if views is None:
        place.say(
            f"{lacking(subject)}. Filled in by {title}, which has no objective and no trust: the joint ways have."
        )
        for at in range(len(NAMES)):
            place.without(at)
        return
    place.say(f"{lacking(subject)}. The others complete them ({title}); what each had stays as it came.")
    trust = float(np.median(views.trust[~views.known]))
    place.number(0, TRUST, percent(trust), "", TRUST_HELP)
    note = "ended" if views.converged else "sweeps ended before"
    place.number(1, MOVE, f"{100.0 * views.gap:.2g} %", note, MOVE_HELP)
    place.number(2, LOWEST, number(float(views.smallest_eigenvalues.min())), "", LOWEST_HELP)


def nothing_lacks(place: VerdictPlace, subject: Subject) -> None:
    """Say that there is nothing to complete."""
    place.say(f"Nothing to complete: each of these {len(subject.covered.names)} kernels has every item.")
    for at in range(len(NAMES)):
        place.without(at)
