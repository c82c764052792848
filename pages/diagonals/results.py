"""What the page Large diagonals gives away: the kernel after, for the workspace and as files; losses; the script."""

from __future__ import annotations

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import call, write_script
from kernex_core.studies.diagonals.scheme import DiagonalConfig, Shrunk
from kernex_core.studies.diagonals.sweep import DiagonalSweep
from pages.diagonals import losses
from pages.diagonals import subject as state
from pages.shared import workspace
from pages.shared.downloads import csv_button, figure_button, npz_button, script_button
from pages.shared.figures.picture import Picture
from pages.shared.messages import guard, plain

KEPT = "diagonals.kept"


def keep(subject: state.Subject, config: DiagonalConfig, made: Shrunk, picture: Picture) -> None:
    """Draw name, button and files of the kernel after."""
    bare = config.way.repairs and st.toggle(
        "Keep φ of the entries without the repair", key="diagonals.bare", persist_state="session",
        help="For the page Complete: it hides first and repairs after, and a repair of the whole matrix would carry what is "
        "hidden into what is known. In general this is a similarity, not a kernel.",
    )  # fmt: skip
    gram = subject.K.then(config.element_map) if bare else made.gram
    suggestion = suggested_name(subject.K, config, bare)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Keep this kernel as", suggestion, key=f"diagonals.name.{suggestion}", width=320)
        name = name.strip() or suggestion
        if st.button("Keep this kernel", type="primary", icon=":material/bookmark:", key="diagonals.keep"):
            with guard():
                workspace.remember(KEPT, workspace.keep_kernel(name, gram))
                st.rerun()
        csv_button("CSV", lambda: gram, name, key="diagonals.csv", help="Matrix with ids on both axes.")
        npz_button("NPZ", lambda: gram, name, key="diagonals.npz", help="NumPy archive: K and ids.")
        figure_button(
            "Figure", lambda: picture, name, title=name, key="diagonals.figure",
            settings={**settings(subject.K, config), "unit": made.units[1]},
            help="The heatmap after, as a page of its own.",
        )  # fmt: skip
        script_button(
            lambda: kernel_script(subject.K, config, bare), name, key="diagonals.kernel.script",
            help="Python that computes this kernel again with kernex_core alone.",
        )  # fmt: skip
    kept = workspace.recall(KEPT)
    if kept is not None:
        workspace.remember(KEPT, None)
        st.toast(f"Kept as {plain(kept)}: it can be completed, combined and judged on the other pages.")


def downloads(
    subject: state.Subject,
    config: DiagonalConfig,
    protocol: state.Protocol,
    found: DiagonalSweep,
    name: str,
) -> None:
    """Draw the losses as table and picture, and the script that computes them; `name` is that of the data set."""
    one = found.original["neighbour"]
    repeats = one.by_repeat.size
    validation = protocol.validation
    folds = "one item a fold" if one.one_a_fold else f"{validation.folds} folds × {repeats} repetitions"
    with st.container(horizontal=True):
        csv_button(
            "Losses as CSV", lambda: losses.rows(found), "losses against p", key="diagonals.losses.csv",
            type="tertiary",
        )  # fmt: skip
        if found.strengths:
            figure_button(
                "Losses as figure", lambda: losses.loss_picture(found, config), "losses against p",
                title="Balanced loss", key="diagonals.losses.figure", type="tertiary",
                settings={
                    "data": name, **settings(subject.K, config), "mode": found.mode, "margin": protocol.words,
                    "folds": f"{folds}, seed {validation.seed}",
                    "bands": f"± sd over {'repetitions' if repeats > 1 else 'folds'}",
                },
                help="The chart as a page of its own; the mode stands in it.",
            )  # fmt: skip
        script_button(
            lambda: script(subject, config, protocol), "large-diagonals", label="Script of the losses",
            key="diagonals.script", help="Python that computes these losses again with kernex_core alone.",
        )  # fmt: skip


def suggested_name(K: GramMatrix, config: DiagonalConfig, bare: bool) -> str:
    """Return the kernel's name with what was done to it: "ssk, empirical map p = 0.5"."""
    return f"{K.name}, {'entries' if bare else config.scheme} {config.map.symbol} = {config.strength:g}"[:80]


def settings(K: GramMatrix, config: DiagonalConfig) -> dict[str, str]:
    """Return what a downloaded figure says about itself."""
    return {"kernel": K.name, "scheme": config.scheme, config.map.symbol: f"{config.strength:g}"}


HEADING = "Run it beside the folder kernex_core, with the uploaded files in the same place."


def kernel_script(K: GramMatrix, config: DiagonalConfig, bare: bool = False) -> str:
    """Script of the kernel that is kept."""
    gram = K.then(config.element_map) if bare else state.shrunk(config, K, None).gram
    heading = f"Kernex: {suggested_name(K, config, bare)}\n{HEADING}"
    return write_script([gram.recipe], heading=heading, prints=["$0.values"])


def script(subject: state.Subject, config: DiagonalConfig, protocol: state.Protocol) -> str:
    """Script of the kernel after, and of the losses of every p."""
    labels = subject.labels
    assert labels is not None  # without labels there are no losses and no script
    states = call(
        "states", "sweeping", state.without_strength(config), subject.judged, labels, *protocol.settings,
        imports=("from kernex_core.studies.diagonals.sweep import sweeping",),
    )  # fmt: skip
    after = call(
        "after", "shrunk_kernel", config, subject.K,
        imports=("from kernex_core.studies.diagonals.scheme import shrunk_kernel",),
    )  # fmt: skip
    here = call(
        "here", "losses_at", config, subject.judged, labels, *protocol.settings,
        imports=("from kernex_core.studies.diagonals.sweep import losses_at",),
    )  # fmt: skip
    return write_script(
        [after, states, here],
        heading=f"Kernex: large diagonals\n{HEADING}",
        prints=[
            "$0.values",
            '[(p, round(found["svm"].mean, 4)) for s in list($1)[-1:] for p, found in zip(s.strengths, s.judged)]',
            f"({config.strength!r}, {{name: round(found.mean, 4) for name, found in $2.items()}})",
        ],
    )
