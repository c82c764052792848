"""Lesson 5: a table adds up exponentially many features."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.explanation import Cell, WorkedTables
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.studies.lessons import dynamic_programming as core
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Mark, Panel, Picture, Told, bars, cells, line, points, text
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ABOVE, BELOW, FITS

# What the controls of the lesson say, and the two words that somebody types.

WORDS, SUBSETS, ALL, BEST = "words", "subsets", "alignments", "best"
STEPS: Final = {WORDS: "Words", SUBSETS: "Subsets", ALL: "Alignments", BEST: "Best one"}
AMINO_ACIDS: Final = frozenset("ACDEFGHIKLMNPQRSTVWY")
TYPED: Final = {WORDS: "typed", ALL: "proteins", BEST: "proteins"}


@dataclass(frozen=True)
class Setting:
    """What the controls say, and what is drawn of it."""

    typed: str = parameter(
        " ".join(core.WORDS), label="Two words", help=f"Of 1 to {core.MOST_LETTERS} letters each, with a space between.",
    )  # fmt: skip
    proteins: str = parameter(
        " ".join(core.PROTEINS), label="Two strings",
        help=f"Of 1 to {core.MOST_LETTERS} amino acids each, with a space between. A letter is an amino acid.",
    )  # fmt: skip
    decay: float = parameter(
        core.DECAY, label="Decay", symbol=r"\lambda", help="What each letter costs that a shared word covers.",
        low=core.DECAYS[0], high=core.DECAYS[-1], step=0.01,
    )  # fmt: skip
    beta: float = parameter(
        0.1, label="Weight", symbol=r"\beta", help="The larger, the more the best alignment counts.",
        low=core.BETAS[0], high=core.BETAS[-1], stops=core.BETAS,
    )  # fmt: skip
    filled: float = parameter(
        1.0, label="Filled", unit="%", help="How much of the tables is filled, row by row.", low=0.0, high=1.0, step=0.02
    )  # fmt: skip
    s: int = parameter(
        2, label="Size", symbol="s", help="How many coordinates are multiplied.", low=0, high=3
    )
    route: int = parameter(1, label="Route", help="Which of the subsets is lit.", low=1, high=3)
    edge: str = parameter(
        "right", label="Boundary", help="0 below the diagonal, or 1 next to it as the lecture notes print it.",
        choices=("right", "printed"),
    )  # fmt: skip
    step: str = WORDS
    bet: str = ""
    open: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def pair(self) -> tuple[str, str]:
        """The two strings that are compared: those of the question where what was typed is not two short words."""
        return read(self.step, self.proteins if self.step in (ALL, BEST) else self.typed)[0]


def read(step: str, typed: str) -> tuple[tuple[str, str], str]:
    """Return the two words that somebody typed, and a sentence where these are others, which stand in for them."""
    proteins = step in (ALL, BEST)
    start: tuple[str, str] = core.PROTEINS if proteins else core.WORDS
    found = re.split(r"[\s,;]+", typed[:200].strip())
    if len(found) != 2:
        return start, _instead("Two words are compared, with a space between them", start)
    pair = (found[0].upper(), found[1].upper()) if proteins else (found[0], found[1])
    letters = AMINO_ACIDS.issuperset(pair[0] + pair[1]) if proteins else True
    if not letters or not all(1 <= len(word) <= core.MOST_LETTERS for word in pair):
        what = "amino acids" if proteins else "letters"
        return start, _instead(f"Each word has 1 to {core.MOST_LETTERS} {what}", start)
    return pair, ""


def _instead(expected: str, start: tuple[str, str]) -> str:
    return f"{expected}. Until then the picture shows {start[0]} and {start[1]}."


@cached(shared=True)
def shared(s: str, t: str, decay: float) -> core.SharedWords:
    """What two words share."""
    return core.shared_words(s, t, decay)


@cached(shared=True)
def aligned(s: str, t: str, beta: float) -> core.Alignments:
    """All alignments of two strings."""
    return core.alignments(s, t, beta)


@cached(shared=True)
def lattice(s: int) -> core.Lattice:
    """All subsets of s coordinates."""
    return core.lattice(s)


# What the lesson draws: the two words, the lattice of subsets, and tables while they are filled.

HERE, FROM, LIT = ABOVE, BELOW, FITS
SHOWN_WORDS, MOST_BARS = 4, 8
LARGEST_FRACTION: Final = 4096


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The two words of the question; once the answer is open, the picture that is chosen."""
    if not setting.open:
        return Picture((_letters(*core.WORDS),))
    if setting.step == SUBSETS:
        return _subsets(setting)
    if setting.step == ALL:
        return _alignments(setting)
    return _best(setting) if setting.step == BEST else _words(setting)


def short(value: float) -> str:
    """Return a number for a small cell: a fraction where it is a short one."""
    if not math.isfinite(value) or value.is_integer():
        return number(value)
    exact = Fraction(value)
    if exact.denominator <= LARGEST_FRACTION:
        return f"{exact}"
    return f"{value:.3g}".replace("-", "−") if abs(value) < 1000.0 else number(value)


def _least(t: str) -> int:
    """Pixels of a table of so many columns, and of what stands beside it."""
    return max(150, 36 * (len(t) + 1))


def _letters(s: str, t: str) -> Panel:
    both = [(k, row, letter) for row, word in ((1, s), (0, t)) for k, letter in enumerate(word)]
    return Panel(
        "Two words", f"The words {s} and {t}, letter by letter.", Axis(-1.0, 3.0), Axis(-0.8, 1.8),
        (cells([k for k, _, _ in both], [row for _, row, _ in both], [letter for _, _, letter in both], opacity=0.5),),
        aspect=0.25, bare=True,
    )  # fmt: skip


def _words(setting: Setting) -> Picture:
    s, t = setting.pair
    made = shared(s, t, setting.decay)
    car, cta = core.nearness(setting.decay)
    parts = (
        ", ".join(f"{part.word} {short(part.contribution)}" for part in made.words[:SHOWN_WORDS]) or "none"
    )
    more = len(made.words) - SHOWN_WORDS
    readings = [
        (f"K({s}, {t})", short(made.value)),
        ("shared words of 2 letters", parts + (f" and {more} more" if more > 0 else "")),
        ("cosine", "not defined" if made.cosine is None else number(made.cosine, 3)),
        ("cat and car", number(car)), ("cat and cta", number(cta)),
    ]  # fmt: skip
    if setting.bet and (s, t) == core.WORDS and setting.decay == core.DECAY:
        readings.insert(1, ("your bet", short(core.BETS["abc".index(setting.bet)])))
    return Picture((*_tables(made.tables, s, t, setting.filled), _parts(made, _least(t))), tuple(readings))


def _parts(made: core.SharedWords, least: int) -> Panel:
    """What each shared word adds to K."""
    shown = made.words[:MOST_BARS]
    count = max(len(shown), 3)
    return Panel(
        "K by shared words", "Bars: what each shared word of two letters adds to K.",
        Axis(0.4, count + 0.6, "", tuple((k + 1.0, word.word) for k, word in enumerate(shown))),
        Axis(0.0, 1.1 * max((word.contribution for word in shown), default=1.0), ""),
        (bars(list(range(1, len(shown) + 1)), [word.contribution for word in shown], wide=0.6, colour=FROM),),
        aspect=0.34, least=least,
    )  # fmt: skip


def _alignments(setting: Setting) -> Picture:
    s, t = setting.pair
    made = aligned(s, t, setting.beta)
    readings = (
        ("K", number(made.value)), ("alignments, the empty one included", f"{made.number:,}"),
        ("log K / β", number(math.log(made.value) / setting.beta)), ("best score", number(made.score)),
        ("K if X followed Y, too", number(made.both_orders.total)),
    )  # fmt: skip
    return Picture(
        (*_tables(made.tables, s, t, setting.filled), _curve(made, setting.beta, _least(t))), readings
    )


def _curve(made: core.Alignments, beta: float, least: int) -> Panel:
    """log K / β over β, down to the score of the best alignment."""
    at = np.log10(made.betas)
    return Panel(
        "From all alignments to the best", "log K / β falls with β to the score of the best alignment.",
        Axis(-2.05, 0.36, "β", tuple((float(np.log10(b)), f"{b:g}") for b in (0.01, 0.03, 0.1, 0.3, 1.0))),
        Axis(0.0, 1.05 * max(float(made.path.max()), made.score, 1.0), "log K / β"),
        (
            line([-2.05, 0.36], [made.score] * 2, "muted", dash="5 4", name="best score", name_at=0, shift=[6, -6]),
            line(at, made.path, FROM, width=2.5),
            points([math.log10(beta)], [math.log(made.value) / beta], colour=HERE, size=11),
        ),
        aspect=0.34, least=least,
    )  # fmt: skip


def _best(setting: Setting) -> Picture:
    s, t = setting.pair
    made = aligned(s, t, setting.beta)
    M = made.best.values[0]
    way: tuple[Cell, ...] = ()
    if made.score > 0.0:
        row, column = (int(at) for at in np.unravel_index(int(M.argmax()), M.shape))
        way = made.best.best((0, row, column))
    upper = "".join("–" if table == 2 else s[i] for table, i, _ in way)
    lower = "".join("–" if table == 1 else t[j] for table, _, j in way)
    readings = (
        ("score", number(made.score)),
        ("best alignment", f"{upper} over {lower}" if way else "the empty one"),
    )
    return Picture(
        (*_tables(made.best, s, t, setting.filled, way), _curve(made, setting.beta, _least(t))), readings
    )


def _tables(
    made: WorkedTables, s: str, t: str, share: float, way: tuple[Cell, ...] = ()
) -> tuple[Panel, ...]:
    """One panel a table: what is filled, the cells filled last with those that flow into them, or the best way."""
    n, m = made.values.shape[1:]
    filled = round(share * n * m) if share in (0.0, 1.0) else min(max(round(share * n * m), 1), n * m - 1)
    rings: dict[Cell, str] = {}
    if 0 < filled < n * m:
        here = [(table, (filled - 1) // m, (filled - 1) % m) for table in range(len(made.names))]
        rings = {source: FROM for cell in here for source, _ in made.into(cell)} | dict.fromkeys(here, HERE)
    elif filled:
        rings = dict.fromkeys(way, LIT)
    return tuple(_table(made, table, (s, t), filled, rings) for table in range(len(made.names)))


def _table(
    made: WorkedTables, table: int, pair: tuple[str, str], filled: int, rings: dict[Cell, str]
) -> Panel:
    values = made.values[table]
    n, m = values.shape
    places = [(i, j) for i in range(n) for j in range(m)]
    shown = [k < filled for k in range(n * m)]
    name = made.names[table]
    marks: tuple[Mark, ...] = (
        cells(
            [j for _, j in places], [n - 1 - i for i, _ in places],
            [short(float(values[place])) if on else "" for place, on in zip(places, shown, strict=True)],
            opacity=[0.6 if on else 0.2 for on in shown], ring=[rings.get((table, *place)) for place in places],
        ),
        text([-0.85] * n, [n - 1 - i for i in range(n)], list(pair[0]), bold=True, middle=True),
        text(list(range(m)), [n - 0.3] * m, list(pair[1]), bold=True),
    )  # fmt: skip
    return Panel(
        name, f"Table {name} of {pair[0]} down and {pair[1]} across, {filled} of {n * m} places filled.",
        Axis(-1.2, m - 0.4), Axis(-0.6, n + 0.2), marks, aspect=(n + 0.8) / (m + 0.8) / 2.0, bare=True,
        least=_least(pair[1]),
    )  # fmt: skip


def _subsets(setting: Setting) -> Picture:
    made = lattice(setting.s)
    tables = made.printed if setting.edge == "printed" else made.right
    values, right = tables.values[0], made.right.values[0]
    rows, columns = values.shape
    lit = (setting.route - 1) % max(len(made.subsets), 1)
    goes = made.subsets[lit].cells if made.subsets else ()
    on = {(row, column) for _, row, column in goes}
    places = [(i, j) for i in range(rows) for j in range(columns)]
    # what the notes print as K of r + 1 among r coordinates flows into the next cell of its row, and stands beside it
    edge = {(r + 1, r): number(float(tables.start[0, r + 1, r + 1])) for r in range(columns - 1)}
    said = [edge.get(place) or number(float(values[place])) for place in places]
    colour = [
        HERE if word != number(float(right[p])) else "edge" for p, word in zip(places, said, strict=True)
    ]
    z = [number(a * b) for a, b in zip(core.X, core.Y, strict=True)]
    panel = Panel(
        "Every Kₛʳ", "Lattice of the sums over subsets of s of the first r coordinates; the lit route multiplies where it "
        "goes down.", Axis(-1.2, columns - 0.4), Axis(-0.6, rows + 0.7),
        (
            line([j for _, _, j in goes], [rows - 1 - i for _, i, _ in goes], LIT, width=6.0),
            cells([j for _, j in places], [rows - 1 - i for i, _ in places], said, opacity=0.55, colour=colour,
                  ring=[LIT if p in on else FROM if p == (setting.s, columns - 1) else None for p in places]),
            text([-0.85] * rows, [rows - 1 - i for i in range(rows)], [f"s = {i}" for i in range(rows)], middle=True),
            text(list(range(columns)), [rows - 0.35] * columns, [f"r = {j}" for j in range(columns)]),
            text(list(range(1, columns)), [rows + 0.1] * (columns - 1), [f"z = {each}" for each in z], colour="muted"),
        ),
        aspect=(rows + 1.3) / (columns + 0.8) / 1.5, bare=True, weight=1.4,
    )  # fmt: skip
    total, should = float(values[:, -1].sum()), float(right[:, -1].sum())
    readings = (
        (f"K of {setting.s} coordinates", number(float(values[setting.s, -1]))), ("sum of the last column", number(total)),
        ("(1 + z₁)(1 + z₂)(1 + z₃)", number(should)),
    )  # fmt: skip
    return Picture((panel, _routes(made, lit)), readings)


def _routes(made: core.Lattice, lit: int) -> Panel:
    """Every subset with its product; a click lights its route."""
    count = len(made.subsets)
    said = [
        f"{' · '.join(f'z{_LOW[r]}' for r in each.columns) or 'nothing'} = {number(each.product)}"
        for each in made.subsets
    ]
    most = 3
    gaps = most - count
    return Panel(
        "Its routes", "The subsets with their products; a click lights one.", Axis(0.0, 1.0), Axis(-0.7, most - 0.3),
        (
            text([0.5] * most, [most - 1 - k for k in range(most)], said + [""] * gaps,
                 colour=[LIT if k == lit else "ink" for k in range(most)], size=15,
                 ids=[str(k + 1) if k < count else None for k in range(most)], says=[*said, *[""] * gaps]),
        ),
        note="click one", aspect=0.6, bare=True,
    )  # fmt: skip


_LOW: Final = "₁₂₃"


# Question, controls, reveal and challenge of the lesson.

QUESTION: Final = Choice(
    "A kernel of words counts the words of two letters that both have, in order, also with gaps. A shared word weighs λ for "
    "each letter of the stretch that it covers in the first, times λ for each in the second. *cat* and *car* share only "
    "*ca*. With λ = ¼, what is K(cat, car)?",
    {"a": "1/16", "b": "1/256", "c": "1"},
    right="abc"[core.right_bet()],
    because={
        "a": "That is λ², of one of the two words. The stretch counts in both: λ² λ².",
        "b": "The stretch is two letters long in both words: λ² λ² = 1/256.",
        "c": "That counts shared words without their price. Each letter of the stretch costs λ, in both words.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "How many words of two letters have two strings of eight letters to compare, and how many cells has the table?",
        "Why does K″ need a table of its own?",
        "The lecture notes print 1 just above the diagonal of the lattice. Which sum shows that it has to be 0?",
        "Why may X not follow Y in the tables of alignments?",
    ),
    wrong=(
        ("1/16.", "λ² of one word only."),
        ("A gap costs nothing.", "The stretch counts, with the letters that are skipped in it."),
        (
            "The best alignment is what the kernel computes.",
            "It adds up all of them; only as β grows does the best one win.",
        ),
    ),
    state="bet=-&dp_typed=cat cart",
)
FORMULAS: Final = {
    WORDS: "K″_{i,j} = [decay|λ] K″_{i,j−1} + λ² (equal letters),   K'_{i,j} = λ K'_{i−1,j} + K″_{i,j},   "
    "K = Σ λ² K'_{i−1,j−1} (equal letters)",
    SUBSETS: "K_{[s|s]}^{r} = z_{r} K_{s−1}^{r−1} + K_{s}^{r−1},   z_{r} = x_{r} y_{r},   0 for s > r",
    ALL: "M_{i,j} = e^{[beta|β]S} (1 + M + X + Y)_{i−1,j−1},   K = 1 + Σ M",
    BEST: "M_{i,j} = S + max(0, M, X, Y)_{i−1,j−1}",
}
CONTROLS: Final = {
    WORDS: ("typed", "decay", "filled"), SUBSETS: ("s", "route", "edge"), ALL: ("proteins", "beta", "filled"),
    BEST: ("proteins", "filled"),
}  # fmt: skip
SAID: Final = {
    WORDS: "Row by row each cell takes in its neighbours, times λ: **K'** carries words of one letter onwards, K adds up "
    "what ends with a pair of equal letters. K″ has a table of its own, or each cell would have to look at its whole row.",
    SUBSETS: "x = (1, 2, 3), y = (2, 1, 1), so z = (2, 2, 3). Each route from the top left to Kₛ in the last column is a "
    "subset: down multiplies, right skips. Row s is the *ANOVA kernel* of s coordinates, all rows together are the "
    "*all-subsets kernel*. *Printed*: the lecture notes set 1 just below the diagonal (orange); then the "
    "last column sums to 53, but all subsets together are (1 + 2)(1 + 2)(1 + 3) = 36.",
    ALL: "An *alignment* pairs letters of two proteins; S scores a pair, and a gap costs 2, and 1 for each further letter. "
    "M ends with a pair, X and Y with a letter left out. Were X to follow Y as well as Y X, gaps on both sides would count "
    "twice.",
    BEST: "The same tables with max for the sum: the green way is the best alignment (Smith and Waterman), and log K / β of "
    "all alignments comes down to its score as β grows.",
}

EXPLAINED: Final = {WORDS: ("Decay",), SUBSETS: ("ANOVA kernel",), ALL: ("Kernel",), BEST: ("Kernel",)}


SETTINGS: Final = settings_of("dynamic_programming", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Decay"))
    with screen.picture():
        if not bet.open:
            screen.stage(drawn, Setting(open=False))
            return
        step = screen.steps(STEPS)
        names = CONTROLS[step]
        setting = screen.controls(Setting(step=step, bet=bet.answer), only=names)
        if step in TYPED and (instead := read(step, getattr(setting, TYPED[step]))[1]):
            st.caption(f":orange[:material/warning:] {instead}")
        follows = tuple(name for name in names if name not in ("typed", "proteins", "edge"))
        screen.stage(
            drawn, setting, follows=follows, play=[name for name in follows if name in ("filled", "route")],
            formula=FORMULAS[step], on=_lit,
        )  # fmt: skip
    screen.reveal(
        "A table adds up exponentially many features, without listing them.",
        SAID[step],
        words=EXPLAINED[step],
    )
    screen.challenge(
        "Under *Words*: at which λ are *car* and *cta* equally near to *cat*?",
        replace(setting, filled=1.0, route=1), lambda: core.check(setting.decay),
    )  # fmt: skip
    _carry(screen, setting)


def _lit(act: str, told: Told) -> None:
    """A route was clicked."""
    if act == "picked" and str(told[-1]) in ("1", "2", "3"):
        workspace.show_in("dp_route", int(told[-1]))


def _carry(screen: Screen, setting: Setting) -> None:
    kernel: type[object] = {ALL: LocalAlignment, BEST: SmithWaterman}.get(setting.step, Subsequence)
    own = {"length": core.LENGTH, "decay": setting.decay} if kernel is Subsequence else {}
    settings = {
        "build.kind.sequences": kernel,
        **{f"build.Subsequence.words.{name}": value for name, value in own.items()},
    }
    screen.carry(
        "strings", "Compare them on Sequences", settings,
        dataset=lambda: _data(setting), help="Opens the two words as a data set, with the kernel of this picture.",
    )  # fmt: skip


def _data(setting: Setting) -> DataSet:
    proteins = setting.step in (ALL, BEST)
    ids = ("first", "second")
    strings = Sequences(ids, setting.pair, "protein" if proteins else "text")
    return DataSet("Two words", ids, samples={"words": strings})
