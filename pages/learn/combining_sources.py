"""Lesson: to add kernels is ridge regression, to learn their weights is a lasso."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.lessons import combining_sources as core
from kernex_core.studies.lessons.catalogue import Check
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Mark, Panel, Picture, bars, cells, line, points, segments, text
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ABOVE, BELOW, FITS

# Coefficients of sources over λ, their weights, and the table that the machine sees.

COLOURS: Final = (BELOW, FITS, "#8b78ad", ABOVE)
BET: Final = "#7a3e9d"
PLACES: Final = np.arange(4.0)


@dataclass(frozen=True)
class Setting:
    """What the controls say; the bet, and whether the answer is open."""

    sources: str = parameter(
        "noise", label="Sources", help="Three that explain y, perhaps with noise, or four that lie on a path.",
        choices=("three", "noise", "path"), names=("Three sources", "Three, and one of noise", "Four on a path"),
    )  # fmt: skip
    lam: float = parameter(
        0.2, label="Penalty", symbol=r"\lambda", help="The larger, the less the coefficients may be.", low=core.LOW,
        high=core.HIGH, stops=core.LAMS,
    )  # fmt: skip
    scale: int = parameter(
        1,
        label="Units of x₃, times",
        help="Its numbers times so many.",
        low=core.SCALES[0],
        high=core.SCALES[-1],
    )
    bet: str = ""

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def given(self) -> core.Sources:
        """The sources."""
        return core.sources(noise=self.sources == "noise", scale=self.scale)

    @property
    def at(self) -> int:
        """Number of the stop."""
        return core.LAMS.index(self.lam)


@cached(shared=True)
def paths(noise: bool, scale: int) -> tuple[core.Combined, ...]:
    """Both combinations at all stops of λ."""
    return core.combine_all(core.sources(noise=noise, scale=scale))


@cached(shared=True)
def on_path(lam: float) -> core.GraphCombined:
    """Lasso and graph lasso at one λ."""
    return core.combine_on_path(lam)


def asked() -> Picture:
    """The data of the question: what each source says of each item, and y."""
    given = core.sources(noise=True)
    table = _table(given.names, given.X, np.ones(4), "Four sources", "one column each", 0.62)
    return Picture((table,))


def drawn(setting: Setting) -> Picture:
    """Draw what the control says."""
    return _path_picture(setting) if setting.sources == "path" else _sources_picture(setting)


def _sources_picture(setting: Setting) -> Picture:
    found = paths(setting.sources == "noise", setting.scale)
    now, given = found[setting.at], setting.given
    weights = np.nan_to_num(now.weights)
    note = "times √η: the weighted sum puts them side by side"
    weighed = zip(given.names, now.weights, strict=True)
    readings = (
        ("λ", number(setting.lam)), *((f"η of {name}", number(float(w), 3)) for name, w in weighed),
        *((f"{name} in the plain sum", number(float(v), 3)) for name, v in zip(given.names[3:], now.ridge[3:], strict=True)),
    )  # fmt: skip
    panels = (
        _lines(given.names, found, setting.lam),
        _compared("Coefficients", given.names, now.beta, now.ridge, "solid: learned; pale: plain sum", setting.bet),
        _table(given.names, given.X * np.sqrt(weights), weights, "The table that the machine sees", note, 0.3),
    )  # fmt: skip
    return Picture(panels, readings)


def _lines(names: tuple[str, ...], found: tuple[core.Combined, ...], lam: float) -> Panel:
    """Coefficients over λ: learned weights (solid) and plain sum (dashed)."""
    x, marks = np.log10(core.LAMS), list[Mark]()
    learned, plain = (np.array([getattr(each, field) for each in found]) for field in ("beta", "ridge"))
    for j, name in enumerate(names):
        marks.append(line(x, plain[:, j], COLOURS[j], width=1.5, dash="5 4"))
        marks.append(line(x, learned[:, j], COLOURS[j], width=2.5, name=name, name_at=0, shift=[4, -6]))
    low, high = min(-0.05, float(plain.min()) - 0.05), 1.08 * float(max(plain.max(), learned.max()))
    marks.append(segments([np.log10(lam)], [low], [np.log10(lam)], [high], colour="ink", width=1.5))
    ticks = tuple((float(np.log10(v)), number(v)) for v in (0.05, 0.2, 1.0, 4.0))
    return Panel(
        "Coefficients over λ", "Lines: the coefficient of every source as λ grows, by learned weights and by the plain sum.",
        Axis(float(x[0]), float(x[-1]), "λ", ticks), Axis(low, high, "β"), tuple(marks),
        note="solid: learned; dashed: plain sum", aspect=0.72, least=270,
    )  # fmt: skip


def _compared(
    title: str, names: tuple[str, ...], first: FloatArray, second: FloatArray, note: str, bet: str = ""
) -> Panel:
    """Coefficients side by side; the bet stands over the noise."""
    x = np.arange(len(names), dtype=np.float64)
    marks = [
        bars(x - 0.2, first, wide=0.36, colour=list(COLOURS[: x.size])),
        bars(x + 0.2, second, wide=0.36, colour=[f"{colour}66" for colour in COLOURS[: x.size]]),
        text(x - 0.2, np.maximum(first, 0.0), [number(float(v), 2) for v in first], up=4),
        segments([-0.5], [0.0], [x.size - 0.5], [0.0], colour="muted", width=1),
    ]
    if bet and x.size == 4:
        end = {"a": 0.5, "b": 0.0, "c": 1.0}[bet] * float(second[3])
        marks.append(points([x[3] - 0.2], [end], colour=BET, marker="diamond", size=12))
        marks.append(text([x[3] - 0.2], [0.32], ["your bet"], colour=BET))
    high = 1.12 * float(max(first.max(), second.max(), 0.5))
    return Panel(
        title, "Bars: the coefficient of every source, by both ways.",
        Axis(-0.6, x.size - 0.4, "", tuple(zip(x.tolist(), names, strict=True))),
        Axis(min(-0.3, float(second.min()) - 0.1), high, "β"),
        tuple(marks), note=note, aspect=0.72, least=240,
    )  # fmt: skip


def _table(
    names: tuple[str, ...], X: FloatArray, here: FloatArray, title: str, note: str, aspect: float
) -> Panel:
    """A column a source, and y."""
    n, p = X.shape
    row, column = np.indices((n, p))
    on = np.broadcast_to(here > core.DROPPED, (n, p)).ravel()
    return Panel(
        title, "Table of six items: what each source says of them, and y.", Axis(-1.3, p + 0.8), Axis(-0.6, n + 0.4),
        (
            cells(column.ravel(), n - 1.0 - row.ravel(), [number(v, 0 if v == round(v) else 2) for v in X.ravel()],
                  colour=[COLOURS[j] for j in column.ravel()], opacity=[0.55 if yes else 0.08 for yes in on]),
            text(np.arange(p), [n - 0.35] * p, list(names), bold=True),
            text([p + 0.2] * n, n - 1.0 - np.arange(n), [number(v, 0) for v in core.Y], middle=True, bold=True),
            text([p + 0.2], [n - 0.35], ["y"], bold=True),
            text([-0.9] * n, n - 1.0 - np.arange(n), [str(k + 1) for k in range(n)], colour="muted", middle=True),
        ),
        note=note, aspect=aspect, bare=True, least=400,
    )  # fmt: skip


def _path_picture(setting: Setting) -> Picture:
    now = on_path(setting.lam)
    names = ("x₁", "x₂", "x₃", "x₄")
    panels = (
        _chain("Graph lasso", now.beta, now.edges, names),
        _chain("Lasso", now.lasso, np.zeros(3), names),
        _compared("Coefficients", names, now.beta, now.lasso, "solid: graph lasso; pale: lasso"),
    )
    readings = (
        ("λ", number(setting.lam)), ("pieces, graph lasso", str(now.pieces)), ("pieces, lasso", str(now.lasso_pieces)),
        *((f"η of {a + 1}–{b + 1}", number(w, 3)) for (a, b), w in zip(core.PATH, now.edges, strict=True)),
    )  # fmt: skip
    return Picture(panels, readings)


def _chain(title: str, beta: FloatArray, edges: FloatArray, names: tuple[str, ...]) -> Panel:
    """The path; sources with a coefficient are filled, edges as wide as their weight."""
    used = np.abs(beta) > core.DROPPED
    first, second = np.array(core.PATH).T
    return Panel(
        title, f"A path of four sources, of which {title.lower()} uses {int(used.sum())}.", Axis(-0.5, 3.5), Axis(-1.0, 1.0),
        (
            segments(PLACES[first], np.zeros(3), PLACES[second], np.zeros(3), colour="edge", width=2),
            segments(PLACES[first], np.zeros(3), PLACES[second], np.zeros(3), colour="muted",
                     width=[14.0 * float(w) for w in edges]),
            points(PLACES, np.zeros(4), colour=list(COLOURS), size=34, open=[not u for u in used],
                   labels=list(names), inside=True, ink=["#ffffff" if u else "ink" for u in used]),
            text(PLACES, [-0.75] * 4, [number(float(v), 3) for v in beta], middle=True),
        ),
        note="filled: used", aspect=0.36, bare=True, least=220,
    )  # fmt: skip


# Question, reveal and challenge of the lesson on combining sources.

LETTERS: Final = "abc"
BETS: Final = ("Little, but not 0", "Exactly 0", "What a sum without weights gives it")
QUESTION: Final = Choice(
    "Three sources explain y. A fourth one is **noise**. The four are added, each with a weight, and the weights are "
    "learned together with the machine. What does the noise get?",
    dict(zip(LETTERS, BETS, strict=True)),
    right=LETTERS[core.RIGHT],
    because={letter: core.bet_check(k).said for k, letter in enumerate(LETTERS)},
)
TEACHING: Final = Teaching(
    ask=(
        "Which source loses its weight first as λ grows, and which one last?",
        "Write x₃ in other units: why does its weight change, though it says the same?",
        "Which sources does the graph lasso take, and why does x₂ stay with its neighbours?",
    ),
    wrong=(
        (
            "The noise gets a small weight.",
            "It takes learning for shrinking: ridge shrinks, a lasso cuts off.",
        ),
        ("Other units change nothing.", "They change how dear a source is: normalise every kernel first."),
    ),
    state="bet=-&cs_lam=0.5",
)
FORMULA: Final = "min |y − Xβ|²/n + [lam|λ] (Σ |β_{j}|)² , η_{j} = |β_{j}| / Σ |β|"
ITEMS: Final = tuple(f"item {k + 1}" for k in range(core.Y.size))


SETTINGS: Final = settings_of("combining_sources", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, ("Kernel",))
    with screen.picture():
        if not bet.open:
            screen.stage(lambda _: asked(), Setting(), formula="K = Σ η_{j} K_{j}")
            return
        setting = screen.controls(Setting(bet=bet.answer), only=("sources",), of=(190, "stretch", "stretch"))
        more = ("lam",) if setting.sources == "path" else ("lam", "scale")
        setting = screen.controls(setting, only=more)
        screen.stage(drawn, setting, follows=("lam",), play=("lam",), formula=FORMULA)
    words = ("Graph lasso",) if setting.sources == "path" else ("Kernel ridge", "Multiple kernel learning")
    screen.reveal(_seen(setting), words=words)
    screen.challenge("Find the least λ that drops x₂.", setting, partial(judged, setting))
    screen.carry("many", "Learn weights of your kernels")
    screen.carry(
        "combine", "Take these sources to Combine", None, kernels,
        "Opens the working page with a kernel of each source.",
    )  # fmt: skip


def _seen(setting: Setting) -> str:
    if setting.sources == "path":
        return (
            "Four sources on a path, one kernel an edge: an edge that is taken takes both its ends, so what is chosen hangs "
            "together more often than what a lasso chooses one by one."
        )
    odd = paths(setting.sources == "noise", setting.scale)[setting.at].said
    return (
        "To add kernels is to put the sources side by side in one table: ridge regression, which shrinks every coefficient "
        "and drops none. To learn the weights stretches each source by √η: a lasso, which drops what explains too little. "
        f"A source in larger units comes cheaper, so normalise first. {odd}"
    ).strip()


def judged(setting: Setting) -> Check:
    """Whether λ is the least one that drops x₂, of the sources that are shown."""
    if setting.sources == "path":
        return Check(
            False, setting.lam, "This is asked of sources that are chosen one by one, not on a path."
        )
    return core.drop_check(setting.given, setting.lam)


def kernels() -> DataSet:
    """A kernel of each source, and the sign of y as classes."""
    given = core.sources(noise=True)
    made = {
        name: GramMatrix(np.outer(x, x), ITEMS, name) for name, x in zip(given.names, given.X.T, strict=True)
    }
    labels = Labels(ITEMS, np.where(core.Y > 0.0, "y above 0", "y below 0"))
    return DataSet(
        "sources of the lesson",
        ITEMS,
        labels,
        kernels=made,
        description="The four sources of the lesson Combining sources.",
    )
