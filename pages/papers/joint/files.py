"""What the page Joint regularization gives away: one of its kernels, the table, both charts, a script."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from kernex_core.gram.provenance import call, write_script
from kernex_core.studies.papers.joint.comparison import ChosenLam
from kernex_core.studies.papers.joint.measuring import COSTS, NAMES, JointFigure
from kernex_core.studies.papers.joint.printed import SOURCE
from pages.papers.joint.charts import named
from pages.papers.joint.subject import Subject, kernel
from pages.shared.declared.settings import setting
from pages.shared.digits import power_of_ten
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number
from pages.shared.panels.keep import EVERYWHERE, Drawing, Keep, Offer, Result, keep_row
from pages.shared.settings import widgets

_MOST: Final = power_of_ten(round(math.log10(COSTS[-1])))
CHOSEN_C: Final = f"C chosen inside every training fold, from {number(COSTS[0])} to {_MOST}"
"""How every kernel of the page is judged: with one C for all folds, as on other pages, it has another accuracy."""
ANOTHER: Final = f"The accuracy here has {CHOSEN_C}: Evaluate with one fixed C shows another."
PRINTS = "*((name, $0.accuracy(one).mean) for name, one in $0.tried.items()), sep='\\n'"


SETTINGS: Final = (setting("keep", "Kernel to keep"),)


def files(subject: Subject, found: JointFigure, chosen: ChosenLam | None, drawn: Picture | None) -> None:
    """Draw the row of downloads."""
    name = widgets.choose(
        "keep", NAMES, default=NAMES[3], key="joint.keep.which", width=260,
        help="Walks over this kernel on vertices, cosine-normalised.",
    )  # fmt: skip
    given = Result(
        f"walks, {name}",
        kernel=partial(kernel, subject.config, subject.graphs, name),
        table=Offer(lambda: rows(subject, found, chosen), name="joint-regularization-figure-1"),
        script=Offer(lambda: script(subject), name="joint-regularization-figure-1"),
        figure=None if drawn is None else Drawing(
            lambda: drawn, title="Joint regularization, Fig. 1", name="joint-regularization-figure-1",
            settings={
                "graphs": found.n_items, "folds": found.n_folds, "repetitions": found.n_repeats, "σ": found.sigma,
                "nugget": subject.config.nugget, "landmarks": found.n_landmarks, "walks up to": subject.config.length,
                "seed": subject.validation.seed,
            },
        ),
    )  # fmt: skip
    keep_row(given, key="joint", keep=Keep(help=ANOTHER, then=f"{EVERYWHERE} {ANOTHER}"))


def rows(subject: Subject, found: JointFigure, chosen: ChosenLam | None) -> list[dict[str, object]]:
    """Return the table as rows of a file, with the settings that made it."""
    config, validation = subject.config, subject.validation
    return [
        {
            "kernel": name, "accuracy": one.mean, "over_graphs_from": one.interval.low, "over_graphs_to": one.interval.high,
            "sd_repetitions": one.sd_repeats, "sd_folds": one.sd_folds, "graphs": found.n_items,
            "folds": found.n_folds, "repetitions": found.n_repeats, "floor": found.floor, "sigma": found.sigma,
            "nugget": config.nugget, "landmarks": found.n_landmarks, "choice": config.choice, "length": config.length,
            "seed": validation.seed,
        }
        for name, one in named(found, chosen).items()
    ]  # fmt: skip


def script(subject: Subject) -> str:
    """Return the script that measures the same kernels."""
    states = call("found", "last_state", call("states", "measuring_joint", *subject.args))
    return write_script(
        [states], heading=f"Kernex: Fig. 1 of {SOURCE}, measured\nKernel, accuracy.", prints=[PRINTS]
    )
