"""The page See what your similarities know: one's own data first, then demos by what they ask."""

import streamlit as st

from kernex_core.datasets.catalogue import DATASETS
from pages.server.navigation import go_to
from pages.start import demos
from pages.ui import files as waiting
from pages.ui.frame import open_page

open_page(
    "See what your similarities know",
    "Kernex completes similarity matrices that are partly unknown, combines them, "
    "and tells how far the result can be trusted.",
    shows_data=False,
)
with st.container(gap="xxsmall", key="bring"):
    st.markdown(
        "**Your own data** :small[:gray[a similarity matrix with gaps, a hit table, sequences, vectors, edges or graphs, "
        "and labels; all files at once]]",
        help=waiting.limits(),
    )
    if waiting.upload_box("start.upload"):
        go_to("data/data.py")
st.markdown(f"**Or begin with a question** :small[:gray[{len(DATASETS)} demos]]")
places = demos.questions()
demos.others()
demos.fill(places)
