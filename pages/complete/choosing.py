"""Choose λ: opened by the button in the bar of the pictures."""

from __future__ import annotations

from kernex_core.studies.completion.candidates import Answer
from kernex_core.studies.completion.share_sweep import Sweep
from pages.complete import pictures
from pages.complete.accuracy import over_lam
from pages.complete.subject import QUICK, Subject
from pages.shared.answer.choosing import Choosing, choose, is_asked


def dialog_if_asked(subject: Subject, answer: Answer, sweep: Sweep | None) -> None:
    """Open the dialog where the button was pressed."""
    if sweep is None or not is_asked(pictures.KEY):
        return
    # without the floor: from 28 to 100 nobody sees what happens between 95 and 98
    curve = (
        (lambda: over_lam(subject, sweep, answer.lam, 240, floor=False)) if subject.made.m <= QUICK else None
    )
    choose(
        Choosing(
            "λ", subject.choosing_lam(), "complete", lambda name: ("lam", float(name.partition("=")[2])),
            now=f"λ = {answer.lam:g}", picture=curve,
        )
    )  # fmt: skip
