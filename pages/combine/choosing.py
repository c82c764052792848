"""Choose λ, and with it how both kernels are combined: opened by the button in the bar of the pictures."""

from __future__ import annotations

from kernex_core.studies.combination import CombinationScores, combination_names
from pages.combine import pictures
from pages.combine.accuracy import chart
from pages.combine.settings import LAM
from pages.combine.subject import Subject
from pages.shared.answer.choosing import Choosing, choose, is_asked


def dialog_if_asked(subject: Subject, found: CombinationScores | None, lam: float) -> None:
    """Open the dialog where the button was pressed."""
    if not is_asked(pictures.KEY) or found is None or found.done < found.total:
        return
    named = {
        name: key for key, name in combination_names(found, subject.first.name, subject.second.name).items()
    }
    # without the floor: nobody sees what happens between 95 and 98 on a scale that begins at 28
    choose(
        Choosing(
            "λ", subject.choosing(), "combine", lambda name: _used(*named[name]),
            now=f"joint (λ = {lam:g})", picture=lambda: chart(subject, found, lam, 240, floor=False),
        )
    )  # fmt: skip


def _used(kind: str, lam: float) -> dict[str, object]:
    """What is set: the combination that is kept, and λ where it has one."""
    return {"combine.kind": kind} | ({} if kind == "product" else {LAM: lam})
