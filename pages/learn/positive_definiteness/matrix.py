"""The matrix editor: similarities to click, the pattern of what is wrong, and what a support vector machine makes of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.studies.lessons.positive_definiteness import (
    Edited,
    Trained,
    dual_growth,
    edited,
    entry_interval,
    trained,
)
from pages.learn.positive_definiteness.setting import Setting
from pages.learn.positive_definiteness.three import LETTERS, NOT
from pages.learn.stage.marks import bars, cells, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.digits import number, percent
from pages.shared.figures.theme import ABOVE, BELOW, FITS, MARK, POSITIVE_EIGENVALUE

COST: Final = 10.0
COSTS: Final = (1.0, 10.0, 100.0)


def matrix(setting: Setting) -> Picture:
    """All that the lesson says of the edited matrix."""
    K = setting.K
    made = edited(K)
    y = np.array([-1.0 if sign == "-" else 1.0 for sign in setting.y])
    both = len(set(setting.y)) == 2
    machines = trained(K, y, COST) if both else ()
    dual = dual_growth(K, y, COSTS) if both else np.empty(0)
    panels = (_cells(setting, K), _interval(setting, K), _pattern(setting, made), _weights(setting, machines))
    return Picture(panels, _readings(made, machines, dual))


def _readings(made: Edited, machines: tuple[Trained, ...], dual: FloatArray) -> tuple[tuple[str, str], ...]:
    found = [("eigenvalues", ", ".join(number(float(each), 3) for each in made.eigenvalues))]
    if made.repairs:
        found.append(("negative mass", percent(made.diagnosis.negative_mass, 1)))
    found += [(f"{each.method} costs", number(each.distance)) for each in made.repairs]
    if machines:
        found.append(("dual at C = 1, 10, 100", ", ".join(number(float(each)) for each in dual)))
    return tuple(found)


def _cells(setting: Setting, K: FloatArray) -> Panel:
    n, (i, j) = setting.n, setting.pair
    rows, columns = (each.ravel() for each in np.indices((n, n)))
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    # both halves of the matrix name the same pair, each in its own way: what is clicked keeps the focus
    names = [f"{min(a, b)}-{max(a, b)}-{'u' if a < b else 'l'}" if a != b else None for a, b in pairs]
    return Panel(
        "Similarities", f"{n} rows and columns; the ringed pair is {LETTERS[i]} and {LETTERS[j]}.",
        Axis(-1.1, n - 0.4), Axis(-0.6, n + 0.1),
        (
            cells(columns, n - 1.0 - rows, [number(value, 2) for value in K.ravel()],
                  colour=[NOT if value < 0.0 else POSITIVE_EIGENVALUE for value in K.ravel()],
                  opacity=(0.12 + 0.5 * np.abs(K.ravel())).round(2).tolist(),
                  ring=[MARK if {a, b} == {i, j} else "" for a, b in pairs],
                  ids=names, says=[f"{LETTERS[a]} and {LETTERS[b]}: {number(K[a, b], 2)}" for a, b in pairs]),
            text([-0.8] * n, n - 1.0 - np.arange(n), list(LETTERS[:n]), bold=True, middle=True),
            text(np.arange(n), [n - 0.25] * n, list(LETTERS[:n]), bold=True, middle=True),
        ),
        note="click a pair to change it", aspect=1.0, bare=True, stretch=False, least=260,
    )  # fmt: skip


def _interval(setting: Setting, K: FloatArray) -> Panel:
    i, j = setting.pair
    found = entry_interval(K, i, j)
    low, high = found or (np.nan, np.nan)
    inside = found is not None and low - 1e-9 <= setting.value <= high + 1e-9
    pair = f"{LETTERS[i]} and {LETTERS[j]}"
    said = "no value makes a kernel" if found is None else f"{number(low, 3)} to {number(high, 3)}"
    return Panel(
        f"{pair}: what fits", f"A line from −1 to 1: {said}.",
        Axis(-1.1, 1.1, f"similarity of {pair}"), Axis(-1.0, 1.0, "", ()),
        (
            segments([-1.0], [0.0], [1.0], [0.0], colour="muted", width=2.0),
            segments([] if found is None else [low], [] if found is None else [0.0], [] if found is None else [high],
                     [] if found is None else [0.0], colour=FITS, width=8.0),
            points([setting.value], [0.0], colour=FITS if inside else NOT, size=14),
            text([0.0], [0.45], [said], colour=NOT if found is None else FITS, bold=True),
        ),
        note="the others as they are", aspect=0.5, least=260,
    )  # fmt: skip


def _pattern(setting: Setting, made: Edited) -> Panel:
    n, wrong = setting.n, made.diagnosis.indefinite
    values = made.pattern if wrong else np.zeros(n)
    length = text(
        [(n - 1) / 2.0],
        [0.85],
        [f"squared length {number(float(made.eigenvalues[0]))}"],
        colour=NOT if wrong else "ink",
    )
    return Panel(
        "What is wrong" if wrong else "A kernel",
        "Bars over the items: a sum with a negative squared length." if wrong else "No squared length is negative.",
        Axis(-0.6, n - 0.4, "", tuple((float(k), LETTERS[k]) for k in range(n))), Axis(-1.05, 1.05, ""),
        (
            segments([-0.6], [0.0], [n - 0.4], [0.0], colour="muted", width=1.0),
            bars(np.arange(n), values, wide=0.6, colour=NOT),
            length,
        ),
        note="a sum of items" if wrong else "no negative eigenvalue", least=260,
    )  # fmt: skip


def _weights(setting: Setting, machines: tuple[Trained, ...]) -> Panel:
    n, at = setting.n, np.arange(setting.n)
    first = machines[0].beta if machines else np.zeros(n)
    second = machines[1].beta if len(machines) > 1 else np.zeros(n)
    shades = [BELOW if sign == "-" else ABOVE for sign in setting.y]
    count = len(machines)
    note = "the same from every start" if count == 1 else f"{count} machines, each taken for optimal"
    if count and not first.any():
        note = "says the same of every item"
    signs = [f"{LETTERS[k]} {'−' if setting.y[k] == '-' else '+'}" for k in range(n)]
    return Panel(
        f"An SVM at C = {COST:g}", f"Bars over the items: their weights in {count or 'no'} machine{'s' * (count != 1)}.",
        Axis(-0.6, n - 0.4, "click an item to change its class", tuple((float(k), signs[k]) for k in range(n))),
        Axis(-11.5, 11.5, "weight"),
        (
            segments([-0.6], [0.0], [n - 0.4], [0.0], colour="muted", width=1.0),
            bars(at - 0.19, first, wide=0.34, colour=shades),
            bars(at + 0.19, second, wide=0.34, colour=shades, opacity=0.45),
            points(at, [-11.0] * n, colour=shades, size=11,
                   marker=["circle" if sign == "-" else "diamond" for sign in setting.y],
                   ids=[f"item-{k}" for k in range(n)], says=[f"Class of {LETTERS[k]}: {setting.y[k]}" for k in range(n)]),
        ),
        note=note if count else "set items of both classes", least=260,
    )  # fmt: skip
