"""What the page Power p gives away: the kernel after, for the workspace and as files; losses; the script."""

from __future__ import annotations

from collections.abc import Callable

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.learning.protocol import Protocol
from kernex_core.studies.diagonals.shrink import DiagonalConfig, Shrunk
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep
from pages.kernels.power import losses
from pages.kernels.power import subject as state
from pages.shared.figures.picture import Picture
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.shared.settings import widgets


def keep(
    subject: state.Subject, config: DiagonalConfig, made: Shrunk, picture: Callable[[], Picture]
) -> None:
    """Draw name, button and files of the kernel after."""
    bare = config.way.repairs and widgets.switch(
        "bare", key="diagonals.bare",
        help="For the page Complete: it hides first and repairs after, and a repair of the whole matrix would carry what is "
        "hidden into what is known. In general this is a similarity, not a kernel.",
    )  # fmt: skip
    gram = subject.K.then(config.element_map) if bare else made.gram
    result = Result(
        suggested_name(subject.K, config, bare),
        kernel=lambda: gram,
        figure=Drawing(
            picture,
            settings={**settings(subject.K, config), "unit": made.units[1]},
        ),
        script=Offer(
            lambda: kernel_script(subject.K, config, bare),
            help="Python that computes this kernel again with kernex_core alone.",
            key="kernel.script",
        ),
    )
    keep_row(result, key="diagonals", keep=Keep(named=True))


def downloads(
    subject: state.Subject,
    config: DiagonalConfig,
    protocol: Protocol,
    found: DiagonalSweep,
) -> None:
    """Draw the losses as a table, and the script that computes them; the sheet above has their picture, too."""
    result = Result(
        "losses against p",
        table=Offer(lambda: losses.rows(found), label="Losses as CSV", key="losses.csv"),
        script=Offer(
            lambda: script(subject, config, protocol),
            label="Script of the losses",
            help="Python that computes these losses again with kernex_core alone.",
            name="large-diagonals",
        ),
    )
    keep_row(result, key="diagonals", look="tertiary")


def suggested_name(K: GramMatrix, config: DiagonalConfig, bare: bool) -> str:
    """Return the kernel's name with what was done to it: "ssk, empirical map p = 0.5"."""
    return f"{K.name}, {'entries' if bare else config.scheme} {config.map.symbol} = {config.strength:g}"[:80]


def settings(K: GramMatrix, config: DiagonalConfig) -> dict[str, str]:
    """Return what a downloaded figure says about itself."""
    return {"kernel": K.name, "scheme": config.scheme, config.map.symbol: f"{config.strength:g}"}


def kernel_script(K: GramMatrix, config: DiagonalConfig, bare: bool = False) -> str:
    """Script of the kernel that is kept."""
    gram = K.then(config.element_map) if bare else state.shrunk(config, K, None).gram
    heading = f"Kernex: {suggested_name(K, config, bare)}"
    return write_script([gram.recipe], heading=heading, prints=["$0.values"])


def script(subject: state.Subject, config: DiagonalConfig, protocol: Protocol) -> str:
    """Script of the kernel after, and of the losses of every p."""
    labels = subject.labels
    assert labels is not None  # without labels there are no losses and no script
    of = subject.judged, labels, protocol
    sweep = call(
        "sweep", "last_state", call("states", "sweeping_strengths", state.without_strength(config), *of)
    )
    after = call("after", "shrunk_kernel", config, subject.K)
    here = call("here", "losses_at", config, *of)
    return write_script(
        [after, sweep, here],
        heading="Kernex: large diagonals",
        prints=[
            "$0.values",
            '[(p, round(found["svm"].mean, 4)) for p, found in zip($1.strengths, $1.judged)]',
            f"({config.strength!r}, {{name: round(found.mean, 4) for name, found in $2.items()}})",
            "{name: (found.rests_on, found.interval) for name, found in $2.items()}",
        ],
    )
