"""Table 6 of "Almost orthogonal patterns": families of sequences, with the visitor's kernel and table of families."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import call, write_script
from kernex_core.studies import published
from kernex_core.studies.orthogonal_families import (
    FAMILY_POWERS,
    ROLES,
    Families,
    FamiliesConfig,
    FamilyTable,
    measuring_table_6,
    read_families,
)
from kernex_core.studies.orthogonal_patterns import ALL_POINTS, TRAIN_ONLY
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.downloads import csv_button, script_button
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import plain
from pages.shared.navigation import go_to
from pages.shared.uploads import read_upload, upload
from pages.shared.views.papers_orthogonal_data import complete_kernels
from pages.shared.views.staged import run_staged

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


def show(page: PageFrame) -> None:
    """Draw Table 6."""
    st.markdown(BRING)
    dataset = workspace.current()
    kernels = complete_kernels(dataset)
    left, right = st.columns(2)
    with right:
        given = upload(
            "Table of families", key=f"{KEY}.file", types=["csv", "tsv", "txt"], help="CSV or TSV."
        )
    with left:
        if dataset is None or not kernels:
            st.info(
                "The open data set has no kernel that is known everywhere.", icon=":material/upload_file:"
            )
            if st.button("Bring data", icon=":material/table:", key=f"{KEY}.bring"):
                go_to("data/data.py")
        else:
            name = st.selectbox(
                "Kernel", list(kernels), key=f"{KEY}.kernel.{dataset.name}", persist_state="session",
                help="Kernels of the open data set that are known everywhere.",
            )  # fmt: skip
    config = controls(
        FamiliesConfig(), KEY, only=("asymmetry", "C"), slots=st.columns(2, vertical_alignment="bottom")
    )
    families = None if given is None else read_upload(given, read_families)
    if not kernels or families is None:
        _printed()
        return
    K = kernels[name]
    found = run_staged(
        lambda: measuring_table_6(config, K, families),
        lambda: table_6.peek(config, K, families),
        lambda state: table_6.keep(state, config, K, families),
        key=KEY, what="families times powers", automatic=K.n <= 320, label="Measure",
    )  # fmt: skip
    if found is None:
        _printed()
        return
    st.caption(f"{len(families.names)} families of {plain(K.name)} · {number(found.seconds, 1)} s")
    _table(found)
    file = "orthogonal-patterns-table-6"
    with st.container(horizontal=True):
        csv_button("Download families", lambda: rows(found), file, key=f"{KEY}.csv")
        script_button(lambda: script(config, K, families), file, key=f"{KEY}.script")


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


def _printed() -> None:
    panel_title("Table 6, published", "mean over 54 families")
    cells = _cells()
    for name, (rfp, roc) in published.ORTHOGONAL_OTHERS_6.items():
        cells[""].append(name)
        cells["median RFP"].append(f"{rfp:.4f}")
        cells["ROC"].append(f"{roc:.4f}")
    st.table(cells, border="horizontal")


def _cells() -> dict[str, list[str]]:
    printed = [published.ORTHOGONAL_TABLE_6[p] for p in FAMILY_POWERS]
    return {
        "": ["kernel as it is" if p is None else f"*p* = {p:g}" for p in FAMILY_POWERS],
        "median RFP": [f"{rfp:.4f}" for rfp, _ in printed],
        "ROC": [f"{roc:.4f}" for _, roc in printed],
    }


def _table(found: FamilyTable) -> None:
    panel_title(
        "Table 6, published beside measured",
        "mean ± standard error over families, without those whose test items are of one kind; outside: further from the "
        "printed mean than 2 SE of the difference, both means taken to be equally sure",
    )
    cells = _cells()
    for column, short in ((ALL_POINTS, "all points"), (TRAIN_ONLY, "train only")):
        for at, (score, values) in enumerate((("RFP", found.rfp[column]), ("ROC", found.roc[column]))):
            printed = [published.ORTHOGONAL_TABLE_6[p][at] for p in found.powers]
            cells[f"{score}, {short}"] = [_mean(v, was) for v, was in zip(values.T, printed, strict=True)]
    st.table(cells, border="horizontal")


def _mean(values: np.ndarray, printed: float) -> str:
    """Mean over the families where it is defined; the paper prints no spread, so ours stands for both."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return "…"
    mean = float(defined.mean())
    if defined.size < 2:
        return f"**{mean:.4f}**"
    se = float(defined.std(ddof=1)) / defined.size**0.5
    outside = " :orange[outside]" if abs(mean - printed) > 2.0 * 2.0**0.5 * se else ""
    return f"**{mean:.4f}** :gray[± {se:.4f}]{outside}"


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
