"""The joint kernel beside every plain alternative: accuracy and error in one table, on the page Complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.leakage import State, state_of
from kernex_core.studies.completion.candidates import OTHER_JOINT, Answer, Contestant, scores_by_role
from kernex_core.studies.completion.share_sweep import TWO_MACHINES, Curve, Sweep, level_curve
from kernex_core.studies.completion.study import other_joint_error
from pages.complete import results as against_chance
from pages.export.downloads import csv_button
from pages.server.digits import number, p_value, percent
from pages.server.messages import plain
from pages.ui import shown as drawn
from pages.ui.panels.chance import chance_columns, p_against_chance

if TYPE_CHECKING:
    from pages.complete.subject import Subject

WHOLE = "nothing hidden; no ceiling: completed kernels can beat it"
"""What the complete target is: it knows what is hidden, so it is beside the others and not among them."""


def show(subject: Subject, answer: Answer, sweep: Sweep | None, verdict: Verdict | None) -> None:
    """Draw the table."""
    rows = table(subject, answer, sweep, verdict)
    drawn.table(
        "complete.baselines",
        {
            "kernel": [
                f"**{plain(str(row['kernel']))}**" if place == 0 else plain(str(row["kernel"]))
                for place, row in enumerate(rows)
            ],
            "meaning": [f":gray[{plain(str(row['meaning']))}]" for row in rows],
            "multi-class": [_accuracy(row, "multi_class") for row in rows],
            "one-vs-rest": [_accuracy(row, "one_vs_rest") for row in rows],
            "beside the best": [_told(row) for row in rows],
            **_chances(subject, answer.lam, [str(row["kernel"]) for row in rows]),
            "error on hidden pairs": [_error(row) for row in rows],
        },
        title="Beside the baselines",
    )
    st.caption(
        "Accuracy: mean [95\u00a0%] ± sd over repetitions, each with its own hidden items and "
        "folds. Error: root "
        "mean square on the pairs with a hidden item that the heatmaps show; every kernel is scaled by least squares "
        "first. Kernels are judged as they are kept: nothing is added to one and not to another. Beside the best: by "
        "the measure of the chart, p corrected for all pairs (Holm)."
    )
    csv_button("Table as CSV", lambda: rows, "baselines", key="complete.baselines.csv")


def table(
    subject: Subject, answer: Answer, sweep: Sweep | None, verdict: Verdict | None = None
) -> list[dict[str, object]]:
    """Return one row a contestant, and one of the complete target; NaN where nothing can be said.

    `p` is that of the verdict, beside the best and after correction.
    """
    made, errors = subject.made, {}
    if made.hidden.any():
        errors = {
            "joint": answer.view.hidden_error,
            **made.errors,
            OTHER_JOINT: other_joint_error(made, answer.lam),
        }
    rows: list[dict[str, object]] = []
    known = against_chance.known(subject, answer.lam)
    whole = Contestant("target", f"{subject.target.name}, complete", WHOLE)
    for each in (*subject.contestants, whole):
        row: dict[str, object] = {
            "kernel": each.name,
            "meaning": each.meaning,
            "error": errors.get(each.role, np.nan),
            "mode": _seen(subject, each.role).words,
        }
        for field, values in _values(each.role, answer, sweep).items():
            row[field], row[f"{field}_sd"], row[f"{field}_from"], row[f"{field}_to"] = values
        row |= _beside_the_best(each, verdict)
        row |= chance_columns(known, each.name)
        rows.append(row)
    return rows


def _seen(subject: Subject, role: str) -> State:
    """What a kernel of the table has seen of tested items."""
    source, target = subject.made.source, subject.made.known_target
    alone = {"source": (source,), "target": (target,), TWO_MACHINES: (source, target)}
    return state_of(seen_of(*alone[role]) if role in alone else seen_of(source, target) | ITEMS)


def _values(role: str, answer: Answer, sweep: Sweep | None) -> dict[str, tuple[float, ...]]:
    found: dict[str, tuple[float, ...]] = dict.fromkeys(COLUMNS, (np.nan,) * 4)
    if sweep is None or answer.accuracy is None:
        return found
    judged = scores_by_role(sweep, answer.accuracy.scores, answer.accuracy.other)
    judged["target"] = sweep.levels.get("target", ())
    scores = judged.get(role, ())
    if not scores:
        return found
    curves = level_curve(scores)
    return {field: _numbers(curve) for field, curve in zip(COLUMNS, curves, strict=True)}


def _beside_the_best(each: Contestant, verdict: Verdict | None) -> dict[str, float | str]:
    found = [] if verdict is None else [one for one in verdict.candidates if one.name == each.name]
    if not found or verdict is None:
        return {"beside_the_best": "", "p": np.nan}
    (one,) = found
    if one is verdict.best:
        return {"beside_the_best": "best", "p": np.nan}
    return {"beside_the_best": "worse" if one.told_apart else "not told apart", "p": one.p}


def _chances(subject: Subject, lam: float, names: list[str]) -> dict[str, list[str]]:
    """Columns of p against chance, a measure each; none before it was asked for."""
    return {
        f"{measure.replace('_', '-')} against chance": [
            p_against_chance(found, name) or "—" for name in names
        ]
        for measure, found in against_chance.known(subject, lam).items()
    }


def _told(row: dict[str, object]) -> str:
    told, p = str(row["beside_the_best"]), _float(row["p"])
    if not told:
        return "—"
    return f"**{told}**" if np.isnan(p) else f"{told} :gray[p\u00a0{p_value(p)}]"


def _numbers(curve: Curve) -> tuple[float, ...]:
    return tuple(float(part[0]) for part in (curve.mean, curve.sd, curve.low, curve.high))


def _float(value: object) -> float:
    assert isinstance(value, float)
    return value


def _accuracy(row: dict[str, object], field: str) -> str:
    mean, sd, low, high = (_float(row[f"{field}{end}"]) for end in ("", "_sd", "_from", "_to"))
    if np.isnan(mean):
        return "—"
    shown = f"{percent(mean, 1)} :gray[[{100 * low:.1f}, {100 * high:.1f}]]"
    return shown if np.isnan(sd) else f"{shown} :gray[± {100 * sd:.1f}]"


def _error(row: dict[str, object]) -> str:
    value = _float(row["error"])
    return "—" if np.isnan(value) else number(value, 3)
