"""What the visitor brings for Table 6: a kernel of sequences, and a table of their families."""

from __future__ import annotations

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.papers.paper_table import PaperTable
from pages.papers.orthogonal.brought import Brought, choose, complete_kernels, lacking, to_data
from pages.shared import workspace
from pages.shared.files.kept import kept_upload
from pages.shared.files.uploads import read_upload
from pages.shared.readers import tasks


def kernel_with_families(paper: PaperTable) -> Brought | None:
    """Return a kernel of the open data set and an uploaded table of families."""
    left, right = st.columns(2)
    with right:
        file = kept_upload(
            "Table of families", key=f"{paper.key}.file", types=["csv", "tsv", "txt"],
            help="CSV or TSV; commas, semicolons or tabs.",
        )  # fmt: skip
    with left:
        K = _kernel(paper)
    families = None if file is None else read_upload(file, tasks.families)
    return None if K is None or families is None else Brought((K, families), K.name)


def _kernel(paper: PaperTable) -> GramMatrix | None:
    dataset = workspace.current()
    kernels = complete_kernels(dataset)
    if dataset is None or not kernels:
        lacking(
            f"Nothing is open. Table {paper.number} needs a kernel of the sequences."
            if dataset is None
            else "The open data set has no kernel that is known everywhere."
        )
        to_data(paper)
        return None
    return kernels[choose(paper, "Kernel", list(kernels), dataset)]
