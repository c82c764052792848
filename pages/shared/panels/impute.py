"""Kernels of vectors with unknown entries: which imputation, said beside the kernel, and computed with it."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.conditioning.impute import IMPUTATIONS, Imputation
from kernex_core.conditioning.imputed_kernel import imputed_similarities
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.kinds import AnySamples
from kernex_core.inputs.samples import Vectors
from kernex_core.kernels.base import AnyKernel
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.messages import plain

AT_ONCE: Final = 2e7
"""Rows squared times columns up to which the nearest rows are found at once (about a second)."""


def has_unknown(samples: AnySamples) -> bool:
    """Return whether these are vectors with unknown entries."""
    return isinstance(samples, Vectors) and bool(np.isnan(samples.X).any())


@cached(public=True)
def imputed(kernel: AnyKernel, samples: Vectors, imputation: Imputation, name: str) -> GramMatrix:
    """Return a kernel built from vectors with unknown entries."""
    return imputed_similarities(kernel, samples, imputation, name=name)


def imputed_kernel(kernel: AnyKernel, samples: Vectors, name: str) -> GramMatrix | None:
    """Ask for the imputation and return the kernel, or None while it is not computed."""
    left, right = st.columns(2, vertical_alignment="bottom")
    titles = [each.title for each in IMPUTATIONS]
    title = left.segmented_control(
        "Unknown entries become", titles, default=titles[0], required=True, key="build.imputation",
        persist_state="session",
        help="The mean of the column over the rows that know it, or over the nearest of these rows.",
    )  # fmt: skip
    chosen: Imputation = IMPUTATIONS[titles.index(title)]
    with right:
        chosen = controls(chosen, f"build.imputation.{title}")
    missing = int(np.isnan(samples.X).sum())
    st.caption(
        f"{missing:,} unknown entries ({100.0 * missing / samples.X.size:.2g} %) are filled by {chosen.title}. That is a "
        "step of this kernel: an inductive evaluation learns it from the training rows of every fold."
    )
    slow = title != titles[0] and samples.n**2 * samples.X.shape[1] > AT_ONCE
    if slow and imputed.peek(kernel, samples, chosen, name) is None:
        seconds = samples.n**2 * samples.X.shape[1] / AT_ONCE
        if not st.button(f"Compute, about {seconds:.0f} s", key="build.impute", icon=":material/play_arrow:"):
            return None
    with st.spinner(f"{plain(name)} is computed"):
        return imputed(kernel, samples, chosen, name)
