"""The matrix editor: similarities to click, the pattern of what is wrong, and what a support vector machine makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.studies.lessons.positive_definiteness import (
    CHALLENGE,
    FEWEST,
    MOST,
    SHARE_OF_CUBE,
    Edited,
    ThreeItems,
    Trained,
    band,
    check_largest,
    determinant,
    dual_growth,
    edited,
    elliptope,
    entry_interval,
    repairs_of,
    share_of_square,
    three_items,
    trained,
    two_unknown,
)
from pages.learn.stage import (
    Axis,
    Mark,
    Panel,
    Picture,
    Sight,
    bars,
    cells,
    edges_of_box,
    line,
    points,
    segments,
    text,
)
from pages.server.digits import number, percent
from pages.ui.figures.theme import ABOVE, BELOW, FITS, MARK, NEGATIVE_EIGENVALUE, POSITIVE_EIGENVALUE

# What the controls of the lesson on positive definiteness say, and the edited matrix as the address says it.

STEPS: Final = {
    "one": "One unknown", "two": "Two unknown", "body": "Three unknown", "matrix": "A matrix of yours",
}  # fmt: skip
SIGNS: Final = {3: "-+-", 4: "-++-", 5: "-+-+-", 6: "-++-+-"}
"""Classes of the items, before any is changed."""
_CORRELATION: Final = {"low": -1.0, "high": 1.0, "step": 0.01}


@dataclass(frozen=True)
class Setting:
    """Controls of all steps, and what was clicked."""

    r12: float = parameter(0.9, label="A and B", symbol="r₁₂", help="Similarity of A and B.", **_CORRELATION)
    r23: float = parameter(0.9, label="B and C", symbol="r₂₃", help="Similarity of B and C.", **_CORRELATION)
    r13: float = parameter(0.1, label="A and C", symbol="r₁₃", help="Similarity of A and C.", **_CORRELATION)
    turn: float = parameter(
        0.0, label="Turn", low=0.0, high=360.0, step=10.0, help="From where the body is seen, in degrees."
    )
    n: int = parameter(3, label="Items", low=FEWEST, high=MOST, step=1, help="Size of the matrix.")
    value: float = parameter(
        0.1, label="Similarity", low=-1.0, high=1.0, step=0.05, help="Of the ringed pair; click another to change that."
    )  # fmt: skip
    step: str = "one"
    edits: str = ""
    at: str = ""
    signs: str = ""
    revealed: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def pair(self) -> tuple[int, int]:
        """Places of the pair that is edited."""
        ends = self.at.split("-")
        if len(ends) == 2 and all(end.isdecimal() and len(end) == 1 for end in ends):
            i, j = sorted(map(int, ends))
            if i < j < self.n:
                return i, j
        return 0, 2

    @property
    def K(self) -> FloatArray:
        """(n, n) the matrix, with the pair's value as the slider says it."""
        made = read(self.edits, self.n).copy()
        i, j = self.pair
        made[i, j] = made[j, i] = self.value
        return made

    @property
    def y(self) -> str:
        """Classes of the items, "-" or "+"."""
        found = self.signs.replace("p", "+").replace("m", "-")
        return found if len(found) == self.n and set(found) <= {"-", "+"} else SIGNS[self.n]


def read(text: str, n: int) -> FloatArray:
    """Return the matrix of an address, "90_10_90" for three items; of another size, or none, similar neighbours."""
    parts, rows = text.split("_"), np.triu_indices(n, 1)
    made = band(n)
    if len(parts) != rows[0].size or not all(
        part.lstrip("-").isdecimal() and len(part) <= 4 for part in parts
    ):
        return made
    values = np.clip([int(part) / 100.0 for part in parts], -1.0, 1.0)
    made = made.copy()
    made[rows] = values
    made.T[rows] = values
    return made


def written(K: FloatArray) -> str:
    """Return a matrix as the address says it: hundredths of what stands above the diagonal."""
    return "_".join(str(round(100.0 * value)) for value in K[np.triu_indices(len(K), 1)])


# Pictures of three similarities: an interval, an ellipse, a body.

NOT = NEGATIVE_EIGENVALUE
LETTERS: Final = "ABCDEF"
SIDE: Final = 30.0
"""From where the body is seen before it is turned, in degrees."""
NUGGET: Final = 0.1
ALL: Final = Axis(-1.05, 1.05, "r₁₃, similarity of A and C")
LINES, EVERY = 25, 3


def made_of(setting: Setting) -> ThreeItems:
    """What the core says of the three similarities."""
    return three_items(setting.r12, setting.r23, setting.r13)


def asked() -> Picture:
    """Before the bet: three items, two similarities, and one that nobody has measured."""
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    return Picture((
        Panel(
            "Three items", "A triangle of A, B and C: 0.9 between A and B, 0.9 between B and C, unknown between A and C.",
            Axis(-0.4, 2.4), Axis(-0.4, 1.4),
            (
                segments([0.0, 1.0], [0.0, 1.0], [1.0, 2.0], [1.0, 0.0], colour=POSITIVE_EIGENVALUE, width=4.0),
                segments([0.0], [0.0], [2.0], [0.0], colour="muted", width=2.0, dash="5 5"),
                points(corners[:, 0], corners[:, 1], colour=POSITIVE_EIGENVALUE, size=34, labels=list("ABC"), inside=True),
                text([0.38, 1.62, 1.0], [0.55, 0.55, 0.07], ["0.9", "0.9", "?"], size=15, bold=True),
            ),
            aspect=0.6, bare=True, stretch=False,
        ),
    ))  # fmt: skip


def one(setting: Setting) -> Picture:
    """r13 alone is unknown: its interval, and what is wrong outside it."""
    made = made_of(setting)
    x = np.linspace(-1.0, 1.0, 161)
    det = np.maximum(determinant(setting.r12, setting.r23, x), -1.6)
    colour = FITS if made.fits else NOT
    panel = Panel(
        "What fits", f"The determinant over r₁₃: at least 0 from {number(made.low)} to {number(made.high)}.",
        ALL, Axis(-1.3, 1.08, "determinant"),
        (
            line([made.low, made.high, made.high, made.low], [-1.3, -1.3, 1.08, 1.08], FITS, width=0.0, closed=True,
                 fill=0.16),
            segments([-1.05], [0.0], [1.05], [0.0], colour="muted", width=1.0),
            line(x, det.round(4), "ink"),
            segments([made.low], [0.0], [made.high], [0.0], colour=FITS, width=6.0),
            points([made.middle], [made.largest_det], colour="ink", marker="diamond", size=10),
            points([made.through], [made.largest_det], colour=MARK, marker="x", size=9),
            segments([setting.r13], [-1.3], [setting.r13], [1.08], colour=colour, width=1.5, dash="4 4"),
            points([setting.r13], [max(made.det, -1.25)], colour=colour, size=13),
        ),
        note="◆ largest; × extrapolation", weight=1.5,
    )  # fmt: skip
    return Picture((panel, _three_pattern(made)), _three_readings(setting, made))


def _three_readings(setting: Setting, made: ThreeItems) -> tuple[tuple[str, str], ...]:
    ridged = three_items(setting.r12, setting.r23, setting.r13, nugget=NUGGET).through
    challenged = (setting.r12, setting.r23) == CHALLENGE and not check_largest(setting.r13).right
    found = (
        ("fits from", "find it" if challenged else f"{number(made.low, 3)} to {number(made.high, 3)}"),
        ("largest determinant", f"{number(made.largest_det)} at {number(made.middle)}"),
        ("extrapolation through B", f"{number(made.through)}, with nugget {NUGGET:g}: {number(ridged)}"),
        ("eigenvalues", ", ".join(number(float(each)) for each in made.eigenvalues)),
    )
    if made.fits:
        return found
    repaired = (
        (f"{each.method} costs", f"{number(each.distance)} (r₁₃ {number(float(each.K[0, 2]))})")
        for each in repairs_of(made.K)
    )  # fmt: skip
    return (*found, ("negative mass", percent(made.negative_mass, 1)), *repaired)


def _three_pattern(made: ThreeItems) -> Panel:
    values = np.zeros(3) if made.fits else made.pattern
    said = f"squared length {number(float(made.eigenvalues[0]))}"
    wrong = "Bars over A, B and C: the combination whose squared length is negative."
    return Panel(
        "What is wrong" if not made.fits else "Nothing is wrong", "The three fit together." if made.fits else wrong,
        Axis(-0.6, 2.6, "", tuple((float(k), LETTERS[k]) for k in range(3))), Axis(-1.05, 1.05, ""),
        (
            segments([-0.6], [0.0], [2.6], [0.0], colour="muted", width=1.0),
            bars(np.arange(3), values, wide=0.6, colour=NOT),
            text([1.0], [0.85], [said], colour="ink" if made.fits else NOT),
        ),
        note="no negative length" if made.fits else "a sum of items", least=210,
    )  # fmt: skip


def two(setting: Setting) -> Picture:
    """r12 is known: r13 and r23 lie in an ellipse."""
    made, ellipse = made_of(setting), two_unknown(setting.r12)
    outline = ellipse.outline(np.linspace(0.0, 2.0 * np.pi, 97)).round(4)
    panel = Panel(
        "Pairs that fit", "An ellipse in the square of all pairs: the similarities of C to A and to B that fit to r₁₂.",
        Axis(-1.05, 1.05, "r₁₃, A and C"), Axis(-1.05, 1.05, "r₂₃, B and C"),
        (
            line([-1, 1, 1, -1], [-1, -1, 1, 1], "muted", closed=True, width=1.0),
            line(outline[:, 0], outline[:, 1], FITS, closed=True, fill=0.2),
            points([0.0], [0.0], colour="ink", marker="diamond", size=10),
            points([setting.r13], [setting.r23], colour=FITS if made.fits else NOT, size=13),
        ),
        note="◆ largest determinant", aspect=1.0, stretch=False,
    )  # fmt: skip
    half = ", ".join(number(float(each)) for each in ellipse.half_axes)
    readings = (
        ("half-axes √(1 ± r₁₂)", half), ("of the square", percent(share_of_square(setting.r12), 1)),
        ("determinant", number(made.det)), ("smallest eigenvalue", number(float(made.eigenvalues[0]))),
    )  # fmt: skip
    return Picture((panel, _table(setting)), readings)


def _table(setting: Setting) -> Panel:
    K = made_of(setting).K
    rows, columns = np.indices((3, 3))
    return Panel(
        "The matrix", "Three rows and columns of similarities.", Axis(-1.1, 2.6), Axis(-0.6, 3.1),
        (
            cells(columns.ravel(), 2.0 - rows.ravel(), [number(value, 2) for value in K.ravel()], colour=_shades(K),
                  opacity=(0.15 + 0.5 * np.abs(K.ravel())).round(2).tolist()),
            text([-0.8] * 3, [2.0, 1.0, 0.0], list("ABC"), bold=True, middle=True),
            text([0.0, 1.0, 2.0], [2.75] * 3, list("ABC"), bold=True, middle=True),
        ),
        aspect=1.0, bare=True, stretch=False, weight=0.7, least=200,
    )  # fmt: skip


def _shades(K: np.ndarray) -> list[str]:
    return [NOT if value < 0.0 else POSITIVE_EIGENVALUE for value in K.ravel()]


def body(setting: Setting) -> Picture:
    """All three are unknown: the body, its slice at r12, and the point of the three sliders."""
    made, sight = made_of(setting), Sight(SIDE + setting.turn)
    surface = sight.project(elliptope(LINES))
    mesh = [*np.moveaxis(surface, 0, -1)[::EVERY], *np.moveaxis(surface, 0, -1).swapaxes(0, 1)[::EVERY]]
    drawn = np.concatenate([np.vstack([each, [np.nan, np.nan]]) for each in mesh]).round(3)
    ring = two_unknown(setting.r12).outline(np.linspace(0.0, 2.0 * np.pi, 49))
    cut = sight.project(np.column_stack([np.full(len(ring), setting.r12), ring]).T).round(3)
    at = sight.project(np.array([[setting.r12], [setting.r13], [setting.r23]]))
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=float).T
    tips, centre = sight.project(corners), sight.project(np.zeros((3, 1)))
    panel = Panel(
        "Triples that fit", "A body like a swollen tetrahedron inside the cube of all triples.",
        Axis(-1.75, 1.75), Axis(-1.65, 1.65), (*_cube(sight), *_inside(drawn, cut), *(
            points(tips[0], tips[1], colour="ink", size=6),
            points(centre[0], centre[1], colour="ink", marker="diamond", size=9),
            points(at[0], at[1], colour=FITS if made.fits else NOT, size=13),
        )),
        note="◆ largest determinant; ring: with this r₁₂", aspect=0.94, bare=True, stretch=False,
    )  # fmt: skip
    readings = (
        ("of the cube", percent(SHARE_OF_CUBE, 1)), ("determinant", number(made.det)),
        ("smallest eigenvalue", number(float(made.eigenvalues[0]))),
    )  # fmt: skip
    return Picture((panel, _table(setting)), readings)


def _cube(sight: Sight) -> tuple[Mark, ...]:
    a, b = np.moveaxis(sight.project(np.moveaxis(edges_of_box([-1.0] * 3, [1.0] * 3), -1, 0)), -1, 0)
    ends = sight.project(np.array([[0.0, -1.0, -1.0], [-1.0, 0.0, -1.0], [-1.0, -1.0, 0.0]]).T)
    return (
        segments(*a.round(3), *b.round(3), colour="edge", width=1.0),
        text(ends[0].round(3), ends[1].round(3), ("r₁₂", "r₁₃", "r₂₃"), colour="muted"),
    )


def _inside(drawn: np.ndarray, cut: np.ndarray) -> tuple[Mark, ...]:
    return (
        line(drawn[:, 0], drawn[:, 1], FITS, width=0.8),
        line(cut[0], cut[1], MARK, closed=True, fill=0.12, width=2.0),
    )


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
