"""Lesson 2: λ trades variance for bias, and does not shrink every coefficient."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.digits import power_of_ten
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter, parameters
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.losses import MARGIN_LOSSES, RESIDUAL_LOSSES, Loss
from kernex_core.learning.learners.ridge import KernelRidge, ridge_coefficients
from kernex_core.studies.lessons.regularisation import (
    BETS,
    GRID,
    LEAST,
    LEAVE_ONE_OUT_GRID,
    LINE,
    MARGINS,
    MOST,
    NOISE,
    NUMBERS,
    PLACES,
    SEEDS,
    SIDES,
    SINE,
    BestStrength,
    CoefficientPaths,
    SlopeOf,
    X,
    Y,
    best_strength,
    check_bet,
    check_challenge,
    coefficient_paths,
    coefficients_at,
    decomposition,
    hard_margin,
    left_out_choices,
    levels,
    many_curves,
    noisy_curve,
    slopes,
)
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Mark, Panel, Picture, bars, line, points, segments, text
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ABOVE, BELOW, FITS, MARK
from pages.ui.widget import stops

# Pictures of losses, of what they make of the same data, and of the hard margin.

# What the controls of the lesson on regularisation say.

LOSSES: Final[dict[str, Loss]] = {
    **{f"{each.name} of a margin": each for each in MARGIN_LOSSES},
    **{f"{each.name} of a residual": each for each in RESIDUAL_LOSSES},
}
STEPS: Final = {
    "paths": "Coefficients", "curve": "Bias and variance", "losses": "Losses", "hard": "Hard margin",
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """Controls of all steps; each step shows one or two of them."""

    lam: float = parameter(
        0.1, label="Strength", symbol=r"\lambda", low=LEAST, high=MOST, logarithmic=True, fine=True,
        help="What the length of the solution costs, beside its errors.",
    )  # fmt: skip
    seed: int = parameter(
        0, label="Noise", low=0, high=SEEDS - 1, step=1, help="Which of 200 draws of the noise; their seeds are 0 to 199."
    )  # fmt: skip
    loss: str = parameter(
        "Hinge of a margin", label="Loss", symbol="ℓ", choices=tuple(LOSSES),
        help="What an error costs. A margin is y f(x), large is good; a residual is y − f(x), 0 is good.",
    )  # fmt: skip
    C: float = parameter(
        0.1, label="Cost", symbol="C", low=0.01, high=100.0, logarithmic=True, fine=True,
        help="The most that one item may weigh.",
    )  # fmt: skip
    step: str = "paths"
    revealed: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)


SHADES: Final = (BELOW, ABOVE, FITS, "#8b78ad", "#97805f")
RANGES: Final = {"margin": (-1.5, 3.0), "residual": (-3.5, 3.5)}
_SHORT: Final = {"Squared hinge": "Hinge²"}
COSTS: Final = np.geomspace(0.01, 100.0, 81)


@cached(shared=True)
def _slopes() -> tuple[SlopeOf, ...]:
    return slopes()


def losses(setting: Setting) -> Picture:
    """The losses of one kind, and the solution that each gives on the same data."""
    loss = LOSSES[setting.loss]
    if loss.of == "margin":
        found = {each.loss.name: each for each in _slopes()}[loss.name]
        readings = (("slope w", number(found.slope)), ("without the far item", number(found.without_far)))
        return Picture((_curves(loss, MARGIN_LOSSES, MARGINS * found.slope), _margins(loss)), readings)
    low, high = next((low, high) for each, low, high in levels() if each == loss)
    level = number(low) if high - low < 1e-6 else f"all of {number(low)} to {number(high)}"
    return Picture((_curves(loss, RESIDUAL_LOSSES, NUMBERS - low), _levels(loss)), (("level", level),))


def _curves(chosen: Loss, all_of: tuple[Loss, ...], at: np.ndarray) -> Panel:
    low, high = RANGES[chosen.of]
    x = np.linspace(low, high, 181)
    inside = at[(at >= low) & (at <= high)]
    marks: list[Mark] = [
        line(x, each.value(x), SHADES[k], width=4.0 if each == chosen else 1.5)
        for k, each in enumerate(all_of)
    ]
    k = all_of.index(chosen)
    seen = inside[chosen.value(inside) <= 4.0]
    corner, anchor = (2.6, "end") if chosen.of == "margin" else (0.0, "middle")
    names = [each.name for each in all_of]
    marks += [
        points(seen, chosen.value(seen), colour=SHADES[k], size=9),
        text(
            [corner] * len(names),
            3.75 - 0.28 * np.arange(len(names)),
            names,
            colour=SHADES[: len(names)],
            anchor=anchor,
        ),
    ]
    title = "margin y f(x)" if chosen.of == "margin" else "residual y − f(x)"
    return Panel(
        "What an error costs", f"The {len(all_of)} losses of a {chosen.of}; thick: {chosen.name}.",
        Axis(low, high, title), Axis(0.0, 4.0, "loss"), tuple(marks), note="points: the items",
    )  # fmt: skip


def _margins(chosen: Loss) -> Panel:
    found = _slopes()
    at = np.arange(len(found), dtype=float)
    shades = list(SHADES[: len(found)])
    both = np.array([[each.slope, each.without_far] for each in found])
    above = np.where(
        np.abs(both[:, 1] - both[:, 0]) < 0.1, 0.09, 0.02
    )  # numbers of bars of one height do not meet
    ticks = tuple((float(k), _SHORT.get(each.loss.name, each.loss.name)) for k, each in enumerate(found))
    return Panel(
        "Slopes that they choose", "Two bars a loss: the slope with margins 0.5, 1, 1.5, 2, −1 and 8, and without 8.",
        Axis(-0.6, len(found) - 0.4, "", ticks),
        Axis(0.0, 1.15, "slope w"),
        (
            bars(at - 0.19, both[:, 0], wide=0.34, colour=shades),
            bars(at + 0.19, both[:, 1], wide=0.34, colour=shades, opacity=0.4),
            text(at - 0.19, both[:, 0] + 0.02, [number(v) for v in both[:, 0]]),
            text(at + 0.19, both[:, 1] + above, [number(v) for v in both[:, 1]], colour="muted"),
        ),
        note="pale: without the item at 8",
    )  # fmt: skip


def _levels(chosen: Loss) -> Panel:
    found = levels()
    rows = np.arange(len(found), dtype=float)[::-1]
    low, high = (np.array([each[k] for each in found]) for k in (1, 2))
    names = [loss.name for loss, _, _ in found]
    return Panel(
        "Levels that they choose", "Five numbers on a line, and the level that every loss chooses for them.",
        Axis(-0.5, 14.5, "0, 1, 2, 4 and 14"), Axis(-0.6, len(found) + 0.4, "", ()),
        (
            segments(NUMBERS, [-0.6] * 5, NUMBERS, [len(found) + 0.4] * 5, colour="edge", width=1.0),
            points(NUMBERS, [len(found)] * 5, colour="ink", size=9),
            segments(low, rows, high, rows, colour=SHADES, width=6.0),
            points(low, rows, colour=SHADES, size=11, ring=["ink" if each[0] == chosen else "" for each in found]),
            points(high, rows, colour=SHADES, size=11),
            text(high + 0.5, rows, names, colour=SHADES, anchor="start", middle=True),
        ),
        note="a bar: all of it is best",
    )  # fmt: skip


def margin(setting: Setting) -> Picture:
    """Four points on a line: f at one C, and its slope over C."""
    curve, here = hard_margin(COSTS), hard_margin(np.array([setting.C]))
    w, b = float(here.w[0]), float(here.b[0])
    f, y = w * LINE + b, np.where(SIDES > 0, 1.0, -1.0)
    shades = [SHADES[0] if side < 0 else SHADES[1] for side in y]
    short = np.where(y * f < 1.0, y, f)
    ends = np.array([-4.0, 3.0])
    first = Panel(
        "Four points on a line", "A straight line f over x, four points on it, and how far some fall short of ±1.",
        Axis(-4.0, 3.0, "x"), Axis(-2.6, 2.6, "f(x)"),
        (
            segments([-4.0] * 3, [-1.0, 0.0, 1.0], [3.0] * 3, [-1.0, 0.0, 1.0], colour=["muted", "ink", "muted"], dash="4 4",
                     width=1.0),
            line(ends, w * ends + b, "ink", width=2.0),
            segments(LINE, f, LINE, short, colour=MARK, width=3.0),
            points(LINE, f, colour=shades, marker=["circle" if side < 0 else "diamond" for side in y], size=12),
        ),
        note="pink: short of the margin, ξ",
    )  # fmt: skip
    at, edge = np.log10(setting.C), np.log10(here.from_C)
    second = Panel(
        "Slope over C", "The slope rises with C and stays at 1 from C = 0.5 on.",
        Axis(-2.0, 2.0, "C", tuple((float(k), power_of_ten(k)) for k in range(-2, 3))), Axis(0.0, 1.15, "w"),
        (
            line(np.log10(COSTS), curve.w, SHADES[2], width=2.5),
            segments([edge], [0.0], [edge], [1.15], colour="muted", dash="2 4", width=1.5),
            segments([at], [0.0], [at], [1.15], colour=MARK, width=1.5),
            points([at], [w], colour=SHADES[2], size=10),
        ),
        note=f"dots: C = {number(here.from_C)}, from where no stem is cut",
    )  # fmt: skip
    readings = (
        ("w", number(w)), ("b", number(b)), ("margin 1/w", number(1.0 / w)),
        ("short of it, Σξ", number(float(np.abs(short - f).sum()), 3)),
        ("λ = 1/(2nC)", number(1.0 / (2.0 * LINE.size * setting.C))),
    )  # fmt: skip
    return Picture((first, second), readings)


# Pictures of ridge regression: coefficients over λ, and what noise makes of a curve.

COLOURS: Final = (BELOW, ABOVE, FITS)
NAMES: Final = ("β₁", "β₂", "β₃")
LOG: Final = tuple((float(k), power_of_ten(k)) for k in range(-4, 3))
STRENGTH: Final = Axis(np.log10(LEAST) - 0.3, np.log10(MOST) + 0.3, "λ", LOG)
DRAWN, EVERY = 8, 2
"""Of 200 curves so many are drawn, at every second place."""
ERRORS: Final = Axis(0.0, 0.2, "mean squared error")


@cached(shared=True)
def _paths() -> CoefficientPaths:
    return coefficient_paths()


@cached(shared=True)
def _best() -> BestStrength:
    return best_strength()


def here(lam: float, low: float, high: float) -> Mark:
    """Upright line at λ."""
    at = np.log10(lam)
    return segments([at], [low], [at], [high], colour=MARK, width=1.5)


def least_squares() -> Picture:
    """Before the bet: the coefficients without any penalty."""
    return Picture((_coefficients(coefficients_at(0.0), "Coefficients of least squares", ""),))


def coefficients(setting: Setting) -> Picture:
    """Paths over λ, and the coefficients at one λ."""
    made, ends = _paths(), np.log10([LEAST, MOST])
    x = np.log10(made.path.lam)
    found = ridge_coefficients(X, Y, [setting.lam])
    primal, dual = found.primal[0], X.T @ found.dual[0]
    length = np.linalg.norm(made.path.primal, axis=1)
    panel = Panel(
        "Coefficients over λ", "Three lines over λ: β₁ falls, β₂ rises from −1.5 through 0 to a peak and falls, β₃ falls.",
        STRENGTH, Axis(-2.1, 3.1, ""),
        (
            segments([ends[0] - 0.3], [0.0], [ends[1] + 0.3], [0.0], colour="muted", width=1.0),
            line(x, length, "muted", dash="4 4", name="‖β‖", name_at=30, width=1.5),
            *(line(x, made.path.primal[:, k], COLOURS[k], name=NAMES[k], name_at=12) for k in range(3)),
            points([ends[0] - 0.15] * 3, made.unpenalised, colour=COLOURS, marker="diamond", size=9),
            points([ends[1] + 0.15] * 3, [0.0] * 3, colour=COLOURS, marker="diamond", size=9),
            here(setting.lam, -2.1, 3.1),
            points([np.log10(setting.lam)] * 3, primal, colour=COLOURS, size=9),
        ),
        note="◆ the limits: least squares, and 0", weight=1.6,
    )  # fmt: skip
    readings = (
        ("primal β = (X′X + nλI)⁻¹X′y", _vector(primal)), ("dual X′α, α = (XX′ + nλI)⁻¹y", _vector(dual)),
    )  # fmt: skip
    return Picture((panel, _coefficients(primal, f"At λ = {number(setting.lam)}")), readings)


def _vector(values: FloatArray) -> str:
    return ", ".join(number(float(value), 4) for value in values)


def _coefficients(values: FloatArray, title: str, note: str = "pale: λ = 0") -> Panel:
    at, free = np.arange(3), coefficients_at(0.0)
    return Panel(
        title, f"Bars of three coefficients: {_vector(values)}.",
        Axis(-0.6, 2.6, "", tuple((float(k), NAMES[k]) for k in range(3))), Axis(-2.1, 3.1, ""),
        (
            bars(at, free, wide=0.7, colour=COLOURS, opacity=0.22),
            bars(at, values, wide=0.5, colour=COLOURS),
            segments([-0.6], [0.0], [2.6], [0.0], colour="muted", width=1.0),
            text(at, np.where(values < 0.0, values - 0.28, values + 0.1), [number(float(v)) for v in values]),
        ),
        note=note, least=220,
    )  # fmt: skip


def curve(setting: Setting) -> Picture:
    """The fit of one draw among others, and bias and variance over λ."""
    made, many = noisy_curve(setting.lam, setting.seed), many_curves(setting.lam, DRAWN)
    best = _best()
    readings = (
        ("bias²", number(many.squared_bias)), ("variance", number(many.variance)),
        ("error", number(many.squared_bias + many.variance)), ("effective parameters tr S", number(many.effective)),
        ("leave-one-out chooses λ =", number(made.chosen)), ("best λ", number(best.lam)),
    )  # fmt: skip
    return Picture(
        (_fits(setting, made.y, made.fit, many.fits, many.mean, many.sd), _errors(setting)), readings
    )


def _fits(
    setting: Setting, y: FloatArray, fit: FloatArray, fits: FloatArray, mean: FloatArray, sd: FloatArray
) -> Panel:
    x = GRID[::EVERY]
    band = np.concatenate([(mean - sd)[::EVERY], (mean + sd)[::-EVERY]]).round(3)
    others = np.column_stack([fits[:, ::EVERY], np.full(len(fits), np.nan)]).round(3)
    return Panel(
        "One draw of the noise",
        f"Twenty points around a sine, the curve fitted to them, and {DRAWN} fitted to other noise.",
        Axis(0.0, 1.0, "x"), Axis(-1.8, 1.8, ""),
        (
            line(np.tile([*x, np.nan], len(fits)), others, "muted", width=0.7),
            line(np.concatenate([x, x[::-1]]), band, COLOURS[2], closed=True, fill=0.22, width=0.0),
            line(x, SINE[::EVERY].round(3), "ink", dash="5 4", width=1.5),
            line(x, mean[::EVERY].round(3), COLOURS[2], width=2.0),
            line(x, fit[::EVERY].round(3), COLOURS[1], width=2.5),
            points(PLACES, y.round(3), colour=COLOURS[0], size=7),
        ),
        note="dashes: truth; orange: this fit; green: mean ± s.d.",
    )  # fmt: skip


def _errors(setting: Setting) -> Panel:
    lams = np.geomspace(LEAST, MOST, 61)
    exact, x, best = decomposition(lams), np.log10(lams), _best()
    made = noisy_curve(setting.lam, setting.seed)
    left_out = np.where(made.left_out - NOISE**2 > 0.0, made.left_out - NOISE**2, np.nan)
    marked = np.log10([made.chosen, best.lam])
    return Panel(
        "Bias and variance, exact",
        "Bias² rises with λ, variance falls; their sum is least in between. Dots: what leave-one-out chooses, and the best.",
        STRENGTH, ERRORS,
        (
            line(x, exact.squared_bias, COLOURS[0], name="bias²", name_at=33, shift=[-8, 0], anchor="end"),
            line(x, exact.variance, COLOURS[2], name="variance", name_at=40, shift=[0, -8]),
            line(x, exact.error, "ink", width=2.5),
            line(np.log10(LEAVE_ONE_OUT_GRID), left_out, COLOURS[1], dash="4 3", width=1.5),
            segments(marked, [0.0, 0.0], marked, [0.2, 0.2], colour=[COLOURS[1], "muted"], dash="2 4", width=1.5),
            here(setting.lam, 0.0, 0.2),
        ),
        note="black: sum; orange: leave-one-out, less noise",
    )  # fmt: skip


# The screen of the lesson on regularisation, in four steps.

QUESTION: Final = Choice(
    "Least squares finds β₂ = −1.5. Now ridge regression adds a penalty: minimise the mean squared error plus λ‖β‖². "
    "**What does β₂ do as λ grows without end?**",
    {
        "rises": "It rises to 0, and stays below it on the way",
        "crosses": "It crosses 0, peaks, and falls back to 0",
        "proportion": "It shrinks in proportion with the others",
    },
    right=next(bet for bet in BETS if check_bet(bet).right),
    because=BETS,
)
TEACHING: Final = Teaching(
    ask=(
        "What do all coefficients do as λ goes to 0, and as it grows without end?",
        "Leave-one-out does not know the sine. How near does it come to the best λ, from noise to noise?",
        "Which loss is spoilt by an item that is too right?",
    ),
    wrong=(
        ("β₂ rises to 0 from below.", "Every coefficient has to shrink; but only the length of β has to."),
        (
            "The best λ is where bias² and variance are equal.",
            "Where the sum is least their slopes cancel, not they.",
        ),
        (
            "A hard margin needs an infinite C.",
            "From C = 0.5 on no weight is cut here, and nothing moves any more.",
        ),
    ),
    state="bet=-&r_lam=0.82",
)
_CONTROLS: Final = {"paths": ("lam",), "curve": ("lam", "seed"), "losses": ("loss",), "hard": ("C",)}
_FORMULAS: Final = {
    "paths": "β = (X′X + n[lam|λ]I)^{−1} X′y = X′(XX′ + n[lam|λ]I)^{−1} y",
    "curve": "S = K(K + n[lam|λ]I)^{−1},   bias^{2} = mean (Sf − f)^{2},   variance = s^{2} tr(SS′) / n",
    "losses": "minimise mean [loss|ℓ] + λ‖f‖^{2}",
    "hard": "minimise ½ w^{2} + [C|C] Σ ξ_{i},   y_{i} f(x_{i}) ≥ 1 − ξ_{i}",
}

_WORDS: Final = {
    "paths": ("Kernel ridge",), "curve": ("Bias and variance", "Held out"), "losses": ("Loss", "Margin"),
    "hard": ("Support vector machine", "Margin"),
}  # fmt: skip


@cached(shared=True)
def _choices() -> np.ndarray:
    return left_out_choices()


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The picture of a step."""
    if not setting.revealed:
        return least_squares()
    draw = {
        "paths": coefficients,
        "curve": curve,
        "losses": losses,
        "hard": margin,
    }
    return draw[setting.step](setting)


SETTINGS: Final = settings_of("regularisation", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel ridge",))
    with screen.picture():
        if not bet.open:
            screen.stage(drawn, Setting(revealed=False))
            return
        step = screen.steps(STEPS)
        setting = screen.controls(replace(Setting(), step=step), only=_CONTROLS[step])
        moving = tuple(name for name in _CONTROLS[step] if name in ("lam", "C"))
        screen.stage(drawn, setting, follows=moving, play=moving, formula=_FORMULAS[step])
    screen.reveal(*_said(setting), words=_WORDS[step])
    screen.challenge(
        "Find the λ at which β₂ is 0 (step *Coefficients*).", setting, lambda: check_challenge(setting.lam)
    )
    _carry(screen, setting)


def _said(setting: Setting) -> tuple[str, ...]:
    if setting.step == "paths":
        made = coefficient_paths()
        return (
            f"x₁ and x₂ are nearly the same (correlation {number(made.correlation)}): least squares plays one against the "
            f"other, λ makes them share. β₂ is highest, {number(made.peak)}, at λ = {number(made.peaks_at)}; only ‖β‖ has "
            "to shrink. As λ goes to 0 the coefficients are those of least squares, as it grows without end they go to 0.",
            "Both formulas, over 3 columns and over 8 items, agree to the last digit shown.",
        )  # fmt: skip
    if setting.step == "curve":
        low, high = np.quantile(_choices(), [0.1, 0.9])
        return (
            "A small λ follows the noise (variance), a large one misses the sine (bias). Both are exact, over all noise "
            "that could be drawn. Leave-one-out sees one draw and not the sine: it picks "
            f"{number(float(low))} to {number(float(high))} in 8 of 10 draws. Move *Noise*.",
        )  # fmt: skip
    if setting.step == "losses":
        return (
            "An item with a margin of 8 is right beyond doubt. The square loss punishes it for that, and gives two thirds "
            "of the slope away; the others a sixth at most. Among five numbers the square follows the one far out; the "
            "ε-insensitive loss is content with a whole interval.",
        )  # fmt: skip
    return (
        "A larger C allows higher weights, up to what separates the points without an error. That is reached at C = 0.5; "
        "from there on C changes nothing: the hard margin is no far limit here.",
    )  # fmt: skip


def _carry(screen: Screen, setting: Setting) -> None:
    if setting.step == "hard":
        C = _nearest(setting.C, *stops(parameters(CrossValidation)["C"], 10.0))
        if name := workspace.current_name():
            screen.carry("evaluate", f"Try C = {number(C)} on your data", {f"evaluate.{name}.C": C})
        else:
            screen.carry("evaluate", "Judge kernels of yours")
        return
    lam = _nearest(setting.lam, *stops(parameters(KernelRidge)["lam"], 1e-3))
    learner = {f"{kind}_learner": KernelRidge.title for kind in ("classes", "numbers")}
    screen.carry(
        "evaluate",
        f"Try λ = {number(lam)} on your data",
        {**learner, "kernelridge_lam": lam},
    )


def _nearest(value: float, places: tuple[float, ...], _counted: bool) -> float:
    """The stop of the working page's slider that is nearest on its scale."""
    return min(places, key=lambda place: abs(np.log(place / value)))
