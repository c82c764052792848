"""Table 6 of "Almost orthogonal patterns": families of sequences, with the visitor's kernel and table of families."""

from __future__ import annotations

import streamlit as st

from kernex_core.errors import KernexError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import call, write_script
from kernex_core.inputs.samples import Note
from kernex_core.studies.papers.orthogonal.families import FamiliesConfig, FamilyTable, measuring_table_6
from kernex_core.studies.papers.orthogonal.family_files import ROLES, Families, read_families
from kernex_core.studies.papers.orthogonal.origin import SCOP_FAMILIES
from pages.papers.orthogonal import families_table as layout
from pages.papers.orthogonal.about import margins
from pages.papers.orthogonal.run import known, measured_below, refusal, run
from pages.papers.orthogonal.sparse import complete_kernels, kept_upload
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.downloads import csv_button, script_button
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame
from pages.shared.messages import findings, plain, show_error
from pages.shared.navigation import go_to
from pages.shared.uploads import read_upload

KEY = "papers.orthogonal.6"
BRING = (
    "**What to bring**: a kernel of the sequences (on the page Data as a matrix, or as FASTA and then *Spectrum*, k = 3, "
    "with cosine normalisation on the page Kernels), and here a table of families: a header of family names, then one line "
    "a sequence with its id and one cell a family, each of "
    + ", ".join(f"`{role}`" for role in ROLES)
    + " or empty. The "
    "paper has 54 families of SCOP 1.53 (Liao and Noble 2002)."
)


@cached
def table_6(config: FamiliesConfig, K: GramMatrix, families: Families) -> FamilyTable:
    """Return the whole Table 6; the page keeps partial ones under the same key."""
    return list(measuring_table_6(config, K, families))[-1]


@cached
def refused(config: FamiliesConfig, K: GramMatrix, families: Families) -> tuple[str, str, str] | None:
    """Return what is wrong with kernel or families, before a button offers to measure them."""
    return refusal(measuring_table_6, (config, K, families))


def show(page: PageFrame) -> None:
    """Draw Table 6."""
    st.markdown(BRING)
    left, right = st.columns(2)
    with right:
        given = kept_upload(
            "Table of families", key=f"{KEY}.file", types=["csv", "tsv", "txt"],
            help="CSV or TSV; commas, semicolons or tabs.",
        )  # fmt: skip
    with left:
        K = _kernel()
    config = controls(
        FamiliesConfig(), KEY, only=("asymmetry", "C"), slots=st.columns(2, vertical_alignment="bottom")
    )
    families = None if given is None else read_upload(given, read_families)
    if K is None or families is None:
        layout.printed()
        return
    wrong = refused(config, K, families)
    if wrong is not None:
        show_error(KernexError(*wrong))
        layout.printed()
        return
    _measured(config, K, families)


def _kernel() -> GramMatrix | None:
    """Ask for a kernel of the open data set."""
    dataset = workspace.current()
    kernels = complete_kernels(dataset)
    if dataset is None or not kernels:
        lacking = (
            "Nothing is open. Table 6 needs a kernel of the sequences."
            if dataset is None
            else "The open data set has no kernel that is known everywhere."
        )
        st.info(lacking, icon=":material/upload_file:")
        if st.button("Bring data", icon=":material/table:", key=f"{KEY}.bring"):
            go_to("data/data.py")
        return None
    name = st.selectbox(
        "Kernel", list(kernels), key=f"{KEY}.kernel.{dataset.name}", persist_state="session",
        help="Kernels of the open data set that are known everywhere.",
    )  # fmt: skip
    return kernels[name]


def _measured(config: FamiliesConfig, K: GramMatrix, families: Families) -> None:
    args = (config, K, families)
    measured_below(
        lambda: run(
            table_6, measuring_table_6, args, key=KEY, what="families times powers", automatic=K.n <= 320,
            label="Measure",
        ),
        known(table_6, None, args),
        layout.printed,
        lambda found: _draw(found, args),
    )  # fmt: skip


def _draw(found: FamilyTable, args: tuple[FamiliesConfig, GramMatrix, Families]) -> None:
    _about(args[0], args[1], found)
    layout.verdict(found)
    layout.table(found)
    layout.scatters(found, KEY)
    file = "orthogonal-patterns-table-6"
    with st.container(horizontal=True):
        csv_button("Download families", lambda: rows(found), file, key=f"{KEY}.csv")
        script_button(lambda: script(*args), file, key=f"{KEY}.script")


def _about(config: FamiliesConfig, K: GramMatrix, found: FamilyTable) -> None:
    """Write how much is done, how the margins were, and whose families these are."""
    soft = f"asymmetric margin, soft by *c* = {config.asymmetry:g}: " if config.asymmetry > 0.0 else ""
    counts = (found.training_errors, found.at_bound, found.not_converged)
    how = (
        margins(*counts)
        if not soft or any(counts)
        else "no coefficient reached C, no training decision is wrong"
    )
    st.caption(f"{len(found.names)} families of {plain(K.name)} · {number(found.seconds, 1)} s · {soft}{how}")
    if not layout.is_paper_s(found):
        text = (
            f"These are not the paper's families: {len(found.names)} instead of {SCOP_FAMILIES} of SCOP 1.53."
        )
        findings([Note(text, "What is printed stands beside them for its shape only.", severity="warning")])


def script(config: FamiliesConfig, K: GramMatrix, families: Families) -> str:
    """Script that measures the same table from the same files."""
    states = call(
        "states", "measuring_table_6", config, K, families,
        imports=(f"from {measuring_table_6.__module__} import measuring_table_6",),
    )  # fmt: skip
    return write_script(
        [states],
        heading="Kernex: Table 6 of almost orthogonal patterns (2002), measured\n"
        "Run it beside the folder kernex_core, with the uploaded files in the same place.",
        prints=[
            "*((c, t.roc[c].round(4), t.rfp[c].round(4)) for t in list($0)[-1:] for c in t.roc), sep='\\n'"
        ],
    )


def rows(found: FamilyTable) -> list[dict[str, object]]:
    """Return one row a family, power and basis."""
    return [
        {
            "family": name, "p": "as it is" if p is None else p, "column": column,
            "roc": float(found.roc[column][f, row]), "median_rfp": float(found.rfp[column][f, row]),
        }
        for column in found.roc
        for f, name in enumerate(found.names)
        for row, p in enumerate(found.powers)
    ]  # fmt: skip
