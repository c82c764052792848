"""Why kernels or combinations of them could not be judged, in words: each reason once."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Labels
from kernex_core.learning.regression.judgement import rather_numbers
from pages.shared.messages import plain


def show(refused: Mapping[str, str], labels: Labels) -> None:
    """A line a reason; nothing where nothing was refused."""
    for why in dict.fromkeys(refused.values()):
        names = [plain(name) for name, said in refused.items() if said == why]
        st.caption(f"{listed(names)} could not be judged. {plain(why)}")
    if refused and rather_numbers(labels):
        st.caption(
            "These labels are rather numbers than classes. The page Evaluate predicts numbers, from each kernel alone or "
            "from a combination that is kept."
        )
