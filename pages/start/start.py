"""The page See what your similarities know: demos, an upload, and the way through the pages."""

import streamlit as st

from pages.shared.files import waiting
from pages.shared.frame import open_page
from pages.shared.navigation import PAGES, go_to
from pages.start import demos

TOUR = {
    "data": "bring items, or open a demo; read the health report",
    "kernels": "build, look at the spectrum, repair",
    "complete": r"hide items, move $\lambda$, watch the joint kernel",
    "evaluate": "judge on held-out folds, beside plain baselines",
    "extrapolation": "published numbers beside ours",
}

open_page(
    "See what your similarities know",
    "Kernex completes similarity matrices that are partly unknown, combines them, "
    "and tells how far the result can be trusted.",
    shows_data=False,
)
st.space("small")
st.header("Open a demo", anchor=False)
places = demos.demo_row()
st.space("small")
bring, tour = st.columns([12, 13], gap="large")
with bring:
    st.header("Bring your own", anchor=False)
    st.caption(
        "A similarity matrix, a hit table, sequences, vectors, a network or graphs, and labels. "
        "Unknown entries may stay empty.",
        help=waiting.limits(),
    )
    if waiting.upload_box("start.upload"):
        go_to("data/data.py")
with tour:
    st.header("Two minutes", anchor=False)
    with st.container(gap="xxsmall"):
        for number, (address, what) in enumerate(TOUR.items(), 1):
            entry = next(entry for entry in PAGES if entry.url_path == address)
            title = entry.section if entry.section == "Papers" else entry.title
            # a link is one line, which a narrow page would cut; text beside it goes on below
            link, words = st.columns([2, 5], gap="small", vertical_alignment="center")
            link.page_link(entry.path, label=f"{number}. **{title}**")
            words.markdown(f":small[:gray[{what}]]")
demos.fill(places)
