"""Eigenvectors of several kernels of a page, in an expander: nothing is decomposed while it is closed.

eigenvectors({"joint": lambda: K, "source": lambda: source.values}, items, key="complete.eigenvector")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.base.validation import psd_tolerance
from kernex_core.gram.spectrum import Decomposition, decompose
from pages.shared.cached import cached
from pages.shared.declared.settings import of_data
from pages.shared.figures.picture import Items
from pages.shared.messages import plain
from pages.shared.panels.inspection.eigenvector import SETTINGS as OF_ONE
from pages.shared.panels.inspection.eigenvector import Decomposed, eigenvector_panel
from pages.shared.settings import widgets

SETTINGS = (of_data("eigen_of", "Eigenvector of"), *OF_ONE)
NEWEST = 8
"""Decompositions that are remembered: a slider runs through many kernels."""


@cached(newest=NEWEST, public=True)
def decomposition(values: FloatArray) -> Decomposition:
    """Decomposition of a kernel that is known everywhere."""
    return decompose(values)


def eigenvectors(kernels: Mapping[str, Callable[[], FloatArray]], items: Items, *, key: str) -> None:
    """Draw an expander with the choice of a kernel, each given as what makes it (n, n), and one eigenvector on the items."""
    panel = st.expander(
        "Eigenvectors: which items does a kernel set against which?", on_change="rerun", key=f"{key}.open"
    )
    if not panel.open:
        return
    with panel:
        name = widgets.pick(
            "eigen_of", list(kernels), said=plain, key=f"{key}.kernel", label_visibility="collapsed"
        )
        K = kernels[name]()
        made = decomposition(K)
        values = made.eigenvalues
        negative = int((values < -psd_tolerance(values.size, float(np.abs(values).max()))).sum())
        whole = Decomposed(made, K, np.arange(len(K)), negative)
        eigenvector_panel(whole, items, name=name, key=key, of=f"{plain(name)}, ")
